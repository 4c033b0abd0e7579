"""What speaks for or against an action, in one plain sentence.

What is said follows from the cards that the seat sees, or is a figure that the search found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import deadwood, discards, makes_meld
from okgin_fast.core.search import Estimate
from okgin_fast.core.spread import best_spread
from okgin_fast.deal import Action, View

__all__ = ["best_after_take", "last_throw", "reason"]

ENOUGH = 30
"""Rollouts from which actions are compared in words."""
SURE = 2.0
"""Standard errors by which one action must be better than another to be called so."""
NEAR = 30
"""Points to the target from which a knock is seen in their light."""


def reason(
    view: View,
    action: Action,
    ranked: Sequence[tuple[Action, Estimate]],
    outs: Hand,
    danger: float | None,
) -> str:
    """Say in one sentence what speaks for or against an action.

    Parameters
    ----------
    view : View
    action : Action
        A legal one.
    ranked : sequence of (Action, Estimate)
        What the search found of every action, the recommended one first: leads are over that.
    outs : Hand
        The cards that would help next, if the turn goes on.
    danger : float or None
        The chance that the opponent could meld the card thrown.

    Returns
    -------
    str
    """
    if action.kind in ("gin", "big gin"):
        clauses = [*_gin(view, action)]
    elif action.kind in ("pass", "draw"):
        clauses = [_draw(view), f"{len(outs)} of {len(view.unseen)} unseen cards would help"]
    else:
        assert action.card is not None
        if action.kind == "knock":
            clauses = _knock(view, action, dict(ranked)[action])
        elif action.kind == "take":
            clauses = _take(view, action.card)
        else:
            clauses = [_throw(view, action.card), *_danger(view, action.card, danger)]
    return "; ".join([*clauses, *_compared(action, ranked)]) + "."


def best_after_take(view: View, card: Card) -> Hand:
    """The ten cards to keep that have least deadwood, if `card` is taken from the pile."""
    banned = None if view.rules.may_discard_taken else card
    with_card = view.hand | card
    return with_card - discards(with_card, view.limit, banned)[0].card


def last_throw(view: View) -> bool:
    """Whether a throw without a knock ends the deal: the stock or the turns are used up."""
    wall = view.rules.wall == "dead" and view.stock <= view.rules.wall_size
    return wall or view.turn + 1 >= view.rules.turn_limit


# -------------------------------------------------------------------------------- ending the deal


def _gin(view: View, action: Action) -> list[str]:
    name, bonus = "Gin", view.rules.gin_bonus
    if action.kind == "big gin":
        name, bonus = "All eleven cards meld", view.rules.big_gin_bonus
    times = view.rules.multiplier(view.upcard)
    spade = f", all of it {times} times for the spade" if times > 1 else ""
    needs = _needs(view)
    wins = [f"wins {_prize(view)}"] if needs and times * bonus >= needs[0] else []
    return [f"{name}: {bonus} points and what the opponent holds unmelded{spade}", *wins]


def _knock(view: View, action: Action, found: Estimate) -> list[str]:
    assert action.card is not None
    clauses = [
        f"Knocks with {deadwood(view.hand - action.card)}, the limit is {view.limit}: ahead of"
        f" {_share(found.knock)} of the hands that the opponent may hold, undercut by"
        f" {_share(found.lose)}"
    ]
    if action.spread is not None:
        shown = ", ".join(map(str, action.spread))
        clauses.append(f"shows {shown}, which does best against those hands")
    if needs := _needs(view):
        mine, theirs = needs
        times = view.rules.multiplier(view.upcard)
        if mine <= times:
            clauses.append(f"to be ahead wins {_prize(view)}")
        elif mine <= NEAR:
            clauses.append(f"{mine} points win {_prize(view)}")
        if times * view.rules.undercut_bonus >= theirs:
            clauses.append(f"an undercut loses {_prize(view)}")
    return clauses


def _needs(view: View) -> tuple[int, int] | None:
    """How many points both need to reach the target, mine first."""
    target = view.rules.target
    if view.score is None or target is None or max(view.score) >= target:
        return None
    return target - view.score[0], target - view.score[1]


def _prize(view: View) -> str:
    """What the target wins."""
    return "this game" if view.rules.hollywood else "the match"


def _share(share: float) -> str:
    """Whole percent, but neither none nor all where it is not."""
    if 0 < share < 0.01:
        return "less than 1%"
    return "over 99%" if 0.99 < share < 1 else f"{share:.0%}"


# -------------------------------------------------------------------------------------- comparing


def _compared(action: Action, ranked: Sequence[tuple[Action, Estimate]]) -> list[str]:
    """Compare the choice with the best action of another kind, and that one with the choice.

    Without another kind the choice is compared with the next action, if the two cannot be told
    apart.
    """
    choice, best = ranked[0]
    others = [pair for pair in ranked if _kind(pair[0]) != _kind(choice)]
    other, found = (others or ranked[1:] or ranked)[0]
    shows_gin = action == choice and choice.kind in ("gin", "big gin")
    if action not in (choice, other) or other == choice or shows_gin or found.worlds < ENOUGH:
        return []
    forward = 1 if action == choice else -1
    name = _doing(other if action == choice else choice, throw=not others)
    lead, points = forward * found.lead, forward * (found.equity - best.equity)
    if abs(lead) <= SURE * found.lead_se:
        return [f"{name} is worth about as much"]
    if not others and found.lead < 0:
        return []
    word = "more" if lead > 0 else "fewer"
    by = f"{abs(lead):.1f} {word} points"
    if best.worth is not None:
        by = f"{100 * abs(lead):.1f} {word} matches in 100"
    if action == choice and lead > 0:
        return [f"though {name} won {by} in these rollouts"]
    more = points > SURE * math.hypot(best.se, found.se)
    return [f"{name} wins {by}" + (", for all its points" if more and lead < 0 else "")]


def _kind(action: Action) -> str:
    """What an action decides: to show the hand or to play on, to take a card or to leave it."""
    kinds = {"discard": "play on", "take": "take", "draw": "leave", "pass": "leave"}
    return kinds.get(action.kind, "show")


def _doing(action: Action, throw: bool) -> str:
    """Name an action as the subject of a sentence."""
    names = {
        "discard": f"throwing {action.card}" if throw else "playing on",
        "take": f"taking {action.card}",
        "draw": "drawing from the stock",
        "pass": "passing",
        "knock": "knocking",
    }
    return names.get(action.kind, action.kind)


# ------------------------------------------------------------------------------------- playing on


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
    near, missing = _near(view, card, best_spread(kept).unmelded - card)
    if meld:
        gain = f"Makes {meld}"
    elif near:
        gain = f"Makes no meld but goes with {near} (missing {missing}), in the place of {thrown}"
    else:
        gain = f"Makes no meld, only puts {card} in the place of {thrown}"
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
    near, missing = _near(view, card, unmelded)
    return f"Gives up {near | card} (missing {missing})" if near else f"{card} is loose"


def _near(view: View, card: Card, loose: Hand) -> tuple[Hand, Hand]:
    """The loose cards that are one unseen card away from a meld with the card, and those cards."""
    near, missing, thirds = Hand(), Hand(), _beside(card, view.unseen)
    for other in _beside(card, loose):
        third = [c.mask for c in thirds if makes_meld(other.mask | c.mask, card)]
        if third:
            near, missing = near | other, missing | sum(third)
    return near, missing


def _beside(card: Card, cards: Hand) -> list[Card]:
    """Those of the cards that can stand in a meld of three with the card."""
    return [
        other
        for other in cards
        if other.rank == card.rank or (other.suit == card.suit and abs(other.rank - card.rank) <= 2)
    ]


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


def _danger(view: View, card: Card, danger: float | None) -> list[str]:
    """What the opponent may make of a card thrown to him."""
    if danger is None:
        return ["ends the deal, which nobody wins"]
    if pair := _partners(card, view.known, view.known):
        return [f"the opponent, who holds {pair}, can meld it"]
    if not makes_meld(view.unseen | view.known, card):
        return ["the opponent cannot meld it now"]
    chance = _share(danger)
    if near := _partners(card, view.known, view.unseen):
        return [f"it goes with {near}, which the opponent holds: {chance} that he can meld it"]
    return [f"{chance} that the opponent can meld it"]


def _partners(card: Card, held: Hand, thirds: Hand) -> Hand:
    """The held cards that make a meld with the card and one of the third cards."""
    near = _beside(card, thirds)
    return Hand(
        other
        for other in _beside(card, held)
        if any(makes_meld(other.mask | third.mask, card) for third in near if third != other)
    )


def _meld_of(hand: Hand, card: Card) -> Hand | None:
    """The meld of the best arrangement that the card is in, if any."""
    return next((meld for meld in best_spread(hand).melds if card in meld), None)
