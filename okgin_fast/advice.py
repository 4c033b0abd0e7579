"""Advice: every legal action of a seat, ranked, with what it is worth and why.

The figures come from the search, the reasons from the hand itself. Nothing here prints.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import deadwood, discards, makes_meld
from okgin_fast.core.search import Estimate, Search
from okgin_fast.core.spread import best_spread
from okgin_fast.deal import Action, View
from okgin_fast.errors import IllegalActionError, OkginError
from okgin_fast.limit import Limit

__all__ = ["Advice", "Candidate", "advise", "outs"]


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
        return asdict(self) | {"action": str(self.action), "outs": [str(card) for card in self.outs]}


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
    >>> view = og.View.from_position("hand=ASAHAD2S2H2D3S3H3D4CKD upcard=7H")
    >>> advice = og.advise(view, og.Limit(rollouts=100))
    >>> str(advice.best.action), advice.best.deadwood
    ('gin KD', 0)
    """
    legal = view.legal_actions()
    if not legal:
        raise IllegalActionError(f"no advice for seat {view.seat}: it is not its turn")
    search = Search(view, legal, seed)
    (limit or Limit(time_ms=200)).run(search)
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

    Examples
    --------
    >>> outs(Hand("5H 6H 2S 9C JD KC 8D AC QS 3D"), Hand("4H 7H 7S"))
    Hand('4H 7H')
    """
    now = deadwood(hand)
    return Hand(
        card for card in unseen if makes_meld(hand, card) and discards(hand | card)[0].deadwood < now
    )


def _candidate(view: View, action: Action, estimate: Estimate, best: Estimate) -> Candidate:
    """Put what the search found together with what the hand itself shows."""
    kept = _kept(view, action)
    helping = Hand() if action.kind in ("knock", "gin", "big gin") else outs(kept, view.unseen)
    left = deadwood(kept)
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
        deadwood=left,
        outs=helping,
        reason=_reason(view, action, estimate, left, helping),
    )


def _kept(view: View, action: Action) -> Hand:
    """The cards held when the turn is over, as far as it can be told now."""
    if action.card is None:
        return view.hand
    if action.kind == "take":
        banned = None if view.rules.may_discard_taken else action.card
        with_card = view.hand | action.card
        return with_card - discards(with_card, view.limit, banned)[0].card
    return view.hand - action.card


# ------------------------------------------------------------------------------------- reasons


def _reason(view: View, action: Action, estimate: Estimate, left: int, helping: Hand) -> str:
    """Say in one plain sentence what speaks for or against an action."""
    match action.kind:
        case "gin":
            return f"Gin ends the deal now: {view.rules.gin_bonus} and all that he holds unmelded."
        case "big gin":
            bonus = view.rules.big_gin_bonus
            return f"All eleven cards meld: {bonus} and all that he holds unmelded."
        case "knock":
            return (
                f"Knocks with {left}, the limit is {view.limit}: ahead in {estimate.knock:.0%} of the "
                f"hands he may hold, undercut in {estimate.lose:.0%}."
            )
        case "discard":
            assert action.card is not None
            return _reason_to_throw(view, action.card, left, helping)
        case "take":
            assert action.card is not None
            return _reason_to_take(view, action.card, left, helping)
    top = view.pile[-1] if view.pile else None
    if top is not None and makes_meld(view.hand, top) and "take" in _kinds(view):
        return f"Leaves {top}, which would meld, and hopes for {_count(helping)} in the stock."
    return f"Holds {left} and hopes for one of {_count(helping)} that would help."


def _reason_to_take(view: View, card: Card, left: int, helping: Hand) -> str:
    now = deadwood(view.hand)
    meld = _meld_with(_kept(view, Action("take", card)), card)
    if meld is not None and left < now:
        return f"Completes {meld}: from {now} down to {left}, and {_count(helping)} would help next."
    if left < now:
        return f"Makes no meld, only a cheaper loose card: from {now} down to {left}."
    return f"Makes no meld and lowers nothing: {left} with the best throw, and he sees what you took."


def _reason_to_throw(view: View, card: Card, left: int, helping: Hand) -> str:
    banned = None if view.rules.may_discard_taken else view.taken
    least = discards(view.hand, view.limit, banned)[0].deadwood
    whole = _meld_with(view.hand, card)
    if whole is not None and left > least:
        text = f"Breaks {whole} and is left with {left}, {left - least} more than need be"
    elif whole is not None:
        text = f"Spares {card} from {whole} and is left with {left}"
    else:
        near = view.hand - card
        pairs = [c for c in near if c.rank == card.rank]
        neighbours = [c for c in near if c.suit == card.suit and abs(c.rank - card.rank) <= 2]
        loose = "a loose card" if not pairs + neighbours else f"{card} from {Hand([*pairs, *neighbours, card])}"
        text = f"Throws {loose} worth {card.points} and is left with {left}"
    if least <= view.limit:
        text += ", playing on for gin" if left <= view.limit else ""
    fits = Hand(c for c in view.known if _fits(c, card))
    if fits:
        text += f"; but he holds {fits}, which {card} may fit"
    elif helping:
        text += f"; {_count(helping)} would help next"
    return text + "."


def _kinds(view: View) -> set[str]:
    return {action.kind for action in view.legal_actions()}


def _meld_with(hand: Hand, card: Card) -> Hand | None:
    """The meld of the best arrangement that the card stands in, if any."""
    return next((meld for meld in best_spread(hand).melds if card in meld), None)


def _fits(held: Card, thrown: Card) -> bool:
    """Whether two cards could stand in one meld of three."""
    return held.rank == thrown.rank or (
        held.suit == thrown.suit and abs(held.rank - thrown.rank) <= 2
    )


def _count(cards: Hand) -> str:
    return f"{len(cards)} unseen card{'' if len(cards) == 1 else 's'}"
