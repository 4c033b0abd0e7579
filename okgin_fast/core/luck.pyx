"""The luck of a draw: what the card is worth against the others that the stock might have given.

For whoever sees all cards, to measure players with less chance in it. (What a drawer makes of his
card by his own view is in `okgin_fast.analysis`.) A deal's luck is the sum of its draws'. Its
expectation is 0, whoever plays: the next card is as likely to be any of the stock, and what each
would be worth is found without looking at their order.
"""

from libc.stdint cimport int64_t

from okgin_fast.core.action cimport STOCK, action
from okgin_fast.core.deal cimport Deal, checked_seed
from okgin_fast.core.policy cimport Policy, policy_t
from okgin_fast.core.rng cimport rng_next, rng_seed, rng_t, shuffle
from okgin_fast.core.search cimport rollout_c
from okgin_fast.core.state cimport DRAW, deal_t, play_c

from okgin_fast.core import policy
from okgin_fast.errors import IllegalActionError, OkginError, quote

MOST_PLAYOUTS = 10_000
"""More would take seconds a draw."""

cdef Policy PLAYER = policy.FOR_GIN


def draw_luck(Deal deal not None, playouts, seed=0):
    """How much better the stock's next card is than its cards are on average.

    Parameters
    ----------
    deal : Deal
        In phase ``draw``.
    playouts : int
        How often the deal is played to its end with each card, by a fast policy at both seats and
        with the rest of the stock in the same orders; 1 to 10,000.
    seed : int
        Of those orders, 0 to 2**64 - 1. It must have nothing to do with the stock's true one.

    Returns
    -------
    float
        In points of the deal, to seat 0. Drawn over all cards of the stock they add up to 0.

    Raises
    ------
    IllegalActionError
        It is not the time to draw.
    OkginError
        Another number of playouts, or a bad seed.

    Notes
    -----
    Taken out of what players win by regression, as a control variate: after N. Burch and others,
    "AIVAT: a new variance reduction technique for agent evaluation in imperfect information
    games" (AAAI 2018).

    Examples
    --------
    >>> import okgin_fast as og
    >>> deal = og.Deal("eaai", seed=7)
    >>> for _ in range(2):
    ...     deal.apply("pass")
    >>> draw_luck(deal, 100, seed=1) == draw_luck(deal, 100, seed=1)
    True
    """
    cdef deal_t world, after
    cdef rng_t rng
    cdef const policy_t* policies[2]
    cdef int64_t points, of_all = 0, of_next = 0
    cdef int i, last, n, times
    if deal.state.phase != DRAW:
        raise IllegalActionError(f"phase {deal.phase}: it is not the time to draw")
    if type(playouts) is not int or not 0 < playouts <= MOST_PLAYOUTS:
        raise OkginError(f"playouts={quote(playouts)}: a whole number from 1 to {MOST_PLAYOUTS:,}")
    rng_seed(&rng, checked_seed(seed))
    times = playouts
    policies[0] = policies[1] = &PLAYER.policy
    world = deal.state
    n = world.stock_size
    last = n - 1
    cards = sorted([world.stock[i] for i in range(n)])   # their order shall not be known
    for i in range(n):
        world.stock[i] = cards[i]
    with nogil:
        for _ in range(times):
            shuffle(&rng, world.stock, n)
            world.seed = rng_next(&rng)
            for i in range(n):
                after = world
                after.stock[i], after.stock[last] = world.stock[last], world.stock[i]
                play_c(&after, action(STOCK, 0))
                rollout_c(&after, policies)
                points = after.points if after.winner == 0 else -after.points
                of_all += points
                if world.stock[i] == deal.state.stock[last]:
                    of_next += points
    return (of_next - of_all / <double>n) / times
