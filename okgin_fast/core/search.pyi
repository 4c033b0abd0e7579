from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from okgin_fast.core.action import Action
from okgin_fast.core.policy import Policy
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
    worth: float | None
    worth_se: float | None
    worlds: int

@disjoint_base
class Search:
    def __init__(
        self,
        view: View,
        candidates: Iterable[Action],
        seed: int = 0,
        *,
        worth: Sequence[float] | NDArray[np.float64] | None = None,
        inference: bool = True,
        mine: Policy | None = None,
        theirs: Policy | None = None,
    ) -> None: ...
    @property
    def worlds(self) -> int: ...
    @property
    def open(self) -> int: ...
    @property
    def candidates(self) -> tuple[Action, ...]: ...
    def run(self, worlds: int, threads: int = 1) -> None: ...
    def narrow(self, doubt: float) -> None: ...
    def best(self, doubt: float = 0.0) -> Action: ...
    def estimates(self) -> list[Estimate]: ...

def best_show(
    view: View,
    knock: Action,
    seed: int = 0,
    *,
    worth: Sequence[float] | NDArray[np.float64] | None = None,
    inference: bool = True,
    hands: int = 128,
) -> Action: ...
