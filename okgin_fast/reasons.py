"""What speaks for or against an action, in one plain sentence.

Everything said here follows from the cards that the seat sees. What an action is worth is the
business of the search; only the chances of a knock are quoted from it.
"""

from __future__ import annotations

from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import deadwood, discards, makes_meld
from okgin_fast.core.search import Estimate
from okgin_fast.core.spread import best_spread
from okgin_fast.deal import Action, View

__all__ = ["best_after_take", "reason"]


def reason(view: View, action: Action, estimate: Estimate, outs: Hand) -> str:
    """Say in one sentence what speaks for or against an action.

    Parameters
    ----------
    view : View
    action : Action
        A legal one.
    estimate : Estimate
        What the search found of it.
    outs : Hand
        The cards that would help next, if the turn goes on.

    Returns
    -------
    str
    """
    if action.kind in ("gin", "big gin"):
        clauses = [_gin(view, action)]
    elif action.kind == "pass" or action.kind == "draw":
        clauses = [_draw(view), f"{len(outs)} of {len(view.unseen)} unseen cards would help"]
    else:
        assert action.card is not None
        if action.kind == "knock":
            clauses = [_knock(view, action.card, estimate)]
        elif action.kind == "take":
            clauses = _take(view, action.card)
        else:
            clauses = [_throw(view, action.card), *_danger(view, action.card)]
    return "; ".join(clauses) + "."


def best_after_take(view: View, card: Card) -> Hand:
    """The ten cards to keep that have least deadwood, if `card` is taken from the pile."""
    banned = None if view.rules.may_discard_taken else card
    with_card = view.hand | card
    return with_card - discards(with_card, view.limit, banned)[0].card


def _gin(view: View, action: Action) -> str:
    name, bonus = "Gin", view.rules.gin_bonus
    if action.kind == "big gin":
        name, bonus = "All eleven cards meld", view.rules.big_gin_bonus
    times = view.rules.multiplier(view.upcard)
    spade = f", all of it {times} times for the spade" if times > 1 else ""
    return f"{name}: {bonus} points and what the opponent holds unmelded{spade}"


def _knock(view: View, card: Card, estimate: Estimate) -> str:
    return (
        f"Knocks with {deadwood(view.hand - card)}, the limit is {view.limit}: ahead of"
        f" {estimate.knock:.0%} of the hands that the opponent may hold,"
        f" undercut by {estimate.lose:.0%}"
    )


def _draw(view: View) -> str:
    """What is left lying by not taking the top of the pile."""
    card = next((a.card for a in view.legal_actions() if a.kind == "take"), None)
    if card is None:
        return "The only move"
    now, kept = deadwood(view.hand), best_after_take(view, card)
    if deadwood(kept) >= now:
        return f"{card} is of no use"
    if meld := _meld_of(kept, card):
        return f"Leaves {card}, which would make {meld}"
    return f"{card} makes no meld, it would only save {now - deadwood(kept)}"


def _take(view: View, card: Card) -> list[str]:
    now, kept = deadwood(view.hand), best_after_take(view, card)
    left = deadwood(kept)
    if left >= now:
        return [f"{card} is of no use, with the best throw it leaves {left}"]
    meld = _meld_of(kept, card)
    (thrown,) = (view.hand | card) - kept
    gain = f"Makes {meld}" if meld else f"Makes no meld, only puts {card} in the place of {thrown}"
    ends = "gin follows" if left == 0 else "a knock may follow" if left <= view.limit else ""
    return [f"{gain}: deadwood {now} down to {left}", *filter(None, [ends])]


def _throw(view: View, card: Card) -> str:
    """What the throw costs: nothing, a chance of a meld, or a meld."""
    kept = view.hand - card
    left, before = deadwood(kept), deadwood(view.hand)
    banned = None if view.rules.may_discard_taken else view.taken
    least = discards(view.hand, view.limit, banned)[0].deadwood
    more = f"{left - least} more than need be" if left > least else "the least possible"
    if left == before - card.points:
        what = _loose(view, card, best_spread(kept).unmelded)
    else:
        what = _from_meld(view.hand, card)
    end = "gin" if left == 0 else "a knock"
    allowed = f", with which {end} would be allowed" if left <= view.limit else ""
    return f"{what}: leaves {left}, {more}{allowed}"


def _loose(view: View, card: Card, unmelded: Hand) -> str:
    """Say which other loose cards the card could have made a meld with, and what is missing."""
    near, missing = Hand(), Hand()
    for other in unmelded:
        third = Hand(c for c in view.unseen if makes_meld(Hand([other, c]), card))
        if third:
            near, missing = near | other, missing | third
    return f"Gives up {near | card} (missing {missing})" if near else f"{card} is loose"


def _from_meld(hand: Hand, card: Card) -> str:
    """Say what becomes of the meld that the card is in."""
    melds = best_spread(hand).melds
    meld = next(meld for meld in melds if card in meld)
    if deadwood(meld - card) == 0:
        return f"{card} is not needed in {meld}"
    new = [
        str(other)
        for other in best_spread(hand - card).melds
        if other not in melds and other - meld
    ]
    return " for ".join([f"Breaks up {meld}", *new[:1]])


def _danger(view: View, card: Card) -> list[str]:
    """What the opponent may make of a card thrown to him."""
    if pair := _partners(card, view.known, view.known):
        return [f"the opponent, who holds {pair}, can meld it"]
    if near := _partners(card, view.known, view.unseen):
        return [f"it goes with {near}, which the opponent holds"]
    may_meld = makes_meld(view.unseen | view.known, card)
    return [] if may_meld else ["the opponent cannot meld it now"]


def _partners(card: Card, held: Hand, thirds: Hand) -> Hand:
    """The held cards that make a meld with the card and one of the third cards."""
    return Hand(
        other
        for other in held
        if any(makes_meld(Hand([other, third]), card) for third in thirds - other)
    )


def _meld_of(hand: Hand, card: Card) -> Hand | None:
    """The meld of the best arrangement that the card is in, if any."""
    return next((meld for meld in best_spread(hand).melds if card in meld), None)
