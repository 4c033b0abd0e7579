"""Melds for other Cython code: deadwood, throws, spreads and lay-offs on masks known to be good.

All functions are ``noexcept nogil`` and expect masks within the deck; Python callers are checked in
``meld.pyx``. A *way* below is one choice of which sets to take; the runs then follow by themselves.
"""

from libc.stdint cimport uint8_t

from okgin_fast.core.cards cimport hand_t

cdef enum:
    MAX_MELDS = 17        # seventeen melds of three use up 51 cards

cdef struct spread_t:
    hand_t melds[MAX_MELDS]   # disjoint; the first n count
    int n
    int deadwood              # points of the hand's cards in none of them

cdef struct throw_t:
    int card       # the card to throw
    int deadwood   # what the rest then leaves

cdef struct layoff_t:
    int deadwood              # least, over own melds and lay-offs together
    hand_t laid[MAX_MELDS]    # the defender's cards on each of the knocker's melds

# The least deadwood of a hand of any size.
cdef int deadwood_c(hand_t hand) noexcept nogil

# out[card] = deadwood after throwing that card, for every card of the hand; other entries are untouched.
cdef void throws_c(hand_t hand, uint8_t* out) noexcept nogil

# The throw that leaves least; among equals the highest rank, then the lowest suit. `banned` is a card
# that may not be thrown (NO_CARD: none). Some other card must be in the hand.
cdef throw_t best_throw_c(hand_t hand, int banned) noexcept nogil

# The cards of `live` that could be laid off on the melds, one after another.
cdef hand_t layoff_cards(const hand_t* melds, int n, hand_t live) noexcept nogil

# The minimal spread that offers the fewest lay-offs to the cards in `live`.
cdef void best_spread_c(hand_t hand, hand_t live, spread_t* out) noexcept nogil

# The defender's least deadwood against n melds; among equals, with the fewest cards laid off.
cdef void layoff_c(hand_t defender, const hand_t* melds, int n, layoff_t* out) noexcept nogil

cdef bint is_meld_c(hand_t cards) noexcept nogil

# Does the card stand in some meld of `hand` (which holds it)?
cdef bint melds_with(hand_t hand, int card) noexcept nogil

# Python's cards as a mask, checked; raises CardError.
cdef hand_t mask_of(object cards) except? 0xFFFFFFFFFFFFFFFF

# The same, the number of cards checked; `what` names the caller.
cdef hand_t sized(object cards, int low, int high, str what) except? 0xFFFFFFFFFFFFFFFF

# A sequence of hands as checked, disjoint melds: how many, and their union in `together`.
cdef int melds_of(object melds, hand_t* out, hand_t* together) except -1

# Structs as Python's Spread and LayOff.
cdef object spread_of(hand_t hand, const spread_t* spread)
cdef object layoff_of(hand_t hand, const hand_t* melds, int n, const layoff_t* found)
