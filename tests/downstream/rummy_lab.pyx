"""What another project can do with okgin_fast's core: every loop runs without the GIL."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from okgin_fast.core cimport API_VERSION
from okgin_fast.core.cards cimport CARDS, DECK, hand_t
from okgin_fast.core.deal cimport Deal
from okgin_fast.core.meld cimport deadwood_c
from okgin_fast.core.policy cimport Policy, policy_t
from okgin_fast.core.rng cimport rng_below, rng_seed, rng_t, shuffle
from okgin_fast.core.search cimport rollout_c
from okgin_fast.core.state cimport (
    MAX_ACTIONS, OVER, deal_t, legal_c, play_c, rules_of, rules_t, start_c,
)

from okgin_fast import core

if core.API_VERSION != API_VERSION:
    raise ImportError(
        f"rummy_lab was built for version {API_VERSION} of okgin_fast's Cython API; "
        f"installed is version {core.API_VERSION}: build rummy_lab again"
    )


def total_deadwood(const hand_t[::1] hands):
    """The deadwood of all the hands together."""
    cdef Py_ssize_t i
    cdef long long total = 0
    with nogil:
        for i in range(hands.shape[0]):
            total += deadwood_c(hands[i] & DECK)    # the core checks nothing: a mask is checked here
    return total


cdef inline int won_by(const deal_t* deal, int seat) noexcept nogil:
    return deal.points if deal.winner == seat else -deal.points


def random_deals(rules, const uint8_t[:, ::1] decks, int32_t[::1] points, uint64_t seed):
    """Play a deal from each deck at random; writes what seat 0 wins or loses.

    A deck is the ids 0 to 51 in any order: seat 0's ten cards, seat 1's ten, the upcard, the stock.
    """
    cdef rules_t table
    cdef deal_t deal
    cdef rng_t rng
    cdef uint16_t legal[MAX_ACTIONS]
    cdef Py_ssize_t i
    cdef int n, limit, multiplier
    if decks.shape[1] != CARDS or decks.shape[0] != points.shape[0]:
        raise ValueError("decks must be of shape (n, 52) and points of length n")
    rules_of(rules, &table)
    rng_seed(&rng, seed)
    for i in range(decks.shape[0]):
        limit = rules.knock_limit(decks[i, 20])
        multiplier = rules.multiplier(decks[i, 20])
        with nogil:
            start_c(&deal, &table, &decks[i, 0], 0, seed, limit, multiplier)
            while deal.phase != OVER:
                n = legal_c(&deal, legal)
                play_c(&deal, legal[rng_below(&rng, n)])
            points[i] = won_by(&deal, 0)


def shuffled(int n, uint64_t seed):
    """`n` decks in random order, as bytes."""
    cdef rng_t rng
    cdef uint8_t deck[CARDS]
    cdef int i
    decks = []
    rng_seed(&rng, seed)
    for i in range(CARDS):
        deck[i] = <uint8_t>i
    for _ in range(n):
        shuffle(&rng, deck, CARDS)
        decks.append(bytes(deck[:CARDS]))
    return decks


def rollout(Deal deal not None, Policy first not None, Policy second not None):
    """Play the rest of a deal by a policy for each seat; what seat 0 wins or loses.

    The deal itself stays as it is: a deal is a struct, and copying it is one assignment.
    """
    cdef deal_t world = deal.state
    cdef const policy_t* policies[2]
    policies[0] = &first.policy
    policies[1] = &second.policy
    with nogil:
        rollout_c(&world, policies)
    return won_by(&world, 0)
