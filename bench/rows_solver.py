"""Hands: deadwood in bulk and one a call, best throws; all sides agree before they are timed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
from loop import compiled_loop
from measure import Row, Side, for_each
from peers import (
    LIMIT,
    OPENSPIEL,
    RLCARD,
    array_of,
    masks_of,
    pyspiel,
    random_hands,
    rlcard,
    rlcard_deadwood,
    rlcard_hands,
    rlcard_may_go_out,
)

import okgin_fast as og

ASKED, FEW = 20_000, 1_000  # hands for peers; for RLCard


def deadwood_rows(loop: ModuleType) -> Iterator[Row]:
    """Deadwood: in bulk, against a bare loop in C, and one hand a call."""
    hands, bulk = random_hands(10, ASKED), array_of(random_hands(10, 200_000))
    masks, answers = masks_of(hands), og.batch.deadwood(array_of(hands)).tolist()
    assert [og.deadwood(mask) for mask in masks] == answers
    assert loop.total_deadwood(bulk) == og.batch.deadwood(bulk).sum(dtype=np.int64)
    peers = {}
    if pyspiel:
        ask = pyspiel.gin_rummy.GinRummyUtils(13, 4, LIMIT).min_deadwood
        assert [ask(hand) for hand in hands] == answers
        peers[OPENSPIEL] = for_each(ask, hands)
    if rlcard:
        few = rlcard_hands(hands[:FEW])
        assert [rlcard_deadwood(hand) for hand in few] == answers[:FEW]
        peers[RLCARD] = for_each(rlcard_deadwood, few)
    batch = Side(lambda: og.batch.deadwood(bulk), len(bulk))
    bare = Side(lambda: loop.total_deadwood(bulk), len(bulk))
    yield Row("deadwood of 10 cards, in bulk", "hands", batch, peers, {OPENSPIEL: 100})
    yield Row(
        "deadwood in bulk, against a bare C loop", "hands", batch, {"C": bare}, {"C": 1 / 1.5}
    )
    single = for_each(og.deadwood, masks)
    yield Row("deadwood of 10 cards, one a call", "hands", single, peers, {OPENSPIEL: 5})


def throw_rows() -> Iterator[Row]:
    """The best of eleven throws, against finding those after which one may knock."""
    hands, bulk = random_hands(11, 5_000), array_of(random_hands(11, 100_000))
    may_knock = (og.batch.best_discard(array_of(hands)).deadwood <= LIMIT).tolist()
    peers = {}
    if pyspiel:
        utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, LIMIT)
        assert [bool(utils.legal_discards(hand, LIMIT)) for hand in hands] == may_knock
        peers[OPENSPIEL] = for_each(lambda hand: utils.legal_discards(hand, LIMIT), hands)
    if rlcard:
        few = rlcard_hands(hands[:FEW])
        assert [rlcard_may_go_out(hand) for hand in few] == may_knock[:FEW]
        peers[RLCARD] = for_each(rlcard_may_go_out, few)
    batch = Side(lambda: og.batch.best_discard(bulk), len(bulk))
    yield Row("best throw of 11 cards, in bulk", "hands", batch, peers, {OPENSPIEL: 80})


def rows() -> Iterator[Row]:
    """Return every row about hands."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        loop = compiled_loop(Path(folder))
    yield from deadwood_rows(loop)
    yield from throw_rows()
