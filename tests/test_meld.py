"""The fast solver: equal to the oracle on hands of every kind, and no bad input gets in.

Hypothesis draws uniform hands and dense ones (few neighbouring ranks, one or two suits), where
melds collide.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from helpers import ALL_CARDS, any_hand, dense_pools, hands_from, lay_off_cards
from hypothesis import given, settings
from hypothesis import strategies as st

import okgin_fast as og
from okgin_fast import reference
from okgin_fast.cards import DECK, Card, Hand
from okgin_fast.core import meld
from okgin_fast.errors import CardError, OkginError, RulesError

many = settings(max_examples=250, deadline=None)
few = settings(max_examples=100, deadline=None)


def as_sets(spread: og.Spread) -> frozenset[frozenset[Card]]:
    """Return the spread's melds as the oracle writes them."""
    return frozenset(frozenset(hand) for hand in spread.melds)


def check_spread(spread: og.Spread, hand: Hand) -> None:
    """A spread is disjoint melds of the hand, and tells the truth about the rest."""
    left = hand
    for group in spread.melds:
        assert reference.is_meld(group)
        assert not group - left, "not in the hand, or in two melds"
        left -= group
    assert spread.unmelded == left
    assert spread.deadwood == left.points


# --- deadwood and spreads --------------------------------------------------------------------


@given(any_hand(0, 13))
@many
def test_deadwood_is_the_oracles(hand: Hand) -> None:
    assert og.deadwood(hand) == reference.deadwood(hand)


@given(any_hand(14, 52))
@few
def test_deadwood_of_large_hands_is_the_oracles(hand: Hand) -> None:
    assert og.deadwood(hand) == reference.deadwood_of_many(hand)


def test_deadwood_of_nearly_whole_decks_is_the_oracles() -> None:
    assert og.deadwood(DECK) == 0
    rng = np.random.default_rng(2)
    for missing in (1, 2, 4, 8, 12, 16, 20, 24):
        hand = Hand(DECK) - [int(card) for card in rng.choice(52, missing, replace=False)]
        assert og.deadwood(hand) == reference.deadwood_of_many(hand)


@given(any_hand(0, 13))
@many
def test_best_spread_is_an_arrangement_with_the_least_deadwood(hand: Hand) -> None:
    spread = og.best_spread(hand)
    check_spread(spread, hand)
    assert spread.deadwood == reference.deadwood(hand)


@given(any_hand(6, 12))
@few
def test_best_spread_offers_the_fewest_lay_offs_of_all_that_leave_least(hand: Hand) -> None:
    live = Hand(DECK) - hand
    offers = [len(lay_off_cards(spread.melds, live)) for spread in og.spreads(hand)]
    assert len(lay_off_cards(og.best_spread(hand).melds, live)) == min(offers)


@given(any_hand(14, 52))
@few
def test_best_spread_of_large_hands_is_consistent(hand: Hand) -> None:
    spread = og.best_spread(hand)
    check_spread(spread, hand)
    assert spread.deadwood == og.deadwood(hand)


@given(any_hand(0, 13), st.one_of(st.none(), st.integers(0, 40)))
@settings(max_examples=200, deadline=None)
def test_spreads_are_exactly_the_oracles_once_each(hand: Hand, limit: int | None) -> None:
    found = og.spreads(hand, limit)
    for spread in found:
        check_spread(spread, hand)
    expected = reference.spreads(hand, limit)
    assert len(found) == len(expected)
    assert {as_sets(spread) for spread in found} == set(expected)


def test_a_large_limit_lists_every_arrangement_also_the_empty_one() -> None:
    hand = Hand("5S 6S 7S 7C 7D 7H")
    assert {as_sets(spread) for spread in og.spreads(hand, 1000)} == set(
        reference.arrangements(hand)
    )


@given(any_hand(10, 10))
@few
def test_every_way_of_giving_a_hand_means_the_same(hand: Hand) -> None:
    as_mask, as_text, as_cards = hand.mask, str(hand), list(hand)
    for given_ in (as_mask, as_text, as_cards, [int(card) for card in hand], np.uint64(as_mask)):
        assert og.deadwood(given_) == og.deadwood(hand)
        assert og.best_spread(given_) == og.best_spread(hand)


# --- throws ----------------------------------------------------------------------------------


@given(any_hand(11, 11), st.integers(0, 10), st.one_of(st.none(), st.integers(0, 10)))
@many
def test_all_eleven_throws_are_the_oracles(hand: Hand, limit: int, place: int | None) -> None:
    taken = None if place is None else list(hand)[place]
    found = og.discards(hand, limit, taken)
    expected = reference.throws(hand)
    if taken is not None:
        del expected[taken]
    assert {row.card: row.deadwood for row in found} == expected
    assert len(found) == len(expected)
    for row in found:
        assert isinstance(row, og.Discard)
        assert isinstance(row.card, Card)
        assert row.knock is (row.deadwood <= limit)
        assert row.gin is (row.deadwood == 0)


@given(any_hand(11, 11))
@few
def test_throws_come_best_first_then_higher_rank_then_lower_suit(hand: Hand) -> None:
    order = [(row.deadwood, -row.card.rank, row.card.suit) for row in og.discards(hand)]
    assert all(one < next_ for one, next_ in pairwise(order))


def test_the_usual_limit_is_ten_and_nothing_is_banned() -> None:
    hand = "AC 8C 3D 7D JD 7H JH 2S 4S 7S JS"
    assert og.discards(hand) == og.discards(hand, 10) == og.discards(hand, limit=10, taken=None)
    assert [str(row.card) for row in og.discards(hand) if row.knock] == ["8C"]


# --- lay-offs --------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> tuple[Hand, list[Hand]]:
    """Draw one to three melds and a defender, often from the cards next to them."""
    pool = draw(st.one_of(st.just(ALL_CARDS), dense_pools()))
    free = set(pool)
    table = []
    for _ in range(draw(st.integers(1, 3))):
        possible = [group for group in reference.all_melds(free) if len(group) <= 5]
        if possible:
            table.append(Hand(draw(st.sampled_from(possible))))
            free -= set(table[-1])
    outside = [card for card in ALL_CARDS if card not in pool]
    near = draw(hands_from(sorted(free), 0, 10)) if free else Hand()
    far = draw(hands_from(outside, 0, 10 - len(near))) if outside else Hand()
    return near | far, table


def check_layoff(found: og.LayOff, defender: Hand, table: list[Hand]) -> None:
    """The defender's melds and each lay-off in its turn are legal; the rest is left."""
    left = defender
    for group in found.melds:
        assert reference.is_meld(group)
        assert not group - left
        left -= group
    table = list(table)
    for card, place in found.laid_off:
        assert card in left
        left -= [card]
        table[place] |= [card]
        assert reference.is_meld(table[place])
    assert found.left == left
    assert found.deadwood == left.points


@given(tables())
@many
def test_layoff_is_the_oracles(position: tuple[Hand, list[Hand]]) -> None:
    defender, table = position
    found = og.layoff(defender, table)
    check_layoff(found, defender, table)
    assert found.deadwood == reference.layoff(defender, table)


@given(any_hand(0, 12))
@few
def test_with_nothing_to_lay_off_on_a_defender_just_melds(hand: Hand) -> None:
    found = og.layoff(hand, [])
    check_layoff(found, hand, [])
    assert found.deadwood == reference.deadwood(hand)
    assert found.laid_off == ()


def test_lay_offs_climb_a_run_in_playing_order() -> None:
    found = og.layoff("4H 3H 8H 9H TH KS", ["5H 6H 7H"])
    assert found.deadwood == 10
    check_layoff(found, Hand("4H 3H 8H 9H TH KS"), [Hand("5H 6H 7H")])


# --- the 329 melds ---------------------------------------------------------------------------


def test_the_melds_are_all_there_is() -> None:
    every = meld.all_melds()
    assert len(every) == len(set(every)) == 329
    assert {frozenset(hand) for hand in every} == set(reference.all_melds(ALL_CARDS))


def test_the_sets_and_short_melds_come_first() -> None:
    every = meld.all_melds()
    sets = [len({card.rank for card in hand}) == 1 for hand in every]
    assert sets == [True] * 65 + [False] * 264
    short = [len(hand) <= 5 for hand in every]
    assert short == [True] * 185 + [False] * 144


def test_each_meld_by_itself_has_no_deadwood_and_one_card_less_has_some() -> None:
    for hand in meld.all_melds():
        assert og.deadwood(hand) == 0
        assert og.best_spread(hand).deadwood == 0
    assert og.deadwood("QC KC AC") == 21
    assert og.deadwood("KS AS 2S") == 13


# --- bad input -------------------------------------------------------------------------------

NO_HANDS: list[Any] = [True, False, 1.0, None, -1, 1 << 52, 1 << 64, 1 << 200, "7X", "7H 7H", b"7H"]
NO_HANDS += [["7H", "7H"], [52], [-1], [True], object, "7H 7h", np.float64(3), [None], ["7H 8H"]]
EVERY_QUESTION = [og.deadwood, og.best_spread, og.spreads, og.discards]


@pytest.mark.parametrize("question", EVERY_QUESTION, ids=lambda function: function.__name__)
@pytest.mark.parametrize("bad", NO_HANDS, ids=repr)
def test_what_is_no_hand_is_refused(question: Any, bad: Any) -> None:
    with pytest.raises(CardError) as caught:
        question(bad)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", NO_HANDS, ids=repr)
def test_what_is_no_hand_is_refused_in_a_lay_off(bad: Any) -> None:
    with pytest.raises(CardError):
        og.layoff(bad, ["5H 6H 7H"])
    with pytest.raises(CardError):
        og.layoff("2S", [bad])


@pytest.mark.parametrize("size", [0, 9, 10, 12, 52])
def test_throws_are_asked_of_eleven_cards(size: int) -> None:
    with pytest.raises(CardError, match="11"):
        og.discards(Hand((1 << size) - 1))


@pytest.mark.parametrize("size", [14, 52])
def test_arrangements_are_listed_up_to_thirteen_cards(size: int) -> None:
    with pytest.raises(CardError, match="13"):
        og.spreads(Hand((1 << size) - 1))


@pytest.mark.parametrize("limit", [-1, 11, 1.5, True, "ten"])
def test_a_knock_limit_is_a_whole_number_to_ten(limit: Any) -> None:
    with pytest.raises(RulesError):
        og.discards((1 << 11) - 1, limit)


@pytest.mark.parametrize("limit", [-1, 1.5, True, "ten"])
def test_a_spread_limit_is_a_whole_number(limit: Any) -> None:
    with pytest.raises(RulesError):
        og.spreads("AS 2S 3S", limit)


def test_the_taken_card_is_one_of_the_eleven() -> None:
    with pytest.raises(CardError, match="KH"):
        og.discards((1 << 11) - 1, 10, "KH")


@pytest.mark.parametrize(
    ("defender", "table", "word"),
    [
        ("2S", ["QC KC AC"], "AC"),  # not round the corner
        ("2S", ["5H 6H"], "5H 6H"),
        ("2S", ["5H 6H 8H"], "5H 6H 8H"),
        ("2S", [""], "not a meld"),
        ("2S", ["5H 6H 7H", "7S 7C 7H"], "7H"),  # overlapping
        ("2S", ["5H 6H 7H", "5H 6H 7H"], "5H"),
        ("2S 7H", ["5H 6H 7H"], "7H"),  # in the hand and on the table
        ("2S", "5H 6H 7H", "5H 6H 7H"),  # one hand instead of a list of melds
    ],
)
def test_melds_that_cannot_lie_on_the_table(defender: str, table: Any, word: str) -> None:
    with pytest.raises(OkginError, match=word):
        og.layoff(defender, table)


def test_a_table_of_no_sequence() -> None:
    for bad in (5, None, 1.5):
        with pytest.raises((OkginError, TypeError)):
            og.layoff("2S", bad)


def test_a_whole_table_of_melds() -> None:
    runs = [Hand(0b111 << (13 * suit + 3 * step)) for suit in range(4) for step in range(4)]
    found = og.layoff("KS KC", runs)
    assert found.deadwood == 0
    assert found.laid_off == ((Card("KS"), 3), (Card("KC"), 7))
