"""One deal of gin rummy for Python: checks what is asked, plays it, says what it came to.

The rules themselves are in state.pyx; what a seat may see is in view.pyx. Matches, text records and
players lie above.
"""

import secrets
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from okgin_fast.core.action cimport (
    ACTIONS, BIG_GIN, DISCARD, GIN, KNOCK, PASS, STOCK, TAKE, Action, card_of, kind_of, kind_t,
)
from okgin_fast.core.cards cimport CARDS, DECK, NO_CARD, bit, count, hand_t
from okgin_fast.core.meld cimport deadwood_c, mask_of, sized
from okgin_fast.core.rng cimport rng_seed, rng_t, shuffle
from okgin_fast.core.spread cimport (
    best_spread_c, layoff_c, layoff_of, layoff_t, melds_of, spread_of, spread_t,
)
from okgin_fast.core.state cimport (
    DEAD, DRAW, MAX_ACTIONS, NO_SEAT, OVER, THROW, UPCARD, deal_t, is_big_gin, legal_c, must_draw,
    perft_c, play_c, rules_of, rules_t, show_c, start_c, throw_c, throwable,
)

from okgin_fast.cards import Card, Hand, parse_cards, to_card
from okgin_fast.core.rng import checked_seed as seed_of
from okgin_fast.core.spread import Spread
from okgin_fast.errors import CardError, IllegalActionError, quote
from okgin_fast.rules import as_rules

PHASES = ("upcard", "draw", "throw", "over")
ENDINGS = (None, "knock", "gin", "big_gin", "undercut", "tie", "dead")
cdef tuple DECK_OF_CARDS = tuple([Card(i) for i in range(CARDS)])


class Event(NamedTuple):
    """One public event of a deal.

    Attributes
    ----------
    seat : int or None
        Who did it; None for a reshuffle.
    kind : str
        An action's kind, or ``"reshuffle"``.
    card : Card or None
        The card taken or thrown. A card drawn from the stock is nobody else's business.
    """

    seat: object
    kind: str
    card: object


class DealResult(NamedTuple):
    """How a deal ended.

    Attributes
    ----------
    kind : str
        ``knock``, ``gin``, ``big_gin``, ``undercut``, ``tie`` or ``dead``.
    winner : int or None
        The seat that scores. (`settle` seats the knocker at 0 and the defender at 1.)
    points : int
        What he scores, bonuses and multiplier included.
    knocker : int or None
        The seat that knocked.
    knocker_deadwood, defender_deadwood : int or None
        Points; the defender's after lay-offs.
    spread : Spread or None
        What the knocker showed.
    layoff : LayOff or None
        The defender's answer.
    """

    kind: str
    winner: object
    points: int
    knocker: object
    knocker_deadwood: object
    defender_deadwood: object
    spread: object
    layoff: object


cdef list actions_of(const deal_t* deal):
    cdef uint16_t legal[MAX_ACTIONS]
    cdef int i, n = legal_c(deal, legal)
    return [ACTIONS[legal[i]] for i in range(n)]


cdef tuple pile_of(const deal_t* deal):
    return tuple([DECK_OF_CARDS[deal.pile[i]] for i in range(deal.pile_size)])


cdef object result_of(const deal_t* deal):
    cdef spread_t spread
    cdef layoff_t answer
    cdef hand_t defender
    cdef int i
    if deal.phase != OVER:
        return None
    kind = ENDINGS[deal.ending]
    if deal.ending == DEAD:
        return DealResult(kind, None, 0, None, None, None, None, None)
    spread.n = deal.melds_shown
    spread.deadwood = deal.knocker_deadwood
    for i in range(spread.n):
        spread.melds[i] = deal.shown[i]
    defender = deal.hands[1 - deal.knocker]
    layoff_c(defender, spread.melds, 0 if spread.deadwood == 0 else spread.n, &answer)
    return DealResult(
        kind,
        None if deal.winner == NO_SEAT else deal.winner,
        deal.points,
        deal.knocker,
        deal.knocker_deadwood,
        deal.defender_deadwood,
        spread_of(deal.hands[deal.knocker], &spread),
        layoff_of(defender, spread.melds, 0 if spread.deadwood == 0 else spread.n, &answer),
    )


cdef int spread_from(object melds, hand_t hand, spread_t* out) except -1:
    """A named spread of a hand, as a struct; refuses what is not one."""
    cdef hand_t melded
    out.n = melds_of(melds, out.melds, &melded)
    if melded & ~hand:
        raise IllegalActionError(
            f"the spread shows {Hand(melded & ~hand).text()!r}, "
            f"not in the hand {Hand(hand).text()!r}"
        )
    out.deadwood = Hand(hand & ~melded).points
    return 0


def settle(knocker, defender, rules="oklahoma", upcard=None):
    """Score one showdown.

    Parameters
    ----------
    knocker : Spread, Hand, str, int mask or iterable of cards
        The ten cards kept, or how they are spread; eleven for big gin. From a bare hand the package
        chooses the arrangement that leaves least and offers the fewest lay-offs.
    defender : Hand, str, int mask or iterable of cards
        The other player's ten cards; his melds and lay-offs are chosen for him.
    rules : Rules or str
    upcard : Card, str or int, optional
        The first upcard; needed if the rules take the limit or a multiplier from it.

    Returns
    -------
    DealResult
        With the knocker in seat 0 and the defender in seat 1.

    Raises
    ------
    CardError
        Wrong hands, melds that are none, a card on both sides.
    IllegalActionError
        A knock that is not legal.
    RulesError
        The upcard is needed and missing.

    Examples
    --------
    >>> defender = "KS KC KD QS QC QD 4S 5H 8H 6D"
    >>> result = settle("AS 2S 3S 7H 7D 7C 9C 9D 9S 4H", defender, "standard")
    >>> result.kind, result.winner, result.points, result.layoff.laid_off
    ('knock', 0, 15, ((Card('4S'), 0),))
    """
    cdef deal_t deal
    cdef spread_t spread
    cdef hand_t hand, other
    cdef int size
    memset(&deal, 0, sizeof(deal_t))
    rules = as_rules(rules)
    rules_of(rules, &deal.rules)
    card = None if upcard is None else to_card(upcard)
    deal.limit = rules.knock_limit(card)
    deal.multiplier = rules.multiplier(card)
    deal.winner = NO_SEAT
    if isinstance(knocker, Spread):
        melded = [card for meld in knocker.melds for card in Hand(meld)]
        hand = mask_of([*knocker.unmelded, *melded])
        spread_from(knocker.melds, hand, &spread)
    else:
        hand = mask_of(knocker)
        best_spread_c(hand, DECK & ~hand, &spread)
    size = count(hand)
    other = sized(defender, 10, 10, "a defender's hand")
    if size != 10 and size != 11:
        raise CardError(
            f"{Hand(hand).text()!r} has {size} cards; a knocker shows 10, or 11 for big gin"
        )
    if hand & other:
        raise CardError(f"{Hand(hand & other).text()!r} is in both hands")
    if size == 11 and not (rules.big_gin and spread.deadwood == 0):
        raise IllegalActionError(
            f"eleven cards shown, leaving {spread.deadwood}: only big gin keeps eleven, it needs 0"
            + ("" if rules.big_gin else " and is not played under these rules")
        )
    if spread.deadwood > deal.limit:
        raise IllegalActionError(
            f"the knocker is left with {spread.deadwood}; the knock limit is {deal.limit}"
        )
    deal.hands[0] = hand
    deal.hands[1] = other
    show_c(&deal, &spread)
    return result_of(&deal)


cdef int check_phase(const deal_t* deal, Action a, kind_t kind) except -1:
    """Is this kind of action possible now, and for TAKE: is it the card on top?"""
    cdef int phase = deal.phase
    if phase == UPCARD and kind == PASS:
        return 0
    if phase == DRAW and kind == STOCK:
        return 0
    if phase == THROW and kind >= DISCARD:
        return 0
    if (phase == UPCARD or phase == DRAW) and kind == TAKE and not must_draw(deal) and (
        deal.pile_size > 0 and deal.pile[deal.pile_size - 1] == card_of(a.code)
    ):
        return 0
    if phase == OVER:
        why = "the deal is over"
    elif phase == THROW:
        why = "a card was drawn already; now discard, knock or gin"
    elif kind >= DISCARD:
        why = f"first draw: {' or '.join([str(b) for b in actions_of(deal)])}"
    elif kind == PASS:
        why = "only the first upcard can be refused; draw or take"
    elif must_draw(deal):
        why = f"both refused the upcard {DECK_OF_CARDS[deal.upcard]}; the stock is left: draw"
    elif kind == STOCK:
        why = f"the upcard comes first: take {DECK_OF_CARDS[deal.upcard]} or pass"
    elif deal.pile_size == 0:
        why = "the pile is empty: draw"
    else:
        why = f"the top of the pile is {DECK_OF_CARDS[deal.pile[deal.pile_size - 1]]}"
    raise IllegalActionError(f"{str(a)!r} is not possible: {why}")


cdef int check_throw(const deal_t* deal, Action a) except -1:
    cdef hand_t card = bit(card_of(a.code))
    if card & throwable(deal):
        return 0
    if card & deal.hands[deal.to_move]:
        why = f"{a.card} was just taken from the pile and may not be thrown back in the same turn"
    else:
        why = f"{a.card} is not in the hand {Hand(deal.hands[deal.to_move]).text()!r}"
    raise IllegalActionError(f"{str(a)!r} is not possible: {why}")


cdef Action check_knock(const deal_t* deal, Action a, kind_t kind, spread_t* spread):
    """Is the deadwood low enough? Fills a named spread; returns the action, a gin named so."""
    cdef hand_t hand = deal.hands[deal.to_move]
    cdef int deadwood, limit = deal.limit
    if kind == BIG_GIN:
        if is_big_gin(deal):
            return a
        why = (f"eleven cards leave {deadwood_c(hand)}, big gin needs 0" if deal.rules.big_gin
               else "big gin is not played under these rules")
        raise IllegalActionError(f"{str(a)!r} is not possible: {why}")
    hand ^= bit(card_of(a.code))
    if a.spread is None:
        deadwood = deadwood_c(hand)
    else:
        spread_from(a.spread, hand, spread)
        deadwood = spread.deadwood
    if kind == GIN:
        limit = 0
    if deadwood > limit:
        what = "gin needs 0" if limit == 0 else f"the knock limit is {limit}"
        raise IllegalActionError(f"{str(a)!r} is not possible: it leaves {deadwood}, {what}")
    if deadwood == 0 and kind == KNOCK:
        return Action("gin", a.card, a.spread)
    return a


cdef class Deal:
    """One deal in play.

    Parameters
    ----------
    rules : Rules or str
        The rules, or a preset's name.
    seed : int, optional
        0 to 2**64 - 1; the same cards for the same seed on every platform and in every version.
        None takes one from the system.
    dealer : int
        The seat that deals, 0 or 1; the other one moves first.

    Notes
    -----
    The deck is shuffled by xoshiro256** (seeded through SplitMix64, Fisher-Yates from the top):
    seat 0 gets the first ten cards, seat 1 the next ten, then come the upcard and the stock from
    its top.
    The n-th reshuffle of the pile depends on the seed and n alone.

    A deal ends after at most 2 + 2 * rules.turn_limit actions: every turn is a draw and a throw,
    ``turn_limit`` throws without a knock end it, and before them there are at most two passes.
    """

    def __init__(self, rules, seed=None, dealer=0):
        cdef uint8_t cards[CARDS]
        cdef rng_t rng
        cdef int i
        seed = secrets.randbits(64) if seed is None else seed
        rng_seed(&rng, checked_seed(seed))
        for i in range(CARDS):
            cards[i] = i
        shuffle(&rng, cards, CARDS)
        self._begin(rules, cards, dealer, seed)

    cdef int _begin(self, object rules, const uint8_t* cards, object dealer,
                    uint64_t seed) except -1:
        cdef rules_t table
        self.rules = as_rules(rules)
        rules_of(self.rules, &table)
        upcard = DECK_OF_CARDS[cards[20]]
        start_c(&self.start, &table, cards, checked_seat(dealer, "dealer"), seed,
                self.rules.knock_limit(upcard), self.rules.multiplier(upcard))
        self.state = self.start
        self.played = []
        return 0

    @classmethod
    def from_cards(cls, rules, hands, upcard, stock=None, dealer=0, seed=0):
        """Set up a deal from given cards.

        Parameters
        ----------
        rules : Rules or str
        hands : pair of hands
            Ten cards each, seat 0 first.
        upcard : Card, str or int
        stock : sequence of cards, optional
            The other 31, the next to be drawn first; shuffled by the seed if not given.
        dealer : int
        seed : int
            For the shuffle of the stock and for reshuffles.

        Returns
        -------
        Deal

        Raises
        ------
        CardError
            A wrong number of cards, or a card in two places.
        """
        cdef uint8_t cards[CARDS]
        cdef rng_t rng
        cdef Deal self = cls.__new__(cls)
        if not isinstance(hands, Sequence) or isinstance(hands, str) or len(hands) != 2:
            raise CardError(f"hands={quote(hands)}: there are two hands, one for each seat")
        order = [*Hand(sized(hands[0], 10, 10, "a hand")), *Hand(sized(hands[1], 10, 10, "a hand")),
                 to_card(upcard)]
        twice = [card for i, card in enumerate(order) if card in order[:i]]
        if twice:
            raise CardError(f"{Hand(twice).text()!r} dealt twice: hands and upcard must differ")
        if stock is None:
            left = [card for card in DECK_OF_CARDS if card not in order]
        else:
            left = _checked_stock(stock, order)
        for i, card in enumerate(order + left):
            cards[i] = card
        if stock is None:
            rng_seed(&rng, checked_seed(seed))
            shuffle(&rng, cards + 21, 31)
        self._begin(rules, cards, dealer, checked_seed(seed))
        return self

    # -- reading

    @property
    def cards(self):
        """The 52 cards as dealt: seat 0's and seat 1's hands by id, upcard, stock from the top."""
        cdef int i
        return (*Hand(self.start.hands[0]), *Hand(self.start.hands[1]),
                DECK_OF_CARDS[self.start.upcard],
                *[DECK_OF_CARDS[self.start.stock[30 - i]] for i in range(31)])

    @property
    def seed(self):
        """The seed that the deal was made with."""
        return self.start.seed

    @property
    def dealer(self):
        """The seat that dealt."""
        return self.state.dealer

    @property
    def to_move(self):
        """The seat whose turn it is, or None when the deal is over."""
        return None if self.state.phase == OVER else self.state.to_move

    @property
    def phase(self):
        """``upcard``, ``draw``, ``throw`` or ``over``."""
        return PHASES[self.state.phase]

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
        """The stock, the next card to be drawn first."""
        cdef int i, n = self.state.stock_size
        return tuple([DECK_OF_CARDS[self.state.stock[n - 1 - i]] for i in range(n)])

    @property
    def taken(self):
        """In phase ``throw``: the card just taken from the pile, or None."""
        return None if self.state.taken == NO_CARD else DECK_OF_CARDS[self.state.taken]

    @property
    def turn(self):
        """How many turns have been finished by a throw."""
        return self.state.turn

    @property
    def result(self):
        """The DealResult, or None while the deal goes on."""
        return result_of(&self.state)

    @property
    def actions(self):
        """Every action so far."""
        return tuple(self.played)

    @property
    def history(self):
        """The public events so far, as a tuple of Event."""
        return events_of(&self.state, self.played)

    def hand(self, seat):
        """The cards that a seat holds, as a Hand."""
        return Hand(self.state.hands[checked_seat(seat, "seat")])

    # -- playing

    def legal_actions(self):
        """Every legal action, as a list.

        Throws come first, in the order of the cards, then knocks and gins, then big gin. A knock
        is listed once, without its spread; a throw that leaves nothing is listed as ``gin``.
        """
        return actions_of(&self.state)

    def apply(self, action, seat=None):
        """Play an action.

        Parameters
        ----------
        action : Action or str
        seat : int, optional
            Who plays it; by default whoever is to move.

        Raises
        ------
        IllegalActionError
            It is not legal now; the message says why, and the deal is as it was.
        NotationError, CardError
            Text that is no action.
        """
        cdef Action a
        cdef spread_t spread
        cdef kind_t kind
        if type(action) is Action:
            a = <Action>action
        else:
            a = Action.parse(action)
        if seat is not None and checked_seat(seat, "seat") != self.state.to_move and (
            self.state.phase != OVER
        ):
            raise IllegalActionError(
                f"{str(a)!r} by seat {seat}: it is the turn of seat {self.state.to_move}"
            )
        kind = kind_of(a.code)
        check_phase(&self.state, a, kind)
        if kind >= DISCARD and kind != BIG_GIN:
            check_throw(&self.state, a)
        if kind >= KNOCK:
            a = check_knock(&self.state, a, kind, &spread)
        if a.spread is None:
            play_c(&self.state, a.code)
        else:
            throw_c(&self.state, card_of(a.code))
            show_c(&self.state, &spread)
        self.played.append(a)

    def undo(self):
        """Take the last action back and return it.

        The deal is played again from its start without it, so that what comes back is by
        construction what was.

        Raises
        ------
        IllegalActionError
            Nothing has been played.
        """
        cdef Action a
        if not self.played:
            raise IllegalActionError("nothing to undo: the deal is at its start")
        last = self.played.pop()
        self.state = self.start
        for a in self.played:      # none of these is a knock: that would have ended the deal
            play_c(&self.state, a.code)
        return last

    def clone(self):
        """An independent copy."""
        cdef Deal other = type(self).__new__(type(self))
        other.state = self.state
        other.start = self.start
        other.rules = self.rules
        other.played = self.played.copy()
        return other

    __copy__ = clone

    def __deepcopy__(self, memo):
        return self.clone()

    def __eq__(self, other):
        if not isinstance(other, Deal):
            return NotImplemented
        return self.__reduce__()[1] == other.__reduce__()[1]

    __hash__ = None     # a deal changes

    def __reduce__(self):
        return _replayed, (type(self), self.rules, self.cards, self.dealer, self.seed, self.actions)

    def __repr__(self):
        return (f"<{type(self).__name__} {self.rules.name}, seed {self.seed}, "
                f"dealer {self.dealer}, {len(self.played)} actions, phase {self.phase}>")


def _replayed(cls, rules, cards, dealer, seed, actions):
    """A deal of the class from the 52 cards as dealt, with the actions played."""
    deal = cls.from_cards(rules, (cards[:10], cards[10:20]), cards[20], cards[21:], dealer, seed)
    for action in actions:
        deal.apply(action)
    return deal


cdef tuple events_of(const deal_t* deal, actions):
    """The public events behind a deal's actions: who, what, and which card if it was open."""
    cdef Action a
    cdef kind_t kind
    cdef int seat = 1 - deal.dealer
    cdef int stock = 31, pile = 1, turn = 0
    events = []
    for a in actions:
        events.append(Event(seat, a.kind, a.card))
        kind = kind_of(a.code)
        if kind == STOCK:
            stock -= 1
        elif kind == TAKE:
            pile -= 1
        elif kind == PASS:
            seat = 1 - seat
        elif kind == DISCARD:
            seat = 1 - seat
            pile += 1
            turn += 1
            if deal.rules.reshuffle and stock == 0 and turn < deal.rules.turn_limit:
                stock = pile - 1
                pile = 1
                events.append(Event(None, "reshuffle", None))
    return tuple(events)


def perft(Deal deal not None, int depth):
    """How many sequences of `depth` legal actions go on from here (spreads not counted apart).

    Parameters
    ----------
    deal : Deal
    depth : int
        0 or more; the count grows about sevenfold an action.

    Returns
    -------
    int

    Examples
    --------
    >>> deal = Deal("oklahoma", seed=1)
    >>> [perft(deal, depth) for depth in (0, 1, 2)]
    [1, 2, 12]
    """
    if depth < 0:
        raise IllegalActionError(f"depth={depth}: must be 0 or more")
    cdef uint64_t total
    cdef deal_t state = deal.state
    with nogil:
        total = perft_c(&state, depth)
    return total


cdef int checked_seat(object seat, str what) except -1:
    if isinstance(seat, bool) or not isinstance(seat, int) or seat not in (0, 1):
        raise IllegalActionError(f"{what}={quote(seat)}: a seat is 0 or 1")
    return seat


cdef uint64_t checked_seed(object seed) except? 0xFFFFFFFFFFFFFFFF:
    return seed_of(seed)


cdef list _checked_stock(object stock, list dealt):
    """31 cards in drawing order, none of them dealt already."""
    if not isinstance(stock, Iterable):
        raise CardError(f"stock={quote(stock)}: it takes the other 31 cards, in drawing order")
    cards = parse_cards(stock) if isinstance(stock, str) else [to_card(card) for card in stock]
    twice = [card for i, card in enumerate(cards) if card in dealt or card in cards[:i]]
    if twice:
        raise CardError(f"{Hand(set(twice)).text()!r} in the stock and elsewhere, or twice")
    if len(cards) != 31:
        raise CardError(f"the stock has {len(cards)} cards; it takes the other 31")
    return cards
