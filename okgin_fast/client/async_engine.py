"""`AsyncEngine`: an engine process, or a connection to one, for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeAlias

from okgin_fast.advice import Advice
from okgin_fast.cards import Card, CardsLike, to_card
from okgin_fast.client.values import (
    Message,
    Position,
    advice_of,
    cards_field,
    limit_fields,
    position_fields,
)
from okgin_fast.deal import Action
from okgin_fast.errors import OkginError, quote
from okgin_fast.limit import Limit
from okgin_fast.protocol import LONGEST_LINE, PROTOCOL, ProtocolError, dump
from okgin_fast.rules import Rules

__all__ = ["AsyncEngine", "EngineTerminatedError"]

Partial: TypeAlias = Callable[[Message], object]

COMMAND = (sys.executable, "-m", "okgin_fast", "serve")
PATIENCE = 60.0
"""Seconds to wait for an answer, beyond the time that it was given to think."""
FAREWELL = 5.0
"""Seconds that a process has to end by itself."""
LONGEST_ANSWER = 1 << 28
"""Bytes."""
LAST_WORDS = 400
"""Characters of what a process wrote to its standard error that are quoted when it has died."""


class EngineTerminatedError(OkginError):
    """The server has ended, could not be started, or has been closed: nothing more can be asked."""


class AsyncEngine:
    """An engine process, or a connection to one, for asyncio.

    Made by `popen` or `connect`, and closed by ``async with`` or `close`. Any number of tasks may
    ask at once; a task that is cancelled or runs out of time stops its search.

    Attributes
    ----------
    timeout : float or None
        Seconds to wait for an answer, beyond the time that it was given to think; None for ever.

    Examples
    --------
    >>> import asyncio
    >>> import okgin_fast as og
    >>> async def main():
    ...     view = og.Deal("oklahoma", seed=7).view(1)
    ...     async with await AsyncEngine.popen() as engine:
    ...         return await asyncio.gather(
    ...             *(engine.act(view, level=level) for level in ("club", "master"))
    ...         )
    >>> asyncio.run(main())
    [Action('pass'), Action('pass')]
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        process: asyncio.subprocess.Process | None = None,
        timeout: float | None = PATIENCE,
    ) -> None:
        self.timeout = timeout
        self._reader = reader
        self._writer = writer
        self._process = process
        self._ids = itertools.count(1)
        self._waiting: dict[int, tuple[asyncio.Future[Message], Partial | None]] = {}
        self._end: EngineTerminatedError | None = None
        self._last_words = b""
        self._tasks = [asyncio.create_task(self._listen())]
        if process is not None:
            self._tasks.append(asyncio.create_task(self._hear_complaints()))

    # -- opening and closing

    @classmethod
    async def popen(
        cls, command: Sequence[str] = COMMAND, *, timeout: float | None = PATIENCE
    ) -> Self:
        """Start an engine process.

        Parameters
        ----------
        command : sequence of str
            By default ``python -m okgin_fast serve``.
        timeout : float or None
            See `timeout`.

        Raises
        ------
        EngineTerminatedError
            It does not start, or what starts is no engine of this protocol.
        """
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=pipe, limit=LONGEST_ANSWER
            )
        except OSError as error:
            raise EngineTerminatedError(f"{quote(command[0])} does not start: {error}") from None
        assert process.stdout is not None
        assert process.stdin is not None
        engine = cls(process.stdout, process.stdin, process=process, timeout=timeout)
        return await engine._greeted({})

    @classmethod
    async def connect(
        cls, port: int, token: str, *, host: str = "127.0.0.1", timeout: float | None = PATIENCE
    ) -> Self:
        """Connect to a server that listens: ``okgin serve --port``.

        Parameters
        ----------
        port : int
        token : str
            The server's token.
        host : str
        timeout : float or None
            See `timeout`.

        Raises
        ------
        EngineTerminatedError
            Nobody listens there, or what does is no engine of this protocol.
        ProtocolError
            The token is another one.
        """
        try:
            reader, writer = await asyncio.open_connection(host, port, limit=LONGEST_ANSWER)
        except OSError as error:
            raise EngineTerminatedError(f"nobody listens at {host}:{port}: {error}") from None
        return await cls(reader, writer, timeout=timeout)._greeted({"token": token})

    async def _greeted(self, fields: Message) -> Self:
        """Say hello, and close again if what answers is not what is meant."""
        try:
            answer = await self.request("version", **fields)
            if answer.get("protocol") != PROTOCOL:
                spoken = quote(answer.get("protocol"))
                raise EngineTerminatedError(f"the server speaks protocol {spoken}, not {PROTOCOL}")
        except BaseException:
            await self.close()
            raise
        return self

    async def close(self) -> None:
        """Stop what is being searched, end the process or the connection. Twice is no error."""
        if self._end is None:
            self._end = EngineTerminatedError("the engine is closed")
            self._fail(self._end)
            with contextlib.suppress(OSError):
                if self._process is not None:
                    self._writer.write(dump({"id": 0, "type": "stop"}))
                self._writer.close()
        if self._process is not None:
            try:
                await asyncio.wait_for(self._process.wait(), FAREWELL)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        else:
            self._tasks[0].cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def __aenter__(self) -> Self:
        """Give the engine itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    # -- messages

    async def _listen(self) -> None:
        """Hand every answer to the task that waits for it, until there are no more."""
        line = b""
        try:
            while line := await self._reader.readline():
                self._hand_out(json.loads(line))
        except OSError:
            pass
        except Exception:
            said = quote(line.decode(errors="replace"))
            self._end = self._end or EngineTerminatedError(f"what answers is no engine: {said}")
        if self._end is None:
            self._end = EngineTerminatedError(await self._obituary())
        self._fail(self._end)
        self._writer.close()

    def _hand_out(self, answer: Message) -> None:
        number: Any = answer.get("id")
        future, on_partial = self._waiting.get(number, (None, None))
        if answer.get("type") == "error":
            parts = answer["code"], answer["message"], answer["field"], number
            error = ProtocolError(*parts)
            if number is None:  # nobody can say whose it is
                self._fail(error)
            elif future is not None and not future.done():
                future.set_exception(error)
        elif future is None or future.done():
            return  # it comes too late
        elif not answer.get("partial"):
            future.set_result(answer)
        elif on_partial is not None:
            try:
                on_partial(answer)
            except Exception as error:
                future.set_exception(error)

    def _fail(self, error: OkginError) -> None:
        for future, _ in self._waiting.values():
            if not future.done():
                future.set_exception(error)

    async def _hear_complaints(self) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        while words := await self._process.stderr.read(1 << 16):
            self._last_words = (self._last_words + words)[-2000:]

    async def _obituary(self) -> str:
        """Say in one line how the server has ended."""
        if self._process is None:
            said = "the server has closed the connection"
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), FAREWELL)
                await self._tasks[1]
            code = self._process.returncode
            said = "the engine process has ended" + (f", exit code {code}" if code else "")
        words = " ".join(self._last_words.decode(errors="replace").split())[-LAST_WORDS:]
        return f"{said}: {words}" if words else said

    async def request(
        self,
        type: str,
        *,
        on_partial: Partial | None = None,
        thinking: float = 0.0,
        **fields: Any,
    ) -> Message:
        """Ask anything that the protocol knows.

        Parameters
        ----------
        type : str
            Such as ``"melds"``.
        on_partial : callable, optional
            Called with every partial result.
        thinking : float
            Seconds to wait, besides `timeout`.
        **fields
            As the protocol has them, without the id; those that are None are left out.

        Returns
        -------
        dict
            The answer, as it came.

        Raises
        ------
        ProtocolError
            What was asked is refused: `code` and `field` say why, code ``busy`` to ask again later.
        EngineTerminatedError
            The server has ended.
        TimeoutError
            No answer in time; the request has been stopped.
        """
        number = next(self._ids)
        fields = {name: value for name, value in fields.items() if value is not None}
        line = dump({"id": number, "type": type, **fields})
        if len(line) > LONGEST_LINE:
            message = f"the request is longer than {LONGEST_LINE} bytes"
            raise ProtocolError("line", message, "line", number)
        if self._end is not None:
            raise self._end
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future, on_partial
        patience = None if self.timeout is None else self.timeout + thinking
        try:
            with contextlib.suppress(OSError):  # then the listener says how it ended
                self._writer.write(line)
                await self._writer.drain()
            return await asyncio.wait_for(asyncio.shield(future), patience)
        except TimeoutError:
            raise TimeoutError(f"no answer to {type!r} within {patience:g} seconds") from None
        finally:
            del self._waiting[number]
            if not future.done():
                future.cancel()
                if self._end is None:
                    self._writer.write(dump({"id": 0, "type": "stop", "target": number}))

    # -- requests

    async def act(
        self,
        position: Position | None = None,
        level: str | int | None = None,
        limit: Limit | None = None,
        *,
        match: str | None = None,
        seed: int | None = None,
    ) -> Action:
        """Ask what a player would do.

        Parameters
        ----------
        position : View, str or mapping
            What the seat to move knows, as a view or as a position is typed. Or give a match.
        level : str or int, optional
            A player's name or a level's number; the expert, if nothing is said.
        limit : Limit, optional
            How long to think.
        match : str, optional
            The name that `new_match` gave.
        seed : int, optional
            The same seed and rollouts give the same action.

        Returns
        -------
        Action

        Raises
        ------
        ProtocolError, EngineTerminatedError, TimeoutError
            As `request`.
        """
        where = position_fields(position, match)
        answer = await self.request("act", level=level, seed=seed, **where, **limit_fields(limit))
        return Action.parse(answer["action"])

    async def advise(
        self,
        position: Position | None = None,
        limit: Limit | None = None,
        *,
        match: str | None = None,
        seed: int | None = None,
        on_partial: Partial | None = None,
        every_ms: float | None = None,
    ) -> Advice:
        """Ask for all legal actions, ranked, as `okgin_fast.advise` does.

        Parameters
        ----------
        position, limit, match, seed
            As for `act`.
        on_partial : callable, optional
            Called with what has been found so far, a dict as the protocol has it.
        every_ms : float, optional
            How often, milliseconds.

        Returns
        -------
        Advice

        Raises
        ------
        ProtocolError, EngineTerminatedError, TimeoutError
            As `request`.
        """
        answer = await self.request(
            "advise",
            on_partial=on_partial,
            every_ms=every_ms,
            seed=seed,
            **position_fields(position, match),
            **limit_fields(limit),
        )
        return advice_of(answer)

    async def new_match(
        self, seat: int, rules: Rules | str | None = None, dealer: int | None = None
    ) -> Message:
        """Let the server follow a match from one seat: public events, and that seat's own cards.

        Parameters
        ----------
        seat : int
            The seat that the engine sits in.
        rules : Rules or str, optional
        dealer : int, optional
            The first dealer.

        Returns
        -------
        dict
            The state; ``answer["match"]`` is the name for `event`, `state`, `act` and `advise`.
        """
        chosen = rules.to_dict() if isinstance(rules, Rules) else rules
        return await self.request("new_match", seat=seat, rules=chosen, dealer=dealer)

    async def event(
        self,
        match: str,
        event: Action | str,
        *,
        seat: int | None = None,
        dealer: int | None = None,
        hand: CardsLike | None = None,
        upcard: Card | str | None = None,
        card: Card | str | None = None,
        shown: CardsLike | None = None,
    ) -> Message:
        """Tell the server what has happened in a match.

        Parameters
        ----------
        match : str
        event : Action or str
            ``"deal"``, with `hand`, `upcard` and `dealer`; or an action.
        seat : int, optional
            Who did it, if it was not the seat that is to move.
        card : Card or str, optional
            The card that our own seat drew from the stock.
        shown : cards, optional
            The other hand, once it has been shown.

        Returns
        -------
        dict
            The state of the match after it.
        """
        return await self.request(
            "event",
            match=match,
            event=str(event),
            seat=seat,
            dealer=dealer,
            hand=cards_field(hand),
            upcard=None if upcard is None else str(to_card(upcard)),
            card=None if card is None else str(to_card(card)),
            shown=cards_field(shown),
        )

    async def state(self, match: str) -> Message:
        """Ask how a match stands."""
        return await self.request("state", match=match)

    async def end_match(self, match: str) -> None:
        """Let the server forget a match."""
        await self.request("end_match", match=match)

    async def analyse(
        self,
        record: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
        limit: Limit | None = None,
        *,
        seed: int | None = None,
        on_partial: Partial | None = None,
        every_ms: float | None = None,
    ) -> Message:
        """Ask for an analysis of finished deals: what ``okgin analyse --json`` gives.

        Parameters
        ----------
        record : str, mapping, or sequence of them
            Records, which show both hands: ``open_cards`` is sent along.
        limit, seed
            For each decision.
        on_partial, every_ms
            As for `advise`; told how many decisions are done.

        Returns
        -------
        dict
        """
        answer = await self.request(
            "analyse",
            record=record,
            open_cards=True,
            on_partial=on_partial,
            every_ms=every_ms,
            seed=seed,
            **limit_fields(limit),
        )
        analysis: Message = answer["analysis"]
        return analysis

    async def options(self) -> Message:
        """Ask for the levels, players and rules that the server knows, and what it can take."""
        return await self.request("options")

    async def stop(self) -> None:
        """End all searches: their answers are what they have found so far."""
        await self.request("stop")
