from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from okgin_fast.core.action import Action
from okgin_fast.core.view import View

class Feature(NamedTuple):
    name: str
    start: int
    stop: int
    highest: int
    meaning: str

N_ACTIONS: int
N_FEATURES: int
LAYOUT: tuple[Feature, ...]

def action_id(action: Action) -> int: ...
def action_of(view: View, number: int | np.integer) -> Action: ...
def action_mask(view: View) -> NDArray[np.int8]: ...
def observation(view: View) -> NDArray[np.uint8]: ...
