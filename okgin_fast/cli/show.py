"""How cards, arrangements and rules are written in the subcommands' tables."""

from __future__ import annotations

import re
from collections.abc import Iterable

from okgin_fast.cards import Card
from okgin_fast.core.spread import Spread
from okgin_fast.notation import rules_words
from okgin_fast.rules import Rules

__all__ = ["arrangement", "names", "percent", "rules_title", "with_symbols"]

_CARD = re.compile(r"(?<!\w)[A2-9TJQK][SCDH](?!\w)")


def names(cards: Iterable[Card]) -> list[str]:
    """Cards as JSON has them."""
    return [str(card) for card in cards]


def arrangement(spread: Spread) -> str:
    """Melds and loose cards in a line.

    Examples
    --------
    >>> from okgin_fast import best_spread
    >>> arrangement(best_spread("AS 2S 3S KD 4H"))
    'AS 2S 3S | loose KD 4H'
    """
    melds = [str(meld) for meld in spread.melds]
    return " | ".join([*melds, f"loose {spread.unmelded}"] if spread.unmelded else melds)


def percent(share: float) -> str:
    """A chance in whole percent."""
    return f"{share:.0%}"


def rules_title(rules: Rules) -> str:
    """Name rules by their preset and what differs from it.

    Examples
    --------
    >>> rules_title(Rules.preset("standard", target=None))
    'standard with target=none'
    """
    name, *changes = rules_words(rules)
    if "knock" in rules.overrides:  # an Oklahoma preset with a fixed limit is not Oklahoma any more
        name = "own rules"
    return f"{name} with {', '.join(changes)}" if changes else name


def with_symbols(text: str) -> str:
    """Write the cards of a text with suit symbols.

    Examples
    --------
    >>> with_symbols("take 7S")
    'take 7♠'
    """
    return _CARD.sub(lambda card: Card(card[0]).symbol, text)
