"""The belief's bench: a tiny fit finds the weights that drew the hands, and a report adds up."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from okgin_fast.core.belief import features

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    """Import the module as ``python bench/belief.py`` does; its weights do not stay in use."""
    before = set(sys.modules)
    sys.path.insert(0, str(BENCH))
    try:
        import belief
    finally:
        sys.path.remove(str(BENCH))
    yield belief
    belief.belief._use(json.loads(belief.shipped().read_text("utf-8"))["weights"])
    for name in ("belief", "report", "measure"):
        if name not in before:
            sys.modules.pop(name, None)


def run(*arguments: str) -> str:
    command = [sys.executable, str(BENCH / "belief.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_positions_are_of_both_and_the_same_for_the_same_seed(bench: ModuleType) -> None:
    one, two = (list(bench.positions(["simple"], ["gold"], 5, 4, 3)) for _ in range(2))
    assert 4 <= len(one) <= 12  # three of each deal, if it has as many
    assert one == two
    for view, hand, player in one:
        assert player == "simple"
        assert view.to_move == view.seat
        assert not set(hand) & (set(view.hand) | set(view.pile))


def test_a_refit_finds_the_weights_that_the_hands_are_held_by(bench: ModuleType) -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 4, (4000, 9, 81)).astype(np.int16)
    true = np.zeros(81)
    true[[3, 30, 60]] = 0.5, -0.7, -0.2  # two of them in groups that must not be above 0
    likeness = rows @ true + rng.gumbel(size=rows.shape[:2])
    for row, best in zip(rows, likeness.argmax(axis=1), strict=True):
        row[[0, best]] = row[[best, 0]]
    weights, gain = bench.refitted(rows, np.zeros(81))
    assert weights == pytest.approx(true, abs=0.12)
    assert max(weights[list(bench.belief.NEVER_ABOVE_0)]) <= 0
    assert gain > 0.3


def test_the_slope_is_that_of_the_loss(bench: ModuleType) -> None:
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 4, (50, 9, 6)).astype(np.int16)
    at, step = rng.normal(0, 0.3, 6), 1e-5
    _, slope, _ = bench.likelihood(rows, at)
    for i in range(6):
        to = step * np.eye(6)[i]
        rise = bench.likelihood(rows, at + to)[0] - bench.likelihood(rows, at - to)[0]
        assert slope[i] == pytest.approx(rise / (2 * step), abs=1e-6)


def test_fit_writes_weights_with_how_they_came_about(tmp_path: Path) -> None:
    texts = []
    for name in ("a.json", "b.json"):
        run("fit", "--deals", "12", "--held-out", "6", "--out", str(tmp_path / name))
        texts.append((tmp_path / name).read_text("utf-8"))
    assert texts[0] == texts[1]
    fitted = json.loads(texts[0])
    assert set(fitted) == {"made by", "weights"}
    assert "--deals 12 --seed 4" in fitted["made by"]["command"]
    assert all(type(weight) is int for weight in fitted["weights"])


def test_report_says_how_often_cards_were_held() -> None:
    found = json.loads(run("report", "--deals", "12", "--json"))
    cards = [one["cards"] for one in found["reliability"]]
    assert sum(cards) > 100
    for one in found["reliability"]:
        assert one["from"] <= one["believed"] <= one["to"]
    assert "patient (not in the fit)" in run("report", "--deals", "40")


def test_the_features_that_the_fit_is_of_are_the_cores(bench: ModuleType) -> None:
    (position,) = bench.positions(["simple"], ["gold"], 5, 1, 1)
    rows = bench.contrast([position], np.zeros(81), 3)
    assert rows.shape == (1, 1 + bench.DRAWN, 81)
    assert rows[0, 0].tolist() == features(position.view, [position.hand])[0]
