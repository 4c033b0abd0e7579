"""Spreads and lay-offs: how a hand is laid on the table, and how the other one answers.

The arrangement that leaves least is not always the only one, nor the one to show: which cards the
defender can lay off depends on it. Nothing here knows rules, turns or players.
"""

from collections.abc import Iterable
from typing import NamedTuple

from okgin_fast.core.cards cimport (
    CARDS, DECK, RANKS, SUITS, bit, count, hand_t, lowest, points_of, rank_of, suit_cards,
)
from okgin_fast.core.meld cimport (
    MAX_WAY_RANKS, MELDS, N_MELDS, RANK_CARDS, RUN_CARDS, deadwood_c, is_meld_c, is_set, loose,
    mask_of, run_ranks, set_ranks, sized,
)

from okgin_fast.cards import Card, Hand
from okgin_fast.errors import CardError, RulesError, quote

cdef enum:
    MAX_SPREAD_CARDS = 13  # `spreads` enumerates; beyond this the list could have no end


cdef hand_t _below(hand_t run, hand_t live) noexcept nogil:
    """The cards of `live` that follow one another down from the run's low end."""
    cdef hand_t reach = 0
    cdef int card = lowest(run)
    while rank_of(card) > 0:
        card -= 1
        if not live & bit(card):
            break
        reach |= bit(card)
    return reach


cdef hand_t _above(hand_t run, hand_t live) noexcept nogil:
    """The cards of `live` that follow one another up from the run's high end."""
    cdef hand_t reach = 0
    cdef int card = lowest(run) + count(run) - 1
    while rank_of(card) < RANKS - 1:
        card += 1
        if not live & bit(card):
            break
        reach |= bit(card)
    return reach


cdef hand_t layoff_cards(const hand_t* melds, int n, hand_t live) noexcept nogil:
    cdef hand_t reach = 0
    cdef int i
    for i in range(n):
        if is_set(melds[i]):
            reach |= RANK_CARDS[rank_of(lowest(melds[i]))] & ~melds[i] & live
        else:
            reach |= _below(melds[i], live) | _above(melds[i], live)
    return reach


cdef void _spread_way(hand_t hand, int ranks, hand_t live, spread_t* sets,
                      spread_t* best) noexcept nogil:
    """Every way of taking sets at `ranks`, on top of those already in `sets`; keeps the best.

    `hand` is what is not in those sets yet. best.deadwood is met or beaten before melds are built.
    """
    cdef int suit, r, rank, deadwood
    cdef hand_t runs, four, three
    cdef spread_t found
    if ranks == 0:
        deadwood = loose(suit_cards(hand, 0), suit_cards(hand, 1), suit_cards(hand, 2),
                         suit_cards(hand, 3))
        if deadwood > best.deadwood:
            return
        found = sets[0]
        found.deadwood = deadwood
        for suit in range(SUITS):
            r = RUN_CARDS[suit_cards(hand, suit)]
            while r:
                runs = r & ~(r + (r & -r))      # the lowest block of neighbours
                r &= r + (r & -r)
                found.melds[found.n] = <hand_t>runs << (suit * RANKS)
                found.n += 1
        if deadwood < best.deadwood or best.n < 0 or (
            count(layoff_cards(found.melds, found.n, live))
            < count(layoff_cards(best.melds, best.n, live))
        ):
            best[0] = found
        return
    rank = lowest(ranks)
    ranks &= ranks - 1
    _spread_way(hand, ranks, live, sets, best)
    four = hand & RANK_CARDS[rank]
    sets.n += 1
    sets.melds[sets.n - 1] = four
    _spread_way(hand ^ four, ranks, live, sets, best)
    if four == RANK_CARDS[rank]:
        for suit in range(SUITS):
            three = four ^ bit(suit * RANKS + rank)
            sets.melds[sets.n - 1] = three
            _spread_way(hand ^ three, ranks, live, sets, best)
    sets.n -= 1


cdef void _spread_of_many(hand_t hand, spread_t* out) noexcept nogil:
    """A minimal spread of a hand with many sets: each meld that keeps out.deadwood in reach."""
    cdef int i
    out.n = 0
    for i in range(N_MELDS):
        if MELDS[i] & ~hand == 0 and deadwood_c(hand ^ MELDS[i]) == out.deadwood:
            out.melds[out.n] = MELDS[i]
            out.n += 1
            hand ^= MELDS[i]


cdef void best_spread_c(hand_t hand, hand_t live, spread_t* out) noexcept nogil:
    cdef int s = suit_cards(hand, 0)
    cdef int c = suit_cards(hand, 1)
    cdef int d = suit_cards(hand, 2)
    cdef int h = suit_cards(hand, 3)
    cdef int ranks = set_ranks(s, c, d, h)
    cdef int whole = ranks & ~run_ranks(hand)    # sets that every minimal spread takes whole
    cdef spread_t sets
    cdef hand_t meld
    cdef int i, j
    ranks ^= whole
    out.n = -1
    out.deadwood = deadwood_c(hand)
    if count(ranks) > MAX_WAY_RANKS:
        _spread_of_many(hand, out)
    else:
        sets.n = 0
        while whole:
            sets.melds[sets.n] = hand & RANK_CARDS[lowest(whole)]
            hand ^= sets.melds[sets.n]
            sets.n += 1
            whole &= whole - 1
        _spread_way(hand, ranks, live, &sets, out)
    for i in range(1, out.n):           # in the order of their lowest cards
        meld = out.melds[i]
        j = i
        while j > 0 and lowest(out.melds[j - 1]) > lowest(meld):
            out.melds[j] = out.melds[j - 1]
            j -= 1
        out.melds[j] = meld


cdef void _lay(hand_t left, const hand_t* melds, int n, int i, layoff_t* now, int laid,
               layoff_t* best, int* best_laid) noexcept nogil:
    """Try all lay-offs on melds i and later, `left` being the cards the defender still has."""
    cdef int deadwood
    cdef hand_t below, above, low, high
    if best.deadwood == 0 and laid >= best_laid[0]:
        return        # nothing can be better, and laying off more is not
    if i == n:
        deadwood = deadwood_c(left)
        if deadwood < best.deadwood or (deadwood == best.deadwood and laid < best_laid[0]):
            best.deadwood = deadwood
            best.laid = now.laid
            best_laid[0] = laid
        return
    now.laid[i] = 0
    if is_set(melds[i]):
        _lay(left, melds, n, i + 1, now, laid, best, best_laid)
        low = RANK_CARDS[rank_of(lowest(melds[i]))] & ~melds[i] & left
        if low:
            now.laid[i] = low
            _lay(left ^ low, melds, n, i + 1, now, laid + 1, best, best_laid)
        return
    below = _below(melds[i], left)
    above = _above(melds[i], left)
    low = 0
    while True:
        high = 0
        while True:
            now.laid[i] = low | high
            _lay(left ^ low ^ high, melds, n, i + 1, now, laid + count(low | high), best, best_laid)
            if high == above:
                break
            high |= bit(lowest(above ^ high))
        if low == below:
            break
        low |= _highest(below ^ low)


cdef inline hand_t _highest(hand_t hand) noexcept nogil:
    """The highest card of a hand that is not empty, as a mask."""
    while hand & (hand - 1):
        hand &= hand - 1
    return hand


cdef void layoff_c(hand_t defender, const hand_t* melds, int n, layoff_t* out) noexcept nogil:
    cdef layoff_t now
    cdef int i, laid = 0
    out.deadwood = deadwood_c(defender)
    for i in range(n):
        out.laid[i] = 0
    if layoff_cards(melds, n, defender):
        _lay(defender, melds, n, 0, &now, 0, out, &laid)


# ---------------------------------------------------------------------------------------- Python

class Spread(NamedTuple):
    """One arrangement of a hand.

    Attributes
    ----------
    melds : tuple of Hand
        Disjoint sets and runs.
    unmelded : Hand
        The cards in none of them.
    deadwood : int
        Points of the unmelded cards.
    """

    melds: tuple
    unmelded: object
    deadwood: int


class LayOff(NamedTuple):
    """A defender's best answer to a spread.

    Attributes
    ----------
    deadwood : int
        The least he can be left with.
    melds : tuple of Hand
        His own melds.
    laid_off : tuple of (Card, int)
        The cards laid off in playing order, each with the index of the knocker's meld.
    left : Hand
        The cards that count against him.
    """

    deadwood: int
    melds: tuple
    laid_off: tuple
    left: object


cdef object spread_of(hand_t hand, const spread_t* spread):
    """The struct as a Spread."""
    cdef hand_t melded = 0
    cdef int i
    for i in range(spread.n):
        melded |= spread.melds[i]
    melds = tuple([Hand(spread.melds[i]) for i in range(spread.n)])
    return Spread(melds, Hand(hand & ~melded), spread.deadwood)


def best_spread(hand):
    """The arrangement that leaves least, and among those offers the fewest lay-offs.

    Parameters
    ----------
    hand : Hand, str, int mask or iterable of cards
        0 to 52 cards. (Above about 14 cards ties are not broken by lay-offs.)

    Returns
    -------
    Spread

    Raises
    ------
    CardError
        For anything that is not a hand of distinct cards.

    Examples
    --------
    >>> best_spread("AS 2S 3S 7H 7D 7C KD QD 9C 4H").unmelded
    Hand('9C QD KD 4H')
    """
    cdef spread_t spread
    cdef hand_t mask = mask_of(hand)
    best_spread_c(mask, DECK & ~mask, &spread)
    return spread_of(mask, &spread)


cdef void _arrange(hand_t left, int points, list melds, int first, list chosen, int limit,
                   list out):
    """Append to `out` every set of disjoint melds that leaves at most `limit` points.

    `points` are those of `left`; the melds from `first` on are still to be decided on.
    """
    cdef int i
    cdef hand_t meld, card
    cdef int rest
    if points <= limit:
        out.append(Spread(tuple(sorted(chosen, key=min)), Hand(left), points))
    if deadwood_c(left) > limit:
        return
    for i in range(first, len(melds)):
        meld = melds[i]
        if meld & ~left == 0:
            rest = points
            card = meld
            while card:
                rest -= points_of(lowest(card))
                card &= card - 1
            chosen.append(Hand(meld))
            _arrange(left ^ meld, rest, melds, i + 1, chosen, limit, out)
            chosen.pop()


def spreads(hand, limit=None):
    """Every arrangement of a hand: each set of disjoint melds once.

    Parameters
    ----------
    hand : Hand, str, int mask or iterable of cards
        0 to 13 cards.
    limit : int, optional
        The most deadwood an arrangement may leave; by default the least possible, so that only the
        minimal ones are listed.

    Returns
    -------
    list of Spread
        Least deadwood first. Two runs that touch (5-6-7 and 8-9-10) and the one run they make are
        different arrangements.

    Raises
    ------
    CardError
        For anything that is not a hand of at most 13 distinct cards.
    RulesError
        For a negative limit.

    Examples
    --------
    >>> [s.melds for s in spreads("TC JC QC TD TH")]
    [(Hand('TC JC QC'),), (Hand('TC TD TH'),)]
    """
    cdef hand_t mask = sized(hand, 0, MAX_SPREAD_CARDS, "spreads()")
    cdef int most
    if limit is None:
        most = deadwood_c(mask)
    elif isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise RulesError(f"limit={quote(limit)}: the most deadwood is a whole number from 0 up")
    else:
        most = min(limit, 1000)
    out: list = []
    melds = [MELDS[i] for i in range(N_MELDS) if MELDS[i] & ~mask == 0]
    _arrange(mask, Hand(mask).points, melds, 0, [], most, out)
    out.sort(key=_spread_order)
    return out


def _spread_order(spread):
    return spread.deadwood, [(min(meld), meld.mask) for meld in spread.melds]


cdef int melds_of(object melds, hand_t* out, hand_t* together) except -1:
    """Python's melds as masks, each checked; returns how many, `together` is their union."""
    cdef int n = 0
    cdef hand_t meld
    together[0] = 0
    if isinstance(melds, (str, Hand)) or not isinstance(melds, Iterable):
        raise CardError(f"{quote(melds)}: melds are a sequence of hands, one for each meld")
    for cards in melds:
        meld = mask_of(cards)
        if not is_meld_c(meld):
            raise CardError(
                f"{Hand(meld).text()!r} is not a meld; a meld is three or four of a rank, or three "
                "or more neighbours of one suit (ace low)"
            )
        if meld & together[0]:
            raise CardError(f"{Hand(meld & together[0]).text()!r} is in two melds")
        together[0] |= meld
        out[n] = meld
        n += 1
    return n


def layoff(defender, melds):
    """A defender's best arrangement and lay-offs against a spread, found together.

    Parameters
    ----------
    defender : Hand, str, int mask or iterable of cards
        The defender's cards, any number.
    melds : sequence of hands
        The knocker's melds.

    Returns
    -------
    LayOff
        The least deadwood and one way to get it, with no more cards laid off than that takes.

    Raises
    ------
    CardError
        For bad hands, melds that are none or overlap, or a card on both sides.

    Examples
    --------
    >>> layoff("KC 7S 8S", ["7C 7D 7H", "4S 5S 6S"]).laid_off
    ((Card('7S'), 1), (Card('8S'), 1))
    """
    cdef hand_t masks[MAX_MELDS]
    cdef hand_t together
    cdef layoff_t found
    cdef int n = melds_of(melds, masks, &together)
    cdef hand_t hand = mask_of(defender)
    if hand & together:
        raise CardError(f"{Hand(hand & together).text()!r} is in the defender's hand and a meld")
    layoff_c(hand, masks, n, &found)
    return layoff_of(hand, masks, n, &found)


cdef object layoff_of(hand_t hand, const hand_t* melds, int n, const layoff_t* found):
    """The struct as a LayOff."""
    cdef hand_t left = hand
    cdef int i
    cdef spread_t own
    laid_off: list = []
    for i in range(n):
        left ^= found.laid[i]
        low = [Card(card) for card in range(lowest(melds[i])) if found.laid[i] >> card & 1]
        high = [Card(card) for card in range(lowest(melds[i]), CARDS) if found.laid[i] >> card & 1]
        if is_set(melds[i]):
            laid_off += [(card, i) for card in low + high]
        else:
            laid_off += [(card, i) for card in reversed(low)] + [(card, i) for card in high]
    best_spread_c(left, 0, &own)
    spread = spread_of(left, &own)
    return LayOff(spread.deadwood, spread.melds, tuple(laid_off), spread.unmelded)
