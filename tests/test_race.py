"""The race to a target: against its definition, score by score."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

from okgin_fast import OkginError
from okgin_fast.core.race import race

RULES = [(i_won, (1 - i_won[1], 1 - i_won[0])) for i_won in itertools.product((0, 1), repeat=2)]
"""Who deals after a deal that I won, and after one that they won, by who dealt it."""


def plain(
    scored: list[list[float]], i_won: tuple[int, int], they_won: tuple[int, int], size: int
) -> list[list[list[float]]]:
    """By who deals, what I need and what they need: after every deal that can follow."""

    @cache
    def chance(dealer: int, mine: int, theirs: int) -> float:
        if mine == 0 or theirs == 0:
            return float(mine == 0)
        return sum(
            scored[dealer][points] * chance(i_won[dealer], max(mine - points, 0), theirs)
            + scored[1 - dealer][points] * chance(they_won[dealer], mine, max(theirs - points, 0))
            for points in range(1, size + 1)
        )

    needs = range(size + 1)
    return [[[chance(d, mine, theirs) for theirs in needs] for mine in needs] for d in (0, 1)]


@pytest.mark.parametrize("most", [1, 9, 23])
@pytest.mark.parametrize(("i_won", "they_won"), RULES)
def test_every_score(i_won: tuple[int, int], they_won: tuple[int, int], most: int) -> None:
    size, scored = 23, np.zeros((2, 24))
    scored[:, 1 : most + 1] = np.random.RandomState(most).rand(2, most)
    scored /= scored.sum()
    expected = np.array(plain(scored.tolist(), i_won, they_won, size))
    found = race(scored, i_won, they_won)
    assert found.shape == (2, size + 1, size + 1)
    assert found[:, 1:] == pytest.approx(expected[:, 1:], abs=1e-12)
    assert (found[:, 0] == 1).all()


@pytest.mark.parametrize(
    ("scored", "i_won", "they_won", "says"),
    [
        (np.zeros((2, 9), np.float32), (0, 0), (1, 1), "float32"),
        (np.zeros((3, 9)), (0, 0), (1, 1), "3, 9"),
        (np.zeros((2, 1)), (0, 0), (1, 1), "2, 1"),
        (np.zeros(9), (0, 0), (1, 1), "9,"),
        (np.zeros((2, 9)), (0, 2), (1, 1), "(0, 2)"),
        (np.zeros((2, 9)), (0, 0), (1, 1, 1), "(1, 1, 1)"),
    ],
)
def test_what_is_no_race(scored: Any, i_won: Any, they_won: Any, says: str) -> None:
    with pytest.raises(OkginError) as refused:
        race(scored, i_won, they_won)
    assert says in str(refused.value)
