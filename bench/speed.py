"""How fast okgin_fast is, against every peer that is installed, in the same run.

Run as ``python bench/speed.py [--quick] [--only WORD] [--json FILE] [--markdown FILE]
[--update README.md]``; bench/README.md says what each row compares. The exit code is 1 if a target
was missed, but not by --quick.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path

import rows_deals
import rows_memory
import rows_players
import rows_solver
import rows_threads
from measure import HAS_PEAK, Result, compare, import_difference, memory
from peers import INSTALLED, PACKAGES, say_what_is_missing
from report import around_markers, listed, replace_between, summary, table

from okgin_fast.measure.files import write_whole
from okgin_fast.measure.machine import facts

COMMAND = "python bench/speed.py --update README.md"
IMPORT = "import okgin_fast, beyond numpy's own"


def measured(word: str, quick: bool) -> Iterator[Result]:
    """Measure every row whose name has the word."""

    def wanted(what: str) -> bool:
        if word in what:
            print(f"measuring {what}", file=sys.stderr)
        return word in what

    rounds, seconds, processes = (3, 0.02, 1) if quick else (15, 0.2, 3)
    for module in (rows_solver, rows_deals, rows_players, rows_threads):
        for row in module.rows():
            if wanted(row.what):
                yield from compare(row, rounds, seconds)
    for what, ours, peers in rows_memory.rows() if HAS_PEAK else ():
        if wanted(what):
            yield from memory(what, ours, peers, processes)
    if wanted(IMPORT):
        yield from import_difference(IMPORT, "okgin_fast", "numpy", 0.2, rounds)


def main() -> int:
    """Measure, print the table, and say by the exit code whether every target was met."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few short rounds: a smoke test")
    parser.add_argument("--only", default="", metavar="WORD", help="rows whose name has the word")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures here")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table here")
    parser.add_argument(
        "--update", type=Path, metavar="FILE", help="put a summary between the markers of a file"
    )
    options = parser.parse_args()
    if options.update and (options.quick or options.only):
        parser.error("--update takes the whole of a full run: no --quick, no --only")
    if options.update:
        around_markers(options.update)  # before minutes are spent

    say_what_is_missing()
    results = list(measured(options.only, options.quick))
    programs = [name for name in PACKAGES if name in INSTALLED]
    conditions = {"measured": date.today().isoformat()} | facts(
        ["okgin_fast", *(PACKAGES[name] for name in programs), "numpy"]
    )
    text = f"{listed(conditions)}\n\n{table(results)}\n"
    print(text, end="")
    if options.json:
        figures = [asdict(result) | {"passed": result.passed} for result in results]
        report = json.dumps({"facts": conditions, "results": figures}, indent=1)
        write_whole(options.json, f"{report}\n".encode())
    if options.markdown:
        write_whole(options.markdown, text.encode())
    if options.update:
        made = f"{listed(conditions)}; by `{COMMAND}`.\n\n{summary(results, programs)}"
        replace_between(options.update, made)
    return 0 if options.quick or all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
