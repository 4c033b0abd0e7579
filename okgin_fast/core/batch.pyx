"""Many hands or deals at once: arrays in, arrays out, without the GIL, on any number of threads.

Arrays are checked here in full before anything is computed, so that the loops need not.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

import numpy as np

from okgin_fast.core.cards cimport CARDS, DECK, NO_CARD, count, hand_t, lowest
from okgin_fast.core.deal cimport checked_seed
from okgin_fast.core.meld cimport best_throw_c, deadwood_c, is_meld_c, throw_t, throws_c
from okgin_fast.core.rng cimport mix, rng_seed, rng_t, shuffle
from okgin_fast.core.spread cimport layoff_c, layoff_t
from okgin_fast.core.state cimport (
    OVER, deal_t, play_c, random_action_c, rules_of, rules_t, start_c,
)

from okgin_fast.errors import CardError, OkginError, RulesError, quote
from okgin_fast.rules import as_rules

cdef enum:
    HANDS = 1 << 15     # the least that outweighs handing it to a thread
    DEALS = 1 << 8


class BestDiscards(NamedTuple):
    """The best throw from each of n hands.

    Attributes
    ----------
    cards : ndarray of uint8, shape (n,)
        Id of the card to throw.
    deadwood : ndarray of uint8, shape (n,)
        What the other ten then leave.
    """

    cards: object
    deadwood: object


class Playouts(NamedTuple):
    """How n deals ended.

    Attributes
    ----------
    ending : ndarray of uint8, shape (n,)
        Index into ``okgin_fast.core.deal.ENDINGS``.
    points : ndarray of int32, shape (n,)
        What seat 0 scored; negative if seat 1 did.
    turns : ndarray of uint16, shape (n,)
        Turns finished by a discard.
    """

    ending: object
    points: object
    turns: object


# ------------------------------------------------------------------------------------- checking

cdef object _as_array(object values, str name):
    """Whatever numpy makes an array of."""
    try:
        return np.asarray(values)
    except (ValueError, OverflowError) as error:
        raise CardError(f"{name}={quote(values)} is no array: {error}") from None


cdef object _as_hands(object array, str name, int ndim, object cards):
    """The array as it is or copied to be contiguous, its type, shape and bits checked."""
    array = _as_array(array, name)
    if array.dtype != np.uint64:
        raise CardError(f"{name} has dtype {array.dtype}; masks are uint64")
    if array.ndim != ndim:
        raise CardError(f"{name} has shape {array.shape}; it takes {ndim} dimension(s)")
    array = np.ascontiguousarray(array)
    cdef const uint64_t[::1] flat = array.reshape(-1)
    cdef Py_ssize_t bad
    cdef int size = -1 if cards is None else cards
    with nogil:
        bad = _first_bad(flat, size)
    if bad >= 0:
        mask = int(flat[bad])
        if mask & ~(int(DECK)):
            raise CardError(f"{name}[{bad}] = {mask:#x} has bits that are no card: 0 to 51 are")
        raise CardError(f"{name}[{bad}] has {mask.bit_count()} cards; it takes {size}")
    return array


cdef Py_ssize_t _first_bad(const uint64_t[::1] hands, int size) noexcept nogil:
    """The first index of a mask with foreign bits or another number of cards; else -1."""
    cdef Py_ssize_t i
    cdef uint64_t foreign = 0
    for i in range(hands.shape[0]):
        foreign |= hands[i]
    if size < 0 and foreign & ~DECK == 0:
        return -1
    for i in range(hands.shape[0]):
        if hands[i] & ~DECK or (size >= 0 and count(hands[i]) != size):
            return i
    return -1


cdef object _in_threads(object work, Py_ssize_t n, Py_ssize_t least, object threads):
    """Call work(start, stop) over parts of range(n); `work` releases the GIL.

    Four parts a thread, so that a slow one does not hold up the end; none smaller than `least`.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise OkginError(f"threads={quote(threads)}: a whole number from 1 up")
    if threads == 1 or n <= least:
        work(0, n)
        return None
    part = max(least, n // (4 * threads) + 1)
    with ThreadPoolExecutor(threads) as pool:
        starts = range(0, n, part)
        list(pool.map(work, starts, [min(start + part, n) for start in starts]))
    return None


# ---------------------------------------------------------------------------------------- hands

cdef void _deadwood(const uint64_t[::1] hands, uint8_t[::1] out, Py_ssize_t start,
                    Py_ssize_t stop) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(start, stop):
        out[i] = <uint8_t>deadwood_c(hands[i])


def deadwood(masks, threads=1):
    """The least deadwood of each hand.

    Parameters
    ----------
    masks : array_like of uint64, shape (n,)
        Hands of any size; need not be contiguous.
    threads : int
        How many threads share the work.

    Returns
    -------
    ndarray of uint8, shape (n,)
        Points; at most 170, for unmelded cards are at most two of a rank.

    Raises
    ------
    CardError
        Another dtype or shape, or bits that are no card.

    Examples
    --------
    >>> import numpy as np
    >>> deadwood(np.array([0b111, 0b101], dtype=np.uint64))
    array([0, 4], dtype=uint8)
    """
    array = _as_hands(masks, "masks", 1, None)
    result = np.empty(len(array), dtype=np.uint8)
    cdef const uint64_t[::1] hands = array
    cdef uint8_t[::1] out = result

    def work(Py_ssize_t start, Py_ssize_t stop):
        with nogil:
            _deadwood(hands, out, start, stop)

    _in_threads(work, len(array), HANDS, threads)
    return result


cdef void _best_discard(const uint64_t[::1] hands, const uint8_t[::1] taken, uint8_t[::1] cards,
                        uint8_t[::1] left, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef Py_ssize_t i
    cdef throw_t throw
    for i in range(start, stop):
        throw = best_throw_c(hands[i], taken[i] if taken.shape[0] else NO_CARD)
        cards[i] = <uint8_t>throw.card
        left[i] = <uint8_t>throw.deadwood


def best_discard(masks, taken=None, threads=1):
    """The throw from eleven cards that leaves least, for each hand.

    Parameters
    ----------
    masks : array_like of uint64, shape (n,)
        Hands of eleven cards.
    taken : array_like of uint8, shape (n,), optional
        For each hand the id of the card just taken from the pile, which may not be thrown; 255 for
        none.
    threads : int
        How many threads share the work.

    Returns
    -------
    BestDiscards
        Among equal throws the higher rank, then spades, clubs, diamonds, hearts.

    Raises
    ------
    CardError
        Another dtype or shape, bits that are no card, not eleven cards, or a taken card that is
        not in its hand.

    Examples
    --------
    >>> import numpy as np
    >>> best_discard(np.array([0b11111111111], dtype=np.uint64))
    BestDiscards(cards=array([10], dtype=uint8), deadwood=array([0], dtype=uint8))
    """
    array = _as_hands(masks, "masks", 1, 11)
    banned = np.empty(0, np.uint8) if taken is None else _as_taken(taken, array)
    thrown = np.empty(len(array), dtype=np.uint8)
    deadwood = np.empty(len(array), dtype=np.uint8)
    cdef const uint64_t[::1] hands = array
    cdef const uint8_t[::1] stays = banned
    cdef uint8_t[::1] cards = thrown
    cdef uint8_t[::1] left = deadwood

    def work(Py_ssize_t start, Py_ssize_t stop):
        with nogil:
            _best_discard(hands, stays, cards, left, start, stop)

    _in_threads(work, len(array), HANDS, threads)
    return BestDiscards(thrown, deadwood)


cdef object _as_taken(object taken, object hands):
    """The array of taken cards, each checked to be in its hand or 255."""
    array = _as_array(taken, "taken")
    if array.dtype != np.uint8:
        raise CardError(f"taken has dtype {array.dtype}; card ids are uint8")
    if array.shape != hands.shape:
        raise CardError(f"taken has shape {array.shape}; it takes {hands.shape}, one for each hand")
    held = hands >> np.minimum(array, 63).astype(np.uint64) & np.uint64(1) == 1
    wrong = np.flatnonzero(~(held & (array < CARDS)) & (array != NO_CARD))
    if wrong.size:
        i = int(wrong[0])
        raise CardError(f"taken[{i}] = {array[i]} is no card of its hand (255: none taken)")
    return np.ascontiguousarray(array)


cdef void _all_throws(const uint64_t[::1] hands, uint8_t[:, ::1] out, Py_ssize_t start,
                      Py_ssize_t stop) noexcept nogil:
    cdef uint8_t after[CARDS]
    cdef Py_ssize_t i
    cdef int j
    cdef hand_t left
    for i in range(start, stop):
        throws_c(hands[i], after)
        left = hands[i]
        for j in range(11):
            out[i, j] = after[lowest(left)]
            left &= left - 1


def spread_deadwood_all_throws(masks, threads=1):
    """What the ten cards kept leave, for every throw from each hand of eleven.

    Parameters
    ----------
    masks : array_like of uint64, shape (n,)
        Hands of eleven cards.
    threads : int
        How many threads share the work.

    Returns
    -------
    ndarray of uint8, shape (n, 11)
        Least deadwood after throwing the hand's first, second, ... card in the order of the ids.

    Raises
    ------
    CardError
        Another dtype or shape, bits that are no card, or not eleven cards.

    Examples
    --------
    >>> import numpy as np
    >>> spread_deadwood_all_throws(np.array([0b11111111111], dtype=np.uint64))
    array([[ 0,  1,  3,  0,  0,  0,  0,  0, 20, 10,  0]], dtype=uint8)
    """
    array = _as_hands(masks, "masks", 1, 11)
    result = np.empty((len(array), 11), dtype=np.uint8)
    cdef const uint64_t[::1] hands = array
    cdef uint8_t[:, ::1] out = result

    def work(Py_ssize_t start, Py_ssize_t stop):
        with nogil:
            _all_throws(hands, out, start, stop)

    _in_threads(work, len(array), HANDS, threads)
    return result


cdef Py_ssize_t _first_bad_melds(const uint64_t[::1] defenders,
                                 const uint64_t[:, ::1] melds) noexcept nogil:
    """The first row whose melds are none, overlap, or share a card with the defender; else -1."""
    cdef Py_ssize_t i, j
    cdef hand_t together
    for i in range(melds.shape[0]):
        together = defenders[i]
        for j in range(melds.shape[1]):
            if melds[i, j] == 0:
                continue
            if melds[i, j] & together or not is_meld_c(melds[i, j]):
                return i
            together |= melds[i, j]
    return -1


cdef void _layoff(const uint64_t[::1] defenders, const uint64_t[:, ::1] melds, uint8_t[::1] out,
                  Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef hand_t shown[3]
    cdef layoff_t answer
    cdef Py_ssize_t i
    cdef int j, n
    for i in range(start, stop):
        n = 0
        for j in range(3):
            if melds[i, j]:
                shown[n] = melds[i, j]
                n += 1
        layoff_c(defenders[i], shown, n, &answer)
        out[i] = <uint8_t>answer.deadwood


def layoff(defenders, melds, threads=1):
    """Each defender's least deadwood against a spread, own melds and lay-offs chosen together.

    Parameters
    ----------
    defenders : array_like of uint64, shape (n,)
        The defenders' hands, of any size.
    melds : array_like of uint64, shape (n, 3)
        The melds that each faces; 0 where there are fewer than three.
    threads : int
        How many threads share the work.

    Returns
    -------
    ndarray of uint8, shape (n,)
        Points.

    Raises
    ------
    CardError
        Another dtype or shape, bits that are no card, melds that are none or overlap, or a card on
        both sides.

    Examples
    --------
    >>> import numpy as np
    >>> layoff(np.array([0b1000], dtype=np.uint64), np.array([[0b111, 0, 0]], dtype=np.uint64))
    array([0], dtype=uint8)
    """
    array = _as_hands(defenders, "defenders", 1, None)
    shown = _as_hands(melds, "melds", 2, None)
    if shown.shape != (len(array), 3):
        raise CardError(f"melds has shape {shown.shape}; it takes ({len(array)}, 3)")
    result = np.empty(len(array), dtype=np.uint8)
    cdef const uint64_t[::1] hands = array
    cdef const uint64_t[:, ::1] table = shown
    cdef uint8_t[::1] out = result
    cdef Py_ssize_t bad
    with nogil:
        bad = _first_bad_melds(hands, table)
    if bad >= 0:
        raise CardError(
            f"melds[{bad}] = {[hex(meld) for meld in shown[bad].tolist()]}: each is 0 or a meld, "
            f"and no card is in two of them or in defenders[{bad}] = {int(array[bad]):#x}"
        )

    def work(Py_ssize_t start, Py_ssize_t stop):
        with nogil:
            _layoff(hands, table, out, start, stop)

    _in_threads(work, len(array), HANDS, threads)
    return result


# ---------------------------------------------------------------------------------------- deals

cdef void _playouts(const rules_t* rules, uint64_t seed, const uint8_t[::1] limits,
                    const int32_t[::1] multipliers, uint8_t[::1] ending, int32_t[::1] points,
                    uint16_t[::1] turns, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef uint8_t cards[CARDS]
    cdef deal_t deal
    cdef rng_t rng
    cdef Py_ssize_t i
    cdef int j
    for i in range(start, stop):
        rng_seed(&rng, mix(seed) + <uint64_t>i)
        for j in range(CARDS):
            cards[j] = <uint8_t>j
        shuffle(&rng, cards, CARDS)
        start_c(&deal, rules, cards, i & 1, seed, limits[cards[20]], multipliers[cards[20]])
        while deal.phase != OVER:
            play_c(&deal, random_action_c(&deal, &rng))
        ending[i] = deal.ending
        points[i] = -deal.points if deal.winner == 1 else deal.points
        turns[i] = deal.turn


def playouts(rules, n, seed=0, threads=1):
    """Play n deals out at random, every legal action equally likely.

    Parameters
    ----------
    rules : Rules or str
    n : int
        How many deals; seat 0 deals the first, seat 1 the second, and so on.
    seed : int
        0 to 2**64 - 1; the same deals for the same seed, whatever the number of threads.
    threads : int
        How many threads share the work.

    Returns
    -------
    Playouts

    Raises
    ------
    RulesError
        Unknown rules, or n or seed out of range.

    Examples
    --------
    >>> played = playouts("standard", 1000, seed=1)
    >>> played.points.shape, int(played.turns.max()) <= 200
    ((1000,), True)
    """
    cdef rules_t table
    rules = as_rules(rules)
    rules_of(rules, &table)
    if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= 1_000_000_000:
        raise RulesError(f"n={quote(n)}: a whole number from 0 to a thousand million")
    cdef uint64_t first = checked_seed(seed)
    cdef const uint8_t[::1] limits = np.array(
        [rules.knock_limit(card) for card in range(CARDS)], dtype=np.uint8)
    cdef const int32_t[::1] multipliers = np.array(
        [rules.multiplier(card) for card in range(CARDS)], dtype=np.int32)
    result = Playouts(np.empty(n, np.uint8), np.empty(n, np.int32), np.empty(n, np.uint16))
    cdef uint8_t[::1] ending = result.ending
    cdef int32_t[::1] points = result.points
    cdef uint16_t[::1] turns = result.turns

    def work(Py_ssize_t start, Py_ssize_t stop):
        with nogil:
            _playouts(&table, first, limits, multipliers, ending, points, turns, start, stop)

    _in_threads(work, n, DEALS, threads)
    return result
