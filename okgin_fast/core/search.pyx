"""The search: every candidate is played out in the same sampled worlds.

A flat Monte Carlo search over determinizations. Worlds come from the belief (belief.pyx). A knock
needs no rollout, its value in a world is exact; after anything else both sides play on by their
policies (policy.pyx): the searching side for gin, with an eye for chances and danger; the other as
its last throw from the hand of that world gives it away, greedily or with an eye for chances too,
and knocking at once; but where that hand could have been knocked with before, it waits for gin.
What is maximised is the mean of points or, with a match score, of the chance to win the match.

Candidates that trail clearly can be dropped, so that the close ones get the rollouts.
"""

from typing import NamedTuple
from concurrent.futures import ThreadPoolExecutor

from libc.math cimport rint, sqrt
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.string cimport memset

from okgin_fast.core.action cimport DISCARD, Action, action
from okgin_fast.core.belief cimport CHAINS, chain_next, chain_start, chain_t
from okgin_fast.core.cards cimport DECK, NO_CARD, bit, hand_t
from okgin_fast.core.deal cimport checked_seed, spread_from
from okgin_fast.core.meld cimport best_throw_c, deadwood_c
from okgin_fast.core.policy cimport Policy, policy_c, policy_t
from okgin_fast.core.spread cimport best_spread_c, spread_t
from okgin_fast.core.state cimport (
    BY_KNOCK, BY_UNDERCUT, MAX_ACTIONS, OVER, THROW, deal_t, play_c, show_c, throw_c,
)
from okgin_fast.core.view cimport View

from okgin_fast.core import policy
from okgin_fast.core.spread import spreads
from okgin_fast.errors import IllegalActionError, OkginError, quote

cdef enum:
    REACH = 258         # points of a deal that a `worth` goes to, both ways
    CHANCE = 10_000     # a certain win of the match, as a whole number
    MOST_WORLDS = 1_000_000_000
    MOST_HANDS = 512    # that spreads are tried against

cdef Policy MINE = policy.FOR_GIN     # in rollouts the searching side
cdef Policy GREEDY = Policy(pair=0, gap=0, danger_sure=0, knock=[10])    # the other is one of these
cdef Policy THINKER = Policy(knock=[10])


cdef void rollout_c(deal_t* deal, const policy_t* const* policies) noexcept nogil:
    while deal.phase != OVER:
        play_c(deal, policy_c(deal, policies[deal.to_move]))


class Estimate(NamedTuple):
    """What the search found of one candidate.

    Attributes
    ----------
    equity, se : float
        Mean points of the deal for this seat, and its standard error.
    lead, lead_se : float
        How much better than the first candidate, and its standard error (in the same worlds, so
        that it is smaller than either equity's): in points, or with a `worth` in chances of the
        match.
    knock, gin, undercut, lose, dead : float
        Shares of the worlds won by a knock, by gin, by an undercut; lost; and without a winner.
    worth, worth_se : float or None
        With a `worth` the chance to win the match, and its standard error.
    worlds : int
        In how many it was played out.

    Notes
    -----
    Worlds come from eight chains, and a chain's worlds resemble their neighbours. So a standard
    error is the larger of two: that of independent worlds, and that of the chains' means. For one
    world it is 0.
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
    worth: float | None
    worth_se: float | None
    worlds: int


cdef double _mean_error(double total, double squares, double n) noexcept:
    """The standard error of a mean of n independent numbers."""
    if n < 2:
        return 0.0
    return sqrt(max(0.0, (squares - total * total / n) / (n - 1) / n))


# What each chain of worlds adds to a mean.
cdef struct sums_t:
    int64_t worlds[CHAINS]
    int64_t totals[CHAINS]
    int64_t squares


cdef double _mean_of_chains(const sums_t* sums, double* error) noexcept:
    """The mean, and its standard error: see the notes of Estimate."""
    cdef double n = 0, total = 0, spread = 0
    cdef int chain
    for chain in range(CHAINS):
        n += sums.worlds[chain]
        total += sums.totals[chain]
    error[0] = _mean_error(total, sums.squares, n)
    if n >= CHAINS:
        for chain in range(CHAINS):
            spread += (sums.totals[chain] - sums.worlds[chain] * total / n) ** 2
        error[0] = max(error[0], sqrt(spread * CHAINS / (CHAINS - 1)) / n)
    return total / n


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
        the same worlds give the same result however they are split into runs and threads.
    worth : sequence of float, optional
        The chance to win the match after the deal has come to -258, -257, ... 258 points for this
        seat (`okgin_fast.equity.deal_worth`): maximised instead of points.
    inference : bool
        Whether the other seat's hands are inferred from what he has done, or drawn uniformly.
    mine, theirs : Policy, optional
        How the searching side and the other play on in the rollouts. By default the other is judged
        by his last throw, world by world.

    Raises
    ------
    IllegalActionError
        A candidate that is not legal, or none at all.
    OkginError
        A bad seed, or a `worth` of another length or with what is no chance in it.
    """

    cdef deal_t view
    cdef int seat
    cdef uint64_t seed
    cdef int n
    cdef int n_live
    cdef int live[MAX_ACTIONS]         # the candidates that have not been dropped, in their order
    cdef uint16_t codes[MAX_ACTIONS]
    cdef chain_t chains[CHAINS]
    cdef book_t books[CHAINS]
    cdef bint started[CHAINS]
    cdef bint inference
    cdef bint for_match
    cdef int32_t values[2 * REACH + 1]
    cdef Policy mine
    cdef Policy greedy
    cdef Policy thinker
    cdef policy_t waiting
    cdef readonly int worlds
    cdef readonly tuple candidates

    def __init__(self, View view not None, candidates, seed=0, *, worth=None, bint inference=True,
                 Policy mine=None, Policy theirs=None):
        cdef Action candidate
        cdef double chance
        cdef int i
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
        self.n = self.n_live = len(self.candidates)
        for i, candidate in enumerate(self.candidates):
            self.codes[i] = candidate.code
            self.live[i] = i
        memset(self.books, 0, sizeof(self.books))
        memset(self.started, 0, sizeof(self.started))
        self.worlds = 0
        self.inference = inference
        self.mine = MINE if mine is None else mine
        self.greedy = GREEDY if theirs is None else theirs
        self.thinker = THINKER if theirs is None else theirs
        self.waiting = self.greedy.policy
        memset(self.waiting.knock_at, 0, sizeof(self.waiting.knock_at))
        self.for_match = worth is not None
        if worth is not None:
            if len(worth) != 2 * REACH + 1:
                raise OkginError(f"worth of {len(worth)} results: must be of -{REACH} to {REACH}")
            for i, chance in enumerate(worth):
                if not 0 <= chance <= 1:
                    raise OkginError(
                        f"worth of {i - REACH} points {quote(chance)}: must be a chance from 0 to 1"
                    )
                self.values[i] = <int32_t>rint(chance * CHANCE)

    def run(self, worlds, threads=1):
        """Play every candidate that is left out in that many more worlds, without the GIL.

        Parameters
        ----------
        worlds : int
        threads : int
            Up to 8 work at a time; the result is the same for any number.
        """
        if not isinstance(worlds, int) or not 0 <= worlds <= MOST_WORLDS - self.worlds:
            raise IllegalActionError(f"worlds={quote(worlds)}: from 0 to a thousand million in all")
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise OkginError(f"threads={quote(threads)}: a whole number from 1 up")
        start, self.worlds = self.worlds, self.worlds + worlds
        if threads == 1:
            self._run(start, self.worlds, 0, 1)
            return
        workers = min(threads, CHAINS)
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(self._part, start, self.worlds, worker, workers)
                         for worker in range(workers)]:
                done.result()

    def _part(self, int start, int stop, int worker, int workers):
        self._run(start, stop, worker, workers)

    cdef int _run(self, int start, int stop, int worker, int workers) except -1:
        """The worlds from start to stop of every chain whose turn it is among the workers."""
        cdef int chain = worker
        with nogil:
            while chain < CHAINS:
                self._run_chain(chain, start + (chain - start % CHAINS + CHAINS) % CHAINS, stop)
                chain += workers
        return 0

    cdef void _run_chain(self, int number, int start, int stop) noexcept nogil:
        cdef deal_t world, deal
        cdef chain_t* chain = &self.chains[number]
        cdef book_t* book = &self.books[number]
        cdef const policy_t* policies[2]
        cdef int64_t value[MAX_ACTIONS]
        cdef int64_t lead
        cdef int i, j, a, b
        policies[self.seat] = &self.mine.policy
        while start < stop:
            if not self.started[number]:
                chain_start(chain, &self.view, self.seat, self.seed, number, self.inference)
                self.started[number] = True
            chain_next(chain, &self.view, self.seat, &world)
            policies[1 - self.seat] = self._other(&world, start // CHAINS)
            for i in range(self.n_live):
                a = self.live[i]
                deal = world
                play_c(&deal, self.codes[a])
                rollout_c(&deal, policies)
                value[i] = self._count(&deal, &book.tallies[a])
                for j in range(i):
                    b = self.live[j]
                    lead = value[i] - value[j]
                    book.leads[b][a] += lead
                    book.lead_squares[b][a] += lead * lead
            start += CHAINS

    cdef const policy_t* _other(self, const deal_t* world, int number) noexcept nogil:
        """How the other side plays on in a world.

        Who could have knocked with that hand and did not, waits for gin. A throw that only one of
        the two players would have made gives him away; else he is each in every other world.
        """
        cdef deal_t before = world[0]
        cdef policy_t thinker = self.thinker.policy
        cdef hand_t hand = world.hands[1 - self.seat]
        cdef int deadwood = deadwood_c(hand)
        cdef int thrown
        cdef bint greedy, thinks
        if not self.inference or world.turn == 0:
            return &self.greedy.policy
        if world.turn > 1 and deadwood <= world.limit:
            return &self.waiting
        thrown = world.taken if world.phase == THROW else NO_CARD
        if thrown == NO_CARD and world.pile_size:
            before.pile_size -= 1
            thrown = world.pile[before.pile_size]
        if thrown == NO_CARD:
            return &self.greedy.policy
        greedy = best_throw_c(hand | bit(thrown), NO_CARD).deadwood == deadwood
        before.hands[1 - self.seat] |= bit(thrown)
        before.known[self.seat] &= ~bit(thrown)
        before.pile_cards &= ~bit(thrown)
        before.to_move = 1 - self.seat
        before.turn -= 1
        before.phase = THROW
        before.taken = NO_CARD
        memset(thinker.knock_at, 0, sizeof(thinker.knock_at))
        thinks = policy_c(&before, &thinker) == action(DISCARD, thrown)
        if thinks == greedy:
            thinks = number % 2
        return &self.thinker.policy if thinks else &self.greedy.policy

    cdef int64_t _count(self, const deal_t* deal, tally_t* tally) noexcept nogil:
        """Write down what a deal came to; returns its value."""
        cdef int64_t points = deal.points if deal.winner == self.seat else -deal.points
        cdef int64_t value = points
        if self.for_match:
            value = self.values[max(-REACH, min(REACH, points)) + REACH]
        tally.worlds += 1
        tally.points += points
        tally.squares += points * points
        tally.value += value
        tally.value_squares += value * value
        if deal.winner == 1 - self.seat:
            tally.lost += 1
        elif deal.winner != self.seat:
            tally.dead += 1
        elif deal.ending == BY_KNOCK:
            tally.by_knock += 1
        elif deal.ending == BY_UNDERCUT:
            tally.by_undercut += 1
        else:
            tally.by_gin += 1
        return value

    cdef tally_t _tally(self, int i) noexcept:
        """A candidate's tally over all chains."""
        cdef tally_t sum
        cdef tally_t* part
        cdef int chain
        memset(&sum, 0, sizeof(sum))
        for chain in range(CHAINS):
            part = &self.books[chain].tallies[i]
            sum.worlds += part.worlds
            sum.points += part.points
            sum.squares += part.squares
            sum.value += part.value
            sum.value_squares += part.value_squares
            sum.by_knock += part.by_knock
            sum.by_gin += part.by_gin
            sum.by_undercut += part.by_undercut
            sum.lost += part.lost
            sum.dead += part.dead
        return sum

    cdef double _lead(self, int i, int j, double* error) noexcept:
        """How much more candidate i is worth than j, and the standard error of that.

        Over the worlds in which both were played out.
        """
        cdef int low = min(i, j)
        cdef int high = max(i, j)
        cdef int64_t n = 0
        cdef double total = 0
        cdef double squares = 0
        cdef int chain
        for chain in range(CHAINS):
            n += min(self.books[chain].tallies[i].worlds, self.books[chain].tallies[j].worlds)
            total += self.books[chain].leads[low][high]
            squares += self.books[chain].lead_squares[low][high]
        error[0] = _mean_error(total, squares, n)
        return (total if i == high else -total) / n

    cdef int _leader(self) noexcept:
        """The candidate that is worth most, of those not dropped; the first of equals."""
        cdef int i, best = self.live[0]
        cdef double error
        for i in range(1, self.n_live):
            if self._lead(self.live[i], best, &error) > 0:
                best = self.live[i]
        return best

    def narrow(self, double doubt):
        """Drop the candidates that trail the best one by more than so many standard errors."""
        cdef int i, best, kept = 0
        cdef double lead, error
        if self.worlds < 2 or self.n_live < 2:
            return
        best = self._leader()
        for i in range(self.n_live):
            lead = self._lead(best, self.live[i], &error)
            if self.live[i] == best or lead <= doubt * error:
                self.live[kept] = self.live[i]
                kept += 1
        self.n_live = kept

    @property
    def open(self):
        """How many candidates are left."""
        return self.n_live

    def best(self, double doubt=0.0):
        """The candidate that is worth most.

        Parameters
        ----------
        doubt : float
            The first candidate stays the choice, unless another one leads it by more than so many
            standard errors or it has been dropped. One world proves nothing.

        Returns
        -------
        Action
        """
        cdef int best
        cdef double lead, error
        self._refuse_if_new()
        best = self._leader()
        if self.live[0] == 0 and doubt > 0:
            lead = self._lead(best, 0, &error)
            if self.worlds < 2 or lead <= doubt * error:
                best = 0
        return self.candidates[best]

    def estimates(self):
        """An Estimate for each candidate, in their order."""
        cdef tally_t t
        cdef sums_t points, value, leads
        cdef int i
        cdef double n, equity, worth, lead, se, worth_se, lead_se
        cdef double unit = CHANCE if self.for_match else 1
        self._refuse_if_new()
        out: list = []
        for i in range(self.n):
            t = self._tally(i)
            n = t.worlds
            self._add_up(i, &points, &value, &leads)
            equity = _mean_of_chains(&points, &se)
            worth = _mean_of_chains(&value, &worth_se)
            lead = _mean_of_chains(&leads, &lead_se)
            out.append(Estimate(
                equity, se, lead / unit, lead_se / unit,
                t.by_knock / n, t.by_gin / n, t.by_undercut / n, t.lost / n, t.dead / n,
                worth / CHANCE if self.for_match else None,
                worth_se / CHANCE if self.for_match else None, t.worlds,
            ))
        return out

    cdef void _add_up(self, int i, sums_t* points, sums_t* value, sums_t* leads) noexcept:
        """What each chain found of a candidate, and of its lead over the first."""
        cdef book_t* book
        cdef int chain
        points.squares = value.squares = leads.squares = 0
        for chain in range(CHAINS):
            book = &self.books[chain]
            points.worlds[chain] = value.worlds[chain] = book.tallies[i].worlds
            leads.worlds[chain] = min(book.tallies[0].worlds, book.tallies[i].worlds)
            points.totals[chain] = book.tallies[i].points
            value.totals[chain] = book.tallies[i].value
            leads.totals[chain] = book.leads[0][i]
            points.squares += book.tallies[i].squares
            value.squares += book.tallies[i].value_squares
            leads.squares += book.lead_squares[0][i]

    cdef int _refuse_if_new(self) except -1:
        if self.worlds == 0:
            raise IllegalActionError("no estimate before the first world: run() first")
        return 0


def best_show(View view not None, Action knock not None, seed=0, *, worth=None,
              bint inference=True, int hands=128):
    """A knock with the spread that is worth most against the hands that the other seat may hold.

    The arrangement that leaves least need not be the best: another one may take fewer lay-offs.

    Parameters
    ----------
    view : View
    knock : Action
        A legal ``knock``; anything else is given back.
    seed : int
        0 to 2**64 - 1.
    worth, inference
        As for `Search`.
    hands : int
        How many of his hands are looked at, 1 to 512; each settlement is exact.

    Returns
    -------
    Action
        The knock as it is, unless another spread is better than the package's choice.

    Raises
    ------
    IllegalActionError
        A knock that is not legal.
    OkginError
        Another number of hands, or as for `Search`.
    """
    cdef Search search
    cdef chain_t chains[CHAINS]
    cdef hand_t held[MOST_HANDS]
    cdef spread_t shown
    cdef deal_t deal
    cdef tally_t tally
    cdef hand_t hand
    cdef int i
    cdef list totals = []
    if knock.kind != "knock" or knock.spread is not None:
        return knock
    if not 0 < hands <= MOST_HANDS:
        raise OkginError(f"hands={quote(hands)}: from 1 to {MOST_HANDS}")
    search = Search(view, [knock], seed, worth=worth)
    hand = view.state.hands[view.seat] & ~bit(<int>knock.card)
    arranged = [spread.melds for spread in spreads(hand, view.state.limit)]
    if len(arranged) == 1:
        return knock
    for i in range(hands):
        if i < CHAINS:
            chain_start(&chains[i], &view.state, view.seat, search.seed, i, inference)
        chain_next(&chains[i % CHAINS], &view.state, view.seat, &deal)
        held[i] = deal.hands[1 - view.seat]
    for melds in [None, *arranged]:
        memset(&tally, 0, sizeof(tally))
        if melds is None:
            best_spread_c(hand, DECK & ~(hand | view.state.pile_cards | bit(<int>knock.card)),
                          &shown)
        else:
            spread_from(melds, hand, &shown)
        for i in range(hands):
            deal = view.state
            deal.hands[1 - view.seat] = held[i]
            throw_c(&deal, <int>knock.card)
            show_c(&deal, &shown)
            search._count(&deal, &tally)
        totals.append(tally.value)
    best = max(range(len(totals)), key=totals.__getitem__)      # the first of equals
    return knock if best == 0 else Action("knock", knock.card, arranged[best - 1])
