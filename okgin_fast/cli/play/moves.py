"""From what the player typed to a move: what it means at this point, and how a knock can be shown.

It knows the view of the player's seat and answers in words; nothing here prints or plays.
"""

from __future__ import annotations

from okgin_fast.cards import Card
from okgin_fast.cli.play.prompts import Command
from okgin_fast.cli.play.texts import arranged
from okgin_fast.core.meld import Discard, deadwood, discards
from okgin_fast.core.spread import Spread, spreads
from okgin_fast.deal import Action, Deal, View
from okgin_fast.errors import OkginError

__all__ = ["ending_title", "other_ways", "prompt", "showdown", "shown_by", "wanted"]

MOST_WAYS = 5  # to show a knock that are offered
ENDINGS = {"knock": "k knocks", "gin": "g goes gin", "big gin": "b goes big gin"}


def prompt(view: View) -> str:
    """What the player is asked."""
    kinds = {action.kind for action in view.legal_actions()}
    if view.phase == "throw":
        ends = [words for kind, words in ENDINGS.items() if kind in kinds]
        return f"Throw which card ({', '.join(ends)})? " if ends else "Throw which card? "
    other = "p passes" if "pass" in kinds else "d draws"
    return f"{_top(view)}: t takes it, {other}? " if "take" in kinds else f"{other}? "


def wanted(view: View, command: Command) -> Action:
    """The move that a command means.

    Raises
    ------
    OkginError
        It is not possible now; the message says what is.
    """
    if view.phase == "throw":
        return _throw(view, command)
    legal = {action.kind: action for action in view.legal_actions()}
    choices = " or ".join(f"{kind[0]} ({kind})" for kind in legal)
    if command.name in ("card", "throw", "knock", "gin", "big gin"):
        if command.name == "card" and "take" in legal and command.card == _top(view):
            return legal["take"]
        raise OkginError(f"first {choices}, then throw a card")
    if command.name == "take" and command.card not in (None, _top(view)):
        raise OkginError(f"{command.card} is not on top of the pile, {_top(view)} is")
    if command.name in legal:
        return legal[command.name]
    raise OkginError(f"you cannot {command.name} now: {choices}")


def _top(view: View) -> Card | None:
    return view.pile[-1] if view.pile else None


def _throw(view: View, command: Command) -> Action:
    name, card = command.name, command.card
    legal = view.legal_actions()
    if name in ("draw", "take", "pass"):
        raise OkginError("you have eleven cards: name the one to throw")
    if name == "big gin":
        if Action("big gin") in legal:
            return Action("big gin")
        raise OkginError(_no_big_gin(view))
    throws = _throws(view)
    if name in ("knock", "gin") and card is None:
        card = throws[0].card
    if card is None:
        raise OkginError("name the card to throw")
    if card not in view.hand:
        raise OkginError(f"you do not hold {card}")
    leaves = next((throw.deadwood for throw in throws if throw.card == card), None)
    if leaves is None:
        raise OkginError(f"{card} was just taken from the pile and may not go back this turn")
    if name in ("card", "throw"):
        return Action("discard", card)
    if name == "gin" and leaves:
        raise OkginError(f"no gin: throwing {card} leaves {leaves}")
    if leaves > view.limit:
        limit = f"the limit is {view.limit}" if view.limit else "only gin ends this deal"
        best = "the best throw" if card == throws[0].card else f"throwing {card}"
        raise OkginError(f"you cannot knock: {best} leaves {leaves}, {limit}")
    return Action("gin" if leaves == 0 else "knock", card, command.spread or None)


def _throws(view: View) -> list[Discard]:
    """The cards that may be thrown and what they leave, the best first."""
    banned = None if view.rules.may_discard_taken else view.taken
    return discards(view.hand, view.limit, banned)


def _no_big_gin(view: View) -> str:
    if not view.rules.big_gin:
        return "big gin is not played under these rules"
    return f"no big gin: of the eleven cards {deadwood(view.hand)} points are in no meld"


# ------------------------------------------------------------------------------- ending the deal


def shown_by(deal: Deal, action: Action) -> Spread:
    """What a knock, gin or big gin would show; the deal stays as it is."""
    after = deal.clone()
    after.apply(action)
    assert after.result is not None
    assert after.result.spread is not None
    return after.result.spread


def other_ways(view: View, action: Action, shown: Spread) -> list[Spread]:
    """Other arrangements to knock with, which leave less for the other side to lay off on."""
    if action.kind != "knock" or action.card is None:
        return []
    ways = spreads(view.hand - action.card, view.limit)
    return [way for way in ways if set(way.melds) != set(shown.melds)][:MOST_WAYS]


def showdown(
    view: View, action: Action, shown: Spread, ways: list[Spread]
) -> list[tuple[str, str]]:
    """What the player is about to show, and how else he could; labels and texts."""
    limit = f" (limit {view.limit})" if action.kind == "knock" else ""
    lines = [("Shown", f"{_laid(shown)}{limit}")]
    return [*lines, *((f"  or {n}", _laid(way)) for n, way in enumerate(ways, 1))]


def ending_title(action: Action, shown: Spread) -> str:
    """Name what is to be confirmed."""
    if action.kind == "big gin":
        return "Big gin"
    if action.kind == "gin":
        return f"Throw {action.card} and go gin"
    return f"Throw {action.card} and knock with {shown.deadwood}"


def _laid(spread: Spread) -> str:
    return f"{arranged(spread.melds, spread.unmelded)}   deadwood {spread.deadwood}"
