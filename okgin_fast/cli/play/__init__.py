"""``okgin play``: a match at the terminal against one of the players, saved at every move."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import okgin_fast
from okgin_fast.agents import LEVELS, named
from okgin_fast.cli.parser import Parser, UsageError, chosen_rules
from okgin_fast.cli.play.screen import Screen
from okgin_fast.cli.play.session import THEM, Leave, Session
from okgin_fast.cli.terminal import write
from okgin_fast.errors import OkginError, quote
from okgin_fast.fair import Record
from okgin_fast.measure.files import only_here
from okgin_fast.measure.players import player

DESCRIPTION = """\
Play a match against the program, at the terminal.

Everything is saved after every move; Ctrl-C, `quit` or a lost connection cost nothing. The shuffle
is sealed before each deal, and `okgin verify` proves it honest."""
EXAMPLES = f"""\
examples:
  okgin play
  okgin play --level strong --rules standard
  okgin play --level 2 --deals 1 --practice
  okgin play --rules oklahoma-spades --set hollywood=yes --set target=250
  okgin play --resume okgin-2026-11-30-201500.jsonl

levels: {", ".join(f"{number} {name}" for number, name in enumerate(LEVELS, 1))}; other players by
name and with options, as in `okgin arena`. `okgin rules` lists the rules."""
DEFAULT_LEVEL = "club"
LONGEST_FILE = 20_000_000


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    add = parser.add_argument
    add("--level", metavar="NAME", help=f"who plays against you ({DEFAULT_LEVEL})")
    add("--deals", choices=["1"], help="1: a single deal and no match")
    add("--practice", action="store_true", help="moves can be taken back")
    add("--save", metavar="FILE", help="the new file to keep the match in (okgin-DATE-TIME.jsonl)")
    add("--resume", metavar="FILE", help="go on with a match")


def run(args: Namespace) -> int:
    """Play until the match is over or the player leaves."""
    if args.json:
        raise UsageError("--json: play is for people; the file of the match is JSON, one line each")
    if sys.stdin is None:
        raise UsageError("standard input is closed: there is nobody to play with")
    path = Path(_new_name(args) if args.resume is None else args.resume)
    with only_here(path) as mine:
        if not mine:
            raise OkginError(f"{quote(str(path), 80)} is being played by another process")
        record = _new(args, path) if args.resume is None else _resumed(args, path)
        _play(Session(record, path, Screen()))
    return 0


def _new_name(args: Namespace) -> str:
    name: str | None = args.save
    return f"okgin-{datetime.now():%Y-%m-%d-%H%M%S}.jsonl" if name is None else name


def _play(session: Session) -> None:
    """Play, and say how to go on if that is not to the end."""
    path = session.path
    session.save()
    words = ["okgin", "play", "--resume", str(path)]
    if _is_foreign(session.opponent):
        words += ["--level", session.opponent]
    again = shlex.join(words)
    try:
        session.run()
    except Leave:
        session.save()
        write(f"The match is saved. Go on with: {again}\n")
    except KeyboardInterrupt:
        session.save()
        write("\n")
        raise KeyboardInterrupt(f"the match is saved, go on with: {again}") from None


def _new(args: Namespace, path: Path) -> Record:
    """A new match, for a file that is not there yet."""
    rules = chosen_rules(args)
    if args.deals:
        if rules.hollywood:
            raise UsageError("--deals 1 and hollywood: a single deal has no three games")
        rules = replace(rules, target=None)
    level = DEFAULT_LEVEL if args.level is None else args.level.strip()
    if level.isdecimal() and 1 <= int(level) <= len(LEVELS):
        level = list(LEVELS)[int(level) - 1]
    player(level)  # so that a wrong name is told now
    if path.exists():
        raise UsageError(
            f"--save {quote(str(path), 80)} is there already: --resume it, or name another"
        )
    return Record(rules, (None, level), okgin_fast.__version__, args.practice)


def _resumed(args: Namespace, path: Path) -> Record:
    """A match as it was saved."""
    given = {
        "--rules": args.rules, "--set": args.set, "--deals": args.deals,
        "--practice": args.practice, "--save": args.save,
    }  # fmt: skip
    if wrong := [option for option, value in given.items() if value]:
        raise UsageError(f"{wrong[0]} with --resume: the match has its own")
    record = read_record(path)
    for number, faults in enumerate(record.faults(), 1):
        if faults:
            raise OkginError(f"{quote(str(path), 80)}: deal {number}: {faults[0]}")
    words = record.players[THEM]
    if record.players[0] is not None or words is None:
        raise OkginError(f"{quote(str(path), 80)}: seat 0 must be a person's, seat 1 a program's")
    foreign = _is_foreign(words)
    if args.level != (words if foreign else None):
        raise UsageError(
            f"--level {quote(words, 80)} must be given again: that player is no part of okgin"
            if foreign
            else "--level with --resume: the match has its own"
        )
    player(words)
    version = okgin_fast.__version__
    if record.version != version and not record.match().over:  # moves to come are this version's
        record = replace(record, version=f"{record.version}, {version}")
    return record


def _is_foreign(words: str) -> bool:
    """Whether a player is code from elsewhere, which no file shall start by itself."""
    return named(words.partition(",")[0]) is None


def read_record(path: Path) -> Record:
    """Read the file of a match.

    Raises
    ------
    OkginError
        It cannot be read, or is no record.
    """
    name = quote(str(path), 80)
    try:
        if not path.is_file():
            raise OkginError("there is no such file")
        with path.open("rb") as file:
            data = file.read(LONGEST_FILE + 1)
        if len(data) > LONGEST_FILE:
            raise OkginError(f"too long for a match: over {LONGEST_FILE:,} bytes")
        return Record.from_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise OkginError(f"{name} is no record: it is not text (UTF-8)") from None
    except (OSError, ValueError) as error:
        if isinstance(error, OkginError):
            raise OkginError(f"{name}: {error}") from None
        raise OkginError(f"{name} cannot be read: {getattr(error, 'strerror', error)}") from None
