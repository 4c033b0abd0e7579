"""The core's random numbers: xoshiro256** 1.0, seeded by SplitMix64.

Both are in the public domain (D. Blackman and S. Vigna, https://prng.di.unimi.it). A generator
is a plain struct of 32 bytes: copying it copies the stream, and only integer arithmetic is used, so
that a seed means the same numbers on every platform and in every version.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef struct rng_t:
    uint64_t s[4]


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """SplitMix64's finalizer: a bijection that spreads every input bit over the output."""
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t derived(uint64_t seed, uint64_t index) noexcept nogil:
    """Python's `derive_seed`."""
    return mix(mix(seed + <uint64_t>0x9E3779B97F4A7C15) + index)


cdef inline void rng_seed(rng_t* rng, uint64_t seed) noexcept nogil:
    cdef int i
    for i in range(4):
        seed = seed + <uint64_t>0x9E3779B97F4A7C15
        rng.s[i] = mix(seed)


cdef inline uint64_t _rotl(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t rng_next(rng_t* rng) noexcept nogil:
    """The next 64 random bits."""
    cdef uint64_t result = _rotl(rng.s[1] * 5, 7) * 9
    cdef uint64_t t = rng.s[1] << 17
    rng.s[2] ^= rng.s[0]
    rng.s[3] ^= rng.s[1]
    rng.s[1] ^= rng.s[2]
    rng.s[0] ^= rng.s[3]
    rng.s[2] ^= t
    rng.s[3] = _rotl(rng.s[3], 45)
    return result


cdef inline uint32_t rng_below(rng_t* rng, uint32_t n) noexcept nogil:
    """A uniform integer in [0, n), n > 0, without bias (D. Lemire, 2019, in 32 bits)."""
    cdef uint64_t m = (rng_next(rng) >> 32) * n
    cdef uint32_t threshold
    if <uint32_t>m < n:
        threshold = (0 - n) % n
        while <uint32_t>m < threshold:
            m = (rng_next(rng) >> 32) * n
    return <uint32_t>(m >> 32)


cdef inline void shuffle(rng_t* rng, uint8_t* cards, int n) noexcept nogil:
    """Fisher-Yates from the top: every order of the n cards equally likely."""
    cdef int i, j
    cdef uint8_t card
    for i in range(n - 1, 0, -1):
        j = <int>rng_below(rng, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
