"""Deals: uniformly random ones inside the programs and stepped from Python, and clones."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from measure import Row, Side, for_each
from peers import (
    OPENSPIEL,
    RLCARD,
    SEED,
    RLCardRandom,
    openspiel_game,
    pyspiel,
    rlcard,
    rlcard_table,
)

import okgin_fast as og

RULES = "open-spiel"
MANY, SOME, FEW = 2_000, 20, 2  # deals in a call, by how long they take
DECISIONS = 30  # players' actions before the deal that is cloned

rng = random.Random(SEED)


def random_rows() -> Iterator[Row]:
    """Whole deals in which every legal action is equally likely."""
    seeds = itertools.count(SEED)
    inside = Side(lambda: og.batch.playouts(RULES, MANY, seed=next(seeds)), MANY)
    stepped = for_each(lambda _: stepped_here(next(seeds)), range(SOME))
    peers_inside, peers_stepped = {}, {}
    if pyspiel:
        game = openspiel_game()
        bots = [pyspiel.make_uniform_random_bot(player, SEED) for player in range(2)]

        def evaluate(_: int) -> None:
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))

        peers_inside[OPENSPIEL] = for_each(evaluate, range(SOME))
        peers_stepped[OPENSPIEL] = for_each(lambda _: stepped_there(game), range(SOME))
    if rlcard:
        table = rlcard_table(RLCardRandom())
        peers_stepped[RLCARD] = for_each(lambda _: table.run(is_training=True), range(FEW))
    yield Row("random deals, inside", "deals", inside, peers_inside, {OPENSPIEL: 100})
    yield Row("random deals, from Python", "deals", stepped, peers_stepped, {OPENSPIEL: 8})


def clone_rows() -> Iterator[Row]:
    """A copy of a deal in the middle. RLCard's cannot be copied."""
    deal = stepped_here(SEED, DECISIONS)
    assert deal.to_move is not None
    peers = {}
    if pyspiel:
        state = stepped_there(openspiel_game(), DECISIONS)
        assert not state.is_terminal()
        peers[OPENSPIEL] = for_each(lambda _: state.clone(), range(1_000))
    ours = for_each(lambda _: deal.clone(), range(1_000))
    yield Row("clones of a deal", "clones", ours, peers, {OPENSPIEL: 5})


def stepped_here(seed: int, decisions: int | None = None) -> og.Deal:
    """Play a random deal of ours, to its end or for so many actions."""
    deal, made = og.Deal(RULES, seed=seed), 0
    while deal.to_move is not None and made != decisions:
        deal.apply(rng.choice(deal.legal_actions()))
        made += 1
    return deal


def stepped_there(game, decisions: int | None = None):
    """Play a random deal of OpenSpiel's, likewise; what chance does is no action of the players."""
    state, made = game.new_initial_state(), 0
    while not state.is_terminal() and (made != decisions or state.is_chance_node()):
        made += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def rows() -> Iterator[Row]:
    """Return every row about deals."""
    yield from random_rows()
    yield from clone_rows()
