"""Archetypes: players of one fixed habit, to measure others against.

They differ in a row of numbers only (`habit_t`): which throws they look at, how much they hope for
the next draw, how much they mind feeding the other side, and when they knock. All of them take the
pile card only into a meld that lowers deadwood. Nothing here searches, or draws at random, or
looks at what the mover may not know.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.string cimport memset

from okgin_fast.core.action cimport (
    ACTIONS, BIG_GIN, DISCARD, GIN, KNOCK, PASS, STOCK, TAKE, action,
)
from okgin_fast.core.cards cimport (
    CARDS, DECK, NO_CARD, bit, count, hand_t, lowest, points_of, rank_of, suit_cards,
)
from okgin_fast.core.meld cimport (
    RANK_CARDS, best_throw_c, deadwood_c, melds_with, throw_t, throws_c,
)
from okgin_fast.core.partners cimport PAIRS, PARTNERS, pair_t
from okgin_fast.core.state cimport THROW, UPCARD, deal_t, is_big_gin, must_draw, throwable
from okgin_fast.core.view cimport View

from okgin_fast.errors import IllegalActionError, OkginError, quote

cdef enum:
    POINT = 420_000    # a point in a score: thousandths, shared out evenly among one to seven draws
    BEST_DRAWS = 7     # the draws that a throw is judged by: those that would leave least
    MOST = 104         # more than any deadwood
    MOST_POINTS = 10   # of a card; as a knock's deadwood, whatever the limit allows
    FADES = 9          # what is left of the hope from one turn to the next, in tenths
    SURE = 1000        # a chance, in thousandths
    LIVE = 90          # the chance that he holds a pair of which nothing is known
    HALF_KNOWN = 250   # ... a pair of which he is known to hold one card
    DOUBT = 4          # a chance is so many times smaller if a card of the pile would fit the pair
    ACES = 0           # ranks
    QUEENS = 11
    KINGS = 12

cdef hand_t WORTH[MOST_POINTS + 1]     # the cards of so many points
cdef habit_t HABITS[N_ARCHETYPES]


# ---------------------------------------------------------------------------------------- tables

cdef void _fill_tables() noexcept:
    cdef int card
    memset(WORTH, 0, sizeof(WORTH))
    for card in range(CARDS):
        WORTH[points_of(card)] |= bit(card)


cdef void _set_habit(habit_t* habit, int window, int hope, int danger, list knock_at) noexcept:
    """`knock_at` by own turn; its last number is for all turns after."""
    cdef int turn
    habit.window = window
    habit.danger = danger
    hope *= 1000
    for turn in range(TURNS):
        habit.hope[turn] = hope
        hope = (hope * FADES + 5) // 10
        habit.knock_at[turn] = knock_at[min(turn, len(knock_at) - 1)]


cdef void _fill_habits() noexcept:
    """The hunter's window, hope and knocks are the issue's; all else was measured to be strong."""
    cdef int any = MOST_POINTS
    _set_habit(&HABITS[HUNTER], 5, 18, 40, [any] * 3 + [0])
    _set_habit(&HABITS[TIGHT], any, 6, 20, [any] * 6 + [0])
    _set_habit(&HABITS[DEFENDER], any, 18, 80, [any] * 5 + [0])
    _set_habit(&HABITS[PATIENT], 5, 18, 40, [3] * 3 + [any] * 4 + [0])


_fill_tables()
_fill_habits()


# ------------------------------------------------------------------------------------- the throw

cdef inline hand_t _melding(hand_t hand) noexcept nogil:
    """The cards, held or not, that make a meld with two others of the hand."""
    cdef hand_t aces = RANK_CARDS[ACES]
    cdef hand_t kings = RANK_CARDS[KINGS]
    cdef hand_t queens = RANK_CARDS[QUEENS]
    cdef hand_t two = hand & (hand >> 1) & ~kings               # this card and the next one
    cdef hand_t gap = hand & (hand >> 2) & ~(queens | kings)
    cdef int s = suit_cards(hand, 0)
    cdef int c = suit_cards(hand, 1)
    cdef int d = suit_cards(hand, 2)
    cdef int h = suit_cards(hand, 3)
    cdef int ranks = (s & c) | (d & h) | ((s | c) & (d | h))    # held at least twice
    return (
        <hand_t>ranks * aces | gap << 1 | (two & ~aces) >> 1 | (two & ~queens) << 2
    )


cdef inline int64_t _hope(hand_t hand, int deadwood, hand_t unseen) noexcept nogil:
    """The mean deadwood after a draw and a throw, over the seven best draws; times POINT/1000.

    A drawn card that makes no meld is thrown again, or kept for the dearest one.
    """
    cdef uint8_t draws[MOST]       # by the deadwood that they leave
    cdef hand_t useful = unseen & _melding(hand)
    cdef hand_t rest = unseen ^ useful
    cdef int without = best_throw_c(hand, NO_CARD).deadwood
    cdef int card, points, n, taken, total = 0
    cdef int wanted = BEST_DRAWS
    if unseen == 0:
        return <int64_t>deadwood * (POINT // 1000)
    memset(draws, 0, sizeof(draws))
    while useful:
        card = lowest(useful)
        useful &= useful - 1
        draws[best_throw_c(hand | bit(card), NO_CARD).deadwood] += 1
    for points in range(1, MOST_POINTS + 1):
        draws[min(without + points, deadwood)] += <uint8_t>count(rest & WORTH[points])
    for points in range(deadwood + 1):
        taken = min(draws[points], wanted)
        total += taken * points
        wanted -= taken
        if wanted == 0:
            break
    n = BEST_DRAWS - wanted
    return <int64_t>total * (POINT // 1000 // n)


cdef inline int _danger(const deal_t* deal, int card, hand_t known) noexcept nogil:
    """The chance, in thousandths, that the other side can use the card."""
    cdef const pair_t* pair
    cdef hand_t dead = deal.hands[deal.to_move] | deal.pile_cards
    cdef int i, chance, total = 0
    for i in range(PAIRS):
        pair = &PARTNERS[card][i]
        if pair.cards == 0:
            break
        if pair.cards & dead:
            continue
        if pair.cards & ~known == 0:
            return SURE
        chance = HALF_KNOWN if pair.cards & known else LIVE
        total += chance // DOUBT if pair.fits & deal.pile_cards else chance
    return min(total, <int>SURE)


cdef int _throw(const deal_t* deal, const habit_t* habit, int turn) noexcept nogil:
    """The card to throw when playing on: least score, then highest rank, then lowest suit."""
    cdef uint8_t after[CARDS]
    cdef hand_t hand = deal.hands[deal.to_move]
    cdef hand_t known = deal.known[1 - deal.to_move]
    cdef hand_t unseen = DECK & ~(hand | deal.pile_cards | known)
    cdef hand_t loose = _unmelded(hand, throwable(deal), after)
    cdef hand_t left = loose
    cdef int dearest = 0
    cdef int card, best = NO_CARD
    cdef int64_t score, least = 0
    while left:
        dearest = max(dearest, points_of(lowest(left)))
        left &= left - 1
    while loose:
        card = lowest(loose)
        loose &= loose - 1
        if points_of(card) < dearest - habit.window:
            continue
        score = <int64_t>POINT * after[card]
        score += habit.hope[turn] * _hope(hand ^ bit(card), after[card], unseen)
        score += <int64_t>(POINT // SURE) * habit.danger * _danger(deal, card, known)
        if best == NO_CARD or score < least or (
            score == least and rank_of(card) > rank_of(best)
        ):
            least = score
            best = card
    return best


cdef inline hand_t _unmelded(hand_t hand, hand_t cards, uint8_t* after) noexcept nogil:
    """Those of `cards` that some least arrangement of the hand leaves out of its melds.

    Where there are none, those whose throw leaves least. `after` becomes what each throw leaves.
    """
    cdef int deadwood = deadwood_c(hand)
    cdef hand_t left = cards
    cdef hand_t loose = 0
    cdef hand_t lowering = 0
    cdef int card, least = MOST
    throws_c(hand, after)
    while left:
        card = lowest(left)
        left &= left - 1
        if after[card] == deadwood - points_of(card):
            loose |= bit(card)
        if after[card] < least:
            least = after[card]
            lowering = 0
        if after[card] == least:
            lowering |= bit(card)
    return loose if loose else lowering


# ----------------------------------------------------------------------------------- the decision

cdef inline bint _takes(hand_t hand, int card) noexcept nogil:
    """Whether the card lowers deadwood, and by more than it does if it is held loose."""
    cdef int deadwood
    if not melds_with(hand | bit(card), card):     # the quick answer for most cards
        return False
    deadwood = best_throw_c(hand | bit(card), card).deadwood
    return deadwood < min(deadwood_c(hand),
                          best_throw_c(hand, NO_CARD).deadwood + points_of(card))


cdef uint16_t archetype_c(const deal_t* deal, int which) noexcept nogil:
    cdef const habit_t* habit = &HABITS[which]
    cdef int turn = min(deal.turn // 2, <int>TURNS - 1)     # both seats' turns are counted
    cdef throw_t show
    if deal.phase == THROW:
        if is_big_gin(deal):
            return action(BIG_GIN, 0)
        show = best_throw_c(deal.hands[deal.to_move],
                            NO_CARD if deal.rules.may_discard_taken else deal.taken)
        if show.deadwood == 0:
            return action(GIN, show.card)
        if show.deadwood <= min(deal.limit, habit.knock_at[turn]):
            return action(KNOCK, show.card)
        return action(DISCARD, _throw(deal, habit, turn))
    if not must_draw(deal) and deal.pile_size > 0 and (
        _takes(deal.hands[deal.to_move], deal.pile[deal.pile_size - 1])
    ):
        return action(TAKE, deal.pile[deal.pile_size - 1])
    return action(PASS if deal.phase == UPCARD else STOCK, 0)


# ---------------------------------------------------------------------------------------- Python

cdef dict WHICH = {"hunter": HUNTER, "tight": TIGHT, "defender": DEFENDER, "patient": PATIENT}


def archetype(View view not None, str name not None):
    """What an archetype does in the place of the seat whose view it is and which is to move.

    Parameters
    ----------
    view : View
        Of the seat that is to move.
    name : str
        ``hunter``, ``tight``, ``defender`` or ``patient``; ``okgin_fast.agents`` says what they do.

    Returns
    -------
    Action

    Raises
    ------
    IllegalActionError
        It is not this seat's turn.
    OkginError
        An unknown name.

    Examples
    --------
    >>> import okgin_fast as og
    >>> archetype(og.View.from_position("hand=2S3S4S7H7C7DTHJHQHKD8C upcard=5D"), "hunter")
    Action('discard KD')
    """
    cdef uint16_t code
    cdef int which
    if name not in WHICH:
        raise OkginError(f"{quote(name)} is not an archetype; allowed: {', '.join(WHICH)}")
    if view.to_move != view.seat:
        raise IllegalActionError(f"seat {view.seat} is not to move")
    view._check()
    which = WHICH[name]
    with nogil:
        code = archetype_c(&view.state, which)
    return ACTIONS[code]
