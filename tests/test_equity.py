"""Match equity: against a plain recursion over score sheets, against matches played out, by hand.

The recursion and the simulation share nothing with the table but one deal's outcomes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from okgin_fast import OkginError, Rules, equity
from okgin_fast.core.rng import Rng
from okgin_fast.deal import DealResult
from okgin_fast.equity import KINDS, MOST, Outcomes, deal_worth, match_equity, outcomes
from okgin_fast.match import Match
from okgin_fast.rules import PRESETS

SHIPPED = json.loads(files("okgin_fast").joinpath("outcomes.json").read_text("utf-8"))
DEALERS = ["winner", "loser", "alternate"]
ALL = {name: Rules.preset(name, target=rules.target or 100) for name, rules in PRESETS.items()}
ME, OPPONENT = 0, 1

Endings = list[tuple[bool, int, float]]
"""What one deal may come to: whether the dealer wins it, the points, and how likely that is."""


def endings(deal: Outcomes) -> Endings:
    """A deal's endings that score something."""
    found: Counter[tuple[bool, int]] = Counter()
    for of_dealer, side in ((True, deal.chances[0]), (False, deal.chances[1])):
        for points, chance in zip(deal.points.tolist(), side.tolist(), strict=True):
            found[of_dealer, points] += chance
    return [(*ending, chance) for ending, chance in found.items() if ending[1] and chance]


def next_dealer(rules: Rules, dealer: int, winner: int) -> int:
    return {"winner": winner, "loser": 1 - winner, "alternate": 1 - dealer}[rules.next_dealer]


def plain_equity(rules: Rules, deal: Endings) -> Callable[[tuple[int, int], int], float]:
    """The chance to win from a score, by going through all that can follow."""
    whole = sum(chance for *_, chance in deal)

    @cache
    def chance(score: tuple[int, int], dealer: int) -> float:
        total = 0.0
        for of_dealer, points, likely in deal:
            winner = dealer if of_dealer else 1 - dealer
            after = [*score]
            after[winner] += points
            if after[winner] >= rules.target:
                total += likely * (winner == ME)
            else:
                total += likely * chance((after[0], after[1]), next_dealer(rules, dealer, winner))
        return total / whole

    return chance


def toy(*of_deal: tuple[bool, int, float]) -> Outcomes:
    """Outcomes of a deal that is dead where nothing else is said."""
    chances = np.zeros((2, len(of_deal)))
    for i, (of_dealer, _, chance) in enumerate(of_deal):
        chances[0 if of_dealer else 1, i] = chance
    points = np.array([points for _, points, _ in of_deal])
    return Outcomes(np.zeros(len(of_deal), int), points, chances, 1 - chances.sum())


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Outcomes], None]]:
    """Give all deals these outcomes."""

    def clear() -> None:
        equity._table.cache_clear()
        equity._worth.cache_clear()

    def set_outcomes(deal: Outcomes) -> None:
        monkeypatch.setattr(equity, "_outcomes", lambda _: deal)
        clear()

    clear()
    yield set_outcomes
    clear()


# --- the table --------------------------------------------------------------------------------


def test_one_deal_decides_by_hand(play: Callable[[Outcomes], None]) -> None:
    # The dealer wins three tenths of all deals, the other player half of them; a fifth is dead.
    play(toy((True, 30, 0.3), (False, 30, 0.5)))
    rules = Rules(target=30)
    assert match_equity(rules, (0, 0), "me") == pytest.approx(3 / 8)
    assert match_equity(rules, (0, 0), "opponent") == pytest.approx(5 / 8)


# To 20, I deal at 0-0: half of all deals are 10 for the dealer, a quarter are 10 for the other
# player and a quarter 20 for him. Whoever deals at 10-10 wins half of the time. The rest by hand,
# from the end: at 10-0 I win 1/2 + 1/4 1/2 = 5/8 if I deal, 1/2 + 1/2 1/2 = 3/4 if they do; at 0-10
# 1/2 1/2 = 1/4 if I deal, 1/4 + 1/4 1/2 = 3/8 if they do.
@pytest.mark.parametrize(
    ("rule", "chance"),
    [
        ("winner", 1 / 2 * 5 / 8 + 1 / 4 * 3 / 8),
        ("loser", 1 / 2 * 3 / 4 + 1 / 4 * 1 / 4),
        ("alternate", 1 / 2 * 3 / 4 + 1 / 4 * 3 / 8),
    ],
)
def test_three_deals_by_hand(play: Callable[[Outcomes], None], rule: str, chance: float) -> None:
    play(toy((True, 10, 0.5), (False, 10, 0.25), (False, 20, 0.25)))
    rules = Rules.preset("oklahoma", target=20, next_dealer=rule)
    assert match_equity(rules, (0, 0), "me") == pytest.approx(chance)


@pytest.mark.parametrize("rule", DEALERS)
def test_a_toy_deal_against_the_plain_recursion(
    play: Callable[[Outcomes], None], rule: str
) -> None:
    deal = [(True, 1, 0.1), (True, 4, 0.2), (True, 13, 0.05), (False, 2, 0.3), (False, 7, 0.2)]
    play(toy(*deal))
    rules = Rules.preset("oklahoma", target=17, next_dealer=rule)
    plain = plain_equity(rules, deal)
    for mine in range(17):
        for theirs in range(17):
            for who, dealer in (("me", ME), ("opponent", OPPONENT)):
                found = match_equity(rules, (mine, theirs), who)
                assert found == pytest.approx(plain((mine, theirs), dealer), abs=1e-12)


@pytest.mark.parametrize("name", ["oklahoma-spades", "oklahoma-pagat", "eaai"])
def test_a_preset_against_the_plain_recursion(name: str) -> None:
    rules = Rules.preset(name, target=40)
    plain = plain_equity(rules, endings(outcomes(rules)))
    for score in [(0, 0), (0, 39), (39, 0), (39, 39), (10, 25), (25, 10)]:
        assert match_equity(rules, score, "me") == pytest.approx(plain(score, ME))
        assert match_equity(rules, score, "opponent") == pytest.approx(plain(score, OPPONENT))


@pytest.mark.parametrize("name", ["oklahoma-spades", "oklahoma-pagat", "eaai"])
def test_a_preset_against_matches_played_out(name: str) -> None:
    # On a real score sheet, from 30-0, with as many first dealers of each kind.
    rules, matches, won, sheets = ALL[name], 800, 0, Rng(5)
    deal = outcomes(rules)
    flat = np.concatenate([deal.chances.ravel(), [deal.dead]])
    draws = iter(np.random.RandomState(6).choice(len(flat), 40 * matches, p=flat / flat.sum()))
    assert rules.target is not None
    for _ in range(matches):
        match = Match(rules, sheets.below(1 << 30))
        match.record(DealResult("gin", ME, 30, ME, 0, 0, None, None))
        match.dealer = sheets.below(2)
        while not match.over:
            side, ending = divmod(int(next(draws)), deal.points.size)
            kind, points = KINDS[deal.kinds[ending % deal.points.size]], int(deal.points[ending])
            winner = match.dealer if side == 0 else 1 - match.dealer
            knocker = 1 - winner if kind == "undercut" else winner
            if side == 2:
                match.record(DealResult("dead", None, 0, None, None, None, None, None))
            else:
                match.record(DealResult(kind, winner, points, knocker, 0, 0, None, None))
        won += match.winner == ME
    expected = (match_equity(rules, (30, 0), "me") + match_equity(rules, (30, 0), "opponent")) / 2
    assert abs(won / matches - expected) < 4 * (expected * (1 - expected) / matches) ** 0.5


# --- what holds for all of them ---------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_one_of_the_two_wins(name: str) -> None:
    rules = ALL[name]
    for score in [(0, 0), (0, 99), (50, 20), (99, 99)]:
        mine = match_equity(rules, score, "me")
        theirs = match_equity(rules, score[::-1], "opponent")
        assert mine + theirs == pytest.approx(1)
        assert 0 < mine < 1


@pytest.mark.parametrize("name", PRESETS)
def test_points_never_hurt(name: str) -> None:
    rules = ALL[name]
    for who in ("me", "opponent"):
        table = np.array(
            [
                [match_equity(rules, (mine, theirs), who) for theirs in range(0, 100, 3)]
                for mine in range(0, 100, 3)
            ]
        )
        # Not always better: in straight gin 1 or 24 points to go are the same, 25 is the least.
        assert (np.diff(table, axis=0) >= -1e-12).all()
        assert (np.diff(table, axis=1) <= 1e-12).all()
        assert (table[-1] > table[0]).all()
        assert (table[:, -1] < table[:, 0]).all()


@pytest.mark.parametrize("name", PRESETS)
def test_who_deals_matters_little(name: str) -> None:
    # A fault in who deals, or a file measured with seats mixed up, would show here.
    assert 0.45 < match_equity(ALL[name], (0, 0), "me") < 0.52


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("dealer", [True, False])
def test_what_a_deal_is_worth(name: str, dealer: bool) -> None:
    rules = ALL[name]
    target = rules.target
    assert target is not None
    for mine, theirs in [(0, 0), (target - 1, target - 1), (40, 65), (65, 40), (target - 1, 0)]:
        worth = deal_worth(rules, (mine, theirs), dealer)
        assert worth.shape == (2 * MOST + 1,)
        assert (np.diff(worth) >= 0).all()
        assert (worth[MOST + target - mine :] == 1).all()
        assert (worth[: MOST - (target - theirs) + 1] == 0).all()
        open_game = worth[MOST - (target - theirs) + 1 : MOST + target - mine]
        assert ((open_game > 0) & (open_game < 1)).all()
        mirrored = deal_worth(rules, (theirs, mine), not dealer)
        assert worth == pytest.approx(1 - mirrored[::-1])


@pytest.mark.parametrize("rule", DEALERS)
@pytest.mark.parametrize("dealer", [ME, OPPONENT])
def test_after_a_deal_it_is_the_equity_of_the_new_score(rule: str, dealer: int) -> None:
    rules = Rules.preset("standard", next_dealer=rule)
    worth = deal_worth(rules, (20, 30), dealer == ME)
    for points in (-60, -25, 25, 60):
        score = (20 + max(points, 0), 30 + max(-points, 0))
        who = next_dealer(rules, dealer, ME if points > 0 else OPPONENT)
        expected = match_equity(rules, score, ["me", "opponent"][who])
        assert worth[MOST + points] == pytest.approx(expected)
    dead = match_equity(rules, (20, 30), ["me", "opponent"][dealer])
    assert worth[MOST] == pytest.approx(dead, abs=0.01)  # dealt again by the same dealer


def test_where_a_point_is_worse_than_none_both_count_the_same(
    play: Callable[[Outcomes], None],
) -> None:
    # Whoever deals loses 10: at 5-5 to 10, winning one point as the dealer loses the match.
    play(toy((False, 10, 1.0)))
    rules = Rules(target=10)  # the winner deals
    worth = deal_worth(rules, (5, 5), True)
    assert match_equity(rules, (6, 5), "me") == 0
    assert match_equity(rules, (5, 6), "opponent") == 1
    assert worth[MOST - 5 : MOST + 6].tolist() == [0.0, *[0.5] * 9, 1.0]


def test_asked_again_it_is_at_hand_and_cannot_be_written_to() -> None:
    worth = deal_worth("eaai", (40, 65), True)
    assert deal_worth(Rules.preset("eaai"), (40, 65), True) is worth
    with pytest.raises(ValueError, match="read-only"):
        worth[0] = 1.0


def test_threads_get_the_same() -> None:
    equity._table.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: match_equity("eaai", (40, 65)), range(8)))
    assert len(found) == 1


def test_a_deal_holds_all_points_of_the_presets() -> None:
    # 98 points of deadwood are the most there are.
    for rules in PRESETS.values():
        bonus = max(rules.gin_bonus, rules.big_gin_bonus if rules.big_gin else 0)
        assert rules.spade_multiplier * (bonus + 98) <= MOST
        assert outcomes(rules).points.max() <= MOST


# --- the outcomes of a deal -------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_the_shares_that_were_counted(name: str) -> None:
    limits = SHIPPED["presets"][name]
    upcards = Counter(PRESETS[name].knock_limit(rank) for rank in range(13))
    assert {int(limit) for limit in limits} == set(upcards)
    deal = outcomes(name)
    assert deal.chances.sum() + deal.dead == pytest.approx(1)
    counted = {
        limit: sum(sum(map(sum, limits[limit][side].values())) for side in ("dealer", "other"))
        + limits[limit]["dead"]
        for limit in limits
    }
    for kind in KINDS:
        for i, side in enumerate(["dealer", "other"]):
            share = sum(
                upcards[int(limit)] / 13 * sum(limits[limit][side].get(kind, [0])) / counted[limit]
                for limit in limits
            )
            assert deal.share(kind)[i] == pytest.approx(share)


def test_smoothing_leaves_the_mean() -> None:
    (counts,) = SHIPPED["presets"]["eaai"].values()
    bonuses = {"knock": 0, "undercut": 25, "gin": 25}
    sides = ("dealer", "other")
    deals = counts["dead"] + sum(sum(map(sum, counts[side].values())) for side in sides)
    for side, mean in zip(sides, outcomes("eaai").means, strict=True):
        points = sum(
            deals_of * (bonuses[kind] + difference)
            for kind, row in counts[side].items()
            for difference, deals_of in enumerate(row)
        )
        assert mean == pytest.approx(points / deals, abs=0.01)


@pytest.mark.parametrize("name", PRESETS)
def test_no_impossible_ending(name: str) -> None:
    rules, deal = PRESETS[name], outcomes(name)
    limit = 10 if rules.knock == "upcard" else rules.knock
    least = {"knock": 1, "undercut": rules.undercut_bonus, "gin": rules.gin_bonus, "big_gin": 31}
    most = {"knock": 98, "undercut": rules.undercut_bonus + limit, "gin": rules.gin_bonus + 98,
            "big_gin": 129}  # fmt: skip
    for kind, points in zip(deal.kinds[deal.chances.any(axis=0)],
                            deal.points[deal.chances.any(axis=0)], strict=True):  # fmt: skip
        low, high = least[KINDS[kind]], most[KINDS[kind]]
        if KINDS[kind] == "undercut" and not rules.undercut_on_tie and points == 0:
            continue
        assert low <= points <= rules.spade_multiplier * high
    assert (deal.share("knock") == (0, 0)) == (limit == 0)
    assert (deal.share("big_gin") == (0, 0)) == (not rules.big_gin)


def test_a_bonus_is_paid_as_often_as_there_are_gins() -> None:
    plain, dear = outcomes("eaai"), outcomes(Rules.preset("eaai", gin_bonus=35))
    for i in range(2):
        assert dear.means[i] - plain.means[i] == pytest.approx(10 * plain.share("gin")[i])


def test_a_quarter_of_the_deals_counts_double() -> None:
    plain, spades = outcomes("eaai"), outcomes(Rules.preset("eaai", spade_multiplier=2))
    assert spades.means == pytest.approx([1.25 * mean for mean in plain.means])


def test_a_tie_may_score_nothing() -> None:
    ties = outcomes(Rules.preset("eaai", undercut_on_tie=False))
    scoring = ties.chances[:, ties.points > 0].sum()
    assert 0.9 < scoring + ties.dead < 1


def share_of_gins(counts: dict[str, Any]) -> float:
    return sum(sum(counts[side].get("gin", [0])) for side in ("dealer", "other"))


@pytest.mark.parametrize(
    ("rules", "preset", "limit"),
    [
        # Straight gin with a dead wall is Oklahoma with an ace for gin: the same points.
        (Rules.preset("straight", wall="dead"), "oklahoma-spades", "0"),
        (Rules.preset("eaai", knock=5), "oklahoma-spades", "5"),
        (Rules.preset("eaai", gin_bonus=20), "eaai", "10"),
        (Rules.preset("standard", wall="dead"), "eaai", "10"),
        (Rules.preset("eaai", big_gin=True), "modern", "10"),
        (Rules.preset("modern", box_bonus=0, target=250), "modern", "10"),
    ],
)
def test_own_rules_take_the_deals_of_the_nearest_preset(
    rules: Rules, preset: str, limit: str
) -> None:
    counts = SHIPPED["presets"][preset][limit]
    deals = counts["dead"] + sum(
        sum(map(sum, counts[side].values())) for side in ("dealer", "other")
    )
    deal = outcomes(rules)
    assert deal.dead == pytest.approx(counts["dead"] / deals)
    assert sum(deal.share("gin")) == pytest.approx(share_of_gins(counts) / deals)


def test_rules_of_an_ace_mix_presets() -> None:
    # oklahoma has no deal with limit 0; bicycle and spades have.
    deal = outcomes(Rules.preset("oklahoma", ace="gin"))
    assert deal.chances.sum() + deal.dead == pytest.approx(1)
    assert sum(deal.share("gin")) > sum(outcomes("oklahoma").share("gin"))


# --- targets and Hollywood --------------------------------------------------------------------


def test_only_what_is_needed_counts() -> None:
    low, high = Rules.preset("eaai", target=60), Rules.preset("eaai", target=250)
    assert match_equity(low, (10, 0)) == pytest.approx(match_equity(high, (200, 190)))


@pytest.mark.parametrize("name", ["oklahoma-spades", "eaai"])
def test_far_from_the_target_the_table_is_stretched(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules.preset(name, target=450)
    scores = [(0, 0), (0, 449), (449, 0), (200, 210), (300, 250)]
    scores += [(mine, theirs) for mine in range(0, 300, 60) for theirs in range(0, 450, 50)]
    near = [match_equity(rules, score, "me") for score in scores]
    monkeypatch.setattr(equity, "EXACT", 450)
    equity._table.cache_clear()
    exact = [match_equity(rules, score, "me") for score in scores]
    equity._table.cache_clear()
    assert near == pytest.approx(exact, abs=0.01)
    assert near[3:5] == pytest.approx(exact[3:5], abs=1e-12)  # needs that are in the table


@pytest.mark.parametrize("target", [1, 251, 1000, 1_000_000])
def test_any_target(target: int) -> None:
    rules = Rules.preset("oklahoma-spades", target=target)
    assert 0.45 < match_equity(rules, (0, 0), "me") < 0.5
    for score in [(0, 0), (target - 1, 0), (0, target - 1), (target // 2, target // 3)]:
        worth = deal_worth(rules, score, True)
        assert (np.diff(worth) >= 0).all()
        assert ((worth >= 0) & (worth <= 1)).all()
        assert worth[MOST - 1] < worth[MOST + 1] or 0 < worth[MOST] < 1


def test_hollywood_is_the_game_whose_score_is_given() -> None:
    for score in [(0, 0), (40, 65)]:
        hollywood = Rules.preset("oklahoma-spades", hollywood=True)
        assert match_equity(hollywood, score) == match_equity("oklahoma-spades", score)


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "score", [(100, 3), (3, 100), (-1, 0), (0,), (1, 2, 3), None, 40, "40-65", (1.0, 2), (True, 0)]
)
def test_a_score_that_is_none(score: Any) -> None:
    with pytest.raises(OkginError, match=r"score .* from 0 to 99, mine first"):
        match_equity("eaai", score)
    with pytest.raises(OkginError, match=r"score .* from 0 to 99, mine first"):
        deal_worth("eaai", score, True)


@pytest.mark.parametrize("dealer", ["him", "", None, 0, True, ["me"]])
def test_a_dealer_who_is_none(dealer: Any) -> None:
    with pytest.raises(OkginError, match=r"dealer=.* me or opponent"):
        match_equity("eaai", (0, 0), dealer)


def test_a_single_deal_has_no_score() -> None:
    with pytest.raises(OkginError, match=r"target None: .* needs a target"):
        match_equity("open-spiel")
    with pytest.raises(OkginError, match=r"target None: .* needs a target"):
        deal_worth("open-spiel", (0, 0), True)


def test_unknown_rules() -> None:
    for wrong in (match_equity, outcomes):
        with pytest.raises(OkginError, match="'oklahome'"):
            wrong("oklahome")
