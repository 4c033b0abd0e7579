from okgin_fast.cards import Hand
from okgin_fast.core.view import View

def sample_hands(view: View, n: int, seed: int = 0) -> list[Hand]: ...
