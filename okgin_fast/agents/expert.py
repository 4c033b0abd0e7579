"""The expert: a search over worlds that agree with what its seat sees."""

from __future__ import annotations

from okgin_fast.agents.turn import legal_now
from okgin_fast.core.meld import deadwood, discards, makes_meld
from okgin_fast.core.rng import derive_seed
from okgin_fast.core.search import Search
from okgin_fast.deal import Action, View
from okgin_fast.limit import Limit, as_limit

__all__ = ["ExpertAgent"]

THROWS = 5
"""Discards that are worth searching: those that leave least."""
DOUBT = 2.0
"""Standard errors by which an action that plays on must lead the greedy one to replace it."""
SHOWS = ("knock", "gin", "big gin")
"""Kinds of action that end the deal: their value in a world is exact."""


class ExpertAgent:
    """A determinized Monte Carlo player: plays candidates out in sampled worlds, common to all.

    Parameters
    ----------
    seed : int
        The same seed, position and number of rollouts give the same action everywhere.
    limit : Limit, optional
        How long it may think about one action; by default 512 rollouts of every candidate, some
        two milliseconds.
    """

    def __init__(self, seed: int = 0, limit: Limit | None = None) -> None:
        self.seed = seed
        self.limit = Limit(rollouts=512) if limit is None else as_limit(limit)

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        candidates = shortlist(view)
        if len(candidates) == 1:
            return candidates[0]
        search = Search(view, candidates, derive_seed(self.seed, view.digest()))
        self.limit.run(search)
        return choose(search) if search.worlds else candidates[0]


def shortlist(view: View) -> list[Action]:
    """The actions worth searching, the greedy one first.

    Of the throws those that leave least, of the knocks the lowest, and whatever gins.
    """
    legal = legal_now(view)
    if view.phase != "throw":
        return sorted(legal, key=lambda action: (action.kind == "take") != _wants_top(view))
    banned = None if view.rules.may_discard_taken else view.taken
    throws = discards(view.hand, view.limit, banned)
    candidates = [Action("discard", throw.card) for throw in throws[:THROWS]]
    if throws[0].knock:
        candidates.append(Action("gin" if throws[0].gin else "knock", throws[0].card))
    return candidates + [action for action in legal if action.kind == "big gin"]


def _wants_top(view: View) -> bool:
    """Greedy: take the pile card only into a meld that lowers deadwood."""
    if not view.pile or not makes_meld(view.hand, view.pile[-1]):
        return False
    with_top = discards(view.hand | view.pile[-1], view.limit, view.pile[-1])
    return with_top[0].deadwood < deadwood(view.hand)


def choose(search: Search) -> Action:
    """The candidate with the most equity; one that plays on must lead the greedy one clearly."""
    best, most = search.candidates[0], 0.0
    for action, estimate in zip(search.candidates, search.estimates(), strict=True):
        clear = action.kind in SHOWS or estimate.lead > DOUBT * estimate.lead_se
        if estimate.lead > most and clear:
            best, most = action, estimate.lead
    return best
