"""A showdown, one action here, as the many small actions that OpenSpiel makes of it.

The knocker throws a card and lays melds; the defender lays off cards one by one, says that he has
done, and lays his own melds. Nothing here knows states or players.

OpenSpiel lets a run grow by two cards at an end and no more. Three cards that follow one another
are a meld, though, so the defender's best is the same: our settlement, which lays off no more cards
than it must, never lays off three at an end.
"""

from __future__ import annotations

from collections.abc import Iterable

from okgin_fast.adapters.openspiel.ids import KNOCK, PASS, meld_actions
from okgin_fast.cards import Card, Hand
from okgin_fast.core.spread import LayOff

__all__ = ["defence", "knock", "lay_down"]


def knock(card: Card, melds: Iterable[Hand]) -> list[int]:
    """Everything that the knocker does: knock, throw the card, lay the melds, say that was all.

    Examples
    --------
    >>> knock(Card("KD"), [Hand("7S 7C 7D")])
    [55, 38, 89, 54]
    """
    return [KNOCK, int(card), *lay_down(melds)]


def lay_down(melds: Iterable[Hand]) -> list[int]:
    """Lay melds and say that was all, as knocker and defender end.

    Examples
    --------
    >>> lay_down([Hand("AS 2S 3S 4S 5S 6S 7S 8S"), Hand("7H 7C 7D")])
    [205, 126, 86, 54]
    """
    return [*meld_actions(melds), PASS]


def defence(layoff: LayOff, done: bool) -> list[int]:
    """Everything that the defender does: lay off, say that was all, lay melds, say that was all.

    Parameters
    ----------
    layoff : LayOff
        His part of the settlement.
    done : bool
        Whether OpenSpiel asks for no lay-offs (any more), as after gin.

    Examples
    --------
    >>> from okgin_fast.core.spread import layoff
    >>> defence(layoff("8H KS KC KD", ["5H 6H 7H"]), done=False)
    [46, 54, 119, 54]
    """
    laid_off = [int(card) for card, _ in layoff.laid_off]
    return [*laid_off, *([] if done else [PASS]), *lay_down(layoff.melds)]
