"""RLCard: its ids and states against RLCard itself, our players in its game, its player in ours."""

import random

import pytest

rlcard = pytest.importorskip("rlcard")

import numpy as np
from rlcard.games.gin_rummy.utils import utils as theirs
from rlcard.games.gin_rummy.utils.action_event import ActionEvent

import okgin_fast as og
from okgin_fast.adapters.rlcard import NoviceAgent, RLCardAgent, card_id, novice, view_of

EAAI = og.Rules.preset("eaai", target=None)
NAMES = ["random", "simple", "gold"]


class AnyAction:
    """RLCard's random player; its own module runs pip when imported."""

    use_raw = False

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def step(self, state):
        return self.rng.choice(list(state["legal_actions"]))

    def eval_step(self, state):
        return self.step(state), {}


def table(*players, seed=1):
    env = rlcard.make("gin-rummy", {"seed": seed})
    env.set_agents(list(players))
    return env


def test_cards_are_rlcards():
    for card in map(og.Card, range(52)):
        assert str(theirs.get_card(card_id(card))) == str(card)
        assert card_id(card_id(card)) == card


@pytest.mark.parametrize(
    ("number", "name"), [(2, "draw"), (3, "pick_up"), (4, "declare_dead"), (5, "gin")]
)
def test_action_ids_are_rlcards(number, name):
    assert name in str(ActionEvent.decode_action(number))


def test_cards_in_action_ids_are_rlcards():
    for card in map(og.Card, range(52)):
        assert str(ActionEvent.decode_action(6 + card_id(card))) == f"discard {card}"
        assert str(ActionEvent.decode_action(58 + card_id(card))) == f"knock {card}"


class Checks(AnyAction):
    """Compares the view with RLCard's own table at every turn."""

    def __init__(self, seed):
        super().__init__(seed)
        self.met = set()

    def step(self, state):
        legal = list(state["legal_actions"])
        if len(legal) > 1:
            self.compare(state, legal)
        return super().step(state)

    def compare(self, state, legal):
        round_ = self.env.game.round
        me = round_.current_player_id
        hand, known = (
            og.Hand([str(card) for card in cards])
            for cards in (round_.players[me].hand, round_.players[1 - me].known_cards)
        )
        pile = [str(card) for card in round_.dealer.discard_pile]
        view = view_of(state, EAAI)
        assert view.hand == hand
        assert view.known == known
        assert {str(card) for card in view.pile} == set(pile)
        assert [str(card) for card in view.pile[-1:]] == pile[-1:]
        assert view.stock == len(round_.dealer.stock_pile)
        actions = {str(ActionEvent.decode_action(number)) for number in legal}
        ours = {str(action) for action in view.legal_actions()}
        if view.phase == "throw":
            assert ours == actions
            self.met.add("taken" if view.taken else "knock" if len(actions) > 11 else "throw")
        else:
            self.met.add("wall" if 4 in legal else "draw")


def test_a_view_is_what_rlcard_shows_and_allows():
    checks = Checks(3)
    for seed in range(60):
        checks.env = table(checks, checks, seed=seed)
        checks.env.run(is_training=False)
    assert {"taken", "throw", "draw", "wall"} <= checks.met


@pytest.mark.parametrize("name", NAMES)
def test_our_players_play_whole_deals_and_beat_random(name):
    ours, won = RLCardAgent(og.agent(name, seed=1)), 0.0
    deals = 40
    for seed in range(deals):
        _, payoffs = table(ours, AnyAction(seed), seed=seed).run(is_training=False)
        won += payoffs[0] - payoffs[1]
    if name != "random":
        assert won / deals > 0.4


def test_the_expert_plays_whole_deals():
    expert = og.agent("expert", seed=1, limit=og.Limit(rollouts=8))
    for seed in range(10):
        both = RLCardAgent(expert), RLCardAgent(og.agent("simple"))
        _, payoffs = table(*both, seed=seed).run(is_training=False)
        assert len(payoffs) == 2


def test_cards_out_of_sight_do_not_change_the_decision():
    """Exchange the opponent's hand and the stock in RLCard's table: the state is the same."""
    rng = random.Random(5)
    env = table(AnyAction(1), AnyAction(2), seed=4)
    state, _ = env.reset()
    player = RLCardAgent(og.agent("expert", seed=1, limit=og.Limit(rollouts=16)))
    for _ in range(30):
        if env.is_over():
            break
        decision = player.step(state)
        round_ = env.game.round
        other = round_.players[1 - round_.current_player_id]
        hidden = [card for card in other.hand if card not in other.known_cards]
        stock = round_.dealer.stock_pile
        cards = hidden + stock
        rng.shuffle(cards)
        other.hand[:] = [c for c in other.hand if c in other.known_cards] + cards[: len(hidden)]
        stock[:] = cards[len(hidden) :]
        other.did_populate_hand()
        again = env.get_state(round_.current_player_id)
        assert player.step(again) == decision
        state, _ = env.step(decision)


def test_eval_step_is_step():
    state, _ = table(AnyAction(1), AnyAction(2)).reset()
    player = RLCardAgent(og.agent("gold"))
    assert player.eval_step(state) == (player.step(state), {})


def test_another_limit_is_kept_to():
    assert view_of(table(AnyAction(1), AnyAction(2)).reset()[0], EAAI).limit == 10
    assert RLCardAgent(og.agent("gold"), knock=4).rules.knock == 4


# --- its player at our table -------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["eaai", "oklahoma-spades", "straight", "modern"])
def test_the_novice_is_never_illegal(rules):
    for seed in range(6):
        deal = og.Deal(rules, seed=seed)
        player = novice(seed)
        while deal.to_move is not None:
            deal.apply(player.act(deal.view(deal.to_move)))


def test_the_novice_throws_what_leaves_least_and_knocks_at_once():
    view = og.View.from_position("rules=eaai hand=AS2S3S7H7D7CKDQD9C4HJS upcard=5D")
    least = og.discards(view.hand)[0].deadwood
    thrown = novice(3).act(view)
    assert thrown.kind == "discard"
    assert og.deadwood(view.hand - thrown.card) == least
    view = og.View.from_position("rules=eaai hand=AS2S3S7H7D7C4D5D6D2HKC upcard=5H")
    assert str(novice(3).act(view)) in ("knock KC", "knock 2H", "gin KC")


def test_the_novice_leaves_numpys_generator_alone_and_draws_from_its_seed():
    deal = og.Deal("eaai", seed=1)
    np.random.seed(5)
    expected = np.random.random()
    np.random.seed(5)
    actions = {str(NoviceAgent(seed).act(deal.view(1 - deal.dealer))) for seed in range(20)}
    assert np.random.random() == expected
    assert len(actions) == 2
    assert len({str(NoviceAgent(7).act(deal.view(1 - deal.dealer))) for _ in range(5)}) == 1


def test_the_arena_knows_the_novice():
    report = og.arena("gold", "rlcard-novice", "eaai", games=10, unit="deals", workers=1)
    assert report.faults == ()
    assert report.facts["rlcard"] == "1.2.0"
