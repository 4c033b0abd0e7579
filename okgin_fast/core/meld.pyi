from collections.abc import Sequence
from typing import NamedTuple

from okgin_fast.cards import Card, CardLike, CardsLike, Hand

class Spread(NamedTuple):
    melds: tuple[Hand, ...]
    unmelded: Hand
    deadwood: int

class Discard(NamedTuple):
    card: Card
    deadwood: int
    knock: bool
    gin: bool

class LayOff(NamedTuple):
    deadwood: int
    melds: tuple[Hand, ...]
    laid_off: tuple[tuple[Card, int], ...]
    left: Hand

def deadwood(hand: CardsLike) -> int: ...
def best_spread(hand: CardsLike) -> Spread: ...
def spreads(hand: CardsLike, limit: int | None = None) -> list[Spread]: ...
def discards(
    hand: CardsLike, limit: int = 10, taken: CardLike | None = None
) -> list[Discard]: ...
def layoff(defender: CardsLike, melds: Sequence[CardsLike]) -> LayOff: ...
def all_melds() -> tuple[Hand, ...]: ...
