"""The rules of one deal, as C functions on a struct: start, legal actions, play, settle.

One function for each rule of the game, named after it. Nothing is checked here: `Deal` (deal.pyx)
does that for Python, and rollouts play only what `legal_c` or a policy of their own gives them.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from okgin_fast.core.action cimport (
    BIG_GIN, DISCARD, GIN, KNOCK, PASS, STOCK, TAKE, action, card_of, kind_of, kind_t,
)
from okgin_fast.core.cards cimport CARDS, DECK, NO_CARD, bit, count, hand_t, lowest
from okgin_fast.core.meld cimport deadwood_c, throws_c
from okgin_fast.core.rng cimport mix, rng_below, rng_seed, rng_t, shuffle
from okgin_fast.core.spread cimport best_spread_c, layoff_c, layoff_t, spread_t


cdef void start_c(deal_t* deal, const rules_t* rules, const uint8_t* cards, int dealer,
                  uint64_t seed, int limit, int multiplier) noexcept nogil:
    cdef int i
    memset(deal, 0, sizeof(deal_t))
    deal.rules = rules[0]
    for i in range(10):
        deal.hands[0] |= bit(cards[i])
        deal.hands[1] |= bit(cards[10 + i])
    deal.upcard = cards[20]
    deal.pile[0] = deal.upcard
    deal.pile_size = 1
    deal.pile_cards = bit(deal.upcard)
    deal.stock_size = 31
    for i in range(31):
        deal.stock[30 - i] = cards[21 + i]
    deal.limit = <uint8_t>limit
    deal.multiplier = multiplier
    deal.dealer = <uint8_t>dealer
    deal.to_move = <uint8_t>(1 - dealer)
    deal.phase = UPCARD
    deal.taken = NO_CARD
    deal.seed = seed
    deal.winner = NO_SEAT
    deal.knocker = NO_SEAT


cdef bint is_big_gin(const deal_t* deal) noexcept nogil:
    return deal.rules.big_gin and deadwood_c(deal.hands[deal.to_move]) == 0


cdef inline bint wall_reached(const deal_t* deal) noexcept nogil:
    return not deal.rules.reshuffle and deal.stock_size <= deal.rules.wall_size


cdef inline bint stock_used_up(const deal_t* deal) noexcept nogil:
    return deal.rules.reshuffle and deal.stock_size == 0


cdef inline bint is_undercut(const rules_t* rules, int knocker, int defender) noexcept nogil:
    return defender < knocker or (defender == knocker and rules.undercut_on_tie)


cdef score_t score_c(const rules_t* rules, int knocker, int defender, bint big_gin,
                     int multiplier) noexcept nogil:
    cdef score_t score
    score.winner = 0
    if big_gin:
        score.ending = BY_BIG_GIN
        score.points = rules.big_gin_bonus + defender
    elif knocker == 0:
        score.ending = BY_GIN
        score.points = rules.gin_bonus + defender
    elif is_undercut(rules, knocker, defender):
        score.ending = BY_UNDERCUT
        score.winner = 1
        score.points = rules.undercut_bonus + knocker - defender
    elif defender == knocker:
        score.ending = BY_TIE
        score.winner = NO_SEAT
        score.points = 0
    else:
        score.ending = BY_KNOCK
        score.points = defender - knocker
    score.points *= multiplier
    return score


cdef int legal_c(const deal_t* deal, uint16_t* out) noexcept nogil:
    """The legal actions, at most MAX_ACTIONS: throws by card, then knocks and gins by card."""
    cdef uint8_t after[CARDS]
    cdef hand_t cards
    cdef int card, n = 0
    if deal.phase == UPCARD:
        out[0] = action(TAKE, deal.upcard)
        out[1] = action(PASS, 0)
        return 2
    if deal.phase == DRAW:
        out[0] = action(STOCK, 0)
        if must_draw(deal) or deal.pile_size == 0:
            return 1
        out[1] = action(TAKE, deal.pile[deal.pile_size - 1])
        return 2
    if deal.phase == OVER:
        return 0
    cards = throwable(deal)
    while cards:
        out[n] = action(DISCARD, lowest(cards))
        n += 1
        cards &= cards - 1
    if not may_knock(deal):
        return n
    cards = throwable(deal)
    throws_c(deal.hands[deal.to_move], after)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if after[card] <= deal.limit:
            out[n] = action(GIN if after[card] == 0 else KNOCK, card)
            n += 1
    if is_big_gin(deal):
        out[n] = action(BIG_GIN, 0)
        n += 1
    return n


cdef uint16_t random_action_c(const deal_t* deal, rng_t* rng) noexcept nogil:
    """One of the legal actions, each as likely as the others."""
    cdef uint16_t legal[MAX_ACTIONS]
    cdef hand_t cards
    cdef int n
    if deal.phase == THROW:
        cards = throwable(deal)
        if not may_knock(deal):
            for _ in range(<int>rng_below(rng, count(cards))):   # pick a throw at once
                cards &= cards - 1
            return action(DISCARD, lowest(cards))
    n = legal_c(deal, legal)
    return legal[rng_below(rng, n)]


cdef void end_dead(deal_t* deal) noexcept nogil:
    deal.phase = OVER
    deal.ending = DEAD


cdef void reshuffle_c(deal_t* deal) noexcept nogil:
    """The pile except its top card becomes the new stock.

    With the stock used up and every other card in sight, each seat knows the other's hand.
    """
    cdef rng_t rng
    cdef uint8_t top = deal.pile[deal.pile_size - 1]
    cdef int i
    deal.stock_size = deal.pile_size - 1
    for i in range(deal.stock_size):
        deal.stock[i] = deal.pile[i]
    rng_seed(&rng, mix(deal.seed) + deal.reshuffles)
    shuffle(&rng, deal.stock, deal.stock_size)
    deal.reshuffles += 1
    deal.pile[0] = top
    deal.pile_size = 1
    deal.pile_cards = bit(top)
    deal.known[0] = deal.hands[0]
    deal.known[1] = deal.hands[1]
    deal.refused[0] = 0
    deal.refused[1] = 0


cdef void throw_c(deal_t* deal, int card) noexcept nogil:
    """Put a card of the mover's on the pile, face up or, with a knock, face down."""
    cdef int me = deal.to_move
    deal.hands[me] &= ~bit(card)
    deal.known[me] &= ~bit(card)
    deal.pile[deal.pile_size] = <uint8_t>card
    deal.pile_size += 1
    deal.pile_cards |= bit(card)
    deal.taken = NO_CARD


cdef void show_c(deal_t* deal, const spread_t* spread) noexcept nogil:
    """The mover spreads his hand, the defender answers as best he can, and the deal is scored."""
    cdef int me = deal.to_move
    cdef layoff_t answer
    cdef score_t score
    cdef int i
    if spread.deadwood == 0:      # no lay-offs on gin
        answer.deadwood = deadwood_c(deal.hands[1 - me])
    else:
        layoff_c(deal.hands[1 - me], spread.melds, spread.n, &answer)
    score = score_c(&deal.rules, spread.deadwood, answer.deadwood, count(deal.hands[me]) == 11,
                    deal.multiplier)
    deal.phase = OVER
    deal.taken = NO_CARD
    deal.ending = score.ending
    deal.points = score.points
    if score.winner != NO_SEAT:
        deal.winner = <int8_t>(me if score.winner == 0 else 1 - me)
    deal.knocker = <int8_t>me
    deal.knocker_deadwood = <uint8_t>spread.deadwood
    deal.defender_deadwood = <uint8_t>answer.deadwood
    deal.melds_shown = <uint8_t>spread.n
    for i in range(spread.n):
        deal.shown[i] = spread.melds[i]


cdef void play_c(deal_t* deal, int code) noexcept nogil:
    """Play a legal action; a knock with the spread that the package chooses."""
    cdef int me = deal.to_move
    cdef kind_t kind = kind_of(code)
    cdef uint8_t top
    cdef spread_t spread
    if kind == PASS:
        deal.refused[me] |= bit(deal.upcard)
        deal.passes += 1
        deal.to_move = <uint8_t>(1 - me)
        if must_draw(deal):
            deal.phase = DRAW
    elif kind == STOCK:
        if deal.pile_size > 0:
            deal.refused[me] |= bit(deal.pile[deal.pile_size - 1])
        deal.stock_size -= 1
        deal.hands[me] |= bit(deal.stock[deal.stock_size])
        deal.passes = 0
        deal.phase = THROW
    elif kind == TAKE:
        deal.pile_size -= 1
        top = deal.pile[deal.pile_size]
        deal.pile_cards ^= bit(top)
        deal.hands[me] |= bit(top)
        deal.known[me] |= bit(top)
        deal.refused[1 - me] &= ~bit(top)
        deal.taken = top
        deal.passes = 0
        deal.phase = THROW
    elif kind == DISCARD:
        throw_c(deal, card_of(code))
        deal.turn += 1
        deal.to_move = <uint8_t>(1 - me)
        deal.phase = DRAW
        if wall_reached(deal) or deal.turn >= deal.rules.turn_limit:
            end_dead(deal)
        elif stock_used_up(deal):
            reshuffle_c(deal)
    else:
        if kind != BIG_GIN:
            throw_c(deal, card_of(code))
        best_spread_c(deal.hands[me], DECK & ~(deal.hands[me] | deal.pile_cards), &spread)
        show_c(deal, &spread)


cdef uint64_t perft_c(const deal_t* deal, int depth) noexcept nogil:
    cdef uint16_t legal[MAX_ACTIONS]
    cdef deal_t after
    cdef uint64_t total = 0
    cdef int i, n = legal_c(deal, legal)
    if depth <= 1:
        return n if depth == 1 else 1
    for i in range(n):
        after = deal[0]
        play_c(&after, legal[i])
        total += perft_c(&after, depth - 1)
    return total


cdef int rules_of(object rules, rules_t* out) except -1:
    """The part of a Rules that a deal needs."""
    out.gin_bonus = rules.gin_bonus
    out.undercut_bonus = rules.undercut_bonus
    out.big_gin_bonus = rules.big_gin_bonus
    out.turn_limit = rules.turn_limit
    out.wall_size = rules.wall_size
    out.undercut_on_tie = rules.undercut_on_tie
    out.big_gin = rules.big_gin
    out.may_discard_taken = rules.may_discard_taken
    out.reshuffle = rules.wall == "reshuffle"
    return 0
