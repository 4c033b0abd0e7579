"""One client: its lines in, its answers out, its matches, and what is being thought over for it.

Lines are read in their order, so that a request about a match sees all events before it; answers
are written as they are ready. Where lines come from and go to is the transport's business.
"""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable
from typing import Any

from okgin_fast.errors import OkginError
from okgin_fast.protocol import (
    LONGEST_LINE,
    FieldError,
    ProtocolError,
    dump,
    error_answer,
    read_request,
)
from okgin_fast.server.answers import LONG, QUICK, Thinking, Work, rules_of, the_match
from okgin_fast.server.matches import FollowedMatch
from okgin_fast.server.outbox import Outbox
from okgin_fast.server.pool import Job, Pool

__all__ = ["MOST_MATCHES", "Session"]

MOST_MATCHES = 1000
"""Matches that a client may have open."""
ABOUT = {"advise": "position", "act": "position", "analyse": "record", "settle": "knocker",
         "melds": "hand", "new_match": "rules", "event": "event"}  # fmt: skip
"""The field that is named when something about a request cannot be."""


class Session:
    """What a server knows of one client.

    Parameters
    ----------
    pool : Pool
    write : callable
        Writes all of some bytes; raises OSError if nobody will read them.
    gone : callable
        Tells whether the client has left, as far as that can be seen without writing.
    hang_up : callable
        Called when the client has left before everything was written.
    complain : callable
        Told of faults of the server, one line each.
    token : str, optional
        What the first line has to carry.

    Attributes
    ----------
    outbox : Outbox
        Answers that wait to be written.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        write: Callable[[bytes], None],
        gone: Callable[[], bool],
        hang_up: Callable[[], None],
        complain: Callable[[str], None],
        token: str | None = None,
    ) -> None:
        self._pool = pool
        self._token = token
        self._hang_up = hang_up
        self._complain = complain
        self._matches: dict[str, FollowedMatch] = {}
        self._opened = 0
        self._jobs: set[Job] = set()
        self._changed = threading.Condition()
        self._quick = QUICK | {
            "options": self._options,
            "new_match": self._new_match,
            "event": self._event,
            "state": self._state,
            "end_match": self._end_match,
            "stop": self._stop,
        }
        self._last: str | int | None = None
        self.outbox = Outbox(write, gone, self._lost)

    @property
    def trusted(self) -> bool:
        """Whether the client has shown the token, or need not."""
        return self._token is None

    def hear(self, line: bytes | None) -> bool:
        """Read one line, and answer it or have it answered.

        Parameters
        ----------
        line : bytes or None
            None for one that was too long.

        Returns
        -------
        bool
            False if the client is to be heard no more.
        """
        if line is not None and not line.strip():
            return True
        request: dict[str, Any] = {}
        try:
            if line is None:
                raise ProtocolError("line", f"the line is longer than {LONGEST_LINE} bytes")
            request = read_request(line)
            self._check_token(request)
            if request["type"] == "quit":
                self._last = request["id"]
                return False
            self._answer(request)
        except ProtocolError as error:
            self.outbox.put(dump(error_answer(error)), wait=True)
        except Exception as error:
            self._fail(request, error, wait=True)
        return self.trusted

    def finish(self) -> None:
        """Wait until everything is answered, say goodbye if the client has, and end the outbox."""
        with self._changed:
            while self._jobs:
                self._changed.wait(1.0)
        if self._last is not None:
            self.outbox.put(dump({"id": self._last, "type": "quit"}))
        self.outbox.finish()

    def abandon(self) -> None:
        """Stop all that is being thought over: nobody wants the answers."""
        for job in self._of(None):
            if self._pool.remove(job):
                self._done(job)
            job.stop.set()

    def _lost(self) -> None:
        self.abandon()
        self._hang_up()

    # -- requests

    def _check_token(self, request: dict[str, Any]) -> None:
        given = request.pop("token", "")
        if self._token is not None:
            if not hmac.compare_digest(given.encode(), self._token.encode()):
                raise ProtocolError(
                    "token", "token: the first line must carry the server's", "token", request["id"]
                )
            self._token = None

    def _answer(self, request: dict[str, Any]) -> None:
        id, kind = request["id"], request["type"]
        try:
            if kind in self._quick:
                answer = self._quick[kind](request)
                self.outbox.put(dump({"id": id, "type": kind, **answer}), wait=True)
                return
            work = LONG[kind](request, self._matches)
            if isinstance(work, dict):
                self.outbox.put(dump({"id": id, "type": kind, **work}), wait=True)
                return
        except FieldError as error:
            raise ProtocolError("input", str(error), error.field, id) from None
        except ProtocolError as error:
            error.id = id
            raise
        except OkginError as error:
            field = "match" if "match" in request and kind != "event" else ABOUT.get(kind)
            raise ProtocolError("input", f"{field}: {error}", field, id) from None
        job = Job(self, id, lambda job: self._think(job, request, work))
        with self._changed:
            self._jobs.add(job)
        if not self._pool.add(job):
            self._done(job)
            message = f"{self._pool.queue} requests are waiting already; ask again later"
            raise ProtocolError("busy", message, None, id)

    def _think(self, job: Job, request: dict[str, Any], work: Work) -> None:
        """Do long work in one of the pool's threads, and send what comes of it."""
        head = {"id": request["id"], "type": request["type"]}

        def tell(found: dict[str, Any]) -> None:
            self.outbox.put(dump({**head, "partial": True, **found}), droppable=True)

        try:
            if job.stop.is_set():
                raise _stopped(job)
            answer = head | work(Thinking(job.stop, tell))
            if job.stop.is_set():
                answer["stopped"] = True
            self.outbox.put(dump(answer))
        except ProtocolError as error:
            self.outbox.put(dump(error_answer(error)))
        except OkginError as error:
            field = ABOUT.get(request["type"])
            fault = ProtocolError("input", f"{field}: {error}", field, request["id"])
            self.outbox.put(dump(error_answer(fault)))
        except Exception as error:
            self._fail(request, error)
        finally:
            self._done(job)

    def _fail(self, request: dict[str, Any], error: Exception, *, wait: bool = False) -> None:
        """A fault of this program: the client and the operator are told, and all goes on."""
        what = f"{request.get('type', 'a line')}: {type(error).__name__}: {error}"
        self._complain(f"internal fault in {what}")
        fault = ProtocolError("internal", what, None, request.get("id"))
        self.outbox.put(dump(error_answer(fault)), wait=wait)

    def _done(self, job: Job) -> None:
        with self._changed:
            self._jobs.discard(job)
            self._changed.notify_all()

    def _of(self, id: str | int | None) -> list[Job]:
        """What is not finished yet: of one id, or all."""
        with self._changed:
            return [job for job in self._jobs if id is None or job.id == id]

    def _stop(self, request: dict[str, Any]) -> dict[str, Any]:
        jobs = self._of(request.get("target"))
        for job in jobs:
            job.stop.set()
            if self._pool.remove(job):
                self.outbox.put(dump(error_answer(_stopped(job))))
                self._done(job)
        return {"stopped": len(jobs)}

    def _options(self, request: dict[str, Any]) -> dict[str, Any]:
        return QUICK["options"](request) | {
            "workers": self._pool.workers,
            "queue": self._pool.queue,
            "matches": MOST_MATCHES,
            "line_bytes": LONGEST_LINE,
        }

    # -- matches

    def _new_match(self, request: dict[str, Any]) -> dict[str, Any]:
        if len(self._matches) >= MOST_MATCHES:
            message = f"{MOST_MATCHES} matches are open: end one of them first"
            raise ProtocolError("busy", message)
        name = f"m{self._opened + 1}"
        match = FollowedMatch(name, rules_of(request), request["seat"], request.get("dealer"))
        self._matches[name] = match
        self._opened += 1
        return match.state()

    def _event(self, request: dict[str, Any]) -> dict[str, Any]:
        match = the_match(request, self._matches)
        match.tell(request)
        return match.state()

    def _state(self, request: dict[str, Any]) -> dict[str, Any]:
        return the_match(request, self._matches).state()

    def _end_match(self, request: dict[str, Any]) -> dict[str, Any]:
        match = the_match(request, self._matches)
        del self._matches[match.name]
        return {"match": match.name}


def _stopped(job: Job) -> ProtocolError:
    return ProtocolError("stopped", "stopped before it began", None, job.id)
