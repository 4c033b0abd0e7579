from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okgin_fast.rules import Rules

class BestDiscards(NamedTuple):
    cards: NDArray[np.uint8]
    deadwood: NDArray[np.uint8]

class Playouts(NamedTuple):
    ending: NDArray[np.uint8]
    points: NDArray[np.int32]
    turns: NDArray[np.uint16]

def deadwood(masks: ArrayLike, threads: int = 1) -> NDArray[np.uint8]: ...
def best_discard(
    masks: ArrayLike, taken: ArrayLike | None = None, threads: int = 1
) -> BestDiscards: ...
def spread_deadwood_all_throws(masks: ArrayLike, threads: int = 1) -> NDArray[np.uint8]: ...
def layoff(defenders: ArrayLike, melds: ArrayLike, threads: int = 1) -> NDArray[np.uint8]: ...
def playouts(rules: Rules | str, n: int, seed: int = 0, threads: int = 1) -> Playouts: ...
