"""Both engines side by side: they agree, or differ in what rules.md knows.

The thorough run is bench/differential.py's; here it is a small one, and a full one behind the slow
mark.
"""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

pyspiel = pytest.importorskip("pyspiel")

import okgin_fast as og
from okgin_fast.adapters.openspiel import Bridge, Divergence, EnginesDisagreeError
from okgin_fast.rules import PRESETS

BENCH = str(Path(__file__).parents[2] / "bench")


@pytest.fixture(scope="module")
def differential() -> ModuleType:
    sys.path.insert(0, BENCH)
    try:
        return importlib.import_module("differential")
    finally:
        sys.path.remove(BENCH)


class TestDifferential:
    def test_random_deals_agree(self, differential: ModuleType) -> None:
        report = differential.compare(range(300))
        assert sum(report.endings.values()) == 300
        assert {"knock", "gin", "undercut", "dead", "unfinished"} <= report.endings.keys()
        assert sum(report.laid_off[cards] for cards in (1, 2, 3)) > 30

    def test_dense_deals_agree(self, differential: ModuleType) -> None:
        report = differential.compare(range(150), dense=True)
        assert sum(report.endings.values()) == 150

    @pytest.mark.slow
    def test_20000_random_deals_agree(self, differential: ModuleType) -> None:
        report = differential.compare(range(20_000))
        assert sum(report.endings.values()) == 20_000
        assert set(report.found) == {divergence.name for divergence in Divergence}

    def test_the_command(self, differential: ModuleType, capsys: pytest.CaptureFixture) -> None:
        words = ["differential.py", "--deals", "20", "--dense", "0", "--workers", "1", "--json"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", words)
            assert differential.main() == 0
        report = json.loads(capsys.readouterr().out)
        assert sum(report["random"]["endings"].values()) == 20
        assert report["OpenSpiel"]

    def test_the_command_quotes_the_deal_that_differs(
        self,
        differential: ModuleType,
        capsys: pytest.CaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def differs(seeds: range, dense: bool) -> None:
            raise EnginesDisagreeError('stock: 3 here, 4 there; deal {"format":"okgin deal 1"}')

        monkeypatch.setattr(differential, "ProcessPoolExecutor", Here)
        monkeypatch.setattr(differential, "compare", differs)
        monkeypatch.setattr(sys, "argv", ["differential.py"])
        assert differential.main() == 1
        assert 'the engines disagree: stock: 3 here, 4 there; deal {"f' in capsys.readouterr().err


class Here:
    """An executor that runs everything here and now."""

    def __init__(self, workers: int) -> None: ...

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *error: object) -> None: ...

    map = staticmethod(map)


def bridge(hand: str, other: str, upcard: str, stock: str = "", dealer: int = 1) -> Bridge:
    """The first player has `hand`; the stock begins as typed."""
    first = og.cards.parse_cards(stock)
    used = og.Hand(hand) | other | upcard | first
    cards = [*first, *(og.Hand((1 << 52) - 1) - used)]
    hands = (hand, other) if dealer == 1 else (other, hand)
    return Bridge(og.Deal.from_cards("open-spiel", hands, upcard, cards, dealer=dealer))


def play(table: Bridge, actions: str) -> Bridge:
    for action in actions.split(", "):
        table.apply(og.Action.parse(action))
    return table


HAND, OTHER = "7H7C7D2S3S4S9C9D9HAC", "5S6SKHKCKD8C3D4DQSJH"


class TestKnownDivergences:
    def test_count_of_eleven_cards(self) -> None:
        """rules.md: of these eleven OpenSpiel says 11, the truth is 10."""
        table = bridge("4S3C6C4D5D6D2H4H5H6H", "5S7SKHKCKD8C3D7DQSJH", "TC", "AS")
        play(table, "pass, pass, draw")
        assert table.found == {Divergence.MIN_DEADWOOD_11: 1}
        assert {action.kind for action in table.legal_actions()} == {"discard"}
        assert {action.kind for action in table.deal.legal_actions()} == {"discard", "knock"}

    def test_two_turns_that_take_and_throw_back(self) -> None:
        table = bridge(HAND, OTHER, "TC", "KS")
        play(table, "take TC, discard TC, take TC, discard TC")
        assert table.over
        assert table.found == {Divergence.TAKE_AND_THROW_BACK: 1}
        assert table.deal.result is None

    def test_the_fiftieth_upcard_draw(self) -> None:
        """The upcard of the first exchange does not count."""
        table = bridge("2S4S6S8STSQSAC3C5C7C", "9C2D4D6D8DTDQDAH3H5H", "KC")
        play(table, "take KC, discard 2S")
        for _ in range(49):
            assert not table.over
            taken = table.deal.pile[-1]
            thrown = min(table.deal.hand(table.deal.to_move) - taken)
            play(table, f"take {taken}, discard {thrown}")
        play(table, f"take {table.deal.pile[-1]}")
        assert table.over
        assert table.found == {Divergence.FIFTY_UPCARD_DRAWS: 1}

    @pytest.mark.parametrize("dealer", [0, 1])
    @pytest.mark.parametrize(("last", "may_knock"), [("9H", True), ("JS", False)])
    def test_the_wall(self, last: str, may_knock: bool, dealer: int) -> None:
        """Whoever draws throws what he drew; the 29th card is the last throw."""
        hand = "7H7C7D2S3S4S9C9DACTS"
        rest = og.Hand((1 << 52) - 1) - hand - OTHER - ["TC", last]
        stock = [*list(rest)[:28], og.Card(last)]
        table = bridge(OTHER, hand, "TC", " ".join(map(str, stock)), dealer)
        play(table, "pass, pass, " + ", ".join(f"draw, discard {card}" for card in stock))
        assert table.over
        assert table.deal.result.kind == "dead"
        assert table.found[Divergence.WALL_PASS] == 1
        assert table.found[Divergence.WALL_KNOCK] == may_knock

    def test_the_defender_lays_off_before_he_melds_and_a_run_grows_by_two(self) -> None:
        """He holds 5, 6, 7 and 8 of spades next to the run 2-3-4."""
        table = bridge("9H9C9D2S3S4SKHKCKDAC", "5S6S7S8SQHQCTD3D8DJC", "TC", "KS")
        play(table, "pass, pass, draw, knock KS")
        assert table.found == {
            Divergence.RUN_EXTENDED_BY_TWO: 1,
            Divergence.LAYOFF_BEFORE_MELDING: 1,
        }
        assert table.deal.result.points == 10 + 10 + 10 + 3 + 8 + 10 - 1

    def test_a_third_card_that_goes_elsewhere_is_no_divergence(self) -> None:
        """7, 8, 9 of spades after 4-5-6, and the nine is the fourth of a set, too."""
        table = bridge("9H9C9D4S5S6SKHKCKDAC", "7S8S9SJSQHQCTD3DTHJH", "TC", "KS")
        play(table, "pass, pass, draw, knock KS")
        assert table.found == {Divergence.LAYOFF_BEFORE_MELDING: 1}


class TestShowdowns:
    """The same points on both engines; the bridge compares them."""

    @pytest.mark.parametrize("dealer", [0, 1])
    @pytest.mark.parametrize(
        ("hand", "end", "kind", "points"),
        [
            (HAND, "knock KS", "knock", 8 + 3 + 4 + 10 + 10 - 1),
            ("7H7C7D2S3S4S9C9D9H9S", "gin KS", "gin", 25 + 11 + 8 + 3 + 4 + 10 + 10),
            # Named so that the twos stay in the hand.
            ("7H7C7D2S3S4S2C2D2HAC", "knock KS: 7H7C7D 2S3S4S", "knock", 8 + 3 + 4 + 20 - 7),
        ],
    )
    def test_points(self, hand: str, end: str, kind: str, points: int, dealer: int) -> None:
        table = bridge(hand, OTHER, "TC", "KS", dealer)
        play(table, f"pass, pass, draw, {end}")
        assert table.over
        assert table.legal_actions() == []
        assert (table.deal.result.kind, table.deal.result.points) == (kind, points)
        assert (table.deal.result.winner == 0) == (dealer == 1)
        assert set(table.found) <= {Divergence.LAYOFF_BEFORE_MELDING}

    @pytest.mark.parametrize(
        ("left", "kind", "points"), [("4HAD", "undercut", 25 + 10 - 5), ("4H6D", "tie", 0)]
    )
    def test_undercut_and_tie(self, left: str, kind: str, points: int) -> None:
        """The knocker has 10 left; the defender lays off 5 and 6 of spades."""
        table = bridge("7H7C7D2S3S4S9C9D9HTD", f"5S6SKHKCKD8C8D8H{left}", "TC", "KS")
        play(table, "pass, pass, draw, knock KS")
        assert (table.deal.result.kind, table.deal.result.points) == (kind, points)


class TestFailures:
    def test_a_difference_that_nothing_explains(self) -> None:
        """OpenSpiel's state is exchanged for that of another deal."""
        table, other = bridge(HAND, OTHER, "TC", "KS"), bridge(OTHER, HAND, "TC", "KS")
        table.state = other.state
        with pytest.raises(EnginesDisagreeError) as error:
            table.apply(og.Action("pass"))
        assert str(error.value).startswith("hands: ")
        assert '"turns":["-"]' in str(error.value)
        assert f"OpenSpiel's history {other.state.history()}" in str(error.value)

    def test_points_that_differ(self) -> None:
        """An engine that gives another bonus for gin."""
        table = play(bridge("7H7C7D2S3S4S9C9D9H9S", OTHER, "TC", "KS"), "pass, pass, draw")
        generous = pyspiel.load_game("gin_rummy", {"oklahoma": True, "gin_bonus": 26})
        state = generous.new_initial_state()
        for number in table.state.history():
            state.apply_action(number)
        table.state = state
        with pytest.raises(EnginesDisagreeError, match=r"^returns: \[71.0, -71.0\] here, \[72.0"):
            table.apply(og.Action.parse("gin KS"))

    def test_a_deal_that_ends_for_no_known_reason(self) -> None:
        """There a card has been thrown back twice, here once."""
        table = play(bridge(HAND, OTHER, "TC", "KS"), "take TC")
        table.state = play(bridge(HAND, OTHER, "TC"), "take TC, discard TC, take TC").state
        with pytest.raises(EnginesDisagreeError, match=r"^OpenSpiel's deal is over, ours goes on"):
            table.apply(og.Action.parse("discard TC"))

    def test_an_action_that_openspiel_does_not_have(self) -> None:
        table = bridge(HAND, OTHER, "TC", "KS")
        table.state = play(bridge(HAND, OTHER, "TC"), "take TC").state
        with pytest.raises(EnginesDisagreeError, match=r"^OpenSpiel does not allow its action 54"):
            table.apply(og.Action("pass"))

    @pytest.mark.parametrize("name", [name for name in PRESETS if name != "open-spiel"])
    def test_other_rules_are_refused(self, name: str) -> None:
        with pytest.raises(og.RulesError, match=f"rules {name} .*OpenSpiel does not play these"):
            Bridge(og.Deal(name, seed=1))

    def test_other_parameters_are_not(self) -> None:
        Bridge(og.Deal(og.Rules.preset("open-spiel", knock=7, gin_bonus=20), seed=1))

    def test_a_deal_that_has_begun_is_refused(self) -> None:
        deal = og.Deal("open-spiel", seed=1)
        deal.apply("pass")
        with pytest.raises(og.IllegalActionError, match="the deal has begun: 1 actions"):
            Bridge(deal)

    def test_what_is_not_legal_leaves_all_as_it_was(self) -> None:
        table = bridge(HAND, OTHER, "TC", "KS")
        with pytest.raises(og.IllegalActionError, match="'draw' is not legal on both engines"):
            table.apply(og.Action("draw"))
        assert table.deal.actions == ()
        play(table, "pass, pass, draw, knock KS")
        with pytest.raises(og.IllegalActionError, match="'pass' is not legal"):
            table.apply(og.Action("pass"))
