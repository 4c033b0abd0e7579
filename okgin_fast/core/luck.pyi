from typing import Final

from okgin_fast.core.deal import Deal

MOST_PLAYOUTS: Final[int]

def draw_luck(deal: Deal, playouts: int, seed: int = 0) -> float: ...
