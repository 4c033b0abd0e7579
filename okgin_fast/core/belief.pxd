"""What a seat may think of the cards it cannot see, for other Cython code."""

from libc.stdint cimport uint64_t

from okgin_fast.core.state cimport deal_t

# A deal that agrees with what `seat`, which is to move, sees in `view`: the blanks filled by
# chance. It depends on the view, the seed and the world's number alone.
cdef void sample_world_c(const deal_t* view, int seat, uint64_t seed, uint64_t number,
                         deal_t* world) noexcept nogil
