"""``okgin arena``: how strong players are, in mirrored series with intervals."""

from __future__ import annotations

import json
import math
import shlex
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any

from okgin_fast.agents import AGENTS, LEVELS
from okgin_fast.arena import Series, series
from okgin_fast.cli.parser import Parser, UsageError, chosen_rules, number, whole_number
from okgin_fast.cli.progress import Progress
from okgin_fast.cli.show import rules_title
from okgin_fast.cli.table import table
from okgin_fast.cli.terminal import BOLD, printable, style, width, write
from okgin_fast.errors import SeriesError
from okgin_fast.measure.players import PEERS
from okgin_fast.measure.plot import Plot
from okgin_fast.measure.report import WON_BY, Meeting, Report
from okgin_fast.measure.results import series_of
from okgin_fast.measure.stats import Interval, share_interval
from okgin_fast.rules import Rules

DESCRIPTION = f"""\
Play a mirrored series: every game twice, with the same cards and the seats swapped. Two players
are compared; more play a round robin, with Elo ratings.

A player is a name ({", ".join([*AGENTS, *PEERS])}),
a level from 1 to {len(LEVELS)}, package.module:class or file.py:class, each with options after
commas (expert,rollouts=64)."""
EXAMPLES = """\
examples:
  okgin arena gold simple --rules eaai --games 100
  okgin arena expert,rollouts=32 gold --unit deals --games 200 --results run.jsonl
  okgin arena --resume run.jsonl
  okgin arena random simple gold --unit deals --games 100 --plot ratings.png

Whoever raises, plays what is not legal, or takes longer than --move-ms loses the deal and is named.
Ctrl-C ends a series and reports what it has come to; with --results it can be resumed."""
NOTE_EVERY = 0.2  # seconds between two looks at the interval


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    add = parser.add_argument
    add("players", nargs="*", metavar="PLAYER", help="two or more")
    add("--games", type=whole_number, metavar="N", help="of any two players (default 1000)")
    add("--unit", metavar="WHAT", help="games: to the target (default); deals: single deals")
    add("--seed", type=whole_number, metavar="N", help="of the cards (default 1)")
    add("--player-seed", type=whole_number, metavar="N", help="of the players (default 1)")
    add("--move-ms", type=number, metavar="MS", help="the longest that a decision may take")
    add(
        "--stop",
        nargs=2,
        type=number,
        metavar=("LOW", "HIGH"),
        help="stop when a sequential test has told shares such as 0.5 and 0.55 apart",
    )
    add(
        "--luck",
        type=whole_number,
        metavar="N",
        help="take the luck of the draws out of share and points: each card that might have been"
        " drawn is played out N times (64 is good, at some 70 ms a deal; default 0: not at all)",
    )
    add("--control", action="store_true", help="without --luck: take that of the dealt hands out")
    add("--workers", type=whole_number, metavar="N", help="processes (default: all cores)")
    add("--cluster", metavar="ADDRESS", help="play on a Dask cluster (extra: cluster)")
    add("--results", metavar="FILE", help="write every deal to this new file")
    add("--resume", metavar="FILE", help="go on from a file that --results wrote")
    add("--plot", metavar="FILE", help="draw what it came to, as PNG, SVG or PDF (extra: plot)")


def run(args: Namespace) -> int:
    """Play the series, and say what it came to, also if it had to end early."""
    plot = None if args.plot is None else Plot(args.plot)
    with redirect_stdout(sys.stderr):
        playing = _series(args)
    try:
        # What players print must not get into the report.
        with redirect_stdout(sys.stderr), Progress(playing.games, "games") as progress:
            playing.run(_Running(progress))
    except (KeyboardInterrupt, SeriesError):
        if playing.ledger.deals:
            _tell(args, playing)
        raise
    found = _tell(args, playing)
    if plot is not None:
        plot.draw(found)
    return 0


class _Running:
    """The running interval beside the progress bar."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.next: float | None = None
        self.note = ""

    def __call__(self, playing: Series) -> None:
        """Update the line; the interval now and then, for it costs time."""
        ledger = playing.ledger
        if self.next is None:  # what the results file held has been read
            self.progress.resume(playing.finished)
            self.next = 0.0
        if len(ledger.meetings) == 1 and time.monotonic() >= self.next:
            pairs = ledger.pairs(ledger.meetings[0], playing.plan.pairs)
            mean, low, high = share_interval([ledger.pair_share(pair) for pair in pairs])
            self.note = f"won {mean:.1%} ({low:.1%} to {high:.1%})"
            self.next = time.monotonic() + NOTE_EVERY
        self.progress.update(playing.finished, self.note)


def _series(args: Namespace) -> Series:
    """Set up what the options ask for; what they leave open, a file to be resumed says."""
    options: dict[str, Any] = {
        name: value
        for name in ("games", "unit", "seed", "player_seed", "move_ms", "luck", "stop")
        if (value := getattr(args, name)) is not None
    }
    players = args.players
    rules: Rules | None = chosen_rules(args) if args.rules is not None or args.set else None
    if args.resume is not None:
        if args.results is not None:
            raise UsageError("--results and --resume: give one, a resumed file is written on")
        setup, plan = series_of(args.resume)
        there = {
            "unit": setup.unit,
            "seed": setup.seed,
            "player_seed": setup.player_seed,
            "move_ms": setup.move_ms,
            "luck": setup.luck,
            "games": plan.games,
            "stop": plan.stop,
        }
        options = there | options
        players = players or [player.name for player in setup.players]
        rules = rules or setup.rules
    if len(players) < 2:
        raise UsageError(f"{len(players)} players: give two or more, or --resume FILE")
    return series(
        players,
        rules or Rules(),
        workers=args.workers,
        cluster=args.cluster,
        results=args.resume if args.results is None else args.results,
        resume=args.resume is not None,
        **options,
    )


def _tell(args: Namespace, playing: Series) -> Report:
    """Print the report."""
    found = playing.report(args.control)
    if args.json:
        write(json.dumps(found.to_dict()) + "\n")
        return found
    lines = list(_lines(found, width()))
    if not found.complete:
        file = args.results or args.resume
        how = f"; go on with: okgin arena --resume {shlex.quote(file)}" if file else ""
        lines += ["", f"Not complete: {playing.finished:,} of {playing.games:,} games{how}"]
    write("\n".join(lines) + "\n")
    return found


def _lines(found: Report, columns: int | None) -> Iterator[str]:
    rules = rules_title(Rules.from_dict(found.rules))
    if len(found.players) == 2:
        (meeting,) = found.meetings
        a, b = found.players
        yield style(f"{a} against {b}: {rules}, {_size(found, meeting)}", BOLD)
    else:
        games = sum(meeting.games for meeting in found.meetings)
        yield style(
            f"{len(found.players)} players, each against each: {rules}, {games:,} games", BOLD
        )
    yield _conditions(found)
    yield ""
    if len(found.players) == 2:
        yield from _one_meeting(found.meetings[0])
    else:
        yield from _round_robin(found, columns)
    yield ""
    yield from _players(found, columns)
    yield ""
    yield _deals(found)
    if found.stopped:
        yield f"Stopped {found.stopped}; the share is biased away from what it decided between"
    for fault in found.faults:
        first = "pair {pair}, seats {seats}, deal {deal}".format(**fault.first)
        times = f"{fault.deals} deal{'s' if fault.deals > 1 else ''}"
        what = printable(fault.what)
        yield f"{found.players[fault.player]} lost {times}: {what} (first in {first})"


def _size(found: Report, meeting: Meeting) -> str:
    unit = "games" if found.unit == "games" else "single deals"
    pairs = f"{meeting.pairs:,} mirrored pair{'s' if meeting.pairs != 1 else ''}"
    return f"{meeting.games:,} {unit} ({pairs}, {meeting.deals:,} deals)"


def _conditions(found: Report) -> str:
    limit = "" if found.move_ms is None else f", at most {found.move_ms:g} ms a decision"
    facts = found.facts
    machine = ("processor", "cores", "system", "python", "compiler")
    versions = ", ".join(f"{name} {facts[name]}" for name in facts if name not in machine)
    return (
        f"Cards from seed {found.seed}, players from seed {found.player_seed}{limit};"
        f" {versions}, Python {facts['python']}, {facts['processor']}, {facts['cores']} cores"
    )


def _one_meeting(meeting: Meeting) -> list[str]:
    share, points = meeting.share, meeting.points
    less = "" if meeting.less is None else f", less {meeting.less}"
    return [
        f"Won     {share.mean:.1%}, 95 % interval {share.low:.1%} to {share.high:.1%}"
        f" ({meeting.share_method})",
        f"Points  {points.mean:+.2f} a deal, 95 % interval {_span(points, '+.2f')}{less}",
        f"Pairs   {meeting.swept} swept, {meeting.lost} lost, {meeting.split} split:"
        f" p = {meeting.p_value:.2g} (exact two-sided sign test)",
    ]


def _span(interval: Interval, form: str) -> str:
    if math.isinf(interval.low):
        return "unknown"
    return f"{interval.low:{form}} to {interval.high:{form}}"


def _round_robin(found: Report, columns: int | None) -> list[str]:
    """The ratings, the best first, and what each won against each."""
    order = sorted(range(len(found.players)), key=lambda i: -found.ratings[i].mean)
    shares = {meeting.players: meeting.share for meeting in found.meetings}
    header = ["player", "Elo", "95 % interval", *(f"v {n}" for n in range(1, len(order) + 1))]
    rows = []
    for place, i in enumerate(order, 1):
        won = [_won(shares, i, j) for j in order]
        rating = found.ratings[i]
        rows.append([f"{place} {found.players[i]}", f"{rating.mean:+.0f}",
                     _span(rating, "+.0f"), *won])  # fmt: skip
    return table(header, rows, "<" + ">" * (len(header) - 1), columns)


def _won(shares: dict[tuple[int, int], Interval], i: int, j: int) -> str:
    if i == j:
        return "-"
    share = shares[min(i, j), max(i, j)].mean
    return f"{share if i < j else 1 - share:.1%}"


def _players(found: Report, columns: int | None) -> list[str]:
    """How each player's deals were won, and how long he thought."""
    wins = [
        sum((Counter(m.endings[m.players.index(i)]) for m in found.meetings if i in m.players),
            Counter())
        for i in range(len(found.players))
    ]  # fmt: skip
    rare = ("big_gin", "forfeit")  # a column where there are any: 80 have to do for all
    kinds = [kind for kind in WON_BY if kind not in rare or any(won[kind] for won in wins)]
    header = ["player", *(kind.replace("_", " ") for kind in kinds), "decisions",
              "ms median", "95 %", "mean"]  # fmt: skip
    rows = []
    for name, won, times in zip(found.players, wins, found.times, strict=True):
        rows.append([name, *(f"{won[kind]:,}" for kind in kinds), f"{times.decisions:,}",
                     *(f"{ms:.3f}" for ms in (times.median, times.p95, times.mean))])  # fmt: skip
    return table(header, rows, "<" + ">" * (len(header) - 1), columns)


def _deals(found: Report) -> str:
    deals = sum(meeting.deals for meeting in found.meetings)
    dead, tied = (sum(m.without_winner[kind] for m in found.meetings) for kind in ("dead", "tie"))
    turns = sum(m.turns * m.deals for m in found.meetings) / deals if deals else 0.0
    undecided = sum(meeting.undecided for meeting in found.meetings)
    return (
        f"{deals:,} deals of {turns:.1f} turns, {dead:,} dead, {tied:,} tied;"
        f" {undecided:,} games without a winner"
    )
