"""The census: against research.md, and against a method that does not look at hands one by one.

The constants come from two other programs. The other method goes through the ranks, ace to king,
and keeps for each number of cards how many hands are in which state; it shares nothing with the
core but the rules. Complete counts are slow: `pytest -m slow tests/test_census.py`.
"""

from __future__ import annotations

import errno
import json
import os
import re
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from okgin_fast import OkginError, Rules, reference
from okgin_fast.cards import Card, Hand
from okgin_fast.core.census import Tally, chunks, count_chunk
from okgin_fast.measure import census as module
from okgin_fast.measure.census import Census, Chance, Counting, census, stored

I64 = npt.NDArray[np.int64]

AT_MOST = [136_694, 449_572, 770_748, 1_111_018, 1_518_308, 2_009_322]
AT_MOST += [2_689_710, 3_611_878, 4_980_042, 6_823_372, 10_212_276]

# --- what is shipped --------------------------------------------------------------------------


def test_the_stored_counts_of_ten_cards_are_those_of_research() -> None:
    ten = stored(10)
    assert sum(ten.hands) == ten.total == 15_820_024_220
    assert [ten.at_most(limit).cases for limit in range(11)] == AT_MOST
    assert round(ten.mean, 4) == 56.5694
    assert (ten.maximum, ten.hands[98]) == (98, 1_584)
    assert ten.at_most(0) == Chance(136_694, 15_820_024_220)


def test_the_stored_counts_of_eleven_cards_are_all_hands() -> None:
    eleven = stored(11)
    assert sum(eleven.hands) == eleven.total == comb(52, 11)
    assert eleven.maximum <= stored(10).maximum


def test_one_card_more_and_a_throw_leave_less() -> None:
    # Throwing the eleventh card again leaves the ten: the best throw never leaves more.
    for deadwood in range(99):
        assert stored(11).at_most(deadwood).exact >= stored(10).at_most(deadwood).exact


@pytest.mark.parametrize("size", [10, 11])
def test_hands_hold_as_many_cards_as_they_have(size: int) -> None:
    found = stored(size)
    for deadwood in range(11):
        assert sum(found.held[deadwood]) == size * found.hands[deadwood]


def test_a_card_that_must_stay_makes_no_throw_better() -> None:
    eleven = stored(11)
    for deadwood in range(11):
        for rank in range(13):
            taken = sum(row[rank] for row in eleven.taken[: deadwood + 1])
            assert taken <= sum(row[rank] for row in eleven.held[: deadwood + 1])


# --- chances ----------------------------------------------------------------------------------


def test_the_upcard_takes_nothing_away_on_average() -> None:
    # Ten cards beside a random upcard are ten random cards, and likewise eleven.
    assert stored(10).by_upcard()["dealt gin"][-1].exact == stored(10).at_most(0).exact
    assert stored(11).by_upcard()["draw, gin"][-1].exact == stored(11).at_most(0).exact


def test_each_upcard_sets_its_limit() -> None:
    eleven = stored(11).by_upcard()
    for rank in range(13):
        limit = Rules().knock_limit(rank)
        assert eleven["draw, knock"][rank] == stored(11).at_most(limit, rank)
        assert eleven["take, knock"][rank] == stored(11).at_most_taking(limit, rank)
        assert eleven["draw, knock"][rank].of == comb(51, 11)
        assert eleven["take, knock"][rank].of == comb(51, 10)


def test_any_upcard_is_the_mean_over_the_upcards() -> None:
    for chances in [*stored(10).by_upcard().values(), *stored(11).by_upcard().values()]:
        *ranks, together = (chance.exact for chance in chances)
        assert together == sum(ranks, Fraction(0)) / 13


def test_suits_are_alike() -> None:
    assert {stored(11).at_most(7, f"7{suit}") for suit in "SCDH"} == {stored(11).at_most(7, "7S")}


def test_a_chance_is_exact() -> None:
    half = Chance(2, 4)
    assert (half.exact, half.share) == (Fraction(1, 2), 0.5)
    assert half.to_dict() == {"cases": 2, "of": 4, "share": 0.5}


def test_no_chance_with_an_upcard_over_ten_points() -> None:
    for deadwood in (11, -1):
        with pytest.raises(OkginError, match=f"deadwood={deadwood}.* 0 to 10"):
            stored(10).at_most(deadwood, "KS")


def test_ten_cards_take_none() -> None:
    with pytest.raises(OkginError, match=r"of 10 cards.* 11"):
        stored(10).at_most_taking(10, "KS")


# --- another way to count ---------------------------------------------------------------------
# A state is the least deadwood so far, for each way in which the runs may stand: for each suit
# how many cards the run in work has (3 for more: it may stop), and whether a card may be thrown.
# Throwing none instead is no other result: of eleven melded cards one is spare, as they are not all
# in melds of three.

Way = tuple[tuple[int, ...], bool]
State = tuple[tuple[Way, int], ...]
Held = tuple[bool, ...]
SETS = [suits for suits in product((False, True), repeat=4) if sum(suits) in (0, 3, 4)]


@cache
def ways_no_worse(way: Way) -> list[Way]:
    """A run that may stop is as good as none, and a throw to come as good as none to come."""
    runs, throw = way
    choices = product(*[(0, 3) if run == 0 else (run,) for run in runs])
    return [(runs, later) for runs in choices for later in {throw, True} if (runs, later) != way]


def simplest(least: dict[Way, int]) -> tuple[State, int]:
    """The state without useless ways, its suits sorted, and the deadwood common to all its ways."""
    low = min(least.values())
    ways = {
        way: left - low
        for way, left in least.items()
        if not any(least.get(other, 999) <= left for other in ways_no_worse(way))
    }

    def of_suit(suit: int) -> list[tuple[int, bool, list[int], int]]:
        return sorted((runs[suit], throw, sorted(runs), ways[runs, throw]) for runs, throw in ways)

    order = sorted(range(4), key=of_suit)
    same = {(tuple(runs[suit] for suit in order), throw): ways[runs, throw] for runs, throw in ways}
    return tuple(sorted(same.items())), low


@cache
def with_rank(state: State, held: Held, points: int, stays: int | None) -> tuple[State, int]:
    """Add a rank's cards in the suits `held`; that of suit `stays` may not be thrown."""
    least: dict[Way, int] = {}
    for in_set in SETS:
        if any(taken and not there for taken, there in zip(in_set, held, strict=True)):
            continue
        for (runs, throw), left in state:
            ways: list[tuple[tuple[int, ...], bool, int]] = [((), throw, left)]
            for suit, run in enumerate(runs):
                loose = held[suit] and not in_set[suit]
                after = []
                if loose:  # goes into a run
                    after += [((*r, min(run + 1, 3)), t, n) for r, t, n in ways]
                if run in (0, 3):  # or is deadwood, or thrown, or is not there
                    after += [((*r, 0), t, n + points * loose) for r, t, n in ways]
                    thrown = loose and suit != stays
                    after += [((*r, 0), False, n) for r, t, n in ways if t and thrown]
                ways = after
            for r, t, n in ways:
                least[r, t] = min(n, least.get((r, t), 999))
    return simplest(least)


def by_ranks(cards: int, rank: int | None = None, stays: bool = False) -> list[int]:
    """Count hands by deadwood, eleven cards after a throw, as `Tally.hands` does.

    With a rank, pairs of a hand and a card of this rank, which may not be thrown if it `stays`.
    """
    start: State = ((((0, 0, 0, 0), cards == 11), 0),)
    states = {start: np.zeros((cards + 1, 99), dtype=np.int64)}
    states[start][0, 0] = 1
    for number in range(13):
        after: dict[State, I64] = {}
        for (state, counts), held in product(states.items(), product((False, True), repeat=4)):
            more = sum(held)
            if more > cards or not counts[: cards + 1 - more].any():
                continue
            marks: list[int | None] = [None]
            if number == rank:
                marks = [suit if stays else None for suit in range(4) if held[suit]]
            for mark in marks:
                new, deadwood = with_rank(state, held, min(number + 1, 10), mark)
                there = after.setdefault(new, np.zeros_like(counts))
                there[more:, deadwood:] += counts[: cards + 1 - more, : 99 - deadwood]
        states = after
    found = np.zeros(99, dtype=np.int64)
    for state, counts in states.items():
        ends = [left for (runs, _), left in state if set(runs) <= {0, 3}]
        if ends:
            found[min(ends) :] += counts[cards, : 99 - min(ends)]
    return [int(hands) for hands in found]


def all_chunks(cards: int) -> Tally:
    """Count every chunk and add them up."""
    tallies = [count_chunk(chunk) for chunk in chunks(cards)]
    return Tally(*(np.sum([tally[i] for tally in tallies], axis=0).tolist() for i in range(3)))


@pytest.mark.parametrize("cards", range(8))
def test_all_hands_of_up_to_seven_cards(cards: int) -> None:
    found = all_chunks(cards)
    assert sum(found.hands) == comb(52, cards)
    assert found.hands == by_ranks(cards)


def test_all_pairs_of_six_cards_and_one_of_them() -> None:
    held = np.array(all_chunks(6).held)
    for rank in range(13):
        assert held[:, rank].tolist() == by_ranks(6, rank)[:11]


@pytest.mark.slow
def test_the_stored_counts_of_ten_cards_are_found_rank_by_rank() -> None:
    assert list(stored(10).hands) == by_ranks(10)


@pytest.mark.slow
def test_the_stored_counts_of_eleven_cards_are_found_rank_by_rank() -> None:
    assert list(stored(11).hands) == by_ranks(11)


@pytest.mark.slow
@pytest.mark.parametrize("rank", [0, 6, 12])
def test_the_stored_pairs_are_found_rank_by_rank(rank: int) -> None:
    assert [row[rank] for row in stored(10).held] == by_ranks(10, rank)[:11]
    assert [row[rank] for row in stored(11).held] == by_ranks(11, rank)[:11]
    assert [row[rank] for row in stored(11).taken] == by_ranks(11, rank, stays=True)[:11]


# --- chunks -----------------------------------------------------------------------------------


def test_ten_spades_and_a_card_of_another_suit() -> None:
    """One chunk, each throw of each hand by the reference: the second suit is empty."""
    found = count_chunk((0, 0, 1, 10, 0))
    suits = 4 * 3  # which is the suit of ten, which that of one
    hands, held, taken = [0] * 99, np.zeros((11, 13), int), np.zeros((11, 13), int)
    for mask in range(1 << 13):
        if mask.bit_count() != 10:
            continue
        spades = reference.deadwood(Hand(mask))
        throws = {card: reference.deadwood(Hand(mask) - Hand([card])) for card in Hand(mask)}
        for heart in map(Card, range(39, 52)):
            left = {card: throws[card] + heart.points for card in throws} | {heart: spades}
            best = min(left.values())
            hands[best] += suits
            for stays in left:
                other = min(left[card] for card in left if card != stays)
                if best <= 10:
                    held[best][stays % 13] += suits
                if other <= 10:
                    taken[other][stays % 13] += suits
    assert found.hands == hands
    assert found.held == held.tolist()
    assert found.taken == taken.tolist()


def test_equal_suits_are_counted_once() -> None:
    # One card of each suit and all of the same rank: the chunk of aces, b fixed to the first.
    found = count_chunk((1, 1, 1, 1, chunks(4)[-13][4]))
    assert found.hands[0] == 1
    assert found.held[0] == [4] + [0] * 12


@pytest.mark.parametrize("cards", [-1, 12, True, 10.0, "10", None])
def test_chunks_of_no_census(cards: object) -> None:
    with pytest.raises(OkginError, match=f"cards={re.escape(repr(cards))}: .* 0 to 11"):
        chunks(cards)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "chunk",
    [
        (),
        (0, 0, 0, 10),
        (0, 0, 10, 0, 0),
        (0, 0, 0, 12, 0),
        (0, 0, 0, 10, 1),
        (0, 1, 1, 8, 0),
        (-1, 0, 1, 10, 0),
        (0, 0, 0, 10, False),
        (0, 0, 0, 10.0, 0),
        [0, 0, 0, 10, 0],
        None,
        7,
    ],
)
def test_no_such_chunk(chunk: object) -> None:
    with pytest.raises(OkginError, match=r"chunk=.*must be one of chunks\(\)"):
        count_chunk(chunk)  # type: ignore[arg-type]


# --- interrupted and resumed ------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A census of thirty chunks only."""
    some = chunks(10)[:30]
    monkeypatch.setattr(module, "chunks", lambda cards: some)


class Stop:
    """Progress that presses Ctrl-C after some chunks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, done: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def count_with_interrupts(file: Path, threads: int, after: int) -> tuple[Census, int]:
    """Press Ctrl-C after so many chunks until the census is finished; return how often, too."""
    interrupts = 0
    while True:
        counting = Counting(10, file)
        before = counting.done
        try:
            return counting.run(threads, Stop(after)), interrupts
        except KeyboardInterrupt:
            interrupts += 1
            assert Counting(10, file).done == counting.done > before


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_however_often_it_is_interrupted(tmp_path: Path, threads: int) -> None:
    found, interrupts = count_with_interrupts(tmp_path / "state", threads, after=7)
    assert interrupts == 30 // 7
    assert found == census(10, threads=1)


@pytest.mark.usefixtures("few")
def test_progress_counts_hands_also_those_of_before(tmp_path: Path) -> None:
    seen: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        census(10, resume=tmp_path / "state", progress=Stop(after=20))
    found = census(10, resume=tmp_path / "state", progress=seen.append)
    assert len(seen) == 10
    assert seen == sorted(seen)
    assert seen[-1] == sum(found.hands)


@pytest.mark.usefixtures("few")
def test_a_finished_census_is_not_counted_again(tmp_path: Path) -> None:
    found = census(10, resume=tmp_path / "state")
    assert census(10, resume=tmp_path / "state", progress=Stop(after=1)) == found


@pytest.mark.usefixtures("few")
def test_one_file_may_hold_both_censuses(tmp_path: Path) -> None:
    ten = census(10, resume=tmp_path / "state")
    with pytest.raises(KeyboardInterrupt):
        census(11, resume=tmp_path / "state", progress=Stop(after=5))
    assert census(10, resume=tmp_path / "state", progress=Stop(after=1)) == ten
    assert Counting(11, tmp_path / "state").done > 0


@pytest.mark.usefixtures("few")
def test_the_file_is_made_at_once_and_is_alone(tmp_path: Path) -> None:
    Counting(10, tmp_path / "state")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


@pytest.fixture
def state(tmp_path: Path, few: None) -> Path:
    """A file of an interrupted census."""
    with pytest.raises(KeyboardInterrupt):
        census(10, resume=tmp_path / "state", progress=Stop(after=5))
    return tmp_path / "state"


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}


def refused(file: Path, *parts: str) -> None:
    """The file is refused in one line that quotes it, and left as it was."""
    before = files_in(file.parent)
    with pytest.raises(OkginError) as caught:
        Counting(10, file)
    message = str(caught.value)
    for part in (file.name[:50], *parts):
        assert part in message
    assert "\n" not in message
    assert files_in(file.parent) == before


def test_a_file_cut_anywhere(state: Path) -> None:
    whole = state.read_bytes()
    for size in range(0, len(whole), 101):
        state.write_bytes(whole[:size])
        refused(state, "damaged, or no file of a census")


@pytest.mark.parametrize("changed", ["done", "counts"])
def test_a_file_with_a_digit_changed(state: Path, changed: str) -> None:
    content = json.loads(state.read_text("utf-8"))
    done, counts = content["counted"]["10"]
    if changed == "done":
        content["counted"]["10"][0] = f"{done[:-1]}1"
    else:
        counts[0] += 1
    state.write_text(json.dumps(content), "utf-8")
    refused(state, "damaged")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"7",
        b"null",
        b'"okgin census"',
        b"\xff\xfe",
        bytes(range(256)),
        b"[" * 100_000,
        b'{"okgin census": "0.1.0"}',
        b'{"sha256": ""}',
    ],
    ids=range(11),
)
def test_a_file_of_something_else(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    refused(tmp_path / "file", "damaged, or no file of a census")


def test_a_file_of_another_version(state: Path) -> None:
    content = json.loads(state.read_text("utf-8"))
    content["okgin census"] = "0.0.7"
    state.write_text(json.dumps(content), "utf-8")
    refused(state, "'0.0.7'", f"'{stored().version}'")


def test_files_that_cannot_be(tmp_path: Path) -> None:
    refused(tmp_path, "no regular file")
    refused(tmp_path / "missing" / "state", "No such file or directory")
    refused(tmp_path / ("x" * 300), "File name too long")
    os.mkfifo(tmp_path / "pipe")  # a device that would be replaced, or read for ever
    refused(tmp_path / "pipe", "no regular file")


def test_a_link_is_followed(tmp_path: Path, state: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(state)
    assert Counting(10, link).done > 0
    assert link.is_symlink()


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Fill the disk: from then on nothing more can be written."""

    def no_space(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return lambda: monkeypatch.setattr(os, "fsync", no_space)


def test_a_full_disk_leaves_the_old_file(state: Path, full_disk: Callable[[], None]) -> None:
    before = files_in(state.parent)
    counting = Counting(10, state)
    full_disk()
    with pytest.raises(OSError, match="No space left"):
        counting.run()
    assert files_in(state.parent) == before
    with pytest.raises(OkginError, match=f"{state}.*No space left"):
        Counting(10, state)


@pytest.mark.parametrize("cards", [9, 12, 10.0, True, "10", None])
def test_no_such_census(cards: object) -> None:
    asks: list[Callable[[int], object]] = [census, stored, Counting]
    for ask in asks:
        with pytest.raises(OkginError, match=f"cards={re.escape(repr(cards))}: .* 10 or 11"):
            ask(cards)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [0, -1, 257, 1.0, True, "2"])
def test_no_such_number_of_threads(threads: object) -> None:
    with pytest.raises(OkginError, match=f"threads={re.escape(repr(threads))}: .* 1 to 256"):
        census(10, threads=threads)  # type: ignore[arg-type]


# --- complete ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_all_ten_card_hands_in_under_twenty_seconds(tmp_path: Path) -> None:
    started = time.monotonic()
    found = census(10, threads=2)
    assert time.monotonic() - started < 20
    assert [found.at_most(limit).cases for limit in range(11)] == AT_MOST
    assert found == count_with_interrupts(tmp_path / "state", threads=2, after=400)[0]


@pytest.mark.parametrize(
    "counted",
    [{"10": ["11111", [0] * 385]}, {"10": ["1" * 1228, [0] * 3]}, {"10": 5}, {"10": ["1", ["a"]]}],
    ids=range(4),
)
def test_a_sound_file_of_another_shape(tmp_path: Path, counted: object) -> None:
    content = {"okgin census": module._version(), "counted": counted}
    whole = {**content, "sha256": module._digest(content)}
    (tmp_path / "file").write_text(json.dumps(whole), "utf-8")
    refused(tmp_path / "file")
