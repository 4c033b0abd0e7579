"""How fast okgin_fast is, as ratios against OpenSpiel in the same run.

Run as ``python bench/speed.py [--quick] [--only WORD] [--json FILE]``; bench/README.md says what
each row compares. The exit code is 1 if a target was missed, but not by --quick.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyspiel
from loop import compiled_loop
from measure import Result, Row, Run, Side, import_difference, ratio, table

import okgin_fast as og
from okgin_fast.measure.machine import facts

SEED = 2026
LIMIT = 10  # the knock limit that legal_discards is asked about
DECISIONS = 30  # players' actions before the deal that is cloned

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


def random_hands(size: int, count: int) -> list[list[int]]:
    """Return random hands as OpenSpiel has them, lists of card ids (they are our ids too)."""
    rng = random.Random(SEED + size)
    return [rng.sample(range(52), size) for _ in range(count)]


def masks_of(hands: list[list[int]]) -> list[int]:
    """Return the same hands as bit masks."""
    return [sum(1 << card for card in hand) for hand in hands]


def array_of(hands: list[list[int]]) -> np.ndarray:
    """Return the same hands as `batch` takes them."""
    return np.array(masks_of(hands), dtype=np.uint64)


def for_each(function: Run, arguments: list) -> Side:
    """Return the side that calls the function once for each of the arguments."""

    def run() -> None:
        for argument in arguments:
            function(argument)

    return Side(run, len(arguments))


def deadwood_rows() -> Iterator[Row]:
    """Deadwood: in bulk, against a bare loop in C, and one hand a call."""
    hands, bulk = random_hands(10, 20_000), array_of(random_hands(10, 200_000))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        loop = compiled_loop(Path(folder))
    theirs = [UTILS.min_deadwood(hand) for hand in hands]
    assert og.batch.deadwood(array_of(hands)).tolist() == theirs
    assert [og.deadwood(mask) for mask in masks_of(hands)] == theirs
    assert loop.total_deadwood(bulk) == og.batch.deadwood(bulk).sum(dtype=np.int64)

    batch = Side(lambda: og.batch.deadwood(bulk), len(bulk))
    peer = for_each(UTILS.min_deadwood, hands)
    yield Row("batch.deadwood : min_deadwood", 100, batch, peer)
    bare = Side(lambda: loop.total_deadwood(bulk), len(bulk))
    yield Row("batch.deadwood : bare C loop", 1 / 1.5, batch, bare)
    yield Row("deadwood(int) : min_deadwood", 5, for_each(og.deadwood, masks_of(hands)), peer)


def throw_rows() -> Iterator[Row]:
    """The best of eleven throws, against finding those after which one may knock."""
    hands, bulk = random_hands(11, 5_000), array_of(random_hands(11, 100_000))
    may_knock = [bool(UTILS.legal_discards(hand, LIMIT)) for hand in hands]
    assert (og.batch.best_discard(array_of(hands))[1] <= LIMIT).tolist() == may_knock

    batch = Side(lambda: og.batch.best_discard(bulk), len(bulk))
    peer = for_each(lambda hand: UTILS.legal_discards(hand, LIMIT), hands)
    yield Row("batch.best_discard : legal_discards", 80, batch, peer)


def deal_rows() -> Iterator[Row]:
    """Whole deals of uniformly random actions, and clones of a deal in the middle."""
    rng, seeds = random.Random(SEED), itertools.count(SEED)
    rules = og.Rules.preset("open-spiel")
    game = pyspiel.load_game("gin_rummy(oklahoma=True)")
    bots = [pyspiel.make_uniform_random_bot(player, SEED) for player in range(2)]

    def ours_inside() -> None:
        og.batch.playouts(rules, 2_000, seed=next(seeds))

    def theirs_inside() -> None:
        for _ in range(20):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))

    def ours_stepped() -> None:
        for _ in range(20):
            deal = og.Deal(rules, seed=next(seeds))
            while deal.to_move is not None:
                deal.apply(rng.choice(deal.legal_actions()))

    def theirs_stepped() -> None:
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))

    inside = Side(ours_inside, 2_000), Side(theirs_inside, 20)
    yield Row("random deals in the core : in C++", 100, *inside)
    stepped = Side(ours_stepped, 20), Side(theirs_stepped, 20)
    yield Row("random deals stepped from Python", 8, *stepped)

    deal = og.Deal(rules, seed=SEED)
    for _ in range(DECISIONS):
        deal.apply(rng.choice(deal.legal_actions()))
    state = game.new_initial_state()
    decisions = 0
    while decisions < DECISIONS or state.is_chance_node():
        decisions += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    assert deal.to_move is not None
    assert not state.is_terminal()
    clones = [for_each(lambda _, copy=side.clone: copy(), [None] * 1_000) for side in (deal, state)]
    yield Row("Deal.clone : state.clone", 5, *clones)


def rows() -> Iterator[Row]:
    """Return every row that compares rates."""
    yield from deadwood_rows()
    yield from throw_rows()
    yield from deal_rows()


def main() -> int:
    """Measure, print the table, and say by the exit code whether every target was met."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few short rounds: a smoke test")
    parser.add_argument("--only", default="", metavar="WORD", help="rows whose name has the word")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results here")
    options = parser.parse_args()
    rounds, seconds = (3, 0.02) if options.quick else (15, 0.2)

    results: list[Result] = []
    for row in rows():
        if options.only in row.what:
            print(f"measuring {row.what}", file=sys.stderr)
            results.append(ratio(row, rounds, seconds))
    if options.only in "import okgin_fast":
        results.append(import_difference("okgin_fast", "numpy", 0.2, rounds))

    conditions = facts(["okgin_fast", "open_spiel", "numpy", "Cython"])
    print(", ".join(f"{name} {value}" for name, value in conditions.items()) + "\n")
    print(table(results))
    if options.json:
        report = {"facts": conditions, "results": [asdict(result) for result in results]}
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if options.quick or all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
