"""How far long work has come, on standard error: a line rewritten in place, or a line now and then.

It knows streams, terminals and clocks, and nothing of what the work is.
"""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from time import monotonic
from typing import Self

from okgin_fast.cli.terminal import complain, write_error

__all__ = ["Progress"]

REDRAW, PLAIN = 0.1, 10.0  # seconds from one line to the next, on a terminal and elsewhere
BAR = range(10, 31)  # columns, as there is room


class Progress:
    """A context in which long work tells how far it has come; its line is wiped at the end.

    Where standard error is closed or broken nothing is shown, and the work goes on. One thread
    updates.

    Parameters
    ----------
    total : int or float
        The whole work.
    unit : str
        What it is counted in, such as ``"games"``.
    done : int or float
        What an earlier run did that this one resumes; it does not count as speed.

    Examples
    --------
    >>> with Progress(1000, "games") as progress:
    ...     for game in range(1000):
    ...         progress.update(game + 1, "win share 52.1 % +-0.8")
    """

    def __init__(self, total: float, unit: str, done: float = 0) -> None:
        self._total, self._unit, self._before = total, unit, done
        listens = sys.stderr is not None and not sys.stderr.closed
        self._terminal = listens and sys.stderr.isatty()
        self._started = monotonic()
        self._next = self._started + (0 if self._terminal else PLAIN)

    def __enter__(self) -> Self:
        self.update(self._before)
        return self

    def __exit__(self, *_: object) -> None:
        if self._terminal:
            write_error(f"\r{'':{_columns()}}\r")

    def resume(self, done: float) -> None:
        """Say that so much was done by an earlier run, found out only now."""
        self._before, self._started = done, monotonic()

    def update(self, done: float, note: str = "") -> None:
        """Say that `done` of the total is done, and whatever else is worth a note in the line."""
        now = monotonic()
        if now < self._next:
            return
        self._next = now + (REDRAW if self._terminal else PLAIN)
        share = done / self._total if self._total else 1
        words = [f"{done:,.0f}/{self._total:,.0f} {self._unit}", f"{share:4.0%}"]
        if done > self._before:
            pace = (now - self._started) / (done - self._before)
            words.append(f"{timedelta(seconds=round(pace * max(self._total - done, 0)))} left")
        line = "  ".join([*words, note] if note else words)
        if self._terminal:
            columns = _columns()
            size = min(columns - len(line) - len("[]  "), BAR[-1])
            if size in BAR:
                line = f"[{'#' * int(min(share, 1) * size):-<{size}}]  {line}"
            write_error(f"\r{line[:columns]:{columns}}")
        else:
            complain(line)


def _columns() -> int:
    """The columns that a line may fill without touching the terminal's right edge."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except OSError:
        columns = 0
    return (columns or 80) - 1
