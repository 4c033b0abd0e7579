"""Our players in RLCard's environment, RLCard's player at our table."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rlcard")

import rlcard
from playing import EVERY_RULES, play

import okgin_fast as og
from okgin_fast import Action, Deal, Hand, View
from okgin_fast.adapters.rlcard import RULES, NoviceAgent, RLCardPlayer, novice
from okgin_fast.rules import Rules

GIN, DEAD = 5, 4


class Anything:
    """RLCard's random player; its own module runs pip when it is imported."""

    use_raw = False

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def step(self, state: Mapping[str, Any]) -> int:
        return self.rng.choice(list(state["legal_actions"]))

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


class Checked:
    """Looks over a player's shoulder: every action is among those that RLCard allows."""

    use_raw = False

    def __init__(self, player: Any) -> None:
        self.player = player
        self.asked = 0

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        only = {key: state[key] for key in ("obs", "legal_actions")}  # it is given nothing else
        action, info = self.player.eval_step(only)
        assert type(action) is int
        assert action in state["legal_actions"]
        self.asked += 1
        if self.asked % 10 == 0:
            assert self.player.step(state) == action
        return action, info


class Remembering:
    """An agent of ours that keeps the views it was asked about."""

    def __init__(self, agent: og.Agent) -> None:
        self.agent = agent
        self.views: list[View] = []

    def act(self, view: View) -> Action:
        self.views.append(view)
        return self.agent.act(view)


def table(seed: int) -> Any:
    return rlcard.make("gin-rummy", {"seed": seed})


AGENTS = {
    "simple": lambda: og.agent("simple", seed=1),
    "gold": lambda: og.agent("gold"),
    "expert": lambda: og.agent("expert", seed=1, limit=og.Limit(rollouts=4)),
}


@pytest.mark.parametrize("name", AGENTS)
def test_our_players_play_200_deals_there_and_beat_the_random_player(name: str) -> None:
    env, ours, total = table(2), Checked(RLCardPlayer(AGENTS[name]())), np.zeros(2)
    for number in range(200):
        seats = [ours, Anything(number)]
        order = 1 if number % 2 == 0 else -1
        env.set_agents(seats[::order])
        _, payoffs = env.run()
        total += payoffs[::order]
    assert ours.asked > 1_000
    # Gin is 1 and a knock 0.2; who does neither pays a hundredth of his deadwood.
    assert total[0] > 30
    assert total[1] < -30


def states(env: Any, seed: int) -> Iterator[dict[str, Any]]:
    """Play a random deal and give the state of whoever is on turn."""
    rng = random.Random(seed)
    state, _ = env.reset()
    while not env.is_over():
        yield state
        state, _ = env.step(rng.choice(list(state["legal_actions"])))


def ours(card: Any) -> og.Card:
    """The card with the same name."""
    return og.Card(str(card))


def test_a_view_is_what_the_player_on_turn_knows() -> None:
    env, phases, taken = table(3), set(), 0
    for seed in range(12):
        for state in states(env, seed):
            me = env.game.round.current_player_id
            player, opponent = env.game.round.players[me], env.game.round.players[1 - me]
            dealer = env.game.round.dealer
            agent = Remembering(og.agent("random"))
            RLCardPlayer(agent).step(state)
            if len(state["legal_actions"]) == 1 or DEAD in state["legal_actions"]:
                continue
            (view,) = agent.views
            assert view.hand == Hand(map(ours, player.hand))
            assert set(view.pile) == set(map(ours, dealer.discard_pile))
            assert view.pile[-1:] == tuple(map(ours, dealer.discard_pile[-1:]))
            assert view.known == Hand(map(ours, opponent.known_cards))
            assert view.stock == len(dealer.stock_pile)
            assert view.phase == ("throw" if len(player.hand) == 11 else "draw")
            assert (view.seat, view.to_move, view.limit, view.rules) == (0, 0, 10, RULES)
            last = env.game.round.move_sheet[-1]
            if type(last).__name__ == "PickupDiscardMove":
                assert view.taken == ours(last.card)
                taken += 1
            else:
                assert view.taken is None
            phases.add(view.phase)
    assert phases == {"draw", "throw"}
    assert taken > 10


def test_what_is_legal_there_is_legal_in_the_view() -> None:
    """The player may do what RLCard allows, but for knocking with the card just taken."""
    env, rng, knocks = table(4), random.Random(4), 0
    good, anything = RLCardPlayer(og.agent("gold")), Anything(4)
    for _ in range(40):
        state, mover = env.reset()
        while not env.is_over():
            legal = set(state["legal_actions"])
            agent = Remembering(og.agent("gold"))
            RLCardPlayer(agent).step(state)
            if agent.views and DEAD not in legal:
                view = agent.views[0]
                rlcard_id = {"draw": lambda _: 2, "take": lambda _: 3}
                found = set()
                for action in view.legal_actions():
                    assert action.kind in ("draw", "take", "discard", "knock")
                    if action.kind in rlcard_id:
                        found.add(rlcard_id[action.kind](action))
                    else:
                        first = 6 if action.kind == "discard" else 58
                        card = "SHDC".index(str(action.card)[1]) * 13 + action.card.rank
                        found.add(first + card)
                        knocks += first == 58
                left = legal - found
                assert found <= legal
                if view.taken is None:
                    assert not left
                else:
                    assert len(left) <= 1
            player = good if mover == 0 or rng.random() < 0.5 else anything
            state, mover = env.step(player.step(state))
    assert knocks > 10


def swapped_hidden_cards(env: Any, rng: random.Random) -> Any:
    """Return a copy of the game in which the cards that the mover cannot see change places."""
    game = copy.copy(env.game)
    me = game.round.current_player_id
    game.round = copy.copy(game.round)
    game.round.dealer = copy.copy(game.round.dealer)
    game.round.players = [copy.copy(player) for player in game.round.players]
    opponent = game.round.players[1 - me]
    hidden = [card for card in opponent.hand if card not in opponent.known_cards]
    cards = hidden + game.round.dealer.stock_pile
    rng.shuffle(cards)
    opponent.hand = [card for card in opponent.hand if card in opponent.known_cards]
    opponent.hand += cards[: len(hidden)]
    game.round.dealer.stock_pile = cards[len(hidden) :]
    return game


def test_hidden_cards_change_nothing() -> None:
    env, rng, compared = table(5), random.Random(5), 0
    player = RLCardPlayer(og.agent("expert", seed=2, limit=og.Limit(rollouts=4)))
    for seed in range(4):
        for state in states(env, seed):
            if env.game.round.going_out_action is not None:
                continue  # hands are shown
            action, game = player.step(state), env.game
            env.game = swapped_hidden_cards(env, rng)
            other = env.get_state(env.get_player_id())
            env.game = game
            agent, again = Remembering(og.agent("gold")), Remembering(og.agent("gold"))
            RLCardPlayer(agent).step(state)
            other["legal_actions"] = state["legal_actions"]  # the judge's own book is not copied
            RLCardPlayer(again).step(other)
            assert agent.views == again.views
            assert player.step(other) == action
            compared += 1
    assert compared > 200


# --- decisions by hand -------------------------------------------------------------------------


def state_of(hand: str, pile: str = "", known: str = "", legal: list[int] | None = None) -> Any:
    """Return a state of RLCard's, its rows written out; the pile's last card is on top."""
    order = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    piled = pile.split()
    rows = [hand.split(), piled[-1:], piled[:-1], known.split()]
    rows.append([card for card in order if not any(card in row for row in rows)])
    obs = np.array([[int(card in row) for card in order] for row in rows])
    numbers = [2, 3] if legal is None else legal
    if legal is None and len(rows[0]) == 11:
        numbers = [6 + order.index(card) for card in rows[0]]
    return {"obs": obs, "legal_actions": dict.fromkeys(numbers)}


def rlcard_card(card: str) -> int:
    return "SHDC".index(card[1]) * 13 + "A23456789TJQK".index(card[0])


TEN = "AH 2H 3H 7S 7C 7D KD QD 9C 4S"


def test_hearts_are_hearts() -> None:
    simple = RLCardPlayer(og.agent("simple"))
    assert simple.step(state_of(TEN, pile="4H")) == 3  # to the run of hearts
    assert simple.step(state_of(TEN, pile="4C")) == 2
    assert simple.step(state_of("AH 2H 3H 7S 7C 7D 9D 8C 4S 5S KC")) == 57  # its last discard
    assert simple.step(state_of("AC 2C 3C 7S 7C 7D 9D 8C 4S 5S KH")) == 31


def test_the_card_just_taken_stays() -> None:
    order = [6 + rlcard_card(card) for card in TEN.split()]
    agent = Remembering(og.agent("gold"))
    RLCardPlayer(agent).step(state_of(f"{TEN} KC", legal=order))
    assert agent.views[0].taken == og.Card("KC")


def test_the_first_throw_of_who_was_dealt_eleven() -> None:
    agent = Remembering(og.agent("expert", limit=og.Limit(rollouts=8)))
    RLCardPlayer(agent).step(state_of(f"{TEN} KC"))
    (view,) = agent.views
    assert (view.phase, view.pile, view.stock, view.taken) == ("throw", (), 31, None)
    assert view.upcard in view.hand


def test_at_the_wall_the_pile_card_is_taken_only_to_show_the_hand() -> None:
    # Thirty cards lie in the pile, two in the stock.
    mine = "AH 2H 3H 7S 7C 7D TD TC TS KC"
    order = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    others = [card for card in order if card not in mine.split()]
    top = others.index("4H")
    others[29], others[top] = others[top], others[29]
    legal = [DEAD, 3]
    player = RLCardPlayer(og.agent("gold"))
    assert player.step(state_of(mine, pile=" ".join(others[:30]), legal=legal)) == 3
    others[29], others[0] = others[0], others[29]  # a spade that helps nothing
    without = mine.replace("7D", "8D").replace("TS", "JD")
    rest = [card for card in order if card not in without.split()]
    assert player.step(state_of(without, pile=" ".join(rest[:30]), legal=legal)) == DEAD


def test_where_there_is_no_choice_nobody_is_asked() -> None:
    class Nobody:
        def act(self, view: View) -> Action:
            raise AssertionError

    player = RLCardPlayer(Nobody())
    for number in (0, 1, 4, GIN):
        assert player.eval_step(state_of(TEN, legal=[number])) == (number, {})


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state",
    [
        None,
        {},
        {"obs": np.zeros((5, 52))},
        {"obs": np.zeros((4, 52)), "legal_actions": {2: None, 3: None}},
        {"obs": np.zeros((5, 52)), "legal_actions": {2: None, 3: None}},
        {"obs": np.ones((5, 52)), "legal_actions": {2: None, 3: None}},
    ],
)
def test_what_is_no_state(state: Any) -> None:
    with pytest.raises(og.PositionError):
        RLCardPlayer(og.agent("gold")).step(state)


def test_a_hand_that_is_in_two_places() -> None:
    with pytest.raises(og.PositionError, match="no view"):
        RLCardPlayer(og.agent("gold")).step(state_of(TEN, pile="4H AH"))


def test_when_the_deal_is_over() -> None:
    env = table(1)
    env.set_agents([Anything(1), Anything(2)])
    trajectories, _ = env.run()
    with pytest.raises(og.IllegalActionError, match="over"):
        RLCardPlayer(og.agent("gold")).step(trajectories[0][-1])


def test_settings_that_are_not_the_rules_are_named() -> None:
    never = state_of("AH 2H 3H 7S 7C 7D TD TC TS AC KC")
    with pytest.raises(og.IllegalActionError, match=r"'gin KC' is 5 in RLCard, whose rules differ"):
        RLCardPlayer(og.agent("gold")).step(
            state_of("AH 2H 3H 7S 7C 7D TD TC TS JS KC".replace("JS", "4H"))
        )
    with pytest.raises(og.IllegalActionError, match=r"'knock KC' is 109 in RLCard"):
        RLCardPlayer(og.agent("gold")).step(never)
    for rules in ("oklahoma", "nothing"):
        with pytest.raises(og.RulesError):
            RLCardPlayer(og.agent("gold"), rules)


def test_another_knock_limit() -> None:
    agent = Remembering(og.agent("gold"))
    player = RLCardPlayer(agent, Rules.preset("eaai", knock=5))
    assert player.step(state_of("AH 2H 3H 7S 7C 7D TD TC TS 6C KC")) == 6 + rlcard_card("KC")
    assert agent.views[0].limit == 5


# --- RLCard's player at our table -----------------------------------------------------------------


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
def test_the_novice_plays_every_rules(rules: Rules) -> None:
    for seed in range(3):
        for deal in play(Deal(rules, seed=seed), seed):
            if deal.to_move is None or (seed and deal.turn % 4):
                continue
            view = deal.view(deal.to_move)
            action = NoviceAgent(seed=3).act(view)
            legal = view.legal_actions()
            assert action in legal
            kinds = {one.kind for one in legal}
            if "gin" in kinds:
                assert action.kind == ("big gin" if "big gin" in kinds else "gin")
            elif "knock" in kinds:
                assert action.kind == "knock"
            elif action.kind == "discard":
                left = {one.card: og.deadwood(view.hand - one.card) for one in legal}
                assert left[action.card] == min(left.values())


def test_the_novice_takes_and_leaves_the_pile_card_at_random() -> None:
    for deal in (Deal("eaai", seed=1), Deal("eaai", seed=1)):
        kinds = [NoviceAgent(seed).act(deal.view(1)).kind for seed in range(100)]
        assert 25 < kinds.count("take") < 75
        assert kinds.count("take") + kinds.count("pass") == 100
    deal.apply("pass")
    deal.apply("pass")
    assert NoviceAgent().act(deal.view(1)) == Action("draw")


def test_the_novice_is_the_same_for_the_same_seed_and_leaves_numpy_alone() -> None:
    view = Deal("eaai", seed=2).view(1)
    np.random.seed(5)
    expected = np.random.random(3).tolist()
    np.random.seed(5)
    first = np.random.random()
    actions = [novice(seed).act(view) for seed in range(20)]
    assert [first, *np.random.random(2).tolist()] == expected
    np.random.seed(99)
    assert [pickle.loads(pickle.dumps(novice(seed))).act(view) for seed in range(20)] == actions
    assert len(set(actions)) == 2


def test_the_novice_plays_matches_and_mostly_loses() -> None:
    won = [
        og.play_match(og.agent("gold"), novice(seed), "eaai", seed=seed).winner for seed in range(6)
    ]
    assert won.count(0) >= 4


def test_the_novice_does_not_see_hidden_cards() -> None:
    asked: list[Any] = []

    class Spy:
        def step(self, state: Any) -> int:
            asked.append(state)
            return next(iter(state["legal_actions"]))

    agent = NoviceAgent()
    agent.novice = Spy()
    for deal in play(Deal("eaai", seed=4), 4):
        if deal.to_move is None:
            continue
        view = deal.view(deal.to_move)
        agent.act(view)
        hand, top, rest, known, unseen = asked[-1]["obs"]
        assert hand.sum() == len(view.hand)
        assert top.sum() + rest.sum() == len(view.pile)
        assert known.sum() == len(view.known)
        assert unseen.sum() == len(view.unseen)
        assert (hand + top + rest + known + unseen == 1).all()


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.0, "1", None, True])
def test_a_bad_seed(seed: Any) -> None:
    with pytest.raises(og.OkginError, match="seed="):
        novice(seed)


def test_nothing_to_do() -> None:
    with pytest.raises(og.IllegalActionError, match="nothing to do"):
        novice().act(Deal("eaai", seed=2).view(0))
