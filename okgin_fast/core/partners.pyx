"""Which two cards make a meld with a third: tables."""

from libc.string cimport memset

from okgin_fast.core.cards cimport CARDS, bit, hand_t, lowest
from okgin_fast.core.meld cimport is_meld_c


cdef void _fill_tables() noexcept:
    cdef int n[CARDS]
    cdef int a, b, card
    cdef hand_t left
    memset(n, 0, sizeof(n))
    memset(PARTNERS, 0, sizeof(PARTNERS))
    memset(FITS, 0, sizeof(FITS))
    memset(NEAR, 0, sizeof(NEAR))
    for a in range(CARDS):
        for b in range(CARDS):
            for card in range(CARDS):
                if a != b and card not in (a, b) and is_meld_c(bit(a) | bit(b) | bit(card)):
                    FITS[a][b] |= bit(card)
            if FITS[a][b]:
                NEAR[a] |= bit(b)
    for a in range(CARDS):
        for b in range(a + 1, CARDS):
            left = FITS[a][b]
            while left:
                card = lowest(left)
                left &= left - 1
                PARTNERS[card][n[card]].cards = bit(a) | bit(b)
                PARTNERS[card][n[card]].fits = FITS[a][b] ^ bit(card)
                n[card] += 1


_fill_tables()
