"""The levels: each leaves off errors of the one before, and is stronger for it.

What a level does is worked out by hand from its description; how strong it is, the ladder says.
The suite for every player is in test_agents.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from playing import EVERY_RULES, play

import okgin_fast as og
from okgin_fast.agents import LEVELS, named
from okgin_fast.agents.levels import SOUND
from okgin_fast.core.policy import Policy
from okgin_fast.rules import Rules

NAMES = ["beginner", "novice", "casual", "club", "strong", "master", "expert"]
AT_ONE_LOOK = NAMES[:-1]


def act(name: str, position: str, rules: str = "eaai", turn: int = 0) -> str:
    view = og.View.from_position(f"rules={rules} {position}")
    return str(og.agent(name).act(og.View._of_parts(**{**view._parts(), "turn": turn})))


class TestNames:
    def test_from_beginner_to_expert(self) -> None:
        assert list(LEVELS) == NAMES

    @pytest.mark.parametrize(("number", "name"), list(enumerate(NAMES, 1)))
    def test_numbers_are_names(self, number: int, name: str) -> None:
        assert named(number) is named(str(number)) is named(name) is LEVELS[name]
        assert type(og.agent(number)) is type(og.agent(name))

    @pytest.mark.parametrize(("number", "name"), list(enumerate(AT_ONE_LOOK, 1)))
    def test_its_own_words_give_its_number(self, number: int, name: str) -> None:
        assert (LEVELS[name].__doc__ or "").startswith(f"Level {number}: ")

    @pytest.mark.parametrize("wrong", [0, 8, -1, True, 4.0, None, "04", "Club", "", "1e9", [4]])
    def test_no_level(self, wrong: object) -> None:
        assert named(wrong) is None
        with pytest.raises(og.OkginError, match=r"is not a player; .*club.* number from 1 to 7"):
            og.agent(wrong)  # type: ignore[arg-type]

    @pytest.mark.parametrize("name", AT_ONE_LOOK)
    def test_only_the_expert_takes_a_limit(self, name: str) -> None:
        with pytest.raises(og.OkginError, match=f"player '{name}' takes no option 'limit'"):
            og.agent(name, limit=og.Limit(rollouts=1))
        og.agent("expert", limit=og.Limit(time_ms=0))
        og.agent(7, limit=og.Limit(rollouts=1))

    def test_the_expert_can_be_tuned_without_moving_the_others(self) -> None:
        assert SOUND.keys() == Policy().weights.keys()


class TestTakes:
    """Ten loose cards, three of them tens: a card without a meld saves ten points less its own."""

    HAND = "hand=2S9SKS4C8CQC7DTD5HAH"

    @pytest.mark.parametrize(
        ("card", "saved", "levels"),
        [
            ("JD", 0, 0),
            ("9D", 1, 2),  # beginner and novice take whatever lowers the count
            ("8H", 2, 2),
            ("7S", 3, 3),
            ("6S", 4, 4),
            ("5C", 5, 5),
            ("AC", 9, 5),  # the master never takes one without a meld
        ],
    )
    def test_without_a_meld(self, card: str, saved: int, levels: int) -> None:
        ten = og.Hand(self.HAND[5:])
        assert og.deadwood(ten) - og.discards(ten | card, taken=card)[0].deadwood == saved
        takes = [act(name, f"{self.HAND} upcard={card}") == f"take {card}" for name in AT_ONE_LOOK]
        assert takes == [True] * levels + [False] * (6 - levels)

    @pytest.mark.parametrize("name", AT_ONE_LOOK)
    def test_into_a_meld(self, name: str) -> None:
        assert act(name, "hand=2S9SKS4C8CQC6DTD5H6H upcard=7H") == "take 7H"


class TestKnocks:
    @pytest.mark.parametrize(
        ("name", "turns"),
        [
            ("beginner", 12),
            ("novice", 12),
            ("casual", 12),
            ("club", 12),
            ("strong", 6),
            ("master", 3),
        ],
    )
    def test_in_so_many_of_its_first_turns(self, name: str, turns: int) -> None:
        """Turn 0 is the first player's first one, turn 1 the other's."""
        position = "hand=7H7C7D2S3S4SQHQCQDKD9D upcard=5C"
        knocks = [act(name, position, turn=turn) == "knock KD" for turn in range(24)]
        assert knocks == [True] * 2 * turns + [False] * 2 * (12 - turns)

    @pytest.mark.parametrize("name", AT_ONE_LOOK)
    def test_gins_at_any_time(self, name: str) -> None:
        for turn in (0, 23):
            assert act(name, "hand=7H7C7D2S3S4S9C9D9H9SKD upcard=5C", "straight", turn) == "gin KD"

    @pytest.mark.parametrize("name", AT_ONE_LOOK)
    def test_not_above_the_upcards_limit(self, name: str) -> None:
        hand = "hand=7H7C7D2S3S4SQHQCQDKD2D"
        assert act(name, f"{hand} upcard=AS", "oklahoma").startswith("discard")
        assert act(name, f"{hand} upcard=2C", "oklahoma") == "knock KD"


class TestMemory:
    """Two kings are alike, but that a dead queen makes one of them safer to throw.

    Who does not remember her throws the other one, since spades come first.
    """

    HAND = "hand=7H7C7D2S3S4S9CTCJCKSKD"
    OTHERS = ("2C", "3D", "4H", "5C", "5D", "6S", "AH", "9H")

    def throws(self, name: str, later: int) -> str:
        pile = ["8S", "QD", *self.OTHERS[:later]]
        return act(name, f"{self.HAND} upcard=8S pile={','.join(pile)}", "straight")

    @pytest.mark.parametrize(
        ("name", "cards"), [("casual", 0), ("club", 2), ("strong", 5), ("master", 9)]
    )
    def test_of_the_last_cards_of_the_pile(self, name: str, cards: int) -> None:
        thrown = [self.throws(name, later) for later in range(9)]
        assert thrown == ["discard KD"] * cards + ["discard KS"] * (9 - cards)

    @pytest.mark.parametrize(("name", "knows"), [("casual", 0), ("club", 1), ("master", 1)])
    def test_of_what_the_other_side_took(self, name: str, knows: bool) -> None:
        position = f"{self.HAND} upcard=8S known=QS"
        assert act(name, position, "straight") == ("discard KD" if knows else "discard KS")

    @pytest.mark.parametrize(("name", "waits"), [("beginner", 1), ("novice", 1), ("master", 0)])
    def test_of_cards_that_cannot_come_any_more(self, name: str, waits: bool) -> None:
        """Two kings are held, and two lie in the pile."""
        position = "hand=7H7C7D2S3S4SKSKDAHACQC upcard=KC pile=KC,KH"
        thrown = act(name, position, "straight")
        assert thrown == ("discard QC" if waits else "discard KS")


def test_the_beginner_never_gives_up_on_dear_pairs() -> None:
    """Late in the deal, two kings or a loose three: from casual on, all let the points go."""
    position = "hand=7H7C7D2S3S4SKSKDAHAC3H upcard=8C"
    thrown = [act(name, position, "straight", turn=26) for name in AT_ONE_LOOK]
    assert thrown[0] == "discard 3H"
    assert all(text.startswith("discard K") for text in thrown[2:])


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
@pytest.mark.parametrize("name", AT_ONE_LOOK)
def test_always_legal(name: str, rules: Rules) -> None:
    agent = og.agent(name)
    for seed in range(8):
        for deal in play(og.Deal(rules, seed=seed), seed):
            if deal.to_move is not None:
                assert agent.act(deal.view(deal.to_move)) in deal.legal_actions()


@pytest.mark.parametrize("name", AT_ONE_LOOK)
def test_no_luck(name: str) -> None:
    for deal in play(og.Deal("oklahoma", seed=3), 3):
        if deal.to_move is not None:
            view = deal.view(deal.to_move)
            assert og.agent(name, seed=99).act(view) == og.agent(name).act(view)


@pytest.mark.parametrize("rules", ["eaai", "oklahoma"])
@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(AT_ONE_LOOK)))
def test_stronger_than_the_level_below(weaker: str, stronger: str, rules: str) -> None:
    """A smoke test; the measured ladder is `okgin arena`'s."""
    found = og.arena(LEVELS[stronger], LEVELS[weaker], rules, games=120, seed=4, workers=1)
    assert found.share.mean > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["eaai", "oklahoma"])
def test_the_expert_is_stronger_than_the_master(rules: str) -> None:
    found = og.arena(LEVELS["expert"], LEVELS["master"], rules, games=400, seed=4)
    assert found.share.low > 0.5
