"""Answers on their way to one client, written by a thread of their own.

So a client that does not read holds up nobody but itself: whoever thinks never waits for it, and
it is not heard any more until it has read.
"""

from __future__ import annotations

import errno
import os
import threading
from collections import deque
from collections.abc import Callable

__all__ = ["Outbox"]

FULL = 1000
"""Lines that may wait before the client is not heard any more."""
CROWDED = 100
"""Lines that may wait before partial results are left out."""
GLANCE = 0.2
"""Seconds between two looks at whether the client is still there."""


class Outbox:
    """Lines that wait to be written.

    Parameters
    ----------
    write : callable
        Writes all of some bytes; raises OSError if nobody will read them.
    gone : callable
        Tells whether the client has left, as far as that can be seen without writing.
    lost : callable
        Called once when the client has left before all was written.

    Attributes
    ----------
    error : OSError or None
        Why nothing more can be written, when the client has left.
    ended : threading.Event
        Set when all is written, or nothing more can be.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        gone: Callable[[], bool],
        lost: Callable[[], None],
    ) -> None:
        self.error: OSError | None = None
        self.ended = threading.Event()
        self._write = write
        self._gone = gone
        self._lost = lost
        self._lines: deque[bytes] = deque()
        self._finished = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="okgin writer", daemon=True)
        self._thread.start()

    def put(self, line: bytes, *, wait: bool = False, droppable: bool = False) -> None:
        """Have a line written.

        Parameters
        ----------
        line : bytes
        wait : bool
            Wait while too much is waiting.
        droppable : bool
            Leave it out if much is waiting.
        """
        with self._changed:
            while wait and len(self._lines) >= FULL and self.error is None:
                self._changed.wait(GLANCE)
            if self.error is not None or (droppable and len(self._lines) >= CROWDED):
                return
            self._lines.append(line)
            self._changed.notify_all()

    def finish(self) -> None:
        """Say that no more lines come, and wait until all are written."""
        with self._changed:
            self._finished = True
            self._changed.notify_all()
        while not self.ended.wait(1.0):
            pass

    def _run(self) -> None:
        try:
            while lines := self._next():
                self._write(b"".join(lines))
        except OSError as error:
            with self._changed:
                self.error = error
                self._lines.clear()
                self._changed.notify_all()
            self._lost()
        finally:
            self.ended.set()

    def _next(self) -> list[bytes]:
        """All lines that wait, once there are some; none at the end."""
        with self._changed:
            while not self._lines and not self._finished:
                if not self._changed.wait(GLANCE) and self._gone():
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
            lines = list(self._lines)
            self._lines.clear()
            self._changed.notify_all()
            return lines
