"""The file that the deals of a series are kept in, so that none is lost and the series can go on.

JSON Lines: what the series is, how far it is to go, then a line for every deal, in the order in
which they were finished. A last line that a crash has cut is dropped when the series is resumed.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okgin_fast.errors import OkginError, quote
from okgin_fast.measure.ledger import Ledger
from okgin_fast.measure.lines import LineFile, ResultsError, refuse_device
from okgin_fast.measure.plan import Plan
from okgin_fast.measure.play import Game, Played, Setup
from okgin_fast.measure.players import player
from okgin_fast.rules import Rules

__all__ = ["ResultsError", "ResultsFile", "series_of"]

FORMAT = "okgin arena 2"


class ResultsFile(LineFile):
    """The file of a series, open for writing at its end.

    Parameters
    ----------
    path : path-like
    ledger : Ledger
        What the file holds is added to it.
    plan : Plan
        Written down for whoever resumes the series.
    resume : bool
        Go on from a file that is there; without it the file must not be there.

    Raises
    ------
    ResultsError
        It cannot be opened or read, another process writes to it, it is there already, or it is of
        another series; the message names the difference.
    """

    def __init__(
        self, path: str | os.PathLike[str], ledger: Ledger, plan: Plan, resume: bool = False
    ) -> None:
        super().__init__(path, resume)
        try:
            if not resume:
                self.write(_header(ledger.setup), {"plan": plan._asdict()})
            elif self._read(ledger) != plan:
                self.write({"plan": plan._asdict()})
        except BaseException:
            self.close()
            raise

    def append(self, played: Played) -> None:
        """Write a finished deal.

        Raises
        ------
        SeriesError
            The disk is full, or the like.
        """
        self.write(_line(played))

    def _read(self, ledger: Ledger) -> Plan | None:
        """Add the deals of the file to the ledger."""
        plan = None
        first, *lines = self.lines or [b""]
        _refuse_difference(self.name, _read_header(self.name, first), _header(ledger.setup))
        for number, line in enumerate(lines, 2):
            try:
                entry = json.loads(line)
                if "plan" in entry:
                    plan = Plan.of(entry["plan"])
                else:
                    ledger.add(_played(entry, ledger.setup))
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
                raise ResultsError(
                    f"{self.name}, line {number}: {quote(line.decode(errors='replace'))} is no deal"
                    f" of this series: {type(error).__name__}: {quote(str(error), 80)}"
                ) from None
        return plan


def series_of(path: str | os.PathLike[str]) -> tuple[Setup, Plan]:
    """What a results file is the series of, and how far it was last to go.

    Raises
    ------
    ResultsError
        It cannot be read, or is no results file.
    OkginError
        A player in it is not known here.
    """
    name = f"results file {quote(os.fspath(path), 80)}"
    refuse_device(name, path)
    try:
        with Path(path).open("rb") as file:
            first = file.readline(1_000_000)
            plans = [line for line in file if line.startswith(b'{"plan":') and line.endswith(b"\n")]
    except OSError as error:
        raise ResultsError(f"{name} cannot be opened: {error.strerror}") from None
    header = _read_header(name, first)
    try:
        plan = Plan.of(json.loads(plans[-1])["plan"])
        setup = Setup(
            players=tuple(player(words) for words in header["players"]),
            rules=Rules.from_dict(header["rules"]),
            unit=header["unit"],
            seed=header["seed"],
            player_seed=header["player_seed"],
            move_ms=header["move_ms"],
            luck=header["luck"],
        )
    except OkginError:
        raise
    except (ValueError, LookupError, TypeError):
        raise ResultsError(f"{name}: its first lines do not say what the series is") from None
    return setup, plan


def _header(setup: Setup) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "players": [player.name for player in setup.players],
        "rules": setup.rules.to_dict(),
        "unit": setup.unit,
        "seed": setup.seed,
        "player_seed": setup.player_seed,
        "move_ms": setup.move_ms,
        "luck": setup.luck,
        "versions": dict(setup.versions),
    }


def _read_header(name: str, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ResultsError(f"{name} is none: it begins with {quote(line.decode(errors='replace'))}")
    return header


def _refuse_difference(name: str, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Refuse to mix two series; name everything in which they differ."""
    differences = []
    for key, value in here.items():
        pairs = [(key.replace("_", " "), there.get(key), value)]
        if isinstance(value, dict) and isinstance(there.get(key), dict):
            pairs = [(field, there[key].get(field), value[field]) for field in value]
        differences += [
            f"{what} {quote(old, 80)} there, {quote(new, 80)} here"
            for what, old, new in pairs
            if old != new
        ]
    if differences:
        raise ResultsError(f"{name} is of another series: {'; '.join(differences)}")


def _line(played: Played) -> dict[str, Any]:
    """A deal as a line has it; what is None is left out."""
    entry = {
        "pair": played.game.pair,
        "seats": played.game.seats,
        **played._asdict(),
        "us": played.times,
    }
    del entry["game"], entry["times"]
    return {key: value for key, value in entry.items() if value is not None}


def _played(entry: Mapping[str, Any], setup: Setup) -> Played:
    """Read a line; whatever is wrong with it is raised as Python raises it."""
    first, second = entry["seats"]
    game = Game(_whole(entry["pair"]), (_whole(first), _whole(second)))
    if first == second or max(game.seats) >= len(setup.players):
        raise ValueError(f"seats {entry['seats']}")
    deadwood = tuple(map(_whole, entry["deadwood"]))
    times = tuple(tuple(map(_whole, seat)) for seat in entry["us"])
    if len(deadwood) != 2 or len(times) != 2:
        raise ValueError("deadwood and us: two each")
    fault = entry.get("fault")
    if (fault is None) != (entry["kind"] != "forfeit"):
        raise ValueError("a forfeit, and nothing else, has a fault")
    return Played(
        game,
        deal=_whole(entry["deal"]),
        dealer=_whole(entry["dealer"]),
        kind=entry["kind"],
        winner=entry.get("winner"),
        points=_whole(entry["points"]),
        turns=_whole(entry["turns"]),
        deadwood=deadwood,
        times=times,
        luck=_luck(entry, setup),
        fault=fault,
    )


def _luck(entry: Mapping[str, Any], setup: Setup) -> float | None:
    luck = entry.get("luck")
    if luck is None and not setup.luck:
        return None
    if not setup.luck or type(luck) is not float or not math.isfinite(luck):
        raise ValueError(f"luck {luck!r}")
    return luck


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError(f"{value!r} is no whole number")
    return value
