"""OpenSpiel: its bots at our table, our players at its, and both engines side by side.

Needs the extra ``openspiel``. Written against OpenSpiel 2.0.2, whose game
``gin_rummy(oklahoma=True)`` is the preset ``open-spiel`` but for what `Divergence` names.

======================================  ========================================================
`simple`, `ismcts`, `random`            OpenSpiel's bots as our players
`OpenSpielAgent`                        any other bot of its as our player
`OpenSpielBot`                          a player of ours as a `pyspiel.Bot`
`Bridge`                                a deal on both engines, compared at every step
`okgin_fast.adapters.openspiel.ids`     the numbers of players, phases, melds and actions
======================================  ========================================================
"""

from okgin_fast.adapters.openspiel.agent import OpenSpielAgent, ismcts, random, simple
from okgin_fast.adapters.openspiel.bot import OpenSpielBot
from okgin_fast.adapters.openspiel.bridge import Bridge, Divergence, EnginesDisagreeError

__all__ = [
    "Bridge",
    "Divergence",
    "EnginesDisagreeError",
    "OpenSpielAgent",
    "OpenSpielBot",
    "ismcts",
    "random",
    "simple",
]
