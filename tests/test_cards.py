"""Cards and hands: everything people type, and everything that must be refused."""

import contextlib
import copy
import itertools
import json
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from okgin_fast.cards import (
    DECK,
    POINTS,
    RANKS,
    SUITS,
    Card,
    Hand,
    parse_cards,
    to_card,
    to_mask,
)
from okgin_fast.errors import CardError, OkginError

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "data" / "cases.json").read_text())["cases"]
}

RANK_SPELLINGS = {rank: {rank, rank.lower()} for rank in RANKS} | {"T": {"T", "t", "10"}}
SUIT_SPELLINGS = {
    "S": ["S", "s", "♠", "♤", "♠\ufe0e", "♠\ufe0f"],
    "C": ["C", "c", "♣", "♧", "♣\ufe0e", "♣\ufe0f"],
    "D": ["D", "d", "♦", "♢", "♦\ufe0e", "♦\ufe0f"],
    "H": ["H", "h", "♥", "♡", "♥\ufe0e", "♥\ufe0f"],
}
SEPARATORS = ["", " ", ",", ", ", "; ", " | ", "/", "\n", "\t", "\u00a0", ") (", "], [", "', '"]

decks = st.lists(st.integers(0, 51), unique=True, max_size=52)


@st.composite
def typed(draw: st.DrawFn) -> tuple[list[int], str]:
    """Draw distinct card ids, and a text that some person might type for them."""
    ids = draw(decks)
    text = draw(st.sampled_from(["", " ", "(", "[ ", "{"]))
    for card in ids:
        rank = draw(st.sampled_from(sorted(RANK_SPELLINGS[RANKS[card % 13]])))
        suit = draw(st.sampled_from(SUIT_SPELLINGS[SUITS[card // 13]]))
        text += rank + suit if draw(st.booleans()) else suit + rank
        text += draw(st.sampled_from(SEPARATORS))
    return ids, text


# --- cards ---------------------------------------------------------------------------------------


def test_ids_are_suit_times_13_plus_rank_with_spades_first_and_the_ace_low() -> None:
    assert [int(Card(text)) for text in ("AS", "KS", "AC", "AD", "AH", "7H", "KH")] == [
        0, 12, 13, 26, 39, 45, 51,
    ]  # fmt: skip
    assert (Card("7H").suit, Card("7H").rank, Card("7H").mask) == (3, 6, 1 << 45)


def test_ace_counts_one_court_cards_ten_and_others_their_number() -> None:
    values = [Card(rank + "D").points for rank in RANKS]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert list(POINTS) == values * 4


def test_r050_values() -> None:
    case = CASES["R050"]
    assert [Card(text).points for text in case["input"]["cards"]] == case["expected"]["values"]


def test_deck_has_52_distinct_cards_and_four_tens() -> None:
    """Cases R052 and R109."""
    deck = Hand(DECK)
    assert len(deck) == len(set(deck)) == CASES["R052"]["expected"]["deck_size"] == 52
    assert len({str(card) for card in deck}) == len({card.symbol for card in deck}) == 52
    assert {str(card) for card in deck if card.rank == 9} == set(CASES["R109"]["expected"]["tens"])


@pytest.mark.parametrize("card", range(52))
def test_a_card_is_one_object_however_it_is_reached(card: int) -> None:
    one = Card(card)
    for other in (
        Card(one), Card(str(one)), Card(one.symbol), Card(repr(one)[6:-2]), to_card(np.uint8(card)),
        copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)),
    ):  # fmt: skip
        assert other is one


def test_every_spelling_of_every_card() -> None:
    for suit, rank in itertools.product(SUITS, RANKS):
        card = Card(SUITS.index(suit) * 13 + RANKS.index(rank))
        for r, s in itertools.product(RANK_SPELLINGS[rank], SUIT_SPELLINGS[suit]):
            assert Card(r + s) is Card(s + r) is Card(f" {r}{s},") is card


def test_a_card_prints_and_pads_as_text() -> None:
    card = Card("10♥")
    assert (str(card), card.symbol, repr(card)) == ("TH", "T♥", "Card('TH')")
    assert (f"{card}", f"{card:>4}", f"{card:<4}|") == ("TH", "  TH", "TH  |")


@pytest.mark.parametrize(
    "bad",
    [
        52,
        -1,
        pytest.param(10**5000, id="huge"),
        True,
        False,
        3.0,
        None,
        b"7H",
        np.float64(3),
        np.bool_(True),
        [7],
    ],
)
def test_what_is_no_card_is_refused(bad: object) -> None:
    with pytest.raises(CardError, match="not a card"):
        Card(bad)


@pytest.mark.parametrize(("text", "message"), [("", "0 cards"), ("7H 8H", "2 cards")])
def test_one_card_is_one_card(text: str, message: str) -> None:
    with pytest.raises(CardError, match=message):
        Card(text)


# --- reading and printing ------------------------------------------------------------------------


@given(typed())
def test_reading_gives_the_cards_typed_in_their_order(case: tuple[list[int], str]) -> None:
    ids, text = case
    assert [int(card) for card in parse_cards(text)] == ids
    assert Hand(text).mask == sum(1 << card for card in ids)


@given(
    typed(), st.sampled_from(["suit", "rank"]), st.booleans(), st.sampled_from(["", " ", ", ", "|"])
)
def test_parse_print_parse_is_stable(
    case: tuple[list[int], str], order: str, symbols: bool, sep: str
) -> None:
    hand = Hand(case[1])
    text = hand.text(order=order, symbols=symbols, sep=sep)
    assert Hand(text) == hand
    assert Hand(text).text(order=order, symbols=symbols, sep=sep) == text


def test_printing_by_suit_and_by_rank() -> None:
    hand = Hand("kh 2c ah as 10c 2s")
    assert str(hand) == "AS 2S 2C TC AH KH"
    assert hand.text(order="rank") == "AS AH 2S 2C TC KH"
    assert hand.text(symbols=True, sep=",") == "A♠,2♠,2♣,T♣,A♥,K♥"
    assert (str(Hand()), repr(Hand()), repr(hand)) == (
        "", "Hand('')", "Hand('AS 2S 2C TC AH KH')",
    )  # fmt: skip
    with pytest.raises(CardError, match=r"'colour'.*'suit' or 'rank'"):
        hand.text(order="colour")


def test_r040_a_longer_token_is_read_whole() -> None:
    case = CASES["R040"]
    text = case["expected"]["parsed"]
    assert case["input"]["text"] == text
    assert Hand(text) == Hand(text.upper()) == Hand(text.lower()) == Hand(["AS", "AC", "AD", "AH"])


@pytest.mark.parametrize("text", ["", " ", " , ; ()[]{} ", "\n"])
def test_no_cards_is_an_empty_hand(text: str) -> None:
    assert parse_cards(text) == []
    assert (Hand(text).mask, len(Hand(text)), bool(Hand(text))) == (0, 0, False)


@pytest.mark.parametrize(
    ("text", "quoted", "card", "character"),
    [
        ("7X", "'7X'", 1, 1),
        ("AS 7X 3H", "'7X'", 2, 4),
        ("as2s7xs3", "'7xs3'", 3, 5),
        ("AS, 1S", "'1S'", 2, 5),
        ("7 H", "'7'", 1, 1),
        ("10H 11H", "'11H'", 2, 5),
        ("AS 2S joker", "'joker'", 3, 7),
        ("9C-JC", "'-JC'", 2, 3),
        ("♠", "'♠'", 1, 1),
        ("AS ♥️Q?", "'?'", 3, 7),
        ("AS\x00", "'\\\\x00'", 2, 3),
        ("🂡", "'🂡'", 1, 1),
        ("0H", "'0H'", 1, 1),
        ("\u212a", "'\u212a'", 1, 1),  # the Kelvin sign, whose lower case is k
    ],
)
def test_a_wrong_token_is_quoted_with_its_place(
    text: str, quoted: str, card: int, character: int
) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    message = str(caught.value)
    assert message.startswith(quoted.replace("\\\\", "\\"))
    assert f"(card {card}, character {character})" in message
    assert "A23456789TJQK or 10" in message
    assert "SCDH" in message


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    with contextlib.suppress(CardError):
        cards = parse_cards(text)
        assert len(set(cards)) == len(cards)
        return
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert len(str(caught.value).splitlines()) == 1


@given(st.lists(st.integers(0, 51), min_size=1, max_size=20, unique=True), st.data())
def test_a_card_twice_is_named(ids: list[int], data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(ids))
    text = " ".join(str(Card(card)) for card in [*ids, again])
    places = f"{Card(again)} \\(cards {ids.index(again) + 1} and {len(ids) + 1}\\)"
    for form in (text, text.split(), [*ids, again]):
        with pytest.raises(CardError, match=f"duplicate card {places}"):
            Hand(form)


def test_r142_the_duplicate_is_named() -> None:
    with pytest.raises(CardError, match=CASES["R142"]["expected"]["error"]):
        Hand(CASES["R142"]["input"]["hand"])


def test_every_duplicate_is_named_at_once() -> None:
    with pytest.raises(CardError, match=r"8C \(cards 1 and 3\), 9C \(cards 2 and 4 and 5\)"):
        Hand("8C 9C 8C 9C 9C")


def test_more_than_52_cards_are_refused_however_they_come() -> None:
    deck = str(Hand(DECK))
    assert Hand(deck) == Hand(list(Hand(DECK))) == Hand(DECK)
    for cards in (deck + " AS", [*Hand(DECK), "AS"], itertools.repeat("AS")):
        with pytest.raises(CardError, match="more than 52"):
            Hand(cards)


# --- masks and iterables -------------------------------------------------------------------------


@given(decks)
def test_all_forms_of_a_hand_give_the_same_mask(ids: list[int]) -> None:
    mask = sum(1 << card for card in ids)
    hand = Hand(mask)
    for form in (
        mask, np.uint64(mask), hand, ids, tuple(ids), set(ids), iter(ids), np.array(ids, int),
        str(hand), [str(Card(card)) for card in ids], [Card(card).symbol for card in ids],
        frozenset(hand),
    ):  # fmt: skip
        assert to_mask(form) == mask
        assert type(to_mask(mask)) is int


def test_one_card_is_a_hand_of_one_but_a_plain_integer_is_a_mask() -> None:
    assert Hand(Card("3S")) == Hand("3S") == Hand([2])
    assert Hand(2) == Hand("2S")


@pytest.mark.parametrize(
    "bits",
    [1 << 52, DECK + 2, -1, 1 << 63, 1 << 64, -(1 << 52), pytest.param(1 << 20000, id="huge")],
)
def test_foreign_bits_are_refused(bits: int) -> None:
    with pytest.raises(CardError, match=r"mask .* only bits 0 to 51") as caught:
        to_mask(bits)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    "bad",
    [True, False, 1.0, float("nan"), b"AS", bytearray(b"AS"), memoryview(b"AS"), None, object(),
     np.float64(1), np.bool_(True), 1j],
)  # fmt: skip
def test_what_is_no_hand_is_refused(bad: object) -> None:
    for read in (to_mask, Hand):
        with pytest.raises(CardError, match="is no hand"):
            read(bad)


@pytest.mark.parametrize(
    ("bad", "place"),
    [(["AS", "7X"], 2), ([0, 1, 52], 3), ([True], 1), (["AS 2S"], 1), (np.array([0.5]), 1),
     (["AS", None], 2), ([Hand("AS")], 1)],
)  # fmt: skip
def test_a_wrong_item_is_told_by_its_number(bad: object, place: int) -> None:
    with pytest.raises(CardError, match=f"item {place}: "):
        to_mask(bad)


# --- hands as sets -------------------------------------------------------------------------------


@given(decks, decks)
def test_set_operations_agree_with_python_sets(left: list[int], right: list[int]) -> None:
    a, b = set(left), set(right)
    for other in (Hand(right), Hand(right).mask, str(Hand(right)), right):
        assert set(Hand(left) | other) == set(other | Hand(left)) == a | b
        assert set(Hand(left) & other) == set(other & Hand(left)) == a & b
        assert set(Hand(left) ^ other) == set(other ^ Hand(left)) == a ^ b
        assert set(Hand(left) - other) == a - b
        assert set(other - Hand(left)) == b - a
        assert isinstance(Hand(left) | other, Hand)
        assert Hand(left).isdisjoint(other) == a.isdisjoint(b)
    assert (Hand(left) <= Hand(right)) == (a <= b)
    assert (Hand(left) < Hand(right)) == (a < b)
    assert (Hand(left) == Hand(right)) == (a == b)


@given(decks)
def test_a_hand_is_a_collection_in_id_order(ids: list[int]) -> None:
    hand = Hand(random.Random(0).sample(ids, len(ids)))
    assert [int(card) for card in hand] == sorted(ids)
    assert all(type(card) is Card for card in hand)
    assert (len(hand), bool(hand), int(hand)) == (len(ids), bool(ids), hand.mask)
    assert hand.points == sum(min(card % 13 + 1, 10) for card in ids)
    assert all((card in hand) == (card in ids) for card in range(52))


def test_equality_and_hash_are_by_the_cards_of_hands_only() -> None:
    hand = Hand("AS 2S")
    assert hand == Hand(3)
    assert hash(hand) == hash(Hand(3))
    assert len({hand, Hand("2s as"), Hand("AS")}) == 2
    # Not equal to an equal frozenset, whose hash differs, nor to its mask.
    assert hand != frozenset(hand)
    assert hand != 3


def test_membership_of_text_is_checked() -> None:
    assert "2♠" in Hand("AS 2S")
    with pytest.raises(CardError, match="'2X'"):
        assert "2X" in Hand("AS 2S")


def test_a_hand_cannot_be_changed() -> None:
    hand = Hand("AS")
    for change in (lambda: setattr(hand, "mask", 3), lambda: delattr(hand, "mask"),
                   lambda: setattr(hand, "other", 3)):  # fmt: skip
        with pytest.raises(AttributeError, match="immutable"):
            change()
    hand |= "2S"
    assert hand == Hand("AS 2S")


@given(decks)
def test_pickle_and_copy_give_an_equal_hand(ids: list[int]) -> None:
    hand = Hand(ids)
    for other in (pickle.loads(pickle.dumps(hand)), copy.copy(hand), copy.deepcopy(hand)):
        assert other == hand
        assert type(other) is Hand


def test_errors_are_value_errors_of_the_package() -> None:
    assert issubclass(CardError, OkginError)
    assert issubclass(OkginError, ValueError)
