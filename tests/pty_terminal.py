"""A real terminal for a test to sit at: a pseudo-terminal with ``okgin`` on its other side."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Self

from command import OKGIN, TIMEOUT, plain_environment

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r|\x07")


class Terminal:
    """``okgin`` on a terminal.

    Parameters
    ----------
    words : str
        Its arguments.
    folder : Path
        Where it runs.
    columns : int
        The width of the window.
    changes : str
        Environment variables.
    """

    def __init__(self, *words: str, folder: Path, columns: int = 80, **changes: str) -> None:
        self._master, slave = pty.openpty()
        self.resize(columns)
        self._process = subprocess.Popen(
            [*OKGIN, *words],
            stdin=slave, stdout=slave, stderr=slave,
            cwd=folder,
            env=plain_environment(**{"TERM": "xterm-256color", **changes}),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C finds it
        )  # fmt: skip
        os.close(slave)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.coloured = ""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def text(self) -> str:
        """All that was shown, without colours."""
        return _ESCAPES.sub("", self.coloured)

    def resize(self, columns: int) -> None:
        """Make the window so wide."""
        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def type(self, text: str, end: str = "\n") -> None:
        """Type a line; with another end, what that key is."""
        os.write(self._master, (text + end).encode())

    def send(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self._process.send_signal(number)

    @property
    def line_by_line(self) -> bool:
        """Whether the terminal hands over whole lines, as it does to a shell's commands."""
        return bool(termios.tcgetattr(self._master)[3] & termios.ICANON)

    def hang_up(self) -> int:
        """Take the terminal away; the program's exit code."""
        os.dup2(os.open(os.devnull, os.O_RDWR), self._master)
        return self._process.wait(TIMEOUT)

    def wait_for(self, pattern: str) -> str:
        """Read until the pattern has been shown after what was waited for before; all till then.

        At the end of the program it is an `EOFError`.
        """
        end = time.monotonic() + TIMEOUT
        while True:
            text = self.text
            if found := re.compile(pattern, re.MULTILINE).search(text, self._seen):
                since, self._seen = text[self._seen : found.end()], found.end()
                return since
            assert time.monotonic() < end, f"{pattern!r} was not shown in {text[self._seen :]!r}"
            if not self._read():
                raise EOFError(f"ended without {pattern!r} in {text[self._seen :]!r}")

    def ended(self) -> tuple[int, str]:
        """Read to the end; the exit code and what was shown since."""
        while self._read():
            pass
        return self._process.wait(TIMEOUT), self.text[self._seen :]

    def _read(self) -> bool:
        """Read what there is now; False at the end."""
        ready, _, _ = select.select([self._master], [], [], TIMEOUT)
        assert ready, f"nothing comes after {self.text[-200:]!r}"
        try:
            data = os.read(self._master, 65536)
        except OSError:  # how Linux says that nobody is on the other side
            return False
        self.coloured += self._decoder.decode(data)
        return bool(data)
