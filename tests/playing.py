"""Deals played at random, so that every kind of end and of stock comes up."""

from __future__ import annotations

import random
from collections.abc import Iterator

from okgin_fast import Action, Deal, discards, spreads
from okgin_fast.rules import PRESETS, Rules

# Rules that bring about what the presets do seldom.
EVERY_RULES = {
    **PRESETS,
    "big gin with reshuffle": Rules.preset("oklahoma", wall="reshuffle", knock=10, big_gin=True),
    "six turns": Rules.preset("oklahoma-pagat", turn_limit=6),
    "no wall": Rules.preset("oklahoma-spades", wall_size=0, may_discard_taken=True),
}

ENDS = ("knock", "gin", "big gin")


def play(deal: Deal, seed: int) -> Iterator[Deal]:
    """Play a deal to its end and give it at each point, the first and the last ones included.

    Some seeds throw well and knock soon; others throw anything, never knock and use up the stock.
    """
    rng = random.Random(seed)
    skill, eager = rng.choice([(0.9, 0.9), (0.9, 0.0), (0.0, 0.0)])
    yield deal
    while deal.to_move is not None:
        deal.apply(_choice(deal, rng, skill, eager))
        yield deal


def finished(rules: Rules, seed: int) -> Deal:
    """Return a deal of that seed, played to its end."""
    *_, deal = play(Deal(rules, seed=seed, dealer=seed % 2), seed)
    return deal


def _choice(deal: Deal, rng: random.Random, skill: float, eager: float) -> Action:
    legal = deal.legal_actions()
    ends = [action for action in legal if action.kind in ENDS]
    others = [action for action in legal if action.kind not in ENDS]
    if ends and rng.random() < eager:
        return _named(deal, rng.choice(ends), rng)
    if deal.phase == "throw" and rng.random() < skill:
        taken = None if deal.rules.may_discard_taken else deal.taken
        return Action("discard", discards(deal.hand(deal.to_move), taken=taken)[0].card)
    return rng.choice(others)


def _named(deal: Deal, end: Action, rng: random.Random) -> Action:
    """Name some spread, if the action does and a coin says so."""
    if end.card is None or rng.random() < 0.5:
        return end
    kept = deal.hand(deal.to_move) - end.card
    limit = 0 if end.kind == "gin" else deal.limit
    return Action(end.kind, end.card, rng.choice(spreads(kept, limit)).melds)
