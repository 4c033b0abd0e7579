"""Text tables whose columns line up; they know neither cards nor terminals."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["table"]


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], align: str, width: int | None = None
) -> list[str]:
    """Lay a table out, its header first.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequences of str
    align : str
        For each column ``<`` (left) or ``>`` (right).
    width : int, optional
        Longest line; the last column is cut where it would be longer.

    Returns
    -------
    list of str
        One line a row, without trailing blanks.

    Examples
    --------
    >>> for line in table(["throw", "leaves"], [["KD", "3"], ["9C", "13"]], "<>"):
    ...     print(line)
    throw  leaves
    KD          3
    9C         13
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    return [
        _cut("  ".join(f"{c:{a}{w}}" for c, a, w in zip(row, align, widths, strict=True)), width)
        for row in [header, *rows]
    ]


def _cut(line: str, width: int | None) -> str:
    line = line.rstrip()
    return line if width is None or len(line) <= width else line[: max(width - 3, 0)] + "..."
