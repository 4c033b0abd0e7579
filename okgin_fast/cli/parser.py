"""The argument parser of every subcommand: options they share, and usage errors of one line."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from okgin_fast.cli.terminal import write
from okgin_fast.errors import OkginError, quote
from okgin_fast.rules import Rules, parse_overrides

__all__ = ["Parser", "UsageError", "chosen_rules", "did_you_mean", "number", "whole_number"]


class UsageError(OkginError):
    """Options or arguments that the command does not take."""


class Parser(ArgumentParser):
    """An `ArgumentParser` that raises `UsageError` and prints help in one piece.

    Parameters
    ----------
    prog, description, epilog : str
    """

    def __init__(self, prog: str, description: str, epilog: str = "") -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )
        # So that `--score -5-10` has a value, if a bad one.
        self._negative_number_matcher = re.compile(r"-\d")

    def add_rules_options(self) -> None:
        """Add ``--rules`` and ``--set``."""
        self.add_argument("--rules", metavar="NAME", help="a preset; `okgin rules` lists them")
        self.add_argument(
            "--set",
            metavar="FIELD=VALUE",
            action="append",
            default=[],
            help="change one field of the rules; may be repeated",
        )

    def add_json_option(self) -> None:
        """Add ``--json``."""
        self.add_argument("--json", action="store_true", help="JSON, one object a line")

    def parse(self, words: Sequence[str]) -> Namespace:
        """Parse all the words, options and arguments in any order."""
        args, rest = self.parse_known_intermixed_args(_with_events(words))
        if rest and rest[0].startswith("-"):
            options = [option for option in self._option_string_actions if option.startswith("--")]
            self.error(f"no option {quote(rest[0])}{did_you_mean(rest[0], options)}")
        if rest:
            self.error(f"one argument too many: {quote(rest[0])}")
        return args

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise UsageError(message)

    def _print_message(self, message: str, file: object = None) -> None:
        write(message)


def _with_events(words: Sequence[str]) -> list[str]:
    """Join ``--events`` to its value, which may begin with a pass: ``-,-,sKC``.

    Examples
    --------
    >>> _with_events(["--events", "-,-,sKC", "--json"])
    ['--events=-,-,sKC', '--json']
    """
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] == "--events" and not word.startswith("--"):
            joined[-1] = f"--events={word}"
        else:
            joined.append(word)
    return joined


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Name the known word that is near, for an error message; else list them.

    Examples
    --------
    >>> did_you_mean("hnit", ["hint", "melds"])
    ' (did you mean hint?)'
    >>> did_you_mean("x", ["hint", "melds"])
    ': must be one of hint, melds'
    """
    near = get_close_matches(word.partition("=")[0], known, n=1)
    return f" (did you mean {near[0]}?)" if near else f": must be one of {', '.join(known)}"


def whole_number(text: str) -> int:
    """Read a whole number for argparse."""
    if not re.fullmatch(r"[+-]?[0-9]{1,20}", text):
        raise ArgumentTypeError(f"{quote(text)} is not a whole number")
    return int(text)


def number(text: str) -> float:
    """Read a number for argparse."""
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"{quote(text)} is not a number") from None


def chosen_rules(args: Namespace) -> Rules:
    """The rules that ``--rules`` and ``--set`` ask for."""
    return Rules.preset(
        "oklahoma" if args.rules is None else args.rules, **parse_overrides(args.set)
    )
