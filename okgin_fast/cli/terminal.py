"""Output: whole pieces of text, one line an error, and what a terminal can show.

It knows streams and terminals, and nothing of cards.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from typing import TextIO

__all__ = ["BOLD", "OutputError", "complain", "printable", "style", "width", "write", "write_error"]

BOLD = "1"


class OutputError(OSError):
    """Standard output is closed, or takes no more."""


def write(text: str) -> None:
    """Print a whole line or table at once and flush it.

    Raises
    ------
    OutputError
        If it cannot be written. Nothing is left in a buffer for the interpreter to fail on.
    """
    if sys.stdout is None:
        raise OutputError(errno.EBADF, os.strerror(errno.EBADF))
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        _drop(sys.stdout)
        raise OutputError(error.errno, error.strerror) from None
    except UnicodeEncodeError as error:  # before anything is written
        unknown = error.object[error.start]
        raise OutputError(errno.EILSEQ, f"{error.encoding} has no {unknown!r}") from None


def complain(text: str) -> None:
    """Print one line on standard error; what cannot be printed is escaped."""
    write_error(printable(text) + "\n")


def printable(text: str) -> str:
    """Text of whatever origin as a terminal may have it: what cannot be printed is escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def write_error(text: str) -> None:
    """Print on standard error, if there is one and somebody hears it."""
    if sys.stderr is not None and not sys.stderr.closed:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    """Let the interpreter flush what is left in a broken stream to nowhere, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def width() -> int | None:
    """The columns of the terminal; None if the output goes elsewhere."""
    return shutil.get_terminal_size().columns if _is_terminal() else None


def style(text: str, code: str) -> str:
    """Text as ANSI code `code` shows it, if a terminal is there to show it."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not _is_terminal()
    return text if plain else f"\x1b[{code}m{text}\x1b[0m"


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
