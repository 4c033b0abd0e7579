"""Spreads and lay-offs, for other Cython code: on masks known to be good."""

from okgin_fast.core.cards cimport hand_t

cdef enum:
    MAX_MELDS = 17        # seventeen melds of three use up 51 cards

cdef struct spread_t:
    hand_t melds[MAX_MELDS]   # disjoint, by their lowest cards; the first n count
    int n
    int deadwood              # points of the hand's cards in none of them

cdef struct layoff_t:
    int deadwood              # least, over own melds and lay-offs together
    hand_t laid[MAX_MELDS]    # the defender's cards on each of the knocker's melds

# The cards of `live` that could be laid off on the melds, one after another.
cdef hand_t layoff_cards(const hand_t* melds, int n, hand_t live) noexcept nogil

# The minimal spread that offers the fewest lay-offs to the cards in `live`.
cdef void best_spread_c(hand_t hand, hand_t live, spread_t* out) noexcept nogil

# The defender's least deadwood against n melds; among equals, with the fewest cards laid off.
cdef void layoff_c(hand_t defender, const hand_t* melds, int n, layoff_t* out) noexcept nogil

# A sequence of hands as checked, disjoint melds: how many, and their union in `together`.
cdef int melds_of(object melds, hand_t* out, hand_t* together) except -1

# Structs as Python's Spread and LayOff.
cdef object spread_of(hand_t hand, const spread_t* spread)
cdef object layoff_of(hand_t hand, const hand_t* melds, int n, const layoff_t* found)
