"""Belief: chances that agree with what is seen, and are better than knowing nothing."""

import math

import pytest

import okgin_fast as og
from okgin_fast.core.belief import sample_hands


def positions(rules: str, deals: int) -> list[tuple[og.View, og.Hand]]:
    """Views from the seventh turn on in deals between two archetypes, with the hidden hand."""
    found = []
    players = (og.agent("hunter"), og.agent("tight"))
    for seed in range(deals):
        deal = og.Deal(rules, seed=seed)
        while deal.to_move is not None:
            view = deal.view(deal.to_move)
            if view.phase == "draw" and view.turn == 7:
                found.append((view, deal.hand(1 - view.seat)))
            deal.apply(players[deal.to_move].act(view))
    return found


@pytest.mark.parametrize("rules", ["oklahoma", "standard"])
def test_chances_agree_with_what_is_seen(rules: str) -> None:
    for view, _ in positions(rules, 20):
        chances = view.belief(hands=200, seed=3)
        assert len(chances) == 52
        assert math.fsum(chances) == pytest.approx(10)
        for card, chance in enumerate(chances):
            if og.Card(card) in view.known:
                assert chance == 1
            elif og.Card(card) not in view.unseen:
                assert chance == 0


def test_a_chance_is_a_share_of_the_sampled_hands() -> None:
    view, _ = positions("oklahoma", 3)[0]
    hands = sample_hands(view, 160, seed=9)
    shares = [sum(og.Card(card) in hand for hand in hands) / 160 for card in range(52)]
    assert view.belief(hands=160, seed=9) == pytest.approx(shares)


def test_it_tells_more_than_uniform_hands() -> None:
    """The log loss of a position, against every unseen card being as likely as the others."""
    better, seen = 0.0, positions("eaai", 150)
    for view, hand in seen:
        chances = view.belief(hands=400)
        free = view.unseen
        uniform = (10 - len(view.known)) / len(free)
        for card in free:
            chance = min(max(chances[card], 0.002), 0.998)
            better += math.log(chance if card in hand else 1 - chance)
            better -= math.log(uniform if card in hand else 1 - uniform)
    assert len(seen) > 50
    assert better / len(seen) > 0.5


def test_bad_use() -> None:
    deal = og.Deal("oklahoma", seed=1)
    with pytest.raises(og.IllegalActionError, match="not to move"):
        deal.view(1 - deal.to_move).belief()
    with pytest.raises(og.OkginError, match="hands=0"):
        deal.view(deal.to_move).belief(hands=0)
    with pytest.raises(og.OkginError, match="seed"):
        deal.view(deal.to_move).belief(seed=-1)
