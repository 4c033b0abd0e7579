"""One game of a series: deals played on from where they stand, each decision timed and guarded.

This is what workers run, on this machine or another. A deal depends on its place in the series
alone, and its players are made anew for it, so that any worker may play it, at any time.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, Literal, NamedTuple

from okgin_fast.core.luck import draw_luck
from okgin_fast.core.meld import deadwood, discards
from okgin_fast.core.rng import derive_seed
from okgin_fast.deal import Action, Deal, DealResult, View
from okgin_fast.errors import OkginError, quote
from okgin_fast.extras import MissingExtraError
from okgin_fast.match import Agent, Match
from okgin_fast.measure.machine import NOT_INSTALLED, facts
from okgin_fast.measure.players import Player
from okgin_fast.rules import Rules

__all__ = [
    "FORFEIT",
    "MOST_DEALS",
    "Game",
    "Played",
    "Setup",
    "Unit",
    "is_over",
    "match_of",
    "play_on",
    "result_of",
]

Unit = Literal["games", "deals"]

MOST_DEALS = 1000
"""A game is left undecided after so many deals: players who never knock would play for ever."""

SLICE = 0.02
"""Seconds after which a worker hands over the deals that it has finished."""

FORFEIT = "forfeit"
"""The kind of a deal that a player has lost by a fault."""


@cache
def version_of(package: str) -> str:
    """The version of a package on the machine where this runs; of a file, a digest of it."""
    if package.endswith(".py"):
        path = Path(package)
        return sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else NOT_INSTALLED
    return facts((package,))[package]


@dataclass(frozen=True, kw_only=True)
class Setup:
    """All that decides what happens in a series.

    Attributes
    ----------
    players : tuple of Player
        Two, or more for a round robin.
    rules : Rules
    unit : str
        ``games``: whole matches; ``deals``: the first deal of each.
    seed : int
        Of the cards: those of pair p are ``derive_seed(seed, p)``'s match.
    player_seed : int
        Of the players' own random numbers.
    move_ms : float or None
        How long a decision may take, in milliseconds.
    luck : int
        How often each card that a draw might give is played out, to know the luck of the draws; 0
        if it is not asked for.
    versions : dict of str to str
        Of this package and those of the players, which workers must have, too.
    """

    players: tuple[Player, ...]
    rules: Rules
    unit: Unit
    seed: int
    player_seed: int
    move_ms: float | None = None
    luck: int = 0
    versions: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Name the versions that decide what happens."""
        packages = sorted({"okgin_fast"} | {player.package for player in self.players})
        object.__setattr__(self, "versions", {name: version_of(name) for name in packages})


class Game(NamedTuple):
    """A place in the series: the mirrored pair's number, and the players at seats 0 and 1."""

    pair: int
    seats: tuple[int, int]

    @property
    def mirrored(self) -> Game:
        """The same cards with the seats swapped."""
        return Game(self.pair, (self.seats[1], self.seats[0]))


class Played(NamedTuple):
    """One finished deal of a game.

    Attributes
    ----------
    game : Game
    deal : int
        Its number in the game, from 0.
    dealer : int
        The seat that dealt.
    kind : str
        A `DealResult`'s ``kind``, or ``forfeit``.
    winner : int or None
        The seat that scored.
    points : int
    turns : int
        Turns finished by a discard.
    deadwood : (int, int)
        Of the hands as dealt, seat 0's first.
    times : (tuple of int, tuple of int)
        Microseconds of each seat's decisions: processor time of the thread that asked.
    luck : float or None
        What seat 0 owes to the cards that both seats drew, in points, if that was asked for.
    fault : str or None
        What the seat that did not win did wrong, if the deal was forfeited.
    """

    game: Game
    deal: int
    dealer: int
    kind: str
    winner: int | None
    points: int
    turns: int
    deadwood: tuple[int, int]
    times: tuple[tuple[int, ...], tuple[int, ...]]
    luck: float | None = None
    fault: str | None = None


class _PlayerError(Exception):
    """A player has lost the deal: he raised, was too slow, or played what is not legal."""


class _OutOfTimeError(BaseException):
    """Raised inside a player's code; no ``except Exception`` of his swallows it."""


def play_on(setup: Setup, games: Sequence[tuple[Game, Sequence[Played]]]) -> list[Played]:
    """Play the next deals of some games in turn, for a moment but at least one.

    Parameters
    ----------
    setup : Setup
    games : sequence of (Game, sequence of Played)
        Games that are not over, with their deals so far.

    Returns
    -------
    list of Played
        How far it came, which depends on the time; what is played does not.

    Raises
    ------
    OkginError
        This worker has another version of a package.
    MissingExtraError
        A player's program is not installed here.
    """
    for package, version in setup.versions.items():
        if version_of(package) != version:
            raise OkginError(
                f"a worker has {package} {version_of(package)}: the series is of {version}"
            )
    for who in setup.players:
        who.find()  # that this worker has not got his code is no fault of his
    finished: list[Played] = []
    end = time.perf_counter() + SLICE
    for game, played in games:
        match = match_of(setup, game)
        for done in played:
            match.record(result_of(done))
        while not is_over(setup, match):
            if finished and time.perf_counter() >= end:
                return finished
            done = _play_deal(setup, game, match)
            match.record(result_of(done))
            finished.append(done)
    return finished


def is_over(setup: Setup, match: Match) -> bool:
    """Whether a game needs no further deal."""
    if setup.unit == "deals":
        return match.deals_played > 0
    return match.over or match.deals_played >= MOST_DEALS


def match_of(setup: Setup, game: Game) -> Match:
    """The match of a game, before its first deal."""
    return Match(setup.rules, derive_seed(setup.seed, game.pair))


def result_of(done: Played) -> DealResult:
    """What the match makes of a deal: a forfeit counts like the other's gin."""
    kind: Any = "gin" if done.kind == FORFEIT else done.kind
    knocker = done.winner
    if kind == "undercut" and done.winner is not None:
        knocker = 1 - done.winner
    return DealResult(kind, done.winner, done.points, knocker, None, None, None, None)


def _play_deal(setup: Setup, game: Game, match: Match) -> Played:
    deal = match.next_deal()
    number = match.deals_played
    dealt = (deadwood(deal.hand(0)), deadwood(deal.hand(1)))
    times: tuple[list[int], list[int]] = ([], [])
    scores = match.scores if setup.unit == "games" else None
    agents: dict[int, Agent] = {}
    kind, winner, points, fault = FORFEIT, None, 0, None
    luck = 0.0
    try:
        while (seat := deal.to_move) is not None:
            if seat not in agents:
                agents[seat] = _make(setup, game, seat, number)
            view = deal.view(seat, score=scores and (scores[seat], scores[1 - seat]))
            action = _ask(agents[seat], view, setup.move_ms, times[seat])
            if setup.luck and action.kind == "draw" == deal.phase:
                luck += draw_luck(deal, setup.luck, derive_seed(deal.seed, deal.turn))
            deal.apply(action)
    except (
        _PlayerError,
        OkginError,
    ) as error:  # the deal refuses an action
        if isinstance(error, MissingExtraError):
            raise
        assert seat is not None
        winner, points = 1 - seat, _forfeited(deal, seat)
        fault = str(error) if isinstance(error, _PlayerError) else f"illegal action: {error}"
    else:
        result = deal.result
        assert result is not None
        kind, winner, points = result.kind, result.winner, result.points
    return Played(
        game=game,
        deal=number,
        dealer=deal.dealer,
        kind=kind,
        winner=winner,
        points=points,
        turns=deal.turn,
        deadwood=dealt,
        times=(tuple(times[0]), tuple(times[1])),
        luck=round(luck, 3) if setup.luck else None,
        fault=fault,
    )


def _make(setup: Setup, game: Game, seat: int, number: int) -> Agent:
    """Make the player at a seat, with a seed for this deal of this game alone."""
    seed = derive_seed(setup.player_seed, game.seats[seat])
    seed = derive_seed(derive_seed(seed, game.pair), number << 1 | seat)
    with _blamed():
        return setup.players[game.seats[seat]].make(seed)


def _ask(agent: Agent, view: View, move_ms: float | None, times: list[int]) -> Action:
    """Have a player decide; his time is added to `times` in microseconds."""
    with _blamed():
        wall, processor = time.perf_counter(), time.thread_time_ns()
        try:
            with _alarm(move_ms):
                action = agent.act(view)
        except _OutOfTimeError:
            action = None
        times.append((time.thread_time_ns() - processor) // 1000)
        taken = (time.perf_counter() - wall) * 1000
        if move_ms is not None and (action is None or taken > move_ms):
            raise _PlayerError(
                f"out of time: {taken:.4g} ms for a decision, allowed are {move_ms:g}"
            )
        if type(action) is not Action:  # what it is may raise as well
            raise _PlayerError(f"illegal action: {quote(action)} is no Action")
    return action


@contextmanager
def _blamed() -> Iterator[None]:
    """Whatever a player's code raises is his fault, not the series'."""
    try:
        yield
    except (MissingExtraError, _PlayerError, KeyboardInterrupt):  # Ctrl-C, for all we know
        raise
    except BaseException as error:
        try:
            text = " ".join(str(error).split())
        except Exception:
            text = "(an error that cannot be printed)"
        raise _PlayerError(f"raised {type(error).__name__}: {text[:200]}") from None


@contextmanager
def _alarm(ms: float | None) -> Iterator[None]:
    """Break into a player's code that runs for too long, where the system can (not in threads)."""
    main = threading.current_thread() is threading.main_thread()
    if ms is None or not main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _OutOfTimeError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        # A hundredth more: whoever comes back just in time is judged by the clock alone.
        signal.setitimer(signal.ITIMER_REAL, max(ms, 0.01) / 1000 * 1.01)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


def _forfeited(deal: Deal, seat: int) -> int:
    """What a forfeited deal costs: as if the other had ginned against what the seat holds."""
    hand = deal.hand(seat)
    left = discards(hand)[0].deadwood if len(hand) == 11 else deadwood(hand)
    return (deal.rules.gin_bonus + left) * deal.rules.multiplier(deal.upcard)
