"""Threads: what two do against one, in numpy's arrays and in two searches at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from measure import Row, Side
from peers import SEED, array_of, random_hands

import okgin_fast as og
from okgin_fast.core.search import Search

ONE = "one thread"
HANDS, DEALS, WORLDS = 20_000, 10_000, 5_000
TIMES = 100  # every hand is asked so many times


def against_one(what: str, unit: str, items: int, run: Callable[[int], object]) -> Row:
    """Return the row of work that takes its number of threads."""
    two, one = Side(lambda: run(2), items), Side(lambda: run(1), items)
    return Row(f"{what}, two threads against one", unit, two, {ONE: one})


def rows() -> Iterator[Row]:
    """Return every row about threads."""
    tens, elevens = (np.tile(array_of(random_hands(size, HANDS)), TIMES) for size in (10, 11))
    best, random_deals = og.batch.best_discard, og.batch.playouts
    yield against_one("batch.deadwood", "hands", len(tens), lambda n: og.batch.deadwood(tens, n))
    yield against_one("batch.best_discard", "hands", len(tens), lambda n: best(elevens, None, n))
    yield against_one(
        "batch.playouts", "deals", DEALS, lambda n: random_deals("oklahoma", DEALS, SEED, n)
    )
    view = og.Deal("oklahoma", seed=SEED).view(1)

    def search(seed: int) -> None:
        Search(view, view.legal_actions(), seed).run(WORLDS)

    with ThreadPoolExecutor(2) as pool:

        def searches(threads: int) -> None:
            list((map if threads == 1 else pool.map)(search, (SEED, SEED + 1)))

        yield against_one("two searches", "worlds", 2 * WORLDS, searches)
