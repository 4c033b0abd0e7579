"""Which two cards make a meld with a third, for other Cython code."""

from okgin_fast.core.cards cimport CARDS, hand_t

cdef enum:
    PAIRS = 6          # three pairs that make a set with a card, and at most three that make a run

# Two cards that make a meld of three with some card.
cdef struct pair_t:
    hand_t cards
    hand_t fits        # the other cards that would make a meld of it

# Tables, filled at import and never changed.
cdef pair_t PARTNERS[CARDS][PAIRS]     # of each card; a pair without cards ends the list
cdef hand_t FITS[CARDS][CARDS]         # the cards that make a meld with two cards
cdef hand_t NEAR[CARDS]                # the cards that make a meld with a card and a third one
