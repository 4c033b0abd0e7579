"""Belief: the hands that the other seat may hold, and deals that agree with what a seat sees.

A hand's *likeness* to what its owner has shown is a weighted sum of features: its deadwood, how
much better his throws could have been if he held it, which cards he left on the pile that it could
have melded, which cards of it stand next to those. The chance of a hand is proportional to the
exponential of that. The weights (belief.json) were fitted to the hands of many different players,
so that no single way to play is taken for granted (bench/STRENGTH.md).

Hands are drawn by a walk (R. M. Neal's Metropolis algorithm on swaps of one card for another): each
step looks at one swap. All in whole numbers, so that the same seed means the same hands everywhere.
"""

import json
from pathlib import Path

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from okgin_fast.core.cards cimport (
    CARDS, DECK, NO_CARD, RANKS, RUN_STARTS, bit, count, hand_t, lowest, points_of, rank_of,
    suit_cards,
)
from okgin_fast.core.deal cimport checked_seed
from okgin_fast.core.meld cimport (
    RANK_CARDS, best_throw_c, deadwood_c, melds_with, set_ranks, sized,
)
from okgin_fast.core.partners cimport NEAR
from okgin_fast.core.rng cimport derived, rng_below, rng_next, rng_seed, rng_t, shuffle
from okgin_fast.core.state cimport deal_t
from okgin_fast.core.view cimport View

from okgin_fast.cards import Hand
from okgin_fast.errors import IllegalActionError, OkginError, quote

cdef enum:
    HAND = 10          # what the other seat holds while this one is to move
    NAT = 1024         # likenesses are in 1/1024 of a natural logarithm
    BURN = 16          # steps before a chain's first world, for each card of the pile and four more
    STEPS = 16         # steps from one world to the next
    LOW = 20           # deadwood above this counts by another weight too
    MOST_BETTER = 12   # the most points that a better throw counts for
    FALLS = 1280       # EXPS: falls of likeness by up to 20 nats, in sixty-fourths

# The features: where each group begins in a row of them. A phase is the first two turns, the next
# three, or later; by age: the last throw or refusal, the one before ..., in five groups (0, 1, 2,
# 3-4, 5 on) or in three (0, 1-3, 4 on).
cdef enum:
    DEADWOOD = 0       # by own turns; seven groups
    LOW_DEADWOOD = 7
    MAY_KNOCK = 14     # by phase
    GIN_HELD = 17
    SET_CHANCES = 18   # cards not in the pile that would make a set, a run; by phase
    RUN_CHANCES = 21
    ALONE_POINTS = 24  # points of the cards that stand near no other; by phase
    BETTER = 27        # points by which a throw could have been better; by age, five
    BETTER_THROWS = 32
    THROWN_RANK = 37   # cards of the rank of a throw, next to it, next but one; by age, three
    THROWN_NEXT = 40
    THROWN_TWO = 43
    THROWN_LOOSE = 46  # ... of its rank or next to it, and in no meld
    THROWN_ALONE = 49  # cards that stand near no other and cost as much as a throw
    THROWN_DEARER = 52     # cards in no meld that cost more
    LEFT_MELD = 55     # cards left: could have been melded, only saved points; by age, five
    LEFT_LOWER = 60
    LEFT_RANK = 65     # as for throws
    LEFT_NEXT = 68
    LEFT_TWO = 71
    LEFT_LOOSE = 74
    TAKEN_LOOSE = 77   # cards taken that are in no meld, and what stands near them
    TAKEN_RANK = 78
    TAKEN_NEXT = 79
    TAKEN_TWO = 80
    FEATURES = 81

cdef int32_t WEIGHTS[FEATURES]
cdef uint64_t EXPS[FALLS]
cdef int16_t FALL_FROM[2048]    # by a number's high bits: the last of EXPS above all such numbers


NEVER_ABOVE_0 = (*range(BETTER, THROWN_RANK), *range(LEFT_MELD, LEFT_RANK))
"""Features whose weights must not be: the likeness relies on it when it stops early."""


def _use(weights):
    """Use these weights from now on, in the whole process: for the fit, which makes them."""
    cdef int i
    assert len(weights) == FEATURES
    for i in range(FEATURES):
        WEIGHTS[i] = weights[i]


cdef void _fill_tables() noexcept:
    cdef int i, fall = 0
    EXPS[0] = <uint64_t>1 << 32
    for i in range(1, FALLS):
        EXPS[i] = EXPS[i - 1] * 4228379999 >> 32      # exp(-1/64)
    for i in range(2047, -1, -1):
        while fall < FALLS - 1 and EXPS[fall + 1] >= (<uint64_t>i + 1) << 21:
            fall += 1
        FALL_FROM[i] = <int16_t>fall


_fill_tables()
_use(json.loads(Path(__file__).with_name("belief.json").read_text("utf-8"))["weights"])


# ----------------------------------------------------------------------------------- the history

cdef void _read_history(const deal_t* view, int seat, history_t* history) noexcept nogil:
    """What the pile tells of the other seat's throws and refusals.

    Cards that this seat has taken are gone from the pile, but for the one just taken.
    """
    cdef int i, card, other = 1 - seat
    memset(history, 0, sizeof(history_t))
    history.known = view.known[other]
    history.pile = view.pile_cards
    history.limit = view.limit
    history.turns = (view.turn + 1) // 2
    if view.taken != NO_CARD and view.taken != view.upcard:
        history.thrown[0] = view.taken
        history.n_thrown = 1
    for i in range(view.pile_size - 1, -1, -1):
        card = view.pile[i]
        if view.refused[other] >> card & 1:
            history.refused[history.n_refused] = <uint8_t>card
            history.n_refused += 1
        elif card != view.upcard:
            history.thrown[history.n_thrown] = <uint8_t>card
            history.n_thrown += 1
    history.empty = history.n_thrown == 0 and history.n_refused == 0 and history.known == 0


# ---------------------------------------------------------------------------------- the likeness

# What a hand's cards are to one another.
cdef struct shape_t:
    hand_t set_chances      # cards that would make a set, a run with two of it
    hand_t run_chances
    hand_t loose            # cards of it that are in none of the melds that it could make
    hand_t alone            # cards of it without another of the rank, or of the suit within two


cdef inline int _by_turns(int turns) noexcept nogil:
    return turns if turns <= 2 else min((turns + 3) // 2, 6)


cdef inline int _by_age(int age) noexcept nogil:
    return age if age <= 2 else 3 if age <= 4 else 4


cdef inline int _by_third(int age) noexcept nogil:
    return 0 if age == 0 else 1 if age < 4 else 2


cdef inline int _phase(int turns) noexcept nogil:
    return 0 if turns <= 2 else 1 if turns <= 5 else 2


cdef inline hand_t _next_to(hand_t cards) noexcept nogil:
    """The cards one below or above those of a hand."""
    return (cards & ~(RANK_CARDS[RANKS - 1])) << 1 | (cards & ~RANK_CARDS[0]) >> 1


cdef inline hand_t _beside(int card) noexcept nogil:
    """The other cards of a card's rank, and those next to it."""
    return _next_to(bit(card)) | (RANK_CARDS[rank_of(card)] & ~bit(card))


cdef inline int32_t _add(int16_t* row, int feature, int value) noexcept nogil:
    if row != NULL:
        row[feature] += <int16_t>value
    return WEIGHTS[feature] * value


cdef inline int32_t _near(int16_t* row, int first, int step, hand_t hand, int card) noexcept nogil:
    """The features of what stands near a card: of its rank, next to it, next but one."""
    cdef hand_t one = _next_to(bit(card))
    cdef hand_t two = _next_to(one) & ~bit(card)
    return (
        _add(row, first, count(hand & RANK_CARDS[rank_of(card)] & ~bit(card)))
        + _add(row, first + step, count(hand & one))
        + _add(row, first + 2 * step, count(hand & two))
    )


cdef inline shape_t _shape_of(hand_t hand) noexcept nogil:
    cdef shape_t shape
    cdef hand_t up = (hand & ~RANK_CARDS[RANKS - 1]) << 1
    cdef hand_t down = (hand & ~RANK_CARDS[0]) >> 1
    cdef hand_t up_two = (up & ~RANK_CARDS[RANKS - 1]) << 1
    cdef hand_t down_two = (down & ~RANK_CARDS[0]) >> 1
    cdef hand_t runs = hand & (hand >> 1) & (hand >> 2) & RUN_STARTS
    cdef int s = suit_cards(hand, 0)
    cdef int c = suit_cards(hand, 1)
    cdef int d = suit_cards(hand, 2)
    cdef int h = suit_cards(hand, 3)
    cdef hand_t pairs = ((s & c) | (d & h) | ((s | c) & (d | h))) * RANK_CARDS[0]
    cdef hand_t sets = set_ranks(s, c, d, h) * RANK_CARDS[0]
    runs |= (runs << 1) | (runs << 2)
    shape.set_chances = pairs & ~hand
    shape.run_chances = ((up & up_two) | (down & down_two) | (up & down)) & ~hand
    shape.loose = hand & ~(runs | sets)
    shape.alone = hand & ~(pairs | up | down | up_two | down_two)
    return shape


cdef inline int32_t _of_cards(const int32_t* worth, hand_t cards) noexcept nogil:
    cdef int32_t sum = 0
    while cards:
        sum += worth[lowest(cards)]
        cards &= cards - 1
    return sum


cdef void _weigh_cards(history_t* history) noexcept nogil:
    """What single cards of a hand count, in advance: the same as `_card_features`."""
    cdef int i, card, points, other
    cdef int phase = _phase(history.turns)
    for card in range(CARDS):
        points = points_of(card)
        history.alone[card] = WEIGHTS[ALONE_POINTS + phase] * points
        for i in range(history.n_thrown):
            other = history.thrown[i]
            if points >= points_of(other):
                history.alone[card] += WEIGHTS[THROWN_ALONE + _by_third(i)]
            if points > points_of(other):
                history.loose[card] += WEIGHTS[THROWN_DEARER + _by_third(i)]
    for i in range(history.n_thrown):
        _weigh_near(history, THROWN_RANK, THROWN_LOOSE, _by_third(i), history.thrown[i])
    for i in range(history.n_refused):
        _weigh_near(history, LEFT_RANK, LEFT_LOOSE, _by_third(i), history.refused[i])


cdef inline void _weigh_near(history_t* history, int near, int loose, int third,
                             int card) noexcept nogil:
    cdef hand_t one = _next_to(bit(card))
    cdef hand_t same = RANK_CARDS[rank_of(card)] & ~bit(card)
    _raise(history.any, same, WEIGHTS[near + third])
    _raise(history.any, one, WEIGHTS[near + 3 + third])
    _raise(history.any, _next_to(one) & ~bit(card), WEIGHTS[near + 6 + third])
    _raise(history.loose, same | one, WEIGHTS[loose + third])


cdef inline void _raise(int32_t* worth, hand_t cards, int32_t by) noexcept nogil:
    while cards:
        worth[lowest(cards)] += by
        cards &= cards - 1


cdef void _card_features(int16_t* row, const history_t* history, hand_t hand,
                         const shape_t* shape) noexcept nogil:
    """The features that are sums over single cards of a hand."""
    cdef hand_t cards = shape.alone
    cdef hand_t left
    cdef int i, card, points, third
    while cards:
        row[ALONE_POINTS + _phase(history.turns)] += <int16_t>points_of(lowest(cards))
        cards &= cards - 1
    for i in range(history.n_thrown):
        card = history.thrown[i]
        third = _by_third(i)
        points = points_of(card)
        _near(row, THROWN_RANK + third, 3, hand, card)
        row[THROWN_LOOSE + third] += <int16_t>count(shape.loose & _beside(card))
        left = shape.loose
        while left:
            row[THROWN_DEARER + third] += points_of(lowest(left)) > points
            left &= left - 1
        left = shape.alone
        while left:
            row[THROWN_ALONE + third] += points_of(lowest(left)) >= points
            left &= left - 1
    for i in range(history.n_refused):
        card = history.refused[i]
        _near(row, LEFT_RANK + _by_third(i), 3, hand, card)
        row[LEFT_LOOSE + _by_third(i)] += <int16_t>count(shape.loose & _beside(card))


cdef inline int _after(hand_t hand, int card, int rest, int banned) noexcept nogil:
    """The deadwood if the hand takes the card and throws its best one, but for the banned one.

    `rest` is what the hand leaves without its best throw.
    """
    cdef hand_t near = NEAR[card] & hand
    if near & (near - 1) == 0:          # no two cards to meld with
        return rest + points_of(card)
    return best_throw_c(hand | bit(card), banned).deadwood


cdef int32_t _likeness(const history_t* history, hand_t hand, int32_t enough,
                       int16_t* row) noexcept nogil:
    """A hand's likeness to the history; less than `enough` as soon as it cannot be more.

    What is looked at last only lowers it. If `row` is not NULL, the features are added up there.
    """
    cdef hand_t known = history.known
    cdef shape_t shape = _shape_of(hand)
    cdef int phase = _phase(history.turns)
    cdef int turns = _by_turns(history.turns)
    cdef int deadwood = deadwood_c(hand)
    cdef int i, card, group, better, rest
    cdef int32_t sum = 0
    sum += _add(row, DEADWOOD + turns, deadwood)
    sum += _add(row, LOW_DEADWOOD + turns, min(deadwood, <int>LOW))
    if deadwood <= history.limit:
        sum += _add(row, MAY_KNOCK + phase, 1)
    if deadwood == 0:
        sum += _add(row, GIN_HELD, 1)
    sum += _add(row, SET_CHANCES + phase, count(shape.set_chances & ~history.pile))
    sum += _add(row, RUN_CHANCES + phase, count(shape.run_chances & ~history.pile))
    while known:
        card = lowest(known)
        known &= known - 1
        if not melds_with(hand, card):
            sum += _add(row, TAKEN_LOOSE, 1)
            sum += _near(row, TAKEN_RANK, 1, hand, card)
    sum += _of_cards(history.any, hand)
    sum += _of_cards(history.loose, shape.loose)
    sum += _of_cards(history.alone, shape.alone)
    if row != NULL:
        _card_features(row, history, hand, &shape)
    if sum < enough:
        return sum
    rest = best_throw_c(hand, NO_CARD).deadwood
    for i in range(max(history.n_thrown, history.n_refused)):
        if sum < enough:
            break
        group = _by_age(i)
        if i < history.n_thrown:
            card = history.thrown[i]
            better = deadwood - _after(hand, card, rest, NO_CARD)
            if better > 0:
                sum += _add(row, BETTER + group, min(better, <int>MOST_BETTER))
                sum += _add(row, BETTER_THROWS + group, 1)
        if i < history.n_refused:
            card = history.refused[i]
            if _after(hand, card, rest, card) < deadwood:
                if melds_with(hand | bit(card), card):
                    sum += _add(row, LEFT_MELD + group, 1)
                else:
                    sum += _add(row, LEFT_LOWER + group, 1)
    return sum


# ------------------------------------------------------------------------------------- the chain

cdef inline hand_t _pick(rng_t* rng, hand_t cards) noexcept nogil:
    """One of the cards, each as likely as the others."""
    cdef uint32_t n = rng_below(rng, count(cards))
    while n:
        cards &= cards - 1
        n -= 1
    return cards & (0 - cards)


cdef inline int32_t _fall(rng_t* rng) noexcept nogil:
    """By how much a step may lower the likeness: more than x with a chance of exp(-x)."""
    cdef uint64_t u = rng_next(rng) >> 32
    cdef int fall = FALL_FROM[u >> 21]
    while fall < FALLS - 1 and EXPS[fall + 1] > u:       # the last entry above u
        fall += 1
    return fall * (NAT // 64)


cdef hand_t _at_random(rng_t* rng, hand_t known, hand_t free) noexcept nogil:
    """Ten cards, the known ones among them."""
    cdef hand_t hand = known
    cdef hand_t card
    for _ in range(HAND - count(known)):
        card = _pick(rng, free)
        free ^= card
        hand |= card
    return hand


cdef void _walk(chain_t* chain, int steps) noexcept nogil:
    cdef hand_t hand
    cdef int32_t enough, likeness
    for _ in range(steps):
        hand = chain.hand ^ _pick(&chain.rng, chain.hand & ~chain.history.known)
        hand |= _pick(&chain.rng, chain.free & ~chain.hand)
        enough = chain.likeness - _fall(&chain.rng)
        likeness = _likeness(&chain.history, hand, enough, NULL)
        if likeness >= enough:
            chain.hand = hand
            chain.likeness = likeness


cdef inline bint _open(const chain_t* chain) noexcept nogil:
    """Whether there is a card to swap, and one for it."""
    return chain.hand != chain.history.known and chain.free & ~chain.hand


cdef void chain_start(chain_t* chain, const deal_t* view, int seat, uint64_t seed, int number,
                      bint inference) noexcept nogil:
    cdef hand_t hand
    cdef int deadwood, least
    rng_seed(&chain.rng, derived(seed, number))
    _read_history(view, seat, &chain.history)
    chain.inference = inference and not chain.history.empty
    if chain.inference:
        _weigh_cards(&chain.history)
    chain.free = DECK & ~(view.hands[seat] | view.pile_cards | chain.history.known)
    chain.hand = _at_random(&chain.rng, chain.history.known, chain.free)
    if not chain.inference:
        return
    least = deadwood_c(chain.hand)
    for _ in range(view.pile_size):        # who has thrown cards has kept the better ones
        hand = _at_random(&chain.rng, chain.history.known, chain.free)
        deadwood = deadwood_c(hand)
        if deadwood < least:
            least = deadwood
            chain.hand = hand
    chain.likeness = _likeness(&chain.history, chain.hand, -(1 << 30), NULL)
    if _open(chain):
        _walk(chain, BURN * (4 + view.pile_size))


cdef void chain_next(chain_t* chain, const deal_t* view, int seat, deal_t* world) noexcept nogil:
    cdef hand_t left
    cdef int n = 0
    if not chain.inference:
        chain.hand = _at_random(&chain.rng, chain.history.known, chain.free)
    elif _open(chain):
        _walk(chain, STEPS)
    world[0] = view[0]
    world.hands[1 - seat] = chain.hand
    left = chain.free & ~chain.hand
    while left:
        world.stock[n] = <uint8_t>lowest(left)
        left &= left - 1
        n += 1
    shuffle(&chain.rng, world.stock, n)
    world.seed = rng_next(&chain.rng)


# ---------------------------------------------------------------------------------------- Python

cdef int _to_move(View view) except -1:
    if view.to_move != view.seat:
        raise IllegalActionError(f"seat {view.seat} is not to move")
    view._check()
    return 0


def sample_hands(View view not None, int n, seed=0, *, bint inference=True):
    """Hands that the other seat may hold: those of the search's first n worlds.

    Parameters
    ----------
    view : View
        Of the seat that is to move.
    n : int
        How many, 0 or more.
    seed : int
        0 to 2**64 - 1.
    inference : bool
        Whether what he took, left and threw counts; else every hand with his known cards is as
        likely as the others.

    Returns
    -------
    list of Hand
        Ten cards each, with every card in it that he is known to hold. Neighbours in the list
        resemble one another: hand i comes from hand i - 8 by some exchanges of one card.

    Raises
    ------
    IllegalActionError
        It is not this seat's turn.
    """
    cdef chain_t chains[CHAINS]
    cdef deal_t world
    cdef uint64_t first = checked_seed(seed)
    cdef int i
    _to_move(view)
    hands: list = []
    for i in range(n):
        if i < CHAINS:
            chain_start(&chains[i], &view.state, view.seat, first, i, inference)
        chain_next(&chains[i % CHAINS], &view.state, view.seat, &world)
        hands.append(Hand(world.hands[1 - view.seat]))
    return hands


def belief(View view not None, int hands=2000, seed=0):
    """For each card the chance that it is in the other hand: `View.belief`."""
    cdef chain_t chains[CHAINS]
    cdef deal_t world
    cdef uint64_t first = checked_seed(seed)
    cdef int held[CARDS]
    cdef int i, card
    cdef hand_t left
    _to_move(view)
    if hands < 1:
        raise OkginError(f"hands={quote(hands)}: at least one")
    with nogil:
        memset(held, 0, sizeof(held))
        for i in range(hands):
            if i < CHAINS:
                chain_start(&chains[i], &view.state, view.seat, first, i, True)
            chain_next(&chains[i % CHAINS], &view.state, view.seat, &world)
            left = world.hands[1 - view.seat]
            while left:
                held[lowest(left)] += 1
                left &= left - 1
    return tuple([held[card] / <double>hands for card in range(CARDS)])


def features(View view not None, hands):
    """What the likenesses of hands are made of: for each hand a whole number for each weight.

    Parameters
    ----------
    view : View
        Of the seat that is to move.
    hands : iterable of Hand
        Ten cards each that the other seat may hold.

    Returns
    -------
    list of list of int
    """
    cdef history_t history
    cdef int16_t row[FEATURES]
    cdef int i
    _to_move(view)
    _read_history(&view.state, view.seat, &history)
    rows: list = []
    for hand in hands:
        memset(row, 0, sizeof(row))
        _likeness(&history, sized(hand, HAND, HAND, "features"), -(1 << 30), row)
        rows.append([row[i] for i in range(FEATURES)])
    return rows
