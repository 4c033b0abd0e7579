"""What the checks of the stored cases share: the register of checks, hands, small deals."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import okgin_fast as og
from okgin_fast import reference
from okgin_fast.cards import DECK, Card, Hand

Case = dict[str, Any]
Check = Callable[[Case, Case], None]

BY_KIND: dict[str, Check] = {}
BY_ID: dict[str, Check] = {}


def of_kind(kind: str) -> Callable[[Check], Check]:
    """Register a check for every case of a kind that has none of its own."""

    def register(check: Check) -> Check:
        assert BY_KIND.setdefault(kind, check) is check, f"{kind} has two checks"
        return check

    return register


def of_case(*names: str) -> Callable[[Check], Check]:
    """Register a check for single cases."""

    def register(check: Check) -> Check:
        for name in names:
            assert BY_ID.setdefault(name, check) is check, f"{name} has two checks"
        return check

    return register


def check_for(case: Case) -> Check | None:
    """Return the check of a case."""
    return BY_ID.get(case["id"]) or BY_KIND.get(case["kind"])


EAAI = og.Rules.preset("eaai")  # gin 25, undercut 25, a tie is an undercut: what the cases assume
SIDES = {"knocker": 0, "defender": 1}

# Two hands without a meld: nothing can be knocked with.
LOOSE0 = "2S 5S 8S JS AC 4C 9D QD 6H TH"
LOOSE1 = "3S 7S TS KS 2C 6C QC 5D JD 8H"

# Eleven cards that may be gin or big deadwood: two melds, then 10-J-Q of hearts if TH is drawn.
NEARLY_GIN = "AS 2S 3S 4S 7C 7D 7H JH QH 9D"
LOOSE2 = "5S 8S KS 2C 4C 8C QD 3D 6H KC"


def hand_of(words: Iterable[str]) -> Hand:
    """Return the hand of a list of words."""
    return Hand(" ".join(words))


def table_of(groups: Iterable[Iterable[str]]) -> list[Hand]:
    """Return the melds of lists of words."""
    return [hand_of(group) for group in groups]


def as_sets(hands: Iterable[Hand]) -> frozenset[frozenset[Card]]:
    """Return an arrangement as a set of sets."""
    return frozenset(frozenset(hand) for hand in hands)


def play(deal: og.Deal, *actions: str) -> og.Deal:
    """Apply the actions; return the deal."""
    for action in actions:
        deal.apply(action)
    return deal


def words(deal: og.Deal) -> list[str]:
    """Return the legal actions as text."""
    return [str(action) for action in deal.legal_actions()]


def runs_and(loose: int) -> og.Spread:
    """Return a knocker's ten cards: three runs, and a loose card of that many points."""
    runs = table_of([["AS", "2S", "3S"], ["4S", "5S", "6S"], ["AH", "2H", "3H"]])
    if loose == 0:
        runs[2] |= "4H"
    left = Hand([card for card in Hand("AD 2D 3D 4D 5D 6D 7D 8D 9D TD") if card.points == loose])
    return og.Spread(tuple(runs), left, loose)


EVERY_MELD = reference.all_melds(Hand(DECK))


def hand_with(points: int, spread: og.Spread) -> Hand:
    """Return a defender's ten cards that come to these points, without a lay-off on the spread."""
    used = Hand(sum(meld.mask for meld in spread.melds)) | spread.unmelded
    free = frozenset(Hand(DECK) - used)
    rng = random.Random(points)
    while True:
        hand: frozenset[Card] = frozenset()
        for _ in range(rng.randrange(4) if points > 10 else 3):
            hand |= rng.choice([meld for meld in EVERY_MELD if meld <= free - hand])
        hand |= set(rng.sample(sorted(free - hand), max(0, 10 - len(hand))))
        left = og.deadwood(hand), og.layoff(hand, spread.melds).deadwood
        if len(hand) == 10 and left == (points, points):
            return Hand(hand)


def scored(
    knocker: int, defender: int, rules: og.Rules = EAAI, upcard: str = "KH"
) -> og.DealResult:
    """Settle a knock with that much deadwood on each side."""
    spread = runs_and(knocker)
    return og.settle(spread, hand_with(defender, spread), rules, upcard)


def match_with(rules: og.Rules, *wins: tuple[int, int]) -> og.Match:
    """Return a match in which these seats have won these points by knocks."""
    deals = [{"kind": "knock", "winner": seat, "points": points} for seat, points in wins]
    return og.Match.from_dict({"rules": rules.to_dict(), "seed": 1, "deals": deals})


def wall_deal(rules: str = "eaai") -> og.Deal:
    """Return a deal in which each threw what he drew, up to its end at the wall."""
    deal = og.Deal.from_cards(rules, (LOOSE0, LOOSE1), "3D", dealer=1, seed=1)
    play(deal, "pass", "pass")
    while deal.phase == "draw":
        play(deal, "draw", f"discard {deal.stock[0]}")
    return deal
