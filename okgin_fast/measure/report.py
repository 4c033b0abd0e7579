"""What a series came to, as figures: shares, points, endings, times, ratings. It prints nothing.

Only mirrored pairs of which both games are over count, so that every figure is over the same cards
for both players.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from okgin_fast.measure.ledger import Ledger
from okgin_fast.measure.machine import facts
from okgin_fast.measure.plan import Plan
from okgin_fast.measure.play import FORFEIT, Game, Played
from okgin_fast.measure.stats import (
    Interval,
    adjusted,
    elo,
    ratio_interval,
    share_interval,
    sign_test,
    tells,
)

__all__ = ["Fault", "Meeting", "Report", "Times", "report"]

PAIRED = "Student's t over mirrored pairs"
WON_BY = ("knock", "gin", "big_gin", "undercut", FORFEIT)


@dataclass(frozen=True)
class Meeting:
    """What two players' games came to; shares, points and pairs are the first one's view.

    Attributes
    ----------
    players : (int, int)
        Numbers of the two in ``Report.players``.
    pairs, games, deals : int
        How many were played to their end.
    undecided : int
        Games that nobody won: tied, dead, or left after a thousand deals.
    share : Interval
        The share of the games that the first won, an undecided one counting half.
    share_method : str
        Which interval it is.
    less : str or None
        Which luck has been taken out of the share and the points, if any.
    points : Interval
        Points a deal, net.
    swept, lost, split : int
        Mirrored pairs of which the first won both games, neither, or another part.
    p_value : float
        Of the exact two-sided sign test over the swept and lost pairs.
    endings : (dict, dict)
        For each player how many deals he won by ``knock``, ``gin``, ``big_gin``, ``undercut`` and
        the other's ``forfeit``.
    without_winner : dict
        How many deals were ``dead`` or a ``tie``.
    turns : float
        Turns a deal.
    shares : tuple of float
        What the first won of each pair, in the order of the pairs.
    """

    players: tuple[int, int]
    pairs: int
    games: int
    deals: int
    undecided: int
    share: Interval
    share_method: str
    less: str | None
    points: Interval
    swept: int
    lost: int
    split: int
    p_value: float
    endings: tuple[dict[str, int], dict[str, int]]
    without_winner: dict[str, int]
    turns: float
    shares: tuple[float, ...] = field(repr=False)


@dataclass(frozen=True)
class Times:
    """How long a player's decisions took, in milliseconds of processor time.

    Attributes
    ----------
    decisions : int
    median, p95, mean : float
    """

    decisions: int
    median: float
    p95: float
    mean: float


@dataclass(frozen=True)
class Fault:
    """What a player lost deals by.

    Attributes
    ----------
    player : int
    what : str
        What it was the first time, in his own program's words or the rules'.
    deals : int
        How often it was of that kind: the same exception, out of time, or an illegal action.
    first : dict
        The ``pair``, ``seats`` and ``deal`` where it first happened.
    """

    player: int
    what: str
    deals: int
    first: dict[str, Any]


@dataclass(frozen=True)
class Report:
    """What a series came to.

    Attributes
    ----------
    players : tuple of str
    rules : dict
        In full, as `Rules.to_dict` gives them.
    unit : str
        ``games`` or ``deals``.
    seed, player_seed : int
    move_ms : float or None
    luck : int
        How often each card that a draw might have given was played out; 0: the draws' luck is in
        the figures.
    planned : int
        Games between any two players, as asked for.
    stopped : str or None
        What the stopping rule decided, if it ended the series. The share of a series that ended
        early is a little too far from one half.
    complete : bool
        Whether everything was played that was asked for, or the stopping rule decided.
    meetings : tuple of Meeting
        One for any two players.
    times : tuple of Times
        One for each player.
    ratings : tuple of Interval
        Elo of each player, their mean being 0.
    faults : tuple of Fault
    facts : dict
        Versions and machine.
    """

    players: tuple[str, ...]
    rules: dict[str, Any]
    unit: str
    seed: int
    player_seed: int
    move_ms: float | None
    luck: int
    planned: int
    stopped: str | None
    complete: bool
    meetings: tuple[Meeting, ...]
    times: tuple[Times, ...]
    ratings: tuple[Interval, ...]
    faults: tuple[Fault, ...]
    facts: dict[str, str]

    @property
    def share(self) -> Interval:
        """What the first player won against the second."""
        return self.meetings[0].share

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it, without the single pairs; a bound that there is not is None."""
        fields = asdict(self)
        for meeting in fields["meetings"]:
            del meeting["shares"]
        found: dict[str, Any] = _plain(fields)
        return found


def report(ledger: Ledger, plan: Plan, control: bool = False) -> Report:
    """Add up what has been played so far.

    Parameters
    ----------
    ledger : Ledger
    plan : Plan
    control : bool
        Take the luck of the dealt hands out of the shares and points, if that of the draws is not
        known.
    """
    setup = ledger.setup
    stopped, most = _stopped(ledger, plan)
    counted = {meeting: list(ledger.pairs(meeting, most)) for meeting in ledger.meetings}
    meetings = tuple(_meeting(ledger, *item, control) for item in counted.items())
    deals = [
        deal
        for pairs in counted.values()
        for pair in pairs
        for game in pair
        for deal in ledger.deals[game]
    ]
    everybody = range(len(setup.players))
    return Report(
        players=_names([player.name for player in setup.players]),
        rules=setup.rules.to_dict(),
        unit=setup.unit,
        seed=setup.seed,
        player_seed=setup.player_seed,
        move_ms=setup.move_ms,
        luck=setup.luck,
        planned=plan.games,
        stopped=stopped,
        complete=all(meeting.pairs == most for meeting in meetings),
        meetings=meetings,
        times=tuple(_times(deals, player) for player in everybody),
        ratings=tuple(elo(len(everybody), {m.players: m.shares for m in meetings})),
        faults=_faults(deals),
        facts=facts(["okgin_fast", "numpy"]) | dict(setup.versions),
    )


def _stopped(ledger: Ledger, plan: Plan) -> tuple[str | None, int]:
    """What the stopping rule says, and how many pairs of each meeting count."""
    if plan.stop is not None:
        decision = plan.stop.decide(ledger.prefix_shares(plan.pairs))
        if decision is not None:
            pairs, verdict = decision
            low, high = plan.stop
            which = f"at least {high:g}" if verdict == "high" else f"at most {low:g}"
            return f"after {pairs} pairs: {which} (5 % error), between {low:g} and {high:g}", pairs
    return None, plan.pairs


def _meeting(
    ledger: Ledger, players: tuple[int, int], pairs: Sequence[tuple[Game, Game]], control: bool
) -> Meeting:
    shares = [ledger.pair_share(pair) for pair in pairs]
    pair_deals = [[deal for game in pair for deal in ledger.deals[game]] for pair in pairs]
    deals = [deal for of_pair in pair_deals for deal in of_pair]
    first = players[0]
    less, luck_of = None, None
    if ledger.setup.luck:
        less, luck_of = "the luck of the draws", _drawn
    elif control:
        less, luck_of = "the luck of the dealt hands", _dealt
    luck = luck_of and [sum(luck_of(deal, first) for deal in of_pair) for of_pair in pair_deals]
    if luck is None or not tells(luck):
        less = luck = None
    swept, lost = shares.count(1.0), shares.count(0.0)
    endings: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    nobody: Counter[str] = Counter()
    for deal in deals:
        if deal.winner is None:
            nobody[deal.kind] += 1
        else:
            endings[deal.game.seats[deal.winner] != first][deal.kind] += 1
    return Meeting(
        players=players,
        pairs=len(pairs),
        games=2 * len(pairs),
        deals=len(deals),
        undecided=sum(ledger.winners[game] is None for pair in pairs for game in pair),
        share=share_interval(shares) if luck is None else adjusted(shares, luck),
        share_method=PAIRED if less is None else f"{PAIRED}, less {less}",
        less=less,
        points=ratio_interval(
            [sum(_points(deal, first) for deal in of_pair) for of_pair in pair_deals],
            [len(of_pair) for of_pair in pair_deals],
            luck,
        ),
        swept=swept,
        lost=lost,
        split=len(pairs) - swept - lost,
        p_value=sign_test(swept, lost),
        endings=(
            {kind: endings[0][kind] for kind in WON_BY},
            {kind: endings[1][kind] for kind in WON_BY},
        ),
        without_winner={kind: nobody[kind] for kind in ("dead", "tie")},
        turns=sum(deal.turns for deal in deals) / len(deals) if deals else 0.0,
        shares=tuple(shares),
    )


def _points(deal: Played, player: int) -> int:
    """A deal's points as a player counts them."""
    if deal.winner is None:
        return 0
    return deal.points if deal.game.seats[deal.winner] == player else -deal.points


def _drawn(deal: Played, player: int) -> float:
    """What a player owes to the cards drawn, in points; on average it is nothing."""
    assert deal.luck is not None
    return deal.luck if deal.game.seats[0] == player else -deal.luck


def _dealt(deal: Played, player: int) -> int:
    """By how much less deadwood a player was dealt than the other; on average it is nothing."""
    mine = deal.game.seats.index(player)
    return deal.deadwood[1 - mine] - deal.deadwood[mine]


def _times(deals: Sequence[Played], player: int) -> Times:
    micros = [
        time
        for deal in deals
        if player in deal.game.seats
        for time in deal.times[deal.game.seats.index(player)]
    ]
    if not micros:
        return Times(0, 0.0, 0.0, 0.0)
    ms = np.asarray(micros) / 1000
    median, p95 = np.quantile(ms, [0.5, 0.95])
    return Times(len(ms), float(median), float(p95), float(ms.mean()))


def _faults(deals: Sequence[Played]) -> tuple[Fault, ...]:
    """What players lost deals by, the most frequent first; words after the colon may differ."""
    found: dict[tuple[int, str], list[Played]] = {}
    for deal in deals:
        if deal.fault is not None and deal.winner is not None:
            key = deal.game.seats[1 - deal.winner], deal.fault.partition(": ")[0]
            found.setdefault(key, []).append(deal)
    faults = []
    for (player, _), their in found.items():
        first = their[0]
        where = {"pair": first.game.pair, "seats": list(first.game.seats), "deal": first.deal}
        faults.append(Fault(player, first.fault or "", len(their), where))
    return tuple(sorted(faults, key=lambda fault: -fault.deals))


def _names(names: Sequence[str]) -> tuple[str, ...]:
    """Number players of the same name apart."""
    return tuple(
        f"{name} ({names[: i + 1].count(name)})" if names.count(name) > 1 else name
        for i, name in enumerate(names)
    )


def _plain(value: Any) -> Any:
    """Tuples as lists, intervals by name, no infinities: what JSON has."""
    if isinstance(value, Interval):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
