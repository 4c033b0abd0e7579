"""One suite for every player, and what the public baselines do."""

import copy
from collections.abc import Iterator

import pytest
from hidden import resampled

import okgin_fast as og
from okgin_fast.agents import AGENTS
from okgin_fast.rules import PRESETS

QUICK = {"expert": {"limit": og.Limit(rollouts=8)}}


def player(name: str, seed: int = 1) -> og.Agent:
    return og.agent(name, seed=seed, **QUICK.get(name, {}))


def decisions(name: str, rules: str, seed: int) -> Iterator[tuple[og.Deal, og.Action]]:
    """Every position of one deal that the player plays on both sides, and what he does in it."""
    deal, agent = og.Deal(rules, seed=seed), player(name)
    while deal.to_move is not None:
        action = agent.act(deal.view(deal.to_move))
        yield deal, action
        deal.apply(action)


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", AGENTS)
class TestEveryPlayer:
    def test_plays_legal_actions_to_the_end(self, name: str, rules: str) -> None:
        for seed in range(3):
            for deal, action in decisions(name, rules, seed):
                assert action in deal.legal_actions()

    def test_sees_no_hidden_card(self, name: str, rules: str) -> None:
        """The other hand's unknown cards and the stock change places: the decision stays."""
        for deal, action in decisions(name, rules, 5):
            me = deal.to_move
            assert player(name).act(resampled(deal, me).view(me)) == action

    def test_same_seed_same_action_and_no_memory(self, name: str, rules: str) -> None:
        agent = player(name)
        for deal, action in decisions(name, rules, 8):
            view = deal.view(deal.to_move)
            assert agent.act(view) == action
            assert copy.deepcopy(agent).act(view) == action

    def test_refuses_to_act_out_of_turn(self, name: str, rules: str) -> None:
        """Case R107."""
        deal = og.Deal(rules, seed=1)
        with pytest.raises(og.IllegalActionError, match="turn of seat 1"):
            player(name).act(deal.view(0))
        for _ in decisions(name, rules, 1):
            pass
        while deal.to_move is not None:
            deal.apply(player("gold").act(deal.view(deal.to_move)))
        with pytest.raises(og.IllegalActionError, match="deal is over"):
            player(name).act(deal.view(0))


def test_unknown_player() -> None:
    with pytest.raises(og.OkginError, match="'wizard' is not a player; allowed: random, simple"):
        og.agent("wizard")


def act(name: str, position: str, rules: str = "eaai") -> str:
    return str(player(name).act(og.View.from_position(f"rules={rules} {position}")))


class TestSimple:
    """research.md: "takes the upcard only if it makes a meld with it, throws the card that leaves
    least deadwood (ties at random, never the card just taken), knocks as soon as it may".
    """

    def test_takes_into_a_meld_only(self) -> None:
        hand = "hand=2S 9S KS 4C 8C QC 6D TD 5H 6H"
        assert act("simple", f"{hand} upcard=7H") == "take 7H"
        assert act("simple", f"{hand} upcard=AC") == "pass"

    def test_takes_into_a_meld_even_if_it_lowers_nothing(self) -> None:
        hand = "hand=5S 6S 7S 5C 5D 2H 9H JH KC QD"
        assert act("simple", f"{hand} upcard=5H") == "take 5H"

    def test_ties_at_random_never_the_card_taken(self) -> None:
        position = "rules=eaai hand=KS QD JC 7H 7C 7D 2S 3S 4S AC 9H upcard=5D"
        view = og.View.from_position(position)
        thrown = {str(og.agent("simple", seed=seed).act(view)) for seed in range(60)}
        assert thrown == {"discard KS", "discard QD", "discard JC"}

    def test_knocks_at_once(self) -> None:
        assert act("simple", "hand=7H 7C 7D 2S 3S 4S 9C 9D 9H AC KD upcard=5D") == "knock KD"


class TestGold:
    """research.md: "exact melds, draw and throw to minimise deadwood, knock at once"."""

    def test_takes_whatever_lowers_deadwood(self) -> None:
        hand = "hand=2S 9S KS 4C 8C QC 6D TD 5H 6H"
        assert act("gold", f"{hand} upcard=7H") == "take 7H"
        assert act("gold", f"{hand} upcard=AC") == "take AC"
        assert act("gold", f"{hand} upcard=KH") == "pass"

    def test_throws_the_dearest_of_what_leaves_least(self) -> None:
        assert act("gold", "hand=KS QD JC 7H 7C 7D 2S 3S 4S AC 9H upcard=5D") == "discard KS"

    def test_gins_and_big_gins(self) -> None:
        hand = "hand=7H 7C 7D 2S 3S 4S 9C 9D 9H 5S 6S"
        assert act("gold", f"{hand} upcard=5D").startswith("gin ")
        assert act("gold", f"{hand} upcard=5D", rules="modern") == "big gin"


class TestExpert:
    def test_gins_rather_than_throws(self) -> None:
        assert act("expert", "hand=7H 7C 7D 2S 3S 4S 9C 9D 9H 5S KD upcard=5D") == "gin KD"

    def test_without_time_it_still_plays(self) -> None:
        deal = og.Deal("oklahoma", seed=3)
        agent = og.agent("expert", limit=og.Limit(time_ms=0))
        while deal.to_move is not None:
            deal.apply(agent.act(deal.view(deal.to_move)))
        assert deal.result is not None

    def test_beats_simple_more_often_than_not(self) -> None:
        """A smoke test; the measured strength is `okgin arena`'s."""
        won = 0
        for seed in range(12):
            expert, simple = og.agent("expert", limit=og.Limit(rollouts=64)), og.agent("simple")
            won += og.play_match(expert, simple, "eaai", seed).winner == 0
            won += og.play_match(simple, expert, "eaai", seed).winner == 1
        assert won >= 13
