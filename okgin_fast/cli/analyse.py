"""``okgin analyse``: a finished game gone over move by move."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from math import inf
from pathlib import Path
from textwrap import wrap
from typing import Any

import okgin_fast
from okgin_fast.analysis import Analysis, DealAnalysis, Record, Step, Study, read_records
from okgin_fast.analysis.graph import draw
from okgin_fast.analysis.html import page
from okgin_fast.analysis.results import MARKS, RATED, RATINGS
from okgin_fast.analysis.saved import read, saved
from okgin_fast.analysis.words import (
    DEAL_HEADER,
    MATCH_HEADER,
    STEP_HEADER,
    cost,
    deal_rows,
    ending,
    games,
    heading,
    match_rows,
    played,
    seat_rows,
    step_row,
    sum_rows,
    title,
)
from okgin_fast.cli.answers import InputError
from okgin_fast.cli.parser import Parser, UsageError, whole_number
from okgin_fast.cli.progress import Progress
from okgin_fast.cli.show import arrangement, with_symbols
from okgin_fast.cli.table import table
from okgin_fast.cli.terminal import BOLD, complain, printable, style, width, write
from okgin_fast.core.spread import best_spread
from okgin_fast.errors import SeriesError, quote
from okgin_fast.limit import Limit
from okgin_fast.measure.files import write_whole
from okgin_fast.measure.lines import LineFile, ResultsError
from okgin_fast.measure.plot import Plot

DESCRIPTION = """\
Go over a finished game: for every decision the best action given what that player knew then, what
the one played cost, and apart from that the luck of every draw.

A record is what `okgin play` saves, deals as JSON Lines or as lines of text, or OpenSpiel's
serialised games (extra: openspiel); without a file it is read from standard input. Several deals
are taken for a match, its score is kept, and figures are chances to win it; a new match begins when
one is over. Figures of a deal by itself are points."""
RATED_AS = ", ".join(
    f"{name} up to {most:g}" if most < inf else f"{name} beyond" for name, most in RATINGS.items()
)
EXAMPLES = f"""\
examples:
  okgin analyse game.jsonl
  okgin analyse game.jsonl --names Anna Bob --html game.html
  okgin analyse game.jsonl --points --rollouts 4000 --all
  okgin analyse games.jsonl --results run.jsonl
  okgin analyse games.jsonl --resume run.jsonl

The first player's result is skill and luck: what the other's errors cost less his own, and the
cards. An error costs what the best action was worth more, by what the player knew; one smaller than
two standard errors is none. Marks: inaccuracy from {MARKS["inaccuracy"]:g} points, mistake from
{MARKS["mistake"]:g}, blunder from {MARKS["blunder"]:g}; in a match, times what a point is worth at
that score. From {RATED} decisions on, everybody plays like the level that loses as many points a
decision: {RATED_AS}.

Ctrl-C ends an analysis and reports the deals that are finished; with --results it can be resumed,
and comes to the same. docs/analysis.md says what each figure means."""
MOST_BYTES = 100_000_000
FORMAT = "okgin analysis 1"
NO_RECORD = "no record: give a file, or records on standard input"
MOST_NAMED = 10
"""Bad records that are named one by one."""


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="records, or - for standard input")
    add("--names", nargs=2, metavar=("A", "B"), help="who sits in seats 0 and 1")
    add("--score", metavar="A-B", help="the match score before the first deal, seat 0's first")
    add("--points", action="store_true", help="points of each deal by itself, no match")
    add("--all", action="store_true", help="a line for every action, not only the errors")
    add(
        "--rollouts",
        type=whole_number,
        default=1000,
        metavar="N",
        help="of each figure (default 1000); the same N and seed give the same analysis everywhere",
    )
    add("--seed", type=whole_number, default=0, metavar="N", help="default 0")
    keep = parser.add_mutually_exclusive_group()
    keep.add_argument("--results", metavar="FILE", help="keep every finished deal in this new file")
    keep.add_argument("--resume", metavar="FILE", help="go on from a file that --results wrote")
    add("--html", metavar="FILE", help="write a page with cards and a graph, in one file")
    add("--plot", metavar="FILE", help="draw the graph, as PNG, SVG or PDF (extra: plot)")
    add("--symbols", action="store_true", help="suits as symbols")


def run(args: Namespace) -> int:
    """Read the records, analyse what can be read, and report."""
    plot = None if args.plot is None else Plot(args.plot)
    if args.html is not None and not Path(args.html).parent.is_dir():
        raise UsageError(f"--html {quote(args.html)}: there is no folder for it")
    score = _score(args.score)
    records, bad = _read(args)
    deals = sum(record.deal is not None for record in records)
    if not deals:
        if bad:
            return 1
        raise InputError(
            f"no deal in {', '.join(quote(name, 80) for name in args.files)}"
            if args.files
            else NO_RECORD
        )
    if bad and not args.points and (deals > 1 or score is not None):
        complain(f"{args.prog}: without those deals the score is not known: figures are in points")
        score = None
    one, other = map(printable, args.names or _players(records))
    study = Study(
        records,
        Limit(rollouts=args.rollouts),
        args.seed,
        names=(one, other),
        score=score,
        points=args.points or bad > 0,
    )
    with _kept(args, study) as on_deal:
        try:
            with Progress(study.actions, "actions", study.done) as progress:
                study.run(lambda done, _: progress.update(done), on_deal)
        except (KeyboardInterrupt, SeriesError) as end:
            if study.finished:
                _tell(args, plot, study.found)
            if isinstance(end, SeriesError):
                raise
            raise KeyboardInterrupt(_how_to_go_on(args, study)) from None
    _tell(args, plot, study.found)
    return 1 if bad else 0


def _tell(args: Namespace, plot: Plot | None, found: Analysis) -> None:
    """Report, in the files that were asked for and in words or JSON: no failure loses the rest."""
    try:
        if args.html is not None:
            _write(args.html, page(found).encode())
        if plot is not None:
            _write(args.plot, _picture(plot, found))
    finally:
        if args.json:
            write(json.dumps(found.to_dict()) + "\n")
        else:
            text = "\n".join(_lines(found, args.all, width())) + "\n"
            write(with_symbols(text) if args.symbols else text)


# ------------------------------------------------------------------------------- to go on later


@contextmanager
def _kept(args: Namespace, study: Study) -> Iterator[Callable[[DealAnalysis], None] | None]:
    """Write down every deal that is finished, if that is asked for; first take up what there is."""
    name = args.resume or args.results
    if name is None:
        yield None
        return
    with LineFile(name, resume=args.resume is not None) as file:
        about = {
            "format": FORMAT,
            "version": okgin_fast.__version__,
            "rollouts": args.rollouts,
            "seed": args.seed,
            "unit": study.unit,
            "score": args.score,
        }
        if args.resume is None:
            file.write(about)
        else:
            _take_up(file, about, study)
        yield lambda deal: file.write(saved(deal))


def _take_up(file: LineFile, about: dict[str, Any], study: Study) -> None:
    """Read the deals that an earlier run has finished, if they are these and were judged so."""
    first, *lines = file.lines or [b""]
    try:
        there = json.loads(first)
        differs = [what for what, value in about.items() if there[what] != value]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ResultsError(
            f"{file.name} is none: it begins with {quote(first.decode(errors='replace'))}"
        ) from None
    if differs:
        raise ResultsError(
            f"{file.name} is of another analysis: "
            + "; ".join(f"{w} {quote(there[w])} there, {quote(about[w])} here" for w in differs)
        )
    for number, line in enumerate(lines, 2):
        try:
            study.finished.append(read(json.loads(line), study.deals[number - 2]))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ResultsError(
                f"{file.name}, line {number}: no deal of this analysis:"
                f" {type(error).__name__}: {quote(str(error), 80)}"
            ) from None


def _how_to_go_on(args: Namespace, study: Study) -> str:
    done = f"{len(study.finished)} of {len(study.deals)} deals are finished"
    name = args.resume or args.results
    if name is None:
        return f"{done}; with --results FILE they would be kept to go on from"
    return f"{done}, go on with --resume {shlex.quote(name)}"


# ------------------------------------------------------------------------------------------- input


def _score(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    one, _, other = text.partition("-")
    if not (one.isdecimal() and other.isdecimal()) or len(text) > 20:
        raise UsageError(f"--score {quote(text)}: must be two numbers, such as 40-65")
    return int(one), int(other)


def _read(args: Namespace) -> tuple[list[Record], int]:
    """Read all records; those that are bad are named, and counted."""
    good, bad = list[Record](), 0
    for name in args.files or ["-"]:
        for record in read_records(_text(name)):
            if record.error is None:
                good.append(record)
            else:
                bad += 1
                place = f"line {record.line}" if name == "-" else f"{name}, line {record.line}"
                if bad <= MOST_NAMED:
                    complain(f"{args.prog}: error: {place}: {record.error}")
    if bad > MOST_NAMED:
        complain(f"{args.prog}: error: {bad - MOST_NAMED:,} more cannot be read either")
    return good, bad


def _players(records: list[Record]) -> tuple[str, str]:
    """Who sits in seats 0 and 1, if that is recorded; there may be several, of several matches."""
    told = [record.players for record in records if record.players is not None]
    if not told:
        return "seat 0", "seat 1"
    one, other = (" or ".join(dict.fromkeys(names)) for names in zip(*told, strict=True))
    return one, other


def _text(name: str) -> str:
    """What is in a file, or on standard input."""
    what = "standard input" if name == "-" else quote(name, 80)
    if name == "-" and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError(NO_RECORD)
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MOST_BYTES)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {what}: {getattr(error, 'strerror', error)}") from None
    if len(data) == MOST_BYTES:
        raise InputError(f"{what}: larger than {MOST_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{what} is not text (UTF-8)") from None


# ------------------------------------------------------------------------------------------ output


def _write(name: str, data: bytes) -> None:
    try:
        write_whole(name, data)
    except OSError as error:
        raise SeriesError(f"{quote(name, 80)} cannot be written: {error.strerror}") from None


def _picture(plot: Plot, found: Analysis) -> bytes:
    figure = plot.figures.Figure(figsize=(9, 4.5), layout="constrained")
    draw(figure.add_subplot(), found)
    picture = BytesIO()
    figure.savefig(picture, format=plot.format, dpi=150)
    return picture.getvalue()


def _lines(found: Analysis, every: bool, columns: int | None) -> Iterator[str]:
    """The report: who played how, the sums, the deals, then the errors or all actions."""
    several = len(found.matches) > 1
    yield style(title(found), BOLD)
    if several:
        yield from _sums(found, columns)
        yield ""
        yield from table(MATCH_HEADER, list(match_rows(found)), "<>>>>>>><", columns)
    for game in games(found):
        if several:
            yield from ("", "", style(heading(game), BOLD))
        yield from _game(game, every, columns)
    yield ""
    yield f"{found.rollouts:,} rollouts a figure, seed {found.seed}"


def _sums(found: Analysis, columns: int | None) -> Iterator[str]:
    yield ""
    yield from table(["", *found.names], seat_rows(found), "<>>")
    yield ""
    yield from table(["", found.names[0], ""], sum_rows(found), "<><", columns)


def _game(found: Analysis, every: bool, columns: int | None) -> Iterator[str]:
    """A match, or deals by themselves."""
    yield from _sums(found, columns)
    yield ""
    align = "<" + ">" * (len(DEAL_HEADER) - 2) + "<"
    yield from table(DEAL_HEADER, list(deal_rows(found)), align, columns)
    for deal in found.deals:
        if every or deal.errors:
            yield ""
            yield style(_title(found, deal), BOLD)
        if every:
            rows = [step_row(found, step) for step in deal.steps]
            yield from table(STEP_HEADER, rows, "><<<>><>>>", columns)
        for step in deal.errors:
            yield ""
            yield from _error(found, step, columns)


def _title(found: Analysis, deal: DealAnalysis) -> str:
    score = "" if deal.score is None else ", score {}-{}".format(*deal.score)
    dealer, limit = found.names[deal.deal.dealer], deal.deal.limit
    return (
        f"Deal {deal.number}: {dealer} deals, upcard {deal.deal.upcard}, knock limit"
        f" {limit}{score}; {ending(found, deal)}"
    )


def _error(found: Analysis, step: Step, columns: int | None) -> Iterator[str]:
    """What was in hand, what was played, and what was better."""
    assert step.best is not None
    unit = " points" if found.unit == "points" else " of the match"
    yield (
        f"Turn {step.turn}, {found.names[step.seat]}: {step.mark}, costs"
        f" {cost(found.unit, step.loss)}{unit} (+-{cost(found.unit, step.loss_se)})"
    )
    pile = f"; on the pile {step.top}" if step.top is not None and len(step.hand) == 10 else ""
    for what, words in (
        ("hand", f"{arrangement(best_spread(step.hand))}{pile}"),
        ("played", f"{played(step.action)}. {step.played}"),
        ("best", f"{played(step.best)}. {step.better}"),
    ):
        yield from wrap(
            words,
            columns or 1000,
            initial_indent=f"  {what:8}",
            subsequent_indent=" " * 10,
        )
