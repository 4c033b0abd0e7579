"""What every player begins with: what he may do now, if it is his turn at all."""

from __future__ import annotations

from okgin_fast.deal import Action, View
from okgin_fast.errors import IllegalActionError

__all__ = ["legal_now"]


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
