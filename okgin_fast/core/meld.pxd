"""Melds for other Cython code: deadwood and throws on masks known to be good.

All functions are ``noexcept nogil`` and expect masks within the deck; Python callers are checked in
meld.pyx. A *way* below is one choice of which sets to take; the runs then follow by themselves.
"""

from libc.stdint cimport uint8_t, uint16_t

from okgin_fast.core.cards cimport RANKS, RUN_STARTS, SUIT_MASK, hand_t, lowest, rank_of

cdef enum:
    N_MELDS = 329
    MAX_WAY_RANKS = 4      # more ranks held three or four times than this: dynamic program

cdef struct throw_t:
    int card       # the card to throw
    int deadwood   # what the rest then leaves

# Tables, filled at import and never changed.
cdef hand_t MELDS[N_MELDS]                 # by id: 65 sets, then 264 runs by length, suit and rank
cdef hand_t RANK_CARDS[RANKS]              # the four cards of a rank
cdef uint8_t LOOSE[SUIT_MASK + 1]          # of one suit's cards, the deadwood after its runs
cdef uint16_t RUN_CARDS[SUIT_MASK + 1]     # of one suit's cards, those in runs

# The least deadwood of a hand of any size.
cdef int deadwood_c(hand_t hand) noexcept nogil

# out[card] = deadwood after throwing that card, for each card of the hand; other entries stay.
cdef void throws_c(hand_t hand, uint8_t* out) noexcept nogil

# Of eleven cards the throw that leaves least; among equals the highest rank, then the lowest suit.
# `banned` is a card that may not be thrown (NO_CARD: none).
cdef throw_t best_throw_c(hand_t hand, int banned) noexcept nogil

cdef bint is_meld_c(hand_t cards) noexcept nogil

# Does the card stand in some meld of `hand` (which holds it)?
cdef bint melds_with(hand_t hand, int card) noexcept nogil

# Python's cards as a mask, checked; raises CardError.
cdef hand_t mask_of(object cards) except? 0xFFFFFFFFFFFFFFFF

# The same, the number of cards checked; `what` names the caller.
cdef hand_t sized(object cards, int low, int high, str what) except? 0xFFFFFFFFFFFFFFFF


cdef inline int set_ranks(int s, int c, int d, int h) noexcept nogil:
    """The ranks held three or four times, of four suits' cards."""
    cdef int sc = s & c
    cdef int dh = d & h
    return (sc & (d | h)) | (dh & (s | c))


cdef inline int loose(int s, int c, int d, int h) noexcept nogil:
    """The deadwood of four suits' cards if no set is taken."""
    return LOOSE[s] + LOOSE[c] + LOOSE[d] + LOOSE[h]


cdef inline int run_ranks(hand_t hand) noexcept nogil:
    """The ranks at which some suit's card is in a run. A set at another rank costs no run."""
    cdef hand_t runs = hand & (hand >> 1) & (hand >> 2) & RUN_STARTS
    runs |= (runs << 1) | (runs << 2)
    runs |= runs >> (2 * RANKS)
    return <int>(runs | runs >> RANKS) & SUIT_MASK


cdef inline bint is_set(hand_t meld) noexcept nogil:
    """Whether a meld is a set and not a run."""
    return meld & ~RANK_CARDS[rank_of(lowest(meld))] == 0
