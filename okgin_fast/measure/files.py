"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["write_whole"]


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
