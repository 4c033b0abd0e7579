"""The fixed work of `okgin bench`: its signature changes when behaviour does, and only then.

If a change is meant to change what the package decides or counts, `okgin bench --quick` prints the
new signatures: put them here in the same commit, and say in its message what behaves differently.
If not, the part whose signature has changed is where to look.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from okgin_fast.cards import Card
from okgin_fast.core import batch
from okgin_fast.deal import settle
from okgin_fast.measure import workload
from okgin_fast.measure.machine import NOT_INSTALLED, facts
from okgin_fast.measure.rates import digits, metric, quartiles, rate
from okgin_fast.measure.workload import PARTS, signature, signature_of
from okgin_fast.rules import PRESETS, Rules

SIGNATURES = {
    "solver": "37b20a5eb978d4e3",
    "deals": "bf7b17d1ddf89c6e",
    "search": "94f727e34902dda2",
}
SIGNATURE = "967e56b2bc3248d8"
PART = {part.name: part for part in PARTS}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_behaviour_is_what_it_was(part):
    assert signature_of(part) == SIGNATURES[part.name]


def test_one_signature_is_made_of_all_parts_in_their_order():
    assert signature(SIGNATURES.values()) == SIGNATURE
    assert signature(reversed(SIGNATURES.values())) != SIGNATURE
    assert len(SIGNATURE) == 16


@pytest.mark.parametrize("threads", [3])
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_number_of_threads_changes_nothing(part, threads):
    assert signature_of(part, threads) == SIGNATURES[part.name]


def test_the_work_is_the_same_in_every_round():
    for part in PARTS:
        first, second = part.bulk(1), part.bulk(2)
        assert first[0] == second[0] > 0
        for one, other in zip(first[1], second[1], strict=True):
            assert np.array_equal(one, other)


# --------------------------------------------------------------------- one answer is different


def off_by_one(name):
    """Return the core's `batch`, in which the last answer of one function is off by one."""
    right = getattr(batch, name)

    def wrong(*args):
        answers = right(*args)
        array = answers[-1] if isinstance(answers, tuple) else answers
        array.flat[len(array) // 2] += 1
        return answers

    return SimpleNamespace(**{**vars(batch), name: wrong})


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("solver", "deadwood"),
        ("solver", "best_discard"),
        ("solver", "spread_deadwood_all_throws"),
        ("solver", "layoff"),
        ("deals", "playouts"),
    ],
)
def test_one_wrong_answer_among_thousands_shows(monkeypatch, part, name):
    monkeypatch.setattr(workload, "batch", off_by_one(name))
    assert signature_of(PART[part]) != SIGNATURES[part]


class Once:
    """A function that answers differently the nth time."""

    def __init__(self, right, n, change):
        self.right, self.left, self.change = right, n, change

    def __call__(self, *args):
        answer = self.right(*args)
        self.left -= 1
        return answer if self.left else self.change(answer)


@pytest.mark.parametrize(
    ("part", "name", "change"),
    [
        ("solver", "spreads", lambda found: found[1:]),
        ("solver", "discards", lambda found: [found[1], found[0], *found[2:]]),
        ("deals", "perft", lambda count: count + 1),
        ("deals", "_action_number", lambda number: number + 1),
        ("deals", "_result_numbers", lambda numbers: [-number for number in numbers]),
        ("deals", "_match_numbers", lambda numbers: [*numbers[:-1], numbers[-1] + 1]),
        ("search", "_tallies", lambda tallies: [tallies[0] + 1, *tallies[1:]]),
        ("search", "_action_number", lambda number: number + 1),
    ],
)
def test_one_different_answer_to_python_shows(monkeypatch, part, name, change):
    monkeypatch.setattr(workload, name, Once(getattr(workload, name), 3, change))
    assert signature_of(PART[part]) != SIGNATURES[part]


def test_a_point_more_for_gin_under_one_preset_shows(monkeypatch):
    changed = PRESETS | {"eaai": Rules.preset("eaai", gin_bonus=26)}
    monkeypatch.setattr(workload, "PRESETS", changed)
    assert signature_of(PART["deals"]) != SIGNATURES["deals"]
    assert signature_of(PART["solver"]) == SIGNATURES["solver"]


@pytest.mark.parametrize("player", workload.PLAYERS)
def test_one_different_decision_of_any_player_shows(monkeypatch, player):
    right = workload.agent

    def agent(name, *args, **options):
        chosen = right(name, *args, **options)
        if name == player:
            chosen = SimpleNamespace(act=Once(chosen.act, 2, lambda _: workload.Action("draw")))
        return chosen

    monkeypatch.setattr(workload, "agent", agent)
    assert signature_of(PART["search"]) != SIGNATURES["search"]


# --------------------------------------------------------------------- the work itself


def test_hands_are_uniform_and_dense():
    tens, elevens = workload._hands()
    assert {int(mask).bit_count() for mask in tens} == {10}
    assert {int(mask).bit_count() for mask in elevens} == {11}
    assert not (tens & ~elevens).any()
    half = workload.HANDS // 2
    uniform, dense = batch.deadwood(tens[:half]), batch.deadwood(tens[half:])
    assert uniform.mean() == pytest.approx(56.5694, abs=0.5)  # research.md
    assert dense.mean() < 40


def test_showdowns_end_in_every_way_under_some_preset():
    kinds = {
        settle(knocker, defender, rules, upcard).kind
        for rules in ("modern", "open-spiel")
        for knocker, defender, upcard in workload._showdowns()
        if knocker.bit_count() == 10 or rules == "modern"
    }
    assert kinds == {"knock", "gin", "big_gin", "undercut", "tie"}
    upcards = [Card(upcard) for _, _, upcard in workload._showdowns()]
    assert {card.suit for card in upcards} == {0, 1, 2, 3}


def test_defenders_hold_none_of_the_melds_that_they_face():
    defenders, faced = workload._lay_offs()
    assert not (defenders[:, None] & faced).any()
    assert (batch.layoff(defenders, faced) < batch.deadwood(defenders)).mean() > 0.1


def test_actions_have_numbers_of_their_own():
    cards = [Card(i) for i in range(52)]
    actions = [
        workload.Action(kind, card) for kind in ("take", "discard", "knock") for card in cards
    ]
    actions += [workload.Action(kind) for kind in ("pass", "draw", "big gin")]
    assert len({workload._action_number(action) for action in actions}) == len(actions)


def test_positions_are_as_varied_as_is_said():
    views = workload._views()
    kinds = {action.kind for view in views for action in view.legal_actions()}
    assert kinds == {"take", "pass", "draw", "discard", "knock", "gin", "big gin"}
    assert {view.phase for view in views} == {"upcard", "draw", "throw"}
    assert min(view.stock for view in views) <= 3
    assert len({view.rules for view in views}) == len(PRESETS)


# --------------------------------------------------------------------- rates and facts


def test_a_rate_counts_items_and_fills_its_time():
    calls = []
    assert rate(lambda: calls.append(0), 10, 0.01) > 1000
    assert len(calls) > 1
    calls.clear()
    rate(lambda: calls.append(0), 10, 0)
    assert len(calls) == 1


def test_quartiles():
    assert quartiles([4, 1, 3, 2, 5]) == (2, 3, 4)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.01234, "0.0123"), (12.345, "12.3"), (999, "999"), (1_000, "1 k"), (2_500_000, "2.5 M"),
     (123_456_789, "123 M"), (7_654_321_000, "7.65 G")],
)  # fmt: skip
def test_numbers_in_three_digits(number, text):
    assert metric(number) == text


def test_large_numbers_in_full():
    assert digits(12_345.6) == "12,346"


def test_facts_name_versions_and_what_is_missing():
    found = facts(["numpy", "no-such-package"])
    assert found["numpy"] == np.__version__
    assert found["no-such-package"] == NOT_INSTALLED
    assert {"processor", "cores", "system", "python", "compiler"} < set(found)
    assert all(isinstance(value, str) and value for value in found.values())
    assert "okgin_fast" in facts()
