"""Questions in, answers out: one from the arguments, or one a line from standard input."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, Protocol

from okgin_fast.cli.show import with_symbols
from okgin_fast.cli.terminal import complain, width, write
from okgin_fast.errors import OkginError, quote

__all__ = ["Answer", "InputError", "answer_all", "is_standard_input"]

LONGEST_LINE = 10_000


class InputError(OkginError):
    """Standard input that is missing or is not text."""


class Answer(Protocol):
    """What a subcommand found out about one question."""

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""

    def lines(self, columns: int | None) -> list[str]:
        """Give it in words and tables; `columns` is the terminal's width, if there is one."""


def is_standard_input(question: Sequence[str]) -> bool:
    """Whether arguments say that the questions are on standard input."""
    return list(question) in ([], ["-"])


def answer_all(
    args: Namespace, question: Sequence[str], solve: Callable[[str], Answer], missing: str
) -> int:
    """Answer what is asked; on standard input each line before the next is read.

    Parameters
    ----------
    args : Namespace
        With ``prog``, ``json`` and ``symbols``.
    question : sequence of str
        The words of one question; none, or ``-``, for standard input.
    solve : callable
        From a question to its answer.
    missing : str
        The error if nothing is asked.

    Returns
    -------
    int
        Exit code: 1 if a line was bad. Blank lines and those that begin with # are not answered.

    Raises
    ------
    InputError
        There is nothing to read, or what is read is not text.
    """
    if not is_standard_input(question):
        write(_text(args, solve(" ".join(question)), {}))
        return 0
    # Somebody who forgot the cards is not left waiting; who asks for lines may type them.
    if sys.stdin is None or (not question and sys.stdin.isatty()):
        raise InputError(missing)
    number, code = 0, 0
    for number, line in _lines():
        try:
            write(_text(args, solve(line), {"line": number}))
        except OkginError as error:
            complain(f"{args.prog}: error: line {number}: {error}")
            code = 1
    if not number:
        raise InputError(missing)
    return code


def _text(args: Namespace, answer: Answer, place: dict[str, Any]) -> str:
    """What is printed; answers to lines are numbered, or have a blank line after them."""
    if args.json:
        return json.dumps(place | answer.to_dict()) + "\n"
    text = "\n".join(answer.lines(width())) + ("\n\n" if place else "\n")
    return with_symbols(text) if args.symbols else text


def _lines() -> Iterator[tuple[int, str]]:
    """Yield the lines of standard input that ask something, with their numbers."""
    for number in count(1):
        try:
            data = sys.stdin.buffer.readline(LONGEST_LINE)
        except OSError as error:
            raise InputError(f"cannot read standard input: {error.strerror}") from None
        if not data:
            return
        if len(data) == LONGEST_LINE:
            raise InputError(f"line {number}: {quote(data)} is longer than {LONGEST_LINE} bytes")
        try:
            line = data.decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            line = "\0"
        if "\0" in line:
            raise InputError(f"line {number}: {quote(data)} is not text (UTF-8)")
        if line and not line.startswith("#"):
            yield number, line
