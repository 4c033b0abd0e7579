"""What a seat may think of the cards it cannot see, for other Cython code."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

from okgin_fast.core.cards cimport CARDS, hand_t
from okgin_fast.core.rng cimport rng_t
from okgin_fast.core.state cimport OUTSIDE, deal_t

cdef enum:
    CHAINS = 8         # a search's worlds come from so many chains in turn: threads share them

# What the other seat has shown of its hand.
cdef struct history_t:
    hand_t known                # cards that it took and still holds
    uint8_t thrown[OUTSIDE]     # its throws, latest first
    uint8_t refused[OUTSIDE]    # cards of the pile that it left, latest first
    int n_thrown
    int n_refused
    hand_t pile
    int limit
    int turns                   # of its own, finished
    bint empty                  # nothing at all
    # what a card counts in its hand, by the weights: any card, one in no meld, one near no other
    int32_t any[CARDS]
    int32_t loose[CARDS]
    int32_t alone[CARDS]

# A walk through the hands that the other seat may hold.
cdef struct chain_t:
    rng_t rng
    history_t history
    hand_t free                 # cards that may be in the hand, besides those known to be
    hand_t hand
    int32_t likeness
    bint inference

# Start chain `number` of a seat that is to move; and its next world: a deal that agrees with what
# the seat sees, the blanks filled by chance.
cdef void chain_start(chain_t* chain, const deal_t* view, int seat, uint64_t seed, int number,
                      bint inference) noexcept nogil
cdef void chain_next(chain_t* chain, const deal_t* view, int seat, deal_t* world) noexcept nogil
