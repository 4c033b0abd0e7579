"""How many a second, and how rounds of that are summed up. It knows nothing of cards."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

__all__ = ["Quartiles", "digits", "metric", "quartiles", "rate"]


class Quartiles(NamedTuple):
    """A median and what half of the values lie between.

    Attributes
    ----------
    low, median, high : float
    """

    low: float
    median: float
    high: float


def quartiles(values: Sequence[float]) -> Quartiles:
    """Sum up one or more values.

    Examples
    --------
    >>> quartiles([1, 2, 3, 4, 100])
    Quartiles(low=2.0, median=3.0, high=4.0)
    """
    if len(values) == 1:
        return Quartiles(values[0], values[0], values[0])
    return Quartiles(*statistics.quantiles(values, n=4, method="inclusive"))


def rate(run: Callable[[], object], items: float, seconds: float) -> float:
    """Items per second, from as many calls as fill that many seconds, or from one.

    Parameters
    ----------
    run : callable
    items : float
        How many one call does.
    seconds : float
    """
    calls, elapsed, began = 0, 0.0, time.perf_counter()
    while not calls or elapsed < seconds:
        run()
        calls += 1
        elapsed = time.perf_counter() - began
    return calls * items / elapsed


def digits(number: float) -> str:
    """Write a number with three digits, or all of its whole ones.

    Examples
    --------
    >>> digits(0.12345), digits(1234.5)
    ('0.123', '1,234')
    """
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def metric(number: float) -> str:
    """Write a number with k, M or G.

    Examples
    --------
    >>> metric(1_234_567), metric(12.3)
    ('1.23 M', '12.3')
    """
    for factor, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= factor:
            return digits(number / factor) + letter
    return digits(number)
