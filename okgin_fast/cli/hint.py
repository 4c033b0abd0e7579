"""``okgin hint``: advice for a position, for a person or one JSON object a line."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, NamedTuple

from okgin_fast.advice import Advice, Candidate, Opponent, advise
from okgin_fast.cards import RANKS
from okgin_fast.cli.answers import answer_all, is_standard_input
from okgin_fast.cli.parser import Parser, chosen_rules, number, whole_number
from okgin_fast.cli.show import arrangement, percent, rules_title
from okgin_fast.cli.table import table
from okgin_fast.cli.terminal import BOLD, style
from okgin_fast.core.spread import best_spread
from okgin_fast.deal import View
from okgin_fast.limit import Limit

DESCRIPTION = """\
Say what to do with a hand of ten cards (about to draw) or eleven (about to throw), and why.

The position is given by options, as one line of the same names (hand=... upcard=...), or, with
`-` or nothing at all, as such lines on standard input, one a line; # begins a comment."""
EXAMPLES = """\
examples:
  okgin hint --hand "AS 2S 3S 7H 7D 7C KD QD 9C 4H" --upcard 7S
  okgin hint "hand=AS2S3S7H7D7CKDQD9C4HTC upcard=7S pile=7S,2D stock=29" --time 3000
  okgin hint --rules standard --json < positions.txt

The table has a line for every legal action, the best first: the points it is worth on average and
their standard error, the points lost against the best, the chances to win the deal by a knock, by
gin or by undercutting, to lose it, and that nobody scores, the deadwood it leaves, and how many
unseen cards would help next (outs). With a score, the chance to win the match comes first, and the
loss is of that."""
POSITION = {
    "hand": ("CARDS", "your ten or eleven cards"),
    "upcard": ("CARD", "the first upcard of the deal, which fixes the knock limit"),
    "pile": ("CARDS", "the discard pile, oldest first (default: the upcard alone)"),
    "taken": ("CARD", "the card that you have just taken from the pile"),
    "known": ("CARDS", "cards that the opponent took and still holds"),
    "refused": ("CARDS", "cards of the pile that the opponent passed up"),
    "stock": ("N", "how many cards the stock has"),
    "score": ("MINE-THEIRS", "the match score, such as 40-65"),
    "dealer": ("WHO", "me or opponent"),
    "events": ("EVENTS", "the public history of the deal"),
}
NO_POSITION = "no position: give --hand and --upcard, a position line, or lines on standard input"
SHORTEST_REASON = 20
WORTH = {False: ["points", "+-", "loss"], True: ["match", "+-", "loss", "points"]}
SUIT_NAMES = ("spades", "clubs", "diamonds", "hearts")
MOST_CARDS = 6
SHOWN_MELD = 0.25


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    parser.add_argument("position", nargs="*", help="a position line, or - for standard input")
    for name, (metavar, text) in POSITION.items():
        parser.add_argument(f"--{name}", metavar=metavar, help=text)
    parser.add_argument(
        "--time",
        type=number,
        metavar="MS",
        help="milliseconds to think (default 1000, for each line of standard input 200)",
    )
    parser.add_argument(
        "--rollouts",
        type=whole_number,
        metavar="N",
        help="play the best actions out N times, those that trail clearly less often; the same N"
        " and seed give the same advice everywhere",
    )
    parser.add_argument("--seed", type=whole_number, default=0, metavar="N", help="default 0")
    parser.add_argument("--symbols", action="store_true", help="suits as symbols")


def run(args: Namespace) -> int:
    """Answer the one position, or all on standard input."""
    words = {name: text for name in POSITION if (text := getattr(args, name)) is not None}
    if args.rules is not None or args.set:
        words["rules"] = chosen_rules(args)
    question = args.position or ([""] if args.hand is not None else [])
    time_ms = args.time
    if time_ms is None and args.rollouts is None:
        time_ms = 200 if is_standard_input(question) else 1000
    limit = Limit(time_ms=time_ms, rollouts=args.rollouts)

    def solve(line: str) -> Hint:
        view = View.from_position(line, **words)
        return Hint(view, advise(view, limit, args.seed))

    return answer_all(args, question, solve, NO_POSITION)


class Hint(NamedTuple):
    """Advice and the position that it is for."""

    view: View
    advice: Advice

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return {"position": self.view.position()} | self.advice.to_dict()

    def lines(self, columns: int | None) -> list[str]:
        """Give it in words and a table, the recommendation first."""
        view, advice = self
        best = advice.best
        spread = best_spread(view.hand)
        outs = f"Outs of {best.action}: {best.outs or 'none'}"
        match = "" if best.match is None else f", {_chance(best.match)} to win the match"
        return [
            _title(view),
            f"Hand: {arrangement(spread)} (deadwood {spread.deadwood})",
            f"Table: {_table_words(view)}",
            f"Opponent: {_opponent(view, advice.opponent)}",
            f"To decide: {_question(view)}",
            "",
            style(f"Best: {best.action} ({best.equity:+z.1f} points{match}). {best.reason}", BOLD),
            "",
            *_candidates(advice, columns),
            "",
            *([outs] if best.action.kind not in ("knock", "gin", "big gin") else []),
            _effort(advice),
        ]


def _title(view: View) -> str:
    """The rules, and the knock limit with what fixes it."""
    limit = "only gin ends the deal" if view.limit == 0 else f"knock limit {view.limit}"
    upcard = f" (upcard {view.upcard})" if view.rules.knock == "upcard" else ""
    times = view.rules.multiplier(view.upcard)
    spade = f", a spade: points x {times}" if times > 1 else ""
    return f"{rules_title(view.rules)}: {limit}{upcard}{spade}"


def _table_words(view: View) -> str:
    pile = " ".join(map(str, view.pile))
    parts = [
        f"pile {pile} (the last is on top)" if pile else "no pile",
        f"{view.stock} in the stock",
    ]
    if view.refused:
        parts.append(f"the opponent passed up {view.refused}")
    parts.append("you dealt" if view.dealer == view.seat else "the opponent dealt")
    if view.score is not None:
        parts.append("score {}-{}".format(*view.score))
    return ", ".join(parts)


def _opponent(view: View, opponent: Opponent) -> str:
    """What he holds and may hold, as far as it is more than anybody might."""
    cards = [f"{card} {percent(opponent.chances[card])}" for card in opponent.likely[:MOST_CARDS]]
    sets = [(chance, f"{rank}s") for rank, chance in zip(RANKS, opponent.sets, strict=True)]
    runs = [(chance, suit) for suit, chance in zip(SUIT_NAMES, opponent.runs, strict=True)]
    melds = [
        f"{what} of {name} {percent(chance)}"
        for what, found in (("set", sets), ("run", runs))
        for chance, name in sorted(found, key=lambda pair: -pair[0])
        if chance >= SHOWN_MELD
    ]
    parts = [
        f"{says} {words}"
        for says, words in (
            ("holds", str(opponent.known)),
            ("likely", ", ".join(cards)),
            ("may have a", ", a ".join(melds)),
        )
        if words
    ]
    if not cards and not melds:
        average = (10 - len(opponent.known)) / max(1, len(view.unseen))
        parts.append(f"no card stands out, each of the unseen is his with {percent(average)}")
    return "; ".join([*parts, f"deadwood about {opponent.deadwood:.0f}"])


def _question(view: View) -> str:
    """Say what is to be decided."""
    kinds = {action.kind for action in view.legal_actions()}
    if view.phase == "throw":
        ends = [kind for kind in ("knock", "gin", "big gin") if kind in kinds]
        taken = f" ({view.taken} was just taken)" if view.taken is not None else ""
        return " or ".join(["what to throw", *ends]) + taken
    other = "pass" if view.phase == "upcard" else "draw from the stock"
    return f"take {view.pile[-1]} or {other}" if "take" in kinds else f"{other}, the only move"


def _effort(advice: Advice) -> str:
    """How often actions were played out."""
    fewer = min(candidate.rollouts for candidate in advice.candidates)
    rollouts = "1 rollout" if advice.rollouts == 1 else f"{advice.rollouts} rollouts"
    if fewer == advice.rollouts:
        return f"{rollouts} of each action"
    return f"{rollouts} of the best actions, {fewer} of those that trail clearly"


def _candidates(advice: Advice, columns: int | None) -> list[str]:
    """The table of all actions; where there is no room for reasons they are left out."""
    match = advice.best.match is not None
    header = ["action", *WORTH[match], "knock", "gin", "under", "lose", "dead", "left", "outs",
              "reason"]  # fmt: skip
    rows = [_row(candidate) for candidate in advice.candidates]
    align = "<" + ">" * (len(header) - 2) + "<"
    bare = table(header[:-1], [row[:-1] for row in rows], align[:-1])
    if columns is not None and len(bare[0]) + 2 + SHORTEST_REASON > columns:
        return bare
    return table(header, rows, align, columns)


def _row(candidate: Candidate) -> list[str]:
    action = candidate.action
    chances = (candidate.knock, candidate.gin, candidate.undercut, candidate.lose, candidate.dead)
    return [
        action.kind if action.card is None else f"{action.kind} {action.card}",
        *_worth(candidate),
        *map(percent, chances),
        str(candidate.deadwood),
        str(len(candidate.outs)),
        candidate.reason,
    ]


def _worth(candidate: Candidate) -> list[str]:
    """What it is worth: points, or with a score the chance to win the match, and then points."""
    points = f"{candidate.equity:+z.1f}"
    if candidate.match is None or candidate.match_loss is None:
        return [points, _error(candidate.se), f"{candidate.loss:z.1f}"]
    match, loss = _chance(candidate.match), f"{100 * candidate.match_loss:z.1f}"
    return [match, _error(candidate.match_se, 100), loss, points]


def _error(se: float | None, unit: int = 1) -> str:
    return "?" if se is None else f"{unit * se:.1f}"


def _chance(chance: float) -> str:
    """A chance with one decimal."""
    return f"{chance:.1%}".replace("100.0%", "100%")
