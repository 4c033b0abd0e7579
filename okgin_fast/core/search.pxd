"""Rollouts and the search over worlds, for other Cython code."""

from libc.stdint cimport int64_t, uint16_t, uint64_t

from okgin_fast.core.state cimport MAX_ACTIONS, deal_t

# How the seats of a rollout knock: at that much deadwood or less, where the limit allows it.
cdef struct style_t:
    int knock_at[2]

# Play the deal to its end, both sides greedily.
cdef void rollout_c(deal_t* deal, const style_t* style) noexcept nogil

# What one candidate came to, over all worlds so far; points are the searching seat's.
cdef struct tally_t:
    int64_t points
    int64_t squares         # of the points
    int64_t lead            # points less those of the first candidate in the same world
    int64_t lead_squares
    int64_t by_knock        # worlds won by a knock, by gin (big or not), by undercutting
    int64_t by_gin
    int64_t by_undercut
    int64_t lost
    int64_t dead            # nobody scored
