from collections.abc import Iterable
from typing import Literal, TypeAlias

from typing_extensions import disjoint_base

from okgin_fast.cards import Card, CardLike, CardsLike, Hand

_Kind: TypeAlias = Literal["pass", "draw", "take", "discard", "knock", "gin", "big gin"]
KINDS: tuple[_Kind, ...]
ACTION_FORMS: str

@disjoint_base
class Action:
    def __init__(
        self, kind: str, card: CardLike | None = None, spread: Iterable[CardsLike] | None = None
    ) -> None: ...
    @property
    def kind(self) -> _Kind: ...
    @property
    def card(self) -> Card | None: ...
    @property
    def spread(self) -> tuple[Hand, ...] | None: ...
    @staticmethod
    def parse(text: str) -> Action: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
