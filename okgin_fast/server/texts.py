"""Cards, spreads and results as the protocol writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from okgin_fast.cards import Card
from okgin_fast.core.spread import LayOff, Spread
from okgin_fast.deal import DealResult

__all__ = ["layoff_fields", "names", "result_fields", "spread_fields"]


def names(cards: Iterable[Card]) -> list[str]:
    """Cards as a list of texts."""
    return [str(card) for card in cards]


def spread_fields(spread: Spread) -> dict[str, Any]:
    """A hand as it is spread."""
    return {"melds": list(map(names, spread.melds)), "unmelded": names(spread.unmelded)}


def layoff_fields(layoff: LayOff) -> dict[str, Any]:
    """How a hand is laid off and melded."""
    return {
        "deadwood": layoff.deadwood,
        "melds": list(map(names, layoff.melds)),
        "laid_off": [[str(card), meld] for card, meld in layoff.laid_off],
        "left": names(layoff.left),
    }


def result_fields(result: DealResult) -> dict[str, Any]:
    """How a deal ended."""
    return {
        "kind": result.kind,
        "winner": result.winner,
        "points": result.points,
        "knocker": result.knocker,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        "spread": result.spread and spread_fields(result.spread),
        "layoff": result.layoff and layoff_fields(result.layoff),
    }
