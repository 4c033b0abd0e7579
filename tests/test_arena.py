"""The arena: what is played, what is counted, and that neither depends on who does the work."""

from __future__ import annotations

import json
import random
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import players
import pytest

import okgin_fast as og
from okgin_fast.arena import Series, series
from okgin_fast.core.luck import draw_luck
from okgin_fast.core.rng import derive_seed
from okgin_fast.errors import OkginError, SeriesError
from okgin_fast.extras import MissingExtraError
from okgin_fast.measure import play
from okgin_fast.measure.play import Game
from okgin_fast.measure.players import player
from okgin_fast.measure.report import Report

HERE = str(Path(__file__).parent / "players.py")
EAAI = og.Rules.preset("eaai")


def played(*names: Any, rules: Any = "eaai", games: int = 8, **options: Any) -> Series:
    playing = series(names, rules, games, **({"seed": 3, "workers": 1} | options))
    playing.run()
    return playing


def figures(report: Report) -> Any:
    """All of a report that does not depend on time."""
    return report.meetings, report.ratings, report.faults, report.complete, report.stopped


# --- what is played ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["eaai", "oklahoma-spades", og.Rules(hollywood=True, target=50)])
def test_a_game_is_the_match_of_its_pairs_seed(rules: Any) -> None:
    # `gold` draws nothing at random, so that play_match plays the same games.
    ledger = played("gold", "gold", rules=rules, games=6).ledger
    for pair in range(3):
        expected = og.play_match(og.agent("gold"), og.agent("gold"), rules, derive_seed(3, pair))
        for seats in ((0, 1), (1, 0)):
            assert len(ledger.deals[Game(pair, seats)]) == expected.deals_played
            assert ledger.winners[Game(pair, seats)] == expected.winner
    assert set(ledger.winners) == {Game(p, s) for p in range(3) for s in ((0, 1), (1, 0))}


def test_both_games_of_a_pair_have_the_same_cards_and_dealer() -> None:
    ledger = played("gold", "random", games=20, unit="deals").ledger
    for pair in range(10):
        (first,), (second,) = ledger.deals[Game(pair, (0, 1))], ledger.deals[Game(pair, (1, 0))]
        deal = og.Match(EAAI, derive_seed(3, pair)).next_deal()
        dealt = og.deadwood(deal.hand(0)), og.deadwood(deal.hand(1))
        assert first.deadwood == second.deadwood == dealt
        assert first.dealer == second.dealer == deal.dealer


def test_the_players_random_numbers_do_not_touch_the_cards() -> None:
    one, other = (
        played("random", "random", unit="deals", player_seed=seed).ledger for seed in (1, 2)
    )
    assert [[d.deadwood for d in deals] for deals in one.deals.values()] == [
        [d.deadwood for d in deals] for deals in other.deals.values()
    ]
    assert [d.turns for (d,) in one.deals.values()] != [d.turns for (d,) in other.deals.values()]


def test_two_random_players_of_the_same_name_do_not_mirror_each_other() -> None:
    ledger = played("random", "random", games=20, unit="deals").ledger
    turns = [
        (ledger.deals[Game(p, (0, 1))][0].turns, ledger.deals[Game(p, (1, 0))][0].turns)
        for p in range(10)
    ]
    assert any(first != second for first, second in turns)


def test_players_see_views_and_their_own_score_first() -> None:
    seen: list[tuple[int, Any]] = []

    class Watches(players.Fine):
        def act(self, view: og.View) -> og.Action:
            assert type(view) is og.View
            seen.append((view.seat, view.score))
            return super().act(view)

    playing = played(Watches, "gold", games=2)
    for game in (Game(0, (0, 1)), Game(0, (1, 0))):
        totals = {0: 0, 1: 0}
        seat = game.seats.index(0)
        for deal in playing.ledger.deals[game]:
            assert (seat, (totals[seat], totals[1 - seat])) in seen
            if deal.winner is not None:
                totals[deal.winner] += deal.points


def test_single_deals_have_no_score() -> None:
    class Watches(players.Fine):
        def act(self, view: og.View) -> og.Action:
            assert view.score is None
            return super().act(view)

    assert played(Watches, "gold", games=2, unit="deals").report().faults == ()


# --- what is counted ---------------------------------------------------------------------------


def test_equal_players_who_leave_nothing_to_chance_are_even() -> None:
    report = played("gold", "gold", games=20).report()
    (meeting,) = report.meetings
    assert report.players == ("gold (1)", "gold (2)")
    assert meeting.share.mean == 0.5
    assert meeting.points.mean == 0
    assert (meeting.swept, meeting.lost, meeting.split, meeting.p_value) == (0, 0, 10, 1.0)
    assert meeting.endings[0] == meeting.endings[1]


def test_the_figures_are_sums_over_the_deals() -> None:
    playing = played("simple", "random", "gold", games=12, unit="deals")
    for meeting in playing.report().meetings:
        a, b = meeting.players
        deals = [
            (deal, seats)
            for (_, seats), (deal,) in playing.ledger.deals.items()
            if set(seats) == {a, b}
        ]
        won = [deal for deal, seats in deals if deal.winner is not None and seats[deal.winner] == a]
        lost = [
            deal for deal, seats in deals if deal.winner is not None and seats[deal.winner] == b
        ]
        nobody = len(deals) - len(won) - len(lost)
        assert meeting.share.mean == pytest.approx((len(won) + nobody / 2) / 12)
        net = sum(deal.points for deal in won) - sum(deal.points for deal in lost)
        assert meeting.points.mean == pytest.approx(net / 12)
        assert sum(meeting.endings[0].values()) == len(won)
        assert sum(meeting.endings[1].values()) == len(lost)
        assert sum(meeting.without_winner.values()) == nobody == meeting.undecided
        assert meeting.turns == pytest.approx(sum(deal.turns for deal, _ in deals) / 12)


def test_a_round_robin_plays_every_two_and_rates_them() -> None:
    report = og.round_robin(["random", "gold", "simple"], "eaai", 40, workers=1, unit="deals")
    assert [meeting.players for meeting in report.meetings] == [(0, 1), (0, 2), (1, 2)]
    assert all(meeting.games == 40 for meeting in report.meetings)
    assert report.ratings[0].high < report.ratings[1].low


def test_luck_is_taken_out_of_games_and_cancels_by_itself_in_single_deals() -> None:
    games = played("gold", "random", games=24)
    assert "luck" in games.report(control=True).meetings[0].share_method
    assert "luck" not in games.report().meetings[0].share_method
    deals = played("gold", "random", games=24, unit="deals")
    assert deals.report(control=True).meetings == deals.report().meetings


@pytest.mark.parametrize("unit", ["deals", "games"])
def test_the_luck_of_the_draws_is_taken_out_by_regression(unit: Any) -> None:
    playing = played("gold", "random", games=40, unit=unit, luck=8)
    shares, points, luck, deals = [], [], [], []
    for pair in range(20):
        of_pair = [
            (deal, seats.index(0))
            for (number, seats), found in playing.ledger.deals.items()
            if number == pair
            for deal in found
        ]
        points.append(sum(
            0 if deal.winner is None else deal.points if deal.winner == mine else -deal.points
            for deal, mine in of_pair
        ))  # fmt: skip
        luck.append(sum((deal.luck or 0.0) * (1 - 2 * mine) for deal, mine in of_pair))
        deals.append(len(of_pair))
        games = [Game(pair, (0, 1)), Game(pair, (1, 0))]
        shares.append(sum(playing.ledger.winners[game] == game.seats.index(0) for game in games))
    share, net = playing.report().meetings[0].share, playing.report().meetings[0].points
    slope, level = np.polyfit(luck, np.array(shares) / 2, 1)
    assert share.mean == pytest.approx(min(1.0, level))
    slope = np.polyfit(luck, np.array(points) - np.array(deals) * sum(points) / sum(deals), 1)[0]
    assert net.mean == pytest.approx((sum(points) - slope * sum(luck)) / sum(deals))
    assert playing.report().meetings[0].less == "the luck of the draws"
    assert playing.report().to_dict()["luck"] == 8


def test_few_pairs_say_too_little_to_take_luck_out() -> None:
    few = played("gold", "simple", games=18, unit="deals", luck=2).report()
    plain = played("gold", "simple", games=18, unit="deals").report()
    assert few.meetings == plain.meetings
    assert few.meetings[0].less is None


def test_the_luck_of_a_deal_is_that_of_its_draws() -> None:
    playing = played("gold", "gold", games=2, unit="deals", luck=3)
    gold = og.agent("gold")
    for game, (deal,) in playing.ledger.deals.items():
        again = og.Match(EAAI, derive_seed(3, game.pair)).next_deal()
        luck = 0.0
        while (seat := again.to_move) is not None:
            action = gold.act(again.view(seat))
            if action.kind == "draw":
                luck += draw_luck(again, 3, derive_seed(again.seed, again.turn))
            again.apply(action)
        assert luck != 0
        assert deal.luck == pytest.approx(luck, abs=6e-4)


def test_luck_that_is_not_asked_for_is_not_looked_for() -> None:
    playing = played("gold", "simple", games=4, unit="deals")
    assert {deal.luck for deals in playing.ledger.deals.values() for deal in deals} == {None}


def test_what_is_played_does_not_depend_on_whether_luck_is_looked_for() -> None:
    without = played("gold", "simple", games=20, unit="deals").ledger
    looked = played("gold", "simple", games=20, unit="deals", luck=2).ledger
    assert without.winners == looked.winners
    for game, (deal,) in without.deals.items():
        assert looked.deals[game][0]._replace(luck=None, times=deal.times) == deal


def test_the_report_is_strict_json() -> None:
    report = played("gold", "simple", games=2, unit="deals").report()
    again = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert again["meetings"][0]["points"]["low"] is None  # one pair bounds nothing
    assert again["rules"] == EAAI.to_dict()
    assert again["facts"]["okgin_fast"] == og.__version__


def test_the_stopping_rule_ends_the_series_at_the_same_pair_for_any_number_of_workers() -> None:
    options = {"games": 4000, "unit": "deals", "stop": (0.5, 0.6)}
    alone = played("gold", "random", **options)
    report = alone.report()
    assert report.stopped is not None
    assert "at least 0.6" in report.stopped
    assert report.complete
    assert 20 <= report.meetings[0].pairs < 200
    assert alone.finished < 400
    assert figures(played("gold", "random", **options, workers=2).report()) == figures(report)


# --- who does the work -------------------------------------------------------------------------


class Dawdles(ThreadPoolExecutor):
    """Finishes pieces of work in an order of its own."""

    def submit(self, work: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        delay = random.Random(repr(args)).random() / 50
        return super().submit(lambda: (time.sleep(delay), work(*args))[1])


def test_the_figures_are_the_same_for_any_workers() -> None:
    alone = figures(played("expert,rollouts=8", "simple", games=12).report())
    for options in ({"workers": 2}, {"workers": 3}):
        assert figures(played("expert,rollouts=8", "simple", games=12, **options).report()) == alone
    with ThreadPoolExecutor(2) as pool:
        found = played("expert,rollouts=8", "simple", games=12, executor=pool)
        assert figures(found.report()) == alone
        assert pool.submit(int).result() == 0  # left open


def test_the_order_in_which_work_is_done_does_not_matter() -> None:
    alone = figures(played("simple", "gold", games=12).report())
    with Dawdles(4) as pool:
        found = played("simple", "gold", games=12, executor=pool, workers=4)
    assert list(found.ledger.winners) != sorted(found.ledger.winners)
    assert figures(found.report()) == alone


def test_a_worker_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OKGIN_TEST_DIED", str(tmp_path / "died"))
    names = f"{HERE}:Dies", "gold"
    found = played(*names, games=12, workers=2).report()
    assert (tmp_path / "died").exists()
    expected = played(f"{HERE}:Fine", "gold", games=12).report()
    assert figures(found) == figures(expected)


def test_workers_that_die_again_and_again_end_the_series() -> None:
    with pytest.raises(SeriesError, match="workers have failed 4 times over pair"):
        played(f"{HERE}:AlwaysDies", "gold", workers=2)


def test_somebody_elses_pool_that_breaks_ends_the_series() -> None:
    with (
        ProcessPoolExecutor(1) as pool,
        pytest.raises(SeriesError, match="failed 4 times over pair"),
    ):
        played(f"{HERE}:AlwaysDies", "gold", executor=pool)


def test_a_player_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(OkginError, match=r"pickle .*workers=1"):
        series([lambda seed: players.Fine(seed), "gold"], workers=2)


# --- players that misbehave --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("Raises", "raised RuntimeError: lost the thread"),
        ("Exits", "raised SystemExit: no more"),
        ("Illegal", "illegal action: 'knock "),
        ("Mumbles", "illegal action: 'pass' is no Action"),
        ("StrRaises", "raised UnprintableError: (an error that cannot be printed)"),
        ("ReprRaises", "raised ValueError: no words"),
        ("Cancels", "raised CancelledError: "),
        ("Generates", "raised GeneratorExit: done"),
        ("Disguises", "illegal action: "),
    ],
)
def test_who_misbehaves_loses_the_deal_and_is_named(name: str, what: str) -> None:
    report = played(getattr(players, name), "gold", games=6, unit="deals").report()
    (meeting,) = report.meetings
    forfeits = sum(fault.deals for fault in report.faults)
    assert forfeits > 0
    assert meeting.endings[1]["forfeit"] == forfeits
    assert meeting.endings[0]["forfeit"] == 0
    assert all(fault.player == 0 and fault.what.startswith(what) for fault in report.faults)
    assert meeting.games == 6


def test_faults_of_a_kind_are_one_line() -> None:
    playing = played(players.Illegal, "gold", games=20, unit="deals")
    assert len({deal.fault for (deal,) in playing.ledger.deals.values()}) > 2
    assert len(playing.report().faults) == 1


def test_who_cannot_even_be_made_is_told_before_the_series() -> None:
    for source in (players.Cannot, f"{HERE}:Cannot"):
        with pytest.raises(OkginError, match="cannot be made: OSError: 'no such book of openings'"):
            series([source, "gold"])


@pytest.mark.parametrize("workers", [1, 2])
def test_who_takes_too_long_loses_the_deal(workers: int) -> None:
    hangs = f"{HERE}:Hangs"
    report = played(hangs, "gold", games=4, unit="deals", move_ms=20, workers=workers).report()
    assert report.meetings[0].share.mean == 0
    assert all(fault.what.startswith("out of time: ") for fault in report.faults)
    assert report.faults[0].what.endswith("allowed are 20")


def test_a_forfeit_counts_as_if_the_other_had_ginned() -> None:
    rules = og.Rules.preset("oklahoma-spades")  # gin pays 25, a spade doubles everything
    playing = played(players.Mumbles, "gold", rules=rules, games=40, unit="deals")
    doubled = []
    for (pair, seats), (deal,) in playing.ledger.deals.items():
        dealt = og.Match(rules, derive_seed(3, pair)).next_deal()
        if deal.kind == "forfeit":  # `gold` may end a deal before the other is asked
            left = og.deadwood(dealt.hand(seats.index(0)))  # he never gets as far as a draw
            doubled.append(dealt.upcard.suit == 0)
            assert deal.points == (25 + left) * (2 if doubled[-1] else 1)
    assert len(doubled) >= 30
    assert {True, False} == set(doubled)


def test_a_match_goes_on_after_a_forfeit() -> None:
    playing = played(players.Raises, "gold", games=2)
    for deals in playing.ledger.deals.values():
        assert len(deals) > 1
    assert playing.report().complete


def test_players_who_never_knock_are_left_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MOST_DEALS", 5)
    report = played(players.NeverKnocks, players.NeverKnocks, games=2).report()
    (meeting,) = report.meetings
    assert (meeting.undecided, meeting.deals, meeting.share.mean) == (2, 10, 0.5)
    assert meeting.without_winner == {"dead": 10, "tie": 0}


# --- bad input ---------------------------------------------------------------------------------


def test_options_may_be_true_or_false() -> None:
    made: Any = player("expert,inference=false,for_match=True").make(1)
    assert (made.inference, made.for_match) == (False, True)


@pytest.mark.parametrize(
    ("names", "options", "parts"),
    [
        (["exprt", "gold"], {}, ["'exprt' is no player", "expert", "rlcard-novice", "file.py:"]),
        (["", "gold"], {}, ["'' is no player"]),
        (["gold"], {}, ["two or more"]),
        ("gold", {}, ["two or more"]),
        ([7, "gold"], {}, ["7 is no player"]),
        (["gold,limit=3", "gold"], {}, ["'gold' takes no option 'limit'", "allowed: none"]),
        (["expert,rollouts=many", "gold"], {}, ["rollouts 'many' is no number"]),
        (["expert,rollouts=-1", "gold"], {}, ["rollouts=-1"]),
        (["expert,inference=no", "gold"], {}, ["inference='no'", "true or false"]),
        (["expert,for_match=0", "gold"], {}, ["for_match=0", "true or false"]),
        (["expert,rollouts", "gold"], {}, ["'rollouts' is no option=value"]),
        (["expert,seed=3", "gold"], {}, ["'seed=3'", "seeds are the series'"]),
        (["gold", "simple"], {"results": 5}, ["results=5"]),
        (["expert,rollouts=1,rollouts=2", "gold"], {}, ["'rollouts=2'", "twice"]),
        (["nowhere.py:Fine", "gold"], {}, ["player file 'nowhere.py'", "no such file"]),
        ([f"{HERE}:Fien", "gold"], {}, ["no class or function 'Fien'"]),
        ([f"{HERE}:not_a_player", "gold"], {}, ["no class or function 'not_a_player'"]),
        (["no_such_module:Fine", "gold"], {}, ["player module 'no_such_module'"]),
        (["builtins:print", "gold"], {}, ["takes no option"]),
        (["gold", "simple"], {"games": 0}, ["games=0", "even number from 2"]),
        (["gold", "simple"], {"games": 7}, ["games=7", "even number"]),
        (["gold", "simple"], {"games": 2.0}, ["games=2.0"]),
        (["gold", "simple"], {"games": True}, ["games=True"]),
        (["gold", "simple"], {"unit": "turns"}, ["unit='turns'", "games or deals"]),
        (["gold", "simple"], {"seed": -1}, ["seed=-1", "2**64 - 1"]),
        (["gold", "simple"], {"player_seed": 1 << 64}, ["player_seed=0x1"]),
        (["gold", "simple"], {"move_ms": 0}, ["move_ms=0"]),
        (["gold", "simple"], {"luck": -1}, ["luck=-1", "0 to 10,000"]),
        (["gold", "simple"], {"luck": True}, ["luck=True", "whole number"]),
        (["gold", "simple"], {"workers": 0}, ["workers=0"]),
        (["gold", "simple"], {"stop": (0.6, 0.5)}, ["stop=(0.6, 0.5)", "low < high"]),
        (["gold", "simple"], {"stop": 0.6}, ["stop=0.6"]),
        (["gold", "simple", "random"], {"stop": (0.4, 0.5)}, ["two players"]),
        (["gold", "simple", "random"], {"luck": 8}, ["luck=8", "two players"]),
        (["gold", "simple"], {"rules": "oklahomma"}, ["'oklahomma'", "oklahoma-pagat"]),
        (["gold", "simple"], {"resume": True}, ["nothing to resume"]),
        (["gold", "simple"], {"cluster": "x", "executor": ThreadPoolExecutor(1)}, ["one of them"]),
    ],
)
def test_bad_input_is_told_in_one_line(names: Any, options: Any, parts: list[str]) -> None:
    with pytest.raises(OkginError) as caught:
        series(names, **options)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_class_gets_its_seed_by_name() -> None:
    by_class, by_name = (
        played(source, "random", games=4, unit="deals").report().meetings
        for source in (players.Deep, f"{HERE}:Deep")
    )
    assert by_class == by_name


def test_a_player_file_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text("from okgin_fast.agents import GoldAgent\n")
    (tmp_path / "uses.py").write_text("from beside_it import GoldAgent as Mine\n")
    found = played(f"{tmp_path / 'uses.py'}:Mine", "gold", games=4, unit="deals").report()
    assert found.share.mean == 0.5


def test_a_worker_without_the_players_file_is_no_fault_of_his(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("from okgin_fast.agents import GoldAgent as Mine\n")
    playing = series([f"{mine}:Mine", "gold"], games=4, unit="deals", workers=1)
    mine.unlink()
    play.version_of.cache_clear()  # as in a process of its own
    with pytest.raises(OkginError, match=r"a worker has .* not installed"):
        playing.run()
    assert not playing.ledger.deals


def test_a_series_of_any_length_begins_at_once() -> None:
    playing = played("gold", "random", games=100_000_000, unit="deals", stop=(0.3, 0.9))
    assert playing.report().stopped is not None


def test_a_player_file_with_an_error_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def :\n")
    with pytest.raises(OkginError, match=r"player file .*: SyntaxError: 'invalid syntax"):
        series([f"{tmp_path / 'broken.py'}:Fine", "gold"])


@pytest.mark.parametrize(
    ("options", "module", "extra"),
    [
        ({"names": ("openspiel-simple", "gold")}, "pyspiel", "openspiel"),
        ({"names": ("gold", "rlcard-novice")}, "rlcard", "rlcard"),
        ({"names": ("gold", "gold"), "cluster": "tcp://127.0.0.1:1"}, "distributed", "cluster"),
    ],
)
def test_a_missing_extra_is_named(
    options: dict[str, Any], module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("okgin_fast.adapters.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        series(options.pop("names"), **options)
    assert str(caught.value) == f"{module} is not installed: pip install 'okgin_fast[{extra}]'"


def test_a_worker_of_another_version_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    playing = series(["gold", "simple"], games=2, workers=1)
    monkeypatch.setattr(play, "version_of", lambda package: "0.0.1")
    with pytest.raises(OkginError, match=r"a worker has okgin_fast 0\.0\.1"):
        playing.run()


def test_an_agents_own_file_is_named_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(HERE).parent)
    report = played("players.py:Fine", "gold", games=2, unit="deals", workers=2).report()
    assert report.players == ("players.py:Fine", "gold")
