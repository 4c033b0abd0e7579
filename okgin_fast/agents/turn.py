"""What every player begins with: a seed, and what he may do now if it is his turn at all."""

from __future__ import annotations

from okgin_fast.deal import Action, View
from okgin_fast.errors import IllegalActionError, OkginError, quote

__all__ = ["checked_seed", "legal_now"]


def checked_seed(seed: int) -> int:
    """Give a player's seed back, if it is one.

    Raises
    ------
    OkginError
        No whole number from 0 to 2**64 - 1.
    """
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise OkginError(f"seed={quote(seed)}: a seed is a whole number from 0 to 2**64 - 1")
    return seed


def legal_now(view: View) -> list[Action]:
    """The legal actions of the seat whose view it is, of which there are some.

    Raises
    ------
    IllegalActionError
        The deal is over, or it is the other seat's turn.
    """
    legal = view.legal_actions()
    if not legal:
        over = view.phase == "over"
        why = "the deal is over" if over else f"it is the turn of seat {view.to_move}"
        raise IllegalActionError(f"seat {view.seat} has nothing to do: {why}")
    return legal
