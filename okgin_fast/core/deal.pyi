from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Self, TypeAlias

from typing_extensions import disjoint_base

from okgin_fast.cards import Card, CardLike, CardsLike, Hand
from okgin_fast.core.action import Action
from okgin_fast.core.spread import LayOff, Spread
from okgin_fast.rules import Rules

_Phase: TypeAlias = Literal["upcard", "draw", "throw", "over"]
_Ending: TypeAlias = Literal["knock", "gin", "big_gin", "undercut", "tie", "dead"]
PHASES: tuple[_Phase, ...]
ENDINGS: tuple[_Ending | None, ...]

class Event(NamedTuple):
    seat: int | None
    kind: str
    card: Card | None

class DealResult(NamedTuple):
    kind: _Ending
    winner: int | None
    points: int
    knocker: int | None
    knocker_deadwood: int | None
    defender_deadwood: int | None
    spread: Spread | None
    layoff: LayOff | None

def settle(
    knocker: Spread | CardsLike,
    defender: CardsLike,
    rules: Rules | str = "oklahoma",
    upcard: CardLike | None = None,
) -> DealResult: ...
def perft(deal: Deal, depth: int) -> int: ...

@disjoint_base
class Deal:
    def __init__(self, rules: Rules | str, seed: int | None = None, dealer: int = 0) -> None: ...
    @classmethod
    def from_cards(
        cls,
        rules: Rules | str,
        hands: Sequence[CardsLike],
        upcard: CardLike,
        stock: str | Sequence[CardLike] | None = None,
        dealer: int = 0,
        seed: int = 0,
    ) -> Self: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def cards(self) -> tuple[Card, ...]: ...
    @property
    def seed(self) -> int: ...
    @property
    def dealer(self) -> int: ...
    @property
    def to_move(self) -> int | None: ...
    @property
    def phase(self) -> _Phase: ...
    @property
    def upcard(self) -> Card: ...
    @property
    def limit(self) -> int: ...
    @property
    def pile(self) -> tuple[Card, ...]: ...
    @property
    def stock(self) -> tuple[Card, ...]: ...
    @property
    def taken(self) -> Card | None: ...
    @property
    def turn(self) -> int: ...
    @property
    def result(self) -> DealResult | None: ...
    @property
    def actions(self) -> tuple[Action, ...]: ...
    @property
    def history(self) -> tuple[Event, ...]: ...
    def hand(self, seat: int) -> Hand: ...
    def legal_actions(self) -> list[Action]: ...
    def apply(self, action: Action | str, seat: int | None = None) -> None: ...
    def undo(self) -> Action: ...
    def clone(self) -> Self: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
