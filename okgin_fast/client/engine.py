"""`Engine`: an `AsyncEngine` in a thread of its own, for those who do not use asyncio."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Self, TypeVar

from okgin_fast.advice import Advice
from okgin_fast.client.async_engine import (
    COMMAND,
    PATIENCE,
    AsyncEngine,
    EngineTerminatedError,
    Partial,
)
from okgin_fast.client.values import Message, Position
from okgin_fast.deal import Action
from okgin_fast.limit import Limit
from okgin_fast.rules import Rules

__all__ = ["Engine"]

T = TypeVar("T")


class Engine:
    """An engine process, or a connection to one, whose methods wait for the answer.

    Made by `popen` or `connect`, and closed by ``with`` or `close`. Every method does what
    `AsyncEngine`'s does and raises the same errors; any thread may call them. `act` is all that a
    player needs, so that an engine can be one: ``og.play_match(engine, og.agent("club"))``.

    Examples
    --------
    >>> import okgin_fast as og
    >>> view = og.Deal("oklahoma", seed=7).view(1)
    >>> with Engine.popen() as engine:
    ...     action = engine.act(view, level="club")
    ...     advice = engine.advise(view, og.Limit(rollouts=100))
    >>> action, advice.best.action
    (Action('pass'), Action('pass'))
    """

    def __init__(self, open_engine: Callable[[], Coroutine[Any, Any, AsyncEngine]]) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="okgin engine", daemon=True
        )
        self._closing = threading.Lock()
        self._thread.start()
        try:
            self._engine = self._wait(open_engine())
        except BaseException:
            self._end_loop()
            raise

    @classmethod
    def popen(cls, command: Sequence[str] = COMMAND, *, timeout: float | None = PATIENCE) -> Self:
        """Start an engine process; see `AsyncEngine.popen`."""
        return cls(lambda: AsyncEngine.popen(command, timeout=timeout))

    @classmethod
    def connect(
        cls, port: int, token: str, *, host: str = "127.0.0.1", timeout: float | None = PATIENCE
    ) -> Self:
        """Connect to a server that listens; see `AsyncEngine.connect`."""
        return cls(lambda: AsyncEngine.connect(port, token, host=host, timeout=timeout))

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it in the engine's own loop; an exception here, such as Ctrl-C, cancels it there."""
        if self._loop.is_closed():
            work.close()
            raise EngineTerminatedError("the engine is closed")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def close(self) -> None:
        """End the process or the connection. Twice is no error."""
        with self._closing:
            if not self._loop.is_closed():
                self._wait(self._engine.close())
                self._end_loop()

    def __enter__(self) -> Self:
        """Give the engine itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def request(
        self, type: str, *, on_partial: Partial | None = None, thinking: float = 0.0, **fields: Any
    ) -> Message:
        """See `AsyncEngine.request`; `on_partial` is called in the engine's thread."""
        return self._wait(
            self._engine.request(type, on_partial=on_partial, thinking=thinking, **fields)
        )

    def act(
        self,
        position: Position | None = None,
        level: str | int | None = None,
        limit: Limit | None = None,
        *,
        match: str | None = None,
        seed: int | None = None,
    ) -> Action:
        """See `AsyncEngine.act`."""
        return self._wait(self._engine.act(position, level, limit, match=match, seed=seed))

    def advise(
        self,
        position: Position | None = None,
        limit: Limit | None = None,
        *,
        match: str | None = None,
        seed: int | None = None,
        on_partial: Partial | None = None,
        every_ms: float | None = None,
    ) -> Advice:
        """See `AsyncEngine.advise`."""
        return self._wait(
            self._engine.advise(
                position, limit, match=match, seed=seed, on_partial=on_partial, every_ms=every_ms
            )
        )

    def new_match(
        self, seat: int, rules: Rules | str | None = None, dealer: int | None = None
    ) -> Message:
        """See `AsyncEngine.new_match`."""
        return self._wait(self._engine.new_match(seat, rules, dealer))

    def event(self, match: str, event: Action | str, **what: Any) -> Message:
        """See `AsyncEngine.event`."""
        return self._wait(self._engine.event(match, event, **what))

    def state(self, match: str) -> Message:
        """See `AsyncEngine.state`."""
        return self._wait(self._engine.state(match))

    def end_match(self, match: str) -> None:
        """See `AsyncEngine.end_match`."""
        self._wait(self._engine.end_match(match))

    def analyse(
        self,
        record: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
        limit: Limit | None = None,
        **how: Any,
    ) -> Message:
        """See `AsyncEngine.analyse`."""
        return self._wait(self._engine.analyse(record, limit, **how))

    def options(self) -> Message:
        """See `AsyncEngine.options`."""
        return self._wait(self._engine.options())

    def stop(self) -> None:
        """See `AsyncEngine.stop`."""
        self._wait(self._engine.stop())
