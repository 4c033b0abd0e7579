"""Threads that think, and a queue of bounded length in front of them.

A job knows what to do and whom to tell; the pool knows neither clients nor the game.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

__all__ = ["Job", "Pool"]

PATIENCE = 2.0
"""Seconds that a closing pool waits for what has been stopped."""


class Job:
    """Something to do, once a thread is free.

    Parameters
    ----------
    id : str or int
        What its client calls it.

    Attributes
    ----------
    stop : threading.Event
        Set to end it early.
    run : callable
        Does it; must not raise.
    """

    def __init__(self, id: str | int, run: Callable[[Job], None]) -> None:
        self.id = id
        self.stop = threading.Event()
        self.run = run


class Pool:
    """Worker threads and their queue.

    Parameters
    ----------
    workers : int
        Threads; a search runs on one of them, without the GIL.
    queue : int
        Jobs that may wait, of all clients together.

    Examples
    --------
    >>> done = threading.Event()
    >>> with Pool(workers=1, queue=1) as pool:
    ...     pool.add(Job(1, lambda job: done.set())), done.wait(60)
    (True, True)
    """

    def __init__(self, workers: int, queue: int) -> None:
        self.workers = workers
        self.queue = queue
        self._waiting: deque[Job] = deque()
        self._running: set[Job] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"okgin worker {n}", daemon=True)
            for n in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, job: Job) -> bool:
        """Take a job; False if too many are waiting."""
        with self._changed:
            if len(self._waiting) >= self.queue or self._closed:
                return False
            self._waiting.append(job)
            self._changed.notify()
            return True

    def remove(self, job: Job) -> bool:
        """Take a job that is still waiting out of the queue; False if it is not there."""
        with self._changed:
            if job in self._waiting:
                self._waiting.remove(job)
                return True
            return False

    def close(self) -> None:
        """Forget what waits, stop what runs, and end the threads."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            for job in self._running:
                job.stop.set()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(PATIENCE)

    def __enter__(self) -> Pool:
        """Give the pool itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _work(self) -> None:
        while job := self._next():
            try:
                job.run(job)
            finally:
                with self._changed:
                    self._running.discard(job)

    def _next(self) -> Job | None:
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if self._closed:
                return None
            job = self._waiting.popleft()
            self._running.add(job)
            return job
