"""What one seat may know of a deal, for other Cython code."""

from libc.stdint cimport uint64_t

from okgin_fast.core.state cimport deal_t

cdef class View:
    cdef deal_t state         # the other hand, the stock's cards and the seed are blank
    cdef readonly object rules
    cdef readonly int seat
    cdef readonly tuple actions
    cdef readonly object score
    cdef readonly object result

    cdef int _blank(self) except -1
    cdef int _check(self) except -1

    # A number that depends on everything the seat knows of the cards, the same on every platform.
    cdef uint64_t digest_c(self) noexcept nogil
