"""Advice: what is said of each legal action, and when a search ends."""

from __future__ import annotations

import _thread
import copy
import json
import math
import re
import statistics
import threading

import pytest
from helpers import any_hand
from hypothesis import given, settings
from hypothesis import strategies as st

import okgin_fast as og
from okgin_fast import reference
from okgin_fast.advice import outs
from okgin_fast.agents.expert import match_worth, shortlist
from okgin_fast.cards import DECK, Card, Hand, parse_cards
from okgin_fast.core.belief import belief, sample_hands
from okgin_fast.core.rng import derive_seed
from okgin_fast.core.search import Estimate, Search
from okgin_fast.deal import Deal, View
from okgin_fast.errors import IllegalActionError, OkginError
from okgin_fast.limit import Limit

FEW = Limit(rollouts=40)


def some_deal(rules: str, seed: int, moves: int) -> Deal:
    """A deal after some moves of greedy players, or just before its end."""
    deal = Deal(rules, seed=seed)
    player = og.agent("gold")
    for _ in range(moves):
        assert deal.to_move is not None
        deal.apply(player.act(deal.view(deal.to_move)))
        if deal.to_move is None:
            deal.undo()
            break
    return deal


def view_of(deal: Deal) -> View:
    assert deal.to_move is not None
    return deal.view(deal.to_move)


def throwing(hand10: str, drawn: str, upcard: str = "9H", rules: str = "oklahoma") -> View:
    """The view of a player who drew a card from the stock after both passed the upcard."""
    mine = Hand(hand10)
    rest = [*Hand(DECK) - mine - upcard - drawn]
    deal = Deal.from_cards(rules, (mine, rest[:10]), upcard, [Card(drawn), *rest[10:]], dealer=1)
    for action in ("pass", "pass", "draw"):
        deal.apply(action)
    return deal.view(0)


def offered(hand10: str, upcard: str, rules: str = "oklahoma") -> View:
    """The view of the player who is offered the upcard first."""
    rest = [*Hand(DECK) - Hand(hand10) - upcard]
    return Deal.from_cards(rules, (hand10, rest[:10]), upcard, rest[10:], dealer=1).view(0)


def reason_of(view: View, action: str) -> str:
    advice = og.advise(view, FEW)
    return next(c.reason for c in advice.candidates if str(c.action) == action)


# --- what every piece of advice satisfies ---------------------------------------------------


@pytest.mark.parametrize("rules", ["oklahoma", "modern", "straight", "open-spiel"])
@pytest.mark.parametrize("moves", [0, 1, 2, 3, 8, 13, 40])
def test_every_legal_action_is_there_once_best_first(rules: str, moves: int) -> None:
    view = view_of(some_deal(rules, seed=moves, moves=moves))
    advice = og.advise(view, FEW)
    actions = [candidate.action for candidate in advice.candidates]
    assert sorted(map(str, actions)) == sorted(map(str, view.legal_actions()))
    assert len(set(actions)) == len(actions)
    assert advice.best is advice.candidates[0]
    assert advice.rollouts == 40
    assert [candidate.loss for candidate in advice.candidates[1:]] == sorted(
        candidate.loss for candidate in advice.candidates[1:]
    )
    for candidate in advice.candidates:
        assert candidate.rollouts == 40
        assert candidate.loss == advice.best.equity - candidate.equity
        assert candidate.se is not None
        assert candidate.loss_se is not None
        assert min(candidate.se, candidate.loss_se) >= 0
        assert (candidate.danger is None) == (candidate.action.kind != "discard")
        chances = (candidate.knock, candidate.gin, candidate.undercut, candidate.lose,
                   candidate.dead)  # fmt: skip
        assert all(0 <= chance <= 1 for chance in chances)
        assert math.isclose(sum(chances), 1)
        assert candidate.reason.endswith(".")
        assert len(candidate.reason) > 10
        assert "\n" not in candidate.reason
    assert advice.best.loss == advice.best.loss_se == 0


@pytest.mark.parametrize("moves", [0, 3, 9, 14])
def test_deadwood_is_what_the_hand_is_left_with(moves: int) -> None:
    view = view_of(some_deal("standard", seed=5, moves=moves))
    for candidate in og.advise(view, FEW).candidates:
        action = candidate.action
        if action.kind in ("pass", "draw"):
            expected = reference.deadwood(view.hand)
        elif action.kind == "take":
            throws = reference.throws(view.hand | action.card)
            expected = min(left for card, left in throws.items() if card != action.card)
        else:
            expected = reference.deadwood(view.hand - action.card)
        assert candidate.deadwood == expected


def test_all_values_are_told_as_json_has_them() -> None:
    view = throwing("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "5H")
    advice = og.advise(view, FEW).to_dict()
    assert advice["best"] == advice["candidates"][0]["action"]
    assert set(advice["candidates"][0]) == {
        "action", "equity", "se", "loss", "loss_se", "match", "match_se", "match_loss",
        "match_loss_se", "knock", "gin", "undercut", "lose", "dead", "deadwood", "outs", "danger",
        "rollouts", "reason",
    }  # fmt: skip
    assert set(advice["opponent"]) == {
        "known",
        "likely",
        "chances",
        "sets",
        "runs",
        "deadwood",
        "hands",
    }
    assert json.loads(json.dumps(advice)) == advice
    discard = next(c for c in advice["candidates"] if c["action"] == "discard KD")
    # 6C and 9C too: with 7C 8C and without QD they leave 7D 7H 4H 5H, 23 in place of 27.
    assert discard["outs"] == ["4S", "7S", "6C", "9C", "3H", "6H"]


# --- outs -----------------------------------------------------------------------------------


def outs_by_definition(hand: Hand, unseen: Hand) -> set[Card]:
    """Cards with which some throw and some arrangement, the card in a meld, leave less."""
    now = reference.deadwood(hand)
    return {
        card
        for card in unseen
        if any(
            sum(c.points for c in reference.unmelded(kept, melds)) < now
            for thrown in hand
            for kept in [hand - thrown | card]
            for melds in reference.arrangements(kept)
            if any(card in meld for meld in melds)
        )
    }


@settings(max_examples=25, deadline=None)
@given(any_hand(10, 10), st.sets(st.integers(0, 51), min_size=8, max_size=8).map(Hand))
def test_outs_are_those_of_the_definition(hand: Hand, unseen: Hand) -> None:
    unseen -= hand
    assert set(outs(hand, unseen)) == outs_by_definition(hand, unseen)


def test_a_card_that_melds_only_at_a_loss_is_no_out() -> None:
    # Three twos would cost both runs; the two saves points only as a cheaper loose card.
    hand = Hand("2S 3S 4S 2C 3C 4C KD QH JC 9D")
    assert "2H" not in outs(hand, Hand(["2H", "TH"]))
    assert og.discards(hand | "2H")[0].deadwood < og.deadwood(hand)


# --- the same question, the same answer -----------------------------------------------------


def test_same_seed_and_rollouts_same_advice() -> None:
    view = view_of(some_deal("oklahoma", seed=3, moves=9))
    assert og.advise(view, FEW, seed=8) == og.advise(view, FEW, seed=8)
    one, other = og.advise(view, FEW, seed=8), og.advise(view, FEW, seed=9)
    assert [c.equity for c in one.candidates] != [c.equity for c in other.candidates]


def test_hidden_cards_do_not_matter() -> None:
    hand, upcard = Hand("AS 2S 3S 7H 7D 7C KD QD 8C 4H"), "9C"
    rest = [*Hand(DECK) - hand - upcard]
    advice = []
    for order in (rest, rest[::-1]):
        deal = Deal.from_cards("oklahoma", (hand, order[:10]), upcard, order[10:], dealer=1)
        advice.append(og.advise(deal.view(0), FEW))
    assert advice[0] == advice[1]


def test_nothing_is_changed() -> None:
    deal = some_deal("modern", seed=4, moves=11)
    before, view = deal.clone(), view_of(deal)
    same = copy.copy(view)
    og.advise(view, FEW)
    assert view == same
    assert view.digest() == same.digest()
    assert deal == before


# --- limits ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limit",
    [
        {},
        {"time_ms": -1},
        {"time_ms": math.nan},
        {"time_ms": math.inf},
        {"time_ms": True},
        {"time_ms": "200"},
        {"rollouts": -1},
        {"rollouts": 1.5},
        {"rollouts": 10**9},
    ],
)
def test_what_is_no_limit(limit: dict[str, object]) -> None:
    with pytest.raises(OkginError, match=r"no limit|time_ms=|rollouts="):
        Limit(**limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [Limit(time_ms=0), Limit(rollouts=0)])
def test_a_limit_that_leaves_no_time(limit: Limit) -> None:
    with pytest.raises(OkginError, match="no time for a single rollout"):
        og.advise(view_of(Deal("oklahoma", seed=1)), limit)


def test_the_first_limit_that_is_reached_ends_it() -> None:
    view = view_of(Deal("oklahoma", seed=1))
    assert og.advise(view, Limit(time_ms=60_000, rollouts=33)).rollouts == 33
    assert og.advise(view, Limit(time_ms=30, rollouts=10**8)).rollouts < 10**8


def test_a_stop_event_ends_it() -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    advice = og.advise(
        view_of(Deal("oklahoma", seed=1)), Limit(time_ms=60_000, rollouts=10**8, stop=stop)
    )
    assert 0 < advice.rollouts < 10**8


def test_ctrl_c_ends_it() -> None:
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        og.advise(view_of(Deal("oklahoma", seed=1)), Limit(time_ms=60_000))


@pytest.mark.parametrize("moves", [0, 2])
def test_not_this_seats_turn(moves: int) -> None:
    deal = some_deal("oklahoma", seed=1, moves=moves)
    assert deal.to_move is not None
    with pytest.raises(IllegalActionError, match="turn"):
        og.advise(deal.view(1 - deal.to_move), FEW)


def test_no_advice_after_the_end() -> None:
    deal = some_deal("oklahoma", seed=1, moves=200)
    deal.apply(og.agent("gold").act(view_of(deal)))
    assert deal.to_move is None
    with pytest.raises(IllegalActionError):
        og.advise(deal.view(0), FEW)


# --- reasons --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand10", "drawn", "action", "says"),
    [
        ("AS AH AD 2S 2H 2D 3S 3H 3D 3C", "KD", "gin KD",
         "Gin: 25 points and what the opponent holds unmelded."),
        ("AS 2S 3S 7H 7D 7C 4H 5H 6H 4D", "KD", "knock KD", "Knocks with 4, the limit is 9: "),
        ("AS 2S 3S 7H 7D 7C 4H 5H 6H 4D", "KD", "discard KD",
         "KD is loose: leaves 4, the least possible, with which a knock would be allowed"),
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "TH", "discard 3S",
         "Breaks up AS 2S 3S: leaves 45, 13 more than need be;"),
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "TH", "discard TH",
         "TH is loose: leaves 32, the least possible;"),
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "TH", "discard QD",
         "Gives up QD KD (missing JD): leaves 32, the least possible;"),
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "7S", "discard 7S",
         "7S is not needed in 7S 7C 7D 7H: leaves 32, 10 more than need be;"),
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "9C", "discard 8C",
         "Breaks up 7C 8C 9C for 7C 7D 7H: leaves 33, 5 more than need be;"),
    ],
)  # fmt: skip
def test_reasons_of_throws(hand10: str, drawn: str, action: str, says: str) -> None:
    view = throwing(hand10, drawn)
    assert reason_of(view, action).startswith(says)


def test_what_a_knock_wins_is_quoted_from_the_search() -> None:
    view = throwing("AS 2S 3S 7H 7D 7C 4H 5H 6H 4D", "KD")
    candidates = og.advise(view, FEW).candidates
    knock = next(c for c in candidates if str(c.action) == "knock KD")
    assert f"ahead of {knock.knock:.0%} of the hands" in knock.reason
    assert f"undercut by {knock.lose:.0%}" in knock.reason


def test_big_gin_and_doubled_spades() -> None:
    view = throwing("AS AH AD 2S 2H 2D 3S 3H 3D 3C", "2C", rules="modern")
    assert reason_of(view, "big gin") == (
        "All eleven cards meld: 31 points and what the opponent holds unmelded."
    )
    view = throwing("AS AH AD 2S 2H 2D 3S 3H 3D 3C", "KD", "9S", "oklahoma-spades")
    assert reason_of(view, "gin KD").endswith("unmelded, all of it 2 times for the spade.")


@pytest.mark.parametrize(
    ("hand10", "upcard", "take", "leave"),
    [
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "JD",
         "Makes JD QD KD: deadwood 32 down to 4; a knock may follow",
         "Leaves JD, which would make JD QD KD; "),
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "AC",
         "Makes no meld, only puts AC in the place of KD: deadwood 32 down to 23",
         "AC makes no meld, it would only save 9; "),
        ("AS 2S 3S 7H 7D 7C KD QD 9C 4H", "9S",
         "Makes no meld but goes with 9C (missing 9D 9H), in the place of KD: deadwood 33 down",
         "9S makes no meld, it would only save 1; "),
        ("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "KH",
         "KH is of no use, with the best throw it leaves 32",
         "KH is of no use; "),
        ("AS 2S 3S 7H 7D 7C KD QD KC KH", "7S",
         "Makes 7S 7C 7D 7H: deadwood 10 down to 0; gin follows",
         "Leaves 7S, which would make 7S 7C 7D 7H; "),
    ],
)  # fmt: skip
def test_reasons_for_the_upcard(hand10: str, upcard: str, take: str, leave: str) -> None:
    view = offered(hand10, upcard)
    assert reason_of(view, f"take {upcard}").startswith(take)
    helping = outs(view.hand, view.unseen)
    leave += f"{len(helping)} of 41 unseen cards would help"
    assert reason_of(view, "pass").startswith(leave)


def test_the_only_move() -> None:
    deal = Deal("oklahoma", seed=1)
    deal.apply("pass")
    deal.apply("pass")
    assert reason_of(view_of(deal), "draw").startswith("The only move; ")


def test_what_the_opponent_is_known_to_hold() -> None:
    # He takes 9C and then 9D; a third nine is his, TC would go with 9C and 8C or JC.
    mine, his = Hand("9D 9S TC 2S 2H 4D 4H 6S QD KD"), Hand("AS 3C 5C 7H 8D JH QC 8S KS KC")
    stock = parse_cards("AH AC")
    rest = [*Hand(DECK) - mine - his - "9C" - Hand(stock)]
    deal = Deal.from_cards("standard", (mine, his), "9C", [*stock, *rest], dealer=1)
    for action in ("pass", "take 9C", "discard KS", "draw", "discard 9D", "take 9D",
                   "discard KC", "draw"):  # fmt: skip
        deal.apply(action)
    view = deal.view(0)
    assert view.known == Hand("9C 9D")
    assert "; the opponent, who holds 9C 9D, can meld it" in reason_of(view, "discard 9S")
    assert "; it goes with 9C, which the opponent holds: " in reason_of(view, "discard TC")
    assert "; the opponent cannot meld it now" in reason_of(view, "discard KD")
    assert re.search(
        r"; (\d+%|less than 1%) that the opponent can meld it", reason_of(view, "discard 6S")
    )


def test_the_choice_is_compared_with_the_other_kind_of_action() -> None:
    # Offered the four of his run the hand takes it; both reasons tell the same difference.
    view = offered("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "JD")
    advice = og.advise(view, Limit(rollouts=100))
    take, leave = advice.candidates
    assert take.action.kind == "take"
    assert take.reason.endswith(f"; passing wins {leave.loss:.1f} fewer points.")
    assert leave.reason.endswith(f"; taking JD wins {leave.loss:.1f} more points.")


def test_nothing_is_compared_after_a_few_rollouts() -> None:
    advice = og.advise(offered("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "JD"), Limit(rollouts=20))
    assert not any(" wins " in candidate.reason for candidate in advice.candidates)


def test_the_last_throw_ends_the_deal() -> None:
    mine, drawn = Hand("AS 5S 9S KS 3C 7C JC 2D 6D TD"), Card("4H")
    rest = [*Hand(DECK) - mine - "QH" - drawn]
    rules = og.Rules.preset("oklahoma", wall_size=30)
    deal = Deal.from_cards(rules, (mine, rest[:10]), "QH", [drawn, *rest[10:]], dealer=1)
    for action in ("pass", "pass", "draw"):
        deal.apply(action)
    for candidate in og.advise(deal.view(0), FEW).candidates:
        assert candidate.danger is None
        assert candidate.dead == 1
        assert "; ends the deal, which nobody wins" in candidate.reason


# --- the match ------------------------------------------------------------------------------

GIN = "hand=ASAHAD2S2H2D3S3H3D3CKD upcard=7H"
KNOCK = "hand=AS2S3S7H7D7C4H5H6H4DKD upcard=9S pile=9S"


def candidate_of(advice: og.Advice, action: str) -> og.Candidate:
    return next(c for c in advice.candidates if str(c.action) == action)


@pytest.mark.parametrize(("score", "wins"), [((75, 40), True), ((74, 40), False)])
def test_gin_that_reaches_the_target_wins_the_match(score: tuple[int, int], wins: bool) -> None:
    """25 points for gin, and what the opponent holds, which may be nothing."""
    view = View.from_position(GIN, score="{}-{}".format(*score))
    gin = candidate_of(og.advise(view, FEW), "gin KD")
    assert ("; wins the match" in gin.reason) is wins
    if wins:
        assert (gin.match, gin.match_se, gin.match_loss) == (1, 0, 0)


@pytest.mark.parametrize(
    ("score", "rules", "says"),
    [
        ("99-40", "oklahoma", "; to be ahead wins the match"),
        ("96-40", "oklahoma", "; 4 points win the match"),
        ("40-90", "oklahoma", "; an undercut loses the match"),
        ("40-89", "oklahoma", None),
        ("98-10", "oklahoma-spades", "; to be ahead wins the match"),
        ("97-10", "oklahoma-spades", "; 3 points win the match"),
        ("10-50", "oklahoma-spades", "; an undercut loses the match"),
    ],
)
def test_what_the_score_makes_of_a_knock(score: str, rules: str, says: str | None) -> None:
    """An undercut is 10 points in one, 2 times 25 after a spade in the other."""
    view = View.from_position(KNOCK, score=score, rules=rules)
    knock = candidate_of(og.advise(view, FEW), "knock KD")
    if says is None:
        assert "match" not in knock.reason.partition(";")[2].partition("playing on")[0]
    else:
        assert says in knock.reason


def test_with_a_score_actions_are_ranked_by_the_match() -> None:
    view = View.from_position(KNOCK, score="40-95")
    advice = og.advise(view, Limit(rollouts=100))
    losses = []
    for candidate in advice.candidates:
        assert candidate.match is not None
        assert candidate.match_se is not None
        assert candidate.match_loss is not None
        assert candidate.loss_se is None
        assert 0 <= candidate.match <= 1
        assert advice.best.match is not None
        assert candidate.match_loss == pytest.approx(advice.best.match - candidate.match)
        losses.append(candidate.match_loss)
    assert losses[1:] == sorted(losses[1:])


@pytest.mark.parametrize(
    ("rules", "score"), [("oklahoma", None), ("open-spiel", (40, 60)), ("oklahoma", (140, 60))]
)
def test_without_a_match_to_win_there_is_no_chance_of_it(
    rules: str, score: tuple[int, int] | None
) -> None:
    """No score, no target, and a match that is over."""
    for candidate in og.advise(Deal(rules, seed=1, dealer=1).view(0, score), FEW).candidates:
        assert candidate.match is candidate.match_se is None
        assert candidate.match_loss is candidate.match_loss_se is None
        assert candidate.loss_se is not None


# --- the choice and the figures -------------------------------------------------------------


@pytest.mark.parametrize("score", [None, (60, 80)])
@pytest.mark.parametrize("moves", [0, 2, 3, 7, 10, 15, 18, 25])
def test_the_best_is_what_the_expert_does(moves: int, score: tuple[int, int] | None) -> None:
    deal = some_deal("oklahoma", seed=100 + moves, moves=moves)
    assert deal.to_move is not None
    view = deal.view(deal.to_move, score)
    for rollouts in (1, 30, 150):
        limit = Limit(rollouts=rollouts)
        expert = og.agent("expert", seed=moves, limit=limit)
        assert og.advise(view, limit, seed=moves).best.action == expert.act(view)


def test_close_actions_get_the_rollouts() -> None:
    view = throwing("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "TH")
    advice = og.advise(view, Limit(rollouts=400))
    assert advice.rollouts == advice.best.rollouts == 400
    assert {candidate.rollouts for candidate in advice.candidates} == {400, 100}
    close = {str(c.action) for c in advice.candidates if c.rollouts == 400}
    assert {"discard KD", "discard QD", "discard TH"} & close
    assert not {"discard AS", "discard 2S", "discard 3S", "discard 7C"} & close
    for candidate in advice.candidates:
        assert candidate.loss == pytest.approx(advice.best.equity - candidate.equity)


def test_one_rollout_tells_nothing_of_its_error() -> None:
    advice = og.advise(throwing("AS 2S 3S 7H 7D 7C KD QD 8C 4H", "TH"), Limit(rollouts=1))
    assert {candidate.se for candidate in advice.candidates} == {None}
    assert {candidate.loss_se for candidate in advice.candidates} == {None}


# --- the opponent ---------------------------------------------------------------------------


def sampled(view: View, advice: og.Advice) -> list[Hand]:
    """The hands that advice with seed 0 counts in."""
    return sample_hands(view, advice.opponent.hands, derive_seed(0, view.digest()))


@pytest.mark.parametrize("moves", [0, 3, 9, 16, 30])
def test_what_the_opponent_may_hold_is_counted_in_hands(moves: int) -> None:
    view = view_of(some_deal("eaai", seed=moves, moves=moves))
    advice = og.advise(view, Limit(rollouts=200))
    opponent, hands = advice.opponent, sampled(view, advice)
    assert opponent.hands == 200
    assert opponent.known == view.known
    assert opponent.chances == belief(view, 200, derive_seed(0, view.digest()))
    assert math.isclose(math.fsum(opponent.chances), 10)
    for rank, chance in enumerate(opponent.sets):
        held = [sum(card.rank == rank for card in hand) >= 3 for hand in hands]
        assert chance == pytest.approx(sum(held) / 200)
    for suit, chance in enumerate(opponent.runs):
        ranks = [{card.rank for card in hand if card.suit == suit} for hand in hands]
        runs = [any({r, r + 1, r + 2} <= of_hand for r in range(11)) for of_hand in ranks]
        assert chance == pytest.approx(sum(runs) / 200)
    mean = sum(reference.deadwood(hand) for hand in hands) / 200
    assert opponent.deadwood == pytest.approx(mean)


def test_what_can_be_known_of_single_cards() -> None:
    view = throwing("9C 3S 5H 7H 8D JH QC 4S KS KC", "AH", "9D")
    opponent = og.advise(view, FEW).opponent
    assert all(opponent.chances[card] == 0 for card in [*view.hand, *view.pile])
    assert all(opponent.chances[card] == 1 for card in view.known)
    assert set(opponent.likely) <= set(view.unseen)


def test_before_anything_is_shown_no_card_stands_out() -> None:
    view = view_of(Deal("oklahoma", seed=5))
    assert og.advise(view, Limit(rollouts=1000)).opponent.likely == ()


def test_danger_is_the_share_of_hands_that_could_meld_the_throw() -> None:
    view = view_of(some_deal("eaai", seed=3, moves=23))
    assert view.phase == "throw"
    advice = og.advise(view, Limit(rollouts=100))
    hands = sampled(view, advice)
    for candidate in advice.candidates:
        card = candidate.action.card
        assert card is not None
        if candidate.action.kind == "discard":
            able = [
                any(card in meld for melds in reference.arrangements(hand | card) for meld in melds)
                for hand in hands
            ]
            assert candidate.danger == pytest.approx(sum(able) / len(able))


# --- honest errors --------------------------------------------------------------------------


def misses(view: View, runs: int, worlds: int, long_run: int) -> list[list[bool]]:
    """Whether 95 % intervals miss the value of a long run: those of equities, and of leads."""
    worth = match_worth(view)
    candidates = shortlist(view)

    def found(seed: int, worlds: int) -> list[Estimate]:
        search = Search(view, candidates, seed, worth=worth)
        search.run(worlds)
        return search.estimates()

    truth = found(2**40, long_run)
    pairs = [pair for seed in range(runs) for pair in zip(found(seed, worlds), truth, strict=True)]
    return [
        [abs(e.equity - true.equity) > 1.96 * math.hypot(e.se, true.se) for e, true in pairs],
        [
            abs(e.lead - true.lead) > 1.96 * math.hypot(e.lead_se, true.lead_se)
            for e, true in pairs
            if true is not truth[0]
        ],
    ]


def some_views(n: int, seed: int) -> list[View]:
    """Positions of every kind: early and late, with a score and without."""
    views = []
    for number in range(n):
        rules = ("oklahoma", "eaai", "standard", "oklahoma-spades", "modern")[number % 5]
        deal = some_deal(rules, seed + number, moves=(0, 3, 6, 9, 12, 16, 21)[number % 7])
        while len(shortlist(view_of(deal))) == 1:
            deal.undo()
        assert deal.to_move is not None
        views.append(deal.view(deal.to_move, (15 * number % 100, 70) if number % 2 else None))
    return views


def shares_missed(views: list[View], runs: int, worlds: int, long_run: int) -> list[float]:
    """Of all intervals of equities, and of all of leads."""
    kinds = zip(*[misses(view, runs, worlds, long_run) for view in views], strict=True)
    return [statistics.mean(miss for of_view in kind for miss in of_view) for kind in kinds]


def test_intervals_miss_the_long_run_about_one_time_in_twenty() -> None:
    missed = shares_missed(some_views(5, seed=40), 20, 64, 2000)
    assert missed == pytest.approx([0.05, 0.05], abs=0.04)


@pytest.mark.slow
def test_intervals_cover_the_long_run_95_times_in_100() -> None:
    missed = shares_missed(some_views(30, seed=60), 200, 512, 200_000)
    assert missed == pytest.approx([0.05, 0.05], abs=0.02)


@pytest.mark.slow
def test_intervals_of_advice_cover_the_long_run() -> None:
    """Those of the actions that trail and were played out less often, too."""
    missed, of = 0, 0
    for view in some_views(8, seed=100):
        long_run = Search(view, view.legal_actions(), 2**40, worth=match_worth(view))
        long_run.run(50_000)
        truth = dict(zip(view.legal_actions(), long_run.estimates(), strict=True))
        for seed in range(60):
            advice = og.advise(view, Limit(rollouts=256), seed)
            for candidate in advice.candidates:
                action = og.Action(candidate.action.kind, candidate.action.card)
                assert candidate.se is not None
                error = math.hypot(candidate.se, truth[action].se)
                missed += abs(candidate.equity - truth[action].equity) > 1.96 * error
                of += 1
    assert missed / of == pytest.approx(0.05, abs=0.025)
