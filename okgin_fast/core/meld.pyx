"""Melds: deadwood and throws, exact.

A suit by itself melds best when every block of three or more neighbours is a run, so its loose
points are one look-up. What remains is which sets to take: each rank held three or four times
offers "none", the set, or (of four) any three. There is a choice only where one of its cards is in
a run: else the whole set is taken. So most hands need one evaluation; hands with many such choices
(a large part of the deck) go through a dynamic program over the ranks.

Nothing here knows rules, turns or players.
"""

from typing import NamedTuple

from libc.stdint cimport int16_t, uint8_t, uint16_t

from okgin_fast.core.cards cimport (
    CARDS, DECK, NO_CARD, RANKS, SUIT_MASK, SUITS,
    bit, count, hand_t, lowest, points_of, rank_of, suit_cards,
)

from okgin_fast.cards import Card, Hand, to_card, to_mask
from okgin_fast.errors import CardError, RulesError, quote

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*) except? -1

cdef enum:
    NO_THROW = 100 << 8    # THROW of a suit without cards: worse than any throw

cdef object new_tuple = tuple.__new__    # a NamedTuple's own __new__ is ten times slower
cdef tuple DECK_OF_CARDS = tuple([Card(i) for i in range(CARDS)])
cdef int16_t THROW[SUIT_MASK + 1]    # a suit's best throw: its part of a throw key (below)


# ---------------------------------------------------------------------------------------- tables

# A throw key orders throws by one comparison: what is left above all, then the higher rank, then
# the lower suit. A suit's share of it is how much its deadwood changes, and the rank.

cdef inline int _suit_throw(int cards, int banned) noexcept nogil:
    """The least key of one suit's throws; `banned` is a mask of its cards that must stay."""
    cdef int best = NO_THROW
    cdef int left = cards & ~banned
    cdef int r
    while left:
        r = left & -left
        left ^= r
        best = min(best, (LOOSE[cards ^ r] - LOOSE[cards]) * 256 + ((RANKS - 1 - lowest(r)) << 4))
    return best


cdef void _fill_tables() noexcept:
    cdef int m, rank, suit, length, low, loose, runs, n = 0
    for m in range(SUIT_MASK + 1):
        runs = m & (m >> 1) & (m >> 2)
        runs |= (runs << 1) | (runs << 2)
        loose = 0
        for rank in range(RANKS):
            if (m & ~runs) >> rank & 1:
                loose += points_of(rank)
        LOOSE[m] = <uint8_t>loose
        RUN_CARDS[m] = <uint16_t>runs
    for m in range(SUIT_MASK + 1):
        THROW[m] = <int16_t>_suit_throw(m, 0)
    for rank in range(RANKS):
        RANK_CARDS[rank] = 0
        for suit in range(SUITS):
            RANK_CARDS[rank] |= bit(suit * RANKS + rank)
        for suit in range(SUITS):
            MELDS[n] = RANK_CARDS[rank] ^ bit(suit * RANKS + rank)
            n += 1
        MELDS[n] = RANK_CARDS[rank]
        n += 1
    for length in range(3, RANKS + 1):
        for suit in range(SUITS):
            for low in range(RANKS - length + 1):
                MELDS[n] = ((bit(length) - 1) << low) << (suit * RANKS)
                n += 1

_fill_tables()


# -------------------------------------------------------------------------------------- deadwood

cdef int _least(int s, int c, int d, int h, int ranks) noexcept nogil:
    """Least deadwood over all ways of taking sets at `ranks`."""
    cdef int r, best
    if ranks == 0:
        return loose(s, c, d, h)
    r = ranks & -ranks
    ranks ^= r
    best = min(_least(s, c, d, h, ranks), _least(s & ~r, c & ~r, d & ~r, h & ~r, ranks))
    if s & c & d & h & r:
        best = min(best, _least(s, c ^ r, d ^ r, h ^ r, ranks))
        best = min(best, _least(s ^ r, c, d ^ r, h ^ r, ranks))
        best = min(best, _least(s ^ r, c ^ r, d, h ^ r, ranks))
        best = min(best, _least(s ^ r, c ^ r, d ^ r, h, ranks))
    return best


cdef int _least_of_many(hand_t hand) noexcept nogil:
    """Least deadwood by a dynamic program over the ranks: for hands with many sets to choose from.

    A state says for each suit how long the run in progress is: 0 none, 1 or 2 cards (it must
    go on, its cards count as melded already), 3 a run that may go on or stop.
    """
    cdef int least[256]
    cdef int after[256]
    cdef int rank, state, suit, used, held, next_state, cost, run
    cdef int points, starts
    cdef bint possible
    for state in range(256):
        least[state] = -1
    least[0] = 0
    for rank in range(RANKS):
        points = points_of(rank)
        held = 0
        for suit in range(SUITS):
            if suit_cards(hand, suit) >> rank & 1:
                held |= 1 << suit
        for state in range(256):
            after[state] = -1
        for state in range(256):
            if least[state] < 0:
                continue
            for used in range(16):      # the suits whose card goes into a set of this rank
                if used & ~held or (used != 0 and count(used) < 3):
                    continue
                for starts in range(16):    # the suits in which a run begins here
                    if starts & (~held | used):
                        continue
                    cost = least[state]
                    next_state = 0
                    possible = True
                    for suit in range(SUITS):
                        run = state >> (2 * suit) & 3
                        if (held & ~used) >> suit & 1:
                            if run > 0:
                                possible = possible and not starts >> suit & 1
                                run = min(run + 1, 3)
                            elif starts >> suit & 1:
                                run = 1
                            else:
                                cost += points
                        else:
                            possible = possible and run in (0, 3)
                            run = 0
                        next_state |= run << (2 * suit)
                    if possible and (after[next_state] < 0 or cost < after[next_state]):
                        after[next_state] = cost
        least = after
    cost = 1000
    for state in range(256):
        possible = least[state] >= 0
        for suit in range(SUITS):
            run = state >> (2 * suit) & 3
            possible = possible and run in (0, 3)
        if possible and least[state] < cost:
            cost = least[state]
    return cost


cdef int deadwood_c(hand_t hand) noexcept nogil:
    cdef int s = suit_cards(hand, 0)
    cdef int c = suit_cards(hand, 1)
    cdef int d = suit_cards(hand, 2)
    cdef int h = suit_cards(hand, 3)
    cdef int ranks = set_ranks(s, c, d, h)
    cdef int choices, whole
    if ranks == 0:
        return loose(s, c, d, h)
    choices = ranks & run_ranks(hand)
    whole = ranks ^ choices
    s &= ~whole
    c &= ~whole
    d &= ~whole
    h &= ~whole
    if choices == 0:
        return loose(s, c, d, h)
    if count(choices) > MAX_WAY_RANKS:
        return _least_of_many(hand)
    return _least(s, c, d, h, choices)


# ---------------------------------------------------------------------------------------- throws

cdef void _throws_way(const int* suits, int ranks, uint8_t* out) noexcept nogil:
    """Every way of taking sets at `ranks`; in each, any card outside the sets may be thrown."""
    cdef int rest[SUITS]
    cdef int suit, left, r, without, total, card
    if ranks == 0:
        total = loose(suits[0], suits[1], suits[2], suits[3])
        for suit in range(SUITS):
            left = suits[suit]
            while left:
                r = left & -left
                left ^= r
                card = suit * RANKS + lowest(r)
                without = total - LOOSE[suits[suit]] + LOOSE[suits[suit] ^ r]
                out[card] = <uint8_t>min(out[card], without)
        return
    r = ranks & -ranks
    ranks ^= r
    _throws_way(suits, ranks, out)
    for suit in range(SUITS):
        rest[suit] = suits[suit] & ~r
    _throws_way(rest, ranks, out)
    if suits[0] & suits[1] & suits[2] & suits[3] & r:
        for suit in range(SUITS):
            rest[suit] |= r
            _throws_way(rest, ranks, out)
            rest[suit] ^= r


cdef void throws_c(hand_t hand, uint8_t* out) noexcept nogil:
    cdef int suits[SUITS]
    cdef int suit
    cdef hand_t left = hand
    while left:
        out[lowest(left)] = 255
        left &= left - 1
    for suit in range(SUITS):
        suits[suit] = suit_cards(hand, suit)
    _throws_way(suits, set_ranks(suits[0], suits[1], suits[2], suits[3]), out)


cdef inline int _way_key(int s, int c, int d, int h, hand_t banned) noexcept nogil:
    """The least throw key of the cards outside the sets."""
    cdef int best
    if banned == 0:
        best = min(min(THROW[s], THROW[c] + 1), min(THROW[d] + 2, THROW[h] + 3))
    else:
        best = min(
            min(_suit_throw(s, suit_cards(banned, 0)), _suit_throw(c, suit_cards(banned, 1)) + 1),
            min(_suit_throw(d, suit_cards(banned, 2)) + 2,
                _suit_throw(h, suit_cards(banned, 3)) + 3),
        )
    return (loose(s, c, d, h) << 8) + best


cdef int _best_key(int s, int c, int d, int h, int ranks, hand_t banned) noexcept nogil:
    """The least throw key over all ways of taking sets at `ranks`."""
    cdef int r, best
    if ranks == 0:
        return _way_key(s, c, d, h, banned)
    r = ranks & -ranks
    ranks ^= r
    best = min(_best_key(s, c, d, h, ranks, banned),
               _best_key(s & ~r, c & ~r, d & ~r, h & ~r, ranks, banned))
    if s & c & d & h & r:
        best = min(best, _best_key(s, c ^ r, d ^ r, h ^ r, ranks, banned))
        best = min(best, _best_key(s ^ r, c, d ^ r, h ^ r, ranks, banned))
        best = min(best, _best_key(s ^ r, c ^ r, d, h ^ r, ranks, banned))
        best = min(best, _best_key(s ^ r, c ^ r, d ^ r, h, ranks, banned))
    return best


cdef throw_t best_throw_c(hand_t hand, int banned) noexcept nogil:
    """Of sets with a choice all ways are tried; the others stay whole, but for the spare of four.

    Breaking a set of three that way cannot be best: of eleven cards another one is loose, or all
    ten others meld and some meld of theirs has more than three.
    """
    cdef hand_t stays = 0 if banned == NO_CARD else bit(banned)
    cdef int s = suit_cards(hand, 0)
    cdef int c = suit_cards(hand, 1)
    cdef int d = suit_cards(hand, 2)
    cdef int h = suit_cards(hand, 3)
    cdef int ranks = set_ranks(s, c, d, h)
    cdef int choices, whole, fours, key, spare, rank
    cdef throw_t throw
    if ranks == 0:
        key = _way_key(s, c, d, h, stays)
    else:
        choices = ranks & run_ranks(hand)
        whole = ranks ^ choices
        fours = s & c & d & h & whole
        s &= ~whole
        c &= ~whole
        d &= ~whole
        h &= ~whole
        if choices == 0:
            key = _way_key(s, c, d, h, stays)
        else:
            key = _best_key(s, c, d, h, choices, stays)
        while fours:           # the last one is the highest
            rank = lowest(fours)
            fours &= fours - 1
            spare = _least(s, c, d, h, choices) << 8 | (RANKS - 1 - rank) << 4
            key = min(key, spare + (1 if stays == bit(rank) else 0))
    throw.deadwood = key >> 8
    throw.card = (key & 3) * RANKS + RANKS - 1 - (key >> 4 & 15)
    return throw


# ----------------------------------------------------------------------------------------- melds

cdef bint is_meld_c(hand_t cards) noexcept nogil:
    cdef int low
    cdef hand_t run
    if count(cards) < 3:
        return False
    low = lowest(cards)
    if cards & ~RANK_CARDS[rank_of(low)] == 0:
        return True
    run = cards >> low
    return low // RANKS == (low + count(cards) - 1) // RANKS and run & (run + 1) == 0


cdef bint melds_with(hand_t hand, int card) noexcept nogil:
    cdef int rank = rank_of(card)
    cdef int suit = suit_cards(hand, card // RANKS)
    return RUN_CARDS[suit] >> rank & 1 or count(hand & RANK_CARDS[rank]) >= 3


# ---------------------------------------------------------------------------------------- Python

class Discard(NamedTuple):
    """One throw from eleven cards.

    Attributes
    ----------
    card : Card
        The card thrown.
    deadwood : int
        The least deadwood of the ten that stay.
    knock, gin : bool
        Whether they may knock at the limit, and whether they are gin.
    """

    card: object
    deadwood: int
    knock: bool
    gin: bool


cdef hand_t mask_of(object cards) except? 0xFFFFFFFFFFFFFFFF:
    cdef long long mask
    cdef int overflow = 0
    if type(cards) is int:
        mask = PyLong_AsLongLongAndOverflow(cards, &overflow)
        if overflow == 0 and 0 <= mask <= <long long>DECK:
            return <hand_t>mask
    elif type(cards) is Hand:
        return cards.mask
    return to_mask(cards)


cdef hand_t sized(object cards, int low, int high, str what) except? 0xFFFFFFFFFFFFFFFF:
    """Python's cards as a mask, their number checked."""
    cdef hand_t mask = mask_of(cards)
    if not low <= count(mask) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise CardError(f"{Hand(mask).text()!r} has {count(mask)} cards; {what} takes {wanted}")
    return mask


def deadwood(hand):
    """The least deadwood of a hand.

    Parameters
    ----------
    hand : Hand, str, int mask or iterable of cards
        0 to 52 cards.

    Returns
    -------
    int
        Points of the cards in no meld, under the best arrangement; exact for any hand.

    Raises
    ------
    CardError
        For anything that is not a hand of distinct cards.

    Examples
    --------
    >>> deadwood("AS 2S 3S 7H 7D 7C KD QD 9C 4H")
    33
    """
    return deadwood_c(mask_of(hand))


def discards(hand, limit=10, taken=None):
    """What every throw from eleven cards leaves.

    Parameters
    ----------
    hand : Hand, str, int mask or iterable of cards
        Eleven cards.
    limit : int
        The deal's knock limit, 0 to 10.
    taken : Card, str or int, optional
        The card just taken from the pile, which may not be thrown back and is left out.

    Returns
    -------
    list of Discard
        Least deadwood first; among equals the higher rank, then spades, clubs, diamonds, hearts.

    Raises
    ------
    CardError
        Not eleven distinct cards, or `taken` is not one of them.
    RulesError
        A limit outside 0 to 10.

    Examples
    --------
    >>> discards("AS 2S 3S 7H 7D 7C KD QD 9C 4H 10C", limit=7)[0]
    Discard(card=Card('KD'), deadwood=33, knock=False, gin=False)
    """
    cdef uint8_t after[CARDS]
    cdef hand_t mask = sized(hand, 11, 11, "discards()")
    cdef hand_t left = mask
    cdef int i
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= 10:
        raise RulesError(f"limit={quote(limit)}: a knock limit is a whole number from 0 to 10")
    if taken is not None:
        card = to_card(taken)
        if not mask & bit(card):
            raise CardError(f"taken={str(card)!r} is not in the hand {Hand(mask).text()!r}")
        left ^= bit(card)
    throws_c(mask, after)
    keys: list = []        # as throw keys: ordered by what is left, then rank, then suit
    while left:
        i = lowest(left)
        left &= left - 1
        keys.append(after[i] << 8 | (RANKS - 1 - rank_of(i)) << 4 | i // RANKS)
    keys.sort()
    out: list = []
    for i in keys:
        card = DECK_OF_CARDS[(i & 3) * RANKS + RANKS - 1 - (i >> 4 & 15)]
        out.append(new_tuple(Discard, (card, i >> 8, i >> 8 <= limit, i >> 8 == 0)))
    return out


def makes_meld(hand, card):
    """Whether a card not in the hand would stand in a meld with some of it.

    Parameters
    ----------
    hand : Hand, str, int mask or iterable of cards
    card : Card, str or int

    Returns
    -------
    bool

    Examples
    --------
    >>> makes_meld("5H 6H KD", "7H"), makes_meld("5H 6H KD", "KC")
    (True, False)
    """
    cdef hand_t mask = mask_of(hand)
    cdef int added = to_card(card)
    return melds_with(mask | bit(added), added)


def all_melds():
    """All 329 melds by id: 65 sets, then 264 runs; the first 185 in OpenSpiel's order.

    Returns
    -------
    tuple of Hand

    Examples
    --------
    >>> len(all_melds()), all_melds()[4]
    (329, Hand('AS AC AD AH'))
    """
    return tuple([Hand(MELDS[i]) for i in range(N_MELDS)])
