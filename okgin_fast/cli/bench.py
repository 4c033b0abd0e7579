"""``okgin bench``: a signature of what the package does, and how fast it does it here."""

from __future__ import annotations

import json
from argparse import Namespace
from functools import partial
from typing import Any, NamedTuple

from okgin_fast.cli.parser import Parser, whole_number
from okgin_fast.cli.progress import Progress
from okgin_fast.cli.table import table
from okgin_fast.cli.terminal import width, write
from okgin_fast.measure.machine import facts, known_threads
from okgin_fast.measure.rates import Quartiles, metric, quartiles, rate
from okgin_fast.measure.workload import PARTS, Part, signature, signature_of

DESCRIPTION = """\
Run a fixed amount of work in three parts and measure how fast it goes: the solver (hands), the
deal engine (deals) and the search (rollouts).

It ends in a signature of everything that came out: the same on every machine, for any number of
threads, as long as the package decides and counts the same. Rates are medians of rounds, with what
half of the rounds lie between."""
EXAMPLES = """\
examples:
  okgin bench
  okgin bench --quick
  okgin bench --threads 2 --json"""
ROUNDS, SECONDS = 15, 0.13
QUICK_ROUNDS, QUICK_SECONDS = 3, 0.04


class Measured(NamedTuple):
    """What came out of a part.

    Attributes
    ----------
    part : Part
    signature : str
    rate : Quartiles
        Units of the part a second.
    """

    part: Part
    signature: str
    rate: Quartiles

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return {
            "part": self.part.name,
            "signature": self.signature,
            "unit": f"{self.part.unit}/s",
            "rate": self.rate.median,
            "quartiles": [self.rate.low, self.rate.high],
        }

    def cells(self) -> list[str]:
        """Give it as a row of the table."""
        low, median, high = map(metric, self.rate)
        return [self.part.name, self.signature, f"{median} {self.part.unit}/s", f"{low} to {high}"]


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    parser.add_argument(
        "--quick", action="store_true", help="short rounds: the same signature in about a second"
    )
    parser.add_argument(
        "--threads", type=whole_number, default=1, metavar="N", help="share the work (1)"
    )


def run(args: Namespace) -> int:
    """Sign, measure, and print both."""
    rounds, seconds = (QUICK_ROUNDS, QUICK_SECONDS) if args.quick else (ROUNDS, SECONDS)
    threads = known_threads(args.threads)
    measured = measure(rounds, seconds, threads)
    whole = signature(found.signature for found in measured)
    conditions = facts() | {"threads": str(threads)}
    if args.json:
        parts = [found.to_dict() for found in measured]
        write(json.dumps({"facts": conditions, "parts": parts, "signature": whole}) + "\n")
    else:
        header = ["part", "signature", f"median of {rounds}", "half of them"]
        lines = [
            ", ".join(f"{name} {value}" for name, value in conditions.items()),
            *table(header, [found.cells() for found in measured], "<<><", width()),
            f"signature {whole}",
        ]
        write("\n".join(lines) + "\n")
    return 0


def measure(rounds: int, seconds: float, threads: int) -> list[Measured]:
    """Do the work of all the parts once for the signatures, then in rounds, in turn."""
    with Progress(len(PARTS) * (rounds + 1), "rounds") as progress:
        signatures = [signature_of(part, threads) for part in PARTS]
        items = [part.bulk(threads)[0] for part in PARTS]
        rates: list[list[float]] = [[] for _ in PARTS]
        for turn in range(rounds):
            for number, part in enumerate(PARTS):
                progress.update(len(PARTS) * (turn + 1) + number, part.name)
                work = partial(part.bulk, threads)
                rates[number].append(rate(work, items[number], seconds))
    return [
        Measured(part, signed, quartiles(found))
        for part, signed, found in zip(PARTS, signatures, rates, strict=True)
    ]
