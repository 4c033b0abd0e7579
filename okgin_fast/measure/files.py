"""Files that are written whole or not at all, and by one process at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = ["only_here", "write_whole"]


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file beside the old one, then put it in its place.

    Parameters
    ----------
    path : path-like
        A link stays one. What is no file, such as ``/dev/stdout``, is written to and not replaced.
    data : bytes

    Raises
    ------
    OSError
        It cannot be written; what was there before is untouched.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "a.txt"), b"whole")
    ...     [file.read_text() for file in Path(folder).iterdir()]
    ['whole']
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@contextmanager
def only_here(path: str | os.PathLike[str]) -> Iterator[bool]:
    """Keep a file to this process, among those that ask; one that ends in whatever way lets go.

    While it lasts a file is held beside it, locked by the system: the file itself is replaced when
    it is written. Windows has no such lock, nor have some network disks; there nobody is kept out.

    Parameters
    ----------
    path : path-like
        It need not exist.

    Yields
    ------
    bool
        False if another process has it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with only_here(Path(folder, "a.txt")) as mine:
    ...         mine
    True
    """
    if sys.platform == "win32":
        yield True
        return
    path = Path(os.path.realpath(path))
    beside = path.with_name(f".{path.name}.lock")
    try:
        file = beside.open("ab")
    except OSError:  # nor can the file be written
        yield True
        return
    with file:
        mine = _locked(file.fileno(), beside)
        try:
            yield mine
        finally:
            if mine:
                beside.unlink(missing_ok=True)


def _locked(descriptor: int, path: Path) -> bool:
    """Whether this process may go on, with the lock if there is such a thing here."""
    assert sys.platform != "win32"
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever had it may have taken the file away after it was opened here.
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
    except OSError:
        return True
