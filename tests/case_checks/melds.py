"""Cases of hands: melds, throws, lay-offs, the choice of a spread, cards as text."""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers import cards, melds, whole_deal

import okgin_fast as og
from case_checks.shared import (
    EAAI,
    LOOSE0,
    LOOSE1,
    SIDES,
    Case,
    as_sets,
    hand_of,
    of_case,
    of_kind,
    play,
    runs_and,
    table_of,
    words,
)
from okgin_fast.cards import DECK, Card, Hand, parse_cards
from okgin_fast.core.meld import all_melds
from okgin_fast.errors import CardError, IllegalActionError, PositionError

# --- melds, throws, lay-offs ----------------------------------------------------------------------


@of_kind("min_deadwood")
def min_deadwood(given: Case, expected: Case) -> None:
    hand = hand_of(given["hand"])
    assert og.deadwood(hand) == og.deadwood(hand.mask) == expected["min_deadwood"]
    assert og.batch.deadwood(np.array([hand.mask], dtype=np.uint64))[0] == expected["min_deadwood"]
    assert og.best_spread(hand).deadwood == expected["min_deadwood"]
    minimal = og.spreads(hand)
    assert og.best_spread(hand) in minimal
    assert melds(expected["example_melds"]) in {as_sets(spread.melds) for spread in minimal}
    left = {str(spread.unmelded) for spread in minimal}
    assert left == {str(Hand(text)) for text in expected["all_optimal_deadwood_sets"]}


@of_kind("discard")
def discard(given: Case, expected: Case) -> None:
    hand, taken, limit = hand_of(given["hand11"]), given["taken_from_pile"], given["knock_limit"]
    assert og.deadwood(hand) == expected["min_deadwood_of_11"]
    assert (og.deadwood(hand) == 0) == expected["big_gin"]
    rows = og.discards(hand, limit=limit, taken=taken)
    least = rows[0].deadwood
    assert least == expected["best_after_discard"]
    assert {row.card for row in rows if row.deadwood == least} == cards(expected["best_discards"])
    assert {row.card for row in rows if row.gin} == cards(expected["gin_discards"])
    assert {row.card for row in rows if row.knock} == cards(expected["knock_discards"])
    if taken:
        assert og.discards(hand)[0].deadwood == expected["best_if_take_back_were_allowed"]
        assert Card(taken) not in [row.card for row in rows]


@of_kind("layoff")
def layoff(given: Case, expected: Case) -> None:
    table, defender = table_of(given["knocker_melds"]), hand_of(given["defender_hand"])
    if expected["layoffs_allowed"]:
        found = og.layoff(defender, table)
        assert found.deadwood == found.left.points == expected["defender_deadwood"]
        together = [*found.melds, Hand(card for card, _ in found.laid_off), found.left]
        assert sum(hand.mask for hand in together) == defender.mask
    if "result" in expected:
        knocker_deadwood = given["knocker_deadwood"]
        spread = og.Spread(
            tuple(table), loose_of(table, defender, knocker_deadwood), knocker_deadwood
        )
        result = og.settle(spread, defender, EAAI, "KH")
        assert result.kind == expected["result"]
        assert result.winner == SIDES[expected["winner"]]
        assert result.points == expected["points_at_25_25"]
        assert result.knocker_deadwood == expected["knocker_deadwood"]
        assert result.defender_deadwood == expected["defender_deadwood"]
        if not expected["layoffs_allowed"]:
            assert result.layoff is None or not result.layoff.laid_off


def loose_of(table: list[Hand], defender: Hand, points: int) -> Hand:
    """Return the cards that make the melds ten, worth `points`, from those nobody else holds."""
    used = Hand(sum(hand.mask for hand in table)) | defender
    missing = 10 - sum(map(len, table))
    free = [card for card in Hand(DECK) if card not in used]
    rng = random.Random(points)
    while True:
        loose = Hand(rng.sample(free, missing))
        if loose.points == points:
            return loose


@of_kind("spread_choice")
def spread_choice(given: Case, expected: Case) -> None:
    hand, defender = hand_of(given["knocker_hand10"]), hand_of(given["defender_hand"])

    def net(spread: og.Spread) -> int:
        result = og.settle(spread, defender, EAAI, "KH")
        return result.points if result.winner == 0 else -result.points

    tied, legal = og.spreads(hand), og.spreads(hand, given["knock_limit"])
    by_melds = {as_sets(spread.melds): spread for spread in legal}
    best, worst = (by_melds[melds(expected[f"{end}_tied_spread"])] for end in ("best", "worst"))
    assert og.deadwood(hand) == expected["knocker_min_deadwood"]
    assert max(map(net, tied)) == net(best) == expected["net_best_tied"]
    assert min(map(net, tied)) == net(worst) == expected["net_worst_tied"]
    for spread, name in ((best, "best"), (worst, "worst")):
        result = og.settle(spread, defender, EAAI, "KH")
        assert result.defender_deadwood == expected[f"defender_deadwood_{name}_tied"]
    dearer = by_melds[melds(expected["best_any_legal_spread"])]
    assert max(map(net, legal)) == net(dearer) == expected["net_best_any_legal_spread"]
    assert dearer.deadwood == expected["deadwood_best_any_legal_spread"]
    # The best legal spread can also be shown in a deal, by naming it.
    shown = " ".join(meld.text(sep="") for meld in dearer.melds)
    loose = next(card for card in reversed(list(Hand(DECK))) if card not in hand | defender)
    free = [card for card in Hand(DECK) if card not in hand | defender and card != loose]
    deal = og.Deal.from_cards(EAAI, (defender, hand), free[0], [loose, *free[1:]], dealer=0)
    play(deal, "pass", "pass", "draw", f"knock {loose}: {shown}")
    assert deal.result is not None
    points = deal.result.points if deal.result.winner == 1 else -deal.result.points
    assert points == expected["net_best_any_legal_spread"]


@of_kind("declare")
def declare(given: Case, expected: Case) -> None:
    """R006: a spread that shows a card not held is refused, and the hand is as it was."""
    hand = hand_of(given["hand"])
    free = [card for card in Hand(DECK) if card not in hand and card != Card("JC")]
    deal = og.Deal.from_cards(EAAI, (Hand(free[:10]), hand), free[10], dealer=0, seed=1)
    play(deal, "pass", "pass", "draw")
    before = deal.clone()
    drawn = deal.hand(1) - hand
    with pytest.raises(IllegalActionError, match="JC"):
        deal.apply(f"knock {drawn}: 9CTCJC 6H7H8H")
    assert deal == before
    assert deal.hand(1) == hand | drawn
    assert expected["accepted"] is expected["exception"] is False


@of_kind("validate_meld")
def validate_meld(given: Case, expected: Case) -> None:
    every = set(all_melds())
    for words_, answer in zip(given["cards_list"], expected["is_meld"], strict=True):
        hand = hand_of(words_)
        assert (hand in every) is answer
        assert (og.best_spread(hand).deadwood == 0) is answer
        with pytest.raises(CardError, match="not a meld"):
            og.layoff("7D", [hand])
    for text, answer in expected["control"].items():
        assert (Hand(text) in every) is answer
        assert (og.deadwood(text) == 0) is answer


@of_kind("knock_legality")
def knock_legality(given: Case, expected: Case) -> None:
    """R065: deadwood up to the limit, not only exactly at it."""
    upcard = Card(f"{given['limit']}D")
    for count, legal in zip(given["counts"], expected["legal"], strict=True):
        spread = runs_and(count)
        hand = Hand(sum(meld.mask for meld in spread.melds)) | spread.unmelded
        if upcard in hand:
            upcard = Card(f"{given['limit']}C")
        free = [
            c
            for c in reversed(list(Hand(DECK)))
            if c not in hand and c != upcard and c != Card("KH")
        ]
        deal = og.Deal.from_cards(
            "oklahoma", (Hand(free[:10]), hand), upcard, ["KH", *free[10:]], dealer=0
        )
        play(deal, "pass", "pass", "draw")
        assert deal.limit == given["limit"]
        ends = {word for word in words(deal) if word.endswith(" KH")} - {"discard KH"}
        assert bool(ends) is legal
        rows = {row.card: row.knock for row in og.discards(hand | "KH", limit=given["limit"])}
        assert rows[Card("KH")] is legal


@of_case("R097")
def gin_by_throwing_back(given: Case, expected: Case) -> None:
    melded = "2S 3S 4S 7C 7D 7H 9D TD JD QD"
    deal = og.Deal.from_cards(
        EAAI, ("AS 5S 8S JS AC 4C 9C QC 6H TH", melded), given["taken"], dealer=0
    )
    play(deal, f"take {given['taken']}")
    before = deal.clone()
    for verb in ("gin", "knock", "discard"):
        assert f"{verb} {given['discard']}" not in words(deal)
        with pytest.raises(IllegalActionError, match=given["discard"]):
            deal.apply(f"{verb} {given['discard']}")
    assert deal == before
    assert expected == {"legal": False}


# --- cards ----------------------------------------------------------------------------------------


@of_kind("parse")
def parse(given: Case, expected: Case) -> None:
    assert Hand(given["text"]) == Hand(expected["parsed"])
    assert len(Hand(given["text"])) == 4
    for text in (given["text"].lower(), given["text"].upper()):
        assert Hand(text) == Hand(expected["parsed"])
    three, four = (Hand(text) for text in given["candidates"])
    assert three != four == Hand(given["text"])


@of_kind("value")
def value(given: Case, expected: Case) -> None:
    assert [Card(word).points for word in given["cards"]] == expected["values"]
    assert hand_of(given["cards"]).points == og.deadwood(given["cards"]) == sum(expected["values"])


@of_kind("deck")
def deck(given: Case, expected: Case) -> None:
    symbols = Hand(DECK).text(symbols=True)
    assert parse_cards(symbols) == parse_cards(str(Hand(DECK))) == list(Hand(DECK))
    assert len(Hand(DECK)) == expected["deck_size"]
    assert len(set(og.Deal("oklahoma", seed=1).cards)) == expected.get("distinct", 52)
    if "tens" in expected:
        tens = {card for card in og.Deal("oklahoma", seed=1).cards if card.rank == 9}
        assert tens == cards(expected["tens"])


@of_case("R090")
def a_card_in_both_hands(given: Case, expected: Case) -> None:
    twice = expected["error"].split(": ")[1].split()
    with pytest.raises(CardError) as refused:
        og.Deal.from_cards("standard", (hand_of(given["hand_a"]), hand_of(given["hand_b"])), "2H")
    assert all(word in str(refused.value) for word in twice)


@of_case("R112")
def hands_of_a_wrong_size(given: Case, expected: Case) -> None:
    for size in given["hand_sizes"]:
        hand = Hand(list(Hand(DECK))[:size])
        with pytest.raises(PositionError, match="10") as refused:
            og.View.from_position(f"hand={hand.text(sep='')} upcard=KH")
        assert all(word in str(refused.value) for word in ("10", "11", str(size)))
        if size != 10:
            with pytest.raises(CardError, match="10"):
                og.Deal.from_cards("standard", (hand, LOOSE1), "KH")


@of_case("R141")
def a_card_in_the_stock_and_elsewhere(given: Case, expected: Case) -> None:
    stock = list(whole_deal(LOOSE0, LOOSE1, given["card"])["stock"])
    for one_too_many in ([*stock, given["card"]], [given["card"], *stock[1:]]):
        with pytest.raises(CardError) as refused:
            og.Deal.from_cards("standard", (LOOSE0, LOOSE1), given["card"], one_too_many)
        assert given["card"] in str(refused.value)


@of_case("R142")
def a_card_twice_in_a_hand(given: Case, expected: Case) -> None:
    with pytest.raises(CardError, match=expected["error"]):
        hand_of(given["hand"])
    with pytest.raises(CardError, match=expected["error"]):
        og.deadwood(given["hand"])
