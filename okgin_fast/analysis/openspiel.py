"""OpenSpiel's serialised games as deals of ours; needs the extra ``openspiel``."""

from __future__ import annotations

from okgin_fast.adapters.openspiel.ids import KNOCK, MELD_BASE, PASS, melds_of, pyspiel
from okgin_fast.adapters.openspiel.states import deal_of
from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import deadwood
from okgin_fast.deal import Action, Deal
from okgin_fast.errors import NotationError, OkginError, quote

__all__ = ["deal_from_openspiel"]


def deal_from_openspiel(text: str) -> Deal:
    """Read what OpenSpiel's ``serialize_game_and_state`` writes, and play it on our table.

    Parameters
    ----------
    text : str

    Returns
    -------
    Deal
        Seat 0 is player 0, who moves first. A knock shows the melds that were laid; the defender's
        side is settled as best for him, whatever he did. A deal that OpenSpiel has ended otherwise
        (a pass or a knock at the wall, its limits on draws from the pile) ends, or stays
        unfinished, as by our rules.

    Raises
    ------
    NotationError
        Text that OpenSpiel cannot read, or of another game.
    """
    try:
        _, state = pyspiel.deserialize_game_and_state(text + "\n\n")
    except (RuntimeError, ValueError, pyspiel.SpielError) as error:
        raise NotationError(f"{quote(text)} is no game of OpenSpiel's: {_line(error)}") from None
    try:
        deal = deal_of(state)
        _knock(deal, state.history()[21:])
    except OkginError as error:
        raise NotationError(f"OpenSpiel's game: {error}") from None
    return deal


def _knock(deal: Deal, numbers: list[int]) -> None:
    """Play the knock at the end of a history, if there is one that our rules have, too."""
    if KNOCK not in numbers or deal.to_move is None:
        return
    at = numbers.index(KNOCK)
    card, *laid = numbers[at + 1 :]
    if PASS in laid:
        laid = laid[: laid.index(PASS)]
    kept = deal.hand(deal.to_move) - Card(card)
    melds = melds_of([n - MELD_BASE for n in laid if n >= MELD_BASE])
    left = Hand(kept.mask & ~sum(meld.mask for meld in melds))
    shown = melds if left.points <= deal.limit else None
    deal.apply(Action("gin" if deadwood(kept) == 0 else "knock", Card(card), shown))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
