"""Random steps a second: deals side by side in the core against one deal behind PettingZoo's face.

Run as ``python bench/environments.py [--quick] [--json FILE]`` with the extra ``pettingzoo``. Both
sides play whole deals of the same rules on one thread; a step is an action chosen among the legal
ones, played, and the next observation with its mask. Before anything is measured both play the
same deals and must show the same. The exit code is 1 if the target was missed, but not by --quick.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from measure import Row, Side, compare
from report import listed, table

from okgin_fast.adapters import okgin_v0
from okgin_fast.core.rng import derive_seed
from okgin_fast.core.vector import VectorDeals
from okgin_fast.measure.files import write_whole
from okgin_fast.measure.machine import facts

SEED = 2026
SLOTS = 512
STEPS = 40  # of every slot in a call
FACE_STEPS = 2_000
RAW = "raw_env"  # with actions sampled from its space, as PettingZoo's documentation has it
BY_HAND = "raw_env, actions chosen from the mask by hand"
WRAPPED = "env"
TARGETS = {RAW: 200}

rng = random.Random(SEED)


def side_by_side(rules: str) -> Side:
    """Return the core's side: all slots take random steps."""
    deals = VectorDeals(rules, SLOTS, SEED)

    def run() -> None:
        for _ in range(STEPS):
            deals.step(deals.sample_actions())

    return Side(run, SLOTS * STEPS)


def behind_the_face(table: Any, choose: Callable[[Any, str, Any], int]) -> Side:
    """Return PettingZoo's side: deal after deal, in its own loop of observing and stepping."""

    def run() -> None:
        steps = 0
        while True:
            table.reset()
            for agent in table.agent_iter():
                seen, _, terminated, _, _ = table.last()
                if terminated:
                    table.step(None)
                    continue
                if steps == FACE_STEPS:
                    return
                table.step(choose(table, agent, seen["action_mask"]))
                steps += 1

    table.reset(seed=SEED)
    return Side(run, FACE_STEPS)


def by_hand(_table: Any, _agent: str, mask: Any) -> int:
    """Choose as PettingZoo's own performance test does."""
    return rng.choice(np.flatnonzero(mask).tolist())


def from_the_space(table: Any, agent: str, mask: Any) -> int:
    """Choose as PettingZoo's documentation does."""
    return table.action_space(agent).sample(mask)


def same(rules: str, deals: int = 3) -> None:
    """Play a slot and a table with the slot's seed, and compare what they show."""
    many = VectorDeals(rules, 1, SEED)
    table = okgin_v0.raw_env(rules=rules)
    table.reset(seed=derive_seed(SEED, 0))
    while many.numbers[0] < deals:
        seen = table.observe(table.agent_selection)
        assert (seen["observation"] == many.observations[0]).all()
        assert (seen["action_mask"] == many.masks[0]).all()
        action = many.sample_actions()[0]
        many.step([action])
        table.step(action)
        assert list(table.rewards.values()) == many.rewards[0].tolist()
        if many.done[0]:
            table.reset()


def rows() -> Iterator[Row]:
    """Return a row for each of some rules."""
    for rules in ("oklahoma", "standard"):
        same(rules)
        peers = {
            RAW: behind_the_face(okgin_v0.raw_env(rules=rules), from_the_space),
            BY_HAND: behind_the_face(okgin_v0.raw_env(rules=rules), by_hand),
            WRAPPED: behind_the_face(okgin_v0.env(rules=rules), from_the_space),
        }
        what = f"random steps of VectorDeals, {SLOTS} slots, {rules}"
        yield Row(what, "steps", side_by_side(rules), peers, TARGETS)


def main() -> int:
    """Measure, print the table, and say by the exit code whether the target was met."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few short rounds: a smoke test")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures here")
    options = parser.parse_args()
    rounds, seconds = (3, 0.02) if options.quick else (15, 0.2)
    results = [result for row in rows() for result in compare(row, rounds, seconds)]
    conditions = facts(["okgin_fast", "pettingzoo", "gymnasium", "numpy"])
    print(f"{listed(conditions)}\n\n{table(results)}")
    if options.json:
        figures = [asdict(result) | {"passed": result.passed} for result in results]
        report = json.dumps({"facts": conditions, "results": figures}, indent=1)
        write_whole(options.json, f"{report}\n".encode())
    return 0 if options.quick or all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
