"""The fast player of rollouts, for other Cython code."""

from libc.stdint cimport int32_t, uint8_t, uint16_t

from okgin_fast.core.cards cimport bit, hand_t
from okgin_fast.core.meld cimport best_throw_c, deadwood_c, melds_with
from okgin_fast.core.state cimport deal_t

cdef enum:
    POINT = 256        # one point, in weights and scores
    TURNS = 16         # own turns told apart; later ones are like the last

# Weights are in 1/256 of a point.
cdef struct policy_t:
    int32_t pair[TURNS]       # by own turn: a live card that would meld two loose ones, a point
    int32_t gap[TURNS]        # likewise one that would meld a loose card with melded ones
    int32_t danger            # a pair of live cards that would meld what is thrown
    int32_t danger_known      # ... if he is known to hold one of them
    int32_t danger_sure       # ... if he is known to hold both; and the most that danger counts
    uint8_t doubt             # sixteenths: what a pair counts if a card of the pile would fit it
    uint8_t window            # throws: loose cards at most this much cheaper than the dearest
    uint8_t knock_at[TURNS]   # by own turn: the most deadwood that it knocks with
    uint8_t saves             # takes a card without a meld if that saves so much
    uint8_t memory            # how many of the pile's last cards it remembers
    bint thinks               # else it throws what leaves least

# What the policy does in the mover's place. It reads what the mover may know and nothing else.
cdef uint16_t policy_c(const deal_t* deal, const policy_t* policy) noexcept nogil

cdef class Policy:
    cdef policy_t policy
    cdef readonly dict weights


cdef inline bint takes(hand_t hand, int card) noexcept nogil:
    """Greedy: take the pile card if it melds with cards of the hand and lowers deadwood."""
    if not melds_with(hand | bit(card), card):
        return False
    return best_throw_c(hand | bit(card), card).deadwood < deadwood_c(hand)
