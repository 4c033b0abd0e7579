"""The player's screen: lines that fit the terminal, with cards in colour where that can be shown.

Texts come with cards as letters, such as 7H, and melds in brackets; here they get their symbols and
colours (rich, if it is installed) and are wrapped. It knows terminals, and nothing of the game.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from contextlib import suppress
from types import ModuleType
from typing import Literal

from okgin_fast.cli.show import with_symbols
from okgin_fast.cli.terminal import width, write
from okgin_fast.extras import MissingExtraError, load

__all__ = ["Screen", "Style", "wrap"]

Style = Literal["", "title", "dim", "good", "bad", "strong"]
STYLES: dict[Style, str] = {
    "title": "bold cyan", "dim": "dim", "good": "bold green", "bad": "bold red", "strong": "bold",
}  # fmt: skip
COLUMNS, NARROWEST = 80, 20  # without a terminal; what a line gets at least
TICK = 0.1  # seconds
SYMBOLS = "♠♣♦♥─·"
RED, BLACK, MELD, LOOSE = "#c00000", "#000000", "#ffffaf", "#e4e4e4"

_GROUP = re.compile(r"\[[^\[\]]+\]")
_CARD = re.compile(r"(?<!\w)[A2-9TJQK](?P<suit>[♠♣♦♥SCDH])(?!\w)")
_PIECE = re.compile(r"\[[^\[\]]*\]\S*|[a-z]+ \d+\b(?![♠♣♦♥])\S*|\S+")


def wrap(text: str, columns: int, indent: int = 0) -> list[str]:
    """Break a line between words; what is in brackets, and a word with its number, is not broken.

    Examples
    --------
    >>> wrap("You    [AS 2S 3S] [7C 7D 7H] 4H 9C", 21, 7)
    ['You    [AS 2S 3S]', '       [7C 7D 7H] 4H', '       9C']
    """
    lines: list[str] = []
    line, end = "", 0
    for piece in _PIECE.finditer(text):
        gap = piece.start() - end
        if line.strip() and len(line) + gap + len(piece[0]) > columns:
            lines.append(line)
            line, gap = "", indent
        line += " " * gap + piece[0]
        end = piece.end()
    return [*lines, line]


class Screen:
    """Where the player reads and types.

    Attributes
    ----------
    symbols : bool
        Whether the output can show the symbols of the suits.
    """

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):  # whatever is typed or printed, nothing breaks
            if isinstance(stream, io.TextIOWrapper):
                errors = "replace" if stream is sys.stdin else "backslashreplace"
                stream.reconfigure(errors=errors)
        self._typed_by_hand = _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
        if self._typed_by_hand:
            with suppress(ImportError):
                import readline  # noqa: F401  (lines can be edited, and earlier ones called back)
            # Who ends the program in another way than by Ctrl-C shall leave no less behind.
            for name in {"SIGTERM", "SIGHUP"} & set(dir(signal)):
                signal.signal(getattr(signal, name), signal.default_int_handler)
        self.symbols = _can_show(SYMBOLS)
        self._rich = _rich()

    def say(self, text: str = "", style: Style = "", indent: int = 0, cards: bool = True) -> None:
        """Print a line, or as many as it takes; those after the first are indented.

        Without `cards` they stay as they are typed.
        """
        text = with_symbols(text) if self.symbols and cards else text
        self._print(wrap(text, self.columns, indent), style, cards)

    def raw(self, text: str, style: Style = "") -> None:
        """Print a line in which nothing is a card: a file's name, a number to copy."""
        self._print([text], style, cards=False)

    def block(self, lines: list[str], style: Style = "") -> None:
        """Print lines that are laid out already."""
        self._print(lines, style, cards=False)

    def rule(self, *parts: str) -> None:
        """Print a title in a line across the screen; what does not fit goes below it."""
        dash, dot = "─·" if self.symbols else "-|"
        lines = [f"{2 * dash} "]
        for part in parts:
            shown = f"{with_symbols(part) if self.symbols else part} "
            if len(lines[-1]) > 3 and len(f"{lines[-1]}{dot} {shown}") > self.columns + 1:
                lines.append("   ")
            lines[-1] += (f"{dot} " if len(lines[-1]) > 3 else "") + shown
        lines[-1] += dash * (self.columns - len(lines[-1]))
        self._print([line.rstrip() for line in lines], "title", cards=False)

    def ask(self, prompt: str) -> str:
        """Read one line that the player types.

        Raises
        ------
        EOFError
            There are no more.
        """
        *lines, last = wrap(with_symbols(prompt) if self.symbols else prompt, self.columns)
        write("".join(f"{line}\n" for line in lines))
        if self._typed_by_hand:
            return _typed(f"{last} ")
        write(f"{last} ")
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise EOFError
        write(line if line.endswith("\n") else f"{line}\n")
        return line

    @property
    def columns(self) -> int:
        """How long a line may be now; the window may have been resized."""
        return max(width() or COLUMNS, NARROWEST)

    def _print(self, lines: list[str], style: Style, cards: bool = True) -> None:
        if self._rich is None:
            write("".join(f"{line}\n" for line in lines))
        else:
            write("".join(self._painted(line, style, cards) for line in lines))

    def _painted(self, line: str, style: Style, cards: bool) -> str:
        """A line in colour, as the terminal wants it."""
        assert self._rich is not None
        groups = [g.span() for g in _GROUP.finditer(line) if cards and _CARD.search(g[0])]
        ends = {place for start, end in groups for place in (start, end - 1)}
        shown = "".join(" " if i in ends else c for i, c in enumerate(line))
        text = load("rich.text", "tui").Text(shown, style=STYLES.get(style, ""))
        for group in groups:
            text.stylize(f"on {MELD}", *group)
        for card in _CARD.finditer(shown) if cards else ():
            melded = any(start < card.start() < end for start, end in groups)
            colour, paper = RED if card["suit"] in "♦♥DH" else BLACK, MELD if melded else LOOSE
            text.stylize(f"not dim bold {colour} on {paper}", *card.span())
        out = io.StringIO()
        console = self._rich.Console(
            file=out, force_terminal=True, width=max(self.columns, len(line)), highlight=False,
            legacy_windows=False,
        )  # fmt: skip
        console.print(text, soft_wrap=True)
        return out.getvalue()


def _typed(prompt: str) -> str:
    """Let a line be typed.

    Python hears a signal when its wait for a key is broken off. One that came just before the wait
    began would be heard at the next key only; so the wait is broken off again and again.
    """
    if not hasattr(signal, "setitimer"):  # Windows, whose waits are others
        return input(prompt)
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        return input(prompt)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _is_terminal(stream: object) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


def _can_show(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _rich() -> ModuleType | None:
    """Rich, if it is there and colours are wanted."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") in (None, "dumb")
    if plain or not _is_terminal(sys.stdout):
        return None
    try:
        return load("rich.console", "tui")
    except MissingExtraError:
        return None
