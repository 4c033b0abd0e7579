"""Small things that several test modules share: the stored cases, typed cards, whole deals."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from okgin_fast.cards import DECK, Card, Hand, parse_cards
from okgin_fast.reference import is_meld

DATA = Path(__file__).parent / "data"
CASES: list[dict[str, Any]] = json.loads((DATA / "cases.json").read_text("utf-8"))["cases"]
ELEVEN: list[dict[str, Any]] = json.loads((DATA / "eleven.json").read_text("utf-8"))["cases"]


def cases(kind: str) -> list[dict[str, Any]]:
    """Return the stored cases of one kind."""
    return [case for case in CASES if case["kind"] == kind]


def case(name: str) -> dict[str, Any]:
    """Return the stored case with that id."""
    return next(case for case in CASES if case["id"] == name)


def case_id(value: dict[str, Any]) -> str:
    """Name a parametrized test after its case."""
    return str(value["id"])


def cards(text: str | Iterable[str]) -> frozenset[Card]:
    """Return the cards of a text, or of the words of a list, as a plain set."""
    return frozenset(parse_cards(text if isinstance(text, str) else " ".join(text)))


def melds(groups: Iterable[str | Iterable[str]]) -> frozenset[frozenset[Card]]:
    """Return an arrangement as a set of sets."""
    return frozenset(cards(group) for group in groups)


def lay_off_cards(table: Iterable[Iterable[Card]], live: Iterable[Card]) -> set[Card]:
    """Return the live cards that could be laid off on a spread, one after another."""
    found: set[Card] = set()
    for meld in table:
        grown = frozenset(meld)
        while more := [card for card in live if is_meld({*grown, card}) and card not in grown]:
            grown |= {more[0]}
        found |= grown - frozenset(meld)
    return found


def whole_deal(
    hand0: str, hand1: str, upcard: str, first: str = "", last: str = ""
) -> dict[str, Any]:
    """Return the keywords of a deal of 52 cards, the stock beginning and ending as typed.

    The cards that aren't named lie between, in the order of their ids.
    """
    top, bottom = parse_cards(first), parse_cards(last)
    hands = (Hand(hand0), Hand(hand1))
    used = hands[0].mask | hands[1].mask | Card(upcard).mask | Hand([*top, *bottom]).mask
    rest = list(Hand(DECK & ~used))
    stock = (*top, *rest, *bottom)
    assert len(stock) == 31
    return {"hands": hands, "upcard": Card(upcard), "stock": stock}


# --- hypothesis: hands ---------------------------------------------------------------------

ALL_CARDS = [Card(i) for i in range(52)]


def hands_from(pool: list[Card], low: int, high: int) -> st.SearchStrategy[Hand]:
    """Draw hands of `low` to `high` cards from the pool."""
    high = min(high, len(pool))
    return st.lists(st.sampled_from(pool), min_size=min(low, high), max_size=high, unique=True).map(
        Hand
    )


def dense_pools() -> st.SearchStrategy[list[Card]]:
    """Draw pools in which melds collide: few neighbouring ranks, or few suits."""
    few_ranks = st.tuples(st.integers(0, 9), st.integers(4, 6)).map(
        lambda span: [c for c in ALL_CARDS if span[0] <= c.rank < span[0] + span[1]]
    )
    few_suits = st.sets(st.integers(0, 3), min_size=1, max_size=2).map(
        lambda suits: [c for c in ALL_CARDS if c.suit in suits]
    )
    return st.one_of(few_ranks, few_suits)


def any_hand(low: int, high: int) -> st.SearchStrategy[Hand]:
    """Draw hands of `low` to `high` cards, uniform ones and dense ones."""
    return st.one_of(
        hands_from(ALL_CARDS, low, high),
        dense_pools().flatmap(lambda pool: hands_from(pool, low, high)),
    )
