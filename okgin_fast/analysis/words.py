"""How an analysis is put into words: amounts, endings, the lines that text and HTML share."""

from __future__ import annotations

from collections.abc import Iterator

from okgin_fast.analysis.results import SURE, Analysis, DealAnalysis, Seat, Step, Unit
from okgin_fast.deal import Action
from okgin_fast.notation import rules_words

__all__ = [
    "DEAL_HEADER",
    "STEP_HEADER",
    "amount",
    "cost",
    "deal_rows",
    "ending",
    "played",
    "seat_rows",
    "step_row",
    "sum_rows",
    "title",
    "unit_words",
]

ENDINGS = {"knock": "knocks", "gin": "gins", "big_gin": "big gin", "undercut": "undercuts"}


def amount(unit: Unit, value: float, digits: int = 1) -> str:
    """What was won or lost: points, or percent of the match.

    Examples
    --------
    >>> amount("points", 2.34), amount("match", -0.021)
    ('+2.3', '-2.1%')
    """
    return f"{value:+z.{digits}f}" if unit == "points" else f"{100 * value:+z.{digits}f}%"


def cost(unit: Unit, value: float, digits: int = 1) -> str:
    """The same without its sign."""
    return amount(unit, abs(value), digits)[1:]


def unit_words(unit: Unit) -> str:
    """What amounts are in."""
    return "points" if unit == "points" else "chances to win the match"


def title(found: Analysis) -> str:
    """Who played what, and how it came out."""
    one, other = found.names
    deals = f"{len(found.deals)} deal{'s' if len(found.deals) != 1 else ''}"
    rules = dict.fromkeys(" ".join(rules_words(deal.deal.rules)) for deal in found.deals)
    last = found.deals[-1].end if found.unit == "match" and found.deals else 0.5
    won = {1.0: f", {one} wins", 0.0: f", {other} wins"}.get(last, "")
    return f"{one} against {other}: {', '.join(rules)}, {deals}{won}"


def ending(found: Analysis, deal: DealAnalysis) -> str:
    """How a deal ended."""
    result = deal.deal.result
    if result is None:
        return "unfinished"
    if result.winner is None:
        return "dead, nobody scores" if result.kind == "dead" else "tie, nobody scores"
    against = f"{result.knocker_deadwood} against {result.defender_deadwood}"
    return f"{found.names[result.winner]} {ENDINGS[result.kind]}, {against}: {result.points}"


def played(action: Action) -> str:
    """An action without its spread."""
    return action.kind if action.card is None else f"{action.kind} {action.card}"


def seat_rows(found: Analysis) -> list[tuple[str, str, str]]:
    """How both have played: a row for each figure, what it is in front."""

    def points(seat: Seat) -> str:
        return "-" if seat.points is None else f"{seat.points:.2f}"

    return [
        (name, words(found.seats[0]), words(found.seats[1]))
        for name, words in (
            ("decisions", lambda seat: str(seat.decisions)),
            ("inaccuracies", lambda seat: str(seat.marks["inaccuracy"])),
            ("mistakes", lambda seat: str(seat.marks["mistake"])),
            ("blunders", lambda seat: str(seat.marks["blunder"])),
            ("lost by errors", lambda seat: cost(found.unit, seat.lost)),
            ("points a decision", points),
            ("plays like", lambda seat: seat.rating or "-"),
            ("luck of the draws", lambda seat: amount(found.unit, seat.draws)),
        )
    ]


def sum_rows(found: Analysis) -> list[tuple[str, str, str]]:
    """How the first player's result is made up: what, how much, and what that means."""
    unit, luck = found.unit, found.luck
    low, high = (amount(unit, bound) for bound in found.interval)
    one, other = found.names
    return [
        ("result", amount(unit, found.result), f"what {one} has won, in {unit_words(unit)}"),
        ("skill", amount(unit, found.skill), f"with luck taken out; 95% interval {low} to {high}"),
        ("luck", amount(unit, luck.total), "all of it:"),
        ("  dealt", amount(unit, luck.dealt), "who dealt, and the cards dealt"),
        ("  draws", amount(unit, luck.draws[0]), f"cards that {one} drew"),
        ("", amount(unit, -luck.draws[1]), f"cards that {other} drew"),
        ("  hidden", amount(unit, luck.hidden), "what the actions met that nobody could see"),
    ]


def deal_rows(found: Analysis) -> Iterator[list[str]]:
    """A row for each deal, under `DEAL_HEADER`."""
    for deal in found.deals:
        unit, luck = found.unit, deal.luck
        errors = [sum(step.seat == seat for step in deal.errors) for seat in (0, 1)]
        yield [
            str(deal.number),
            "-" if deal.score is None else "{}-{}".format(*deal.score),
            amount(unit, deal.result),
            amount(unit, deal.skill),
            cost(unit, SURE * deal.skill_se),
            amount(unit, luck.total),
            amount(unit, luck.dealt),
            amount(unit, luck.draws[0] - luck.draws[1]),
            amount(unit, luck.hidden),
            "{} : {}".format(*errors),
            ending(found, deal),
        ]


DEAL_HEADER = [
    "deal", "score", "result", "skill", "+-", "luck", "dealt", "draws", "hidden", "errors",
    "ending",
]  # fmt: skip


def step_row(found: Analysis, step: Step) -> list[str]:
    """A row for one action, under `STEP_HEADER`."""
    unit = found.unit
    error = step.loss > 0
    return [
        str(step.turn),
        found.names[step.seat],
        played(step.action) + ("" if step.drawn is None else f" ({step.drawn})"),
        played(step.best) if error and step.best is not None else "",
        cost(unit, step.loss) if error else "",
        cost(unit, step.loss_se) if step.loss_se else "",
        step.mark if step.mark is not None and step.is_error else "",
        "" if step.luck is None else amount(unit, step.luck),
        amount(unit, step.hidden),
        amount(unit, step.value) if unit == "points" else f"{100 * step.value:.1f}%",
    ]


STEP_HEADER = ["turn", "who", "played", "best", "loss", "+-", "mark", "luck", "hidden", "value"]
