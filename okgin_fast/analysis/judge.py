"""The judge: what an action was worth by what its seat knew, what a draw was worth, what is true.

Three kinds of figures, each from searches with seeds of their own:

- a *verdict* on a decision: the expert chooses, then choice and played action are compared in the
  same worlds, other ones than those of the choice, in more of them the closer they are;
- the *luck* of a draw: what the hand is worth with the card, against what drawing was worth before;
  both by one policy from then on, so that on average it is nothing;
- the *value* of a position with all hands open, the order of the stock unknown, when both sides go
  on by one plain policy.

The first two get a seat's view and no more.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from okgin_fast.advice import outs
from okgin_fast.agents.expert import ExpertAgent, match_worth
from okgin_fast.cards import Hand
from okgin_fast.core.belief import sample_hands
from okgin_fast.core.meld import makes_meld
from okgin_fast.core.policy import FOR_GIN, Policy
from okgin_fast.core.rng import derive_seed
from okgin_fast.core.search import Estimate, Search, best_show
from okgin_fast.core.spread import Spread
from okgin_fast.deal import Action, Deal, DealResult, View, settle
from okgin_fast.equity import MOST
from okgin_fast.limit import Limit
from okgin_fast.reasons import best_after_take, last_throw, reason

__all__ = ["Drawn", "Judge", "Verdict"]

AT_ONCE = Policy(knock=[10])
"""How a seat may go on in the rollouts after its action, if not for gin: knock as soon as it may.
The better of the two counts: who plays on today may still knock tomorrow."""
DRAWS = AT_ONCE
"""How the drawer goes on when his card is weighed."""
THEIRS = FOR_GIN
"""How the other side goes on: no worse than the seat that is judged."""
OPEN = Policy(danger=0, danger_known=0, danger_sure=0, knock=[10])
"""How both go on with all hands open, never looking at what the other holds."""
CHOICE, COMPARED, DRAWN, DEALT = 1, 2, 3, 4
"""Which of a position's seeds is for what."""
APART, CLOSE = 3.0, 0.15
"""Two actions are compared until they are so many standard errors apart, or that error is so many
points."""
MOST_ROUNDS = 8
"""How many times the rollouts a close comparison gets at most."""
CLEAR = 2.0
"""Standard errors that a loss has to be over to be one, and by which a played action must be ahead
of the expert's choice to be the best."""
HANDS = 256
"""Hands of the other side that spreads are compared against, and a throw's danger is counted in."""


class Verdict(NamedTuple):
    """The best action, what it was worth to its seat, and what was played less."""

    best: Action
    equity: float
    equity_se: float
    loss: float
    loss_se: float


class Drawn(NamedTuple):
    """The luck of a draw, and its standard error."""

    luck: float
    se: float


class _Compared(NamedTuple):
    """Two actions in the same worlds, the better one first."""

    best: Action
    estimates: list[tuple[Action, Estimate]]
    loss: float
    se: float


class Judge:
    """Judges positions, with fixed rollouts and seeds.

    Parameters
    ----------
    limit : Limit
        By rollouts.
    seed : int
    point : float
        What a point is worth in the unit of the views: 1, or with a score a chance of the match.
    """

    def __init__(self, limit: Limit, seed: int, point: float) -> None:
        assert limit.rollouts is not None
        self.limit, self.rollouts = limit, limit.rollouts
        self.seed = seed
        self.point = point

    # -- decisions

    def verdict(self, view: View, action: Action) -> Verdict:
        """Judge an action that its seat chose among several.

        Parameters
        ----------
        view : View
            Before it.
        action : Action
            What was played, as recorded: a knock may name its spread.
        """
        played = _plain(action)
        choice = ExpertAgent(derive_seed(self.seed, CHOICE), self.limit).act(view)
        found = self._compare(view, _plain(choice), played)
        best, loss, se = found.best, found.loss, found.se
        if best.kind == "knock":
            best = best_show(view, best, self._seed(view, COMPARED), worth=match_worth(view))
            if _plain(best) == played:
                loss, se = self._spread_loss(view, best, action)
        if loss <= CLEAR * se:
            loss = 0.0
        value, value_se = _worth(found.estimates[0][1])
        return Verdict(action if loss == 0 == se else best, value, value_se, loss, se)

    def reasons(self, view: View, best: Action, action: Action) -> tuple[str, str]:
        """Say what speaks for the best action, and what for or against the one played."""
        one, other = _plain(best), _plain(action)
        if one == other:
            melds = ", ".join(map(str, best.spread or ()))
            return f"Shows {melds or 'other melds'}, which does best against his hands.", ""
        ranked = self._compare(view, one, other).estimates
        return self._reason(view, one, ranked), self._reason(view, other, ranked)

    def _compare(self, view: View, choice: Action, action: Action) -> _Compared:
        """Play choice and action out in the same worlds until they are apart, or worth the same."""
        both = [choice] if action == choice else [choice, action]
        seed, worth = self._seed(view, COMPARED), match_worth(view)
        readings = _readings(both)
        searches = [
            [
                Search(view, both, seed, worth=worth, inference=reads, mine=mine, theirs=THEIRS)
                for reads in readings
            ]
            for mine in (FOR_GIN, AT_ONCE)
        ]
        for _ in range(MOST_ROUNDS):
            for search in chain(*searches):
                search.run(max(2, self.rollouts // len(readings)))
            ranked, lead, se = _best_of([_mean_of(by_policy) for by_policy in searches])
            if abs(lead) > APART * se or se < CLOSE * self.point:
                break
        pairs = list(zip(both, ranked, strict=True))
        if len(both) == 2 and lead > CLEAR * se:
            return _Compared(action, pairs[::-1], 0.0, 0.0)
        return _Compared(choice, pairs, max(-lead, 0.0), se)

    def _spread_loss(self, view: View, best: Action, action: Action) -> tuple[float, float]:
        """What the spread that was shown is worth less than the best one, against the same hands.

        A spread that is not named is the package's choice.
        """
        if set(best.spread or ()) == set(action.spread or ()) or best.card is None:
            return 0.0, 0.0
        kept, worth = view.hand - best.card, match_worth(view)
        losses = []
        for hand in sample_hands(view, HANDS, self._seed(view, COMPARED)):
            one, other = (
                _points(settle(_spread(kept, knock), hand, view.rules, view.upcard), worth)
                for knock in (best, action)
            )
            losses.append(one - other)
        mean = sum(losses) / HANDS
        spread = math.fsum((loss - mean) ** 2 for loss in losses)
        return max(mean, 0.0), math.sqrt(spread / (HANDS - 1) / HANDS)

    def _reason(self, view: View, action: Action, ranked: list[tuple[Action, Estimate]]) -> str:
        goes_on = action.kind not in ("knock", "gin", "big gin")
        kept, danger = view.hand, None
        if action.card is not None:
            takes = action.kind == "take"
            kept = best_after_take(view, action.card) if takes else view.hand - action.card
        if action.kind == "discard" and action.card is not None and not last_throw(view):
            seed, readings = self._seed(view, COMPARED), _readings([one for one, _ in ranked])
            hands = [
                hand
                for reads in readings
                for hand in sample_hands(view, HANDS // len(readings), seed, inference=reads)
            ]
            danger = sum(makes_meld(hand, action.card) for hand in hands) / len(hands)
        helping = outs(kept, view.unseen) if goes_on else Hand()
        return reason(view, action, ranked, helping, danger)

    # -- draws

    def drawn(self, before: View, after: View) -> Drawn:
        """What a drawn card was worth to the drawer, against what drawing was worth on average."""
        average, average_se = self._policy_worth(before, Action("draw"))
        with_card, se = self._policy_worth(after, DRAWS.act(after))
        return Drawn(with_card - average, math.hypot(se, average_se))

    def _policy_worth(self, view: View, action: Action) -> tuple[float, float]:
        """What an action is worth, if the seat goes on by its policy."""
        seed, worth = self._seed(view, DRAWN), match_worth(view)
        search = Search(view, [action], seed, worth=worth, mine=DRAWS, theirs=THEIRS)
        search.run(self.rollouts)
        return _worth(search.estimates()[0])

    # -- positions

    def value(self, deal: Deal, score: tuple[int, int] | None, seed: int) -> float:
        """What the position is worth to seat 0 with all hands open, if both go on by one policy.

        One seed for a whole deal: then what goes as the policy expects changes no value.
        """
        mover = deal.to_move
        assert mover is not None
        mine = score and (score[mover], score[1 - mover])
        hands = {"known": deal.hand(1 - mover), "mine_known": deal.hand(mover), "actions": ()}
        view = View._of_parts(**deal.view(mover, score=mine)._parts() | hands)
        worth = match_worth(view)
        search = Search(
            view, [OPEN.act(view)], seed, worth=worth, inference=False, mine=OPEN, theirs=OPEN
        )
        search.run(self.rollouts)
        value, _ = _worth(search.estimates()[0])
        if mover == 0:
            return value
        return -value if worth is None else 1.0 - value

    def _seed(self, view: View, purpose: int) -> int:
        return derive_seed(derive_seed(self.seed, purpose), view.digest())


def _plain(action: Action) -> Action:
    """The action without its spread."""
    return Action(action.kind, action.card)


def _spread(kept: Hand, knock: Action) -> Hand | Spread:
    """How a knock is laid on the table, as `settle` takes it."""
    if knock.spread is None:
        return kept
    left = Hand(kept.mask & ~sum(meld.mask for meld in knock.spread))
    return Spread(knock.spread, left, left.points)


def _points(result: DealResult, worth: NDArray[np.float64] | None) -> float:
    """What a showdown brings the knocker, in points or in chances of the match."""
    points = result.points if result.winner == 0 else -result.points
    return points if worth is None else float(worth[max(-MOST, min(MOST, points)) + MOST])


def _readings(actions: list[Action]) -> tuple[bool, ...]:
    """Whether the other hand is read from what he did: between two throws in half of the worlds.

    What he took and threw tells of his hand if he took and threw for good reason, which not
    everybody does: read from habits that he has not, cards look more dangerous than they are.
    """
    throws = len(actions) == 2 and all(action.kind == "discard" for action in actions)
    return (True, False) if throws else (True,)


def _mean_of(searches: list[Search]) -> list[Estimate]:
    """What searches of the same actions, in equally many worlds of their own, found together."""
    return [
        _mean(found) for found in zip(*(search.estimates() for search in searches), strict=True)
    ]


def _mean(found: tuple[Estimate, ...]) -> Estimate:
    figures: dict[str, Any] = {}
    for name, values in zip(Estimate._fields, zip(*found, strict=True), strict=True):
        if values[0] is None or name == "worlds":
            figures[name] = values[0] and sum(values)
        else:
            is_error = name in ("se", "lead_se", "worth_se")
            total = math.hypot(*values) if is_error else sum(values)
            figures[name] = total / len(values)
    return Estimate(**figures)


def _best_of(found: list[list[Estimate]]) -> tuple[list[Estimate], float, float]:
    """Give each action the policy that it is worth more with; the lead of the last over the first.

    With policies that differ the two errors are taken for independent, which is too many rather
    than too few.
    """
    policies = range(len(found))
    first, last = (max(policies, key=lambda p: _worth(found[p][i])[0]) for i in (0, -1))
    one, other = found[first][0], found[last][-1]
    ranked = [one] if len(found[0]) == 1 else [one, other]
    if first == last:
        return ranked, other.lead, other.lead_se
    (worth, se), (worth_other, se_other) = _worth(one), _worth(other)
    lead, lead_se = worth_other - worth, math.hypot(se, se_other)
    return [one, other._replace(lead=lead, lead_se=lead_se)], lead, lead_se


def _worth(found: Estimate) -> tuple[float, float]:
    """An estimate in the unit that was searched for."""
    if found.worth is None or found.worth_se is None:
        return found.equity, found.se
    return found.worth, found.worth_se
