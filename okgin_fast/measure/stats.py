"""What can be said of a series, and how surely: intervals, tests, ratings. Numbers in, numbers out.

A mirrored pair is one observation: its two games share their cards, so that they are not two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, exp, inf, log, pi, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "ELO",
    "Interval",
    "Sprt",
    "adjusted",
    "elo",
    "mean_interval",
    "ratio_interval",
    "share_interval",
    "sign_test",
    "student",
]

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95

ERROR = 0.05
"""How often a sequential test decides wrongly, at most."""

FEWEST = 20
"""Pairs before a sequential test may decide."""

ELO = 400 / log(10)
"""Elo points for a factor e in the odds."""


class Interval(NamedTuple):
    """A mean with its 95 % interval.

    Attributes
    ----------
    mean, low, high : float
    """

    mean: float
    low: float
    high: float


def student(freedom: int, confidence: float = CONFIDENCE) -> float:
    """How many standard errors a two-sided interval reaches, for so many degrees of freedom.

    Parameters
    ----------
    freedom : int
        From 1 up.
    confidence : float

    Returns
    -------
    float
        Student's quantile, to better than a thousandth (G. W. Hill, Algorithm 396, CACM 1970).

    Examples
    --------
    >>> round(student(10), 3), round(student(1000), 3)
    (2.228, 1.962)
    """
    tail = 1 - confidence
    if freedom == 1:
        return cos(tail * pi / 2) / cos((1 - tail) * pi / 2)
    if freedom == 2:
        return sqrt(2 / (tail * (2 - tail)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * pi / 2) * freedom
    y = (d * tail) ** (2 / freedom)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(tail / 2)
        y = x**2
        if freedom < 5:
            c += 0.3 * (freedom - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = a * y**2
        y = exp(y) - 1 if y > 0.002 else 0.5 * y**2 + y
    else:
        y = ((1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3)
              + 0.5 / (freedom + 4)) * y - 1) * (freedom + 1) / (freedom + 2) + 1 / y  # fmt: skip
    return sqrt(freedom * y)


def mean_interval(values: Sequence[float]) -> Interval:
    """Student's interval of a mean; without bounds if there are fewer than two values."""
    x = np.asarray(values, dtype=np.float64)
    if len(x) < 2:
        return Interval(float(x.mean()) if len(x) else 0.0, -inf, inf)
    mean = float(x.mean())
    half = student(len(x) - 1) * float(x.std(ddof=1)) / sqrt(len(x))
    return Interval(mean, mean - half, mean + half)


def share_interval(shares: Sequence[float]) -> Interval:
    """The interval of a share won, each value being one pair's: 0, 1/2 or 1, or between.

    One pair won and one lost are added for the bounds (not for the mean), so that a few pairs that
    all went one way do not look certain.

    Examples
    --------
    >>> low, high = share_interval([1.0] * 10)[1:]
    >>> 0.6 < low < 0.75, high
    (True, 1.0)
    """
    if not shares:
        return Interval(0.5, 0.0, 1.0)
    x = np.asarray(shares, dtype=np.float64)
    low, high = mean_interval([*shares, 0.0, 1.0])[1:]
    mean = float(x.mean())
    return Interval(mean, max(0.0, min(low, mean)), min(1.0, max(high, mean)))


def ratio_interval(
    totals: Sequence[float], sizes: Sequence[float], luck: Sequence[float] | None = None
) -> Interval:
    """The interval of sum(totals) / sum(sizes), clusters being the independent observations.

    Parameters
    ----------
    totals, sizes : sequence of float
        For each cluster: such as the points of a pair's deals, and how many deals they were.
    luck : sequence of float, optional
        For each cluster something in the totals whose expectation is 0, and which `tells`: as much
        of it as explains them best is taken out.
    """
    t, n = np.asarray(totals, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    if not n.sum():
        return Interval(0.0, -inf, inf)
    freedom, more = len(t) - 1, 1.0
    if luck is not None:
        x = np.asarray(luck, dtype=np.float64)
        t = t - x * _slope(t - n * (t.sum() / n.sum()), x)
        freedom, more = len(t) - 2, _leverage(x)
    mean = float(t.sum() / n.sum())
    if freedom < 1:
        return Interval(mean, -inf, inf)
    residual = float(((t - mean * n) ** 2).sum())
    error = sqrt(len(t) / freedom * residual * more) / float(n.sum())
    half = student(freedom) * error
    return Interval(mean, mean - half, mean + half)


def tells(luck: Sequence[float]) -> bool:
    """Whether luck can be taken out: there are ten pairs, and it varies."""
    return len(luck) >= 10 and float(np.ptp(luck)) > 0


def adjusted(shares: Sequence[float], luck: Sequence[float]) -> Interval:
    """The interval of a share won after luck whose expectation is 0 has been taken out.

    Parameters
    ----------
    shares, luck : sequence of float
        One of each for each pair; the luck `tells`.

    Returns
    -------
    Interval
        Of the intercept of the shares' regression on the luck, with a pair won and one lost, both
        without luck, added for the bounds.
    """
    y, x = np.asarray(shares, dtype=np.float64), np.asarray(luck, dtype=np.float64)
    mean = min(1.0, max(0.0, _intercept(y, x).mean))
    low, high = _intercept(np.append(y, [0.0, 1.0]), np.append(x, [0.0, 0.0]))[1:]
    return Interval(mean, max(0.0, min(low, mean)), min(1.0, max(high, mean)))


def _slope(y: Floats, x: Floats) -> float:
    """By how much y grows with x."""
    return float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())


def _leverage(x: Floats) -> float:
    """How much less sure a level is where x is 0 than where it is average, as a variance."""
    return 1 + float(x.mean() ** 2 / x.var())


def _intercept(y: Floats, x: Floats) -> Interval:
    slope = _slope(y, x)
    residual = y - y.mean() - slope * (x - x.mean())
    mean = float(y.mean() - slope * x.mean())
    variance = float((residual**2).sum()) / (len(y) - 2) / len(y) * _leverage(x)
    half = student(len(y) - 2) * sqrt(variance)
    return Interval(mean, mean - half, mean + half)


def sign_test(won: int, lost: int) -> float:
    """The exact two-sided sign test: how probable so uneven a split is between equals.

    Examples
    --------
    >>> sign_test(9, 1), sign_test(3, 3)
    (0.021484375, 1.0)
    """
    n, few = won + lost, min(won, lost)
    if 2 * few == n:
        return 1.0
    ways = total = 1  # whole numbers: nothing is rounded before the last line
    for k in range(few):
        ways = ways * (n - k) // (k + 1)
        total += ways
    whole: int = 2 ** (n - 1)
    return total / whole


class Sprt(NamedTuple):
    """A sequential probability ratio test of the share won, with errors of 5 % on both sides.

    Attributes
    ----------
    low, high : float
        The shares that it decides between: "at most `low`" against "at least `high`".
    """

    low: float
    high: float

    def decide(self, shares: Sequence[float]) -> tuple[int, str] | None:
        """The first pair after which it is decided, and how.

        Parameters
        ----------
        shares : sequence of float
            Of each pair, in order.

        Returns
        -------
        pairs : int
        verdict : str
            ``low`` or ``high``.

        Notes
        -----
        The likelihood ratio is that of a normal mean with the pairs' own variance (the generalised
        test that chess engines are compared with), from the 20th pair on; one pair won and one lost
        are added to the variance.

        Examples
        --------
        >>> Sprt(0.5, 0.6).decide([1, 1, 0.5, 0.5, 1] * 10)
        (20, 'high')
        >>> Sprt(0.5, 0.6).decide([0.5, 0.5] * 9)
        """
        x = np.asarray(shares, dtype=np.float64)
        n = np.arange(1, len(x) + 1)
        sums, squares = x.cumsum(), (x**2).cumsum()
        variance = (squares + 1) / (n + 2) - ((sums + 1) / (n + 2)) ** 2
        middle = (self.low + self.high) / 2
        ratio = (self.high - self.low) * (sums - n * middle) / variance
        bound = log((1 - ERROR) / ERROR)
        decided = np.flatnonzero((np.abs(ratio) >= bound) & (n >= FEWEST))
        if not len(decided):
            return None
        first = int(decided[0])
        return first + 1, "high" if ratio[first] > 0 else "low"


def elo(players: int, shares: Mapping[tuple[int, int], Sequence[float]]) -> list[Interval]:
    """Elo ratings of a round robin, their mean being 0.

    Parameters
    ----------
    players : int
        How many.
    shares : mapping
        For (i, j) what i won of each pair against j.

    Returns
    -------
    list of Interval
        The likeliest ratings (Bradley and Terry's model); the intervals are clustered by pair. One
        pair that each won half of is added for any two, so that who won all has a finite rating.

    Examples
    --------
    >>> first, second = elo(2, {(0, 1): [1, 0.5, 1, 0.5] * 100})
    >>> round(first.mean - second.mean)  # three quarters of the games
    190
    """
    met = [(i, j, np.append(np.asarray(won, dtype=np.float64), 0.5)) for (i, j), won in
           shares.items()]  # fmt: skip
    rating = np.zeros(players)
    slope = np.zeros((players, players))
    for _ in range(100):
        gradient = np.zeros(players)
        slope[:] = 1 / players  # ratings may all rise together: that direction is fixed
        for i, j, won in met:
            expected = 1 / (1 + np.exp(rating[j] - rating[i]))
            gradient[[i, j]] += (won - expected).sum() * np.array([1, -1])
            weight = len(won) * expected * (1 - expected)
            slope[[i, j, i, j], [i, j, j, i]] += np.array([1, 1, -1, -1]) * weight
        step = np.linalg.solve(slope, gradient)
        rating += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-10:
            break
    inverse = np.linalg.inv(slope)
    spread = np.zeros((players, players))
    for i, j, won in met:
        expected = 1 / (1 + np.exp(rating[j] - rating[i]))
        direction = inverse[:, i] - inverse[:, j]
        # The added pair counts as one won and one lost: few pairs alike are not certain.
        spread += (((won - expected) ** 2).sum() + 0.5) * np.outer(direction, direction)
    halves = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * np.sqrt(np.diag(spread))
    rating -= rating.mean()
    return [
        Interval(float(r), float(r - h), float(r + h))
        for r, h in zip(rating * ELO, halves * ELO, strict=True)
    ]
