"""The luck of a draw: its law, cases played out in plain Python, and what it must not see."""

from __future__ import annotations

import random
from typing import Any

import pytest

import okgin_fast as og
from okgin_fast import IllegalActionError, OkginError
from okgin_fast.core.luck import draw_luck
from okgin_fast.core.policy import FOR_GIN
from okgin_fast.core.rng import derive_seed


def at_a_draw(rules: str, seed: int, stock: int = 32) -> og.Deal:
    """Return a deal that has come to a draw with at most so many cards in the stock."""
    deal = og.Deal(rules, seed=seed)
    while deal.phase != "draw" or len(deal.stock) > stock:
        throws = [action for action in deal.legal_actions() if action.kind == "discard"]
        deal.apply({"upcard": "pass", "draw": "draw"}.get(deal.phase) or throws[0])
    return deal


def with_stock(deal: og.Deal, stock: list[og.Card]) -> og.Deal:
    """Return the deal with another order of the stock that is left."""
    drawn = 31 - len(stock)
    cards = [*deal.cards[: 21 + drawn], *stock]
    hands = cards[:10], cards[10:20]
    other = og.Deal.from_cards(deal.rules, hands, cards[20], cards[21:], deal.dealer)
    for action in deal.actions:
        other.apply(action)
    return other


def next_first(deal: og.Deal, card: og.Card) -> og.Deal:
    """Return the deal with that card of the stock on top."""
    return with_stock(deal, [card, *(one for one in deal.stock if one != card)])


def played_out(deal: og.Deal) -> int:
    """Draw, and play on by the policy; what seat 0 wins."""
    deal.apply("draw")
    while deal.to_move is not None:
        deal.apply(FOR_GIN.act(deal.view(deal.to_move)))
    assert deal.result is not None
    return {0: 1, 1: -1, None: 0}[deal.result.winner] * deal.result.points


@pytest.mark.parametrize("rules", ["eaai", "oklahoma-spades", "straight", "modern"])
@pytest.mark.parametrize("stock", [31, 12])
def test_over_all_cards_of_the_stock_it_adds_up_to_nothing(rules: str, stock: int) -> None:
    deal = at_a_draw(rules, 5, stock)
    lucks = [draw_luck(next_first(deal, card), 7, seed=3) for card in deal.stock]
    assert sum(lucks) == pytest.approx(0, abs=1e-9)
    assert max(lucks) > 0


@pytest.mark.parametrize("seed", range(1, 21))
def test_the_last_draw_of_a_deal_is_known_exactly(seed: int) -> None:
    deal = at_a_draw("oklahoma", seed, stock=3)  # two stay at the wall: nobody draws after this
    assert len(deal.stock) == 3
    worth = {card: played_out(next_first(deal, card)) for card in deal.stock}
    expected = worth[deal.stock[0]] - sum(worth.values()) / 3
    assert draw_luck(deal, 1) == pytest.approx(expected)
    assert draw_luck(deal, 100, seed=9) == pytest.approx(expected)


def test_an_early_draw_is_the_mean_of_many_plays_by_hand() -> None:
    rng = random.Random(8)
    deal = at_a_draw("oklahoma", 4, stock=11)
    first, *others = deal.stock
    sampled = []
    for _ in range(1500):
        rest = rng.sample(others, len(others))
        anything = rng.sample(deal.stock, len(deal.stock))
        with_it = played_out(with_stock(deal, [first, *rest]))
        sampled.append(with_it - played_out(with_stock(deal, anything)))
    mean = sum(sampled) / len(sampled)
    error = (sum((one - mean) ** 2 for one in sampled)) ** 0.5 / len(sampled)
    assert abs(draw_luck(deal, 10_000) - mean) < 4 * error


def test_the_order_of_the_stock_below_its_top_is_not_seen() -> None:
    deal = at_a_draw("oklahoma", 6, 20)
    first, *rest = deal.stock
    other = with_stock(deal, [first, *reversed(rest)])
    assert draw_luck(deal, 5, seed=2) == draw_luck(other, 5, seed=2)


def test_the_deal_stays_as_it_is() -> None:
    deal = at_a_draw("oklahoma", 7)
    before = deal.stock, deal.hand(0), deal.hand(1), deal.actions, deal.phase
    draw_luck(deal, 3)
    assert (deal.stock, deal.hand(0), deal.hand(1), deal.actions, deal.phase) == before


def test_over_many_deals_it_is_nothing_on_average_and_explains_the_result() -> None:
    lucks, results = [], []
    for seed in range(300):
        deal, luck = og.Deal("oklahoma", seed=seed), 0.0
        while deal.to_move is not None:
            action = FOR_GIN.act(deal.view(deal.to_move))
            if action.kind == "draw":
                luck += draw_luck(deal, 16, derive_seed(seed, deal.turn))
            deal.apply(action)
        assert deal.result is not None
        lucks.append(luck)
        results.append({0: 1, 1: -1, None: 0}[deal.result.winner] * deal.result.points)
    mean = sum(lucks) / len(lucks)
    error = sum((luck - mean) ** 2 for luck in lucks) ** 0.5 / len(lucks)
    assert abs(mean) < 4 * error
    left = [result - luck for result, luck in zip(results, lucks, strict=True)]
    assert sum(one**2 for one in left) < 0.5 * sum(one**2 for one in results)


@pytest.mark.parametrize("playouts", [0, -1, 1.5, True, "4", 10_001])
def test_bad_numbers_of_playouts(playouts: Any) -> None:
    with pytest.raises(OkginError, match=r"playouts=.*1 to 10,000"):
        draw_luck(at_a_draw("eaai", 1), playouts)


def test_when_nobody_draws() -> None:
    with pytest.raises(IllegalActionError, match="phase upcard: it is not the time to draw"):
        draw_luck(og.Deal("eaai", seed=1), 1)
