"""Arrays in, arrays out: the same as one by one, on any number of threads; bad arrays are named."""

import numpy as np
import pytest

import okgin_fast as og
from okgin_fast import reference
from okgin_fast.cards import DECK
from okgin_fast.core.deal import ENDINGS

U64 = np.uint64


def hands(n: int, size: int, seed: int = 1, ranks: int = 13) -> np.ndarray:
    """Random hands; of the lowest ranks only, they are full of melds."""
    rng = np.random.default_rng(seed)
    pool = np.array([card for card in range(52) if card % 13 < ranks])
    cards = pool[rng.random((n, len(pool))).argsort(axis=1)[:, :size]].astype(U64)
    return np.bitwise_or.reduce(U64(1) << cards, axis=1)


@pytest.mark.parametrize("ranks", [5, 13])
class TestAgainstTheOracle:
    def test_deadwood(self, ranks: int) -> None:
        masks = hands(200, 10, ranks=ranks)
        expected = [reference.deadwood(og.Hand(mask)) for mask in masks.tolist()]
        assert og.batch.deadwood(masks).tolist() == expected

    def test_all_throws(self, ranks: int) -> None:
        masks = hands(60, 11, ranks=ranks)
        rows = og.batch.spread_deadwood_all_throws(masks)
        for mask, row in zip(masks.tolist(), rows.tolist(), strict=True):
            throws = reference.throws(og.Hand(mask))
            assert row == [throws[card] for card in og.Hand(mask)]

    def test_best_discard_and_a_card_that_must_stay(self, ranks: int) -> None:
        masks = hands(60, 11, ranks=ranks)
        best = og.batch.best_discard(masks)
        again = og.batch.best_discard(masks, taken=best.cards)
        for i, mask in enumerate(masks.tolist()):
            throws = reference.throws(og.Hand(mask))
            least = min(throws.values())
            highest = max(card.rank for card in throws if throws[card] == least)
            card = og.Card(int(best.cards[i]))
            assert (throws[card], card.rank, best.deadwood[i]) == (least, highest, least)
            del throws[card]
            other = og.Card(int(again.cards[i]))
            assert throws[other] == again.deadwood[i] == min(throws.values())

    def test_layoff(self, ranks: int) -> None:
        rng = np.random.default_rng(3)
        spreads = [og.best_spread(mask).melds[:3] for mask in hands(400, 10, ranks=ranks).tolist()]
        spreads = [melds for melds in spreads if melds][:60]
        defenders, rows = [], []
        for melds in spreads:
            left = [card for card in og.Hand(DECK) if not any(card in meld for meld in melds)]
            defenders.append(og.Hand(rng.permutation(left)[:10].tolist()).mask)
            rows.append([meld.mask for meld in melds] + [0] * (3 - len(melds)))
        found = og.batch.layoff(np.array(defenders, U64), np.array(rows, U64))
        for defender, melds, least in zip(defenders, spreads, found.tolist(), strict=True):
            assert least == reference.layoff(og.Hand(defender), melds)


def test_threads_change_nothing() -> None:
    ten, eleven = hands(100_000, 10), hands(100_000, 11)
    melds = np.zeros((100_000, 3), U64)
    for threads in (2, 5):
        assert (og.batch.deadwood(ten, threads) == og.batch.deadwood(ten)).all()
        one, many = og.batch.best_discard(eleven), og.batch.best_discard(eleven, threads=threads)
        assert (one.cards == many.cards).all()
        assert (one.deadwood == many.deadwood).all()
        rows = og.batch.spread_deadwood_all_throws(eleven)
        assert (rows == og.batch.spread_deadwood_all_throws(eleven, threads)).all()
        assert (rows.min(axis=1) == one.deadwood).all()
        assert (og.batch.layoff(ten, melds, threads) == og.batch.deadwood(ten)).all()


def test_other_layouts_are_read_as_they_are() -> None:
    masks = hands(90, 11)
    expected = og.batch.best_discard(masks[::3])
    strided, backwards = np.repeat(masks, 2)[::6], masks[::-1]
    assert (og.batch.best_discard(strided).cards == expected.cards).all()
    assert (og.batch.deadwood(backwards)[::-1] == og.batch.deadwood(masks)).all()
    table = np.zeros((3, 90), U64).T
    assert (og.batch.layoff(masks, table) == og.batch.deadwood(masks)).all()
    masks.flags.writeable = False
    assert og.batch.deadwood(masks).shape == (90,)


def test_empty_arrays_give_empty_arrays() -> None:
    none = np.zeros(0, U64)
    assert og.batch.deadwood(none).shape == (0,)
    assert og.batch.best_discard(none, np.zeros(0, np.uint8)).cards.shape == (0,)
    assert og.batch.spread_deadwood_all_throws(none).shape == (0, 11)
    assert og.batch.layoff(none, np.zeros((0, 3), U64)).shape == (0,)
    assert og.batch.playouts("eaai", 0).points.shape == (0,)


GOOD = np.array([0x7FF], U64)
RUN = [0b111 << 13, 0, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: og.batch.deadwood([1, 2]), "masks has dtype int64; masks are uint64"),
        (lambda: og.batch.deadwood(np.array([1.0])), "dtype float64"),
        (lambda: og.batch.deadwood("AS 2S"), "dtype <U5"),
        (lambda: og.batch.deadwood(U64(7)), r"shape \(\); it takes 1 dim"),
        (lambda: og.batch.deadwood(GOOD.reshape(1, 1)), r"shape \(1, 1\)"),
        (lambda: og.batch.deadwood(np.array([1, 1 << 52], U64)), r"masks\[1\] = 0x10000000000000 "),
        (lambda: og.batch.best_discard(GOOD >> U64(1)), r"masks\[0\] has 10 cards; it takes 11"),
        (lambda: og.batch.best_discard(GOOD, np.array([1])), "taken has dtype int64"),
        (lambda: og.batch.best_discard(GOOD, np.zeros(2, np.uint8)), r"taken has shape \(2,\)"),
        (lambda: og.batch.best_discard(GOOD, np.array([11], np.uint8)), r"taken\[0\] = 11"),
        (lambda: og.batch.best_discard(GOOD, np.array([200], np.uint8)), r"taken\[0\] = 200"),
        (lambda: og.batch.spread_deadwood_all_throws(GOOD | U64(1 << 60)), r"masks\[0\] = 0x1000"),
        (lambda: og.batch.layoff(GOOD, np.array([RUN[:2]], U64)), r"melds has shape \(1, 2\)"),
        (lambda: og.batch.layoff(GOOD, np.array([[7, 0, 0]], U64)), r"melds\[0\] = \['0x7'"),
        (lambda: og.batch.layoff(GOOD, np.array([[5 << 13, 0, 0]], U64)), r"melds\[0\]"),
        (lambda: og.batch.layoff(GOOD, np.array([[*RUN[:1] * 2, 0]], U64)), r"melds\[0\]"),
        (lambda: og.batch.deadwood(GOOD, threads=0), "threads=0"),
        (lambda: og.batch.deadwood(GOOD, threads=True), "threads=True"),
        (lambda: og.batch.playouts("eaai", -1), "n=-1"),
        (lambda: og.batch.playouts("eaai", 1, seed=-1), "seed=-1"),
        (lambda: og.batch.playouts("whist", 1), "whist"),
    ],
)
def test_what_is_refused(call, message: str) -> None:
    with pytest.raises(og.OkginError, match=message):
        call()


@pytest.mark.parametrize("rules", ["oklahoma-spades", "standard", "modern", "open-spiel"])
def test_playouts(rules: str) -> None:
    played = og.batch.playouts(rules, 3000, seed=4)
    again = og.batch.playouts(rules, 3000, seed=4, threads=3)
    for one, other in zip(played, again, strict=True):
        assert (one == other).all()
    assert {ENDINGS[i] for i in set(played.ending.tolist())} <= set(ENDINGS[1:])
    dead = np.isin(played.ending, [ENDINGS.index("dead"), ENDINGS.index("tie")])
    assert ((played.points == 0) == dead).all()
    assert (played.points > 0).any()
    assert (played.points < 0).any()
    assert played.turns.max() <= og.Rules.preset(rules).turn_limit


def test_playouts_choose_each_action_as_often() -> None:
    """With a wall of 30 cards the first turn that draws from the stock is the last one.

    Both pass in a quarter of the deals, and the only turn draws; else the upcard is taken, and each
    later turn draws half the time.
    """
    turns = og.batch.playouts(og.Rules.preset("eaai", wall_size=30), 20_000, seed=1).turns
    for n, share in ((1, 1 / 4), (2, 3 / 8), (3, 3 / 16)):
        assert (turns == n).mean() == pytest.approx(share, abs=0.02)
