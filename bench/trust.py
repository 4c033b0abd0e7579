"""Is the expert ever late? What its decisions take when they are given so many milliseconds.

Run as ``python bench/trust.py [--limits MS ...] [--decisions N]``. Three conditions: nothing else
runs, as far as this program knows; on each core a process in the background (nice 10); on each core
a process with the same right to it. Before every decision a bare loop looks at the clock until as
much time is up: what it is late by is the operating system's doing, which gives the core to others.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from report import listed, markdown

import okgin_fast as og
from okgin_fast.measure.machine import facts
from okgin_fast.measure.rates import digits

SEED = 2026
RULES = "oklahoma"
SCORE = (40, 65)
CONDITIONS = {"quiet": None, "others in the background": 10, "others alike": 0}
"""How nice the other processes are; None for no other."""
ABOVE, MORE_MS = 1.2, 2.0
"""A decision is late that takes longer than so many times the limit and so many milliseconds."""
PERCENT = 99  # of the decisions should not be late


class Times(NamedTuple):
    """What decisions took, and the bare loop before each, in milliseconds and in order."""

    limit: float
    decisions: list[float]
    loops: list[float]

    @property
    def allowed(self) -> float:
        """What a decision may take."""
        return ABOVE * self.limit + MORE_MS

    @property
    def late(self) -> bool:
        """Whether the decisions are late by more than the bare loop is."""
        late_anyway = max(0.0, percentile(self.loops, PERCENT) - self.limit)
        return percentile(self.decisions, PERCENT) > self.allowed + late_anyway


def percentile(times: list[float], percent: int) -> float:
    """Return what so many percent of the times do not exceed."""
    return times[min(len(times) * percent // 100, len(times) - 1)]


def positions(n: int) -> list[og.View]:
    """Return positions of deals between two hunters, with a score of the match."""
    found: list[og.View] = []
    for seed in itertools.count(SEED):
        deal, hunter = og.Deal(RULES, seed=seed, dealer=seed % 2), og.agent("hunter")
        while deal.to_move is not None:
            found.append(deal.view(deal.to_move, SCORE))
            if len(found) == n:
                return found
            deal.apply(hunter.act(found[-1]))
    raise AssertionError


@contextlib.contextmanager
def busy(nice: int | None) -> Iterator[None]:
    """Keep every core busy for a while, by processes so nice."""
    code = f"import os\nos.nice({nice})\nwhile True: pass"
    command = [sys.executable, "-c", code]
    n = 0 if nice is None else os.cpu_count() or 1
    others = [subprocess.Popen(command) for _ in range(n)]
    try:
        time.sleep(1.0 if others else 0.0)  # they have begun, and are as nice as they shall be
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def took(work: Callable[[], object]) -> float:
    """Return how many milliseconds the work took."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def until(end: float) -> None:
    """Look at the clock until it is time."""
    while time.perf_counter() < end:
        pass


def measure(limit: float, views: list[og.View]) -> Times:
    """Let the expert decide in each position, and a bare loop run as long before."""
    expert = og.agent("expert", SEED, limit=og.Limit(time_ms=limit))
    expert.act(views[0])  # the first one makes the table of the match's scores
    decisions, loops = [], []
    for view in views:
        loops.append(took(lambda: until(time.perf_counter() + limit / 1000)))
        decisions.append(took(lambda view=view: expert.act(view)))
    return Times(limit, sorted(decisions), sorted(loops))


def row(condition: str, times: Times) -> list[str]:
    """Return what the table says of one condition and limit."""
    at = [(times.decisions, 50), (times.decisions, PERCENT), (times.decisions, 100)]
    figures = [digits(percentile(*which)) for which in [*at, (times.loops, PERCENT)]]
    verdict = "LATE" if times.late else "in time"
    return [condition, digits(times.limit), *figures, digits(times.allowed), verdict]


def main() -> int:
    """Measure, print the table, and say by the exit code whether the expert was late."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limits", type=float, nargs="+", default=[1, 5, 10, 20], metavar="MS")
    parser.add_argument("--decisions", type=int, default=300, metavar="N", help="for each row")
    options = parser.parse_args()
    views = positions(options.decisions)
    rows = [["other processes", "limit, ms", "half", "99 %", "all", "loop, 99 %", "allowed", ""]]
    late = False
    for condition, nice in CONDITIONS.items():
        with busy(nice):
            for limit in options.limits:
                times = measure(limit, views)
                rows.append(row(condition, times))
                late |= times.late
    print(f"{listed(facts(['okgin_fast']))}\n\n{markdown(rows)}")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
