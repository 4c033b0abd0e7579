"""Archetypes for other Cython code: players of one fixed habit, a few microseconds a decision."""

from libc.stdint cimport uint8_t, uint16_t

from okgin_fast.core.state cimport deal_t

cdef enum:                # the archetypes
    HUNTER
    TIGHT
    DEFENDER
    PATIENT
    N_ARCHETYPES

cdef enum:
    TURNS = 32         # own turns told apart; later ones are like the last

# A habit. Scores are in points, as whole numbers: weights are in thousandths.
cdef struct habit_t:
    int window              # throws: unmelded cards at most this much cheaper than the dearest
    int hope[TURNS]         # by own turn (0 the first): weight of what the best draws would leave
    int danger              # what a card costs that the other side can use for certain
    uint8_t knock_at[TURNS]     # by own turn: the most deadwood it knocks with

# What the archetype does in the mover's place. It reads what the mover may know and nothing else:
# not the other hand, the order of the stock or the seed.
cdef uint16_t archetype_c(const deal_t* deal, int which) noexcept nogil
