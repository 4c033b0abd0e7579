"""Results as tables and files: all that was measured, and what README carries of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from measure import Result

from okgin_fast.measure.files import write_whole
from okgin_fast.measure.rates import Quartiles, digits, metric

BEGIN, END = "<!-- speed:begin -->", "<!-- speed:end -->"


def value(result: Result, number: float) -> str:
    """Write a number of a result with its unit."""
    if result.unit == "s":
        return f"{number:.3f} s"
    return f"{digits(number)} MB" if result.unit == "MB" else f"{metric(number)} {result.unit}"


def times(result: Result, number: float) -> str:
    """Write how many times as fast or as small, or how many seconds more."""
    return f"{number:+.3f} s" if result.unit == "s" else f"{digits(number)} x"


def with_quartiles(result: Result, gain: Quartiles) -> str:
    """Write a gain with what half of the rounds lie between."""
    low, median, high = (times(result, number) for number in gain)
    return f"{median} ({low.removesuffix(' x')} to {high.removesuffix(' x')})"


def cells(result: Result) -> list[str]:
    """Return a result as the columns of the table."""
    ours = value(result, result.ours.median)
    if result.theirs is None or result.gain is None:
        return [result.what, ours, "", "", "", "", ""]
    peer = [result.peer, value(result, result.theirs.median), with_quartiles(result, result.gain)]
    if result.target is None:
        return [result.what, ours, *peer, "", ""]
    least = "at most" if result.unit == "s" else "at least"
    verdict = "PASS" if result.passed else "FAIL"
    return [result.what, ours, *peer, f"{least} {times(result, result.target)}", verdict]


def table(results: Sequence[Result]) -> str:
    """Return all results as an aligned Markdown table."""
    head = ["what", "okgin_fast", "peer", "its", "median (quartiles)", "target", ""]
    return markdown([head, *map(cells, results)])


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return rows, the header first, as an aligned Markdown table."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    first, *others = (
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    )
    return "\n".join([first, "|" + "|".join("-" * (width + 2) for width in widths) + "|", *others])


def listed(facts: Mapping[str, str]) -> str:
    """Return versions and the machine in a line."""
    return ", ".join(f"{name} {fact}" for name, fact in facts.items())


def summary(results: Sequence[Result], programs: Sequence[str]) -> str:
    """Return what README shows: a row for what is done, a column for each program.

    What was compared with something else than a program follows in a line.
    """
    rows: dict[str, dict[str, str]] = {}
    rest = []
    for result in results:
        if result.gain is None or result.theirs is None:
            rows.setdefault(result.what, {})[""] = value(result, result.ours.median)
        elif result.peer in programs:
            row = rows.setdefault(result.what, {"": value(result, result.ours.median)})
            theirs = value(result, result.theirs.median).removesuffix(f" {result.unit}")
            row[result.peer] = f"{theirs} ({times(result, result.gain.median)})"
        else:
            rest.append(f"{result.what}: {times(result, result.gain.median)}")
    lines = [[what, *(row.get(name, "") for name in ("", *programs))] for what, row in rows.items()]
    return "\n\n".join([markdown([["", "okgin_fast", *programs], *lines]), "; ".join(rest) + "."])


def around_markers(path: Path) -> tuple[str, str]:
    """Return what stands before and after the text between a file's two markers.

    Ends the program if the file does not have each of them once.
    """
    try:
        whole = path.read_bytes().decode()
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}") from None
    before, begin, rest = whole.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end or whole.count(BEGIN) + whole.count(END) != 2:
        raise SystemExit(f"{path}: needs {BEGIN} and after it {END}, once each; left as it is")
    return before + begin, end + after


def replace_between(path: Path, text: str) -> None:
    """Put the text between the two markers of a file."""
    before, after = around_markers(path)
    newline = "\r\n" if "\r\n" in before else "\n"
    new = text.strip().replace("\n", newline)
    write_whole(path, newline.join([before, new, after]).encode())
