"""Rollouts and the search over worlds, for other Cython code."""

from libc.stdint cimport int64_t

from okgin_fast.core.policy cimport policy_t
from okgin_fast.core.state cimport MAX_ACTIONS, deal_t

# Play the deal to its end, each seat by its policy.
cdef void rollout_c(deal_t* deal, const policy_t* const* policies) noexcept nogil

# What one candidate came to, over the worlds in which it was played out; the searching seat's.
cdef struct tally_t:
    int64_t worlds
    int64_t points
    int64_t squares         # of the points
    int64_t value           # points, or what they are worth in the match
    int64_t value_squares
    int64_t by_knock        # worlds won by a knock, by gin (big or not), by undercutting
    int64_t by_gin
    int64_t by_undercut
    int64_t lost
    int64_t dead            # nobody scored

# All candidates; kept by each chain of worlds for itself, so that threads share nothing.
cdef struct book_t:
    tally_t tallies[MAX_ACTIONS]
    int64_t leads[MAX_ACTIONS][MAX_ACTIONS]    # a later one's value less an earlier one's, summed
    int64_t lead_squares[MAX_ACTIONS][MAX_ACTIONS]
