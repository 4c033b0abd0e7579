"""Cases of settlements, scores and matches."""

from __future__ import annotations

import okgin_fast as og
from case_checks.shared import (
    EAAI,
    SIDES,
    Case,
    hand_with,
    match_with,
    of_case,
    of_kind,
    runs_and,
    scored,
    wall_deal,
)
from okgin_fast.cards import DECK, Card, Hand


@of_kind("settlement")
def settlement(given: Case, expected: Case) -> None:
    bonuses = dict(given["bonuses"])
    bonuses["undercut_on_tie"] = bonuses.pop("tie_is_undercut")
    rules = og.Rules.preset("eaai", big_gin=given["big_gin"], **bonuses)
    if given["big_gin"]:
        melded = og.best_spread("AS 2S 3S 4S 5S 6S AH 2H 3H 4H 5H")
        result = og.settle(melded, hand_with(given["defender"], melded), rules)
    else:
        result = scored(given["knocker"], given["defender"], rules)
    assert result.kind == expected["result"]
    assert result.winner == SIDES[expected["winner"]]
    assert result.points == expected["points"]
    assert (result.knocker_deadwood, result.defender_deadwood) == (
        given["knocker"],
        given["defender"],
    )


@of_case("R075", "R083")
def difference(given: Case, expected: Case) -> None:
    result = scored(given["knocker"], given["defender"])
    assert (result.kind, result.winner) == ("knock", SIDES[expected["winner"]])
    assert result.points == expected["points"]
    if "gin_no_layoffs" in expected:
        # Both spades would fit on 4-5-6.
        gin = og.settle(runs_and(0), "7S 8S KC 9D TD JD QD 6C 7C 8C", EAAI)
        assert (gin.kind, gin.defender_deadwood, gin.points) == ("gin", 25, 50)


@of_case("R043")
def a_knock_scores(given: Case, expected: Case) -> None:
    assert given["given"] == "legal knock with 5 v 19"
    result = scored(5, 19)
    assert (result.winner, result.points) == (SIDES[expected["winner"]], expected["points"])


@of_case("R106")
def zero_by_lay_offs_is_an_undercut(given: Case, expected: Case) -> None:
    result = og.settle(runs_and(given["knocker"]), "7S 8S 4H 9C TC JC 9D TD JD QD", EAAI)
    assert result.defender_deadwood == given["defender_after_layoffs"]
    assert result.kind == expected["kind"]
    assert result.winner == SIDES[expected["winner"]]
    assert result.points == expected["points"]


@of_case("R013")
def the_score_decides_not_the_turn(given: Case, expected: Case) -> None:
    rules = og.Rules.preset("eaai", target=given["target"], game_bonus=100)
    before = given["scores_before"]
    match = match_with(rules, (0, before["knocker"]), (1, before["defender"]))
    result = scored(given["knocker_deadwood"], given["defender_deadwood"])
    assert result.winner == SIDES[expected["hand_winner"]]
    assert result.points == expected["hand_points"]
    match.record(result)
    assert match.scores == tuple(expected["scores_after"][side] for side in SIDES)
    assert match.winner == SIDES[expected["game_winner"]]
    assert match.result is not None
    bonus = match.result.games[0].game_bonus
    assert bonus.index(100) == SIDES[expected["game_bonus_to"]]


@of_case("R020")
def a_single_deal_has_no_match_score(given: Case, expected: Case) -> None:
    match = og.Match(og.Rules.preset("eaai", target=None), seed=3)
    assert match.scores is None
    assert match.next_deal().view(0).score is None
    match.record(scored(5, 19))
    assert match.over
    assert match.scores is None
    assert "Score" not in match.sheet()


@of_case("R067")
def the_winner_keeps_his_points(given: Case, expected: Case) -> None:
    match = match_with(EAAI, (0, 18))
    assert match.scores == (18, 0)
    match.record(og.DealResult("dead", None, 0, None, None, None, None, None))
    assert match.scores == (18, 0)
    assert og.Match.from_dict(match.to_dict()).scores == (18, 0)
    assert expected["then"] == "winner keeps 18"


@of_case("R070")
def scores_change_once(given: Case, expected: Case) -> None:
    match = og.Match(EAAI, seed=5)
    deal = match.next_deal()
    agents = [og.agent("simple", seed=seat) for seat in (0, 1)]
    while deal.to_move is not None:
        assert match.scores == (0, 0)
        assert deal.result is None  # no points before the lay-offs are known
        deal.apply(agents[deal.to_move].act(deal.view(deal.to_move)))
    result = deal.result
    assert result is not None
    assert result.defender_deadwood is not None
    match.record(result)
    assert sum(match.scores or ()) == result.points


@of_case("R086")
def a_void_hand_scores_nothing(given: Case, expected: Case) -> None:
    deal = wall_deal()
    match = og.Match("eaai", seed=1)
    dealer = match.dealer
    match.record(deal.result)
    assert match.scores == (0, 0)
    assert (match.winner, match.dealer) == (None, dealer)
    assert deal.result == ("dead", None, 0, None, None, None, None, None)


@of_case("R099")
def limits_of_oklahoma(given: Case, expected: Case) -> None:
    upcards = given["upcards"]
    gin, one = og.Rules.preset("oklahoma-spades"), og.Rules.preset("oklahoma-pagat")
    assert [gin.knock_limit(upcard) for upcard in upcards] == expected["limit_gin_only_ace"]
    assert [one.knock_limit(upcard) for upcard in upcards] == expected["limit_ace_is_one"]
    for upcard, doubled in zip(upcards, expected["spade_doubles"], strict=True):
        free = [card for card in Hand(DECK) if card != Card(upcard)]
        hands = (Hand(free[:10]), Hand(free[10:20]))
        assert og.Deal.from_cards(gin, hands, upcard, seed=1).limit == gin.knock_limit(upcard)
        assert scored(0, 20, gin, upcard).points == (90 if doubled else 45)


@of_case("R100")
def spades_double_undercuts_too(given: Case, expected: Case) -> None:
    rules = og.Rules.preset("oklahoma-spades", undercut_bonus=given["undercut_bonus"])
    result = scored(given["knocker"], given["defender"], rules, given["upcard"])
    assert result.kind == "undercut"
    assert (result.winner, result.points) == (SIDES[expected["winner"]], expected["points"])


@of_kind("hollywood")
def hollywood(given: Case, expected: Case) -> None:
    rules = og.Rules.preset("eaai", hollywood=True, target=given["target"])
    match = match_with(rules, *(("AB".index(player), points) for player, points in given["hands"]))
    columns = [[game.scores[seat] for game in match.games] for seat in (0, 1)]
    assert columns[0] == expected["columns"]["A"]
    assert columns[1][0] == expected["columns"]["B"][0]
    assert "AB"[match.games[0].winner or 0] == expected["column1_winner"]
    # The case and rules.md part here: B hadn't scored when game 1 closed, so by rules.md he starts
    # with game 2, where the case has his first deal (90) entered nowhere: [0, 30, 0].
    assert columns[1] == [0, 120, 30]
