"""What an analysis found: steps, deals and their sums. Nothing here searches or prints.

All values are seat 0's, in points or in chances of the match; what an error costs and what a drawn
card is worth are its own seat's. Per deal and in all, ``result == skill + luck``: a deal goes from
its start over the value of the cards dealt, step by step, to its end, and every step is split into
the error of the decision, the luck of the draw, and the rest: hidden cards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from okgin_fast.cards import Card, Hand
from okgin_fast.deal import Action, Deal

__all__ = ["MARKS", "RATINGS", "Analysis", "DealAnalysis", "Luck", "Mark", "Seat", "Step", "Unit"]

Mark: TypeAlias = Literal["good", "inaccuracy", "mistake", "blunder"]
Unit: TypeAlias = Literal["points", "match"]

MARKS: dict[Mark, float] = {"blunder": 8.0, "mistake": 4.0, "inaccuracy": 1.5, "good": 0.0}
"""The least that a decision so marked has cost, in points."""
RATINGS: dict[str, float] = {
    "expert": 0.2, "master": 0.55, "strong": 0.9, "club": 1.2, "casual": 1.6, "beginner": math.inf,
}  # fmt: skip
"""The most that a player so called loses a decision, in points."""
RATED = 30
"""Decisions, about two deals, from which on a player is rated."""
SURE = 1.96
"""Standard errors to either side of a 95 % interval."""


def sign(seat: int) -> int:
    """What turns a seat's figure into seat 0's."""
    return 1 - 2 * seat


@dataclass(frozen=True, slots=True)
class Step:
    """One action, what it cost, and what luck came with it.

    Attributes
    ----------
    number : int
        From 1, in its deal.
    turn : int
        The turn in which it was played, from 1; both passes of the first exchange are turn 1.
    seat : int
    hand : Hand
        Of that seat, before the action.
    top : Card or None
        The card on the pile.
    action : Action
        What was played.
    choices : int
        How many actions were legal; with one there was nothing to decide.
    best : Action or None
        The best action given what the seat knew; None if there was nothing to decide.
    equity, equity_se : float or None
        What the best action was worth by that knowledge, to this seat: points of the deal, or the
        chance to win the match; and its standard error.
    loss, loss_se : float
        What was played less, and its standard error; 0 if it is less than two of these.
    mark : "good", "inaccuracy", "mistake", "blunder" or None
    better, played : str
        Why the best action is better, and what speaks for or against the one played; empty if good.
    drawn : Card or None
        The card drawn from the stock.
    luck, luck_se : float or None
        What that card was worth to this seat, against what drawing was worth on average.
    value : float
        What the position after the action was worth to seat 0, with all hands open.
    hidden : float
        The rest of the change in that value: what hidden cards made of the action, to seat 0.
    """

    number: int
    turn: int
    seat: int
    hand: Hand
    top: Card | None
    action: Action
    choices: int
    best: Action | None
    equity: float | None
    equity_se: float | None
    loss: float
    loss_se: float
    mark: Mark | None
    better: str
    played: str
    drawn: Card | None
    luck: float | None
    luck_se: float | None
    value: float
    hidden: float

    @property
    def is_error(self) -> bool:
        """Whether it is marked as anything but good."""
        return self.mark not in ("good", None)

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it: cards and actions as text."""
        return {
            "number": self.number,
            "turn": self.turn,
            "seat": self.seat,
            "hand": self.hand.text(),
            "top": self.top and str(self.top),
            "action": str(self.action),
            "choices": self.choices,
            "best": self.best and str(self.best),
            "equity": self.equity,
            "equity_se": self.equity_se,
            "loss": self.loss,
            "loss_se": self.loss_se,
            "mark": self.mark,
            "better": self.better,
            "played": self.played,
            "drawn": self.drawn and str(self.drawn),
            "luck": self.luck,
            "luck_se": self.luck_se,
            "value": self.value,
            "hidden": self.hidden,
        }


@dataclass(frozen=True, slots=True)
class Luck:
    """Luck by where it came from, all to seat 0.

    Attributes
    ----------
    dealt : float
        Who deals and the cards dealt, against an even start (in points) or the chance before.
    draws : (float, float)
        The cards that either seat drew from the stock, to that seat.
    hidden : float
        What hidden cards made of the actions.
    """

    dealt: float
    draws: tuple[float, float]
    hidden: float

    @property
    def total(self) -> float:
        """All luck, to seat 0."""
        return self.dealt + self.draws[0] - self.draws[1] + self.hidden

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return {
            "dealt": self.dealt,
            "draws": list(self.draws),
            "hidden": self.hidden,
            "total": self.total,
        }


@dataclass(frozen=True)
class DealAnalysis:
    """One deal, gone over.

    Attributes
    ----------
    number : int
        From 1, in the record.
    deal : Deal
    match : int or None
        Which match it belongs to, from 1; None if it was looked at by itself.
    score : (int, int) or None
        The match score before it, seat 0's first.
    won : int or None
        The seat that has won the match with it.
    point : float
        What a point is worth at that score: 1, or in a match a chance. Marks and ratings go by it.
    start : float
        The value before the deal: 0 points, or seat 0's chance of the match.
    dealt : float
        The value once the cards are dealt, with all hands open.
    steps : tuple of Step
    end : float
        What it came to: points, or seat 0's chance of the match after it. Of an unfinished deal
        what its last position is worth.
    """

    number: int
    deal: Deal
    match: int | None
    score: tuple[int, int] | None
    won: int | None
    point: float
    start: float
    dealt: float
    steps: tuple[Step, ...]
    end: float

    @property
    def result(self) -> float:
        """What seat 0 has won by the deal."""
        return self.end - self.start

    @cached_property
    def skill(self) -> float:
        """What seat 0 has won by the other's errors less its own."""
        return sum(-sign(step.seat) * step.loss for step in self.steps)

    @cached_property
    def skill_se(self) -> float:
        """The standard error of `skill`."""
        return math.hypot(*(step.loss_se for step in self.steps))

    @cached_property
    def luck(self) -> Luck:
        """What seat 0 has won by luck."""
        draws = [
            sum(step.luck for step in self.steps if step.seat == seat and step.luck is not None)
            for seat in (0, 1)
        ]
        hidden = sum(step.hidden for step in self.steps)
        return Luck(self.dealt - self.start, (draws[0], draws[1]), hidden)

    @property
    def errors(self) -> list[Step]:
        """The steps that are marked as errors."""
        return [step for step in self.steps if step.is_error]

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        result = self.deal.result
        return {
            "number": self.number,
            "match": self.match,
            "rules": self.deal.rules.to_dict(),
            "dealer": self.deal.dealer,
            "upcard": str(self.deal.upcard),
            "score": self.score and list(self.score),
            "point": self.point,
            "ending": result and result.kind,
            "winner": result and result.winner,
            "points": result and result.points,
            "match_winner": self.won,
            "start": self.start,
            "dealt": self.dealt,
            "end": self.end,
            "result": self.result,
            "skill": self.skill,
            "skill_se": self.skill_se,
            "luck": self.luck.to_dict(),
            "steps": [step.to_dict() for step in self.steps],
        }


@dataclass(frozen=True, slots=True)
class Seat:
    """How one seat has played.

    Attributes
    ----------
    name : str
    decisions : int
        How many actions it had to choose from several.
    marks : dict
        How often each mark was given.
    lost, lost_se : float
        What its errors cost in all, and the standard error of that.
    draws : float
        The luck of its draws, to it.
    points, points_se : float or None
        What it loses a decision, in points by what a point was worth in each deal, and the standard
        error of that; None without decisions.
    rating : str or None
        A level's name, by those points; None with fewer than thirty decisions.
    """

    name: str
    decisions: int
    marks: dict[Mark, int]
    lost: float
    lost_se: float
    draws: float
    points: float | None
    points_se: float | None
    rating: str | None

    @property
    def error(self) -> float | None:
        """What it loses a decision; None without decisions."""
        return self.lost / self.decisions if self.decisions else None

    @property
    def error_se(self) -> float | None:
        """The standard error of `error`."""
        return self.lost_se / self.decisions if self.decisions else None

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return {
            "name": self.name,
            "decisions": self.decisions,
            "marks": dict(self.marks),
            "lost": self.lost,
            "lost_se": self.lost_se,
            "error": self.error,
            "error_se": self.error_se,
            "draws": self.draws,
            "points": self.points,
            "points_se": self.points_se,
            "rating": self.rating,
        }


@dataclass(frozen=True)
class Analysis:
    """A whole record, gone over.

    Attributes
    ----------
    names : (str, str)
        What seats 0 and 1 are called.
    unit : "points" or "match"
        What values are in: points, or chances of the match (0 to 1).
    deals : tuple of DealAnalysis
    rollouts, seed : int
        The same record with the same of both has the same analysis everywhere.
    of : int
        How many deals the record has; there are fewer in the analysis after a stop.
    """

    names: tuple[str, str]
    unit: Unit
    deals: tuple[DealAnalysis, ...]
    rollouts: int
    seed: int
    of: int

    @property
    def complete(self) -> bool:
        """Whether all deals of the record are in it."""
        return len(self.deals) == self.of

    @cached_property
    def matches(self) -> tuple[Analysis, ...]:
        """Each match as an analysis of its own; none of deals that were looked at by themselves."""
        numbers = dict.fromkeys(deal.match for deal in self.deals if deal.match is not None)
        groups = [[deal for deal in self.deals if deal.match == number] for number in numbers]
        return tuple(map(self.part, groups))

    def part(self, deals: Iterable[DealAnalysis]) -> Analysis:
        """Some of its deals as an analysis of their own."""
        deals = tuple(deals)
        return replace(self, deals=deals, of=len(deals))

    @property
    def winner(self) -> int | None:
        """The seat that has won the match, of an analysis of one match that is over."""
        return self.deals[-1].won if self.deals else None

    @property
    def result(self) -> float:
        """What seat 0 has won, over all deals."""
        return sum(deal.result for deal in self.deals)

    @property
    def skill(self) -> float:
        """The result with luck taken out: the errors of seat 1 less those of seat 0."""
        return sum(deal.skill for deal in self.deals)

    @property
    def skill_se(self) -> float:
        """The standard error of `skill`."""
        return math.hypot(*(deal.skill_se for deal in self.deals))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `skill`."""
        return self.skill - SURE * self.skill_se, self.skill + SURE * self.skill_se

    @property
    def luck(self) -> Luck:
        """The luck of all deals, to seat 0."""
        lucks = [deal.luck for deal in self.deals]
        return Luck(
            sum(luck.dealt for luck in lucks),
            (sum(luck.draws[0] for luck in lucks), sum(luck.draws[1] for luck in lucks)),
            sum(luck.hidden for luck in lucks),
        )

    @cached_property
    def seats(self) -> tuple[Seat, Seat]:
        """How both have played."""
        return self._seat(0), self._seat(1)

    def _seat(self, seat: int) -> Seat:
        steps = [step for deal in self.deals for step in deal.steps if step.seat == seat]
        decisions = [step for step in steps if step.best is not None]
        lost = sum(step.loss for step in decisions)
        in_points = [
            (step.loss / deal.point, step.loss_se / deal.point)
            for deal in self.deals
            for step in deal.steps
            if step.seat == seat and step.best is not None
        ]
        points = points_se = None
        if decisions:
            points = sum(loss for loss, _ in in_points) / len(decisions)
            points_se = math.hypot(*(se for _, se in in_points)) / len(decisions)
        return Seat(
            name=self.names[seat],
            decisions=len(decisions),
            marks={mark: _count(mark, decisions) for mark in reversed(MARKS)},
            lost=lost,
            lost_se=math.hypot(*(step.loss_se for step in decisions)),
            draws=sum(step.luck for step in steps if step.luck is not None),
            points=points,
            points_se=points_se,
            rating=None if points is None or len(decisions) < RATED else _rating(points),
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        matches = [
            {
                "number": match.deals[0].match,
                "deals": [deal.number for deal in match.deals],
                "winner": match.winner,
                **match._sums(),
            }
            for match in self.matches
        ]
        return {
            "names": list(self.names),
            "unit": self.unit,
            "rollouts": self.rollouts,
            "seed": self.seed,
            "complete": self.complete,
            "of": self.of,
            **self._sums(),
            "matches": matches,
            "deals": [
                deal.to_dict() | {"seats": [seat.to_dict() for seat in self.part([deal]).seats]}
                for deal in self.deals
            ],
        }

    def _sums(self) -> dict[str, Any]:
        low, high = self.interval
        return {
            "result": self.result,
            "skill": self.skill,
            "skill_se": self.skill_se,
            "skill_low": low,
            "skill_high": high,
            "luck": self.luck.to_dict(),
            "seats": [seat.to_dict() for seat in self.seats],
        }


def _rating(points: float) -> str:
    """Name the level of a player who loses so many points a decision."""
    return next(name for name, most in RATINGS.items() if points <= most)


def _count(mark: Mark, steps: Iterable[Step]) -> int:
    return sum(step.mark == mark for step in steps)
