"""Advice: every legal action of a seat, ranked, with what it is worth and why.

The figures come from the search, the reasons from the hand itself. Nothing here prints.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import all_melds, deadwood, makes_meld
from okgin_fast.core.search import Estimate, Search
from okgin_fast.deal import Action, View
from okgin_fast.errors import IllegalActionError, OkginError
from okgin_fast.limit import Limit, as_limit
from okgin_fast.reasons import best_after_take, reason

__all__ = ["Advice", "Candidate", "advise", "outs"]

_MELDS = tuple(int(meld) for meld in all_melds())


@dataclass(frozen=True, slots=True)
class Candidate:
    """One legal action and what it is worth.

    Attributes
    ----------
    action : Action
    equity, se : float
        Mean points of the deal for this seat, and the standard error of that mean.
    loss : float
        Points less than the best action, 0 or more.
    knock, gin, undercut, lose, dead : float
        Chances to win the deal by a knock, by gin and by undercutting, to lose it, and that nobody
        scores; they sum to 1.
    deadwood : int
        What the hand is left with: after the throw; for ``take`` after the best throw; for
        ``draw`` and ``pass`` as it is.
    outs : Hand
        Unseen cards that, drawn next, would go into a meld and lower the deadwood.
    reason : str
        One plain sentence.
    """

    action: Action
    equity: float
    se: float
    loss: float
    knock: float
    gin: float
    undercut: float
    lose: float
    dead: float
    deadwood: int
    outs: Hand
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Give the fields as JSON has them: the action and the outs as text."""
        return asdict(self) | {"action": str(self.action), "outs": list(map(str, self.outs))}


@dataclass(frozen=True, slots=True)
class Advice:
    """All legal actions, best first.

    Attributes
    ----------
    candidates : tuple of Candidate
    rollouts : int
        How often each of them was played out.
    """

    candidates: tuple[Candidate, ...]
    rollouts: int

    @property
    def best(self) -> Candidate:
        """The recommended one."""
        return self.candidates[0]

    def to_dict(self) -> dict[str, Any]:
        """Give the advice as JSON has it."""
        return {
            "best": str(self.best.action),
            "rollouts": self.rollouts,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        }


def advise(view: View, limit: Limit | None = None, seed: int = 0) -> Advice:
    """Rank every legal action of the seat that is to move.

    Parameters
    ----------
    view : View
    limit : Limit, optional
        By default 200 milliseconds.
    seed : int
        0 to 2**64 - 1; with a limit by rollouts the same seed gives the same advice everywhere.

    Returns
    -------
    Advice

    Raises
    ------
    IllegalActionError
        It is not this seat's turn.

    Examples
    --------
    >>> import okgin_fast as og
    >>> view = og.View.from_position("hand=ASAHAD2S2H2D3S3H3D3CKD upcard=7H")
    >>> advice = og.advise(view, og.Limit(rollouts=100))
    >>> str(advice.best.action), advice.best.deadwood
    ('gin KD', 0)
    """
    legal = view.legal_actions()
    if not legal:
        raise IllegalActionError(f"no advice for seat {view.seat}: it is not its turn")
    search = Search(view, legal, seed)
    as_limit(Limit(time_ms=200) if limit is None else limit).run(search)
    if not search.worlds:
        raise OkginError("no advice: the limit leaves no time for a single rollout")
    ranked = sorted(
        zip(search.candidates, search.estimates(), strict=True), key=lambda pair: -pair[1].equity
    )
    best = ranked[0][1]
    return Advice(
        tuple(_candidate(view, action, estimate, best) for action, estimate in ranked),
        search.worlds,
    )


def outs(hand: Hand, unseen: Hand) -> Hand:
    """The unseen cards that would go into a meld of ten cards and lower their deadwood.

    Parameters
    ----------
    hand : Hand
        Ten cards.
    unseen : Hand
        Where to look.

    Returns
    -------
    Hand
        Those cards that, drawn, allow a throw and an arrangement with the card in a meld that leave
        less than there is now.

    Examples
    --------
    >>> outs(Hand("5H 6H 2S 9C JD KD TC 8D AC QS"), Hand("4H 7H 7S KC"))
    Hand('4H 7H')
    """
    now = deadwood(hand)
    return Hand(
        card
        for card in unseen
        if makes_meld(hand, card) and _least_with_meld_of(card, hand | card) < now
    )


def _least_with_meld_of(card: Card, hand: Hand) -> int:
    """The least deadwood after a throw from eleven cards, if `card` is to be in a meld."""
    rests = [hand.mask & ~meld for meld in _MELDS if meld & card.mask and not meld & ~hand.mask]
    return min(deadwood(rest & ~other.mask) for rest in rests for other in Hand(rest))


def _candidate(view: View, action: Action, estimate: Estimate, best: Estimate) -> Candidate:
    """Put what the search found together with what the hand itself shows."""
    kept = _kept(view, action)
    helping = Hand() if action.kind in ("knock", "gin", "big gin") else outs(kept, view.unseen)
    return Candidate(
        action=action,
        equity=estimate.equity,
        se=estimate.se,
        loss=best.equity - estimate.equity,
        knock=estimate.knock,
        gin=estimate.gin,
        undercut=estimate.undercut,
        lose=estimate.lose,
        dead=estimate.dead,
        deadwood=deadwood(kept),
        outs=helping,
        reason=reason(view, action, estimate, helping),
    )


def _kept(view: View, action: Action) -> Hand:
    """The cards held when the turn is over, as far as it can be told now."""
    if action.card is None:
        return view.hand
    return best_after_take(view, action.card) if action.kind == "take" else view.hand - action.card
