"""The core's generator from Python, for golden tests; what a seed is, and seeds from seeds."""

import operator

from libc.stdint cimport uint64_t

from okgin_fast.core.rng cimport derived, rng_next, rng_below, rng_seed, rng_t, shuffle

from okgin_fast.errors import RulesError, quote


cdef class Rng:
    """xoshiro256** seeded by SplitMix64: the same stream on every platform and version.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1.

    Examples
    --------
    >>> Rng(7).bits() == Rng(7).bits()
    True
    """

    cdef rng_t state

    def __init__(self, uint64_t seed):
        rng_seed(&self.state, seed)

    def bits(self):
        """The next 64 random bits, as an int."""
        return rng_next(&self.state)

    def below(self, unsigned int n):
        """A uniform int in [0, n)."""
        if n == 0:
            raise ValueError("below(0): n must be at least 1")
        return rng_below(&self.state, n)

    def shuffled(self, int n):
        """The ids 0 to n - 1 (n at most 52) in random order, as a list."""
        cdef unsigned char ids[52]
        cdef int i
        if not 0 <= n <= 52:
            raise ValueError(f"shuffled({n}): n must be 0 to 52")
        for i in range(n):
            ids[i] = i
        shuffle(&self.state, ids, n)
        return [ids[i] for i in range(n)]


def checked_seed(seed, name="seed"):
    """A seed as an int, if it is one: a whole number of any type, NumPy's too.

    Parameters
    ----------
    seed : object
    name : str
        What the caller calls it, for the message.

    Returns
    -------
    int
        0 to 2**64 - 1.

    Raises
    ------
    RulesError
        It is something else.

    Examples
    --------
    >>> checked_seed(7)
    7
    """
    try:
        whole = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        whole = -1
    if not 0 <= whole < 1 << 64:
        raise RulesError(f"{name}={quote(seed)}: a seed is a whole number from 0 to 2**64 - 1")
    return whole


def derive_seed(uint64_t seed, uint64_t index):
    """The seed of part ``index`` of something that has a seed (a match's deals, an agent's moves).

    Parameters
    ----------
    seed, index : int
        0 to 2**64 - 1 each.

    Returns
    -------
    int
        0 to 2**64 - 1; the same on every platform and in every version.

    Examples
    --------
    >>> derive_seed(7, 0) != derive_seed(7, 1)
    True
    """
    return derived(seed, index)
