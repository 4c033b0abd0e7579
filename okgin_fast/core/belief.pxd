"""What a seat may think of the cards it cannot see, for other Cython code."""

from okgin_fast.core.rng cimport rng_t
from okgin_fast.core.state cimport deal_t

# A deal that agrees with what `seat` sees in `view`: the blanks filled by chance. The seat is to move.
cdef void sample_world_c(const deal_t* view, int seat, rng_t* rng, deal_t* world) noexcept nogil
