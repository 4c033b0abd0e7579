"""Instructions a call of the five hottest functions of the core: the same on a busy machine.

Run as ``python bench/instructions.py [--save FILE] [--baseline FILE]``. valgrind's callgrind counts
what the processor is asked to do on fixed work; times swing by a tenth from run to run here, these
counts do not. They know nothing of caches and mispredicted branches: a change that pays in both is
a gain.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from report import listed, markdown

from okgin_fast.measure.files import write_whole
from okgin_fast.measure.machine import facts

HOT = {  # the function: the module whose calls of it are counted
    "deadwood_c": "batch",
    "best_throw_c": "batch",
    "chain_next": "search",
    "play_c": "search",
    "policy_c": "search",
}
"""Those that a profile of `WORK` had on top; whatever they call is counted with them."""
WORK = """
import numpy
from okgin_fast import View, batch
from okgin_fast.core.rng import Rng
from okgin_fast.core.search import Search
from okgin_fast.measure.workload import POSITIONS

rng = Rng(2026)
hands = [[1 << card for card in rng.shuffled(52)[:11]] for _ in range(4_000)]
batch.deadwood(numpy.array([sum(hand[1:]) for hand in hands], numpy.uint64))
batch.best_discard(numpy.array([sum(hand) for hand in hands], numpy.uint64))
for view in map(View.from_position, POSITIONS):
    Search(view, view.legal_actions(), 2026).run(32)
"""


def profile(valgrind: str) -> list[str]:
    """Run the work under callgrind and return the lines of its profile."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "profile")
        plain = ["--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={out}"]
        command = [valgrind, "--tool=callgrind", *plain, sys.executable, "-c", WORK]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"valgrind failed: {done.stderr.strip().splitlines()[-1]}")
        return out.read_text().splitlines()


def instructions(lines: Iterable[str]) -> dict[str, tuple[int, float]]:
    """Return for each hot function how often it was called, and the instructions of a call.

    In a profile ``ob=`` names the caller's object file, ``cob=`` and ``cfn=`` the object (if it is
    another one) and the function that it calls, ``calls=`` how often; the line after that ends in
    what these calls cost.
    """
    calls, cost = Counter[str](), Counter[str]()
    caller = called = ""
    rows = iter(lines)
    for line in rows:
        key, _, text = line.partition("=")
        if key == "ob":
            caller = Path(text).name.partition(".")[0]
        elif key == "cfn":
            called = next((name for name in HOT if text.endswith(f"_{name}")), "")
        elif key == "calls":
            spent = int(next(rows).split()[-1])
            if called and HOT[called] == caller:
                calls[called] += int(text.split()[0])
                cost[called] += spent
    missing = [name for name in HOT if not calls[name]]
    if missing:
        raise SystemExit(f"no calls of {', '.join(missing)} in the profile: is the core stripped?")
    return {name: (calls[name], cost[name] / calls[name]) for name in HOT}


def table(found: Mapping[str, tuple[int, float]], before: Mapping[str, float]) -> str:
    """Return the counts and, where there were counts before, the change in percent."""
    rows = [["function", "calls", "instructions a call", "change"]]
    for name, (calls, count) in found.items():
        change = f"{count / before[name] - 1:+.2%}" if name in before else ""
        rows.append([name, f"{calls:,}", f"{count:,.1f}", change])
    return markdown(rows)


def saved(name: str) -> dict[str, float]:
    """Read the counts that an earlier run saved, for argparse."""
    try:
        counts = json.loads(Path(name).read_text("utf-8"))["instructions"]
        return {name: float(count) for name, count in counts.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise argparse.ArgumentTypeError(f"{name!r} holds no counts: {error}") from None


def main() -> int:
    """Count, print the table, and save it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the counts here")
    parser.add_argument(
        "--baseline", type=saved, default={}, metavar="FILE", help="compare with saved counts"
    )
    options = parser.parse_args()
    valgrind = shutil.which("valgrind")
    if not valgrind:
        raise SystemExit("valgrind is not installed: no instructions to count")
    found = instructions(profile(valgrind))
    conditions = facts(["okgin_fast", "Cython"])
    print(f"{listed(conditions)}\n\n{table(found, options.baseline)}")
    if options.save:
        counts = {name: count for name, (_, count) in found.items()}
        report = json.dumps({"facts": conditions, "instructions": counts}, indent=1)
        write_whole(options.save, f"{report}\n".encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
