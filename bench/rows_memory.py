"""Memory: the most that a new process takes that imports a program, or does something with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from peers import INSTALLED, OPENSPIEL, RLCARD, SEED

HANDS = 100_000
ROLLOUTS = 512

MAKE_HANDS = f"""
import random
rng = random.Random({SEED})
hands = (rng.sample(range(52), 10) for _ in range({HANDS}))
"""
BATCH_HERE = f"""
import numpy, okgin_fast
{MAKE_HANDS}
masks = numpy.fromiter((sum(1 << card for card in hand) for hand in hands), numpy.uint64, {HANDS})
okgin_fast.batch.deadwood(masks)
"""
BATCH_OPENSPIEL = f"""
import pyspiel
{MAKE_HANDS}
utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
hands = list(hands)
[utils.min_deadwood(hand) for hand in hands]
"""
SEARCH_HERE = f"""
import okgin_fast
limit = okgin_fast.Limit(rollouts={ROLLOUTS})
okgin_fast.agent("expert", limit=limit).act(okgin_fast.Deal("open-spiel", seed={SEED}).view(1))
"""
SEARCH_OPENSPIEL = f"""
import pyspiel
state = pyspiel.load_game("gin_rummy(oklahoma=True)").new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[0])
most_visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
rollout = pyspiel.RandomRolloutEvaluator(1, {SEED})
pyspiel.ISMCTSBot({SEED}, rollout, 2.0, {ROLLOUTS}, -1, most_visits, False, True).step(state)
"""


class Memory(NamedTuple):
    """A line of the table: what new processes run, ours and the peers'."""

    what: str
    ours: str
    peers: dict[str, str]


ROWS = (
    Memory(
        "memory: import",
        "import okgin_fast",
        {OPENSPIEL: "import pyspiel", RLCARD: "import rlcard"},
    ),
    Memory(f"memory: deadwood of {HANDS:,} hands", BATCH_HERE, {OPENSPIEL: BATCH_OPENSPIEL}),
    Memory(f"memory: a decision, {ROLLOUTS} rollouts", SEARCH_HERE, {OPENSPIEL: SEARCH_OPENSPIEL}),
)


def rows() -> Iterator[Memory]:
    """Return every row about memory, with the peers that are installed."""
    for row in ROWS:
        yield row._replace(peers={name: row.peers[name] for name in row.peers if name in INSTALLED})
