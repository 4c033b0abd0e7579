"""Deals side by side are the same deals one by one, and the arrays show what a seat may know."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from playing import EVERY_RULES, play
from seen import expected_mask, expected_observation

import okgin_fast as og
from okgin_fast import Action, Deal
from okgin_fast.core import encoding
from okgin_fast.core.deal import ENDINGS
from okgin_fast.core.rng import derive_seed
from okgin_fast.core.vector import VectorDeals
from okgin_fast.rules import Rules

every_rules = pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
PASS, DRAW, TAKE, BIG_GIN = 0, 1, 2, 107


def discard(card: str) -> int:
    return 3 + int(og.Card(card))


def show(card: str) -> int:
    return 55 + int(og.Card(card))


# --- actions and observations of one deal ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("pass", 0),
        ("draw", 1),
        ("take 7H", 2),
        ("discard AS", 3),
        ("discard KH", 54),
        ("knock AS", 55),
        ("gin AS", 55),
        ("knock 2C", 69),
        ("knock KH: ASACAD", 106),
        ("big gin", 107),
    ],
)
def test_the_id_of_an_action(text: str, number: int) -> None:
    assert encoding.action_id(Action.parse(text)) == number


@every_rules
def test_an_observation_is_what_the_seat_may_know(rules: Rules) -> None:
    for seed in range(4):
        for deal in play(Deal(rules, seed=seed, dealer=seed % 2), seed):
            for seat in (0, 1):
                view = deal.view(seat)
                seen, mask = encoding.observation(view), encoding.action_mask(view)
                assert (seen.dtype, mask.dtype) == (np.uint8, np.int8)
                assert seen.tolist() == expected_observation(deal, seat)
                assert mask.tolist() == expected_mask(deal, seat)


def test_the_layout_names_every_number_once() -> None:
    stop = 0
    for part in encoding.LAYOUT:
        assert part.start == stop < part.stop
        stop = part.stop
    assert stop == encoding.N_FEATURES == 8 * 52 + 4 + 7
    assert len({part.name for part in encoding.LAYOUT}) == len(encoding.LAYOUT)
    widths = {part.name: part.stop - part.start for part in encoding.LAYOUT}
    assert widths.pop("phase") == 4
    assert set(widths.values()) == {52, 1}


def test_what_is_taken_back_from_the_pile_is_seen_by_both() -> None:
    deal = Deal("oklahoma", seed=7)
    assert str(deal.upcard) == "7H"
    deal.apply("take 7H")
    parts = {
        seat: {
            part.name: encoding.observation(deal.view(seat))[part.start : part.stop]
            for part in encoding.LAYOUT
        }
        for seat in (0, 1)
    }
    seven = int(og.Card("7H"))
    for seat, name in ((0, "known"), (1, "mine_known"), (0, "taken"), (1, "taken")):
        assert parts[seat][name].nonzero()[0].tolist() == [seven]
    for seat in (0, 1):
        assert parts[seat]["upcard"].nonzero()[0].tolist() == [seven]
        assert not parts[seat]["pile"].any()
        assert not parts[seat]["top"].any()
    assert (parts[0]["hand"].sum(), parts[1]["hand"].sum()) == (10, 11)
    assert (parts[0]["to_move"], parts[1]["to_move"]) == (0, 1)
    assert (parts[0]["dealer"], parts[1]["dealer"]) == (1, 0)


def test_ids_become_actions_again() -> None:
    for deal in play(Deal("modern", seed=3), 3):
        for seat in (0, 1):
            view = deal.view(seat)
            for action in view.legal_actions():
                number = encoding.action_id(action)
                assert encoding.action_of(view, number) == action
                assert encoding.action_of(view, np.int32(number)) == action


@pytest.mark.parametrize("number", [DRAW, 5, 108, -1, 1 << 70, None, "2", 2.0, True, np.array([2])])
def test_an_id_that_is_not_legal_is_named(number: Any) -> None:
    view = Deal("oklahoma", seed=7).view(1)
    with pytest.raises(og.IllegalActionError, match=r"not possible; allowed: 0 pass, 2 take$"):
        encoding.action_of(view, number)
    with pytest.raises(og.IllegalActionError, match="allowed: none"):
        encoding.action_of(Deal("oklahoma", seed=7).view(0), 2)


def test_refusals_name_the_action() -> None:
    view = Deal("oklahoma", seed=7).view(1)
    for number, name in ((41, "41 discard KD"), (93, "93 knock KD"), (107, "107 big gin")):
        with pytest.raises(og.IllegalActionError, match=f"action {name} is not possible"):
            encoding.action_of(view, number)


# --- side by side is one by one ---------------------------------------------------------------


class Mirror:
    """The deals of one slot, dealt and played one by one as the documentation says."""

    def __init__(self, rules: Rules, seed: int, slot: int) -> None:
        self.rules = rules
        self.seed = derive_seed(seed, slot)
        self.number = 0
        self.deal = self.dealt()

    def dealt(self) -> Deal:
        first = self.rules.first_dealer
        dealer = (self.seed + self.number) % 2 if first is None else first
        return Deal(self.rules, derive_seed(self.seed, self.number), dealer)

    def step(self, number: int) -> tuple[list[int], bool, int]:
        """Play an action; give rewards, whether the deal is over, and how it ended."""
        mover = self.deal.to_move
        assert mover is not None
        self.deal.apply(encoding.action_of(self.deal.view(mover), number))
        result = self.deal.result
        if result is None:
            return [0, 0], False, 0
        self.number += 1
        self.deal = self.dealt()
        points = {None: 0, 0: result.points, 1: -result.points}[result.winner]
        return [points, -points], True, ENDINGS.index(result.kind)

    def check(self, deals: VectorDeals, slot: int) -> None:
        mover = self.deal.to_move
        assert mover is not None
        assert deals.to_move[slot] == mover
        assert deals.numbers[slot] == self.number
        assert deals.observations[slot].tolist() == expected_observation(self.deal, mover)
        assert deals.masks[slot].tolist() == expected_mask(self.deal, mover)


def chosen(deals: VectorDeals, rng: random.Random) -> list[int]:
    """Choose actions that bring about every ending: some slots knock and throw well, some never."""
    actions = []
    for slot in range(deals.n):
        legal = deals.masks[slot].nonzero()[0].tolist()
        shows = [number for number in legal if number >= 55]
        if shows and slot % 3:
            actions.append(rng.choice(shows))
        elif legal[0] >= 3 and slot % 2:
            hand = og.Hand(int(card) for card in deals.observations[slot, :52].nonzero()[0])
            throws = [3 + int(throw.card) for throw in og.discards(hand)]
            actions.append(next(number for number in throws if number in legal))
        else:
            actions.append(rng.choice([number for number in legal if number < 55]))
    return actions


@every_rules
def test_the_same_as_one_by_one(rules: Rules) -> None:
    slots, seed, rng = 6, 20, random.Random(1)
    deals = VectorDeals(rules, slots, seed)
    mirrors = [Mirror(rules, seed, slot) for slot in range(slots)]
    ended = 0
    for _ in range(250):
        for slot, mirror in enumerate(mirrors):
            mirror.check(deals, slot)
        actions = chosen(deals, rng)
        deals.step(actions)
        for slot, mirror in enumerate(mirrors):
            rewards, done, ending = mirror.step(actions[slot])
            assert deals.rewards[slot].tolist() == rewards
            assert deals.done[slot] == done
            assert deals.endings[slot] == ending
            ended += done
    assert ended >= 2


def test_every_ending_comes_up() -> None:
    rng, endings = random.Random(2), set()
    for rules in ("standard", "modern", "open-spiel", "six turns"):
        deals = VectorDeals(EVERY_RULES[rules], 50, seed=3)
        for _ in range(400):
            deals.step(chosen(deals, rng))
            endings |= {ENDINGS[ending] for ending in deals.endings[deals.done]}
            assert (deals.rewards.sum(axis=1) == 0).all()
            assert not deals.rewards[~deals.done].any()
    assert endings >= {"knock", "gin", "undercut", "dead"}


def test_the_seats_deal_in_turn_unless_the_rules_name_the_dealer() -> None:
    dealer = next(part.start for part in encoding.LAYOUT if part.name == "dealer")

    def dealers(deals: VectorDeals) -> np.ndarray:
        return np.where(deals.observations[:, dealer] == 1, deals.to_move, 1 - deals.to_move)

    deals = VectorDeals("oklahoma", 200, seed=4)
    first = dealers(deals)
    assert 60 < first.sum() < 140
    deals.reset()
    assert (dealers(deals) == 1 - first).all()
    assert (dealers(VectorDeals("open-spiel", 50, seed=4)) == 1).all()


def state_of(deals: VectorDeals) -> list[Any]:
    arrays = (
        deals.observations, deals.masks, deals.to_move, deals.rewards, deals.done, deals.endings,
        deals.numbers,
    )  # fmt: skip
    return [array.tolist() for array in arrays]


def run(deals: VectorDeals, steps: int) -> list[Any]:
    for _ in range(steps):
        deals.step(deals.sample_actions())
    return state_of(deals)


def test_the_same_seed_is_the_same_game() -> None:
    deals = VectorDeals("standard", 20, seed=5)
    after = run(deals, 300)
    assert run(VectorDeals("standard", 20, seed=5), 300) == after
    assert run(VectorDeals("standard", 20, seed=6), 300) != after
    deals.reset(seed=5)
    assert run(deals, 300) == after
    assert deals.seed == 5


def test_more_slots_change_nothing_in_the_others() -> None:
    few, many = VectorDeals("oklahoma", 3, seed=9), VectorDeals("oklahoma", 30, seed=9)
    assert (few.observations == many.observations[:3]).all()


def test_reset_without_a_seed_goes_on_to_the_next_deals() -> None:
    deals = VectorDeals("oklahoma", 3, seed=9)
    run(deals, 5)
    deals.reset()
    assert deals.numbers.tolist() == [1, 1, 1]
    assert deals.seed == 9
    for slot in range(3):
        mirror = Mirror(deals.rules, 9, slot)
        mirror.number = 1
        mirror.deal = mirror.dealt()
        mirror.check(deals, slot)
    assert not deals.done.any()


# --- random actions ----------------------------------------------------------------------------


def test_random_actions_are_legal_and_each_as_likely() -> None:
    deals = VectorDeals("modern", 30_000, seed=1)
    taken = (deals.sample_actions() == TAKE).sum()
    assert abs(taken - 15_000) < 5 * 87  # of take and pass; the standard deviation is 87
    for _ in range(20):
        actions = deals.sample_actions()
        assert deals.masks[np.arange(30_000), actions].all()
        deals.step(actions)
    # Where a slot may show its hand: the throw is any of the legal ids, low ones and high ones.
    slots = (deals.masks[:, 55:].any(axis=1)).nonzero()[0]
    assert len(slots) > 0
    counts = np.zeros((len(slots), encoding.N_ACTIONS))
    for _ in range(2_000):
        counts[np.arange(len(slots)), deals.sample_actions()[slots]] += 1
    legal = deals.masks[slots].astype(bool)
    expected = 2_000 / legal.sum(axis=1, keepdims=True)
    assert not counts[~legal].any()
    assert (abs(counts - expected)[legal] < 6 * np.sqrt(expected.max())).all()


def test_sampling_plays_nothing() -> None:
    deals = VectorDeals("oklahoma", 4, seed=1)
    before = state_of(deals)
    first = deals.sample_actions()
    assert deals.sample_actions() is first
    assert state_of(deals) == before


# --- arrays -------------------------------------------------------------------------------------


def test_the_arrays_are_made_once() -> None:
    deals = VectorDeals("oklahoma", 7, seed=1)
    arrays = {
        "observations": ((7, 427), np.uint8), "masks": ((7, 108), np.int8),
        "to_move": ((7,), np.uint8), "rewards": ((7, 2), np.int32), "done": ((7,), np.bool_),
        "endings": ((7,), np.uint8), "numbers": ((7,), np.uint64),
    }  # fmt: skip
    before = {name: getattr(deals, name) for name in arrays}
    run(deals, 200)
    deals.reset(seed=2)
    for name, (shape, dtype) in arrays.items():
        assert (before[name].shape, before[name].dtype) == (shape, dtype)
        assert getattr(deals, name) is before[name]


def test_what_is_scribbled_into_the_arrays_is_not_read() -> None:
    deals, other = VectorDeals("oklahoma", 5, seed=1), VectorDeals("oklahoma", 5, seed=1)
    rng = random.Random(3)
    for _ in range(150):
        actions = chosen(other, rng)
        for array in (deals.observations, deals.masks, deals.to_move, deals.rewards, deals.numbers):
            array.fill(1)
        deals.step(actions)
        other.step(actions)
        assert (deals.observations == other.observations).all()
        assert (deals.masks == other.masks).all()
        assert (deals.rewards == other.rewards).all()
    deals.masks.fill(1)
    with pytest.raises(og.IllegalActionError):
        deals.step([BIG_GIN] * 5)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.int64, np.uint64])
def test_actions_of_any_whole_type(dtype: type) -> None:
    deals, other = VectorDeals("oklahoma", 5, seed=1), VectorDeals("oklahoma", 5, seed=1)
    for _ in range(10):
        actions = deals.sample_actions().tolist()
        twice = np.repeat(np.array(actions, dtype), 2)
        deals.step(twice[::2])
        other.step(actions)
        assert state_of(deals) == state_of(other)


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [DRAW, 5, 107, 108, -1, 1 << 40, -(1 << 63)])
def test_an_illegal_action_is_named_with_its_slot_and_nothing_is_played(bad: int) -> None:
    deals = VectorDeals("oklahoma", 4, seed=1)
    before = state_of(deals)
    with pytest.raises(og.IllegalActionError) as caught:
        deals.step([TAKE, PASS, bad, bad])
    text = str(caught.value)
    assert text.startswith("slot 2: action ")
    assert str(bad) in text
    assert text.endswith("is not possible; allowed: 0 pass, 2 take")
    assert "\n" not in text
    assert state_of(deals) == before
    deals.step([TAKE, PASS, TAKE, PASS])


def test_an_unsigned_number_beyond_all_ids() -> None:
    deals = VectorDeals("oklahoma", 1, seed=1)
    with pytest.raises(og.IllegalActionError, match="slot 0: action 18446744073709551615 is not"):
        deals.step(np.array([2**64 - 1], np.uint64))


def test_a_throw_that_is_not_in_the_hand() -> None:
    deals = VectorDeals("eaai", 1, seed=2)
    deals.step([TAKE])
    hand = deals.observations[0, :52]
    missing = int((hand == 0).argmax())
    for number in (3 + missing, 55 + missing):
        with pytest.raises(og.IllegalActionError, match=f"slot 0: action {number} "):
            deals.step([number])


@pytest.mark.parametrize(
    "actions",
    [
        None, 2, [], [2], [2, 2, 2], [[2, 2]], [2.0, 2.0], ["2", "2"], [True, False],
        [2, None], [[2], [2, 2]], [1 << 70, 2],
    ],
)  # fmt: skip
def test_actions_that_are_no_array_of_ids(actions: Any) -> None:
    deals = VectorDeals("oklahoma", 2, seed=1)
    before = state_of(deals)
    with pytest.raises(og.IllegalActionError, match=r"^actions"):
        deals.step(actions)
    assert state_of(deals) == before


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("oklahome", 1), "oklahome"),
        ((None, 1), "None"),
        (("oklahoma", 0), "n=0"),
        (("oklahoma", -1), "n=-1"),
        (("oklahoma", 1_000_001), "n=1000001"),
        (("oklahoma", 1.0), "n=1.0"),
        (("oklahoma", True), "n=True"),
        (("oklahoma", 1, -1), "seed=-1"),
        (("oklahoma", 1, 1 << 64), "seed="),
        (("oklahoma", 1, None), "seed=None"),
    ],
)
def test_bad_arguments(arguments: tuple[Any, ...], word: str) -> None:
    with pytest.raises(og.RulesError, match=word):
        VectorDeals(*arguments)


def test_a_bad_seed_leaves_everything_as_it_was() -> None:
    deals = VectorDeals("oklahoma", 2, seed=1)
    before = state_of(deals)
    for seed in (-1, 1 << 64, 1.0, "1", True):
        with pytest.raises(og.RulesError, match="seed="):
            deals.reset(seed)  # type: ignore[arg-type]
    assert (state_of(deals), deals.seed) == (before, 1)


def test_an_environment_is_made_once() -> None:
    deals = VectorDeals("oklahoma", 2, seed=1)
    with pytest.raises(og.OkginError, match="made once"):
        deals.__init__("standard", 5)  # type: ignore[misc]
    assert deals.rules.name == "oklahoma"
    blank = VectorDeals.__new__(VectorDeals)
    for use in (blank.reset, blank.sample_actions, lambda: blank.step([]), lambda: repr(blank)):
        with pytest.raises((og.OkginError, AttributeError)):
            use()
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="not copied or pickled"):
            copied(deals)
    with pytest.raises(AttributeError):
        deals.masks = None  # type: ignore[misc, assignment]


def test_repr() -> None:
    assert repr(VectorDeals("eaai", 3, seed=8)) == "<VectorDeals eaai, 3 slots, seed 8>"


# --- threads ------------------------------------------------------------------------------------


def test_several_in_as_many_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda seed: run(VectorDeals("eaai", 50, seed), 100), range(4)))
    assert found == [run(VectorDeals("eaai", 50, seed), 100) for seed in range(4)]


def test_one_thread_at_a_time() -> None:
    deals = VectorDeals("eaai", 50_000, seed=1)
    stop = threading.Event()

    def steps() -> None:
        while not stop.is_set():
            try:
                deals.step(deals.sample_actions())
            except og.OkginError:
                continue  # the other one has just come in

    def until_refused() -> None:
        for _ in range(10_000):
            deals.sample_actions()

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(steps)
        try:
            with pytest.raises(og.OkginError, match="in use by another thread"):
                until_refused()
        finally:
            stop.set()
        other.result()
