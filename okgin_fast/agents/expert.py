"""The expert: a search over worlds that agree with what its seat sees."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from okgin_fast.agents.turn import legal_now
from okgin_fast.core.meld import discards
from okgin_fast.core.policy import Policy
from okgin_fast.core.rng import derive_seed
from okgin_fast.core.search import Search, best_show
from okgin_fast.deal import Action, View
from okgin_fast.equity import deal_worth
from okgin_fast.errors import OkginError, quote
from okgin_fast.limit import Limit, as_limit

__all__ = ["ExpertAgent"]

THROWS = 5
"""Discards that are worth searching: those that leave least."""
DOUBT = 1.5
"""Standard errors by which an action must lead the policy's to replace it."""
HANDS = 128
"""Hands of the other side that spreads are tried against."""
POLICY = Policy()
"""What the expert does at first sight."""


class ExpertAgent:
    """A determinized Monte Carlo player: plays candidates out in sampled worlds, common to all.

    Parameters
    ----------
    seed : int
        The same seed, position and number of rollouts give the same action everywhere.
    limit : Limit, optional
        How long it may think about one action; by default 1,000 rollouts of every candidate, some
        milliseconds.
    inference : bool
        Whether it infers the other hand from what he has done.
    for_match : bool
        Whether it maximises the chance to win the match, when a score is given, and not points.

    Raises
    ------
    OkginError
        What is no limit, or neither true nor false.
    """

    def __init__(
        self,
        seed: int = 0,
        limit: Limit | None = None,
        *,
        inference: bool = True,
        for_match: bool = True,
    ) -> None:
        self.seed = seed
        for name, value in (("inference", inference), ("for_match", for_match)):
            if not isinstance(value, bool):
                raise OkginError(f"{name}={quote(value)}: must be true or false")
        self.limit = Limit(rollouts=1000) if limit is None else as_limit(limit)
        self.inference = inference
        self.for_match = for_match

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        start = time.perf_counter()
        candidates = shortlist(view)
        if len(candidates) == 1:
            return candidates[0]
        seed = derive_seed(self.seed, view.digest())
        worth = match_worth(view) if self.for_match else None
        search = Search(view, candidates, seed, worth=worth, inference=self.inference)
        self.limit.run(search, narrow=True, since=start)
        if not search.worlds:
            return candidates[0]
        hands = min(HANDS, search.worlds)  # little time, few hands
        best = search.best(DOUBT)
        return best_show(view, best, seed, worth=worth, inference=self.inference, hands=hands)


def match_worth(view: View) -> NDArray[np.float64] | None:
    """What each result of the deal is worth in the match, if a score of one in play is given."""
    target = view.rules.target
    if view.score is None or target is None or max(view.score) >= target:
        return None
    return deal_worth(view.rules, view.score, view.dealer == view.seat)


def shortlist(view: View) -> list[Action]:
    """The actions worth searching, the policy's first.

    Of the throws those that leave least, of the knocks the lowest, and whatever gins.
    """
    legal = legal_now(view)
    first = POLICY.act(view)
    if view.phase != "throw":
        return sorted(legal, key=lambda action: action != first)
    banned = None if view.rules.may_discard_taken else view.taken
    throws = discards(view.hand, view.limit, banned)
    candidates = [first, *(Action("discard", throw.card) for throw in throws[:THROWS])]
    if throws[0].knock:
        candidates.append(Action("gin" if throws[0].gin else "knock", throws[0].card))
    candidates += [action for action in legal if action.kind == "big gin"]
    return list(dict.fromkeys(candidates))
