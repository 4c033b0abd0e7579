"""How deals between two equal strong players end: self-play, counted, for the match equity tables.

It plays every preset, shares the deals among workers, and keeps the counts in one file, which an
interrupted measurement goes on from and which the package ships as ``okgin_fast/outcomes.json``.
What the counts are good for is `okgin_fast.equity`'s business.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from okgin_fast.core.rng import derive_seed
from okgin_fast.deal import Deal, DealResult
from okgin_fast.equity import KINDS, SIDES
from okgin_fast.errors import OkginError, SeriesError, quote
from okgin_fast.measure.files import write_whole
from okgin_fast.measure.machine import facts
from okgin_fast.measure.players import player
from okgin_fast.measure.workers import workers
from okgin_fast.measure.workload import PARTS, signature, signature_of
from okgin_fast.rules import PRESETS

__all__ = ["DEALS", "Ending", "Measuring", "ending_of", "play"]

PLAYER = "expert,rollouts=64"
SEED = 4
DEALS = 20_000
"""Of each preset, if nothing else is asked for."""
MOST_DEALS = 10_000_000
PIECE = 50
"""Deals that a worker plays in one go: about half a second."""
SAVE = 5.0  # seconds from one writing of the file to the next


class Ending(NamedTuple):
    """How a deal ended, before bonuses and the multiplier.

    Attributes
    ----------
    limit : int
        The deal's knock limit.
    side : str or None
        Who scored, ``dealer`` or ``other``; None for a dead deal.
    kind : str
        ``knock``, ``undercut``, ``gin``, ``big_gin`` or ``dead``.
    difference : int
        The deadwood that is scored: the defender's after gin, else that between the two hands.
    """

    limit: int
    side: str | None
    kind: str
    difference: int


def ending_of(limit: int, dealer: int, result: DealResult) -> Ending:
    """Say how a deal ended; equal deadwood is the defender's undercut, whatever it is worth.

    Examples
    --------
    >>> from okgin_fast import settle
    >>> ending_of(10, 0, settle("AS2S3S4S 5H6H7H 2D2C3C", "KCKD QHQD JHJS TCTH 8C6D", "standard"))
    Ending(limit=10, side='dealer', kind='knock', difference=57)
    """
    if result.kind == "dead":
        return Ending(limit, None, "dead", 0)
    assert result.knocker is not None
    assert result.knocker_deadwood is not None
    assert result.defender_deadwood is not None
    kind = "undercut" if result.kind == "tie" else result.kind
    scorer = 1 - result.knocker if kind == "undercut" else result.knocker
    difference = abs(result.defender_deadwood - result.knocker_deadwood)
    return Ending(limit, SIDES[scorer != dealer], kind, difference)


def play(preset: str, first: int, last: int) -> Counter[Ending]:
    """Play some of the deals that are played of a preset, and count how they end.

    Deals are played in pairs: the same hands, dealt by the one and then by the other.

    Parameters
    ----------
    preset : str
    first, last : int
        The numbers of the first deal and of the one after the last.
    """
    found: Counter[Ending] = Counter()
    who = player(PLAYER)
    for number in range(first, last):
        dealer = number % 2
        deal = Deal(preset, derive_seed(SEED, number // 2), dealer)
        seats = [who.make(derive_seed(deal.seed, 1 + 2 * dealer + seat)) for seat in (0, 1)]
        while deal.to_move is not None:
            deal.apply(seats[deal.to_move].act(deal.view(deal.to_move)))
        assert deal.result is not None
        found[ending_of(deal.limit, dealer, deal.result)] += 1
    return found


class Measuring:
    """A measurement in work: it may be interrupted at any time, and go on from its file.

    Parameters
    ----------
    path : path
        The file that keeps the counts, in one piece whatever happens; made if it is missing.
    deals : int
        How many deals to play of each preset; those that the file has are not played again.

    Raises
    ------
    OkginError
        Another number; or the file cannot be read or written, is none of a measurement, or was
        begun with other players.
    """

    def __init__(self, path: str | os.PathLike[str], deals: int = DEALS) -> None:
        if type(deals) is not int or not PIECE <= deals <= MOST_DEALS or deals % PIECE:
            raise OkginError(
                f"deals={quote(deals)}: a multiple of {PIECE} from {PIECE} to {MOST_DEALS:,}"
            )
        self._deals = deals
        self._name = quote(os.fspath(path), 200)
        self._about = {
            "command": "okgin equity --measure FILE",
            "player": PLAYER,
            "seed": SEED,
            "okgin_fast": facts(["okgin_fast"])["okgin_fast"],
            "signature": signature(signature_of(part) for part in PARTS),
        }
        try:
            self._path = Path(path).resolve()
            self._counted = self._read()
            self._write()
        except OSError as error:
            raise OkginError(f"{self._name} cannot be used: {error.strerror}") from None

    @property
    def total(self) -> int:
        """The number of all deals."""
        return sum(self._left(preset) for preset in PRESETS) + self.done

    @property
    def done(self) -> int:
        """The number of deals played so far."""
        return sum(counted.total() for counted in self._counted.values())

    def run(
        self, count: int | None = None, progress: Callable[[int, str], object] | None = None
    ) -> None:
        """Play the deals that are left, one preset after the other.

        Parameters
        ----------
        count : int, optional
            Processes that share the work, by default one a core. The counts are the same.
        progress : callable, optional
            Called with the number of deals played so far and the preset in work.

        Raises
        ------
        OkginError
            A bad number of processes.
        SeriesError
            A worker has died.
        OSError
            The file cannot be written any more.
        KeyboardInterrupt
            On Ctrl-C; the file has all but the deals in work.
        """
        team = workers(count)
        pieces = chain.from_iterable(map(self._pieces, PRESETS))
        playing: deque[tuple[str, Any]] = deque()
        saved = monotonic()
        try:
            while True:
                while len(playing) < team.at_once and (piece := next(pieces, None)):
                    playing.append((piece[0], team.submit(play, *piece)))
                if not playing:
                    break
                # In order, so that the file has the first deals of each preset and no others.
                preset, found = playing.popleft()
                self._counted[preset] = self._counted[preset] + found.result()
                if progress is not None:
                    progress(self.done, preset)
                if monotonic() > saved + SAVE:
                    self._write()
                    saved = monotonic()
        except BrokenExecutor:
            raise SeriesError(
                f"a worker has died: the same command goes on from {self._name}"
            ) from None
        finally:
            team.close(at_once=True)
            self._write()

    def _left(self, preset: str) -> int:
        return max(self._deals - self._counted[preset].total(), 0)

    def _pieces(self, preset: str) -> list[tuple[str, int, int]]:
        played = self._counted[preset].total()
        return [(preset, first, first + PIECE) for first in range(played, self._deals, PIECE)]

    def _read(self) -> dict[str, Counter[Ending]]:
        if not self._path.exists():
            return {preset: Counter() for preset in PRESETS}
        if not self._path.is_file():  # a device must not be replaced
            raise OkginError(f"{self._name} is no regular file")
        try:
            content = json.loads(self._path.read_bytes())
            about = {name: content[name] for name in self._about}
            counted = {preset: _endings(content["presets"][preset]) for preset in PRESETS}
        except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
            raise OkginError(f"{self._name} is damaged, or holds no outcomes of deals") from None
        for name, mine in self._about.items():
            if about[name] != mine:
                raise OkginError(
                    f"{self._name} was begun with {name} {quote(about[name])}, now it is {mine!r}:"
                    " begin another file"
                )
        return counted

    def _write(self) -> None:
        presets = ",\n".join(
            f'"{preset}": {json.dumps(_limits(counted))}'
            for preset, counted in self._counted.items()
        )
        about = json.dumps(self._about)[1:-1]
        write_whole(self._path, f'{{{about}, "presets": {{\n{presets}\n}}}}\n'.encode())


def _limits(counted: Counter[Ending]) -> dict[str, Any]:
    """Counts as the file has them: by limit, side and kind, a list by difference."""
    limits: dict[str, Any] = {}
    for limit in sorted({ending.limit for ending in counted}):
        of_limit = limits[str(limit)] = {"dead": counted[Ending(limit, None, "dead", 0)]}
        for side in SIDES:
            of_limit[side] = {
                kind: [counted[Ending(limit, side, kind, n)] for n in range(max(differences) + 1)]
                for kind in KINDS
                if (
                    differences := [
                        ending.difference
                        for ending in counted
                        if (ending.limit, ending.side, ending.kind) == (limit, side, kind)
                    ]
                )
            }
    return limits


def _endings(limits: dict[str, Any]) -> Counter[Ending]:
    """What `_limits` wrote."""
    found: Counter[Ending] = Counter()
    for limit, of_limit in limits.items():
        found[Ending(int(limit), None, "dead", 0)] = of_limit["dead"]
        for side in SIDES:
            for kind, row in of_limit[side].items():
                for difference, deals in enumerate(row):
                    found[Ending(int(limit), side, kind, difference)] = deals
    return +found
