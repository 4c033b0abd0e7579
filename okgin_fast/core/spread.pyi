from collections.abc import Iterable
from typing import NamedTuple

from okgin_fast.cards import Card, CardsLike, Hand

class Spread(NamedTuple):
    melds: tuple[Hand, ...]
    unmelded: Hand
    deadwood: int

class LayOff(NamedTuple):
    deadwood: int
    melds: tuple[Hand, ...]
    laid_off: tuple[tuple[Card, int], ...]
    left: Hand

def best_spread(hand: CardsLike) -> Spread: ...
def spreads(hand: CardsLike, limit: int | None = None) -> list[Spread]: ...
def layoff(defender: CardsLike, melds: Iterable[CardsLike]) -> LayOff: ...
