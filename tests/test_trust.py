"""The players never cheat, never do what is illegal, are never late, and repeat what they do."""

from __future__ import annotations

import hashlib
import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hidden import resampled
from playing import EVERY_RULES, play

import okgin_fast as og
from okgin_fast.agents import AGENTS, LEVELS
from okgin_fast.rules import PRESETS, Rules

PLAYERS = {**AGENTS, **LEVELS}
BENCH = Path(__file__).parents[1] / "bench"


def player(name: str, rollouts: int, seed: int = 1) -> og.Agent:
    options: dict[str, Any] = {"limit": og.Limit(rollouts=rollouts)} if name == "expert" else {}
    return og.agent(name, seed=seed, **options)


def scores(rules: Rules | str) -> Iterator[tuple[int, int] | None]:
    """No score and some in turn, if the rules have a target."""
    target = og.Rules.preset(rules).target if isinstance(rules, str) else rules.target
    known = [None, (0, 0), (target - 2, 40), (30, target - 1)] if target else [None]
    return itertools.cycle(known)


def positions(rules: Rules | str, n: int) -> Iterator[og.Deal]:
    """So many positions of deals between hunters, and of deals that anybody may have played."""
    found = 0
    for seed in itertools.count(1):
        deal = og.Deal(rules, seed=seed, dealer=seed % 2)
        for at in sensible(deal) if seed % 2 else play(deal, seed):
            if at.to_move is not None and (seed % 2 or at.turn % 9 == seed % 9):
                yield at
                found += 1
                if found == n:
                    return


def sensible(deal: og.Deal) -> Iterator[og.Deal]:
    """A deal played by hunters."""
    hunter = og.agent("hunter")
    while deal.to_move is not None:
        yield deal
        deal.apply(hunter.act(deal.view(deal.to_move)))


# -------------------------------------------------------------------------------- never cheats


class TestNeverCheats:
    """All that a seat cannot see is dealt once more: every player decides as before."""

    @pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
    def test_hidden_cards_change_nothing(self, rules: Rules) -> None:
        self.check(rules, n=80, rollouts=9)

    @pytest.mark.slow
    @pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
    def test_hidden_cards_change_nothing_in_thousands_of_positions(self, rules: Rules) -> None:
        self.check(rules, n=2000, rollouts=40)

    def check(self, rules: Rules, n: int, rollouts: int) -> None:
        others = 0
        players = [player(name, rollouts) for name in PLAYERS]
        score = scores(rules)
        for number, deal in enumerate(positions(rules, n)):
            me, standing = deal.to_move, next(score)
            assert me is not None
            like_it = resampled(deal, me, seed=number)
            others += like_it.hand(1 - me) != deal.hand(1 - me)
            for agent in players:
                decision = agent.act(deal.view(me, standing))
                assert agent.act(like_it.view(me, standing)) == decision
        assert others > n // 2  # where everything is known there is nothing to deal


# ---------------------------------------------------------------------------------- signature

# What the expert decides in fixed positions, the same on every platform. If a change is meant to
# change its play, put the new signature here (the failing test shows it) in the same commit, and
# say in its message what it plays differently. If not, find out why it has changed.
SIGNATURE = "7943b2881c12c9ac"


def test_the_expert_decides_as_it_did() -> None:
    decisions = hashlib.sha256()
    for rules in ("oklahoma", "oklahoma-spades", "standard", "straight", "eaai"):
        score = scores(rules)
        expert = og.agent("expert", seed=7, limit=og.Limit(rollouts=100))
        for seed in range(2):
            for deal in sensible(og.Deal(rules, seed=seed, dealer=seed % 2)):
                assert deal.to_move is not None
                action = expert.act(deal.view(deal.to_move, next(score)))
                decisions.update(f"{action}\n".encode())
    assert decisions.hexdigest()[:16] == SIGNATURE


# ------------------------------------------------------------------------------- never illegal


class TestNeverIllegal:
    """All players against all others; a deal refuses what is not legal."""

    @pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
    def test_thousands_of_decisions(self, rules: Rules) -> None:
        self.check(rules, 2_500)

    @pytest.mark.slow
    @pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
    def test_a_million_decisions(self, rules: Rules) -> None:
        self.check(rules, 1_000_000 // len(EVERY_RULES) + 1)

    def check(self, rules: Rules, decisions: int) -> None:
        pairs = itertools.cycle(itertools.product(PLAYERS, repeat=2))
        score, made = scores(rules), 0
        for seed, names in enumerate(pairs):
            deal, standing = og.Deal(rules, seed=seed, dealer=seed % 2), next(score)
            seats = [player(name, rollouts=3, seed=seed) for name in names]
            while deal.to_move is not None:
                view = deal.view(deal.to_move, standing)
                deal.apply(seats[deal.to_move].act(view), seat=deal.to_move)
                made += 1
            assert deal.result is not None
            if made >= decisions:
                return


# ---------------------------------------------------------------------------------- never late


@pytest.mark.parametrize("rules", PRESETS)
class TestNeverLate:
    def test_no_time_is_time_enough_for_something_legal(self, rules: str) -> None:
        expert, score = og.agent("expert", limit=og.Limit(time_ms=0)), scores(rules)
        for deal in positions(rules, 60):
            assert expert.act(deal.view(deal.to_move, next(score))) in deal.legal_actions()

    def test_it_ends(self, rules: str) -> None:
        """To the millisecond only if nothing else is tested beside: see bench/trust.py."""
        expert, score = og.agent("expert", limit=og.Limit(time_ms=2)), scores(rules)
        start, n = time.perf_counter(), 20
        for deal in positions(rules, n):
            expert.act(deal.view(deal.to_move, next(score)))
        assert time.perf_counter() - start < 0.002 * n + 2


@pytest.mark.slow
@pytest.mark.parametrize("others", ["quiet", "others in the background", "others alike"])
def test_99_of_100_decisions_are_in_time(others: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """1.2 times the limit and 2 ms, and what a loop that only looks at the clock is late by."""
    monkeypatch.syspath_prepend(BENCH)
    for name in ("trust", "report", "measure"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import trust

    views = trust.positions(300)
    with trust.busy(trust.CONDITIONS[others]):
        for limit in (1, 5, 20):
            assert not (times := trust.measure(limit, views)).late, times
