"""How an analysis is put into words: amounts, endings, the lines that text and HTML share."""

from __future__ import annotations

from collections.abc import Iterator

from okgin_fast.analysis.results import SURE, Analysis, DealAnalysis, Seat, Step, Unit
from okgin_fast.deal import Action
from okgin_fast.notation import rules_words

__all__ = [
    "DEAL_HEADER",
    "MATCH_HEADER",
    "STEP_HEADER",
    "amount",
    "cost",
    "deal_rows",
    "ending",
    "games",
    "heading",
    "match_rows",
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
    rules = dict.fromkeys(" ".join(rules_words(deal.deal.rules)) for deal in found.deals)
    return f"{one} against {other}: {', '.join(rules)}, {_came_to(found)}"


def heading(match: Analysis) -> str:
    """One of several matches, and how it came out."""
    return f"Match {match.deals[0].match}: {_came_to(match)}"


def games(found: Analysis) -> tuple[Analysis, ...]:
    """The matches, each by itself, if there are several; if not, all deals together."""
    return found.matches if len(found.matches) > 1 else (found,)


def _came_to(found: Analysis) -> str:
    deals = _count(len(found.deals), "deal")
    if not found.complete:
        deals = f"stopped after {len(found.deals)} of {found.of} deals"
    if len(found.matches) < 2:
        return f"{deals}, {_won(found)}" if found.winner is not None else deals
    won = [sum(match.winner == seat for match in found.matches) for seat in (0, 1)]
    wins = [f"{name} wins {n}" for name, n in zip(found.names, won, strict=True) if n]
    return ", ".join([_count(len(found.matches), "match"), deals, *wins])


def _won(match: Analysis) -> str:
    """Who has won a match, and at what score."""
    assert match.winner is not None
    last = match.deals[-1]
    result = last.deal.result
    if last.score is None or result is None:
        return f"{match.names[match.winner]} wins"
    scores = list(last.score)
    scores[match.winner] += result.points
    return f"{match.names[match.winner]} wins {scores[match.winner]} to {scores[1 - match.winner]}"


def _count(number: int, what: str) -> str:
    """Number and noun.

    Examples
    --------
    >>> _count(1, "deal"), _count(2, "match")
    ('1 deal', '2 matches')
    """
    plural = "es" if what.endswith("ch") else "s"
    return f"{number:,} {what}{plural if number != 1 else ''}"


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

    def interval(seat: Seat) -> str:
        if seat.points is None or seat.points_se is None:
            return "-"
        most = SURE * seat.points_se
        return f"{max(seat.points - most, 0):.2f} to {seat.points + most:.2f}"

    return [
        (name, words(found.seats[0]), words(found.seats[1]))
        for name, words in (
            ("decisions", lambda seat: str(seat.decisions)),
            ("inaccuracies", lambda seat: str(seat.marks["inaccuracy"])),
            ("mistakes", lambda seat: str(seat.marks["mistake"])),
            ("blunders", lambda seat: str(seat.marks["blunder"])),
            ("lost by errors", lambda seat: cost(found.unit, seat.lost)),
            ("points a decision", _a_decision),
            ("  95% interval", interval),
            ("plays like", lambda seat: seat.rating or "-"),
            ("luck of the draws", lambda seat: amount(found.unit, seat.draws)),
        )
    ]


def _a_decision(seat: Seat) -> str:
    return "-" if seat.points is None else f"{seat.points:.2f}"


def sum_rows(found: Analysis) -> list[tuple[str, str, str]]:
    """How the first player's result is made up: what, how much, and what that means."""
    unit, luck = found.unit, found.luck
    low, high = (amount(unit, bound) for bound in found.interval)
    one, other = found.names
    several = f", {len(found.matches)} matches in all" if len(found.matches) > 1 else ""
    what = f"what {one} has won, in {unit_words(unit)}{several}"
    return [
        ("result", amount(unit, found.result), what),
        ("skill", amount(unit, found.skill), f"with luck taken out; 95% interval {low} to {high}"),
        ("luck", amount(unit, luck.total), "all of it:"),
        ("  dealt", amount(unit, luck.dealt), "who dealt, and the cards dealt"),
        ("  draws", amount(unit, luck.draws[0]), f"cards that {one} drew"),
        ("", amount(unit, -luck.draws[1]), f"cards that {other} drew"),
        ("  hidden", amount(unit, luck.hidden), "what the actions met that nobody could see"),
    ]


def match_rows(found: Analysis) -> Iterator[list[str]]:
    """A row for each match, under `MATCH_HEADER`."""
    for match in found.matches:
        errors = [
            sum(step.seat == seat for d in match.deals for step in d.errors) for seat in (0, 1)
        ]
        yield [
            str(match.deals[0].match),
            str(len(match.deals)),
            amount(found.unit, match.result),
            amount(found.unit, match.skill),
            cost(found.unit, SURE * match.skill_se),
            amount(found.unit, match.luck.total),
            "{} : {}".format(*errors),
            " : ".join(map(_a_decision, match.seats)),
            "not over" if match.winner is None else _won(match),
        ]


MATCH_HEADER = [
    "match", "deals", "result", "skill", "+-", "luck", "errors", "a decision", "ending",
]  # fmt: skip


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
            " : ".join(map(_a_decision, found.part([deal]).seats)),
            ending(found, deal),
        ]


DEAL_HEADER = [
    "deal", "score", "result", "skill", "+-", "luck", "dealt", "draws", "hidden", "errors",
    "a decision", "ending",
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
