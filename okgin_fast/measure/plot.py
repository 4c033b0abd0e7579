"""Pictures of a series: the win share over its games, or who won what against whom."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from okgin_fast.errors import OkginError, SeriesError, quote
from okgin_fast.extras import load
from okgin_fast.measure.files import write_whole
from okgin_fast.measure.report import Report
from okgin_fast.measure.stats import share_interval

__all__ = ["Plot"]

FORMATS = ("png", "svg", "pdf")
POINTS = 400
"""Places along the axis at which the interval is drawn."""


class Plot:
    """A picture to be drawn in a file, once there is something to draw.

    Parameters
    ----------
    path : path-like
        Its ending says the format: PNG, SVG or PDF.

    Raises
    ------
    OkginError
        Another ending, or a folder that is not there. It is found out now, not after the series.
    MissingExtraError
        Without the extra ``plot``.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.format = self.path.suffix.lower().removeprefix(".")
        if self.format not in FORMATS:
            raise OkginError(f"plot {quote(str(path))}: must end in .{', .'.join(FORMATS)}")
        if not self.path.parent.is_dir():
            raise OkginError(f"plot {quote(str(path))}: there is no folder for it")
        self.figures = load("matplotlib.figure", "plot")

    def draw(self, found: Report) -> None:
        """Draw the report: for two players the share over the games, for more the matrix.

        Raises
        ------
        SeriesError
            The file cannot be written; what was there before is untouched.
        """
        figure = self.figures.Figure(figsize=(8, 5), layout="constrained")
        if len(found.players) == 2:
            _share(figure.add_subplot(), found)
        else:
            _matrix(figure.add_subplot(), found)
        picture = BytesIO()
        figure.savefig(picture, format=self.format, dpi=150)
        try:
            write_whole(self.path, picture.getvalue())
        except OSError as error:
            raise SeriesError(
                f"plot {quote(str(self.path))} cannot be written: {error.strerror}"
            ) from None


def _share(axes: Any, found: Report) -> None:
    (meeting,) = found.meetings
    shares = meeting.shares
    places = np.unique(np.linspace(min(2, len(shares)), len(shares), POINTS).astype(int))
    bands = [share_interval(shares[:place]) for place in places]
    mean, low, high = np.array(bands).reshape(-1, 3).T * 100
    axes.fill_between(2 * places, low, high, alpha=0.25, label="95 % interval")
    axes.plot(2 * places, mean, label="share won")
    axes.axhline(50, color="0.5", linewidth=0.8)
    axes.set(
        xlabel=found.unit, ylabel="won, in %", ylim=(0, 100), xlim=(0, 2 * len(shares) or 1),
        title=f"{found.players[0]} against {found.players[1]} ({found.rules['name']})",
    )  # fmt: skip
    axes.legend(loc="best")


def _matrix(axes: Any, found: Report) -> None:
    """What each player (a row) won against each (a column), the best first."""
    order = sorted(range(len(found.players)), key=lambda i: -found.ratings[i].mean)
    won = np.full((len(order), len(order)), np.nan)
    for meeting in found.meetings:
        i, j = (order.index(player) for player in meeting.players)
        won[i, j], won[j, i] = 100 * meeting.share.mean, 100 - 100 * meeting.share.mean
    image = axes.imshow(won, cmap="RdYlGn", vmin=0, vmax=100)
    for i, j in np.argwhere(~np.isnan(won)):
        colour = "black" if 20 < won[i, j] < 80 else "white"
        axes.text(j, i, f"{won[i, j]:.1f}", ha="center", va="center", color=colour)
    names = [f"{found.players[i]} ({found.ratings[i].mean:+.0f})" for i in order]
    axes.set_xticks(range(len(order)), [found.players[i] for i in order], rotation=30, ha="right")
    axes.set_yticks(range(len(order)), names)
    axes.set_title(f"Won by the row against the column, in % (Elo), {found.rules['name']}")
    axes.figure.colorbar(image, ax=axes)
