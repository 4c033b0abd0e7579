from collections.abc import Iterable
from typing import NamedTuple

from typing_extensions import disjoint_base

from okgin_fast.core.action import Action
from okgin_fast.core.view import View

class Estimate(NamedTuple):
    equity: float
    se: float
    lead: float
    lead_se: float
    knock: float
    gin: float
    undercut: float
    lose: float
    dead: float

@disjoint_base
class Search:
    def __init__(self, view: View, candidates: Iterable[Action], seed: int = 0) -> None: ...
    @property
    def worlds(self) -> int: ...
    @property
    def candidates(self) -> tuple[Action, ...]: ...
    def run(self, worlds: int) -> None: ...
    def estimates(self) -> list[Estimate]: ...
