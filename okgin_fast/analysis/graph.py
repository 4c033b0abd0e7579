"""The equity graph: what every position was worth to the first player, and where errors were made.

The curves are for whoever draws them: matplotlib axes here, SVG in html.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from okgin_fast.analysis.results import Analysis, Mark, Step
from okgin_fast.analysis.words import unit_words

__all__ = ["COLOURS", "Curve", "curves", "draw"]

COLOURS: dict[Mark, str] = {
    "inaccuracy": "#c9a227", "mistake": "#e07b28", "blunder": "#c62f2f", "good": "#2f7d4f",
}  # fmt: skip


class Curve(NamedTuple):
    """One deal in the graph: from its start, over the cards dealt, to its end.

    Attributes
    ----------
    number : int
        The deal's.
    first : int
        Where on the axis it begins.
    values : list of float
        Points, or percent of the match.
    steps : list of Step
        The step that led to the last, the one before, ... of the values.
    """

    number: int
    first: int
    values: list[float]
    steps: tuple[Step, ...]

    @property
    def errors(self) -> list[tuple[int, float, Step]]:
        """Errors: the place on the axis, the value after it, and the step."""
        after = range(self.first + 2, self.first + len(self.values))
        found = zip(after, self.values[2:], self.steps, strict=True)
        return [(x, value, step) for x, value, step in found if step.is_error]


def curves(found: Analysis) -> list[Curve]:
    """The graph, deal by deal."""
    unit = 1.0 if found.unit == "points" else 100.0
    first, out = 0, list[Curve]()
    for deal in found.deals:
        values = [deal.start, deal.dealt, *(step.value for step in deal.steps)]
        out.append(Curve(deal.number, first, [unit * value for value in values], deal.steps))
        first += len(values)
    return out


def draw(axes: Any, found: Analysis) -> None:
    """Draw the graph with matplotlib.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    found : Analysis
    """
    last, middle = 0, 0.0 if found.unit == "points" else 50.0
    marks = {step.mark for deal in found.deals for step in deal.errors}
    for mark in ("inaccuracy", "mistake", "blunder"):
        if mark in marks:
            axes.plot([], [], marker="^", color=COLOURS[mark], linestyle="none", label=mark)
    for curve in curves(found):
        axes.plot(
            range(curve.first, curve.first + len(curve.values)), curve.values, color="#34557a"
        )
        axes.axvline(curve.first, color="0.85", linewidth=0.8, zorder=0)
        for x, value, step in curve.errors:
            colour, marker = COLOURS[step.mark or "good"], "^" if step.seat == 0 else "v"
            axes.plot([x], [value], marker=marker, color=colour, linestyle="none")
        last = curve.first + len(curve.values)
    axes.axhline(middle, color="0.5", linewidth=0.8)
    one, other = (name.replace("$", r"\$") for name in found.names)
    in_percent = ", in %" if found.unit == "match" else ""
    axes.set(
        xlabel="actions, deal after deal",
        ylabel=f"{one}: {unit_words(found.unit)}{in_percent}",
        title=f"{one} (errors: triangles up) against {other} (down)",
        xlim=(0, max(last - 1, 1)),
    )
    if marks:
        axes.legend(loc="best")
    if found.unit == "match":
        axes.set_ylim(0, 100)
