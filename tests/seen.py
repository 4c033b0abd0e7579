"""What an observation and a mask must hold, written down from what the seats see of a deal."""

from __future__ import annotations

from collections.abc import Iterable

from okgin_fast import Deal
from okgin_fast.core.encoding import N_ACTIONS

PHASES = ["upcard", "draw", "throw", "over"]


def cards_as_bytes(cards: Iterable[int]) -> list[int]:
    present = {int(card) for card in cards}
    return [int(card in present) for card in range(52)]


def expected_observation(deal: Deal, seat: int) -> list[int]:
    """Return the parts one after the other, as the documentation lists them."""
    view = deal.view(seat)
    kinds = [action.kind for action in view.actions]
    passes = len(kinds) if set(kinds) <= {"pass"} else 0
    return [
        *cards_as_bytes(deal.hand(seat)),
        *cards_as_bytes(view.known),
        *cards_as_bytes(deal.view(1 - seat).known),
        *cards_as_bytes(view.refused),
        *cards_as_bytes(view.pile),
        *cards_as_bytes(view.pile[-1:]),
        *cards_as_bytes([view.upcard]),
        *cards_as_bytes([] if view.taken is None else [view.taken]),
        *[int(view.phase == phase) for phase in PHASES],
        passes,
        view.stock,
        view.limit,
        view.rules.multiplier(view.upcard),
        min(view.turn, 255),
        int(view.dealer == seat),
        int(view.to_move == seat),
    ]


def expected_mask(deal: Deal, seat: int) -> list[int]:
    """Return a 1 at the number of each legal action, by the table of the documentation."""
    numbers = set()
    for action in deal.view(seat).legal_actions():
        if action.kind == "discard":
            numbers.add(3 + int(action.card))
        elif action.kind in ("knock", "gin"):
            numbers.add(55 + int(action.card))
        else:
            numbers.add({"pass": 0, "draw": 1, "take": 2, "big gin": 107}[action.kind])
    return [int(number in numbers) for number in range(N_ACTIONS)]
