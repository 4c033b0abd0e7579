from typing import NamedTuple

from okgin_fast.cards import Card, CardLike, CardsLike, Hand

class Discard(NamedTuple):
    card: Card
    deadwood: int
    knock: bool
    gin: bool

def deadwood(hand: CardsLike) -> int: ...
def discards(hand: CardsLike, limit: int = 10, taken: CardLike | None = None) -> list[Discard]: ...
def makes_meld(hand: CardsLike, card: CardLike) -> bool: ...
def all_melds() -> tuple[Hand, ...]: ...
