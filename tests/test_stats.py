"""The arena's statistics, against tables, exact counts and simulations with a known truth."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from okgin_fast.measure.stats import (
    Sprt,
    adjusted,
    elo,
    mean_interval,
    ratio_interval,
    share_interval,
    sign_test,
    student,
    tells,
)


# Quantiles as printed in every statistics book.
@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042),
     (100, 1.984), (1000, 1.962)],
)  # fmt: skip
def test_students_quantile_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=6e-4)


def test_students_quantile_at_99_percent() -> None:
    assert student(10, 0.99) == pytest.approx(3.169, abs=1e-3)


@pytest.mark.parametrize(("won", "lost"), [(0, 0), (5, 5), (3, 4), (9, 1), (0, 12), (7, 2)])
def test_sign_test_counts_all_splits_at_least_as_uneven(won: int, lost: int) -> None:
    n = won + lost
    uneven = [
        split
        for split in itertools.product((0, 1), repeat=n)
        if abs(2 * sum(split) - n) >= abs(won - lost)
    ]
    assert sign_test(won, lost) == len(uneven) / 2**n


def test_sign_test_of_thousands_neither_over_nor_underflows() -> None:
    assert 0 <= sign_test(3000, 0) < 1e-300
    assert 0.04 < sign_test(5100, 4900) < 0.05  # two standard errors


def test_mean_interval_by_hand() -> None:
    # 1 2 3 4 5: mean 3, standard error sqrt(2.5 / 5), Student's 2.776 with four degrees of freedom.
    mean, low, high = mean_interval([1, 2, 3, 4, 5])
    assert mean == 3
    assert (high - low) / 2 == pytest.approx(2.7764 * math.sqrt(0.5), abs=1e-3)


def test_one_value_bounds_nothing() -> None:
    assert mean_interval([2.0]) == (2.0, -math.inf, math.inf)
    assert ratio_interval([3.0], [2.0]) == (1.5, -math.inf, math.inf)


def test_no_pairs_say_nothing() -> None:
    assert share_interval([]) == (0.5, 0.0, 1.0)


@pytest.mark.parametrize("shares", [[1.0], [1.0] * 5, [0.0] * 20])
def test_pairs_that_all_went_one_way_are_not_certain(shares: list[float]) -> None:
    mean, low, high = share_interval(shares)
    assert low <= mean <= high
    assert high - low >= 1 / len(shares)


# Chances of 0, 1/2 and 1 a pair.
PAIRS = [(0.25, 0.5, 0.25), (0.05, 0.25, 0.7), (0.4, 0.2, 0.4)]


@pytest.mark.parametrize("chances", PAIRS)
@pytest.mark.parametrize("pairs", [12, 100])
def test_share_interval_covers_the_truth_95_times_in_100(
    chances: tuple[float, ...], pairs: int
) -> None:
    rng = np.random.default_rng(pairs)
    truth = chances[1] / 2 + chances[2]
    tries = 1500
    covered = 0
    for _ in range(tries):
        _, low, high = share_interval(rng.choice([0, 0.5, 1], size=pairs, p=chances).tolist())
        covered += low <= truth <= high
    assert covered / tries > 0.95 - 3 * math.sqrt(0.05 * 0.95 / tries)


def test_ratio_interval_covers_the_truth_when_clusters_differ_in_size() -> None:
    rng = np.random.default_rng(5)
    tries, covered = 1000, 0
    for _ in range(tries):
        sizes = rng.integers(5, 25, size=80)
        totals = 3 * sizes + rng.normal(0, 10, size=80) * np.sqrt(sizes)
        _, low, high = ratio_interval(totals.tolist(), sizes.tolist())
        covered += low <= 3 <= high
    assert covered / tries > 0.95 - 3 * math.sqrt(0.05 * 0.95 / tries)


@pytest.mark.parametrize("pairs", [10, 60])
def test_ratio_interval_takes_luck_out(pairs: int) -> None:
    rng = np.random.default_rng(7)
    tries, covered, narrower = 1000, 0, 0
    for _ in range(tries):
        chance, noise = rng.normal(0, 30, size=pairs), rng.normal(0, 10, size=pairs)
        many = rng.integers(1, 4, size=pairs)
        totals = (3 * many + 0.7 * chance + noise).tolist()
        _, low, high = ratio_interval(totals, many.tolist(), chance.tolist())
        plain = ratio_interval(totals, many.tolist())
        covered += low <= 3 <= high
        narrower += high - low < plain.high - plain.low
    assert covered / tries > 0.95 - 3 * math.sqrt(0.05 * 0.95 / tries)
    assert narrower > 0.95 * tries


def test_luck_taken_out_narrows_the_interval_and_keeps_the_truth() -> None:
    rng = np.random.default_rng(6)
    tries, covered, narrower = 500, 0, 0
    for _ in range(tries):
        luck = rng.normal(0, 30, size=60)
        values = 0.5 + 0.01 * luck + rng.normal(0, 0.2, size=60)
        found, plain = adjusted(values.tolist(), luck.tolist()), mean_interval(values.tolist())
        covered += found.low <= 0.5 <= found.high
        narrower += found.high - found.low < plain.high - plain.low
    assert narrower > 0.95 * tries
    assert covered / tries > 0.95 - 3 * math.sqrt(0.05 * 0.95 / tries)


def test_luck_taken_out_of_few_pairs_is_honest_still() -> None:
    rng = np.random.default_rng(9)
    tries, covered = 400, 0
    for _ in range(tries):
        luck = rng.normal(0, 30, size=10)
        found = adjusted(
            rng.choice([0, 0.5, 1], size=10, p=[0, 0.06, 0.94]).tolist(), luck.tolist()
        )
        assert 0 <= found.low <= found.mean <= found.high <= 1
        assert found.high > found.low
        covered += found.low <= 0.97 <= found.high
    assert covered / tries > 0.95 - 3 * math.sqrt(0.05 * 0.95 / tries)


def test_luck_that_does_not_vary_cannot_be_taken_out() -> None:
    assert not tells([0.0] * 20)
    assert not tells([1.0, -1.0] * 4)
    assert tells([1.0, -1.0] * 5)


@pytest.mark.parametrize(("truth", "right"), [(0.5, "low"), (0.56, "high")])
def test_the_sequential_test_errs_at_most_once_in_twenty(truth: float, right: str) -> None:
    rng = np.random.default_rng(7)
    chances = (0.75 - truth, 0.5, truth - 0.25)
    tries = 400
    decisions = [
        Sprt(0.5, 0.56).decide(rng.choice([0, 0.5, 1], size=4000, p=chances).tolist())
        for _ in range(tries)
    ]
    wrong = sum(decision is None or decision[1] != right for decision in decisions)
    assert wrong / tries < 0.05 + 3 * math.sqrt(0.05 * 0.95 / tries)


def test_the_sequential_test_looks_at_pairs_in_order_and_sticks_to_its_decision() -> None:
    shares = [1.0, 0.5] * 60
    decision = Sprt(0.5, 0.6).decide(shares)
    assert decision is not None
    pairs, verdict = decision
    assert verdict == "high"
    assert Sprt(0.5, 0.6).decide(shares[: pairs - 1]) is None
    assert Sprt(0.5, 0.6).decide(shares[:pairs] + [0.0] * 500) == decision


def test_elo_of_two_is_the_logistic_of_their_share() -> None:
    # 10 points to 1 are 400 Elo by definition; the drawn pair that is added is little in 22,000.
    better, worse = elo(2, {(0, 1): [1.0] * 20_000 + [0.0] * 2_000})
    assert better.mean - worse.mean == pytest.approx(400, abs=1)
    assert better.mean == pytest.approx(-worse.mean)


def test_elo_of_three_is_consistent_and_covers_the_truth() -> None:
    rng = np.random.default_rng(8)
    truth = np.array([120.0, 0.0, -120.0])
    tries, covered = 200, 0
    for _ in range(tries):
        shares = {}
        for i, j in itertools.combinations(range(3), 2):
            chance = 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400))
            shares[i, j] = (rng.random((200, 2)) < chance).mean(axis=1).tolist()
        ratings = elo(3, shares)
        assert sum(rating.mean for rating in ratings) == pytest.approx(0, abs=1e-6)
        covered += ratings[0].low <= truth[0] <= ratings[0].high
    assert covered / tries > 0.95 - 3 * math.sqrt(0.05 * 0.95 / tries)


@pytest.mark.parametrize("shares", [[], [0.5], [0.5] * 3])
def test_few_pairs_alike_do_not_make_a_rating_certain(shares: list[float]) -> None:
    better, worse = elo(2, {(0, 1): shares})
    assert better.mean == pytest.approx(worse.mean)
    assert better.high - better.low > 100


def test_who_won_everything_has_a_finite_rating() -> None:
    better, worse = elo(2, {(0, 1): [1.0] * 50})
    assert math.isfinite(better.mean)
    assert better.low > worse.high
