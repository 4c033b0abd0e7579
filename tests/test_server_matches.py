"""A match that the server follows from public events and one seat's own cards."""

from __future__ import annotations

from typing import Any

import pytest
from serving import HAND, Engine, engine

import okgin_fast as og
from okgin_fast.protocol import FieldError
from okgin_fast.server.matches import FollowedMatch


def follow(match: og.Match, followers: list[FollowedMatch], players: list[og.Agent]) -> None:
    """Play a deal, tell both seats of it, and compare what they know with what they may."""
    deal = match.next_deal()
    for seat, one in enumerate(followers):
        one.tell({"event": "deal", "hand": deal.hand(seat).text(), "upcard": str(deal.upcard)})
    while deal.to_move is not None:
        mover = deal.to_move
        view = deal.view(mover)
        action = players[mover].act(view)
        before = [deal.hand(seat) for seat in (0, 1)]
        deal.apply(action)
        shows = action.kind in ("knock", "gin", "big gin")
        for seat, one in enumerate(followers):
            event = {"event": str(action), "seat": mover}
            if action.kind == "draw" and seat == mover:
                (drawn,) = deal.hand(mover) - before[mover]
                event["card"] = str(drawn)
            if shows:
                event["shown"] = deal.hand(1 - seat).text()
            one.tell(event)
            if deal.to_move is not None:
                scores = match.scores
                score = scores and (scores if seat == 0 else (scores[1], scores[0]))
                assert one.view == deal.view(seat, score)
    match.record(deal.result)
    for one in followers:
        state = one.state()
        assert state["deal"] is None
        assert [tuple(each.values()) for each in state["deals"]] == [tuple(d) for d in match.deals]
        assert state["scores"] == (match.scores and list(match.scores))
        assert state["result"]["points"] == deal.result.points
        assert state["result"]["winner"] == deal.result.winner
        assert state["result"]["knocker"] == deal.result.knocker
        assert state["over"] == match.over


@pytest.mark.parametrize(
    ("preset", "names"),
    [
        ("oklahoma", ("gold", "club")),
        ("oklahoma-spades", ("random", "gold")),  # dead deals, too
        ("oklahoma-pagat", ("simple", "tight")),
        ("standard", ("random", "random")),  # the stock is shuffled again
        ("straight", ("hunter", "gold")),
        ("modern", ("club", "random")),  # big gin
        ("eaai", ("gold", "beginner")),
        ("open-spiel", ("random", "gold")),
    ],
)
def test_a_match_is_followed_from_both_seats(preset: str, names: tuple[str, str]) -> None:
    rules = og.Rules.preset(preset, turn_limit=60)
    match = og.Match(rules, seed=11)
    followers = [FollowedMatch("m", rules, seat, match.dealer) for seat in (0, 1)]
    players = [og.agent(name, seed=3) for name in names]
    for _ in range(1 if names == ("random", "random") else 3):
        if not match.over:
            follow(match, followers, players)
    if match.result is not None:
        final = followers[0].state()["final"]
        assert final["totals"] == list(match.result.totals)
        assert final["winner"] == match.result.winner


EVENTS: list[dict[str, Any]] = [
    {"event": "deal", "hand": HAND, "upcard": "7S"},
    {"event": "take 7S"},
    {"event": "discard KD"},
    {"event": "draw"},
    {"event": "discard QH"},
    {"event": "draw", "card": "2D"},
]


@pytest.mark.parametrize(
    ("told", "event", "field"),
    [
        (0, {"event": "draw", "card": "2D"}, "event"),
        (0, {"event": "deal", "hand": HAND}, "upcard"),
        (0, {"event": "deal", "upcard": "7S"}, "hand"),
        (0, {"event": "deal", "hand": HAND[:-3], "upcard": "7S"}, "hand"),
        (0, {"event": "deal", "hand": HAND, "upcard": "KD"}, "hand"),
        (0, {"event": "deal", "hand": HAND, "upcard": "7S", "dealer": 0}, "dealer"),
        (0, {"event": "deal", "hand": HAND, "upcard": "7S", "shown": "2S"}, "shown"),
        (1, {"event": "deal", "hand": HAND, "upcard": "7S"}, "event"),
        (1, {"event": "nonsense"}, "event"),
        (1, {"event": "take 7H"}, "event"),
        (1, {"event": "discard KD"}, "event"),
        (1, {"event": "pass", "seat": 1}, "seat"),
        (1, {"event": "pass", "hand": HAND}, "hand"),
        (2, {"event": "discard 7S"}, "event"),
        (2, {"event": "discard QS"}, "event"),
        (2, {"event": "knock KD", "shown": "KS"}, "shown"),
        (2, {"event": "knock KD"}, "shown"),
        (2, {"event": "knock KD", "shown": "KSKCKH 8H8S8C 2H 3H 4C 5C"}, "event"),
        (3, {"event": "draw", "card": "2D"}, "card"),
        (3, {"event": "pass"}, "event"),
        (4, {"event": "discard AS"}, "event"),
        (4, {"event": "discard KD"}, "event"),
        (4, {"event": "discard QH", "card": "QH"}, "card"),
        (4, {"event": "discard QH", "shown": "QH"}, "shown"),
        (4, {"event": "gin QH", "shown": "KSKCKH 8H8S8C 2H 3H 4C 5C"}, "event"),
        (4, {"event": "knock QH", "shown": "KSKCKH 8H8S8C AS 2H 3H 4C"}, "shown"),
        (5, {"event": "draw"}, "card"),
        (5, {"event": "draw", "card": "QH"}, "card"),
        (5, {"event": "draw", "card": "AS"}, "card"),
        (6, {"event": "knock 9C", "shown": "KSKCKH 8H8S8C 2H 3H 4C KD"}, "shown"),
        (6, {"event": "big gin", "shown": "KSKCKH 8H8S8C 2H 3H 4C 5C"}, "event"),
    ],
)
def test_what_cannot_have_happened_is_refused(told: int, event: dict[str, Any], field: str) -> None:
    match = FollowedMatch("m1", og.Rules(), seat=0, dealer=1)
    for one in EVENTS[:told]:
        match.tell(one)
    before = match.state()
    with pytest.raises(FieldError) as caught:
        match.tell(event)
    assert caught.value.field == field, caught.value
    assert match.state() == before


def test_who_deals_first_may_be_told_with_the_first_deal() -> None:
    match = FollowedMatch("m1", og.Rules(), seat=0)
    with pytest.raises(FieldError, match="dealer"):
        match.tell(EVENTS[0])
    match.tell({**EVENTS[0], "dealer": 1})
    assert match.state()["deal"]["to_move"] == 0
    with pytest.raises(FieldError, match="by the rules seat"):
        FollowedMatch("m1", og.Rules.preset("open-spiel"), seat=0, dealer=0)


def test_a_knock_of_the_other_seat_with_a_named_spread() -> None:
    match = FollowedMatch("m1", og.Rules(), seat=0, dealer=1)
    for event in EVENTS[:4]:
        match.tell(event)
    shown = "KSKCKH 8H8S8C 2H2C2D AC"
    for spread, cards, field, why in (
        ("KSKCKHKD", shown, "event", "KD is not in the hand"),
        ("KSKCKH", shown, "event", "the knock limit is 7"),
        ("KSKCKH 8H8S8C", "KSKCKH 8H8S8C 2H3H4H AC", "shown", "4H is in both hands"),
    ):
        with pytest.raises(FieldError, match=why) as caught:
            match.tell({"event": f"knock QH: {spread}", "shown": cards})
        assert caught.value.field == field
    match.tell({"event": "knock QH: KSKCKH 2H2C2D 8H8S8C", "shown": shown})
    result = match.state()["result"]
    # Mine: 7S 7C 7D 7H and AS 2S 3S are melds, QD 9C 4H are left, and nothing can be laid off.
    assert (result["winner"], result["points"]) == (1, 10 + 9 + 4 - 1)


def test_act_in_a_match_is_act_in_the_position_at_that_time() -> None:
    with engine() as process:
        check_act_in_a_match(process)


def check_act_in_a_match(shared: Engine) -> None:
    name = shared.ask({"id": 1, "type": "new_match", "seat": 0, "dealer": 1})["match"]
    for event in EVENTS[:2]:
        state = shared.ask({"id": 1, "type": "event", "match": name, **event})
    ask = {"type": "act", "rollouts": 300, "seed": 4}
    shared.send({"id": "a", "match": name, **ask})
    shared.send({"id": "b", "type": "event", "match": name, **EVENTS[2]})
    found = {answer["id"]: answer for answer in (shared.answer(), shared.answer())}
    alone = shared.ask({"id": 2, "position": state["deal"]["position"], **ask})
    assert found["a"]["action"] == alone["action"]
    late = shared.ask({"id": 3, "match": name, **ask})
    assert (late["code"], late["field"]) == ("input", "match")
    assert shared.ask({"id": 4, "type": "end_match", "match": name})["match"] == name
    assert shared.ask({"id": 5, "type": "state", "match": name})["field"] == "match"
