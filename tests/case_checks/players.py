"""Cases of players and hints."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers import whole_deal

import okgin_fast as og
from case_checks.shared import (
    LOOSE0,
    LOOSE2,
    NEARLY_GIN,
    Case,
    of_case,
    of_kind,
    play,
    wall_deal,
)
from okgin_fast.cards import Card
from okgin_fast.core.belief import sample_hands
from okgin_fast.errors import OkginError

PLAYERS = ["random", "simple", "gold", "expert"]


def player(name: str, seed: int) -> og.Agent:
    """Make a player; the expert is given little to think about."""
    return og.agent(
        name, seed=seed, **({"limit": og.Limit(rollouts=32)} if name == "expert" else {})
    )


def played_out(deal: og.Deal, names: tuple[str, str], seed: int) -> og.Deal:
    """Let two players finish the deal; every action of theirs must be legal."""
    agents = [player(name, seed + seat) for seat, name in enumerate(names)]
    while deal.to_move is not None:
        action = agents[deal.to_move].act(deal.view(deal.to_move))
        assert action in deal.legal_actions()
        deal.apply(action)
    return deal


@of_case("R036")
def sampled_hands_differ_and_repeat(given: Case, expected: Case) -> None:
    deal = og.Deal("eaai", seed=36)
    agents = [og.agent("random", seed=seat) for seat in (0, 1)]
    for _ in range(14):
        assert deal.to_move is not None
        deal.apply(agents[deal.to_move].act(deal.view(deal.to_move)))
    view = deal.view(deal.to_move)
    hands = sample_hands(view, 200, seed=1)
    assert len({hand.mask for hand in hands}) > 150
    assert hands == sample_hands(view, 200, seed=1)
    assert hands != sample_hands(view, 200, seed=2)
    assert all(len(hand) == 10 and view.known <= hand <= view.unseen | view.known for hand in hands)


@of_case("R037")
def knocks_on_the_last_turn_are_carried_out(given: Case, expected: Case) -> None:
    """The last turn of all is the one that would leave two cards in the stock."""
    for name in PLAYERS:
        deal = og.Deal.from_cards(
            "eaai", **whole_deal(LOOSE0, "3S 7S TS KS 7C 7D 5D 5C JD JH", "3D", last="5H KH QH"),
            dealer=0,
        )  # fmt: skip
        play(deal, "pass", "pass")
        while len(deal.stock) > 3:
            play(deal, "draw", f"discard {deal.stock[0]}")
        assert deal.to_move == 1
        played_out(deal, (name, name), 37)
        assert deal.result is not None


@of_case("R066")
def a_hundred_automatic_deals(given: Case, expected: Case) -> None:
    kinds = set()
    for seed in range(100):
        name = PLAYERS[seed % 3]
        deal = played_out(og.Deal("eaai", seed=seed, dealer=seed % 2), (name, name), seed)
        assert deal.result is not None
        kinds.add(deal.result.kind)
    assert "dead" in kinds
    match = og.play_match(
        player("random", 1), player("random", 2), og.Rules.preset("eaai"), seed=66
    )
    assert max(match.scores) >= 100


@of_case("R072")
def who_takes_the_upcard_throws_another_card(given: Case, expected: Case) -> None:
    hand = "3S 7S TS KS 7C 7D 5D QC JD 8H"
    for name in PLAYERS:
        deal = og.Deal.from_cards("eaai", (LOOSE0, hand), "7H", dealer=0, seed=72)
        computer = player(name, 72)
        action = computer.act(deal.view(1))
        if name != "random":
            assert str(action) == "take 7H"
        play(deal, "take 7H")
        thrown = computer.act(deal.view(1))
        assert thrown in deal.legal_actions()
        assert thrown.card != Card("7H")
        deal.apply(thrown)
        assert len(deal.hand(1)) == 10


@of_case("R079")
def a_possible_knock_never_stalls_a_player(given: Case, expected: Case) -> None:
    cards_ = whole_deal(LOOSE2, NEARLY_GIN, "3C", first="2H")
    for name in PLAYERS:
        deal = play(og.Deal.from_cards("standard", **cards_, dealer=0), "pass", "pass", "draw")
        action = player(name, 79).act(deal.view(1))
        assert action.kind in {"knock", "gin", "discard"}
        if name in {"simple", "gold"}:
            assert action.kind == "discard"  # 9 + 10 + 10 + 2 points are too many
        deal.apply(action)
        assert len(deal.hand(1)) == 10


@of_case("R107")
def a_finished_deal_asks_nobody(given: Case, expected: Case) -> None:
    deal = wall_deal()
    for name in PLAYERS:
        for seat in (0, 1):
            with pytest.raises(OkginError, match="over"):
                player(name, 107).act(deal.view(seat))


@of_kind("hint_text")
def hint_text(given: Case, expected: Case) -> None:
    rules = og.Rules.preset(given["rules"])
    assert rules.knock_limit(given["upcard"]) == expected["knock_limit"]
    hint = [sys.executable, "-m", "okgin_fast", "hint", "--rules", given["rules"]]
    hint += ["--hand", LOOSE0, "--upcard", given["upcard"]]
    done = subprocess.run(hint, capture_output=True, text=True, check=True)
    assert f"knock limit {expected['knock_limit']}" in done.stdout
    if not expected.get("text_mentions_oklahoma", True):
        everything = "\n".join([*rules.describe(), done.stdout, done.stderr])
        assert "oklahoma" not in everything.lower()
