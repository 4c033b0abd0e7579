"""Perft: the number of action sequences from fixed deals, by the oracle and by the core.

The counts in perft.json were made by the oracle. `python tests/test_perft.py` prints the file anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from helpers import DATA, whole_deal

from okgin_fast import reference
from okgin_fast.cards import Card
from okgin_fast.reference import ReferenceDeal
from okgin_fast.rules import Rules

POSITIONS: list[dict[str, Any]] = json.loads((DATA / "perft.json").read_text("utf-8"))
ORACLE_DEPTH, DEEPEST = 5, 9


def name_of(position: dict[str, Any]) -> str:
    """Name a test after its position."""
    return str(position["name"])


def start(position: dict[str, Any]) -> tuple[Rules, dict[str, Any]]:
    """Return the rules and the cards of a position's deal."""
    cards = whole_deal(*(position[key] for key in ("hand0", "hand1", "upcard", "first")))
    return Rules.preset(**position["rules"]), cards | {"dealer": position["dealer"]}


def play_to(position: dict[str, Any], deal: Any) -> Any:
    """Let both pass the upcard, then each throw what he drew, for that many turns."""
    if position["turns"]:
        deal.apply("pass")
        deal.apply("pass")
    for _ in range(position["turns"]):
        card = deal.stock[0]
        deal.apply("draw")
        deal.apply(f"discard {card}")
    return deal


def reference_deal(
    position: dict[str, Any], shuffle: Callable[[list[Card]], list[Card]] = list
) -> ReferenceDeal:
    """Return the position in the oracle."""
    rules, cards = start(position)
    return play_to(position, ReferenceDeal(rules, **cards, shuffle=shuffle))


def counts_by_the_oracle(position: dict[str, Any], depth: int) -> list[int]:
    """Return the number of sequences to each depth; it must not hang on how a stock is shuffled."""
    deal = reference_deal(position)
    counts = [reference.perft(deal, n) for n in range(1, depth + 1)]
    if deal.rules.wall == "reshuffle" and position["turns"]:
        other = reference_deal(position, lambda pile: pile[::-1])
        assert counts == [reference.perft(other, n) for n in range(1, depth + 1)]
    return counts


@pytest.mark.parametrize("position", POSITIONS, ids=name_of)
def test_the_oracle_still_counts_what_is_stored(position: dict[str, Any]) -> None:
    assert counts_by_the_oracle(position, ORACLE_DEPTH) == position["counts"][:ORACLE_DEPTH]


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=name_of)
def test_the_oracle_still_counts_all_that_is_stored(position: dict[str, Any]) -> None:
    assert counts_by_the_oracle(position, DEEPEST) == position["counts"]


@pytest.mark.parametrize("position", POSITIONS, ids=name_of)
def test_the_core_counts_the_same(position: dict[str, Any]) -> None:
    from okgin_fast.core.deal import Deal, perft

    rules, cards = start(position)
    deal = play_to(position, Deal.from_cards(rules, **cards))
    before = deal.clone()
    assert [perft(deal, depth) for depth in range(1, DEEPEST + 1)] == position["counts"]
    assert perft(deal, 0) == 1
    assert deal == before


def test_the_positions_reach_every_kind_of_action_and_end() -> None:
    """So that equal counts mean something: knocks, gins, big gin, dead deals and a reshuffle."""
    seen: set[str] = set()

    def walk(deal: ReferenceDeal, depth: int) -> None:
        if deal.result:
            seen.add(deal.result.kind)
        if depth:
            for action in deal.legal_actions():
                seen.add(action if action == "big gin" else action.split()[0])
                after = deal.clone()
                after.apply(action)
                if len(after.stock) > len(deal.stock):
                    seen.add("reshuffle")
                walk(after, depth - 1)

    for position in POSITIONS:
        walk(reference_deal(position), 4)
    actions = {"pass", "take", "draw", "discard", "knock", "gin", "big gin", "reshuffle"}
    assert actions | {"dead", "undercut", "big_gin"} <= seen


def main() -> None:
    """Print perft.json with counts by the oracle."""
    rows = []
    for position in POSITIONS:
        position["counts"] = counts_by_the_oracle(position, DEEPEST)
        rows.append(" " + json.dumps(position))
    print("[\n" + ",\n".join(rows) + "\n]")


if __name__ == "__main__":
    main()
