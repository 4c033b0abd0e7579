"""Hands as bit masks: the type, its constants and its inline bit operations.

A card's id is ``suit * 13 + rank``: spades, clubs, diamonds, hearts; ace 0 to king 12. A hand is
a 64-bit mask with bit ``id`` set for every card in it. Nothing here knows what a meld is.
"""

from libc.stdint cimport uint8_t, uint64_t

ctypedef uint64_t hand_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
      #include <intrin.h>
      static __inline int okgin_lowest(unsigned long long x) {
          unsigned long i; _BitScanForward64(&i, x); return (int)i;
      }
      static __inline int okgin_count(unsigned long long x) { return (int)__popcnt64(x); }
    #else
      static inline int okgin_lowest(unsigned long long x) { return __builtin_ctzll(x); }
      #if defined(__POPCNT__) || defined(__aarch64__)
      static inline int okgin_count(unsigned long long x) { return __builtin_popcountll(x); }
      #else        /* without the instruction the builtin is a call */
      static inline int okgin_count(unsigned long long x) {
          x -= x >> 1 & 0x5555555555555555ULL;
          x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
          return (int)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56);
      }
      #endif
    #endif
    #define OKGIN_DECK 0xFFFFFFFFFFFFFULL
    #define OKGIN_RUN_STARTS (0x7FFULL * 0x8004002001ULL)   /* ace to jack of each suit */
    """
    const hand_t DECK "OKGIN_DECK"
    const hand_t RUN_STARTS "OKGIN_RUN_STARTS"               # where a run of three may begin
    int count "okgin_count"(hand_t hand) noexcept nogil      # how many cards
    int lowest "okgin_lowest"(hand_t hand) noexcept nogil    # the lowest id; hand is not empty

cdef enum:
    SUITS = 4
    RANKS = 13
    CARDS = 52
    SUIT_MASK = 0x1FFF    # one suit's thirteen bits
    NO_CARD = 255         # stands for "no card" where a uint8_t holds a card id


cdef inline hand_t bit(int card) noexcept nogil:
    return <hand_t>1 << card


cdef inline int rank_of(int card) noexcept nogil:
    return card % RANKS


cdef inline int points_of(int card) noexcept nogil:
    return min(card % RANKS + 1, 10)


cdef inline int suit_cards(hand_t hand, int suit) noexcept nogil:
    """The thirteen bits of one suit, ace lowest."""
    return <int>(hand >> (RANKS * suit)) & SUIT_MASK
