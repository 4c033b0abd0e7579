"""Exact counts: every hand of a smaller deck, card by card against a method the core doesn't use.

The counts for the whole deck are those of research.md and were found by two other programs. The
full enumeration is slow: `pytest -m slow tests/test_counts.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from okgin_fast import reference
from okgin_fast.cards import RANKS, Card, Hand
from okgin_fast.core import batch, meld

U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]

SUIT_MASKS = 1 << 13
suit_sizes = np.array([mask.bit_count() for mask in range(SUIT_MASKS)])


def test_all_8192_hands_of_one_suit() -> None:
    masks = np.arange(SUIT_MASKS, dtype=np.uint64)
    expected = [reference.deadwood(Hand(mask)) for mask in range(SUIT_MASKS)]
    for suit in range(4):
        assert batch.deadwood(masks << np.uint64(13 * suit)).tolist() == expected


# --- every hand of two suits -----------------------------------------------------------------
# In two suits there are no sets, so the suits do not meet: the deadwood of a hand is the sum over
# its suits, and the counts of a pair of suits are those of one suit multiplied out.


def one_suit_counts() -> Counter[tuple[int, int]]:
    """Return how many hands of one suit have that many cards and that much deadwood."""
    hands = map(Hand, range(SUIT_MASKS))
    return Counter((len(hand), reference.deadwood(hand)) for hand in hands)


def two_suit_hands(size: int) -> Iterator[U64]:
    """Yield the masks of every hand of `size` spades and clubs, in chunks."""
    suit = np.arange(SUIT_MASKS, dtype=np.uint64)
    for spades in range(14):
        if 0 <= size - spades <= 13:
            clubs = suit[suit_sizes == size - spades] << np.uint64(13)
            yield (suit[suit_sizes == spades][:, None] | clubs).ravel()


@pytest.mark.parametrize("size", [9, 10, 11, 20])
def test_all_hands_of_two_suits(size: int) -> None:
    suit = one_suit_counts()
    expected: Counter[int] = Counter()
    for (cards, left), times in suit.items():
        for (others, left2), times2 in suit.items():
            if cards + others == size:
                expected[left + left2] += times * times2
    found = np.zeros(256, dtype=np.int64)
    for hands in two_suit_hands(size):
        found += np.bincount(batch.deadwood(hands), minlength=256)
    assert found.sum() == comb(26, size)
    assert {left: int(times) for left, times in enumerate(found) if times} == dict(expected)


# --- every hand of five ranks, or six --------------------------------------------------------
# Four suits, 20 or 24 cards: sets and runs meet as often as they can. The other method is a table
# over all 2^20 or 2^24 hands: a hand's highest card is deadwood, or in a meld that it ends.


def every_deadwood(deck: list[Card]) -> U8:
    """Return the deadwood of every subset of the deck, a subset being the bits of its index."""
    place = {card: i for i, card in enumerate(deck)}
    table = np.zeros(1 << len(deck), dtype=np.uint8)
    ends: list[list[int]] = [[] for _ in deck]
    for group in reference.all_melds(deck):
        bits = sum(1 << place[card] for card in group)
        ends[bits.bit_length() - 1].append(bits)
    for i, card in enumerate(deck):
        below = np.arange(1 << i, dtype=np.uint32)
        with_card = table[1 << i : 2 << i]
        with_card[:] = table[: 1 << i] + np.uint8(card.points)
        for bits in ends[i]:
            others = np.uint32(bits ^ (1 << i))
            held = below[(below & others) == others]
            with_card[held] = np.minimum(with_card[held], table[held ^ others])
    return table


def check_every_hand(first: int, ranks: int) -> None:
    """Compare all hands of four suits and a few neighbouring ranks, the lowest of them `first`."""
    deck = [Card(13 * suit + rank) for suit in range(4) for rank in range(first, first + ranks)]
    subsets = np.arange(1 << len(deck), dtype=np.uint64)
    masks = np.zeros_like(subsets)
    for suit in range(4):
        of_suit = subsets >> np.uint64(ranks * suit) & np.uint64((1 << ranks) - 1)
        masks |= of_suit << np.uint64(13 * suit + first)
    assert np.array_equal(batch.deadwood(masks, threads=2), every_deadwood(deck))


@pytest.mark.parametrize("low", ["A", "4", "7", "9"])
def test_all_hands_of_five_ranks(low: str) -> None:
    check_every_hand(RANKS.index(low), 5)


@pytest.mark.slow
@pytest.mark.parametrize("low", ["A", "5", "8"])
def test_all_hands_of_six_ranks(low: str) -> None:
    check_every_hand(RANKS.index(low), 6)


# --- every ten-card hand ---------------------------------------------------------------------

GIN_HANDS = 136_694
AT_MOST = {0: 136_694, 1: 449_572, 2: 770_748, 3: 1_111_018, 4: 1_518_308, 5: 2_009_322}
AT_MOST |= {6: 2_689_710, 7: 3_611_878, 8: 4_980_042, 9: 6_823_372, 10: 10_212_276}
MEAN = 56.5694
MAXIMUM, HANDS_AT_MAXIMUM = 98, 1_584


def hands_up_to_suits(size: int) -> Iterator[tuple[U64, U8]]:
    """Yield each hand of `size` cards up to exchange of suits, and which neighbours are equal.

    The four suits' masks ascend: a <= b <= c <= d. The second array has bit 0 for a = b, bit 1 for
    b = c and bit 2 for c = d. One pass of the loop is all hands with the same b and the same
    number of cards in a: an outer product of the possible a and the possible pairs (c, d).
    """
    suit = np.flatnonzero(suit_sizes <= size).astype(np.uint64)
    cards = suit_sizes[suit_sizes <= size]
    c, d = (index.astype(np.int32) for index in np.triu_indices(len(suit)))
    few = cards[c] + cards[d] <= size
    c, d = c[few], d[few]
    pairs: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]] = []
    for number in range(size + 1):
        here = cards[c] + cards[d] == number
        order = np.argsort(c[here], kind="stable")
        pairs.append((c[here][order], d[here][order]))
    for b in range(len(suit)):
        for number in range(size - cards[b] + 1):
            a = np.flatnonzero(cards[: b + 1] == number)
            low, high = pairs[size - cards[b] - number]
            start = np.searchsorted(low, b)
            low, high = low[start:], high[start:]
            ab = suit[a] | suit[b] << np.uint64(13)
            cd = suit[low] << np.uint64(26) | suit[high] << np.uint64(39)
            equal_ab = (a == b).astype(np.uint8)
            equal_cd = (low == b) * np.uint8(2) + (low == high) * np.uint8(4)
            yield (ab[:, None] | cd).ravel(), (equal_ab[:, None] | equal_cd).ravel()


def ways_to_name_the_suits() -> npt.NDArray[np.int64]:
    """Return 24 divided by the exchanges of equal suits, for the eight patterns of equality."""
    return np.array([24, 12, 12, 4, 12, 6, 4, 1])


def histogram(size: int) -> npt.NDArray[np.int64]:
    """Return how many hands of `size` cards, of all C(52, size), have each deadwood."""
    counts = np.zeros((8, 256), dtype=np.int64)
    waiting: list[tuple[U64, U8]] = []
    number = 0

    def count() -> None:
        hands = np.concatenate([hands for hands, _ in waiting])
        key = np.concatenate([equal for _, equal in waiting]).astype(np.uint16) << 8
        key |= batch.deadwood(hands, threads=2)
        counts.ravel()[:] += np.bincount(key, minlength=2048)
        waiting.clear()

    for chunk in hands_up_to_suits(size):
        waiting.append(chunk)
        number += len(chunk[0])
        if number > 1 << 22:
            count()
            number = 0
    if waiting:
        count()
    return ways_to_name_the_suits() @ counts


def test_all_hands_up_to_suits_count_every_hand_once() -> None:
    # Five cards, each hand of C(52, 5) also by itself: the folding into suits is right.
    found = histogram(5)
    bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
    hands = bits
    for _ in range(4):
        higher = bits[:, None] > hands  # a new card above all that the hand has
        hands = (bits[:, None] | hands)[higher]
    assert len(hands) == comb(52, 5)
    assert np.array_equal(found, np.bincount(batch.deadwood(hands), minlength=256))


@pytest.mark.slow
def test_all_ten_card_hands() -> None:
    found = histogram(10)
    total = comb(52, 10)
    assert total == found.sum() == 15_820_024_220
    assert found[0] == GIN_HANDS
    assert {most: found[: most + 1].sum() for most in AT_MOST} == AT_MOST
    assert round(float(found @ np.arange(256) / total), 4) == MEAN
    assert np.flatnonzero(found).max() == MAXIMUM
    assert found[MAXIMUM] == HANDS_AT_MAXIMUM


def test_a_hand_at_the_maximum() -> None:
    # No meld and the dearest cards: two of each of K Q J 10 and two nines, or the like.
    hand = "KS KC QS QC JD JH TD TH 9S 9C"
    assert meld.deadwood(hand) == reference.deadwood(Hand(hand)) == 98
