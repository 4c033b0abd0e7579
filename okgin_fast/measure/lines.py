"""Files of JSON Lines that long work adds to, so that nothing is lost and it can go on."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Self

from okgin_fast.errors import OkginError, SeriesError, quote

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # no Unix: nothing keeps two processes from writing to one file
    fcntl = None

__all__ = ["LineFile", "ResultsError", "refuse_device"]


class ResultsError(OkginError):
    """A results file that cannot be opened, read, written, or gone on from."""


class LineFile:
    """JSON Lines that long work adds to as it goes on, in whole lines, and can be resumed from.

    Parameters
    ----------
    path : path-like
    resume : bool
        Go on from a file that is there; without it the file must not be there.

    Attributes
    ----------
    name : str
        What errors call it.
    file : binary file
    lines : list of bytes
        What it held when it was opened; a last line that a crash has cut is not one of them, and is
        written over.

    Raises
    ------
    ResultsError
        It cannot be opened or read, another process writes to it, or it is there already.
    """

    def __init__(self, path: str | os.PathLike[str], resume: bool = False) -> None:
        self.name = f"results file {quote(os.fspath(path), 80)}"
        if resume:
            refuse_device(self.name, path)
        try:
            mode = "r+b" if resume else "xb"
            self.file: IO[bytes] = Path(path).open(mode, buffering=0)  # noqa: SIM115
        except FileExistsError:
            raise ResultsError(f"{self.name} exists: resume it or choose another name") from None
        except OSError as error:
            raise ResultsError(f"{self.name} cannot be opened: {error.strerror}") from None
        try:
            self._lock()
            whole, end, _ = self.file.read().rpartition(b"\n") if resume else (b"", b"", b"")
        except BaseException:
            self.file.close()
            raise
        self._end = len(whole) + len(end)
        self.lines = whole.split(b"\n") if end else []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes write to it."""
        self.file.close()

    def write(self, *entries: Mapping[str, Any]) -> None:
        """Write whole lines at once; if that fails, the file is as it was.

        Raises
        ------
        SeriesError
            The disk is full, or the like.
        """
        lines = [json.dumps(entry, separators=(",", ":")) for entry in entries]
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            self.file.seek(self._end)
            self.file.truncate()
            if self.file.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            with contextlib.suppress(OSError):
                self.file.truncate(self._end)
            raise SeriesError(
                f"{self.name} cannot be written: {error.strerror}; resume it to go on"
            ) from None
        self._end += len(data)

    def _lock(self) -> None:
        """Keep other processes from writing, until the file is closed."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ResultsError(f"{self.name} is in use by another process") from None


def refuse_device(name: str, path: str | os.PathLike[str]) -> None:
    """Refuse what would be read for ever, such as a pipe."""
    if Path(path).exists() and not Path(path).is_file():
        raise ResultsError(f"{name} cannot be opened: it is no regular file")
