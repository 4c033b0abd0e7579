"""Belief: what it is made of, the law of its hands, and chances that agree with what is seen."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import okgin_fast as og
from okgin_fast import reference
from okgin_fast.core import belief
from okgin_fast.core.belief import features, sample_hands
from okgin_fast.core.rng import Rng

Cards = frozenset[og.Card]


class Position(NamedTuple):
    view: og.View
    hand: og.Hand
    """The hidden one."""
    shown: dict[og.Card, str]
    """What its owner did last with a card of the pile or the one just taken: threw or left it."""

    def those(self, what: str) -> list[og.Card]:
        """Cards that he threw or left, the latest first; the upcard is nobody's throw."""
        view = self.view
        cards = [card for card in view.pile[::-1] if card != view.taken]
        if what == "threw":
            cards = [card for card in [view.taken, *cards] if card not in (None, view.upcard)]
        return [card for card in cards if self.shown.get(card) == what]


def positions(
    rules: str, seeds: Iterable[int], players: str = "hunter tight"
) -> Iterator[Position]:
    """Play deals; every position is told what the other seat did so far."""
    seats = [og.agent(name) for name in players.split()]
    for seed in seeds:
        deal = og.Deal(rules, seed=seed, dealer=seed % 2)
        shown: tuple[dict[og.Card, str], dict[og.Card, str]] = ({}, {})
        while deal.to_move is not None:
            seat = deal.to_move
            view = deal.view(seat)
            yield Position(view, deal.hand(1 - seat), shown[1 - seat])
            action = seats[seat].act(view)
            if (
                any(legal.kind == "take" for legal in view.legal_actions())
                and action.kind != "take"
            ):
                shown[seat][view.pile[-1]] = "left"
            if action.kind == "discard":
                shown[seat][action.card] = "threw"
                shown[1 - seat].pop(action.card, None)
            deal.apply(action)


# --------------------------------------------------------------------------- the features

GROUPS = {
    "deadwood": 7, "low deadwood": 7, "may knock": 3, "gin held": 1, "set chances": 3,
    "run chances": 3, "alone points": 3, "better": 5, "better throws": 5, "thrown rank": 3,
    "thrown next": 3, "thrown two": 3, "thrown loose": 3, "thrown alone": 3, "thrown dearer": 3,
    "left meld": 5, "left lower": 5, "left rank": 3, "left next": 3, "left two": 3,
    "left loose": 3, "taken loose": 1, "taken rank": 1, "taken next": 1, "taken two": 1,
}  # fmt: skip
WEIGHTS = json.loads(Path(belief.__file__).with_name("belief.json").read_text("utf-8"))["weights"]


def near(hand: Cards, card: og.Card) -> tuple[int, int, int]:
    """Cards of its rank; next to it; next but one to it."""
    suit = [other.rank - card.rank for other in hand if other.suit == card.suit]
    rank = sum(other.rank == card.rank and other != card for other in hand)
    return rank, sum(abs(d) == 1 for d in suit), sum(abs(d) == 2 for d in suit)


def chances(hand: Cards, pile: Cards) -> tuple[int, int]:
    """Cards neither held nor in the pile that make a set, a run with two of the hand."""
    sets, runs = set(), set()
    for two in combinations(hand, 2):
        for card in map(og.Card, range(52)):
            if card not in hand and card not in pile and reference.is_meld({card, *two}):
                (sets if two[0].rank == two[1].rank else runs).add(card)
    return len(sets), len(runs)


def expected(position: Position, hand: Cards) -> list[int]:
    """The features of a hand, group by group as belief.pyx lists them."""
    view = position.view
    pile = frozenset(view.pile)
    turns = (view.turn + 1) // 2
    phase = 0 if turns <= 2 else 1 if turns <= 5 else 2
    deadwood = reference.deadwood(hand)
    melded = frozenset().union(*reference.all_melds(hand))
    loose = hand - melded
    alone = frozenset(card for card in hand if near(hand, card) == (0, 0, 0))
    row: Counter[tuple[str, int]] = Counter()
    by_turns = [0, 1, 2, 3, 3, 4, 4, 5, 5][turns] if turns < 9 else 6
    row["deadwood", by_turns] = deadwood
    row["low deadwood", by_turns] = min(deadwood, 20)
    row["may knock", phase] = deadwood <= view.limit
    row["gin held", 0] = deadwood == 0
    row["set chances", phase], row["run chances", phase] = chances(hand, pile)
    row["alone points", phase] = reference.points(alone)
    for age, card in enumerate(position.those("threw")):
        of_three = 0 if age == 0 else 1 if age < 4 else 2
        of_five = age if age < 3 else 3 if age < 5 else 4
        better = deadwood - min(reference.deadwood(hand - {c} | {card}) for c in hand)
        if better > 0:
            row["better", of_five] += min(better, 12)
            row["better throws", of_five] += 1
        for name, count in zip(("rank", "next", "two"), near(hand, card), strict=True):
            row[f"thrown {name}", of_three] += count
        row["thrown loose", of_three] += sum(near(loose, card)[:2])
        price = reference.points([card])
        row["thrown alone", of_three] += sum(reference.points([c]) >= price for c in alone)
        row["thrown dearer", of_three] += sum(reference.points([c]) > price for c in loose)
    for age, card in enumerate(position.those("left")):
        of_three = 0 if age == 0 else 1 if age < 4 else 2
        of_five = age if age < 3 else 3 if age < 5 else 4
        if min(reference.deadwood(hand - {c} | {card}) for c in hand) < deadwood:
            melds = any(card in meld for meld in reference.all_melds(hand | {card}))
            row["left meld" if melds else "left lower", of_five] += 1
        for name, count in zip(("rank", "next", "two"), near(hand, card), strict=True):
            row[f"left {name}", of_three] += count
        row["left loose", of_three] += sum(near(loose, card)[:2])
    for card in view.known:
        if card not in melded:
            row["taken loose", 0] += 1
            for name, count in zip(("rank", "next", "two"), near(hand, card), strict=True):
                row[f"taken {name}", 0] += count
    return [int(row[name, place]) for name, size in GROUPS.items() for place in range(size)]


@pytest.mark.parametrize("players", ["hunter tight", "simple casual", "beginner gold"])
@pytest.mark.parametrize("rules", ["oklahoma", "standard"])
def test_features_are_what_they_say(rules: str, players: str) -> None:
    rng = Rng(7)
    for position in positions(rules, range(4), players):
        if rng.below(10):
            continue
        seen = position.view
        drawn = sample_hands(seen, 1, seed=1) + sample_hands(seen, 1, seed=1, inference=False)
        hands = [position.hand, *drawn]
        for hand, row in zip(hands, features(seen, hands), strict=True):
            assert row == expected(position, frozenset(hand))


def test_there_is_a_weight_for_every_feature() -> None:
    assert len(WEIGHTS) == sum(GROUPS.values())
    assert all(WEIGHTS[feature] <= 0 for feature in belief.NEVER_ABOVE_0)


# ----------------------------------------------------------------------------- the hands


def late_position() -> Position:
    """A position with few unseen cards and no certain ones, so that all hands can be weighed."""
    return next(
        position
        for position in positions("straight", range(100))
        if len(position.view.unseen) == 14 and len(position.view.known) <= 1
    )


def test_hands_come_as_often_as_their_likeness_says() -> None:
    position = late_position()
    view, n = position.view, 16_000
    known = frozenset(view.known)
    hands = [
        og.Hand(known | frozenset(rest)) for rest in combinations(view.unseen, 10 - len(known))
    ]
    likeness = np.array(features(view, hands)) @ np.array(WEIGHTS) / 1024
    law = np.exp(likeness - likeness.max())
    law /= law.sum()
    uniform = np.full(len(hands), 1 / len(hands))
    for inference, chances, other in [(True, law, uniform), (False, uniform, law)]:
        drawn = Counter(sample_hands(view, n, seed=11, inference=inference))
        assert set(drawn) <= set(hands)
        shares = np.array([drawn[hand] / n for hand in hands])
        noise = np.sqrt(chances * (1 - chances) / n).sum() / 2  # of independent hands, about
        assert abs(shares - chances).sum() / 2 < 3 * noise
        assert abs(shares - other).sum() / 2 > 0.3


def test_each_hand_holds_what_is_known_and_nothing_that_is_seen() -> None:
    for view, *_ in positions("eaai", range(10)):
        for inference in (True, False):
            for hand in sample_hands(view, 9, seed=view.turn, inference=inference):
                assert len(hand) == 10
                assert all(card in hand for card in view.known)
                assert all(card in view.known or card in view.unseen for card in hand)


GOLDEN = [
    "3S 2C 4C 8C 5D 8D 2H 3H 4H 8H",
    "AS 8S 2C 4C 8C 8D 2H 3H 4H 8H",
    "AS 3S 8S 2C 8C 8D AH 2H 3H 8H",
    "AS 3S 8S 2C 8C 8D 2H 3H 4H 8H",
]


def test_the_same_seed_gives_the_same_hands_everywhere() -> None:
    """To be renewed with belief.json."""
    view = late_position().view
    assert [hand.text() for hand in sample_hands(view, 10, seed=2026)[::3]] == GOLDEN
    assert sample_hands(view, 20, seed=3)[:10] == sample_hands(view, 10, seed=3)
    assert sample_hands(view, 10, seed=3) != sample_hands(view, 10, seed=4)


# --------------------------------------------------------------------------- the chances


def seventh_turns(rules: str, deals: int) -> list[Position]:
    """Positions before the draw in turn seven."""
    return [
        position
        for position in positions(rules, range(deals))
        if position.view.phase == "draw" and position.view.turn == 7
    ]


@pytest.mark.parametrize("rules", ["oklahoma", "standard"])
def test_chances_agree_with_what_is_seen(rules: str) -> None:
    for view, *_ in seventh_turns(rules, 20):
        chances = view.belief(hands=200, seed=3)
        assert len(chances) == 52
        assert math.fsum(chances) == pytest.approx(10)
        for card, chance in enumerate(chances):
            if og.Card(card) in view.known:
                assert chance == 1
            elif og.Card(card) not in view.unseen:
                assert chance == 0


def test_a_chance_is_a_share_of_the_sampled_hands() -> None:
    view = seventh_turns("oklahoma", 3)[0].view
    hands = sample_hands(view, 160, seed=9)
    shares = [sum(og.Card(card) in hand for hand in hands) / 160 for card in range(52)]
    assert view.belief(hands=160, seed=9) == pytest.approx(shares)


def test_it_tells_more_than_uniform_hands() -> None:
    """The log loss of a position, against every unseen card being as likely as the others."""
    better, seen = 0.0, seventh_turns("eaai", 150)
    for view, hand, *_ in seen:
        chances = view.belief(hands=400)
        free = view.unseen
        uniform = (10 - len(view.known)) / len(free)
        for card in free:
            chance = min(max(chances[card], 0.002), 0.998)
            better += math.log(chance if card in hand else 1 - chance)
            better -= math.log(uniform if card in hand else 1 - uniform)
    assert len(seen) > 50
    assert better / len(seen) > 0.5


# ------------------------------------------------------------------------------ bad input


def test_bad_use() -> None:
    deal = og.Deal("oklahoma", seed=1)
    mine, other = deal.view(deal.to_move), deal.view(1 - deal.to_move)
    with pytest.raises(og.IllegalActionError, match="not to move"):
        other.belief()
    with pytest.raises(og.IllegalActionError, match="not to move"):
        sample_hands(other, 1)
    with pytest.raises(og.IllegalActionError, match="not to move"):
        features(other, [])
    with pytest.raises(og.OkginError, match="hands=0"):
        mine.belief(hands=0)
    with pytest.raises(og.OkginError, match="seed"):
        mine.belief(seed=-1)
    with pytest.raises(og.OkginError, match="2 cards"):
        features(mine, [og.Hand("AS 2S")])
