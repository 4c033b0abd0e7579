"""Cases of the course of a deal, and of what a seat may know of it."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from helpers import cards, whole_deal

import okgin_fast as og
from case_checks.shared import (
    EAAI,
    LOOSE0,
    LOOSE1,
    LOOSE2,
    NEARLY_GIN,
    Case,
    hand_of,
    of_case,
    of_kind,
    play,
    wall_deal,
    words,
)
from okgin_fast.cards import DECK, Hand
from okgin_fast.core.deal import ENDINGS
from okgin_fast.errors import IllegalActionError, OkginError

# --- the course of a deal -------------------------------------------------------------------------


@of_case("R012")
def every_deal_is_a_whole_deck(given: Case, expected: Case) -> None:
    match = og.Match("eaai", seed=12)
    agents = [og.agent("simple", seed=seat) for seat in (0, 1)]
    for _ in range(6):
        if match.over:
            break
        deal = match.next_deal()
        parts = [deal.hand(0), deal.hand(1), Hand(deal.pile), Hand(deal.stock)]
        assert list(map(len, parts)) == [10, 10, 1, 31]
        assert sum(part.mask for part in parts) == DECK
        while deal.to_move is not None:
            deal.apply(agents[deal.to_move].act(deal.view(deal.to_move)))
        match.record(deal.result)
    for hands in ([LOOSE0], [LOOSE0, LOOSE1, "KH KD KC QS QH JC JH TC TD 9S"]):
        with pytest.raises(OkginError, match="two"):
            og.Deal.from_cards("standard", hands, "3D")


@of_case("R026")
def random_playouts_are_zero_sum(given: Case, expected: Case) -> None:
    for rules in ("oklahoma", "standard", "open-spiel"):
        played = og.batch.playouts(rules, 10_000, seed=26)
        assert played.points.shape == (10_000,)
        nothing = [ENDINGS.index("dead"), ENDINGS.index("tie")]
        assert np.array_equal(played.points == 0, np.isin(played.ending, nothing))
    rng = random.Random(26)
    for seed in range(1_000):
        deal = og.Deal("oklahoma", seed=seed)
        while deal.phase != "over":
            deal.apply(rng.choice(deal.legal_actions()))
        assert deal.result is not None
        assert (deal.result.winner is None) == (deal.result.points == 0)


@of_case("R030")
def gin_from_the_pile(given: Case, expected: Case) -> None:
    after, hand = expected["after_take_JH_gin"], hand_of(given["to_move_hand10"])
    taken, other = given["pile_top"], hand_of(given["other_hand10"])
    rows = og.discards(hand | taken, taken=taken)
    assert {row.card for row in rows if row.gin} == cards(after["gin_discards"])
    assert (og.deadwood(hand | taken) == 0) is after["eleven_melded"]
    deal = og.Deal.from_cards(EAAI, (other, hand), taken, dealer=0, seed=1)
    play(deal, f"take {taken}")
    gins = {word for word in words(deal) if word.startswith("gin")}
    assert gins == {f"gin {card}" for card in after["gin_discards"]}
    play(deal, "gin AS")
    assert deal.result is not None
    assert (deal.result.kind, deal.result.winner) == ("gin", 1)
    assert deal.result.layoff is None or not deal.result.layoff.laid_off
    assert deal.result.defender_deadwood == after["defender_deadwood"]
    assert deal.result.points == after["points_at_25"]
    # Here nobody has a turn with two cards in the stock: the discard that leaves two ends the deal.
    assert len(wall_deal().stock) == given["stock_left"]
    assert wall_deal().phase == "over"


@of_case("R041")
def the_drawn_card_may_be_thrown(given: Case, expected: Case) -> None:
    cards_ = whole_deal(LOOSE0, LOOSE1, "3D", first=given["drawn"])
    deal = play(og.Deal.from_cards("oklahoma", **cards_, dealer=0), "pass", "pass", "draw")
    assert (f"discard {given['discard']}" in words(deal)) is expected["legal"]
    deal.apply(f"discard {given['discard']}")
    assert (deal.to_move == 0) is expected["turn_passes"]


@of_case("R042")
def a_draw_registers_once(given: Case, expected: Case) -> None:
    deal = play(og.Deal("oklahoma", seed=42, dealer=0), "pass", "pass")
    top, before = deal.stock[0], len(deal.stock)
    deal.apply("draw")
    assert (len(deal.hand(1)), len(deal.stock), deal.phase) == (11, before - 1, "throw")
    assert top in deal.hand(1)
    with pytest.raises(IllegalActionError):
        deal.apply("draw")
    assert len(deal.hand(1)) == 11


@of_case("R044")
def gin_is_offered_not_forced(given: Case, expected: Case) -> None:
    cards_ = whole_deal(LOOSE2, NEARLY_GIN, "3C", first="TH")
    deal = play(og.Deal.from_cards("standard", **cards_, dealer=0), "pass", "pass", "draw")
    assert deal.phase == "throw"
    assert {"gin 9D", "discard 9D", "discard TH"} <= set(words(deal))
    deal.apply("discard 9D")
    assert (deal.phase, deal.to_move, deal.result) == ("draw", 0, None)


@of_case("R045")
def sorting_changes_nothing(given: Case, expected: Case) -> None:
    deal = og.Deal("oklahoma", seed=45)
    before = deal.clone()
    for order in ("suit", "rank"):
        assert Hand(deal.hand(0).text(order=order)) == deal.hand(0)
        assert Hand(deal.view(1).hand.text(order=order, symbols=True)) == deal.hand(1)
    assert deal == before
    assert deal.to_move == before.to_move


@of_case("R063")
def a_refused_upcard_is_not_offered_again(given: Case, expected: Case) -> None:
    deal = play(og.Deal("oklahoma", seed=63, dealer=0), "pass", "pass")
    assert (deal.to_move, words(deal)) == (1, ["draw"])
    with pytest.raises(IllegalActionError):
        deal.apply(f"take {deal.upcard}")
    assert words(deal.clone()) == ["draw"]


@of_case("R071")
def saved_and_loaded_deals_are_whole(given: Case, expected: Case) -> None:
    deal = og.Deal("oklahoma", seed=71)
    rng = random.Random(71)
    while deal.phase != "over":
        loaded = pickle.loads(pickle.dumps(deal))
        parts = [loaded.hand(0), loaded.hand(1), Hand(loaded.pile), Hand(loaded.stock)]
        assert sum(part.mask for part in parts) == DECK
        assert sum(map(len, parts)) == 52
        assert loaded == deal
        deal.apply(rng.choice(deal.legal_actions()))
    record = deal.to_json()
    assert og.Deal.from_json(record) == deal
    dealt, last = str(deal.cards[0]), str(deal.cards[-1])
    with pytest.raises(OkginError, match=last):
        og.Deal.from_json(record.replace(dealt, last))


@of_kind("cli")
def a_knock_that_is_not_finished(given: Case, expected: Case) -> None:
    """R017: a knock that spreads too little moves no card; nor does one that is taken back."""
    cards_ = whole_deal(LOOSE2, NEARLY_GIN, "3C", first="TH")
    deal = play(og.Deal.from_cards("standard", **cards_, dealer=0), "pass", "pass", "draw")
    before, hand = deal.clone(), deal.hand(1)
    with pytest.raises(IllegalActionError):
        deal.apply("knock 9D: 7C7D7H")
    for knock in ("gin 9D", "knock 9D: AS2S3S4S 7C7D7H THJHQH"):
        assert deal == before
        deal.apply(knock)
        assert deal.phase == "over"
        deal.undo()
    assert (deal.hand(1), len(hand), deal.to_move, deal.phase) == (hand, 11, 1, "throw")
    assert deal == before


# --- what a seat may know -------------------------------------------------------------------------


def check_hidden(deal: og.Deal, seat: int) -> None:
    """No card of the other hand or of the stock is in the view, but those taken openly."""
    view = deal.view(seat)
    shown = view.hand | Hand(view.pile) | view.known
    hidden = Hand(deal.stock) | (deal.hand(1 - seat) - view.known)
    assert not shown & hidden
    assert view.unseen >= hidden
    assert view.known <= deal.hand(1 - seat)
    drawn = [event.card for event in view.events if event.kind == "draw"]
    assert drawn == [None] * len(drawn)
    other = deal.view(1 - seat)
    assert view != other
    # Nothing that hangs on hidden cards: exchange one of his with one of the stock.
    loose = deal.hand(1 - seat) - view.known
    if deal.phase != "over" and not deal.actions and loose:
        swapped = {min(loose): deal.stock[-1], deal.stock[-1]: min(loose)}
        hands = [Hand(swapped.get(card, card) for card in deal.hand(side)) for side in (0, 1)]
        stock = [swapped.get(card, card) for card in deal.stock]
        twin = og.Deal.from_cards(deal.rules, hands, deal.upcard, stock, deal.dealer, deal.seed)
        assert twin.view(seat) == view
        assert pickle.dumps(twin.view(seat)) == pickle.dumps(view)


@of_case("R073")
def a_view_hides_the_other_hand_and_the_stock(given: Case, expected: Case) -> None:
    for seed in range(8):
        deal, rng = og.Deal("standard", seed=seed), random.Random(seed)
        while deal.phase != "over":
            check_hidden(deal, 0)
            check_hidden(deal, 1)
            deal.apply(rng.choice(deal.legal_actions()))


@of_case("R034")
def the_knocker_sees_no_unlaid_cards(given: Case, expected: Case) -> None:
    """A knock is settled at once: no view exists between it and the lay-offs."""
    cards_ = whole_deal(
        "4H 5H 8C TC KC KS 2D 6D QD 9D", "AH 2H 3H 7C 7D 7S JH QH KH 4D", "3C", "TD"
    )
    deal = play(og.Deal.from_cards("standard", **cards_, dealer=0), "pass", "pass", "draw")
    check_hidden(deal, 1)
    deal.apply("knock TD")
    assert (deal.phase, deal.to_move) == ("over", None)
    assert deal.result is not None
    assert deal.result.layoff is not None
    assert {str(card) for card, _ in deal.result.layoff.laid_off} == {"4H", "5H"}
    knocker = deal.view(1)
    assert knocker.hand == deal.hand(1)
    assert not (knocker.hand | Hand(knocker.pile) | knocker.known) & deal.result.layoff.left
    assert all(event.card is None or event.card in deal.pile for event in knocker.events)
