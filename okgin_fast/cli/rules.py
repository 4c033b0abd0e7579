"""``okgin rules``: the presets as a table, or one of them in plain sentences."""

from __future__ import annotations

import json
from argparse import Namespace

from okgin_fast.cli.parser import Parser, UsageError, chosen_rules
from okgin_fast.cli.show import rules_title
from okgin_fast.cli.table import table
from okgin_fast.cli.terminal import BOLD, style, width, write
from okgin_fast.rules import PRESETS, Rules

DESCRIPTION = "List the presets; with the name of one, explain it in plain sentences."
EXAMPLES = """\
examples:
  okgin rules
  okgin rules standard --set target=250
  okgin rules oklahoma-pagat --json"""


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    parser.add_argument("name", nargs="?", help="a preset, as with --rules")


def run(args: Namespace) -> int:
    """List the presets, or explain the rules that are asked for."""
    if args.name is not None and args.rules is not None:
        raise UsageError(f"two names {args.name!r} and {args.rules!r}: give one")
    args.rules = args.name if args.rules is None else args.rules
    one = args.rules is not None or args.set
    chosen = [chosen_rules(args)] if one else list(PRESETS.values())
    if args.json:
        write("".join(json.dumps(rules.to_dict()) + "\n" for rules in chosen))
    elif one:
        lines = [style(rules_title(chosen[0]), BOLD), *chosen[0].describe()]
        write("\n".join(lines) + "\n")
    else:
        write("\n".join(_listing(width())) + "\n")
    return 0


def _listing(columns: int | None) -> list[str]:
    """The presets as rules.md lists them, and the fields that may be changed."""
    header = ["name", "knock / ace", "gin", "undercut", "tie", "spade x", "wall", "next dealer",
              "target", "notes"]  # fmt: skip
    rows = [_row(name, rules) for name, rules in PRESETS.items()]
    fields = ", ".join(field for field in Rules().to_dict() if field != "name")
    return [
        *table(header, rows, "<<>><><<><", columns),
        "",
        f"The default is {Rules().name}. Fields for --set FIELD=VALUE: {fields}.",
    ]


def _row(name: str, rules: Rules) -> list[str]:
    return [
        name,
        f"{rules.knock} / {rules.ace}" if rules.ace else str(rules.knock),
        str(rules.gin_bonus),
        str(rules.undercut_bonus),
        "undercut" if rules.undercut_on_tie else "nobody",
        str(rules.spade_multiplier),
        "reshuffle" if rules.wall == "reshuffle" else f"dead at {rules.wall_size}",
        rules.next_dealer,
        "one deal" if rules.target is None else str(rules.target),
        _notes(rules),
    ]


def _notes(rules: Rules) -> str:
    """What the other columns do not say."""
    shutout = f"+{rules.shutout}" if isinstance(rules.shutout, int) else rules.shutout
    notes = [
        f"big gin {rules.big_gin_bonus}" if rules.big_gin else "",
        f"box {rules.box_bonus}" if rules.box_bonus else "",
        f"game {rules.game_bonus}" if rules.game_bonus else "",
        f"shutout {shutout.replace('_', ' ')}" if shutout != "none" else "",
        "a taken card may be thrown back" if rules.may_discard_taken else "",
        f"player {1 - rules.first_dealer} starts" if rules.first_dealer is not None else "",
    ]
    return ", ".join(filter(None, notes))
