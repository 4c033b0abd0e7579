"""Threads that think, and for every client a queue of bounded length in front of them.

Clients take turns, so that one with much to ask keeps nobody else waiting for long. A job knows
what to do and whom to tell; the pool knows nothing of the game.
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
    client : object
        Whose it is: any one thing for all jobs of a client.
    id : str or int
        What its client calls it.
    run : callable
        Does it; must not raise.

    Attributes
    ----------
    stop : threading.Event
        Set to end it early.
    """

    def __init__(self, client: object, id: str | int, run: Callable[[Job], None]) -> None:
        self.client = client
        self.id = id
        self.stop = threading.Event()
        self.run = run


class Pool:
    """Worker threads and their queues.

    Parameters
    ----------
    workers : int
        Threads; a search runs on one of them, without the GIL.
    queue : int
        Jobs of one client that may wait.

    Examples
    --------
    >>> done = threading.Event()
    >>> with Pool(workers=1, queue=1) as pool:
    ...     pool.add(Job("me", 1, lambda job: done.set())), done.wait(60)
    (True, True)
    """

    def __init__(self, workers: int, queue: int) -> None:
        self.workers = workers
        self.queue = queue
        self._waiting: dict[object, deque[Job]] = {}  # by client, whose turn it is first
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
        """Take a job; False if too many of its client's are waiting."""
        with self._changed:
            if len(self._waiting.get(job.client, ())) >= self.queue or self._closed:
                return False
            self._waiting.setdefault(job.client, deque()).append(job)
            self._changed.notify()
            return True

    def remove(self, job: Job) -> bool:
        """Take a job that is still waiting out of the queue; False if it is not there."""
        with self._changed:
            jobs = self._waiting.get(job.client, deque())
            if job not in jobs:
                return False
            jobs.remove(job)
            if not jobs:
                del self._waiting[job.client]
            return True

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
            client = next(iter(self._waiting))
            jobs = self._waiting.pop(client)
            job = jobs.popleft()
            if jobs:  # its next turn comes after everybody else's
                self._waiting[client] = jobs
            self._running.add(job)
            return job
