"""Deals that look the same to one seat: all that it cannot see is shuffled once more."""

from __future__ import annotations

import random

import okgin_fast as og
from okgin_fast.core.view import exchange


def resampled(deal: og.Deal, seat: int, seed: int = 0) -> og.Deal:
    """Return a deal with other hidden cards, stock and seed, which that seat cannot tell from it.

    Every card that the other one threw or took is public, as is every card that the seat drew.
    What is left of the other's first ten cards and of his draws is shuffled with the stock's rest.
    """
    view, rng = deal.view(seat), random.Random(seed)
    hidden = list(view.unseen)
    turned = rng.sample(hidden, len(hidden))
    if any(event.kind == "reshuffle" for event in view.events):
        other = deal.clone()  # its stock follows from the seed, which has to stay
        for place, card in enumerate(turned):
            exchange(other, hidden[place], card)
            hidden[hidden.index(card)] = hidden[place]
    else:
        swap = dict(zip(hidden, turned, strict=True))
        cards = [swap.get(card, card) for card in deal.cards]
        hands, stock = (cards[:10], cards[10:20]), cards[21:]
        other = og.Deal.from_cards(
            deal.rules, hands, cards[20], stock, deal.dealer, rng.getrandbits(63)
        )
        for action in deal.actions:
            other.apply(action)
    assert other.view(seat) == view
    return other
