"""OpenSpiel's bots as our players."""

import copy
import random
import sys
from collections.abc import Callable, Iterator

import pytest

pyspiel = pytest.importorskip("pyspiel")

from playing import EVERY_RULES, play
from test_agents import resampled

import okgin_fast as og
from okgin_fast.adapters import openspiel
from okgin_fast.adapters.openspiel.ids import game_of, new_state
from okgin_fast.adapters.openspiel.states import deal_of, state_of
from okgin_fast.core.view import View
from okgin_fast.rules import PRESETS

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
MAKERS = {
    "simple": openspiel.simple,
    "random": openspiel.random,
    "ismcts": lambda seed=0: openspiel.ismcts(seed, simulations=2),
}


def decisions(make: Callable[..., og.Agent], rules: og.Rules, seed: int) -> Iterator[og.Deal]:
    """Every position of a deal in which the player decides, on one side against `simple`."""
    deal = og.Deal(rules, seed=seed, dealer=seed % 2)
    agents = [make(seed=1), og.agent("simple", seed=seed)]
    while deal.to_move is not None:
        action = agents[deal.to_move].act(deal.view(deal.to_move))
        assert action in deal.legal_actions()
        if deal.to_move == 0:
            yield deal
        deal.apply(action)


@pytest.mark.parametrize("rules", EVERY_RULES)
@pytest.mark.parametrize("name", ["simple", "random"])
def test_plays_legal_actions_to_the_end(name: str, rules: str) -> None:
    played = [list(decisions(MAKERS[name], EVERY_RULES[rules], seed)) for seed in range(3)]
    assert any(played)


@pytest.mark.parametrize("name", MAKERS)
class TestEveryBot:
    @pytest.mark.parametrize("rules", ["oklahoma", "standard"])
    def test_sees_no_hidden_card(self, name: str, rules: str) -> None:
        """The other hand's unknown cards and the stock change places: the decision stays."""
        for deal in decisions(MAKERS[name], PRESETS[rules], 5):
            view = deal.view(0)
            if len(view.unseen) < 15:
                break
            action = MAKERS[name](seed=1).act(view)
            assert MAKERS[name](seed=1).act(resampled(deal, 0).view(0)) == action

    def test_same_seed_same_action_and_no_memory(self, name: str) -> None:
        agent = MAKERS[name](seed=7)
        for deal in decisions(MAKERS[name], PRESETS["eaai"], 8):
            view = deal.view(0)
            assert (
                agent.act(view) == copy.deepcopy(agent).act(view) == MAKERS[name](seed=7).act(view)
            )

    def test_refuses_to_act_out_of_turn(self, name: str) -> None:
        with pytest.raises(og.IllegalActionError, match="turn of seat 1"):
            MAKERS[name]().act(og.Deal("oklahoma", seed=1).view(0))


def test_another_seed_another_player() -> None:
    view = og.View.from_position("rules=eaai hand=7H7C7D2S3S9C9D4HJCACKD upcard=5D")
    assert len({openspiel.random(seed=seed).act(view) for seed in range(20)}) > 5


def test_a_bot_of_ones_own() -> None:
    class Last(pyspiel.Bot):
        def step(self, state):  # type: ignore[no-untyped-def]
            return state.legal_actions()[-1]

    agent = openspiel.OpenSpielAgent(lambda game, player, seed: Last())
    deal = og.Deal("eaai", seed=3)
    assert str(agent.act(deal.view(1))) == "pass"
    view = og.View.from_position("rules=eaai hand=7H7C7D2S3S4S9C9D9HACKD upcard=5D")
    assert str(agent.act(view)) == "knock KD"


@pytest.mark.parametrize("seed", [-1, 1 << 64, "1", True, None])
def test_bad_seeds(seed: object) -> None:
    for make in (openspiel.simple, openspiel.random, openspiel.ismcts):
        with pytest.raises(og.OkginError, match=r"a seed is a whole number from 0 to 2\*\*64 - 1"):
            make(seed=seed)


@pytest.mark.parametrize("simulations", [0, -3, 2.5, "many", True])
def test_bad_simulations(simulations: object) -> None:
    with pytest.raises(og.OkginError, match="must be a whole number from 1 up"):
        openspiel.ismcts(simulations=simulations)


def act(agent: og.Agent, position: str) -> str:
    return str(agent.act(og.View.from_position(position)))


class TestOtherRules:
    """OpenSpiel's rules are not always those of the table: what is played is legal here."""

    def test_knock_limits_of_every_deal(self) -> None:
        hand = "hand=7H7C7D2S3S4S9C9D9HACKD"
        assert act(openspiel.simple(), f"rules=oklahoma {hand} upcard=AD") == "knock KD"
        assert act(openspiel.simple(), f"rules=oklahoma-bicycle {hand} upcard=AD") == "discard KD"

    def test_a_card_just_taken_is_not_thrown_back(self) -> None:
        """The dearest card outside its melds is the king; of the others the nine leaves least."""
        cards = "hand=7H7C7D2S3S4S9C5D5SACKH upcard=5H pile=5H taken=KH"
        back = "may_discard_taken=true"
        assert act(openspiel.simple(), f"rules=eaai {cards} {back}") == "discard KH"
        assert act(openspiel.simple(), f"rules=eaai {cards}") == "discard 9C"
        thrown = {act(openspiel.random(seed), f"rules=eaai {cards}") for seed in range(60)}
        assert "discard KH" not in thrown
        assert len(thrown) > 5

    def test_a_knock_by_throwing_back_is_one_with_another_card_if_that_leaves_little(self) -> None:
        cards = "hand=7H7C7D2S3S4S9C9D9H4DKH upcard=5H pile=5H taken=KH"
        assert act(openspiel.simple(), f"rules=eaai may_discard_taken=true {cards}") == "knock KH"
        assert act(openspiel.simple(), f"rules=eaai {cards}") == "knock 4D"

    def test_big_gin(self) -> None:
        hand = "hand=7H7C7D2S3S4S9C9D9H5S6S upcard=5D"
        assert act(openspiel.simple(), f"rules=modern {hand}") == "big gin"
        assert act(openspiel.simple(), f"rules=eaai {hand}").startswith("gin ")

    def test_a_knock_that_openspiel_refuses(self) -> None:
        """rules.md: of these eleven it says 11 at best, the truth is 10."""
        hand = "4S 3C 6C 4D 5D 6D 2H 4H 5H 6H AS"
        assert UTILS.min_deadwood([int(card) for card in og.Hand(hand)]) == 11
        assert og.discards(hand)[0].deadwood == 10
        assert act(og.agent("simple"), f"rules=eaai hand={hand} upcard=KD").startswith("knock")
        assert act(openspiel.simple(), f"rules=eaai hand={hand} upcard=KD").startswith("discard")

    @pytest.mark.parametrize("bonus", [0, 10, 10_000])
    def test_the_bonuses_of_the_table(self, bonus: int) -> None:
        rules = og.Rules.preset("oklahoma", gin_bonus=bonus)
        state = state_of(og.Deal(rules, seed=1, dealer=1).view(0), seed=1)
        assert state.get_game().get_parameters()["gin_bonus"] == bonus

    def test_its_simple_bot_is_mended(self) -> None:
        """At our table it melds against gin and lays off: settlement does it for the defender."""
        defender = "AC 2C 3C 4H 5H 6H 8S TD JD QD"
        against_gin = og.settle("7H 7C 7D 2S 3S 4S 9C 9D 9H TH", defender, "eaai")
        assert against_gin.defender_deadwood == 8
        assert og.settle("7H 7C 7D 5S 6S 7S 9C 9D 9H AD", defender, "eaai").layoff.laid_off == (
            (og.Card("8S"), 0),
        )


class TestStates:
    """What `state_of` makes shows what the view shows."""

    @pytest.mark.parametrize("history", [True, False], ids=["with history", "without"])
    @pytest.mark.parametrize("rules", EVERY_RULES)
    def test_shows_what_the_view_shows(self, rules: str, history: bool) -> None:
        for seed in range(4):
            deals = play(og.Deal(EVERY_RULES[rules], seed=seed, dealer=seed % 2), seed)
            for number, deal in enumerate(deals):
                # The first actions are as many kinds of history; later ones are alike.
                if len(deal.legal_actions()) < 2 or (number > 12 and number % 9):
                    continue
                view = deal.view(deal.to_move)
                if not history:
                    view = View._of_parts(**{**view._parts(), "actions": ()})
                self.check(view, state_of(view, seed=3))

    def check(self, view: og.View, state: object) -> None:
        player = state.current_player()
        phase = str(state.current_phase()).removeprefix("Phase.")
        assert phase == {"upcard": "FIRST_UPCARD", "draw": "DRAW", "throw": "DISCARD"}[view.phase]
        assert og.Hand(state.hands()[player]) == view.hand
        assert state.knock_card() == view.limit
        top = state.upcard()
        pile = [*state.discard_pile(), *([] if top is None else [top])]
        missing = len(view.pile) - len(pile)
        assert pile == [int(card) for card in view.pile[missing:]]
        assert state.stock_size() == view.stock + missing
        assert not missing or state.stock_size() == 2 + (view.phase == "draw" or bool(view.taken))
        known = og.Hand(state.known_cards()[1 - player])
        if view.known or len(pile) > 1 or view.phase != "draw":
            assert known == view.known
        else:  # he must have taken the upcard, and nobody says what it was
            assert len(known) <= 1

    def test_the_history_is_the_views(self) -> None:
        """Who drew what cannot be seen, everything else can: takes, passes and throws."""
        for deal in play(og.Deal("oklahoma", seed=6), 6):
            if deal.to_move is None or len(deal.legal_actions()) < 2:
                continue
            state = state_of(deal.view(deal.to_move), seed=1)
            assert [str(action) for action in deal_of(state).actions] == [
                str(action) for action in deal.actions
            ]

    def test_depends_on_the_seed_and_the_view_alone(self) -> None:
        deal = og.Deal("oklahoma", seed=6)
        states = [state_of(deal.view(1), seed=seed) for seed in (1, 1, 2)]
        assert states[0].history() == states[1].history() != states[2].history()


class TestAgainstTheBotItself:
    def test_its_simple_bot_decides_alike_at_both_tables(self) -> None:
        """Two of its bots play at its table; at ours each would have done the same."""
        compared = 0
        for seed in range(12):
            game = game_of(PRESETS["open-spiel"])
            state, rng = new_state(game), random.Random(seed)
            bots = [
                pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), player)
                for player in (0, 1)
            ]
            while str(state.current_phase()) not in (
                "Phase.KNOCK",
                "Phase.WALL",
                "Phase.GAME_OVER",
            ):
                if state.is_chance_node():
                    state.apply_action(rng.choice(state.legal_actions()))
                    continue
                player = state.current_player()
                number = bots[player].step(state)
                if len(state.legal_actions()) > 1:
                    action = openspiel.simple().act(deal_of(state).view(player))
                    kinds = {52: "take", 53: "draw", 54: "pass", 55: "knock"}
                    wanted = kinds.get(number, f"discard {og.Card(number % 52)}")
                    assert str(action).replace("gin", "knock").startswith(wanted)
                    compared += 1
                state.apply_action(number)
        assert compared > 150

    def test_its_simple_bot_may_leave_more_than_ours(self) -> None:
        """Ours throws what leaves least; its bot melds all eleven first, then drops the dearest."""
        rng, more = random.Random(1), 0
        for _ in range(300):
            width = rng.choice([5, 13])
            hand = og.Hand(rng.sample([card for card in range(52) if card % 13 < width], 11))
            view = og.View.from_position(rules="straight", hand=hand, upcard=hand_off(hand))
            left = [
                og.deadwood(hand - player.act(view).card)
                for player in (openspiel.simple(), og.agent("simple"))
            ]
            assert left[1] == og.discards(hand)[0].deadwood <= left[0]
            more += left[1] < left[0]
        assert 0 < more < 30


def hand_off(hand: og.Hand) -> og.Card:
    """A card that is not in the hand."""
    return next(card for card in map(og.Card, range(51, -1, -1)) if card not in hand)


def test_without_openspiel_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("okgin_fast.adapters.openspiel")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(
        og.OkginError, match=r"^pyspiel is not installed: pip install 'okgin_fast\["
    ):
        __import__("okgin_fast.adapters.openspiel")
