"""The archetypes do what `okgin_fast.agents.archetypes` says of them.

The sums by which they throw are written down here once more, slowly, from that description (and the
hunter's from issue 4), card by card; deadwood is the package's exact one, which test_meld holds to
the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import pytest
from playing import EVERY_RULES, play

import okgin_fast as og
from okgin_fast.core.archetypes import archetype
from okgin_fast.reference import is_meld, spreads
from okgin_fast.rules import PRESETS, Rules

ANY = 10
"""No knock limit is higher."""


class Habit(NamedTuple):
    within: int  # points under the dearest
    weight: float  # of the best draws, in the first turn
    cost: float  # of a card that the other side can use
    knocks: list[int]  # with at most so much, by own turn; the last number for ever


HABITS = {
    "hunter": Habit(5, 18, 40, [ANY, ANY, ANY, 0]),
    "tight": Habit(10, 6, 20, [ANY] * 6 + [0]),
    "defender": Habit(10, 18, 80, [ANY] * 5 + [0]),
    "patient": Habit(5, 18, 40, [3, 3, 3, ANY, ANY, ANY, ANY, 0]),
}
NAMES = list(HABITS)


# ------------------------------------------------------------------- the description, slowly


def points(card: og.Card) -> int:
    return min(card.rank + 1, 10)


def throwable(view: og.View) -> list[og.Card]:
    banned = None if view.rules.may_discard_taken else view.taken
    return [card for card in view.hand if card != banned]


def unmelded(hand: og.Hand) -> set[og.Card]:
    """Cards that are in no meld under some arrangement that leaves least."""
    loose: set[og.Card] = set()
    for melds in spreads(hand):
        loose |= set(hand) - {card for meld in melds for card in meld}
    return loose


def best_draws(ten: og.Hand, unseen: og.Hand) -> float:
    """Give the mean of the seven best deadwoods one draw later."""
    left = [
        min(og.deadwood(ten.mask ^ drawn ^ 1 << thrown) for thrown in (*ten, card))
        for card in unseen
        for drawn in [1 << card]
    ]
    best = sorted(left)[:7]
    return sum(best) / len(best) if best else og.deadwood(ten)


def chance_to_be_used(view: og.View, card: og.Card) -> float:
    total = 0.0
    others = [og.Card(i) for i in range(52) if og.Card(i) != card]
    near = [o for o in others if o.rank == card.rank or abs(o - card) <= 2]
    for a, b in combinations(near, 2):
        dead = {a, b} & {*view.hand, *view.pile}
        if dead or not is_meld({card, a, b}):
            continue
        held = len({a, b} & set(view.known))
        if held == 2:
            return 1.0
        chance = 0.25 if held else 0.09
        unwanted = any(is_meld({a, b, thrown}) for thrown in view.pile)
        total += chance / 4 if unwanted else chance
    return min(total, 1.0)


def scores(view: og.View, habit: Habit) -> dict[og.Card, float]:
    """Give the sum for every card that the player looks at."""
    loose = [card for card in throwable(view) if card in unmelded(view.hand)]
    dearest = max(map(points, loose), default=0)
    turn = own_turn(view)
    found = {}
    for card in loose:
        if points(card) >= dearest - habit.within:
            ten = view.hand - card
            found[card] = (
                og.deadwood(ten)
                + habit.weight * 0.9 ** (turn - 1) * best_draws(ten, view.unseen)
                + habit.cost * chance_to_be_used(view, card)
            )
    return found


def own_turn(view: og.View) -> int:
    """1 in the first turn: one more than the cards it has thrown."""
    return 1 + sum(event.seat == view.seat and event.kind == "discard" for event in view.events)


def takes(hand: og.Hand, card: og.Card) -> bool:
    """Into a meld that lowers deadwood: whatever leaves least has the card in a meld."""
    kept = [hand - other | card for other in hand]
    least = min(og.deadwood(ten) for ten in kept)
    best = [ten for ten in kept if og.deadwood(ten) == least]
    return least < og.deadwood(hand) and all(card not in unmelded(ten) for ten in best)


def positions(name: str, rules: Rules | str, seeds: range) -> Iterator[tuple[og.View, og.Action]]:
    """Play deals on both sides, and say what the player does in each position."""
    for seed in seeds:
        deal, agent = og.Deal(rules, seed=seed, dealer=seed % 2), og.agent(name)
        while deal.to_move is not None:
            view = deal.view(deal.to_move)
            action = agent.act(view)
            yield view, action
            deal.apply(action)


def act(name: str, position: str, rules: str = "eaai") -> str:
    return str(og.agent(name).act(og.View.from_position(f"rules={rules} {position}")))


# ------------------------------------------------------------------------------ whole deals


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", NAMES)
class TestByTheDescription:
    def test_takes_only_into_a_meld_that_lowers_deadwood(self, name: str, rules: str) -> None:
        for view, action in positions(name, rules, range(6)):
            legal = {option.kind for option in view.legal_actions()}
            if "take" in legal:
                assert (action.kind == "take") == takes(view.hand, view.pile[-1])
            elif view.phase != "throw":
                assert action.kind == "draw"

    def test_knocks(self, name: str, rules: str) -> None:
        """Gin always, big gin where it is played; else as the turn, the limit and the rules say."""
        knocks = HABITS[name].knocks
        for view, action in positions(name, rules, range(12)):
            if view.phase != "throw":
                continue
            left = {card: og.deadwood(view.hand - card) for card in throwable(view)}
            least = min(left.values())
            at_most = min(view.limit, knocks[min(own_turn(view), len(knocks)) - 1])
            if view.rules.big_gin and og.deadwood(view.hand) == 0:
                assert action.kind == "big gin"
            elif least == 0:
                assert action.kind == "gin"
            else:
                assert action.kind == ("knock" if least <= at_most else "discard")
            if action.card is not None and action.kind != "discard":
                assert left[action.card] == least


@pytest.mark.parametrize("rules", ["eaai", "oklahoma", "straight"])
@pytest.mark.parametrize("name", NAMES)
def test_throws_the_least_sum(name: str, rules: str) -> None:
    thrown = 0
    for view, action in positions(name, rules, range(3)):
        if action.kind == "discard":
            check_throw(view, action, HABITS[name])
            thrown += 1
    assert thrown > 5


@pytest.mark.parametrize("name", NAMES)
def test_throws_the_least_sum_whatever_was_played_before(name: str) -> None:
    """Positions that it would not have come to by itself; the stock may have been reshuffled."""
    agent = og.agent(name)
    for seed in range(7):
        for deal in play(og.Deal("standard", seed=seed), seed):
            if deal.to_move is not None and deal.phase == "throw" and deal.turn % 8 == seed % 8:
                view = deal.view(deal.to_move)
                action = agent.act(view)
                if action.kind == "discard":
                    check_throw(view, action, HABITS[name])


def check_throw(view: og.View, action: og.Action, habit: Habit) -> None:
    sums = scores(view, habit)
    assert action.card is not None
    if sums:
        assert sums[action.card] <= min(sums.values()) + 0.05  # weights are in thousandths
    else:
        left = {card: og.deadwood(view.hand - card) for card in throwable(view)}
        assert left[action.card] == min(left.values())


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
@pytest.mark.parametrize("name", NAMES)
def test_always_legal(name: str, rules: Rules) -> None:
    agent = og.agent(name)
    for view, action in positions(name, rules, range(10)):
        assert action in view.legal_actions()
    for seed in range(8):
        for deal in play(og.Deal(rules, seed=seed), seed):
            if deal.to_move is not None:
                assert agent.act(deal.view(deal.to_move)) in deal.legal_actions()


@pytest.mark.parametrize("name", NAMES)
def test_no_luck(name: str) -> None:
    for view, action in positions(name, "oklahoma", range(3)):
        assert og.agent(name, seed=99).act(view) == action


# ------------------------------------------------------------------------- worked out by hand


@pytest.mark.parametrize("name", NAMES)
class TestDraws:
    LOOSE = "2S9SKS4C8CQC6DTD5H6H"

    def test_into_a_meld(self, name: str) -> None:
        assert act(name, f"hand={self.LOOSE} upcard=7H") == "take 7H"

    def test_not_for_a_low_card_alone(self, name: str) -> None:
        assert act(name, f"hand={self.LOOSE} upcard=AC") == "pass"

    def test_not_into_a_meld_that_lowers_nothing(self, name: str) -> None:
        """The run J-Q-K would break the set of kings."""
        assert act(name, "hand=KSKCKDQS2H4D6C8HAC9D upcard=JS") == "pass"

    def test_not_for_a_low_card_that_could_make_a_meld_but_should_not(self, name: str) -> None:
        """4-5-6 would break two sets; the four for the king is all it comes to."""
        assert act(name, "hand=5H5C5D6H6C6DKS9C2DQS upcard=4H") == "pass"


@pytest.mark.parametrize("name", NAMES)
class TestDanger:
    """Two kings are alike but for what is known of the cards next to them."""

    HAND = "hand=7H7C7D2S3S4S9CTCJCKSKD"

    @pytest.mark.parametrize(("seen", "safe"), [("QD", "KD"), ("QS", "KS"), ("JD", "KD")])
    def test_neighbours_are_dead(self, name: str, seen: str, safe: str) -> None:
        position = f"{self.HAND} upcard={seen}"
        assert act(name, position, "straight") == f"discard {safe}"

    @pytest.mark.parametrize(("held", "safe"), [("QD", "KS"), ("QS", "KD"), ("JS", "KD")])
    def test_the_other_side_holds_a_neighbour(self, name: str, held: str, safe: str) -> None:
        position = f"{self.HAND} upcard=8S known={held}"
        assert act(name, position, "straight") == f"discard {safe}"


class TestKnocks:
    TURNS = (
        ("hunter", "9D", "111000000000"),
        ("tight", "9D", "111111000000"),
        ("defender", "9D", "111110000000"),
        ("patient", "9D", "000111100000"),
        ("patient", "4D", "000111100000"),
        ("patient", "3D", "111111100000"),
    )

    @pytest.mark.parametrize(("name", "left", "turns"), TURNS)
    def test_by_own_turn(self, name: str, left: str, turns: str) -> None:
        """Turn 0 is the first player's first one, turn 1 the other's."""
        view = og.View.from_position(f"rules=eaai hand=7H7C7D2S3S4SQHQCQDKD{left} upcard=5C")
        for turn in range(24):
            now = og.View._of_parts(**{**view._parts(), "turn": turn})
            knocks = archetype(now, name).kind == "knock"
            assert knocks == (turns[turn // 2] == "1"), turn

    @pytest.mark.parametrize("name", NAMES)
    def test_gin_in_any_turn_and_under_any_limit(self, name: str) -> None:
        hand = "hand=7H7C7D2S3S4S9C9D9H9SKD upcard=5C"
        assert act(name, hand) == "gin KD"
        assert act(name, hand, "straight") == "gin KD"
        assert act(name, hand, "modern") == "gin KD"
        assert act(name, "hand=7H7C7D2S3S4S5S9C9D9H9S upcard=5C", "modern") == "big gin"

    @pytest.mark.parametrize("name", NAMES)
    def test_not_above_the_limit(self, name: str) -> None:
        hand = "hand=7H7C7D2S3S4SQHQCQDKD2D"
        assert act(name, f"{hand} upcard=5C", "straight").startswith("discard")
        assert act(name, f"{hand} upcard=AS", "oklahoma").startswith("discard")
        assert act(name, f"{hand} upcard=2C", "oklahoma").startswith("knock")


class TestErrors:
    def test_unknown(self) -> None:
        with pytest.raises(og.OkginError, match="'hunger' is not an archetype; allowed: hunter,"):
            archetype(og.Deal("eaai", seed=1, dealer=0).view(1), "hunger")

    def test_not_its_turn(self) -> None:
        with pytest.raises(og.IllegalActionError, match="seat 0 is not to move"):
            archetype(og.Deal("eaai", seed=1, dealer=0).view(0), "hunter")


@pytest.mark.parametrize(("name", "won"), [("hunter", 24), ("defender", 24), ("tight", 23)])
def test_beats_simple_more_often_than_not(name: str, won: int) -> None:
    """A smoke test; the measured strength is `okgin arena`'s."""
    games = 0
    for seed in range(20):
        ours, simple = og.agent(name), og.agent("simple", seed)
        games += og.play_match(ours, simple, "eaai", seed).winner == 0
        games += og.play_match(simple, ours, "eaai", seed).winner == 1
    assert games >= won
