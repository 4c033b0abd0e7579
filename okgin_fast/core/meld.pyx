"""Melds: deadwood, arrangements, throws and lay-offs, all of them exact.

A suit by itself melds best when every block of three or more neighbours is a run, so its loose points
are one look-up. What remains is which sets to take: each rank held three or four times offers "none",
the set, or (of four) any three. Trying all ways costs one or two evaluations on most hands; hands
with many such ranks (a large part of the deck) go through a dynamic program over the ranks.

Nothing here knows rules, turns or players.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t

from okgin_fast.core.cards cimport (
    CARDS, DECK, NO_CARD, RANKS, SUIT_MASK, SUITS,
    bit, count, hand_t, lowest, points_of, rank_of, suit_cards,
)

from typing import NamedTuple

from okgin_fast.cards import Card, Hand, to_card, to_mask
from okgin_fast.errors import CardError, RulesError

cdef enum:
    MAX_WAY_RANKS = 4      # more ranks held three or four times than this: dynamic program
    NO_THROW = 100 << 8    # THROW of a suit without cards: worse than any throw
    MAX_SPREAD_CARDS = 13  # `spreads` enumerates; beyond this the list could have no end

cdef:
    uint8_t LOOSE[SUIT_MASK + 1]      # a suit's deadwood after its runs
    uint16_t RUN_CARDS[SUIT_MASK + 1] # its cards that are in runs
    int16_t THROW[SUIT_MASK + 1]      # the suit's best throw, as the part of a throw key (below)
    hand_t RANK_CARDS[RANKS]          # the four cards of a rank
    hand_t MELDS[329]                 # by id: 65 sets, then 264 runs by length, suit and rank


# ---------------------------------------------------------------------------------------- tables

# A throw key orders throws by one comparison: what is left above all, then the higher rank, then the
# lower suit. A suit's share of it is how much its deadwood changes, and the rank.

cdef inline int _suit_throw(int cards, int banned) noexcept nogil:
    """The least key of one suit's throws; `banned` is a mask of its cards that must stay."""
    cdef int best = NO_THROW
    cdef int left = cards & ~banned
    cdef int r
    while left:
        r = left & -left
        left ^= r
        best = min(best, ((LOOSE[cards ^ r] - LOOSE[cards]) << 8) + ((RANKS - 1 - lowest(r)) << 4))
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

cdef inline int _set_ranks(int s, int c, int d, int h) noexcept nogil:
    """The ranks held three or four times."""
    cdef int sc = s & c
    cdef int dh = d & h
    return (sc & (d | h)) | (dh & (s | c))


cdef inline int _loose(int s, int c, int d, int h) noexcept nogil:
    return LOOSE[s] + LOOSE[c] + LOOSE[d] + LOOSE[h]


cdef int _least(int s, int c, int d, int h, int ranks) noexcept nogil:
    """Least deadwood over all ways of taking sets at `ranks`."""
    cdef int r, best
    if ranks == 0:
        return _loose(s, c, d, h)
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
    cdef int rank, state, suit, used, held, choice, next_state, cost, run
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
    cdef int ranks = _set_ranks(s, c, d, h)
    if ranks == 0:
        return _loose(s, c, d, h)
    if count(ranks) > MAX_WAY_RANKS:
        return _least_of_many(hand)
    return _least(s, c, d, h, ranks)


# ---------------------------------------------------------------------------------------- throws

cdef void _throws_way(const int* suits, int ranks, uint8_t* out) noexcept nogil:
    """Every way of taking sets at `ranks`; in each, any card outside the sets may be thrown."""
    cdef int rest[SUITS]
    cdef int suit, left, r, without, total, card
    if ranks == 0:
        total = _loose(suits[0], suits[1], suits[2], suits[3])
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
    _throws_way(suits, _set_ranks(suits[0], suits[1], suits[2], suits[3]), out)


cdef int _best_key(int s, int c, int d, int h, int ranks, hand_t banned) noexcept nogil:
    """The least throw key over all ways of taking sets at `ranks`."""
    cdef int r, best
    if ranks == 0:
        if banned == 0:
            best = min(min(THROW[s], THROW[c] + 1), min(THROW[d] + 2, THROW[h] + 3))
        else:
            best = min(
                min(_suit_throw(s, suit_cards(banned, 0)), _suit_throw(c, suit_cards(banned, 1)) + 1),
                min(_suit_throw(d, suit_cards(banned, 2)) + 2,
                    _suit_throw(h, suit_cards(banned, 3)) + 3),
            )
        return (_loose(s, c, d, h) << 8) + best
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
    cdef int s = suit_cards(hand, 0)
    cdef int c = suit_cards(hand, 1)
    cdef int d = suit_cards(hand, 2)
    cdef int h = suit_cards(hand, 3)
    cdef int key = _best_key(s, c, d, h, _set_ranks(s, c, d, h), 0 if banned == NO_CARD else bit(banned))
    cdef throw_t throw
    throw.deadwood = key >> 8
    throw.card = (key & 3) * RANKS + RANKS - 1 - (key >> 4 & 15)
    return throw


# -------------------------------------------------------------------------- spreads and lay-offs

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


cdef inline bint _is_set(hand_t meld) noexcept nogil:
    return meld & ~RANK_CARDS[rank_of(lowest(meld))] == 0


cdef hand_t layoff_cards(const hand_t* melds, int n, hand_t live) noexcept nogil:
    cdef hand_t reach = 0
    cdef int i
    for i in range(n):
        if _is_set(melds[i]):
            reach |= RANK_CARDS[rank_of(lowest(melds[i]))] & ~melds[i] & live
        else:
            reach |= _below(melds[i], live) | _above(melds[i], live)
    return reach


cdef void _spread_way(hand_t hand, int ranks, hand_t live, spread_t* sets, spread_t* best) noexcept nogil:
    """Every way of taking sets at `ranks`, on top of those already in `sets`; keeps the best.

    `hand` is what is not in those sets yet. best.deadwood is met or beaten before melds are built.
    """
    cdef int suit, r, rank, deadwood
    cdef hand_t runs, four, three
    cdef spread_t found
    if ranks == 0:
        deadwood = _loose(suit_cards(hand, 0), suit_cards(hand, 1), suit_cards(hand, 2),
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
    """A minimal spread of a hand with many sets: take any meld that costs nothing, and again."""
    cdef int i
    out.n = 0
    out.deadwood = deadwood_c(hand)
    for i in range(329):
        if MELDS[i] & ~hand == 0 and deadwood_c(hand ^ MELDS[i]) == out.deadwood:
            out.melds[out.n] = MELDS[i]
            out.n += 1
            hand ^= MELDS[i]


cdef void best_spread_c(hand_t hand, hand_t live, spread_t* out) noexcept nogil:
    cdef spread_t sets
    cdef int ranks = _set_ranks(suit_cards(hand, 0), suit_cards(hand, 1), suit_cards(hand, 2),
                                suit_cards(hand, 3))
    if count(ranks) > MAX_WAY_RANKS:
        _spread_of_many(hand, out)
        return
    sets.n = 0
    out.n = -1
    out.deadwood = deadwood_c(hand)
    _spread_way(hand, ranks, live, &sets, out)


cdef void _lay(hand_t left, const hand_t* melds, int n, int i, layoff_t* now, int laid,
               layoff_t* best, int* best_laid) noexcept nogil:
    """Try all lay-offs on melds i and later, `left` being the cards the defender still has."""
    cdef int deadwood
    cdef hand_t below, above, low, high
    if i == n:
        deadwood = deadwood_c(left)
        if deadwood < best.deadwood or (deadwood == best.deadwood and laid < best_laid[0]):
            best.deadwood = deadwood
            best.laid = now.laid
            best_laid[0] = laid
        return
    now.laid[i] = 0
    if _is_set(melds[i]):
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


cdef hand_t mask_of(object cards) except? 0xFFFFFFFFFFFFFFFF:
    cdef hand_t mask
    if type(cards) is int:
        try:
            mask = cards
        except OverflowError:
            return to_mask(cards)
        return mask if mask <= DECK else to_mask(cards)
    if type(cards) is Hand:
        return cards.mask
    return to_mask(cards)


cdef hand_t sized(object cards, int low, int high, str what) except? 0xFFFFFFFFFFFFFFFF:
    """Python's cards as a mask, their number checked."""
    cdef hand_t mask = mask_of(cards)
    if not low <= count(mask) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise CardError(f"{Hand(mask).text()!r} has {count(mask)} cards; {what} takes {wanted}")
    return mask


cdef tuple hands_of(const hand_t* melds, int n):
    return tuple([Hand(melds[i]) for i in range(n)])


cdef object spread_of(hand_t hand, const spread_t* spread):
    """The struct as a Spread, its melds in the order of their lowest cards."""
    cdef hand_t melded = 0
    cdef int i
    for i in range(spread.n):
        melded |= spread.melds[i]
    melds = sorted(hands_of(spread.melds, spread.n), key=_meld_order)
    return Spread(tuple(melds), Hand(hand & ~melded), spread.deadwood)


def _meld_order(meld):
    return min(meld), meld.mask


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


cdef void _arrange(hand_t left, int points, list melds, int first, list chosen, int limit, list out):
    """Append to `out` every set of disjoint melds that leaves at most `limit` points.

    `points` are those of `left`; the melds from `first` on are still to be decided on.
    """
    cdef int i
    cdef hand_t meld, card
    cdef int rest
    if points <= limit:
        out.append(Spread(tuple(sorted(chosen, key=_meld_order)), Hand(left), points))
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
    >>> [s.melds for s in spreads("4C 5C 6C 6D 6H")]
    [(Hand('4C 5C 6C'),), (Hand('6C 6D 6H'),)]
    """
    cdef hand_t mask = sized(hand, 0, MAX_SPREAD_CARDS, "spreads()")
    cdef int most
    if limit is None:
        most = deadwood_c(mask)
    elif isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise RulesError(f"limit={limit!r}: the most deadwood allowed is a whole number from 0 up")
    else:
        most = min(limit, 1000)
    out: list = []
    _arrange(mask, Hand(mask).points, [MELDS[i] for i in range(329) if MELDS[i] & ~mask == 0], 0, [],
             most, out)
    out.sort(key=lambda spread: (spread.deadwood, [_meld_order(meld) for meld in spread.melds]))
    return out


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
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= 10:
        raise RulesError(f"limit={limit!r}: a knock limit is a whole number from 0 to 10")
    if taken is not None:
        card = to_card(taken)
        if not mask & bit(card):
            raise CardError(f"taken={str(card)!r} is not in the hand {Hand(mask).text()!r}")
        left ^= bit(card)
    throws_c(mask, after)
    out = []
    while left:
        card = Card(lowest(left))
        left &= left - 1
        out.append(Discard(card, after[card], after[card] <= limit, after[card] == 0))
    out.sort(key=lambda throw: (throw.deadwood, -throw.card.rank, throw.card.suit))
    return out


cdef int melds_of(object melds, hand_t* out, hand_t* together) except -1:
    """Python's melds as masks, each checked; returns how many, `together` is their union."""
    cdef int n = 0
    cdef hand_t meld
    together[0] = 0
    if isinstance(melds, (str, Hand)):
        raise CardError(f"{melds!r}: melds are a sequence of hands, one for each meld")
    for cards in melds:
        meld = mask_of(cards)
        if not is_meld_c(meld):
            raise CardError(
                f"{Hand(meld).text()!r} is not a meld; a meld is three or four of a rank, or three or "
                "more neighbours of one suit (ace low)"
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
    cdef hand_t together, left
    cdef layoff_t found
    cdef int n = melds_of(melds, masks, &together)
    cdef hand_t hand = mask_of(defender)
    if hand & together:
        raise CardError(f"{Hand(hand & together).text()!r} is in the defender's hand and in the melds")
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
        if _is_set(melds[i]):
            laid_off += [(card, i) for card in low + high]
        else:
            laid_off += [(card, i) for card in reversed(low)] + [(card, i) for card in high]
    best_spread_c(left, 0, &own)
    spread = spread_of(left, &own)
    return LayOff(spread.deadwood, spread.melds, tuple(laid_off), spread.unmelded)


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
    return hands_of(MELDS, 329)
