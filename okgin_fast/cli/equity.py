"""``okgin equity``: the chance of winning the match from a score, and what it rests on."""

from __future__ import annotations

import json
import re
import shlex
from argparse import ArgumentTypeError, Namespace
from typing import Any

from okgin_fast.cli.parser import Parser, UsageError, chosen_rules, whole_number
from okgin_fast.cli.progress import Progress
from okgin_fast.cli.show import rules_title
from okgin_fast.cli.table import table
from okgin_fast.cli.terminal import BOLD, OutputError, style, width, write
from okgin_fast.equity import KINDS, SIDES, Dealer, Outcomes, match_equity, outcomes
from okgin_fast.errors import quote
from okgin_fast.rules import Rules

DESCRIPTION = """\
Say how likely it is to win the match from a score, before a deal, if both players are equally
strong; without a score, print a table of scores and what one deal comes to.

It rests on deals that the expert has played against itself, under each preset, and whose counts are
shipped; --measure plays them anew."""
EXAMPLES = """\
examples:
  okgin equity --rules eaai --score 40-65
  okgin equity --rules standard --set target=250 --score 40-65 --dealer me --json
  okgin equity --rules oklahoma
  okgin equity --measure outcomes.json --deals 1000"""
STEPS = 10  # scores along each side of the table


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    add = parser.add_argument
    add("--score", type=_score, metavar="MINE-THEIRS", help="the match score, such as 40-65")
    add("--dealer", choices=["me", "opponent"], help="who deals next (opponent)")
    add("--measure", metavar="FILE", help="play deals of every preset and write what they come to; "
        "a file that is there is gone on from")  # fmt: skip
    add("--deals", type=whole_number, metavar="N", help="with --measure: of each preset (20000)")
    add("--workers", type=whole_number, metavar="N", help="with --measure: processes (all cores)")


def run(args: Namespace) -> int:
    """Print one chance or the table, or measure."""
    if args.measure is not None:
        return _measure(args)
    if args.deals is not None or args.workers is not None:
        raise UsageError("--deals and --workers go with --measure FILE")
    rules = chosen_rules(args)
    dealer: Dealer = args.dealer or "opponent"
    about = {"rules": rules.to_dict(), "dealer": dealer}
    if args.score is not None:
        equity = match_equity(rules, args.score, dealer)
        if args.json:
            write(json.dumps(about | {"score": args.score, "equity": equity}) + "\n")
        else:
            write(f"{equity:.1%}\n")
        return 0
    scores = _scores(rules)
    rows = [[match_equity(rules, (mine, theirs), dealer) for theirs in scores] for mine in scores]
    deal = outcomes(rules)
    if args.json:
        found = {"scores": scores, "equity": rows, "deal": _deal(deal)}
        write(json.dumps(about | found) + "\n")
        return 0
    title = f"{rules_title(rules)}: chance to win the match to {rules.target}"
    who = "I deal" if dealer == "me" else "the opponent deals"
    lines = [
        style(f"{title} when {who}; rows my score, columns theirs", BOLD),
        *table(
            ["", *map(str, scores)],
            [
                [str(mine), *(f"{share:.1%}" for share in row)]
                for mine, row in zip(scores, rows, strict=True)
            ],
            ">" * (len(scores) + 1),
            width(),
        ),
        "",
        style("What one deal comes to", BOLD),
        *_deal_table(deal),
    ]
    write("\n".join(lines) + "\n")
    return 0


def _score(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*[-–:]\s*([0-9]{1,9})\s*", text)
    if not found:
        raise ArgumentTypeError(f"{quote(text)} must be two whole numbers, mine first: 40-65")
    return int(found[1]), int(found[2])


def _scores(rules: Rules) -> list[int]:
    """Ten scores from 0 up, fewer below a low target; without one, what will be refused."""
    target = rules.target or 0
    return sorted({target * step // STEPS for step in range(STEPS)})


def _deal(deal: Outcomes) -> dict[str, Any]:
    """What a deal comes to as JSON has it."""
    sides: dict[str, Any] = {
        side: {kind: deal.share(kind)[i] for kind in KINDS} | {"points": deal.means[i]}
        for i, side in enumerate(SIDES)
    }
    return sides | {"dead": deal.dead}


def _deal_table(deal: Outcomes) -> list[str]:
    shares = [(kind, deal.share(kind)) for kind in KINDS]
    rows = [
        [kind.replace("_", " "), *(f"{share:.1%}" for share in pair)]
        for kind, pair in shares
        if any(pair)
    ]
    points = ["points", *(f"{mean:.2f}" for mean in deal.means)]
    return [
        *table(["", "the dealer", "the other"], [*rows, points], "<>>"),
        f"Dead deals: {deal.dead:.1%}",
    ]


def _measure(args: Namespace) -> int:
    """Play the deals that the file lacks."""
    from okgin_fast.measure.outcomes import DEALS, Measuring  # slow to import, seldom needed

    if args.rules is not None or args.set or args.score is not None or args.dealer is not None:
        raise UsageError(
            "--measure plays all presets: it takes no --rules, --set, --score and --dealer"
        )
    measuring = Measuring(args.measure, DEALS if args.deals is None else args.deals)
    try:
        with Progress(measuring.total, "deals", measuring.done) as progress:
            measuring.run(args.workers, progress.update)
    except OSError as error:
        raise OutputError(error.errno, f"{args.measure}: {error.strerror}") from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"--measure {shlex.quote(args.measure)} goes on from here"
        ) from None
    if args.json:
        write(json.dumps({"file": args.measure, "deals": measuring.done}) + "\n")
    else:
        write(f"{args.measure}: {measuring.done:,} deals\n")
    return 0
