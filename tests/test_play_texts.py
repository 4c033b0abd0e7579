"""What `okgin play` says of a deal and of a match."""

from __future__ import annotations

import pytest

from okgin_fast import Deal, Match
from okgin_fast.cli.play import texts


@pytest.mark.parametrize(
    ("rules", "reason"),
    [("eaai", "2 cards are left in the stock"), ("standard", "200 turns without a knock")],
)
def test_a_dead_deal_says_why(rules: str, reason: str) -> None:
    deal = Deal(rules, seed=1)
    while deal.result is None:
        actions = {action.kind: action for action in deal.legal_actions()}
        deal.apply(next(actions[kind] for kind in ("pass", "draw", "discard") if kind in actions))
    said = f"{reason}: the deal is dead. Nobody scores, you deal again."
    assert texts.outcome(deal, ("You", "Club")) == said


def test_hollywood_in_a_narrow_window() -> None:
    deals = [{"kind": "knock", "winner": w, "points": p} for w, p in ((0, 8), (1, 30), (0, 13))]
    rules = {"hollywood": True, "target": 20}
    match = Match.from_dict({"rules": rules, "seed": 1, "deals": deals})
    wide = texts.sheet(match, ("You", "Club"), 80)
    assert wide == match.sheet(("You", "Club")).splitlines()
    assert texts.sheet(match, ("You", "Club"), 40) == [
        "                     |   Game 1",
        "Deal  Ending  Points | You  Club",
        "   1  knock        8 |   8",
        "   2  knock       30 |        30",
        "                     |   Game 2",
        "Deal  Ending  Points | You  Club",
        "   3  knock       13 |  13",
        "                     |   Game 3",
        "Deal  Ending  Points | You  Club",
    ]
