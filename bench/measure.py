"""Compare two programs in one process: alternating rounds, the median of their ratios, a table.

Knows nothing of cards; `speed.py` has the rows.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Run = Callable[[], object]


class Side(NamedTuple):
    """One of the two programs of a row: a call of `run` does `items` of what is measured."""

    run: Run
    items: int

    def rate(self, seconds: float) -> float:
        """Return items per second, from as many calls as fill that many seconds, or one."""
        calls, elapsed, began = 0, 0.0, time.perf_counter()
        while elapsed < seconds:
            self.run()
            calls += 1
            elapsed = time.perf_counter() - began
        return calls * self.items / elapsed


class Row(NamedTuple):
    """A line of the table: `ours` should be at least `target` times as fast as `peer`."""

    what: str
    target: float
    ours: Side
    peer: Side


@dataclass(frozen=True)
class Result:
    """What a row came to: rates and their ratio, or seconds and their difference."""

    what: str
    unit: str  # "1/s" or "s"
    ours: float
    peer: float
    median: float
    quartiles: tuple[float, float]
    target: float
    passed: bool


def ratio(row: Row, rounds: int, seconds: float) -> Result:
    """Measure both sides of a row in every round, beginning with each in turn."""
    row.ours.run()
    row.peer.run()
    ours: list[float] = []
    peer: list[float] = []
    for turn in range(rounds):
        order = [(ours, row.ours), (peer, row.peer)]
        for rates, side in reversed(order) if turn % 2 else order:
            gc.collect()
            rates.append(side.rate(seconds))
    low, median, high = statistics.quantiles(
        (mine / other for mine, other in zip(ours, peer, strict=True)), n=4
    )
    return Result(
        what=row.what,
        unit="1/s",
        ours=statistics.median(ours),
        peer=statistics.median(peer),
        median=median,
        quartiles=(low, high),
        target=row.target,
        passed=median >= row.target,
    )


def import_seconds(module: str) -> float:
    """Return how long a new interpreter takes to import the module."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def import_difference(module: str, peer: str, target: float, rounds: int) -> Result:
    """Measure by how many seconds importing the module takes longer than importing its peer."""
    ours, peers = zip(
        *((import_seconds(module), import_seconds(peer)) for _ in range(rounds)), strict=True
    )
    low, median, high = statistics.quantiles(
        (mine - other for mine, other in zip(ours, peers, strict=True)), n=4
    )
    return Result(
        what=f"import {module}, beyond {peer}'s own",
        unit="s",
        ours=statistics.median(ours),
        peer=statistics.median(peers),
        median=median,
        quartiles=(low, high),
        target=target,
        passed=median <= target,
    )


def digits(number: float) -> str:
    """Write a number with three digits, or all of its whole ones."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def metric(number: float) -> str:
    """Write a rate with k or M."""
    for factor, letter in ((1e6, " M"), (1e3, " k")):
        if number >= factor:
            return digits(number / factor) + letter
    return digits(number)


def cells(result: Result) -> list[str]:
    """Return a result as the columns of the table."""
    low, high = result.quartiles
    verdict = "PASS" if result.passed else "FAIL"
    if result.unit == "s":
        both = [f"{result.ours:.3f} s", f"{result.peer:.3f} s"]
        measured, target = f"{result.median:+.3f} s ({low:+.3f} to {high:+.3f})", "at most +"
        return [result.what, *both, measured, f"{target}{result.target:g} s", verdict]
    both = [f"{metric(result.ours)}/s", f"{metric(result.peer)}/s"]
    measured = f"{digits(result.median)} x ({digits(low)} to {digits(high)})"
    return [result.what, *both, measured, f"at least {digits(result.target)} x", verdict]


def table(results: Sequence[Result]) -> str:
    """Return the results as an aligned Markdown table."""
    head = ["what", "okgin_fast", "peer", "median (quartiles)", "target", ""]
    rows = [head, *(cells(result) for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    return "\n".join(
        [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]
    )
