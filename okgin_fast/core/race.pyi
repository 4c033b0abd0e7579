import numpy as np
from numpy.typing import NDArray

def race(
    scored: NDArray[np.float64], after_mine: tuple[int, int], after_theirs: tuple[int, int]
) -> NDArray[np.float64]: ...
