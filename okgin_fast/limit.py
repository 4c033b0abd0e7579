"""How long a search may take: by the clock, by the number of rollouts, or until it is stopped."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass

from okgin_fast.core.search import Search
from okgin_fast.errors import OkginError, quote

__all__ = ["Limit", "as_limit"]

TICK = 0.0005
"""Seconds between two looks at the clock, about."""
NARROWS = 64
"""Worlds between two looks at who trails."""
CLEAR = 2.0
"""Standard errors by which a candidate must trail to be dropped."""


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search ends: at the first of what is given.

    Parameters
    ----------
    time_ms : float, optional
        Milliseconds, kept to within half a millisecond on a machine that is not busy; 0 leaves no
        time to search at all.
    rollouts : int, optional
        How often every candidate is played out. The same seed and rollouts give the same result on
        every machine; a time need not.
    stop : threading.Event, optional
        Ends the search when set, by another thread.

    Raises
    ------
    OkginError
        A negative number, or neither a time nor rollouts.

    Examples
    --------
    >>> Limit(time_ms=200)
    Limit(time_ms=200, rollouts=None, stop=None)
    """

    time_ms: float | None = None
    rollouts: int | None = None
    stop: threading.Event | None = None

    def __post_init__(self) -> None:
        """Refuse what is no limit."""
        for name, value, kinds in (
            ("time_ms", self.time_ms, int | float),
            ("rollouts", self.rollouts, int),
        ):
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value < 1e9
            ):
                raise OkginError(f"{name}={quote(value)}: a number from 0 to a thousand million")
        if self.time_ms is None and self.rollouts is None:
            raise OkginError("no limit: give time_ms=, rollouts= or both")

    def run(self, search: Search, *, narrow: bool = False, since: float | None = None) -> None:
        """Search until the limit is reached.

        Parameters
        ----------
        search : Search
        narrow : bool
            Drop candidates that trail clearly, and end when only one is left.
        since : float, optional
            When the time began to run, by `time.perf_counter`; by default now.
        """
        now = time.perf_counter()
        start = now if since is None else since
        end = math.inf if self.time_ms is None else start + self.time_ms / 1000
        step = 1
        while now < end and not (self.stop and self.stop.is_set()):
            worlds = min(step, NARROWS - search.worlds % NARROWS)
            if self.rollouts is not None:
                worlds = min(worlds, self.rollouts - search.worlds)
            if worlds <= 0:
                return
            search.run(worlds)
            before, now = now, time.perf_counter()
            if now - before < TICK / 2:
                step = 2 * worlds
            elif now - before > TICK:
                step = max(1, worlds // 2)
            if narrow and search.worlds % NARROWS == 0:
                search.narrow(CLEAR)
                if search.open == 1:
                    return


def as_limit(limit: object) -> Limit:
    """Give the limit back, if it is one.

    Raises
    ------
    OkginError
        For anything but a `Limit`.
    """
    if not isinstance(limit, Limit):
        raise OkginError(f"limit={quote(limit)}: must be a Limit, such as Limit(time_ms=200)")
    return limit
