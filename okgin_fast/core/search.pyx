"""The search: every candidate is played out in the same sampled worlds.

A flat Monte Carlo search over determinizations. A knock needs no rollout, its value in a world is
exact; after anything else both sides play on greedily: the pile card only into a meld that lowers
deadwood, the throw that leaves least, the dearest first. The other side knocks as soon as it may,
the searching side only low: playing for gin inside the rollouts is what was found strongest.
"""

from typing import NamedTuple

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.string cimport memset

from okgin_fast.core.action cimport (
    BIG_GIN, DISCARD, KNOCK, PASS, STOCK, TAKE, Action, action,
)
from okgin_fast.core.belief cimport sample_world_c
from okgin_fast.core.cards cimport NO_CARD, bit, hand_t
from okgin_fast.core.deal cimport checked_seed
from okgin_fast.core.meld cimport best_throw_c, deadwood_c, melds_with, throw_t
from okgin_fast.core.state cimport (
    BY_KNOCK, BY_UNDERCUT, MAX_ACTIONS, OVER, THROW, UPCARD, deal_t, is_big_gin, must_draw, play_c,
)
from okgin_fast.core.view cimport View

from okgin_fast.errors import IllegalActionError

cdef enum:
    OWN_KNOCK = 2      # in rollouts the searching side knocks at this much deadwood or less
    ANY_KNOCK = 10     # the other side at whatever the limit allows


cdef inline bint takes(hand_t hand, int card) noexcept nogil:
    """Greedy: take the pile card only into a meld that lowers deadwood."""
    if not melds_with(hand | bit(card), card):
        return False
    return best_throw_c(hand | bit(card), card).deadwood < deadwood_c(hand)


cdef void rollout_c(deal_t* deal, const style_t* style) noexcept nogil:
    cdef throw_t throw
    cdef int me
    while deal.phase != OVER:
        me = deal.to_move
        if deal.phase == THROW:
            throw = best_throw_c(deal.hands[me],
                                 NO_CARD if deal.rules.may_discard_taken else deal.taken)
            if throw.deadwood > deal.limit or throw.deadwood > style.knock_at[me]:
                play_c(deal, action(DISCARD, throw.card))
            elif is_big_gin(deal):
                play_c(deal, action(BIG_GIN, 0))
            else:
                play_c(deal, action(KNOCK, throw.card))
        elif not must_draw(deal) and deal.pile_size > 0 and (
            takes(deal.hands[me], deal.pile[deal.pile_size - 1])
        ):
            play_c(deal, action(TAKE, deal.pile[deal.pile_size - 1]))
        else:
            play_c(deal, action(PASS if deal.phase == UPCARD else STOCK, 0))


cdef void _count(const deal_t* deal, int seat, int64_t lead, tally_t* tally) noexcept nogil:
    cdef int64_t points = deal.points if deal.winner == seat else -deal.points
    tally.points += points
    tally.squares += points * points
    lead = points - lead
    tally.lead += lead
    tally.lead_squares += lead * lead
    if deal.winner == 1 - seat:
        tally.lost += 1
    elif deal.winner != seat:
        tally.dead += 1
    elif deal.ending == BY_KNOCK:
        tally.by_knock += 1
    elif deal.ending == BY_UNDERCUT:
        tally.by_undercut += 1
    else:
        tally.by_gin += 1


class Estimate(NamedTuple):
    """What the search found of one candidate.

    Attributes
    ----------
    equity, se : float
        Mean points of the deal for this seat, and its standard error.
    lead, lead_se : float
        How much better than the first candidate, and its standard error (in the same worlds, so
        that it is smaller than either equity's).
    knock, gin, undercut, lose, dead : float
        Shares of the worlds won by a knock, by gin, by an undercut; lost; and without a winner.
    """

    equity: float
    se: float
    lead: float
    lead_se: float
    knock: float
    gin: float
    undercut: float
    lose: float
    dead: float


cdef double _mean_error(int64_t total, int64_t squares, int64_t n) noexcept:
    """The standard error of a mean of n whole numbers."""
    if n < 2:
        return 0.0
    return sqrt(max(0.0, (squares - <double>total * total / n) / (n - 1) / n))


cdef class Search:
    """A search of some candidates in one position; it can go on for as long as one likes.

    Parameters
    ----------
    view : View
        Of the seat that is to move.
    candidates : sequence of Action
        Legal actions; the first is the one that leads are measured against. Spreads are chosen by
        the package.
    seed : int
        0 to 2**64 - 1. World n depends on the seed and n alone, and sums are whole numbers, so that
        the same worlds give the same result however they are split into runs.

    Raises
    ------
    IllegalActionError
        A candidate that is not legal, or none at all.
    """

    cdef deal_t view
    cdef int seat
    cdef uint64_t seed
    cdef int n
    cdef uint16_t codes[MAX_ACTIONS]
    cdef tally_t tallies[MAX_ACTIONS]
    cdef style_t style
    cdef readonly int worlds
    cdef readonly tuple candidates

    def __init__(self, View view not None, candidates, seed=0):
        cdef Action candidate
        view._check()
        legal = view.legal_actions()
        self.candidates = tuple(candidates)
        wrong = [str(a) for a in self.candidates if a not in legal]
        if wrong or not 0 < len(self.candidates) <= len(legal):
            raise IllegalActionError(
                f"candidates {', '.join(wrong) or 'missing'}: legal are "
                f"{', '.join([str(a) for a in legal]) or 'none, for it is not this seat\'s turn'}"
            )
        self.view = view.state
        self.seat = view.seat
        self.seed = checked_seed(seed)
        self.n = len(self.candidates)
        for i, candidate in enumerate(self.candidates):
            self.codes[i] = candidate.code
        memset(self.tallies, 0, sizeof(self.tallies))
        self.worlds = 0
        self.style.knock_at[self.seat] = OWN_KNOCK
        self.style.knock_at[1 - self.seat] = ANY_KNOCK

    def run(self, int worlds):
        """Play every candidate out in that many more worlds, without the GIL."""
        if not 0 <= worlds <= 1_000_000_000 - self.worlds:
            raise IllegalActionError(f"worlds={worlds}: from 0 to a thousand million in all")
        with nogil:
            self._run(self.worlds, self.worlds + worlds)
        self.worlds += worlds

    cdef void _run(self, int start, int stop) noexcept nogil:
        cdef deal_t world, deal
        cdef int number, i
        cdef int64_t first
        for number in range(start, stop):
            sample_world_c(&self.view, self.seat, self.seed, <uint64_t>number, &world)
            for i in range(self.n):
                deal = world
                play_c(&deal, self.codes[i])
                rollout_c(&deal, &self.style)
                if i == 0:
                    first = deal.points if deal.winner == self.seat else -deal.points
                _count(&deal, self.seat, first, &self.tallies[i])

    def estimates(self):
        """An Estimate for each candidate, in their order."""
        cdef tally_t* t
        cdef int i
        cdef double n = self.worlds
        if self.worlds == 0:
            raise IllegalActionError("no estimate before the first world: run() first")
        out: list = []
        for i in range(self.n):
            t = &self.tallies[i]
            out.append(Estimate(
                t.points / n, _mean_error(t.points, t.squares, self.worlds),
                t.lead / n, _mean_error(t.lead, t.lead_squares, self.worlds),
                t.by_knock / n, t.by_gin / n, t.by_undercut / n, t.lost / n, t.dead / n,
            ))
        return out
