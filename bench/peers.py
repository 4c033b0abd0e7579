"""The other programs, as far as they are installed, and cards as each of them has them.

OpenSpiel's card ids are ours. RLCard orders the suits otherwise, which no deadwood hangs on.
"""

from __future__ import annotations

import random
import sys

import numpy as np

try:
    import pyspiel
except ImportError:
    pyspiel = None
try:
    import rlcard
    from rlcard.games.gin_rummy import judge as rlcard_judge
    from rlcard.games.gin_rummy.utils import melding as rlcard_melding
    from rlcard.games.gin_rummy.utils import utils as rlcard_utils
except ImportError:
    rlcard = None

OPENSPIEL, RLCARD = "OpenSpiel", "RLCard"
PACKAGES = {OPENSPIEL: "open_spiel", RLCARD: "rlcard"}
INSTALLED = {name for name, module in ((OPENSPIEL, pyspiel), (RLCARD, rlcard)) if module}
SEED = 2026
LIMIT = 10  # the knock limit of all questions about hands


def say_what_is_missing() -> None:
    """Name the peers that are not installed, a line each, on standard error."""
    for name in PACKAGES.keys() - INSTALLED:
        extra = f"pip install 'okgin_fast[{name.lower()}]'"
        print(f"{name} is not installed and left out ({extra})", file=sys.stderr)


def random_hands(size: int, count: int) -> list[list[int]]:
    """Return random hands as OpenSpiel has them, lists of card ids."""
    rng = random.Random(SEED + size)
    return [rng.sample(range(52), size) for _ in range(count)]


def masks_of(hands: list[list[int]]) -> list[int]:
    """Return the same hands as bit masks."""
    return [sum(1 << card for card in hand) for hand in hands]


def array_of(hands: list[list[int]]) -> np.ndarray:
    """Return the same hands as `batch` takes them."""
    return np.array(masks_of(hands), dtype=np.uint64)


def rlcard_hands(hands: list[list[int]]) -> list[list]:
    """Return the same hands as lists of RLCard's cards."""
    return [[rlcard_utils.get_card(card) for card in hand] for hand in hands]


def rlcard_deadwood(hand: list) -> int:
    """Return what RLCard counts when it knows the best melds of ten cards."""
    clusters = rlcard_melding.get_best_meld_clusters(hand)
    return rlcard_utils.get_deadwood_count(hand, clusters[0] if clusters else [])


def rlcard_may_go_out(hand: list) -> bool:
    """Return whether RLCard finds a throw from eleven cards that knocks or gins."""
    knocks, gins = rlcard_judge.get_going_out_cards(hand, LIMIT)
    return bool(knocks or gins)


class RLCardRandom:
    """RLCard's random player; its own module runs pip when imported."""

    use_raw = False

    def step(self, state: dict) -> int:
        """Choose one of the legal actions."""
        return int(np.random.choice(list(state["legal_actions"])))


def openspiel_game():
    """Return OpenSpiel's Oklahoma gin rummy."""
    return pyspiel.load_game("gin_rummy(oklahoma=True)")


def rlcard_table(player: object):
    """Return RLCard's game with the player in both seats."""
    table = rlcard.make("gin-rummy", {"seed": SEED})
    table.set_agents([player, player])
    return table
