"""Who plays: a player by the words that name him, made anew for every deal.

A player is asked for by name, with options (``expert,rollouts=64``), by where his class is
(``my_package.players:Bold``, ``players.py:Bold``), or is given as an object or a function that
makes one. Nothing here knows what is played.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from okgin_fast.agents import AGENTS, Agent, agent, named, refuse_options
from okgin_fast.errors import OkginError, quote
from okgin_fast.limit import Limit

__all__ = ["PEERS", "Player", "PlayerSource", "player"]

PlayerSource = str | Agent | Callable[[int], Agent]
"""Words, a player, or what makes one of a seed."""

PEERS = {
    "openspiel-simple": ("okgin_fast.adapters.openspiel:simple", "open_spiel"),
    "openspiel-ismcts": ("okgin_fast.adapters.openspiel:ismcts", "open_spiel"),
    "openspiel-random": ("okgin_fast.adapters.openspiel:random", "open_spiel"),
    "rlcard-novice": ("okgin_fast.adapters.rlcard:novice", "rlcard"),
}
"""Other programs' players by the names that they have here: what makes them, and whose they are."""

NUMBERS: dict[str, Callable[[str], float]] = {"rollouts": int, "time_ms": float}
"""Options that make a `Limit`."""


@dataclass(frozen=True)
class Player:
    """A player that can be made as often as one likes, in any process.

    Attributes
    ----------
    name : str
        How reports call him: the words that he was asked for with.
    source : str, Agent or callable
    """

    name: str
    source: PlayerSource

    @property
    def package(self) -> str:
        """What decides how he plays: a distribution, or his own file."""
        file, _, attribute = self.name.partition(",")[0].rpartition(":")
        if isinstance(self.source, str) and file.endswith(".py") and attribute:
            return file
        return PEERS.get(self.name.partition(",")[0], ("", "okgin_fast"))[1]

    def find(self) -> None:
        """Find his code, on the machine where this runs.

        Raises
        ------
        OkginError
            It is not there.
        """
        if isinstance(self.source, str):
            _found(self.source.partition(",")[0])

    def make(self, seed: int) -> Agent:
        """Make the player, who draws his random numbers from the seed.

        A player given as an object brings his own seed, and is given back as he is.
        """
        if isinstance(self.source, str):
            return _made(self.source, seed)
        if callable(getattr(self.source, "act", None)) and not isinstance(self.source, type):
            return self.source  # type: ignore[return-value]
        assert callable(self.source)
        if isinstance(self.source, type):
            refuse_options(self.name, self.source, ())
            return self.source(seed=seed)  # type: ignore[no-any-return]
        return self.source(seed)


def player(source: PlayerSource) -> Player:
    """Find out who is meant, and that he can be made.

    Parameters
    ----------
    source : str, Agent or callable
        A name of `okgin_fast.agents.AGENTS` or `PEERS`, the number of a level, or
        ``package.module:attribute`` or ``file.py:attribute`` for a class or function that takes
        ``seed=``; each with options after commas, of which ``rollouts`` and ``time_ms`` become
        ``limit=Limit(...)``. Or a player, or a function from a seed to a player; to cross to
        other processes it must be picklable.

    Returns
    -------
    Player

    Raises
    ------
    OkginError
        An unknown name, file, module, attribute or option.
    MissingExtraError
        A player of another program that is not installed.

    Examples
    --------
    >>> player("expert,rollouts=64").make(seed=1).limit.rollouts
    64
    >>> player("exprt")
    Traceback (most recent call last):
        ...
    okgin_fast.errors.OkginError: 'exprt' is no player; allowed: random, simple, gold, hunter,
    tight, defender, patient, beginner, novice, casual, club, strong, master, expert,
    openspiel-simple, openspiel-ismcts, openspiel-random, rlcard-novice, module:class, file.py:class
    """
    if isinstance(source, str):
        found = Player(source.strip(), source.strip())
    elif callable(source) or callable(getattr(source, "act", None)):
        found = Player(getattr(source, "__name__", type(source).__name__), source)
    else:
        raise OkginError(f"{quote(source)} is no player: no name, no act(view), and no function")
    try:
        made = found.make(0)
    except OkginError:
        raise
    except Exception as error:
        raise OkginError(f"player {quote(found.name)} cannot be made: {_problem(error)}") from None
    if not callable(getattr(made, "act", None)):
        raise OkginError(f"player {quote(found.name)} is {quote(made)}, which has no act(view)")
    return found


def _made(words: str, seed: int) -> Agent:
    """Make the player whom the words name."""
    name, *rest = words.split(",")
    options = _options(words, rest)
    if named(name) is not None:
        return agent(name, seed, **options)
    factory = _found(name)
    refuse_options(name, factory, options)
    return factory(seed=seed, **options)


def _found(name: str) -> Callable[..., Agent]:
    """What makes the players of a name, without options."""
    return named(name) or _factory(PEERS.get(name, (name, ""))[0])


def _options(words: str, texts: list[str]) -> Mapping[str, Any]:
    """Read ``key=value`` texts; what limits a search becomes ``limit``."""
    options: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not key.isidentifier() or not equals or key in options or key in limits:
            raise OkginError(
                f"player {quote(words)}: {quote(text)} is no option=value, or is twice"
            )
        if key == "seed":
            raise OkginError(
                f"player {quote(words)}: no option {quote(text)}, seeds are the series'"
            )
        if key not in NUMBERS:
            options[key] = _value(value)
            continue
        try:
            limits[key] = NUMBERS[key](value)
        except ValueError:
            raise OkginError(f"player {quote(words)}: {key} {quote(value)} is no number") from None
    return options | ({"limit": Limit(**limits)} if limits else {})


def _value(text: str) -> bool | int | float | str:
    """Read true, false, or a number where there is one."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@cache
def _factory(where: str) -> Callable[..., Agent]:
    """Find the class or function that ``module:attribute`` or ``file.py:attribute`` names."""
    place, colon, attribute = where.rpartition(":")
    if not colon:
        names = ", ".join([*AGENTS, *PEERS, "module:class", "file.py:class"])
        raise OkginError(f"{quote(where)} is no player; allowed: {names}")
    module = _module_of_file(place) if place.endswith(".py") else _module(place)
    found = getattr(module, attribute, None)
    if not callable(found):
        raise OkginError(f"player {quote(where)}: {place} has no class or function {attribute!r}")
    return found  # type: ignore[no-any-return]


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except OkginError:
        raise
    except Exception as error:
        raise OkginError(f"player module {quote(name, 80)}: {_problem(error)}") from None


def _module_of_file(name: str) -> ModuleType:
    """Run a file as a module of its own; classes of it can be pickled in this process."""
    path = Path(name)
    if not path.is_file():
        raise OkginError(f"player file {quote(name, 80)}: there is no such file")
    spec = importlib.util.spec_from_file_location(f"okgin_player_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    if (folder := str(path.resolve().parent)) not in sys.path:
        sys.path.append(folder)  # it may import what lies beside it
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise OkginError(f"player file {quote(name, 80)}: {_problem(error)}") from None
    return module


def _problem(error: BaseException) -> str:
    """Say in one line what another's code raised."""
    return f"{type(error).__name__}: {quote(str(error), 100)}"
