"""Python's `Deal`, for other Cython code."""

from libc.stdint cimport uint8_t, uint64_t

from okgin_fast.core.cards cimport hand_t
from okgin_fast.core.spread cimport spread_t
from okgin_fast.core.state cimport deal_t

cdef class Deal:
    cdef deal_t state
    cdef deal_t start         # as dealt, for undo
    cdef readonly object rules
    cdef list played          # every Action so far

    cdef int _begin(self, object rules, const uint8_t* cards, object dealer,
                    uint64_t seed) except -1

# For Python's side of the core.
cdef int checked_seat(object seat, str what) except -1
cdef uint64_t checked_seed(object seed) except? 0xFFFFFFFFFFFFFFFF
cdef int spread_from(object melds, hand_t hand, spread_t* out) except -1
cdef list actions_of(const deal_t* deal)
cdef tuple pile_of(const deal_t* deal)
cdef tuple events_of(const deal_t* deal, actions)
