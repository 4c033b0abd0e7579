"""A limit that can be watched: the search goes on, and tells now and then what it has found."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from okgin_fast.core.search import Estimate, Search
from okgin_fast.limit import Limit

__all__ = ["Watch", "WatchedLimit"]


class Watch:
    """Who is told, and when next.

    Parameters
    ----------
    every_ms : float
        Milliseconds from one report to the next.
    tell : callable
        Takes what was found so far, as the protocol has it.
    """

    def __init__(self, every_ms: float, tell: Callable[[dict[str, Any]], None]) -> None:
        self.every = every_ms / 1000
        self.next = time.perf_counter() + self.every
        self.tell = tell

    def due(self) -> bool:
        """Whether it is time; if so, the next time is set."""
        now = time.perf_counter()
        if now < self.next:
            return False
        self.next = now + self.every
        return True


@dataclass(frozen=True, slots=True)
class WatchedLimit(Limit):
    """A `Limit` whose searches report to a `Watch`; what they find is the same."""

    watch: Watch | None = None

    def run(self, search: Search, *, narrow: bool = False, since: float | None = None) -> None:
        """Search until the limit is reached, and report between."""
        if self.watch is None:
            Limit.run(self, search, narrow=narrow, since=since)
            return
        now = time.perf_counter()
        end = None
        if self.time_ms is not None:
            end = (now if since is None else since) + self.time_ms / 1000
        while True:
            pause = max(0.0, self.watch.next - now)
            last = end is not None and end - now <= pause
            slice_ms = 1000 * (max(0.0, end - now) if last and end is not None else pause)
            Limit(slice_ms, self.rollouts, self.stop).run(search, narrow=narrow)
            if (
                last
                or (self.stop is not None and self.stop.is_set())
                or (self.rollouts is not None and search.worlds >= self.rollouts)
                or (narrow and search.open == 1)
            ):
                return
            if self.watch.due() and search.worlds:
                self.watch.tell({"candidates": _found(search)})
            now = time.perf_counter()


def _found(search: Search) -> list[dict[str, Any]]:
    """What is known of each candidate, the best first."""
    pairs = zip(search.candidates, search.estimates(), strict=True)
    ranked = sorted(pairs, key=lambda pair: -pair[1].lead)
    return [{"action": str(action), **_figures(found)} for action, found in ranked]


def _figures(found: Estimate) -> dict[str, Any]:
    return {
        "equity": found.equity,
        "se": found.se if found.worlds > 1 else None,
        "match": found.worth,
        "match_se": found.worth_se if found.worlds > 1 else None,
        "knock": found.knock,
        "gin": found.gin,
        "undercut": found.undercut,
        "lose": found.lose,
        "dead": found.dead,
        "rollouts": found.worlds,
    }
