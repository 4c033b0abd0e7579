"""A race to a target: the chance to be there first, from every score.

What can be scored in a deal, and how likely that is, comes from above; here it is added up.
"""

from libc.string cimport memset

import numpy as np

from okgin_fast.errors import OkginError, quote


cdef enum:
    LANES = 8       # sums that do not wait for one another


cdef double _weighted(const double* weights, const double* values, int n) noexcept nogil:
    """The sum of weights[i] * values[i]."""
    cdef double[LANES] sums
    cdef double sum = 0
    cdef int i = 0, lane
    memset(sums, 0, sizeof(sums))
    while i + LANES <= n:
        for lane in range(LANES):
            sums[lane] += weights[i + lane] * values[i + lane]
        i += LANES
    while i < n:
        sum += weights[i] * values[i]
        i += 1
    for lane in range(LANES):
        sum += sums[lane]
    return sum


def race(scored, after_mine, after_theirs):
    """The chance to be the first at a target, by who deals and how many points both need.

    Parameters
    ----------
    scored : array of float64, shape (2, size + 1)
        The chances that a deal's dealer (row 0) and that the other player (row 1) scores so many
        points; `size` stands for that many and more. They begin with 0 and sum to 1.
    after_mine, after_theirs : pair of int
        Who deals after a deal in which I, and in which they, have scored, by who dealt it: 0 for
        me, 1 for them. The rule is the same for both players.

    Returns
    -------
    array of float64, shape (2, size + 1, size + 1)
        My chance, by who deals (0 for me), how many points I need, and how many they need. It is 1
        if I need none, and 0 if they do.

    Raises
    ------
    OkginError
        Arrays of another kind.

    Notes
    -----
    Both have the same chances. So what is left to me, needing m points to their n, is what is not
    left to them where they need m and the other one deals; only those scores are computed from
    which they need no more than I.

    Examples
    --------
    >>> dealer_wins_two_in_three = np.array([[0, 2 / 3], [0, 1 / 3]])
    >>> race(dealer_wins_two_in_three, (0, 0), (1, 1))[:, 1, 1].round(3)
    array([0.667, 0.333])
    """
    scored = np.asarray(scored)
    if scored.dtype != np.float64 or scored.ndim != 2 or len(scored) != 2 or scored.shape[1] < 2:
        raise OkginError(
            f"scored of {scored.dtype}, shape {scored.shape}: must be float64, (2, 2 or more)"
        )
    for pair in (after_mine, after_theirs):
        if len(pair) != 2 or not {*pair} <= {0, 1}:
            raise OkginError(f"next dealers {quote(pair)}: must be a pair of 0 and 1")
    cdef int size = scored.shape[1] - 1
    cdef int most = max(np.flatnonzero(scored.any(axis=0)), default=0)
    cdef int[2] i_won = after_mine
    cdef int[2] they_won = after_theirs
    cdef double[2] i_win = scored.sum(axis=1)
    cdef const double[:, ::1] backwards = np.ascontiguousarray(scored[:, ::-1])
    table = np.zeros((2, size + 1, size + 1))
    table[:, 0] = 1.0
    cdef double[:, :, ::1] chance = table
    cdef int mine, theirs, dealer, low
    with nogil:
        for mine in range(1, size + 1):
            for theirs in range(1, mine + 1):
                for dealer in range(2):
                    low = max(1, mine - most)      # what I need, if I score, is from here to mine
                    chance[dealer, mine, theirs] = i_win[dealer] - _weighted(
                        &backwards[dealer, size - mine + low],
                        &chance[1 - i_won[dealer], theirs, low], mine - low,
                    )
                    low = max(1, theirs - most)
                    chance[dealer, mine, theirs] += _weighted(
                        &backwards[1 - dealer, size - theirs + low],
                        &chance[they_won[dealer], mine, low], theirs - low,
                    )
                if theirs < mine:
                    for dealer in range(2):
                        chance[dealer, theirs, mine] = 1 - chance[1 - dealer, mine, theirs]
    return table
