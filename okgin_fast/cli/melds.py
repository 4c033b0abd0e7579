"""``okgin melds``: deadwood, arrangements, throws and lay-offs of a hand."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, NamedTuple

from okgin_fast.cards import Hand, to_card
from okgin_fast.cli.answers import answer_all
from okgin_fast.cli.parser import Parser, UsageError, chosen_rules, whole_number
from okgin_fast.cli.show import arrangement, names
from okgin_fast.cli.table import table
from okgin_fast.core.meld import Discard, discards
from okgin_fast.core.spread import LayOff, Spread, best_spread, layoff, spreads

DESCRIPTION = """\
Show how a hand melds. Hands of any size; with eleven cards also what every throw leaves.

The hand is given as arguments or, with `-` or nothing at all, on standard input, one a line; #
begins a comment."""
EXAMPLES = """\
examples:
  okgin melds AS 2S 3S 7H 7D 7C KD QD 9C 4H
  okgin melds "AS 2S 3S 7H 7D 7C KD QD 9C 4H 2D" --upcard 7S
  okgin melds "KC 7S 8S 2H" --against "7C7D7H 4S5S6S"
  okgin melds --limit 10 --json < hands.txt"""
ELEVEN, MOST_ARRANGED = 11, 13
NO_HAND = "no hand: give its cards, or lines on standard input"


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    parser.add_argument("hand", nargs="*", help="the cards, or - for standard input")
    parser.add_argument(
        "--limit",
        type=whole_number,
        choices=range(11),
        metavar="N",
        help="the knock limit, 0 to 10",
    )
    parser.add_argument(
        "--upcard", metavar="CARD", help="the upcard, which fixes the limit under --rules"
    )
    parser.add_argument(
        "--taken", metavar="CARD", help="the card just taken, which may not be thrown"
    )
    parser.add_argument(
        "--against",
        default="",
        metavar="MELDS",
        help="lay off on these melds; each word is one of them",
    )
    parser.add_argument("--symbols", action="store_true", help="suits as symbols")


class Found(NamedTuple):
    """What there is to say about a hand.

    Attributes
    ----------
    hand : Hand
    limit : int or None
        The knock limit, if it is known.
    spreads : list of Spread
        All minimal arrangements; one of them for more than `MOST_ARRANGED` cards.
    throws : list of Discard
        For eleven cards only.
    against : tuple of Hand
        Another player's melds.
    layoff : LayOff or None
        The answer to them.
    """

    hand: Hand
    limit: int | None
    spreads: list[Spread]
    throws: list[Discard]
    against: tuple[Hand, ...]
    layoff: LayOff | None

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it; a knock is null where the limit is not known."""
        answer: dict[str, Any] = {
            "hand": names(self.hand),
            "points": self.hand.points,
            "deadwood": self.spreads[0].deadwood,
            "arrangements": [
                {"melds": list(map(names, spread.melds)), "unmelded": names(spread.unmelded)}
                for spread in self.spreads
            ],
        }
        if self.throws:
            answer["limit"] = self.limit
            answer["throws"] = [
                {
                    "card": str(throw.card),
                    "deadwood": throw.deadwood,
                    "knock": None if self.limit is None else throw.knock,
                    "gin": throw.gin,
                }
                for throw in self.throws
            ]
        if self.layoff is not None:
            answer["against"] = list(map(names, self.against))
            answer["layoff"] = {
                "deadwood": self.layoff.deadwood,
                "melds": list(map(names, self.layoff.melds)),
                "laid_off": [[str(card), meld] for card, meld in self.layoff.laid_off],
                "left": names(self.layoff.left),
            }
        return answer

    def lines(self, columns: int | None) -> list[str]:
        """Give it in words and tables."""
        few = len(self.hand) <= MOST_ARRANGED
        size = "1 card" if len(self.hand) == 1 else f"{len(self.hand)} cards"
        return [
            f"Hand: {self.hand or 'empty'} ({size}, {self.hand.points} points)",
            f"Deadwood: {self.spreads[0].deadwood}",
            f"Arrangements ({len(self.spreads)}):" if few else "One of the best arrangements:",
            *(f"  {arrangement(spread) or 'nothing'}" for spread in self.spreads),
            *(_throws(self, columns) if self.throws else []),
            *(_lay_offs(self.layoff, self.against) if self.layoff is not None else []),
        ]


def run(args: Namespace) -> int:
    """Answer the one hand, or all on standard input."""
    rules = chosen_rules(args)
    upcard = None if args.upcard is None else to_card(args.upcard)
    taken = None if args.taken is None else to_card(args.taken)
    limit = args.limit
    if limit is None and (upcard is not None or rules.knock != "upcard"):
        limit = rules.knock_limit(upcard)
    elif limit is not None and (upcard is not None or rules.knock != "upcard"):
        raise UsageError("--limit, and --upcard or --rules: give one or the other")
    against = tuple(map(Hand, args.against.split()))

    def solve(line: str) -> Found:
        hand = Hand(line)
        if taken is not None and (len(hand) != ELEVEN or taken not in hand):
            raise UsageError(f"--taken {taken}: must be one of eleven cards, not of '{hand}'")
        banned = None if rules.may_discard_taken else taken
        return Found(
            hand=hand,
            limit=limit,
            spreads=spreads(hand) if len(hand) <= MOST_ARRANGED else [best_spread(hand)],
            throws=discards(hand, limit or 0, banned) if len(hand) == ELEVEN else [],
            against=against,
            layoff=layoff(hand, against) if against else None,
        )

    return answer_all(args, args.hand, solve, NO_HAND)


def _throws(found: Found, columns: int | None) -> list[str]:
    """The table of throws; it says what each allows, as far as the limit is known."""
    title = "Throws:" if found.limit is None else f"Throws (knock limit {found.limit}):"
    rows = [
        [
            f"  {throw.card}",
            str(throw.deadwood),
            "gin" if throw.gin else "knock" if found.limit is not None and throw.knock else "",
            arrangement(best_spread(found.hand - throw.card)),
        ]
        for throw in found.throws
    ]
    big_gin = found.spreads[0].deadwood == 0
    return [
        title,
        *table(["  throw", "leaves", "ends", "kept"], rows, "<><<", columns),
        *(["All eleven cards meld: big gin, where the rules have it."] if big_gin else []),
    ]


def _lay_offs(answer: LayOff, against: tuple[Hand, ...]) -> list[str]:
    """What is laid off, meld by meld, and what is left."""
    laid: dict[int, list[str]] = {}
    for card, meld in answer.laid_off:
        laid.setdefault(meld, []).append(str(card))
    return [
        "Lay-offs:" if laid else "Lay-offs: none",
        *(f"  {' '.join(cards)} on {against[meld]}" for meld, cards in laid.items()),
        f"Left with {answer.deadwood}: "
        + (arrangement(Spread(answer.melds, answer.left, answer.deadwood)) or "nothing"),
    ]
