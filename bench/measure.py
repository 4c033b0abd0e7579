"""Compare programs: rounds in which they take turns, and what the rounds come to.

Knows nothing of cards; the rows are in `rows_*.py`, how results are written in `report.py`.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import sub, truediv
from pathlib import Path
from typing import NamedTuple

from okgin_fast.measure.rates import Quartiles, quartiles, rate

Run = Callable[[], object]


class Side(NamedTuple):
    """One of the programs of a row: a call of `run` does `items` of what is measured."""

    run: Run
    items: int


class Row(NamedTuple):
    """A line of the table: what is done, by us and by the peers that are installed."""

    what: str
    unit: str  # what the sides' items are, such as "hands"
    ours: Side
    peers: Mapping[str, Side]
    targets: Mapping[str, float] = {}  # by peer, how many times as fast we should be


@dataclass(frozen=True)
class Result:
    """What a row came to against one of its peers, or by itself.

    `gain` is how many times as fast, or how many times less memory, or so many seconds more.
    """

    what: str
    unit: str  # "hands/s" and the like, "MB" or "s"
    ours: Quartiles
    peer: str = ""
    theirs: Quartiles | None = None
    gain: Quartiles | None = None
    target: float | None = None

    @property
    def passed(self) -> bool:
        """Whether the target, if there is one, was met."""
        if self.target is None or self.gain is None:
            return True
        at_most = self.unit == "s"
        return self.gain.median <= self.target if at_most else self.gain.median >= self.target


def for_each(function: Callable, arguments: Sequence) -> Side:
    """Return the side that calls the function once for each of the arguments."""

    def run() -> None:
        for argument in arguments:
            function(argument)

    return Side(run, len(arguments))


def compare(row: Row, rounds: int, seconds: float) -> list[Result]:
    """Measure all sides of a row in every round, beginning with each in turn."""
    sides = [row.ours, *row.peers.values()]
    rates: list[list[float]] = [[] for _ in sides]
    for side in sides:
        side.run()
    gc.freeze()  # what the rows' preparations left need not be looked at in every round
    for turn in range(rounds):
        for number in range(len(sides)):
            which = (turn + number) % len(sides)
            gc.collect()
            rates[which].append(rate(sides[which].run, sides[which].items, seconds))
    return results(row.what, f"{row.unit}/s", rates, row.peers, row.targets, truediv)


def results(
    what: str,
    unit: str,
    rounds: Sequence[Sequence[float]],
    peers: Iterable[str],
    targets: Mapping[str, float],
    gain: Callable[[float, float], float],
) -> list[Result]:
    """Sum up what was measured in rounds: of us, then of each peer; `gain` compares two values."""
    ours, *others = rounds
    if not others:
        return [Result(what, unit, quartiles(ours))]
    found = []
    for peer, theirs in zip(peers, others, strict=True):
        gains = quartiles(list(map(gain, ours, theirs)))
        mine, other = quartiles(ours), quartiles(theirs)
        found.append(Result(what, unit, mine, peer, other, gains, targets.get(peer)))
    return found


def in_new_process(code: str) -> float:
    """Run the code in a new interpreter; it prints a number."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def import_seconds(module: str) -> float:
    """Return how long a new interpreter takes to import the module."""
    return in_new_process(
        f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    )


def import_difference(
    what: str, module: str, peer: str, target: float, rounds: int
) -> list[Result]:
    """Measure by how many seconds importing the module takes longer than importing its peer."""
    both = [(import_seconds(module), import_seconds(peer)) for _ in range(rounds)]
    return results(what, "s", list(zip(*both, strict=True)), [peer], {peer: target}, sub)


def memory(what: str, ours: str, peers: Mapping[str, str], rounds: int) -> list[Result]:
    """Measure the most memory that new processes take which run these pieces of code, in MB."""
    codes = [code + PRINT_PEAK for code in (ours, *peers.values())]
    peaks = [[in_new_process(code) for _ in range(rounds)] for code in codes]
    return results(what, "MB", peaks, peers, {}, lambda mine, other: other / mine)


# The high-water mark of the new process alone. What getrusage() says of it begins, on Linux, at the
# size of the process that started it.
PRINT_PEAK = """
with open("/proc/self/status") as status:
    print(next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")))
"""
HAS_PEAK = Path("/proc/self/status").exists()
