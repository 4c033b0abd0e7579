"""Actions and what a seat sees as numbers for learners, for other Cython code."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from okgin_fast.core.cards cimport count, lowest
from okgin_fast.core.rng cimport rng_below, rng_t
from okgin_fast.core.state cimport deal_t

cdef enum:
    IDS = 108           # action ids: 0 to 107
    FEATURES = 427      # numbers in an observation

# The ids of the legal actions, as a set.
cdef struct legal_t:
    uint64_t low        # bit i: id i is legal
    uint64_t high       # bit i: id 64 + i is legal
    uint32_t n          # how many


cdef inline bint is_legal(const legal_t* legal, int64_t action_id) noexcept nogil:
    if action_id < 0 or action_id >= IDS:
        return False
    return (legal.low >> action_id if action_id < 64 else legal.high >> (action_id - 64)) & 1


cdef inline int random_id(const legal_t* legal, rng_t* rng) noexcept nogil:
    """One of the legal ids, of which there are some, each as likely as the others."""
    cdef int number = <int>rng_below(rng, legal.n)
    cdef uint64_t ids = legal.low
    cdef int below
    if legal.high:
        below = count(ids)
        if number >= below:
            ids = legal.high
            for _ in range(number - below):
                ids &= ids - 1
            return 64 + lowest(ids)
    for _ in range(number):
        ids &= ids - 1
    return lowest(ids)


cdef void legal_ids_c(const deal_t* deal, legal_t* out) noexcept nogil

# IDS bytes, 1 where an id is legal.
cdef void mask_c(const legal_t* legal, int8_t* out) noexcept nogil

# The action of the core that a legal id stands for.
cdef int code_of(const deal_t* deal, int action_id) noexcept nogil

# What a seat may see, and nothing else: FEATURES numbers.
cdef void observe_c(const deal_t* deal, int seat, uint8_t* out) noexcept nogil

# The one line that refuses an id.
cdef str refusal(object action_id, const legal_t* legal)
