"""OpenSpiel's numbers against OpenSpiel itself: cards, melds, actions, players, games."""

import pytest

pyspiel = pytest.importorskip("pyspiel")

from okgin_fast import Action, Card, Deal, Hand, RulesError
from okgin_fast.adapters.openspiel import ids
from okgin_fast.core.meld import all_melds
from okgin_fast.rules import PRESETS, Rules

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
OKLAHOMA = pyspiel.load_game("gin_rummy(oklahoma=True)")


def test_cards_are_the_same_numbers() -> None:
    for card in map(Card, range(52)):
        assert UTILS.card_string(int(card)).upper() == str(card)
        assert UTILS.card_value(int(card)) == card.points


def test_melds_are_the_same_numbers() -> None:
    assert len(ids.MELDS) == pyspiel.gin_rummy.NUM_MELD_ACTIONS == 185
    for number, meld in enumerate(ids.MELDS):
        assert meld == Hand(UTILS.int_to_meld[number])
        assert UTILS.meld_to_int([int(card) for card in meld]) == number


def test_every_meld_there_is_has_a_number() -> None:
    assert {Hand(meld) for meld in UTILS.all_melds(list(range(52)))} == set(ids.MELDS)


def test_longer_runs_are_laid_in_parts() -> None:
    for meld in all_melds():
        parts = [Hand(UTILS.int_to_meld[n - ids.MELD_BASE]) for n in ids.meld_actions([meld])]
        assert sorted(card for part in parts for card in part) == sorted(meld)
        assert all(UTILS.is_suit_meld(list(map(int, part))) for part in parts if len(meld) > 5)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (ids.DRAW_UPCARD, "Draw upcard"),
        (ids.DRAW_STOCK, "Draw stock"),
        (ids.PASS, "Pass"),
        (ids.KNOCK, "Knock"),
        (0, "As"),
        (51, "Kh"),
        (ids.MELD_BASE, "AcAdAh"),
        (ids.MELD_BASE + 184, "9hThJhQhKh"),
    ],
)
def test_actions_as_openspiel_says_them(number: int, said: str) -> None:
    state = OKLAHOMA.new_initial_state()
    assert state.action_to_string(0, number).removeprefix("Player: 0 Action: ") == said


@pytest.mark.parametrize(
    ("action", "number"),
    [
        ("pass", 54),
        ("take 7H", 52),
        ("draw", 53),
        ("discard AS", 0),
        ("discard KH", 51),
        ("knock KH", 55),
        ("gin KH", 55),
    ],
)
def test_actions_by_number(action: str, number: int) -> None:
    assert ids.number_of(Action.parse(action)) == number


@pytest.mark.parametrize("dealer", [0, 1])
def test_player_0_moves_first(dealer: int) -> None:
    deal = Deal("open-spiel", seed=1, dealer=dealer)
    assert ids.player_of(deal.to_move, dealer) == 0
    assert ids.player_of(dealer, dealer) == 1
    assert [ids.player_of(ids.player_of(seat, dealer), dealer) for seat in (0, 1)] == [0, 1]


class TestGames:
    def test_the_preset_is_openspiels_oklahoma(self) -> None:
        assert ids.rules_of(OKLAHOMA) == PRESETS["open-spiel"]
        assert ids.rules_of(ids.game_of(PRESETS["open-spiel"])) == PRESETS["open-spiel"]

    @pytest.mark.parametrize("limit", range(11))
    def test_a_limit_of_every_deal(self, limit: int) -> None:
        game = pyspiel.load_game("gin_rummy", {"knock_card": limit, "undercut_bonus": 10})
        rules = ids.rules_of(game)
        assert rules.knock_limit() == limit
        assert (rules.gin_bonus, rules.undercut_bonus, rules.undercut_on_tie) == (25, 10, False)
        assert ids.rules_of(ids.game_of(rules)) == rules
        assert Rules.from_dict(rules.to_dict()) == rules

    @pytest.mark.parametrize("card", [Card(i) for i in range(13)])
    def test_the_limit_of_an_upcard(self, card: Card) -> None:
        """Dealt in order, the 21st card is the upcard."""
        state = OKLAHOMA.new_initial_state()
        others = [n for n in range(52) if n != card]
        for number in [*others[:20], int(card)]:
            state.apply_action(number)
        assert state.knock_card() == PRESETS["open-spiel"].knock_limit(card)

    @pytest.mark.parametrize("name", ["gin_rummy(hand_size=7,num_ranks=10)", "kuhn_poker"])
    def test_other_games_are_refused(self, name: str) -> None:
        with pytest.raises(RulesError, match="must be gin_rummy with oklahoma, knock_card"):
            ids.rules_of(pyspiel.load_game(name))

    def test_a_new_state_is_a_new_one(self) -> None:
        state = ids.new_state(OKLAHOMA)
        state.apply_action(7)
        assert ids.new_state(OKLAHOMA).history() == []
