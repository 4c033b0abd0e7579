"""The policy does what `okgin_fast.core.policy` says of it.

The description is written down here once more, slowly and card by card, with exact fractions; only
deadwood is the package's, which test_meld holds to the reference.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import floor
from typing import Any, NamedTuple

import pytest
from hidden import resampled
from playing import EVERY_RULES, play

import okgin_fast as og
from okgin_fast.core.policy import Policy
from okgin_fast.reference import is_meld, spreads
from okgin_fast.rules import PRESETS, Rules

DECK = [og.Card(i) for i in range(52)]
MELDS = {frozenset(three) for three in combinations(DECK, 3) if is_meld(three)}
PAIRS = {card: [meld - {card} for meld in MELDS if card in meld] for card in DECK}
GREEDY = Policy(pair=0, gap=0, danger_sure=0, knock=[10])


# ------------------------------------------------------------------- the description, slowly


def points(card: og.Card) -> int:
    return min(card.rank + 1, 10)


def own_turn(view: og.View) -> int:
    """0 in the first turn: as many as the cards it has thrown."""
    return sum(event.seat == view.seat and event.kind == "discard" for event in view.events)


def throwable(view: og.View) -> list[og.Card]:
    banned = None if view.rules.may_discard_taken else view.taken
    return [card for card in view.hand if card != banned]


def loose_cards(hand: og.Hand) -> set[og.Card]:
    """Cards that are in no meld under some arrangement that leaves least."""
    return {card for melds in spreads(hand) for card in set(hand).difference(*melds)}


class Seen(NamedTuple):
    """What it remembers of the pile and of what the other side has taken; all else is live."""

    pile: set[og.Card]
    known: set[og.Card]
    live: set[og.Card]


def seen(view: og.View, memory: int) -> Seen:
    pile = set(view.pile[-memory:]) if memory else set()
    known = set(view.known) if memory else set()
    return Seen(pile, known, set(DECK).difference(view.hand, pile, known))


def faded(w: dict[str, Any], name: str, turn: int) -> int:
    return floor(w[name] * Fraction(w["fade"], 256) ** min(turn, 15))


def chances(view: og.View, w: dict[str, Any], loose: set[og.Card], card: og.Card) -> int:
    """What the card may yet become, with each other card of the hand."""
    live, worth = seen(view, w["memory"]).live, 0
    pair, gap = (faded(w, name, own_turn(view)) for name in ("pair", "gap"))
    for other in view.hand - card:
        would_meld = sum({card, other, third} in MELDS for third in live)
        if other in loose:
            worth += pair * would_meld * (points(card) + points(other))
        elif other.suit == card.suit:
            worth += gap * would_meld * points(card)
    return worth


def danger(view: og.View, w: dict[str, Any], card: og.Card) -> int:
    """What it may cost to give the card away, by the pairs that would meld with it."""
    pile, known, live = seen(view, w["memory"])
    total = 0
    for pair in PAIRS[card]:
        if not pair <= live | known:
            continue
        if pair <= known:
            return int(w["danger_sure"])
        cost = w["danger_known"] if pair & known else w["danger"]
        unwanted = any({*pair, thrown} in MELDS for thrown in pile)
        total += cost * w["doubt"] // 16 if unwanted else cost
    return min(total, int(w["danger_sure"]))


def order(card: og.Card) -> tuple[int, int]:
    """Among equals the highest rank, then the suits in their order."""
    return -card.rank, card.suit


def expected_throw(view: og.View, w: dict[str, Any]) -> og.Card:
    loose = loose_cards(view.hand)
    candidates = [card for card in throwable(view) if card in loose]
    if len(candidates) < 2 or not (w["pair"] or w["gap"] or w["danger_sure"]):
        return min(throwable(view), key=lambda c: (og.deadwood(view.hand - c), order(c)))
    dearest = max(map(points, candidates))
    scores = {
        card: chances(view, w, loose, card) - 256 * points(card) + danger(view, w, card)
        for card in candidates
        if points(card) >= dearest - w["window"]
    }
    return min(scores, key=lambda card: (scores[card], order(card)))


def takes(view: og.View, w: dict[str, Any]) -> bool:
    """Into a meld, if that lowers deadwood; or for the points that it saves."""
    card = view.pile[-1]
    now = og.deadwood(view.hand)
    after = min(og.deadwood(view.hand - other | card) for other in view.hand)
    melds = any(pair <= set(view.hand) for pair in PAIRS[card])
    return (melds and after < now) or 0 < w["saves"] <= now - after


def expected(view: og.View, w: dict[str, Any]) -> str:
    legal = [str(action) for action in view.legal_actions()]
    if view.phase != "throw":
        if len(legal) == 2 and takes(view, w):
            return f"take {view.pile[-1]}"
        return "pass" if view.phase == "upcard" else "draw"
    left = {card: og.deadwood(view.hand - card) for card in throwable(view)}
    best = min(left, key=lambda card: (left[card], order(card)))
    knock = w["knock"][min(own_turn(view), len(w["knock"]) - 1)]
    if left[best] > min(view.limit, knock):
        return f"discard {expected_throw(view, w)}"
    if "big gin" in legal:
        return "big gin"
    return f"{'knock' if left[best] else 'gin'} {best}"


def positions(rules: Rules | str, seeds: range, every: int = 1) -> Iterator[og.View]:
    """Positions of deals that players good and bad have played."""
    for seed in seeds:
        for n, deal in enumerate(play(og.Deal(rules, seed=seed, dealer=seed % 2), seed)):
            if deal.to_move is not None and n % every == seed % every:
                yield deal.view(deal.to_move)


def any_weights(rng: random.Random) -> dict[str, Any]:
    return {
        "pair": rng.choice([0, 1, 200, 4096]),
        "gap": rng.choice([0, 77, 300]),
        "fade": rng.choice([0, 128, 230, 256]),
        "danger": rng.randint(0, 2_000),
        "danger_known": rng.randint(0, 5_000),
        "danger_sure": rng.choice([0, 3_000, 20_000]),
        "doubt": rng.randint(0, 16),
        "window": rng.randint(0, 9),
        "knock": [rng.randint(0, 10) for _ in range(rng.randint(1, 16))],
        "saves": rng.choice([0, 0, 1, 4, 9]),
        "memory": rng.choice([0, 1, 5, 32]),
    }


# -------------------------------------------------------------------------------- whole deals


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
def test_by_the_description(rules: Rules) -> None:
    policy, kinds = Policy(), set()
    for view in positions(rules, range(6), every=9):
        action = policy.act(view)
        assert str(action) == expected(view, policy.weights), view
        kinds.add(action.kind)
    assert {"take", "draw", "discard"} <= kinds


@pytest.mark.parametrize("rules", PRESETS)
def test_any_weights_by_the_description(rules: str) -> None:
    rng = random.Random(rules)
    for view in positions(rules, range(8, 14), every=9):
        weights = any_weights(rng)
        assert str(Policy(**weights).act(view)) == expected(view, weights), (weights, view)


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
def test_always_legal(rules: Rules) -> None:
    rng = random.Random(5)
    policies = [Policy(), GREEDY, *[Policy(**any_weights(rng)) for _ in range(6)]]
    for view in positions(rules, range(16)):
        legal = view.legal_actions()
        for policy in policies:
            assert policy.act(view) in legal


@pytest.mark.parametrize("rules", PRESETS)
def test_without_weights_it_throws_and_shows_what_leaves_least(rules: str) -> None:
    """So does *gold*, which differs only in what it takes."""
    gold = og.agent("gold")
    for view in positions(rules, range(40, 60)):
        if view.phase == "throw" and view.rules.may_discard_taken is False:
            assert GREEDY.act(view) == gold.act(view)


def test_hidden_cards_and_what_was_before_change_nothing() -> None:
    policy = Policy()
    for seed in range(6):
        for deal in play(og.Deal("oklahoma", seed=seed), seed):
            if (me := deal.to_move) is not None:
                action = policy.act(deal.view(me))
                assert policy.act(resampled(deal, me).view(me)) == action
                assert Policy().act(deal.view(me)) == action


# ------------------------------------------------------------------------- worked out by hand

# Two melds and five loose cards, of which 9C and 7C could become a run with 8C.
TWO_MELDS = "rules=straight hand=5H5C5D2S3S4S9C7C"


def throws(position: str, **weights: Any) -> str:
    return str(Policy(**weights).act(og.View.from_position(position)))


class TestThrows:
    """With one point for each point and live card, and none for danger, unless it says more."""

    ALONE = {"pair": 256, "gap": 0, "fade": 256, "danger_sure": 0}  # noqa: RUF012

    def test_chances_are_kept(self) -> None:
        """KS and QD come to -10, 3H to -3, 9C to 16 - 9, 7C to 16 - 7."""
        assert throws(f"{TWO_MELDS}KSQD3H upcard=6D", **self.ALONE) == "discard KS"

    def test_a_dead_card_is_no_chance(self) -> None:
        """6D comes to -6, and 9C to -9 if 8C is in the pile."""
        assert throws(f"{TWO_MELDS}6D3HAH upcard=KD", **self.ALONE) == "discard 6D"
        assert throws(f"{TWO_MELDS}6D3HAH upcard=8C", **self.ALONE) == "discard 9C"

    def test_a_gap_to_a_meld(self) -> None:
        """6S, with 5S, would lengthen the run; 6D has no such hope."""
        hand = "rules=straight hand=JHJCJD2S3S4S6S6DAHAC2C"
        only = {"pair": 0, "fade": 256, "danger_sure": 0}
        assert throws(f"{hand} upcard=5D", **only, gap=0) == "discard 6S"
        assert throws(f"{hand} upcard=5D", **only, gap=1) == "discard 6D"
        assert throws(f"{hand} upcard=5S", **only, gap=1) == "discard 6S"

    def test_the_window(self) -> None:
        """Each ten comes to 40 - 10, 3H to 10 - 3, 2H to 10 - 2, AS to -1."""
        hand = "rules=straight hand=7H7C7D8S8C8DTHTC2H3HAS upcard=5D"
        for window, card in [(9, "AS"), (8, "3H"), (7, "3H"), (6, "TC"), (0, "TC")]:
            assert throws(hand, **self.ALONE, window=window) == f"discard {card}"

    def test_chances_fade_from_turn_to_turn(self) -> None:
        """31.25 points in the first turn for a ten, half of it in the next: the 5 costs 5."""
        hand = "rules=straight hand=7H7C7D8S8C8DTHTC3H5S2D upcard=5D"
        view = og.View.from_position(hand)
        policy = Policy(pair=200, gap=0, fade=128, danger_sure=0)
        kept = []
        for turn in range(12):
            now = og.View._of_parts(**{**view._parts(), "turn": turn})
            kept.append(str(policy.act(now)) == "discard 5S")
        assert kept == [True] * 6 + [False] * 6

    def test_what_he_holds_is_dangerous(self) -> None:
        """KS or KD: the other side has the neighbour of one of them, or the pile has it."""
        hand = "rules=straight hand=7H7C7D2S3S4S9CTCJCKSKD"
        only = {"pair": 0, "gap": 0}
        assert throws(f"{hand} upcard=8S", **only) == "discard KS"
        assert throws(f"{hand} upcard=8S known=QS", **only) == "discard KD"
        assert throws(f"{hand} upcard=8S known=QS", **only, memory=0) == "discard KS"
        assert throws(f"{hand} upcard=8S known=QS", **only, danger_known=640) == "discard KS"
        assert throws(f"{hand} upcard=QD", **only) == "discard KD"
        assert throws(f"{hand} upcard=QD", **only, memory=0) == "discard KS"

    def test_danger_is_at_most_that_of_a_certain_meld(self) -> None:
        hand = "rules=straight hand=7H7C7D2S3S4S9CTCJC6HKD upcard=8S known=QDJD"
        only = {"pair": 0, "gap": 0, "danger": 0, "danger_known": 0}
        assert throws(hand, **only, danger_sure=4 * 256) == "discard KD"
        assert throws(hand, **only, danger_sure=4 * 256 + 1) == "discard 6H"

    def test_the_only_loose_card_stays_if_it_was_just_taken(self) -> None:
        position = "rules=oklahoma hand=7H7C7DAS2S3S4S9CTCJCKD upcard=KD taken=KD"
        assert throws(position, knock=[0]) == "discard 4S"


class TestDraws:
    LOOSE = "rules=eaai hand=2S9SKS4C8CQC6DTD5H6H"

    def test_into_a_meld(self) -> None:
        assert throws(f"{self.LOOSE} upcard=7H") == "take 7H"
        assert throws(f"{self.LOOSE} upcard=AC") == "pass"

    def test_not_into_a_meld_that_lowers_nothing(self) -> None:
        assert throws("rules=eaai hand=KSKCKDQS2H4D6C8HAC9D upcard=JS") == "pass"

    @pytest.mark.parametrize(("saves", "does"), [(0, "pass"), (9, "take AC"), (10, "pass")])
    def test_for_the_points_it_saves(self, saves: int, does: str) -> None:
        """The ace for a court card: nine points."""
        assert throws(f"{self.LOOSE} upcard=AC", saves=saves) == does


class TestKnocks:
    @pytest.mark.parametrize(("left", "turns"), [("9D", "1010000"), ("3D", "1110000")])
    def test_by_own_turn(self, left: str, turns: str) -> None:
        view = og.View.from_position(f"rules=eaai hand=7H7C7D2S3S4SQHQCQDKD{left} upcard=5C")
        policy = Policy(knock=[10, 3, 9, 0])
        for turn in range(14):
            now = og.View._of_parts(**{**view._parts(), "turn": turn})
            assert (policy.act(now).kind == "knock") == (turns[turn // 2] == "1"), turn

    def test_gin_always(self) -> None:
        hand = "hand=7H7C7D2S3S4S9C9D9H9SKD upcard=5C"
        for rules in ("straight", "modern", "oklahoma"):
            assert throws(f"rules={rules} {hand}", knock=[0]) == "gin KD"
        big = "rules=modern hand=7H7C7D2S3S4S5S9C9D9H9S upcard=5C"
        assert throws(big, knock=[0]) == "big gin"

    def test_never_above_the_limit(self) -> None:
        hand = "hand=7H7C7D2S3S4SQHQCQDKD2D"
        assert throws(f"rules=oklahoma {hand} upcard=AS", knock=[10]).startswith("discard")
        assert throws(f"rules=oklahoma {hand} upcard=2C", knock=[10]) == "knock KD"


# ------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"pear": 3}, "policy 'pear': no such weight; there are pair, gap, fade, "),
        ({"pair": -1}, "policy pair=-1: a whole number from 0 to 4096"),
        ({"pair": 4097}, "from 0 to 4096"),
        ({"gap": 1.0}, "policy gap=1.0: a whole number"),
        ({"fade": 257}, "from 0 to 256"),
        ({"danger": "640"}, "policy danger='640': a whole number"),
        ({"danger_sure": 100_001}, "from 0 to 100000"),
        ({"doubt": True}, "policy doubt=True"),
        ({"doubt": 17}, "from 0 to 16"),
        ({"window": None}, "policy window=None"),
        ({"saves": 99}, "from 0 to 98"),
        ({"memory": 33}, "from 0 to 32"),
        ({"knock": 10}, "policy knock=10: 1 to 16 whole numbers from 0 to 10"),
        ({"knock": []}, r"policy knock=\[\]: 1 to 16"),
        ({"knock": [11]}, "1 to 16 whole numbers from 0 to 10"),
        ({"knock": [0] * 17}, "1 to 16 whole numbers"),
        ({"knock": [2.0]}, "whole numbers"),
        ({"knock": [True]}, "whole numbers"),
        ({"knock": "10"}, "whole numbers"),
        ({"pair\n": 1}, r"no such weight"),
    ],
)
def test_bad_weights(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(og.OkginError, match=message) as raised:
        Policy(**wrong)
    assert "\n" not in str(raised.value)


def test_out_of_turn() -> None:
    with pytest.raises(og.IllegalActionError, match="seat 0 is not to move"):
        Policy().act(og.Deal("eaai", seed=1, dealer=0).view(0))


def test_its_repr_makes_it_again() -> None:
    policy = Policy(pair=11, knock=(3, 2))
    assert eval(repr(policy)).weights == policy.weights
    assert policy.weights["pair"] == 11
    assert policy.weights["fade"] == Policy().weights["fade"]
