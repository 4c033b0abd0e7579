"""Archetypes for other Cython code: players of one fixed habit, a few microseconds a decision."""

from libc.stdint cimport uint8_t, uint16_t

from okgin_fast.core.state cimport deal_t

cdef enum:              # the archetypes
    HUNTER              # gin, but for knocks in its first three turns
    TIGHT               # an early knocker that keeps little deadwood
    DEFENDER            # holds what the other side collects
    PATIENT             # a knocker of the middle game
    N_ARCHETYPES

cdef enum:
    TURNS = 100         # a player's own turns told apart; later ones are like the last

# What an archetype goes by.
cdef struct habit_t:
    int window              # throws only unmelded cards at most so many points under the dearest
    int hope[TURNS]         # by own turn: the weight, in thousandths, of the best draws' deadwood
    int danger              # the points it costs to throw what the other side can use for certain
    uint8_t knock_at[TURNS]     # by own turn: the most deadwood it knocks with

# What the archetype does in the mover's place. It reads what the mover may know and nothing else:
# not the other hand, the order of the stock or the seed.
cdef uint16_t archetype_c(const deal_t* deal, int which) noexcept nogil
