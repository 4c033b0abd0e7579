"""The census: every hand of some size counted by its deadwood, up to exchange of suits.

A hand is four suits' cards. In ascending order (fewer cards first, then the lower mask) they stand
for all the hands that an exchange of suits makes of them: 24, or fewer where suits are equal. All
hands fall into chunks, which may be counted in any order and on any thread: the hands of a chunk
have as many cards in each of the four ascending suits, and the same cards in the second of them.

Eleven cards are counted by what their best throw leaves. Nothing here knows rules, deals or files.
"""

from itertools import combinations_with_replacement
from typing import NamedTuple

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from okgin_fast.core.cards cimport (
    NO_CARD, RANKS, SUIT_MASK, SUITS, count, hand_t, lowest, rank_of,
)
from okgin_fast.core.meld cimport best_throw_c, deadwood_c

from okgin_fast.errors import OkginError, quote

cdef enum:
    ELEVEN = 11
    DEADWOODS = 99    # of ten cards: 0 to 98
    LOW = 11          # with less than that, some limit lets one knock

cdef struct tally_t:    # see Tally
    uint64_t hands[DEADWOODS]
    uint64_t held[LOW][RANKS]
    uint64_t taken[LOW][RANKS]


class Tally(NamedTuple):
    """What hands come to: how many of them, and pairs of a hand and one of its cards.

    Attributes
    ----------
    hands : list of int
        Hands by deadwood, 0 to 98; of eleven cards, by what the best throw leaves.
    held : list of list of int
        Pairs by the hand's deadwood as above, 0 to 10 only, and by the card's rank, ace first.
    taken : list of list of int
        Of eleven cards, pairs by what the best throw of another card than this one leaves, 0 to 10
        only, and by this card's rank. Of fewer cards, zeros.
    """

    hands: object
    held: object
    taken: object


# Tables, filled at import and never changed.
cdef uint16_t SUIT_HANDS[SUIT_MASK + 1]    # all hands of one suit, ascending; a, b, c, d index it
cdef int FIRST[RANKS + 2]                  # by number of cards: where they begin
cdef int WAYS[8]                           # to name the suits; bit 0: a = b, 1: b = c, 2: c = d


cdef void _fill_tables() noexcept:
    cdef int size, suit, n = 0
    for size in range(RANKS + 1):
        FIRST[size] = n
        for suit in range(SUIT_MASK + 1):
            if count(suit) == size:
                SUIT_HANDS[n] = <uint16_t>suit
                n += 1
    FIRST[RANKS + 1] = n
    WAYS[:] = [24, 12, 12, 4, 12, 6, 4, 1]

_fill_tables()


cdef inline hand_t _suit(int number, int suit) noexcept nogil:
    return <hand_t>SUIT_HANDS[number] << (suit * RANKS)


cdef void _count(const int* sizes, int b, tally_t* tally) noexcept nogil:
    """Add a chunk to the tally."""
    cdef bint throw = sizes[0] + sizes[1] + sizes[2] + sizes[3] == ELEVEN
    cdef int a, c, d, ways, deadwood
    cdef hand_t two, three, hand
    for a in range(FIRST[sizes[0]], min(FIRST[sizes[0] + 1], b + 1)):
        two = _suit(a, 0) | _suit(b, 1)
        for c in range(max(FIRST[sizes[2]], b), FIRST[sizes[2] + 1]):
            three = two | _suit(c, 2)
            for d in range(max(FIRST[sizes[3]], c), FIRST[sizes[3] + 1]):
                hand = three | _suit(d, 3)
                ways = WAYS[(a == b) | (b == c) << 1 | (c == d) << 2]
                deadwood = best_throw_c(hand, NO_CARD).deadwood if throw else deadwood_c(hand)
                tally.hands[deadwood] += ways
                if deadwood < LOW:
                    _count_cards(hand, deadwood, ways, throw, tally)


cdef void _count_cards(hand_t hand, int deadwood, int ways, bint throw,
                       tally_t* tally) noexcept nogil:
    """Add a hand's pairs with each of its cards; few hands have so little deadwood."""
    cdef hand_t left = hand
    cdef int card, without
    while left:
        card = lowest(left)
        left &= left - 1
        tally.held[deadwood][rank_of(card)] += ways
        if throw:
            without = best_throw_c(hand, card).deadwood
            if without < LOW:
                tally.taken[without][rank_of(card)] += ways


# ---------------------------------------------------------------------------------------- Python

def chunks(cards):
    """List the chunks that all hands of some size fall into.

    Parameters
    ----------
    cards : int
        0 to 11.

    Returns
    -------
    list of tuple of int
        How many cards the four ascending suits have, then the second suit's place among all hands
        of a suit. Always in the same order.

    Raises
    ------
    OkginError
        Another number of cards.

    Examples
    --------
    >>> len(chunks(10)), chunks(10)[-1]
    (1228, (2, 2, 3, 3, 91))
    """
    if isinstance(cards, bool) or not isinstance(cards, int) or not 0 <= cards <= ELEVEN:
        raise OkginError(f"cards={quote(cards)}: a whole number from 0 to {ELEVEN}")
    return [
        (*sizes, second)
        for sizes in combinations_with_replacement(range(cards + 1), SUITS)
        if sum(sizes) == cards
        for second in range(FIRST[sizes[1]], FIRST[sizes[1] + 1])
    ]


def count_chunk(chunk):
    """Count the hands of a chunk, without the GIL.

    Parameters
    ----------
    chunk : tuple of int
        One of `chunks`.

    Returns
    -------
    Tally
        Of all hands that the chunk stands for, whatever their suits.

    Raises
    ------
    OkginError
        There is no such chunk.

    Examples
    --------
    >>> ten_of_a_suit = count_chunk((0, 0, 0, 10, 0))
    >>> sum(ten_of_a_suit.hands), ten_of_a_suit.hands[0]    # gin: one run, two or three
    (1144, 184)
    """
    cdef tally_t tally
    cdef int sizes[SUITS]
    cdef int i, second
    if not _is_chunk(chunk):
        raise OkginError(f"chunk={quote(chunk)}: must be one of chunks()")
    for i in range(SUITS):
        sizes[i] = chunk[i]
    second = chunk[SUITS]
    memset(&tally, 0, sizeof(tally))
    with nogil:
        _count(sizes, second, &tally)
    return Tally(tally.hands, tally.held, tally.taken)


cdef bint _is_chunk(object chunk) except -1:
    if not isinstance(chunk, tuple) or len(chunk) != SUITS + 1:
        return False
    if not all(type(number) is int and number >= 0 for number in chunk):
        return False
    *sizes, second = chunk
    if sizes != sorted(sizes) or sum(sizes) > ELEVEN:
        return False
    return FIRST[sizes[1]] <= second < FIRST[sizes[1] + 1]
