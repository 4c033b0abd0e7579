"""Lines out of chunks of bytes, none of them held in memory beyond a length."""

from __future__ import annotations

from collections.abc import Callable, Iterator

__all__ = ["lines_of"]


def lines_of(read: Callable[[], bytes], longest: int) -> Iterator[bytes | None]:
    r"""Cut what is read into lines.

    Parameters
    ----------
    read : callable
        Gives some bytes, and none at the end.
    longest : int
        Bytes of a line, its newline included.

    Yields
    ------
    bytes or None
        A line without its newline, the last one also if it has none; None for a line that is too
        long, as soon as it is.

    Examples
    --------
    >>> chunks = iter([b"a\nb", b"c\nmuch too long", b" a line\nd", b""])
    >>> list(lines_of(lambda: next(chunks), 8))
    [b'a', b'bc', None, b'd']
    """
    line = bytearray()
    too_long = False
    while chunk := read():
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            if not too_long and len(line) + len(piece) < longest:
                yield bytes(line + piece)
            elif not too_long:
                yield None
            line.clear()
            too_long = False
        if not too_long and len(line) + len(rest) >= longest:
            line.clear()
            too_long = True
            yield None
        elif not too_long:
            line += rest
    if line:
        yield bytes(line)
