"""The public baselines: a random player, the challenge's *simple* player and the greedy *gold*.

They are what others publish figures against, so they do exactly what research.md's sources say and
no more.
"""

from __future__ import annotations

from okgin_fast.agents.turn import legal_now
from okgin_fast.core.meld import Discard, deadwood, discards, makes_meld
from okgin_fast.core.rng import Rng, derive_seed
from okgin_fast.deal import Action, View

__all__ = ["GoldAgent", "RandomAgent", "SimpleAgent"]


class RandomAgent:
    """Every legal action is equally likely.

    Parameters
    ----------
    seed : int
        The same seed in the same position gives the same action.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        legal = legal_now(view)
        return legal[Rng(derive_seed(self.seed, view.digest())).below(len(legal))]


class SimpleAgent:
    """The AAAI-21 challenge's baseline.

    Takes the pile card only if it makes a meld with it, throws a card that leaves least deadwood
    (ties at random, never the card just taken), knocks as soon as it may.

    Parameters
    ----------
    seed : int
        For the ties.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        legal = legal_now(view)
        if view.phase != "throw":
            return _draw(legal, bool(view.pile) and makes_meld(view.hand, view.pile[-1]))
        throws = discards(view.hand, view.limit, view.taken)
        best = [throw for throw in throws if throw.deadwood == throws[0].deadwood]
        choice = Rng(derive_seed(self.seed, view.digest())).below(len(best))
        return _throw(view, best[choice])


class GoldAgent:
    """The "gold standard" of a 2026 paper: greedy with exact melds.

    Takes the pile card if that lowers deadwood, throws the card that leaves least (the dearest of
    equals), knocks at once.

    Parameters
    ----------
    seed : int
        Not used: this player has no choices to make at random.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        legal = legal_now(view)
        if view.phase == "throw":
            return _throw(view, discards(view.hand, view.limit, view.taken)[0])
        if not view.pile:
            return _draw(legal, False)
        with_card = discards(view.hand | view.pile[-1], view.limit, view.pile[-1])
        return _draw(legal, with_card[0].deadwood < deadwood(view.hand))


def _draw(legal: list[Action], wanted: bool) -> Action:
    """Take the pile card if it is wanted and may be taken, else pass or draw."""
    take = [action for action in legal if action.kind == "take"]
    return take[0] if wanted and take else next(a for a in legal if a.kind in ("pass", "draw"))


def _throw(view: View, throw: Discard) -> Action:
    """Throw the card, with the best knock that this allows."""
    if throw.gin and view.rules.big_gin and deadwood(view.hand) == 0:
        return Action("big gin")
    return Action("gin" if throw.gin else "knock" if throw.knock else "discard", throw.card)
