"""Our players as OpenSpiel bots."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

import okgin_fast as og
from okgin_fast.adapters.openspiel import Bridge, OpenSpielBot
from okgin_fast.adapters.openspiel.ids import DRAW_STOCK, KNOCK, PASS, game_of, new_state
from okgin_fast.agents import AGENTS
from okgin_fast.rules import PRESETS

GAME = game_of(PRESETS["open-spiel"])
THEIRS: dict[str, Callable[[int, int], Any]] = {
    "random": pyspiel.make_uniform_random_bot,
    "simple": lambda player, seed: pyspiel.make_simple_gin_rummy_bot(GAME.get_parameters(), player),
}


def player(name: str, seed: int) -> og.Agent:
    options = {"limit": og.Limit(rollouts=4)} if name == "expert" else {}
    return og.agent(name, seed=seed, **options)


class Watched(OpenSpielBot):
    """Checks what the bot plays, and counts it by phase."""

    played: Counter[str]

    def step(self, state: Any) -> int:
        number = super().step(state)
        assert number in state.legal_actions()
        self.played[str(state.current_phase()).removeprefix("Phase.")] += 1
        return number


def series(name: str, other: str, deals: range) -> Counter[str]:
    """Play deals in both seats against one of OpenSpiel's bots; what was played, by phase."""
    played: Counter[str] = Counter()
    for seed in deals:
        me = seed % 2
        bot = Watched(player(name, seed), me)
        bot.played = played
        bots = [bot, THEIRS[other](1 - me, seed)]
        pyspiel.evaluate_bots(new_state(GAME), bots if me == 0 else bots[::-1], seed)
    return played


@pytest.mark.parametrize("other", THEIRS)
@pytest.mark.parametrize("name", AGENTS)
def test_no_illegal_action(name: str, other: str) -> None:
    played = series(name, other, range(24))
    assert {"FIRST_UPCARD", "DRAW", "DISCARD"} <= played.keys()
    assert {"KNOCK", "LAYOFF", "WALL"} & played.keys()


@pytest.mark.slow
@pytest.mark.parametrize("other", THEIRS)
@pytest.mark.parametrize("name", AGENTS)
def test_no_illegal_action_in_thousands_of_deals(name: str, other: str) -> None:
    series(name, other, range(1000, 1500 if name == "expert" else 3000))


class Seen:
    """A player who remembers what it saw, and plays like another."""

    def __init__(self, agent: og.Agent) -> None:
        self.agent = agent
        self.views: list[og.View] = []

    def act(self, view: og.View) -> og.Action:
        self.views.append(view)
        return self.agent.act(view)


def test_the_player_sees_its_view_at_our_table() -> None:
    """Both tables side by side; the bot's player sees at OpenSpiel's what it would see at ours."""
    for seed in range(15):
        bridge = Bridge(og.Deal("open-spiel", seed=seed, dealer=1))
        seats = [Seen(og.agent("gold")), Seen(og.agent("simple", seed=seed))]
        bots = [OpenSpielBot(seat, number) for number, seat in enumerate(seats)]
        while not bridge.over:
            seat = bridge.deal.to_move
            number = bots[seat].step(bridge.state)
            assert seats[seat].views[-1] == bridge.deal.view(seat)
            action = seats[seat].agent.act(bridge.deal.view(seat))
            assert number == {"take": 52, "draw": 53, "pass": 54, "discard": action.card}.get(
                action.kind, KNOCK
            )
            bridge.apply(action)


def test_the_player_sees_no_hidden_card() -> None:
    """OpenSpiel deals the hidden cards anew: the bot does the same."""
    rng = random.Random(1)
    state = dealt(range(21))
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
            continue
        bot = OpenSpielBot(player("expert", 1), state.current_player())
        number = bot.step(state)
        other = state.resample_from_infostate(state.current_player(), rng.random)
        assert OpenSpielBot(player("expert", 1), state.current_player()).step(other) == number
        state.apply_action(number)


def test_points_as_at_our_table() -> None:
    """A deal comes to the same at both tables, if no wall is reached."""
    compared = 0
    for seed in range(60):
        deal = og.Deal("open-spiel", seed=seed, dealer=1)
        state = dealt([*deal.hand(0), *deal.hand(1), deal.upcard])
        stock = iter(deal.stock)
        agents = [og.agent("gold"), og.agent("simple", seed=seed)]
        bots = [OpenSpielBot(agent, seat) for seat, agent in enumerate(agents)]
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(int(next(stock)))
            else:
                state.apply_action(bots[state.current_player()].step(state))
        while deal.to_move is not None:
            deal.apply(agents[deal.to_move].act(deal.view(deal.to_move)))
        if deal.result.kind != "dead":
            won = deal.result.points * {0: 1, 1: -1, None: 0}[deal.result.winner]
            assert state.returns() == [won, -won]
            compared += 1
    assert compared > 50


def dealt(cards: Any) -> Any:
    """A state after the deal of 21 cards: player 0's hand, player 1's, the upcard."""
    state = new_state(GAME)
    for card in cards:
        state.apply_action(int(card))
    return state


def after_draw(hand: str, other: str, upcard: str, drawn: str) -> Any:
    """Both have passed and player 0 has drawn."""
    state = dealt([*og.Hand(hand), *og.Hand(other), og.Card(upcard)])
    for number in (PASS, PASS, DRAW_STOCK, int(og.Card(drawn))):
        state.apply_action(number)
    return state


def played(state: Any, agents: list[og.Agent]) -> list[str]:
    """Play on to the end, nothing being drawn; what was done, in OpenSpiel's words."""
    bots = [OpenSpielBot(agent, number) for number, agent in enumerate(agents)]
    said = []
    while not state.is_terminal():
        player = state.current_player()
        number = bots[player].step(state)
        said.append(state.action_to_string(player, number).replace("Player: ", "")[0:2].strip())
        said[-1] += state.action_to_string(player, number).partition("Action:")[2]
        state.apply_action(number)
    return said


GOLD = [og.agent("gold"), og.agent("gold")]


class TestShowdown:
    def test_knock_throw_melds_lay_offs_melds(self) -> None:
        state = after_draw("7H7C7D2S3S4S9C9D9HAC", "5S6SKHKCKD8C3D4DQSJH", "TC", "KS")
        assert played(state, GOLD) == [
            "0 Knock", "0 Ks", "0 2s3s4s", "0 7c7d7h", "0 9c9d9h", "0 Pass",
            "1 5s", "1 6s", "1 Pass", "1 KcKdKh", "1 Pass",
        ]  # fmt: skip
        assert state.returns() == [8 + 3 + 4 + 10 + 10 - 1, -(8 + 3 + 4 + 10 + 10 - 1)]

    def test_no_lay_offs_on_gin_but_melds(self) -> None:
        state = after_draw("7H7C7D2S3S4S9C9D9H9S", "5S6SKHKCKD8C3D4DQSJH", "TC", "KS")
        assert played(state, GOLD)[-3:] == ["0 Pass", "1 KcKdKh", "1 Pass"]
        assert state.returns()[0] == 25 + 5 + 6 + 8 + 3 + 4 + 10 + 10

    def test_a_long_run_is_laid_in_parts_and_grows_at_both_ends(self) -> None:
        state = after_draw("3S4S5S6S7S8S9SAC2D4H", "2STSKHKCKD8C3D4DQSJH", "TC", "QC")
        assert played(state, GOLD) == [
            "0 Knock", "0 Qc", "0 3s4s5s6s", "0 7s8s9s", "0 Pass",
            "1 2s", "1 Ts", "1 Pass", "1 KcKdKh", "1 Pass",
        ]  # fmt: skip

    def test_a_named_spread_is_laid(self) -> None:
        class Named:
            def act(self, view: og.View) -> og.Action:
                return og.Action("knock", "KS", ["7H7C7D", "2S3S4S"])

        state = after_draw("7H7C7D2S3S4S2C2D2HAC", "5S6SKHKCKD8C3D4DQSJH", "TC", "KS")
        said = played(state, [Named(), og.agent("gold")])
        assert said[:5] == ["0 Knock", "0 Ks", "0 7c7d7h", "0 2s3s4s", "0 Pass"]

    def test_somebody_else_has_knocked_for_the_bot(self) -> None:
        state = after_draw("7H7C7D2S3S4S9C9D9HAC", "5S6SKHKCKD8C3D4DQSJH", "TC", "KS")
        state.apply_action(KNOCK)
        assert played(state.clone(), GOLD)[:2] == ["0 Ks", "0 2s3s4s"]
        state.apply_action(int(og.Card("KS")))
        assert played(state, GOLD)[0] == "0 2s3s4s"
        assert state.returns()[0] == 34

    def test_a_knock_that_openspiel_refuses_is_a_throw(self) -> None:
        """rules.md: of these eleven OpenSpiel says 11, the truth is 10."""
        state = after_draw("4S3C6C4D5D6D2H4H5H6H", "5S7SKHKCKD8C3D7DQSJH", "TC", "AS")
        assert KNOCK not in state.legal_actions()
        view = og.View.from_position("rules=eaai hand=4S3C6C4D5D6D2H4H5H6HAS upcard=TC")
        wanted = og.agent("gold").act(view)
        assert wanted.kind == "knock"
        assert OpenSpielBot(og.agent("gold"), 0).step(state) == wanted.card


class TestWall:
    """At two cards in the stock the next player may knock with the last throw, or pass."""

    @staticmethod
    def wall(hand: str, last: str) -> Any:
        """Both pass, then throw whatever they draw; the 29th card drawn is the last throw."""
        other = "5S6SKHKCKD8C3D4DQSJH"
        state = dealt([*og.Hand(other), *og.Hand(hand), og.Card("TC")])
        rest = og.Hand((1 << 52) - 1) - hand - other - ["TC", last]
        for number in (PASS, PASS):
            state.apply_action(number)
        for card in [*list(rest)[:28], og.Card(last)]:
            for number in (DRAW_STOCK, int(card), int(card)):
                state.apply_action(number)
        assert str(state.current_phase()) == "Phase.WALL"
        assert state.current_player() == 1
        return state

    def test_knocks_if_the_player_would(self) -> None:
        state = self.wall("7H7C7D2S3S4S9C9DACTS", "9H")
        assert played(state, GOLD)[:5] == ["1 Knock", "1 Ts", "1 2s3s4s", "1 7c7d7h", "1 9c9d9h"]
        assert state.returns()[1] == 8 + 3 + 4 + 10 + 10 - 1

    def test_passes_if_the_player_would_not(self) -> None:
        class Thrower:
            def act(self, view: og.View) -> og.Action:
                assert og.Action("knock", "TS") in view.legal_actions()
                assert (view.taken, view.stock, view.rules.wall_size) == (og.Card("9H"), 2, 2)
                return og.Action("discard", "TS")

        state = self.wall("7H7C7D2S3S4S9C9DACTS", "9H")
        assert played(state, [Thrower(), Thrower()]) == ["1 Pass"]
        assert state.returns() == [0, 0]

    def test_passes_if_it_must(self) -> None:
        assert played(self.wall("7H7C7D2S3S4S9C9DACTS", "JS"), GOLD) == ["1 Pass"]


def test_another_deal_without_a_restart() -> None:
    """What is left of a plan for one deal is not played in another."""
    bot = OpenSpielBot(og.agent("gold"), 0)
    cards = ("7H7C7D2S3S4S9C9D9HAC", "5S6SKHKCKD8C3D4DQSJH", "TC", "KS")
    assert bot.step(after_draw(*cards)) == KNOCK
    assert bot.step(after_draw("KHKCKD8C3D4DQSJH5S6S", cards[0], "TC", "2C")) == int(og.Card("QS"))


def test_games_with_other_parameters() -> None:
    for parameters in ({"knock_card": 0}, {"knock_card": 10, "gin_bonus": 20}, {"oklahoma": True}):
        game = pyspiel.load_game("gin_rummy", parameters)
        bots = [OpenSpielBot(og.agent("gold"), 0), OpenSpielBot(og.agent("simple"), 1)]
        for seed in range(5):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


class TestBadInput:
    @pytest.mark.parametrize("number", [2, -1, "0", True, None])
    def test_a_player_is_0_or_1(self, number: object) -> None:
        with pytest.raises(og.IllegalActionError, match="must be 0 or 1"):
            OpenSpielBot(og.agent("gold"), number)

    def test_out_of_turn(self) -> None:
        with pytest.raises(og.IllegalActionError, match="player 1 has nothing to do: player 0 is"):
            OpenSpielBot(og.agent("gold"), 1).step(dealt(range(21)))

    def test_another_game(self) -> None:
        state = pyspiel.load_game("gin_rummy(hand_size=7)").new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        with pytest.raises(og.RulesError, match="must be gin_rummy with"):
            OpenSpielBot(og.agent("gold"), 0).step(state)

    def test_a_player_who_plays_what_is_not_legal(self) -> None:
        class Wrong:
            def act(self, view: og.View) -> og.Action:
                return og.Action("draw")

        with pytest.raises(og.IllegalActionError, match="'draw' is not possible"):
            OpenSpielBot(Wrong(), 0).step(dealt(range(21)))
