"""Archetypes: players of one fixed habit, so that strength is not measured against one style only.

What they do is decided in the core (`okgin_fast.core.archetypes`), in microseconds; here they get
their names. All of them take the pile card only into a meld that lowers deadwood, gin (and big gin)
whenever they can, and throw, among the unmelded cards within so many points of the dearest, the
one with the least sum of

- the deadwood that it leaves,
- a weight, times the mean of the seven best deadwoods one draw later (of cards that may still come
  from the stock). The weight falls by a tenth from each of the player's own turns to the next;
- a cost, times the chance that the other side can use the card. Each pair of cards that makes a
  meld with it adds to that chance: 9 % if nothing is known of the two, 25 % if he is known to hold
  one of them, certainty if he holds both, nothing if one is dead (in this hand or in the pile).
  A pair that some card of the pile would have melded with counts a quarter: nobody wanted that
  card.

Of equal cards the highest rank goes, then in the order of the suits. If the only unmelded card is
the one just taken, which stays, they look at those cards whose throw leaves least. No luck: the
seed is not used.
"""

from __future__ import annotations

from okgin_fast.agents.turn import legal_now
from okgin_fast.core.archetypes import archetype
from okgin_fast.deal import Action, View

__all__ = ["DefenderAgent", "HunterAgent", "PatientAgent", "TightAgent"]


class _Archetype:
    """A player who goes by a habit of the core.

    Parameters
    ----------
    seed : int
        Not used: this player has no choices to make at random.
    """

    habit: str

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        legal_now(view)
        return archetype(view, self.habit)


class HunterAgent(_Archetype):
    """A gin hunter: knocks when it may in its first three turns, later only gins.

    Throws within 5 points of the dearest, by a weight of 18 on the best draws in the first turn,
    and a cost of 40 points for a card that the other side can certainly use.

    Parameters
    ----------
    seed : int
        Not used.
    """

    habit = "hunter"


class TightAgent(_Archetype):
    """A tight early knocker: knocks when it may in its first six turns, later only gins.

    Keeps little deadwood rather than chances: it throws any unmelded card, by a weight of 6 on the
    best draws, and a cost of 20.

    Parameters
    ----------
    seed : int
        Not used.
    """

    habit = "tight"


class DefenderAgent(_Archetype):
    """A defender: holds what the other side collects.

    Throws any unmelded card, cheap ones too, by a weight of 18 on the best draws and a cost of 80,
    twice the hunter's. Knocks when it may in its first five turns, later only gins.

    Parameters
    ----------
    seed : int
        Not used.
    """

    habit = "defender"


class PatientAgent(_Archetype):
    """A patient knocker: waits for the middle game.

    Knocks with at most 3 in its first three turns, when it may in the next four, later only gins.
    Throws like the hunter.

    Parameters
    ----------
    seed : int
        Not used.
    """

    habit = "patient"
