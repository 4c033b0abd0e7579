"""Many deals stepped at once on arrays, for people who train.

`VectorDeals` makes its arrays once and writes
into them, without the GIL and without allocating. Actions and observations are `encoding`'s.
"""

import threading

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from cpython.mem cimport PyMem_Calloc, PyMem_Free

import numpy as np

from okgin_fast.core.cards cimport CARDS
from okgin_fast.core.deal cimport checked_seed
from okgin_fast.core.encoding cimport (
    FEATURES, IDS, code_of, is_legal, legal_ids_c, legal_t, mask_c, observe_c, random_id,
    refusal,
)
from okgin_fast.core.rng cimport derived, rng_seed, rng_t, shuffle
from okgin_fast.core.state cimport (
    NONE, NO_SEAT, OVER, deal_t, play_c, rules_of, rules_t, start_c,
)

from okgin_fast.errors import IllegalActionError, OkginError, RulesError, quote
from okgin_fast.rules import as_rules

cdef enum:
    MOST = 1_000_000    # slots: some 800 bytes each

# One place at which deals are played one after the other.
cdef struct slot_t:
    deal_t deal
    uint64_t seed               # of all its deals
    uint64_t number             # of the deal in play, from 0
    legal_t legal


cdef class VectorDeals:
    """Deals played side by side, one in each slot, with a new one as soon as one is over.

    Parameters
    ----------
    rules : Rules or str
        The rules, or a preset's name. Deals are played by themselves: what the rules say of
        matches is not used.
    n : int
        How many slots, 1 to 1,000,000.
    seed : int
        0 to 2**64 - 1, for all cards.

    Attributes
    ----------
    rules : Rules
    n : int
    seed : int
    observations : ndarray of uint8, shape (n, encoding.N_FEATURES)
        What the seat to move knows, and nothing else; `encoding.LAYOUT` says what is where.
    masks : ndarray of int8, shape (n, encoding.N_ACTIONS)
        1 where an action id is legal.
    to_move : ndarray of uint8, shape (n,)
        The seat whose turn it is.
    rewards : ndarray of int32, shape (n, 2)
        Points that the last step gave seats 0 and 1: what the winner of a deal that it ended
        scored, and that much less for the other; else 0.
    done : ndarray of bool, shape (n,)
        Whether the last step ended a deal. The other arrays show the next one already.
    endings : ndarray of uint8, shape (n,)
        How it ended, an index into ``okgin_fast.core.deal.ENDINGS``; 0 where none did.
    numbers : ndarray of uint64, shape (n,)
        Which deal of its slot is in play, from 0.

    Raises
    ------
    RulesError
        Unknown rules, or n or seed out of range.

    Notes
    -----
    The arrays are the same objects for as long as the environment lives, and every step writes
    into them: copy what is to be kept, and change nothing (nothing that is written there is read).

    With ``derive_seed`` of `okgin_fast.core.rng`, slot i has the seed ``derive_seed(seed, i)``, and
    deal k of a slot with seed s is ``Deal(rules, seed=derive_seed(s, k), dealer=(s + k) % 2)``: the
    seats deal in turn, unless the rules have a ``first_dealer``, who then deals always. A deal is
    what ``okgin_v0`` in `okgin_fast.adapters` plays after as many resets with the slot's seed.

    One thread at a time may use an environment; several environments in as many threads run side
    by side.

    Examples
    --------
    >>> deals = VectorDeals("oklahoma", n=64, seed=1)
    >>> while not deals.done.any():
    ...     deals.step(deals.sample_actions())
    >>> deals.observations.shape, deals.masks.shape, int(deals.rewards.sum())
    ((64, 427), (64, 108), 0)
    """

    cdef readonly object rules
    cdef readonly int n
    cdef readonly object seed
    cdef readonly object observations
    cdef readonly object masks
    cdef readonly object to_move
    cdef readonly object rewards
    cdef readonly object done
    cdef readonly object endings
    cdef readonly object numbers
    cdef object chosen              # the actions of a step: a copy, so that they stay as checked
    cdef object sample
    # the same arrays for C
    cdef uint8_t[:, ::1] _observations
    cdef int8_t[:, ::1] _masks
    cdef uint8_t[::1] _to_move
    cdef int32_t[:, ::1] _rewards
    cdef uint8_t[::1] _done
    cdef uint8_t[::1] _endings
    cdef uint64_t[::1] _numbers
    cdef int64_t[::1] _chosen
    cdef int64_t[::1] _sample
    cdef slot_t* slots
    cdef rules_t table
    cdef uint8_t limits[CARDS]          # by upcard
    cdef int32_t multipliers[CARDS]
    cdef int first_dealer               # a seat, or NO_SEAT: they take turns
    cdef rng_t rng                      # of sample_actions
    cdef object lock

    def __init__(self, rules, n, seed=0):
        if self.slots != NULL:
            raise OkginError("an environment is made once: make another one")
        rules = as_rules(rules)
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MOST:
            raise RulesError(f"n={quote(n)}: a whole number from 1 to {MOST:,}")
        checked_seed(seed)
        self.n = n
        self.lock = threading.Lock()
        self._take_rules(rules)
        self._make_arrays()
        self.slots = <slot_t*>PyMem_Calloc(n, sizeof(slot_t))
        if self.slots == NULL:
            raise MemoryError
        self.reset(seed)

    def __dealloc__(self):
        PyMem_Free(self.slots)

    def __reduce__(self):
        raise TypeError("an environment is not copied or pickled: make another one")

    def __repr__(self):
        return f"<{type(self).__name__} {self.rules.name}, {self.n} slots, seed {self.seed}>"

    cdef int _take_rules(self, object rules) except -1:
        self.rules = rules
        rules_of(rules, &self.table)
        for card in range(CARDS):
            self.limits[card] = rules.knock_limit(card)
            self.multipliers[card] = rules.multiplier(card)
        self.first_dealer = NO_SEAT if rules.first_dealer is None else rules.first_dealer
        return 0

    cdef int _make_arrays(self) except -1:
        self.observations = np.zeros((self.n, FEATURES), dtype=np.uint8)
        self.masks = np.zeros((self.n, IDS), dtype=np.int8)
        self.to_move = np.zeros(self.n, dtype=np.uint8)
        self.rewards = np.zeros((self.n, 2), dtype=np.int32)
        self.done = np.zeros(self.n, dtype=np.bool_)
        self.endings = np.zeros(self.n, dtype=np.uint8)
        self.numbers = np.zeros(self.n, dtype=np.uint64)
        self.chosen = np.zeros(self.n, dtype=np.int64)
        self.sample = np.zeros(self.n, dtype=np.int64)
        self._observations = self.observations
        self._masks = self.masks
        self._to_move = self.to_move
        self._rewards = self.rewards
        self._done = self.done.view(np.uint8)
        self._endings = self.endings
        self._numbers = self.numbers
        self._chosen = self.chosen
        self._sample = self.sample
        return 0

    # -- from Python

    def reset(self, seed=None):
        """Deal anew in every slot.

        Parameters
        ----------
        seed : int, optional
            Begin all over with this seed. Without it every slot goes on to its next deal.

        Raises
        ------
        RulesError
            A seed out of range.
        """
        cdef uint64_t first = 0 if seed is None else checked_seed(seed)
        cdef bint over = seed is not None
        cdef Py_ssize_t i
        self._enter()
        try:
            if over:
                self.seed = first
            with nogil:
                if over:
                    rng_seed(&self.rng, derived(first, <uint64_t>self.n))
                for i in range(self.n):
                    if over:
                        self.slots[i].seed = derived(first, <uint64_t>i)
                    self.slots[i].number = 0 if over else self.slots[i].number + 1
                    self._clear(i)
                    self._deal(i)
                    self._show(i)
        finally:
            self.lock.release()

    def step(self, actions):
        """Play an action in every slot; deals that are over then are followed by the next ones.

        Parameters
        ----------
        actions : array_like of int, shape (n,)
            An action id for each slot.

        Raises
        ------
        IllegalActionError
            Another dtype or shape, or an action that is not legal: the message names the first
            slot and what is allowed there. Nothing has been played then, in no slot.
        """
        cdef Py_ssize_t bad
        self._enter()
        try:
            array = self._read(actions)
            with nogil:
                bad = self._first_illegal()
                if bad < 0:
                    self._step()
            if bad >= 0:
                why = refusal(int(array[bad]), &self.slots[bad].legal)
                raise IllegalActionError(f"slot {bad}: {why}")
        finally:
            self.lock.release()

    def sample_actions(self):
        """Choose an action for every slot at random, each of the legal ones as likely.

        Returns
        -------
        ndarray of int64, shape (n,)
            Action ids. The same array in every call; the numbers follow from the seed and from how
            often this was called since.
        """
        cdef Py_ssize_t i
        self._enter()
        try:
            with nogil:
                for i in range(self.n):
                    self._sample[i] = random_id(&self.slots[i].legal, &self.rng)
            return self.sample
        finally:
            self.lock.release()

    cdef int _enter(self) except -1:
        """One thread at a time: an action is played as it was checked."""
        if self.slots == NULL or not self.lock.acquire(False):
            raise OkginError(f"{self!r} is in use by another thread: one at a time, or one each")
        return 0

    cdef object _read(self, object actions):
        """Copy the actions; returns them as an array, for a message."""
        try:
            array = np.asarray(actions)
        except (ValueError, OverflowError) as error:
            raise IllegalActionError(f"actions {quote(actions)} are no array: {error}") from None
        if array.dtype.kind not in "iu" or array.shape != (self.n,):
            raise IllegalActionError(
                f"actions of dtype {array.dtype} and shape {array.shape}: "
                f"must be whole numbers of shape ({self.n},)"
            )
        np.copyto(self.chosen, array, casting="unsafe")     # what overflows is no action's id
        return array

    # -- in C

    cdef Py_ssize_t _first_illegal(self) noexcept nogil:
        """The first slot in which the chosen action is not legal; else -1."""
        cdef Py_ssize_t i
        for i in range(self.n):
            if not is_legal(&self.slots[i].legal, self._chosen[i]):
                return i
        return -1

    cdef void _step(self) noexcept nogil:
        cdef Py_ssize_t i
        cdef slot_t* slot
        for i in range(self.n):
            slot = &self.slots[i]
            self._clear(i)
            play_c(&slot.deal, code_of(&slot.deal, <int>self._chosen[i]))
            if slot.deal.phase == OVER:
                self._end(i)
                slot.number += 1
                self._deal(i)
            self._show(i)

    cdef void _clear(self, Py_ssize_t i) noexcept nogil:
        self._rewards[i, 0] = 0
        self._rewards[i, 1] = 0
        self._done[i] = False
        self._endings[i] = NONE

    cdef void _end(self, Py_ssize_t i) noexcept nogil:
        """Write what the deal came to."""
        cdef const deal_t* deal = &self.slots[i].deal
        self._done[i] = True
        self._endings[i] = deal.ending
        if deal.winner != NO_SEAT:
            self._rewards[i, deal.winner] = deal.points
            self._rewards[i, 1 - deal.winner] = -deal.points

    cdef void _deal(self, Py_ssize_t i) noexcept nogil:
        """Deal the slot's deal of that number."""
        cdef slot_t* slot = &self.slots[i]
        cdef uint64_t seed = derived(slot.seed, slot.number)
        cdef int dealer = self.first_dealer
        cdef uint8_t cards[CARDS]
        cdef rng_t rng
        cdef int j
        if dealer == NO_SEAT:
            dealer = <int>((slot.seed + slot.number) & 1)
        rng_seed(&rng, seed)
        for j in range(CARDS):
            cards[j] = <uint8_t>j
        shuffle(&rng, cards, CARDS)
        start_c(&slot.deal, &self.table, cards, dealer, seed, self.limits[cards[20]],
                self.multipliers[cards[20]])
        self._numbers[i] = slot.number

    cdef void _show(self, Py_ssize_t i) noexcept nogil:
        """Write what the slot's seat to move sees and may do."""
        cdef slot_t* slot = &self.slots[i]
        legal_ids_c(&slot.deal, &slot.legal)
        mask_c(&slot.legal, &self._masks[i, 0])
        observe_c(&slot.deal, slot.deal.to_move, &self._observations[i, 0])
        self._to_move[i] = slot.deal.to_move
