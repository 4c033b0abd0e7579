"""Actions and observations as numbers: the one form that every environment for learners shares.

An observation is made of what a `View` holds, and of nothing else. How environments deal, step and
reward is not known here.

Action ids, `N_ACTIONS` of them (a card's id is ``suit * 13 + rank``: spades, clubs, diamonds,
hearts; ace 0):

=============== ======================================================================
id              action
=============== ======================================================================
0               pass: refuse the first upcard
1               draw from the stock
2               take the top of the pile
3 + card        discard that card
55 + card       throw that card and show the hand: gin if nothing is left, else a knock
107             big gin
=============== ======================================================================

An observation is `N_FEATURES` bytes; `LAYOUT` names its parts and says where they are.
"""

from typing import NamedTuple

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from okgin_fast.core.action cimport (
    ACTIONS, BIG_GIN, DISCARD, GIN, KNOCK, PASS, STOCK, TAKE, Action, action as code,
)
from okgin_fast.core.cards cimport CARDS, NO_CARD, count, hand_t
from okgin_fast.core.state cimport MAX_ACTIONS, OVER, THROW, deal_t, legal_c, may_knock, throwable
from okgin_fast.core.view cimport View

from okgin_fast.errors import IllegalActionError, quote

cdef enum:
    FIRST_DISCARD = 3
    FIRST_SHOW = FIRST_DISCARD + CARDS
    BIG_GIN_ID = FIRST_SHOW + CARDS

cdef enum:      # where the parts of an observation begin
    HAND = 0
    KNOWN = HAND + CARDS
    MINE_KNOWN = KNOWN + CARDS
    REFUSED = MINE_KNOWN + CARDS
    PILE = REFUSED + CARDS
    TOP = PILE + CARDS
    UPCARD_AT = TOP + CARDS
    TAKEN = UPCARD_AT + CARDS
    PHASE = TAKEN + CARDS
    PASSES = PHASE + 4
    STOCK_SIZE = PASSES + 1
    LIMIT = STOCK_SIZE + 1
    MULTIPLIER = LIMIT + 1
    TURN = MULTIPLIER + 1
    DEALER = TURN + 1
    TO_MOVE = DEALER + 1
    END = TO_MOVE + 1

assert END == FEATURES
assert BIG_GIN_ID + 1 == IDS


class Feature(NamedTuple):
    """One part of an observation.

    Attributes
    ----------
    name : str
    start, stop : int
        Where it is: ``observation[start:stop]``. Parts of 52 numbers have a 1 for each card in
        them, at the card's id.
    highest : int
        The most that its numbers come to; the least is 0.
    meaning : str
    """

    name: str
    start: int
    stop: int
    highest: int
    meaning: str


N_ACTIONS = IDS
N_FEATURES = FEATURES
LAYOUT = (
    Feature("hand", HAND, KNOWN, 1, "this seat's cards"),
    Feature("known", KNOWN, MINE_KNOWN, 1, "cards that the opponent is known to hold"),
    Feature("mine_known", MINE_KNOWN, REFUSED, 1, "this seat's cards that the opponent knows of"),
    Feature("refused", REFUSED, PILE, 1, "cards of the pile that the opponent did not take"),
    Feature("pile", PILE, TOP, 1, "the discard pile"),
    Feature("top", TOP, UPCARD_AT, 1, "the card on top of the pile"),
    Feature("upcard", UPCARD_AT, TAKEN, 1, "the first upcard, wherever it is now"),
    Feature("taken", TAKEN, PHASE, 1, "the card just taken from the pile, before the throw"),
    Feature("phase", PHASE, PASSES, 1, "a 1 for one of upcard, draw, throw, over"),
    Feature("passes", PASSES, STOCK_SIZE, 2, "refusals of the first upcard; 2: draw now"),
    Feature("stock", STOCK_SIZE, LIMIT, 31, "cards in the stock"),
    Feature("limit", LIMIT, MULTIPLIER, 10, "the knock limit in points"),
    Feature("multiplier", MULTIPLIER, TURN, 100, "what everything scored is multiplied by"),
    Feature("turn", TURN, DEALER, 255, "turns finished by a discard, 255 for more"),
    Feature("dealer", DEALER, TO_MOVE, 1, "1 if this seat dealt"),
    Feature("to_move", TO_MOVE, END, 1, "1 if it is this seat's turn"),
)


# ---------------------------------------------------------------------------------------- tables

cdef uint8_t BYTES[256][8]              # eight bits as eight bytes, the lowest first
cdef uint8_t ID_OF[(BIG_GIN + 1) << 6]  # by the action's code
cdef uint16_t CODE_OF[IDS]              # by id; a TAKE's card is the top of the pile


cdef void _pair(int number, int action_code) noexcept:
    ID_OF[action_code] = <uint8_t>number
    CODE_OF[number] = <uint16_t>action_code


cdef void _fill_tables() noexcept:
    cdef int byte, i, card
    for byte in range(256):
        for i in range(8):
            BYTES[byte][i] = byte >> i & 1
    _pair(PASS, code(PASS, 0))
    _pair(STOCK, code(STOCK, 0))
    for card in range(CARDS):
        _pair(TAKE, code(TAKE, card))
        _pair(FIRST_DISCARD + card, code(DISCARD, card))
        _pair(FIRST_SHOW + card, code(GIN, card))
        _pair(FIRST_SHOW + card, code(KNOCK, card))   # the core sees for itself if it is gin
    _pair(BIG_GIN_ID, code(BIG_GIN, 0))

_fill_tables()


# --------------------------------------------------------------------------------------- actions

cdef int code_of(const deal_t* deal, int action_id) noexcept nogil:
    if action_id == <int>TAKE:
        return code(TAKE, deal.pile[deal.pile_size - 1])
    return CODE_OF[action_id]


cdef void legal_ids_c(const deal_t* deal, legal_t* out) noexcept nogil:
    cdef uint16_t codes[MAX_ACTIONS]
    cdef int i, number
    out.low = 0
    out.high = 0
    # As in `random_action_c`: nobody may knock, nearly always, and then no list is needed.
    if deal.phase == THROW and not may_knock(deal):
        out.low = throwable(deal) << FIRST_DISCARD
        out.n = count(out.low)
        return
    out.n = legal_c(deal, codes)
    for i in range(<int>out.n):
        number = ID_OF[codes[i]]
        if number < 64:
            out.low |= <uint64_t>1 << number
        else:
            out.high |= <uint64_t>1 << (number - 64)


cdef void mask_c(const legal_t* legal, int8_t* out) noexcept nogil:
    cdef int i
    for i in range(8):
        memcpy(out + 8 * i, BYTES[legal.low >> 8 * i & 255], 8)
    for i in range(5):
        memcpy(out + 64 + 8 * i, BYTES[legal.high >> 8 * i & 255], 8)
    memcpy(out + 104, BYTES[legal.high >> 40], 4)


cdef str id_text(object action_id):
    if type(action_id) is not int:
        return quote(action_id)
    if action_id in range(FIRST_SHOW, BIG_GIN_ID):
        return f"{action_id} knock {ACTIONS[<int>DISCARD << 6 | (action_id - FIRST_SHOW)].card}"
    if action_id in range(FIRST_DISCARD, FIRST_SHOW):
        return f"{action_id} {ACTIONS[<int>DISCARD << 6 | (action_id - FIRST_DISCARD)]}"
    names = {<int>PASS: "pass", <int>STOCK: "draw", <int>TAKE: "take", BIG_GIN_ID: "big gin"}
    return f"{action_id} {names[action_id]}" if action_id in names else quote(action_id)


cdef str refusal(object action_id, const legal_t* legal):
    allowed = ", ".join([id_text(i) for i in range(IDS) if is_legal(legal, i)])
    return f"action {id_text(action_id)} is not possible; allowed: {allowed or 'none'}"


def action_id(Action action not None):
    """The id of an action; the spread that a knock may name has no part in it.

    Parameters
    ----------
    action : Action

    Returns
    -------
    int
        0 to 107.

    Examples
    --------
    >>> from okgin_fast.core.action import Action
    >>> [action_id(Action.parse(text)) for text in ("draw", "discard KD", "knock KD", "gin KD")]
    [1, 41, 93, 93]
    """
    return ID_OF[action.code]


def action_of(View view not None, number):
    """The action that an id stands for, for the seat whose view it is.

    Parameters
    ----------
    view : View
    number : int
        An id; numpy's integers will do.

    Returns
    -------
    Action
        One of ``view.legal_actions()``.

    Raises
    ------
    IllegalActionError
        That id is not legal now; the message lists those that are.

    Examples
    --------
    >>> import okgin_fast as og
    >>> view = og.Deal("oklahoma", seed=7).view(1)
    >>> action_of(view, 2)
    Action('take 7H')
    >>> action_of(view, 1)
    Traceback (most recent call last):
        ...
    okgin_fast.errors.IllegalActionError: action 1 draw is not possible; allowed: 0 pass, 2 take
    """
    cdef legal_t legal
    _legal_of(view, &legal)
    if isinstance(number, (int, np.integer)) and not isinstance(number, bool):
        number = int(number)
        for one in view.legal_actions():
            if action_id(one) == number:
                return one
    raise IllegalActionError(refusal(number, &legal))


cdef int _legal_of(View view, legal_t* out) except -1:
    """What this seat may do: nothing when it is not its turn."""
    memset(out, 0, sizeof(legal_t))
    if view.state.to_move == view.seat:
        legal_ids_c(&view.state, out)
    return 0


def action_mask(View view not None):
    """Which action ids are legal for the seat whose view it is.

    Parameters
    ----------
    view : View

    Returns
    -------
    ndarray of int8, shape (N_ACTIONS,)
        1 where the id is legal; all 0 when it is not this seat's turn, or the deal is over.

    Examples
    --------
    >>> import okgin_fast as og
    >>> deal = og.Deal("oklahoma", seed=7)
    >>> action_mask(deal.view(1)).nonzero()[0], int(action_mask(deal.view(0)).sum())
    (array([0, 2]), 0)
    """
    cdef legal_t legal
    result = np.empty(IDS, dtype=np.int8)
    cdef int8_t[::1] out = result
    _legal_of(view, &legal)
    mask_c(&legal, &out[0])
    return result


# ----------------------------------------------------------------------------------- observations

cdef inline void _put(uint8_t* out, hand_t cards) noexcept nogil:
    cdef int i
    for i in range(6):
        memcpy(out + 8 * i, BYTES[cards >> 8 * i & 255], 8)
    memcpy(out + 48, BYTES[cards >> 48], 4)


cdef inline void _put_one(uint8_t* out, int card) noexcept nogil:
    memset(out, 0, CARDS)
    if card != NO_CARD:
        out[card] = 1


cdef void observe_c(const deal_t* deal, int seat, uint8_t* out) noexcept nogil:
    _put(out + HAND, deal.hands[seat])
    _put(out + KNOWN, deal.known[1 - seat])
    _put(out + MINE_KNOWN, deal.known[seat])
    _put(out + REFUSED, deal.refused[1 - seat])
    _put(out + PILE, deal.pile_cards)
    _put_one(out + TOP, deal.pile[deal.pile_size - 1] if deal.pile_size > 0 else NO_CARD)
    _put_one(out + UPCARD_AT, deal.upcard)
    _put_one(out + TAKEN, deal.taken)
    memset(out + PHASE, 0, PASSES - PHASE)
    out[PHASE + deal.phase] = 1
    out[PASSES] = deal.passes
    out[STOCK_SIZE] = deal.stock_size
    out[LIMIT] = deal.limit
    out[MULTIPLIER] = <uint8_t>deal.multiplier
    out[TURN] = <uint8_t>min(deal.turn, 255)
    out[DEALER] = deal.dealer == seat
    out[TO_MOVE] = deal.phase != OVER and deal.to_move == seat


def observation(View view not None):
    """What the seat knows, as numbers.

    Parameters
    ----------
    view : View

    Returns
    -------
    ndarray of uint8, shape (N_FEATURES,)
        The parts that `LAYOUT` lists.

    Examples
    --------
    >>> import okgin_fast as og
    >>> view = og.Deal("oklahoma", seed=7).view(1)
    >>> seen = observation(view)
    >>> parts = {part.name: seen[part.start : part.stop] for part in LAYOUT}
    >>> parts["stock"], parts["limit"], parts["top"].nonzero()[0] == int(view.upcard)
    (array([31], dtype=uint8), array([7], dtype=uint8), array([ True]))
    """
    result = np.empty(FEATURES, dtype=np.uint8)
    cdef uint8_t[::1] out = result
    observe_c(&view.state, view.seat, &out[0])
    return result
