"""One deal as a C struct, for other Cython code: start, legal actions, play, settle.

The functions are ``noexcept nogil`` and check nothing: actions must be legal. Python callers are
checked by ``Deal.apply`` in deal.pyx.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t

from okgin_fast.core.cards cimport NO_CARD, bit, hand_t
from okgin_fast.core.meld cimport best_throw_c
from okgin_fast.core.rng cimport rng_t
from okgin_fast.core.spread cimport spread_t

cdef enum phase_t:
    UPCARD     # the first-turn exchange: take the upcard or pass
    DRAW       # draw from the stock or take the top of the pile
    THROW      # eleven cards: discard, knock, gin or big gin
    OVER

cdef enum ending_t:
    NONE       # the deal is not over
    BY_KNOCK
    BY_GIN
    BY_BIG_GIN
    BY_UNDERCUT
    BY_TIE     # equal deadwood where a tie is no undercut
    DEAD       # the wall, or the limit of turns

cdef enum:
    MAX_ACTIONS = 24    # eleven throws, eleven knocks, big gin
    NO_SEAT = -1
    OUTSIDE = 32        # cards in neither hand

# The part of the rules that a deal needs; the upcard's share (limit, multiplier) is in deal_t.
cdef struct rules_t:
    int32_t gin_bonus
    int32_t undercut_bonus
    int32_t big_gin_bonus
    uint16_t turn_limit
    uint8_t wall_size
    bint undercut_on_tie
    bint big_gin
    bint may_discard_taken
    bint reshuffle

cdef struct deal_t:
    rules_t rules
    hand_t hands[2]
    hand_t known[2]         # of each hand: the cards that the other seat knows to be there
    hand_t refused[2]       # cards of the pile that each seat could have taken and did not
    hand_t pile_cards       # the pile as a mask
    uint64_t seed           # of the reshuffles
    uint8_t pile[OUTSIDE]   # oldest first
    uint8_t stock[OUTSIDE]  # the next card to be drawn is the last one
    uint8_t pile_size
    uint8_t stock_size
    uint8_t upcard          # the first upcard
    uint8_t limit           # the knock limit that it fixed
    int32_t multiplier      # of everything scored
    uint8_t dealer
    uint8_t to_move
    uint8_t phase           # phase_t
    uint8_t passes          # refusals in the first-turn exchange; 2: only the stock is left
    uint8_t taken           # in phase THROW, the card just taken from the pile, or NO_CARD
    uint8_t reshuffles
    uint16_t turn           # turns finished by a discard
    # once the deal is over
    uint8_t ending          # ending_t
    int8_t winner           # seat or NO_SEAT
    int8_t knocker          # seat or NO_SEAT
    uint8_t knocker_deadwood
    uint8_t defender_deadwood   # after lay-offs
    int32_t points
    uint8_t melds_shown
    hand_t shown[3]         # the knocker's melds

cdef struct score_t:
    uint8_t ending
    int8_t winner           # 0 the knocker, 1 the defender, or NO_SEAT
    int32_t points

cdef inline bint must_draw(const deal_t* deal) noexcept nogil:
    """Both have refused the upcard: only the stock is left."""
    return deal.passes == 2


cdef inline hand_t throwable(const deal_t* deal) noexcept nogil:
    """What may be thrown: not the card just taken from the pile, unless the rules allow it."""
    cdef hand_t hand = deal.hands[deal.to_move]
    if deal.taken != NO_CARD and not deal.rules.may_discard_taken:
        hand &= ~bit(deal.taken)
    return hand


cdef inline bint may_knock(const deal_t* deal) noexcept nogil:
    """Some throw leaves little enough, be it of a card that may not be thrown."""
    return best_throw_c(deal.hands[deal.to_move], NO_CARD).deadwood <= deal.limit


# A deal from 52 cards: seat 0's ten, seat 1's ten, the upcard, the stock from the top.
cdef void start_c(deal_t* deal, const rules_t* rules, const uint8_t* cards, int dealer,
                  uint64_t seed, int limit, int multiplier) noexcept nogil

cdef int legal_c(const deal_t* deal, uint16_t* out) noexcept nogil
cdef uint16_t random_action_c(const deal_t* deal, rng_t* rng) noexcept nogil
cdef void play_c(deal_t* deal, int code) noexcept nogil

# Points by the table of rules.md: knocker's and defender's deadwood, and the upcard's multiplier.
cdef score_t score_c(const rules_t* rules, int knocker, int defender, bint big_gin,
                     int multiplier) noexcept nogil

# The mover throws a card; the mover shows his hand and the deal is scored.
cdef void throw_c(deal_t* deal, int card) noexcept nogil
cdef void show_c(deal_t* deal, const spread_t* spread) noexcept nogil

# Do the mover's eleven cards all meld, and is big gin played?
cdef bint is_big_gin(const deal_t* deal) noexcept nogil

# How many sequences of `depth` legal actions there are.
cdef uint64_t perft_c(const deal_t* deal, int depth) noexcept nogil

# The part of a Rules object that a deal needs.
cdef int rules_of(object rules, rules_t* out) except -1
