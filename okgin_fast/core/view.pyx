"""What one seat may know of a deal: the boundary between the engine and the players.

A `View` is the deal's own state with the other hand, the order of the stock and the seed blanked
out, so that what is not in it cannot leak. It says what may be done, but cannot be played on.
"""

from collections.abc import Iterable

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from okgin_fast.core.cards cimport CARDS, DECK, NO_CARD, bit, count, hand_t
from okgin_fast.core.deal cimport Deal, actions_of, checked_seat, events_of, pile_of
from okgin_fast.core.rng cimport mix
from okgin_fast.core.state cimport NO_SEAT, OUTSIDE, OVER, THROW, deal_t, rules_of

from okgin_fast.cards import Card, Hand
from okgin_fast.core.deal import PHASES
from okgin_fast.errors import PositionError, quote

cdef tuple DECK_OF_CARDS = tuple([Card(i) for i in range(CARDS)])


cdef class View:
    """What one seat knows: its hand, the table, and what the other has shown.

    Made by `Deal.view` or `View.from_position`; immutable, and equal to every view that shows the
    same.

    Attributes
    ----------
    rules : Rules
    seat : int
        Whose view this is, 0 or 1.
    actions : tuple of Action
        Everything played so far (all of it public); empty if the history is not known.
    score : (int, int) or None
        The match score, this seat's first.
    result : DealResult or None
        Once the deal is over.
    """

    def __init__(self):
        raise PositionError("a View is made by Deal.view or View.from_position")

    @classmethod
    def of(cls, Deal deal not None, seat, score=None):
        """What `seat` may know of the deal now.

        Parameters
        ----------
        deal : Deal
        seat : int
        score : pair of int, optional
            The match score, that seat's first.

        Returns
        -------
        View
        """
        cdef View self = cls.__new__(cls)
        self.seat = checked_seat(seat, "seat")
        self.rules = deal.rules
        self.state = deal.state
        self.actions = tuple(deal.played)
        self.score = _checked_score(score)
        self.result = deal.result
        self._blank()
        return self

    cdef int _blank(self) except -1:
        """Take out what the seat may not know, and leftovers: equal views have equal states."""
        cdef int other = 1 - self.seat
        self.state.hands[other] = 0
        self.state.seed = 0
        self.state.refused[self.seat] = 0
        memset(self.state.stock, NO_CARD, OUTSIDE)
        memset(self.state.pile + self.state.pile_size, NO_CARD, OUTSIDE - self.state.pile_size)
        return 0

    def _parts(self):
        """Everything that the seat knows, by name: `_of_parts` makes an equal view of it."""
        return {
            "rules": self.rules, "seat": self.seat, "dealer": self.dealer, "to_move": self.to_move,
            "phase": self.phase, "passes": self.state.passes, "turn": self.turn,
            "reshuffles": self.state.reshuffles, "hand": self.hand, "upcard": self.upcard,
            "pile": self.pile, "stock": self.stock, "taken": self.taken, "known": self.known,
            "mine_known": Hand(self.state.known[self.seat]), "refused": self.refused,
            "score": self.score, "actions": self.actions, "result": self.result,
        }

    @classmethod
    def _of_parts(cls, rules, *, seat, dealer, to_move, phase, passes, turn, hand, upcard, pile,
                  stock, taken, known, mine_known, refused, score, reshuffles=0, actions=(),
                  result=None):
        """A view made of parts that fit together; `mine_known` is what the other seat knows."""
        cdef View self = cls.__new__(cls)
        cdef int i
        if seat not in (0, 1) or len(pile) > OUTSIDE:
            raise PositionError(f"seat {quote(seat)} with {len(pile)} cards in the pile: no view")
        memset(&self.state, 0, sizeof(self.state))
        rules_of(rules, &self.state.rules)
        self.rules = rules
        self.seat = seat
        self.state.hands[seat] = hand.mask
        self.state.known[1 - seat] = known.mask
        self.state.known[seat] = mine_known.mask
        self.state.refused[1 - seat] = refused.mask
        for i in range(len(pile)):
            self.state.pile[i] = pile[i]
            self.state.pile_cards |= bit(pile[i])
        self.state.pile_size = len(pile)
        self.state.stock_size = stock
        self.state.upcard = upcard
        self.state.limit = rules.knock_limit(upcard)
        self.state.multiplier = rules.multiplier(upcard)
        self.state.dealer = dealer
        self.state.to_move = seat if to_move is None else to_move
        self.state.phase = PHASES.index(phase)
        self.state.passes = passes
        self.state.turn = turn
        self.state.reshuffles = reshuffles
        self.state.taken = NO_CARD if taken is None else int(taken)
        self.state.winner = NO_SEAT
        self.state.knocker = NO_SEAT
        self.actions = actions
        self.score = _checked_score(score)
        self.result = result
        self._blank()
        self._check()
        return self

    cdef int _check(self) except -1:
        """Refuse parts that do not add up: the search fills the gaps without looking."""
        cdef const deal_t* d = &self.state
        cdef hand_t hand = d.hands[self.seat]
        cdef hand_t known = d.known[1 - self.seat]
        cdef int other = CARDS - count(hand) - d.pile_size - d.stock_size
        cdef bint mine = d.to_move == self.seat
        cdef bint throws = d.phase == THROW
        if (
            hand & d.pile_cards or known & (hand | d.pile_cards) or d.known[self.seat] & ~hand
            or count(d.pile_cards) != d.pile_size or count(known) > other
            or (d.phase != OVER and (count(hand) != 10 + (mine and throws)
                                     or other != 10 + (throws and not mine)))
            or (d.taken != NO_CARD and not (throws and bit(d.taken) & (hand | known)))
        ):
            raise PositionError(f"{self!r} is no view: its parts do not make one deal of 52 cards")
        return 0

    @property
    def to_move(self):
        """The seat whose turn it is, or None when the deal is over."""
        return None if self.state.phase == OVER else self.state.to_move

    @property
    def phase(self):
        """``upcard``, ``draw``, ``throw`` or ``over``."""
        return PHASES[self.state.phase]

    @property
    def dealer(self):
        """The seat that dealt."""
        return self.state.dealer

    @property
    def hand(self):
        """This seat's cards."""
        return Hand(self.state.hands[self.seat])

    @property
    def upcard(self):
        """The first upcard, which fixes the limit of the whole deal."""
        return DECK_OF_CARDS[self.state.upcard]

    @property
    def limit(self):
        """The knock limit, in points."""
        return self.state.limit

    @property
    def pile(self):
        """The discard pile, oldest card first."""
        return pile_of(&self.state)

    @property
    def stock(self):
        """How many cards the stock has."""
        return self.state.stock_size

    @property
    def taken(self):
        """In phase ``throw``: the card just taken from the pile, or None."""
        return None if self.state.taken == NO_CARD else DECK_OF_CARDS[self.state.taken]

    @property
    def turn(self):
        """How many turns have been finished by a throw."""
        return self.state.turn

    @property
    def known(self):
        """Cards that the other seat is known to hold: taken from the pile and not thrown since.

        After a reshuffle everything else was in sight, so that his hand of then is known too.
        """
        return Hand(self.state.known[1 - self.seat])

    @property
    def refused(self):
        """Cards of the pile that the other seat could have taken and did not."""
        return Hand(self.state.refused[1 - self.seat])

    @property
    def unseen(self):
        """Cards that may be in the other hand or in the stock, as far as this seat knows."""
        cdef hand_t seen = self.state.hands[self.seat] | self.state.pile_cards
        return Hand(DECK & ~(seen | self.state.known[1 - self.seat]))

    @property
    def events(self):
        """The public events so far, as a tuple of Event; empty if the history is not known."""
        return events_of(&self.state, self.actions)

    def legal_actions(self):
        """What this seat may do now, as a list of Action; empty when it is not its turn."""
        return actions_of(&self.state) if self.state.to_move == self.seat else []

    def belief(self, int hands=2000, seed=0):
        """For each card the chance that the other seat holds it, inferred from what it has done.

        Parameters
        ----------
        hands : int
            How many of its hands are drawn for that; at least 1.
        seed : int
            0 to 2**64 - 1.

        Returns
        -------
        tuple of float
            52 chances by card id, which sum to 10: 1 for a card that it is known to hold, 0 for
            one that this seat sees elsewhere.

        Raises
        ------
        IllegalActionError
            It is not this seat's turn.
        OkginError
            No hands, or a bad seed.

        Examples
        --------
        >>> import okgin_fast as og
        >>> view = og.View.from_position("hand=ASAHAD2S2H2D3S3H3D3CKD upcard=7H known=QC")
        >>> chances = view.belief()
        >>> chances[og.Card("QC")], chances[og.Card("KD")], round(sum(chances), 6)
        (1.0, 0.0, 10.0)
        """
        from okgin_fast.core.belief import belief
        return belief(self, hands, seed)

    def digest(self):
        """A number from 0 to 2**64 - 1 that depends on what the seat knows of the cards.

        The same on every platform; players draw their random numbers from it and their seed, so
        that the same seed in the same position acts the same.
        """
        return self.digest_c()

    cdef uint64_t digest_c(self) noexcept nogil:
        cdef int i
        cdef uint64_t h = mix(self.state.hands[self.seat] + 1)
        h = mix(h ^ self.state.known[1 - self.seat])
        h = mix(h ^ self.state.refused[1 - self.seat])
        h = mix(h ^ self.state.pile_cards)
        for i in range(self.state.pile_size):
            h = mix(h ^ self.state.pile[i])
        h = mix(h ^ (<uint64_t>self.state.upcard << 8 | self.state.taken))
        return mix(h ^ (<uint64_t>self.state.stock_size << 24 | <uint64_t>self.state.turn << 8
                        | self.state.phase << 4 | self.state.passes))

    def __eq__(self, other):
        if not isinstance(other, View):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self):
        return hash((self.seat, self.digest_c()))

    def __reduce__(self):
        return _of_parts, (type(self), self._parts())

    def __repr__(self):
        return (f"<{type(self).__name__} seat {self.seat}, {self.phase}, hand {self.hand}, "
                f"upcard {self.upcard}, {self.stock} in the stock>")


def _of_parts(cls, parts):
    """For pickle and copy."""
    return cls._of_parts(**parts)


def exchange(Deal deal not None, a, b):
    """Let two cards change places from now on, in the hands and in the stock.

    So a deal is fitted to a history of which only one side is known. It can then be viewed and
    played on, but neither undone nor recorded, since it was not dealt so.

    Parameters
    ----------
    deal : Deal
    a, b : Card
        Neither of them in the pile.
    """
    cdef int x = a, y = b
    cdef int i
    for i in range(2):
        deal.state.hands[i] = _exchanged(deal.state.hands[i], x, y)
        deal.state.known[i] = _exchanged(deal.state.known[i], x, y)
    for i in range(deal.state.stock_size):
        if deal.state.stock[i] == x:
            deal.state.stock[i] = <uint8_t>y
        elif deal.state.stock[i] == y:
            deal.state.stock[i] = <uint8_t>x


cdef hand_t _exchanged(hand_t hand, int a, int b) noexcept:
    if (hand >> a ^ hand >> b) & 1:
        hand ^= bit(a) | bit(b)
    return hand


cdef object _checked_score(object score):
    """A pair of whole numbers from 0 up, or None."""
    if score is None:
        return None
    pair = tuple(score) if isinstance(score, Iterable) else ()
    if len(pair) != 2 or any([type(n) is not int or n < 0 for n in pair]):
        raise PositionError(f"score={quote(score)}: two whole numbers from 0 up, this seat's first")
    return pair
