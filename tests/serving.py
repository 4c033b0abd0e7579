"""The engine process as its clients meet it: pipes or a connection, lines out, lines in."""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from command import OKGIN, TIMEOUT, plain_environment
from jsonschema import Draft202012Validator

import okgin_fast
from okgin_fast.protocol import check_answer

TOKEN = "a word that both sides know"
HAND = "AS 2S 3S 7H 7D 7C KD QD 9C 4H"
POSITION = {"hand": HAND, "upcard": "7S"}
LONG = {"type": "advise", "position": POSITION, "time_ms": 600_000}
"""What would take ten minutes."""
SCHEMA = json.loads(Path(okgin_fast.__file__).with_name("protocol.schema.json").read_text("utf-8"))


@cache
def validator(kind: str) -> Draft202012Validator:
    """What knows the messages of one kind, such as ``answer.act``, by the shipped schema."""
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})


def check(answer: dict[str, Any]) -> None:
    """Refuse what is no answer by the protocol, and by its schema."""
    check_answer(answer)
    group = "partial" if "partial" in answer else "answer"
    validator(f"{group}.{answer['type']}").validate(answer)


class Client:
    """Sends lines and reads answers, each of which is one that the protocol knows."""

    def __init__(
        self, to: IO[bytes], back: IO[bytes], connection: socket.socket | None = None
    ) -> None:
        self.to = to
        self.back = back
        self.socket = connection
        self.early: list[dict[str, Any]] = []

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.to.write(line + b"\n")
        self.to.flush()

    def line(self) -> str:
        return self.back.readline().decode("ascii")

    def answer(self) -> dict[str, Any]:
        line = self.line()
        assert line.endswith("\n"), f"no answer but {line!r}"
        answer: dict[str, Any] = json.loads(line)
        check(answer)
        return answer

    def ask(self, message: dict[str, Any] | bytes) -> dict[str, Any]:
        """Send a line and give the next answer that is not a partial one."""
        self.send(message)
        while (answer := self.answer()).get("partial"):
            pass
        return answer

    def answer_to(self, id: str | int) -> dict[str, Any]:
        """The final answer to a request; those that come before it are kept for later."""
        for answer in self.early:
            if answer["id"] == id:
                self.early.remove(answer)
                return answer
        while (answer := self.answer())["id"] != id or answer.get("partial"):
            if not answer.get("partial"):
                self.early.append(answer)
        return answer

    def partial(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request that shall be thought over, and wait until it is."""
        self.send({**message, "every_ms": 10})
        answer = self.answer()
        assert answer.get("partial"), answer
        return answer

    def rest(self) -> list[dict[str, Any]]:
        """All answers that are still to come, until the end."""
        answers = [json.loads(line) for line in self.back]
        for answer in answers:
            check(answer)
        return answers


class Engine(Client):
    """A process of ``okgin serve`` on pipes."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [*OKGIN, "serve", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=plain_environment(),
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        super().__init__(self.process.stdin, self.process.stdout)

    def end(self) -> tuple[int, list[dict[str, Any]], str]:
        """Close its input, and give its exit code, the last answers and what it complained of."""
        assert self.process.stderr is not None
        self.to.close()
        answers = self.rest()
        complaints = self.process.stderr.read().decode()
        return self.process.wait(TIMEOUT), answers, complaints

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(TIMEOUT)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()


@contextmanager
def engine(*words: str) -> Iterator[Engine]:
    """A process, which does not outlive its test."""
    process = Engine(*words)
    try:
        yield process
    finally:
        process.kill()


class Listener:
    """A process of ``okgin serve --port``."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [*OKGIN, "serve", "--port", "0", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=plain_environment(),
        )
        assert self.process.stderr is not None
        self.errors = self.process.stderr
        first = self.errors.readline().decode()
        found = re.fullmatch(r"okgin serve: listening on 127\.0\.0\.1, port (\d+)\n", first)
        assert found, first
        self.port = int(found[1])

    @contextmanager
    def connection(self) -> Iterator[Client]:
        """Connect, without saying anything yet."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as connected:
            stream = connected.makefile("rwb")
            try:
                yield Client(stream, stream, connected)
            finally:
                with suppress(OSError):  # what is left to write, if the server has hung up
                    stream.close()

    @contextmanager
    def client(self) -> Iterator[Client]:
        """Connect and show the token."""
        with self.connection() as client:
            assert client.ask({"id": 0, "type": "version", "token": TOKEN})["type"] == "version"
            yield client


@contextmanager
def listener(*words: str) -> Iterator[Listener]:
    """A process that listens, which does not outlive its test."""
    process = Listener(*words)
    try:
        yield process
    finally:
        process.process.kill()
        process.process.wait(TIMEOUT)
        process.errors.close()
