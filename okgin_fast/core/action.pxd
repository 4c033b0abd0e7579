"""Actions as numbers, for other Cython code: a kind and a card in one uint16_t."""

from libc.stdint cimport uint16_t

cdef enum kind_t:
    PASS
    STOCK      # draw from the stock
    TAKE       # take the top of the pile
    DISCARD
    KNOCK
    GIN
    BIG_GIN


cdef inline uint16_t action(kind_t kind, int card) noexcept nogil:
    return <uint16_t>(<int>kind << 6 | card)


cdef inline kind_t kind_of(int code) noexcept nogil:
    return <kind_t>(code >> 6)


cdef inline int card_of(int code) noexcept nogil:
    return code & 63


cdef class Action:
    cdef readonly str kind
    cdef readonly object card
    cdef readonly tuple spread
    cdef int code

# Every action without a spread, by its number.
cdef list ACTIONS
