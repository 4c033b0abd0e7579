"""The public baselines do what research.md says of them, on positions worked out by hand.

*Simple* "takes the upcard only if it makes a meld with it, throws the card that leaves least
deadwood (ties at random, never the card just taken), knocks as soon as it may, lays off greedily".
*Gold*: "exact melds, draw and throw to minimise deadwood, knock at once".
"""

from collections import Counter

import pytest

import okgin_fast as og
from okgin_fast.reference import deadwood, is_meld, throws
from okgin_fast.rules import PRESETS

RULES = "eaai"


def act(name: str, position: str, seed: int = 1) -> str:
    return str(og.agent(name, seed=seed).act(og.View.from_position(f"rules={RULES} {position}")))


def acts(name: str, position: str, seeds: int = 80) -> Counter[str]:
    return Counter(act(name, position, seed) for seed in range(seeds))


class TestRandom:
    def test_every_legal_action_is_as_likely(self) -> None:
        """Eleven throws, and the two knocks that leave a ten."""
        position = "hand=7H7C7D2S3S4S9C9D9HTDKS upcard=5D"
        thrown = acts("random", position, 1200)
        assert len(thrown) == 13
        assert sum(times for text, times in thrown.items() if text.startswith("knock")) > 100
        assert all(50 < times < 150 for times in thrown.values())


LOOSE = "2S9SKS4C8CQC6DTD5H6H"
"""Ten cards without a meld, 70 points."""


class TestSimpleDraws:
    @pytest.mark.parametrize(
        ("hand", "upcard", "meld"),
        [
            ("2S9SKS4C8CQC6DTD5H6H", "7H", "5H6H7H"),  # the end of a run
            ("2S9SKS4C8CQC6DTD5H7H", "6H", "5H6H7H"),  # its middle
            ("2S9SKS4C8CQC6DTD6H6S", "6C", "6D6H6S6C"),  # a set grows
            ("2S9SKS4C8CQC6DTD5H6H", "6S", "6D6H6S"),
            ("2S3S4SKS8CQC6DTD5H9H", "5S", "2S3S4S5S"),  # a run grows
            ("AS2SKS4C8CQC6DTD5H9H", "3S", "AS2S3S"),  # the ace is low
        ],
    )
    def test_takes_a_card_that_makes_a_meld(self, hand: str, upcard: str, meld: str) -> None:
        assert og.Hand(meld) - upcard <= og.Hand(hand)
        assert act("simple", f"hand={hand} upcard={upcard}") == f"take {upcard}"

    @pytest.mark.parametrize(
        ("hand", "upcard"),
        [
            (LOOSE, "AC"),  # low, but no meld
            (LOOSE, "7D"),  # 6 and 7 are two cards
            (LOOSE, "KH"),  # a pair
            ("QSKS4C8CQC6DTD5H9H2C", "AS"),  # queen, king, ace is no run
        ],
    )
    def test_refuses_a_card_that_makes_none(self, hand: str, upcard: str) -> None:
        assert not any(
            is_meld({og.Card(upcard), first, second})
            for first in og.Hand(hand)
            for second in og.Hand(hand) - first
        )
        assert act("simple", f"hand={hand} upcard={upcard}") == "pass"

    def test_draws_from_the_stock_what_it_does_not_take(self) -> None:
        assert act("simple", f"hand={LOOSE} upcard=3C pile=3C,2D,KH") == "draw"
        assert act("simple", f"hand={LOOSE} upcard=3C pile=3C,2D,7H") == "take 7H"

    def test_takes_into_a_meld_even_if_that_lowers_nothing(self) -> None:
        """The run J-Q-K would break the set of kings: a jack for a queen is all it comes to."""
        assert act("simple", "hand=KSKCKDQS2H4D6C8HAC9D upcard=JS") == "take JS"
        assert act("gold", "hand=KSKCKDQS2H4D6C8HAC9D upcard=JS") == "pass"


class TestSimpleThrows:
    def test_what_leaves_least(self) -> None:
        assert acts("simple", "hand=7H7C7D2S3S4S9C6D5SACKH upcard=8D") == {"discard KH": 80}

    def test_not_the_dearest_if_a_meld_needs_it(self) -> None:
        assert acts("simple", "hand=KSKCKD2S4S6C8D9HAC5HJH upcard=8S") == {"discard JH": 80}

    def test_exact_where_melds_collide(self) -> None:
        """rules.md's hand: greedy melding of all eleven leaves 11, the truth is 10."""
        hand = "4S3C6C4D5D6D2H4H5H6HAS"
        (action,) = {text.split()[0] for text in acts("simple", f"hand={hand} upcard=KD")}
        assert action == "knock"
        for text in acts("simple", f"hand={hand} upcard=KD"):
            assert deadwood(og.Hand(hand) - text.split()[1]) == 10

    def test_ties_at_random(self) -> None:
        thrown = acts("simple", "hand=KSQDJC7H7C7D2S3S4SAC9H upcard=5D", 300)
        assert thrown.keys() == {"discard KS", "discard QD", "discard JC"}
        assert all(60 < times < 140 for times in thrown.values())

    def test_the_same_seed_throws_the_same(self) -> None:
        position = "hand=KSQDJC7H7C7D2S3S4SAC9H upcard=5D"
        assert len({act("simple", position, seed=4) for _ in range(5)}) == 1

    def test_never_the_card_just_taken(self) -> None:
        """King, queen and jack leave the same, and the king has just been taken."""
        position = "hand=KSQDJC7H7C7D2S3S4SAC9H upcard=5D pile=5D taken=KS"
        assert acts("simple", position).keys() == {"discard QD", "discard JC"}
        back = "may_discard_taken=true"
        assert acts("simple", f"{position} {back}").keys() == {"discard QD", "discard JC"}

    def test_never_the_card_just_taken_even_if_that_alone_leaves_least(self) -> None:
        position = "hand=KS9D8C7H7C7D2S3S4SAC6H upcard=5D pile=5D taken=KS"
        assert acts("simple", position).keys() == {"discard 9D"}


class TestSimpleKnocks:
    @pytest.mark.parametrize(
        ("left", "points", "action"),
        [
            ("AC2D3H4C", 10, "knock KS"),  # the limit
            ("AC2D3H5C", 11, "discard KS"),  # one more
            ("AC2D3H3D", 9, "knock KS"),
        ],
    )
    def test_as_soon_as_it_may(self, left: str, points: int, action: str) -> None:
        hand = f"7H7C7D2S3S4S{left}"
        assert deadwood(og.Hand(hand)) == points
        assert act("simple", f"hand={hand}KS upcard=5D") == action

    def test_at_its_first_turn(self) -> None:
        assert act("simple", "hand=7H7C7D2S3S4S9C9D9HACKD upcard=5D") == "knock KD"

    def test_not_above_the_upcards_limit(self) -> None:
        view = og.View.from_position("rules=oklahoma hand=7H7C7D2S3S4S9C9D9H6CKD upcard=5D")
        assert str(og.agent("simple").act(view)) == "discard KD"

    def test_gins(self) -> None:
        assert act("simple", "hand=7H7C7D2S3S4S9C9D9H5SKD upcard=5D") == "gin KD"

    def test_knocks_low_rather_than_waiting_for_gin(self) -> None:
        """Any of four cards would gin next turn, and still it knocks."""
        assert act("simple", "hand=7H7C7D3S4S5S9C9D9HAHKD upcard=5D") == "knock KD"


class TestGoldDraws:
    @pytest.mark.parametrize(
        ("upcard", "takes"),
        [
            ("7H", True),  # 5-6-7 meld, and a ten goes
            ("AC", True),  # no meld, but a ten goes for it
            ("9H", True),  # one point less than a ten
            ("JH", False),  # as dear as what would go
        ],
    )
    def test_takes_what_lowers_deadwood(self, upcard: str, takes: bool) -> None:
        expected = f"take {upcard}" if takes else "pass"
        assert act("gold", f"hand={LOOSE} upcard={upcard}") == expected

    def test_draws_otherwise(self) -> None:
        assert act("gold", f"hand={LOOSE} upcard=3C pile=3C,2D,KH") == "draw"
        assert act("gold", f"hand={LOOSE} upcard=3C pile=3C,2D,3H") == "take 3H"


class TestGoldThrows:
    def test_the_dearest_of_what_leaves_least(self) -> None:
        """A king, a queen and a jack count the same: the highest goes, every time."""
        assert acts("gold", "hand=KSQDJC7H7C7D2S3S4SAC9H upcard=5D") == {"discard KS": 80}

    def test_exact_where_melds_collide(self) -> None:
        hand = "4S3C6C4D5D6D2H4H5H6HAS"
        kind, card = act("gold", f"hand={hand} upcard=KD").split()
        assert kind == "knock"
        assert deadwood(og.Hand(hand) - card) == 10

    def test_not_the_card_just_taken(self) -> None:
        position = "hand=KSQDJC7H7C7D2S3S4SAC9H upcard=5D pile=5D taken=KS"
        assert act("gold", position) == "discard QD"

    def test_knocks_at_once(self) -> None:
        assert act("gold", "hand=7H7C7D2S3S4S9C9D9HACKD upcard=5D") == "knock KD"

    def test_big_gin_where_it_is_played(self) -> None:
        hand = "hand=7H7C7D2S3S4S9C9D9H5S6S upcard=5D"
        assert act("gold", hand).startswith("gin ")
        view = og.View.from_position(f"rules=modern {hand}")
        assert str(og.agent("gold").act(view)) == "big gin"


@pytest.mark.parametrize("name", ["simple", "gold"])
@pytest.mark.parametrize("rules", PRESETS)
def test_throws_least_and_knocks_at_once_in_whole_deals(name: str, rules: str) -> None:
    """The reference counts what every throw would have left."""
    for seed in range(3):
        deal = og.Deal(rules, seed=seed)
        agent = og.agent(name, seed=seed)
        while deal.to_move is not None:
            view = deal.view(deal.to_move)
            action = agent.act(view)
            if view.phase == "throw" and action.card is not None:
                left = throws(view.hand)
                left.pop(view.taken, None)
                assert left[action.card] == min(left.values())
                assert (action.kind != "discard") == (min(left.values()) <= deal.limit)
            deal.apply(action)


def test_what_they_do_alike_and_what_not() -> None:
    """Out of the same deals: the same deadwood after every throw, another taste in draws."""
    takes = Counter[str]()
    for seed in range(40):
        deal = og.Deal(RULES, seed=seed)
        while deal.to_move is not None:
            view = deal.view(deal.to_move)
            simple, gold = (og.agent(name, seed=seed).act(view) for name in ("simple", "gold"))
            if view.phase == "throw":
                assert simple.kind == gold.kind
                assert og.deadwood(view.hand - simple.card) == og.deadwood(view.hand - gold.card)
            else:
                takes["simple"] += simple.kind == "take"
                takes["gold"] += gold.kind == "take"
            deal.apply(simple)
    assert takes["gold"] > 1.5 * takes["simple"]
