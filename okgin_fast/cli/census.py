"""``okgin census``: how many hands have how much deadwood, exactly, and what chances follow."""

from __future__ import annotations

import json
import shlex
from argparse import Namespace

from okgin_fast.cards import RANKS
from okgin_fast.cli.parser import Parser, UsageError, whole_number
from okgin_fast.cli.progress import Progress
from okgin_fast.cli.table import table
from okgin_fast.cli.terminal import BOLD, OutputError, style, width, write
from okgin_fast.measure.census import MEANING, Census, Chance, Counting, stored
from okgin_fast.rules import Rules

DESCRIPTION = """\
Count all hands of ten cards by their deadwood, and all hands of eleven cards by what the best
throw leaves; print both distributions and the chances that follow: of being dealt gin, and of
knocking at once under the limit of each upcard. Seconds for ten cards, half a minute for eleven."""
EXAMPLES = """\
examples:
  okgin census --stored
  okgin census --cards 10
  okgin census --resume census.state
  okgin census --json --threads 2"""
SIZES = {"10": [10], "11": [11], "both": [10, 11]}
TITLES = {
    10: "Ten cards, by their deadwood",
    11: "Eleven cards, by what the best throw leaves",
}


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    parser.add_argument("--cards", choices=SIZES, default="both", help="which hands (both)")
    parser.add_argument(
        "--threads", type=whole_number, metavar="N", help="share the work (one a core)"
    )
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="keep there what is counted, and go on from it after an interruption",
    )
    parser.add_argument(
        "--stored", action="store_true", help="count nothing: print the counts that are shipped"
    )


def run(args: Namespace) -> int:
    """Count, or take what is stored, and print it."""
    if args.stored and (args.threads is not None or args.resume is not None):
        raise UsageError("--stored counts nothing: it takes no --threads and no --resume")
    found = [stored(size) if args.stored else _count(size, args) for size in SIZES[args.cards]]
    if args.json:
        chosen = "" if args.cards == "both" else f" --cards {args.cards}"
        censuses = [census.to_dict() for census in found]
        write(json.dumps({"command": f"okgin census{chosen} --json", "censuses": censuses}) + "\n")
    else:
        columns = width()
        write("\n\n".join("\n".join(_lines(census, columns)) for census in found) + "\n")
    return 0


def _count(cards: int, args: Namespace) -> Census:
    counting = Counting(cards, args.resume)
    try:
        with Progress(counting.total, f"hands of {cards}", counting.done) as progress:
            return counting.run(args.threads, progress.update)
    except OSError as error:
        raise OutputError(error.errno, f"{args.resume}: {error.strerror}") from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            "nothing is kept without --resume FILE"
            if args.resume is None
            else f"--resume {shlex.quote(args.resume)} goes on from here"
        ) from None


def _lines(census: Census, columns: int | None) -> list[str]:
    """The distribution as a table, then the chances."""
    rows = []
    for deadwood in range(census.maximum + 1):
        hands = Chance(census.hands[deadwood], census.total)
        at_most = census.at_most(deadwood)
        rows.append(
            [
                str(deadwood),
                f"{hands.cases:,}",
                _percent(hands),
                f"{at_most.cases:,}",
                _percent(at_most),
            ]
        )
    gin, meaning = census.at_most(0), MEANING[census.cards]
    return [
        style(TITLES[census.cards], BOLD),
        *table(["deadwood", "hands", "share", "at most", "share"], rows, ">>>>>", columns),
        "",
        f"{census.total:,} hands; mean {census.mean:.4f}, maximum {census.maximum}; "
        f"gin {gin.cases:,}, one in {1 / gin.share:,.0f}.",
        "",
        style("Chances by the upcard", BOLD),
        *_by_upcard(census, columns),
        "",
        *(f"{name}: {meaning[name]}." for name in census.by_upcard()),
    ]


def _by_upcard(census: Census, columns: int | None) -> list[str]:
    chances = census.by_upcard()
    limits = [str(Rules().knock_limit(rank)) for rank in range(len(RANKS))]
    rows = [
        [upcard, limit, *map(_percent, row)]
        for upcard, limit, *row in zip(
            [*RANKS, "any"], [*limits, ""], *chances.values(), strict=True
        )
    ]
    return table(["upcard", "limit", *chances], rows, "<>" + ">" * len(chances), columns)


def _percent(chance: Chance) -> str:
    return f"{chance.share:.6%}"
