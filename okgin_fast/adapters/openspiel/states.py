"""From what a seat sees to a state of OpenSpiel's, and back from a state to what a seat sees.

A state of OpenSpiel's holds all the cards and is reached by playing. So a view becomes a state by
playing its history with hidden cards that are made up: they are drawn from the view and a seed, and
nothing else. In the other direction a state is played again on our table, and the seat gets the
view that our table gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from okgin_fast.adapters.openspiel.ids import (
    DRAW_STOCK,
    DRAW_UPCARD,
    KNOCK,
    PASS,
    Phase,
    State,
    game_of,
    new_state,
    number_of,
    rules_of,
)
from okgin_fast.cards import DECK, Card, Hand
from okgin_fast.core.belief import sample_hands
from okgin_fast.deal import Action, Deal, View
from okgin_fast.errors import IllegalActionError

__all__ = ["deal_of", "state_of", "wall_view"]

_STOCK = 31
_WALL = 2
"""OpenSpiel's deal is over, but for a last knock, when a throw leaves this many cards."""

# --- a view as a state ---------------------------------------------------------------------


class _History(NamedTuple):
    """A deal as far as it is public: who moves first, the first upcard, what was played."""

    first: int
    upcard: Card
    moves: tuple[Action, ...]


def state_of(view: View, seed: int) -> State:
    """Make a state of OpenSpiel's in which the mover sees what the view shows.

    Parameters
    ----------
    view : View
        Of the seat that is to move.
    seed : int
        0 to 2**64 - 1, for the other hand; it is drawn as `okgin_fast.core.belief` does.

    Returns
    -------
    pyspiel.State
        With the view's knock limit and bonuses, whatever the rest of its rules. It has the view's
        history, and where that is unknown or OpenSpiel would have ended the deal in it, a history
        that leads to the same hand, pile, stock and known cards. (With fewer than three cards in
        the stock before a draw, where OpenSpiel allows none, the oldest cards of the pile are back
        in the stock.)

    Raises
    ------
    IllegalActionError
        It is not the turn of the view's seat.

    Examples
    --------
    >>> view = View.from_position("hand=AS2S3S7H7D7CKDQD9C4H upcard=6D dealer=opponent")
    >>> state = state_of(view, seed=1)
    >>> state.current_player(), state.knock_card(), Hand(state.hands()[0]) == view.hand
    (0, 6, True)
    """
    other = sample_hands(view, 1, seed)[0]
    hands = (view.hand, other) if view.seat == 0 else (other, view.hand)
    start = new_state(game_of(view.rules, view.limit))
    draws = [action.kind for action in view.actions].count("draw") + (view.phase == "draw")
    if view.actions and draws <= _STOCK - _WALL:
        told = _History(1 - view.dealer, view.upcard, view.actions)
        state = _played(start.clone(), told, hands)
        if state is not None:
            return state
    state = _played(start, _made_up(view, other), hands)
    assert state is not None
    return state


def _played(state: State, history: _History, hands: Sequence[Hand]) -> State | None:
    """Play a history that ends with these hands; None if OpenSpiel does not go along."""
    dealt, drawn = _dealt(history, hands)
    for hand in (dealt[history.first], dealt[1 - history.first]):
        for card in hand:
            state.apply_action(int(card))
    state.apply_action(int(history.upcard))
    for action in history.moves:
        number = number_of(action)
        if number not in state.legal_actions():
            return None
        state.apply_action(number)
        if number == DRAW_STOCK:
            state.apply_action(int(drawn.pop(0)))
    return None if state.is_terminal() else state


def _dealt(history: _History, hands: Sequence[Hand]) -> tuple[list[Hand], list[Card]]:
    """The hands as dealt and the cards drawn since, so that the history ends with these hands.

    Who draws cannot be seen to draw: if possible it is what he throws next, in any case a card that
    he has not taken from the pile.
    """
    turns = []
    seat, taken = history.first, [Hand(), Hand()]
    for number, action in enumerate(history.moves, 1):
        thrown = history.moves[number].card if number < len(history.moves) else None
        turns.append((seat, action, taken[seat], thrown))
        if action.kind == "take":
            taken[seat] |= _card(action)
        elif action.kind == "discard":
            taken[seat] -= _card(action)
        if action.kind in ("pass", "discard"):
            seat = 1 - seat
    before, drawn = list(hands), []
    for seat, action, kept, thrown in reversed(turns):
        if action.kind == "discard":
            before[seat] |= _card(action)
        elif action.kind == "take":
            before[seat] -= _card(action)
        elif action.kind == "draw":
            free = before[seat] - kept
            drawn.append(thrown if thrown is not None and thrown in free else min(free))
            before[seat] -= drawn[-1]
    return before, drawn[::-1]


def _card(action: Action) -> Card:
    assert action.card is not None
    return action.card


def _made_up(view: View, other: Hand) -> _History:
    """A history after which the pile, the stock and what is known of the other hand are right.

    At first known cards change hands, then every turn draws from the stock and throws the next card
    of the pile.
    """
    me, him = view.seat, 1 - view.seat
    if view.phase == "upcard":
        return _History(1 - view.dealer, view.upcard, (Action("pass"),) * (me == view.dealer))
    pile = [*view.pile, *([] if view.taken is None else [view.taken])]
    pile = pile[max(0, len(pile) + _WALL - _STOCK) :]
    bottom, turns = pile[0], pile[1:]
    beginner = him if len(turns) % 2 else me
    if view.known or not (turns or view.phase == "throw"):
        known = list(view.known) or [min(other)]
        first, upcard = him, known[0]
        moves = _exchange(known, list(view.hand - pile), bottom, beginner == him)
    else:
        first, upcard, moves = beginner, bottom, [Action("pass"), Action("pass")]
        if not turns and view.taken is not None:
            moves = []
    for card in turns:
        moves += [Action("draw"), Action("discard", card)]
    if view.phase == "throw":
        moves.append(Action("draw") if view.taken is None else Action("take", view.taken))
    return _History(first, upcard, tuple(moves))


def _exchange(known: list[Card], mine: list[Card], bottom: Card, his_turn: bool) -> list[Action]:
    """He takes the known cards, of which the first is the upcard; `bottom` is thrown last.

    I throw him the others, each for a card of mine that he throws me.
    """
    moves: list[Action] = []
    upcards = [*known[1:], bottom]
    for number, (card, after) in enumerate(zip(known, upcards, strict=True), 1):
        moves.append(Action("take", card))
        if number == len(known) and not his_turn:
            moves.append(Action("discard", bottom))
        else:
            back = mine[number - 1]
            moves += [Action("discard", back), Action("take", back), Action("discard", after)]
    return moves


# --- a state as a deal and a view ----------------------------------------------------------

_MOVES = {DRAW_STOCK: Action("draw"), PASS: Action("pass")}


def deal_of(state: State) -> Deal:
    """Play a state of OpenSpiel's again on our table, up to a knock.

    Parameters
    ----------
    state : pyspiel.State
        Of a deal that players act in: all cards are dealt, none is being drawn.

    Returns
    -------
    Deal
        Its seat 0 is player 0, who moves first. At OpenSpiel's wall the last throw has been taken
        up again, as its knock there does; else the deal would be over.

    Raises
    ------
    IllegalActionError
        The state is at a chance node.
    """
    if state.is_chance_node():
        raise IllegalActionError("the state is at a chance node: cards are still to be dealt")
    rules = rules_of(state.get_game())
    history = state.history()
    dealt, numbers = history[:21], iter(history[21:])
    moves, drawn = [], []
    for number in numbers:
        if number == KNOCK:
            break
        moves.append(number)
        if number == DRAW_STOCK:
            drawn.append(next(numbers))
    at_wall = state.current_phase() == Phase.WALL
    rest = Hand(DECK) - Hand(dealt) - Hand(drawn)
    deal = Deal.from_cards(
        replace(rules, wall_size=_WALL - 1) if at_wall else rules,
        (dealt[:10], dealt[10:20]),
        dealt[20],
        [*drawn, *rest],
        dealer=1,
    )
    for number in [*moves, DRAW_UPCARD] if at_wall else moves:
        if number == DRAW_UPCARD:
            deal.apply(Action("take", deal.pile[-1]))
        else:
            deal.apply(_MOVES.get(number) or Action("discard", number))
    return deal


def wall_view(deal: Deal, seat: int) -> View:
    """What a seat sees at OpenSpiel's wall, where its rules let it knock with the last throw.

    The deal is `deal_of`'s: the throw has been taken up. In the view a discard reaches the wall,
    which is worth nothing to both, as is passing at OpenSpiel's wall.
    """
    parts = deal.view(seat)._parts()
    return View._of_parts(**{**parts, "rules": replace(deal.rules, wall_size=_WALL)})
