"""The bare C loop that `batch.deadwood` is held against; an example of a use of the core's .pxd."""

from okgin_fast.core.cards cimport hand_t
from okgin_fast.core.meld cimport deadwood_c


def total_deadwood(const hand_t[::1] hands):
    """The deadwood of all the hands together."""
    cdef Py_ssize_t i
    cdef long long total = 0
    with nogil:
        for i in range(hands.shape[0]):
            total += deadwood_c(hands[i])
    return total
