"""The oracle itself, against the stored cases and examples worked by hand from rules.md."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from helpers import CASES, ELEVEN, any_hand, cards, case_id, cases, melds, whole_deal
from hypothesis import given, settings

from okgin_fast import reference
from okgin_fast.cards import DECK, Card, Hand
from okgin_fast.errors import IllegalActionError
from okgin_fast.reference import ReferenceDeal, Settlement, settle
from okgin_fast.rules import Rules

EAAI = Rules.preset("eaai")
PLAIN_UPCARD = Card("9H")

# --- melds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["7S 7C 7D", "7S 7C 7D 7H", "AS 2S 3S", "TD JD QD KD"])
def test_is_a_meld(text: str) -> None:
    assert reference.is_meld(cards(text))


@pytest.mark.parametrize(
    "text", ["", "7S", "7S 7C", "AS 2S", "QC KC AC", "KS AS 2S", "AS 2S 4S", "AS 2C 3S", "7S 7C 8S"]
)
def test_is_no_meld(text: str) -> None:
    assert not reference.is_meld(cards(text))


def test_the_deck_holds_329_melds() -> None:
    every = reference.all_melds(Hand(DECK))
    sets = [meld for meld in every if len({card.rank for card in meld}) == 1]
    assert len(every) == len(set(every)) == 329
    assert (len(sets), len(every) - len(sets)) == (65, 264)
    assert sum(len(meld) <= 5 for meld in every) == 185


def test_arrangements_of_four_sevens_in_two_runs() -> None:
    # Nothing; one of four sets of three; all four; the run; the run with the other three.
    hand = cards("5S 6S 7S 7C 7D 7H")
    found = list(reference.arrangements(hand))
    assert len(found) == len(set(found)) == 1 + 4 + 1 + 1 + 1


def test_arrangements_of_no_cards() -> None:
    assert list(reference.arrangements([])) == [frozenset()]
    assert reference.deadwood([]) == 0 == reference.deadwood_of_many([])


def test_a_run_of_six_is_also_two_runs_of_three() -> None:
    assert set(reference.spreads(cards("AS 2S 3S 4S 5S 6S"))) == {
        melds(["AS 2S 3S 4S 5S 6S"]),
        melds(["AS 2S 3S", "4S 5S 6S"]),
    }


def test_spreads_up_to_a_limit_include_dearer_ones() -> None:
    hand = cards("AS 2S 3S 4S")
    assert set(reference.spreads(hand)) == {melds(["AS 2S 3S 4S"])}
    assert set(reference.spreads(hand, 3)) == {melds(["AS 2S 3S 4S"]), melds(["2S 3S 4S"])}
    assert len(reference.spreads(hand, 10)) == 4


@pytest.mark.parametrize("case", cases("min_deadwood"), ids=case_id)
def test_min_deadwood_cases(case: dict[str, Any]) -> None:
    hand, expected = cards(case["input"]["hand"]), case["expected"]
    assert reference.deadwood(hand) == expected["min_deadwood"]
    assert reference.deadwood_of_many(hand) == expected["min_deadwood"]
    spreads = reference.spreads(hand)
    assert melds(expected["example_melds"]) in spreads
    left = {reference.unmelded(hand, spread) for spread in spreads}
    assert left == {cards(text) for text in expected["all_optimal_deadwood_sets"]}


@given(any_hand(0, 12))
@settings(max_examples=150, deadline=None)
def test_the_two_ways_to_deadwood_agree(hand: Hand) -> None:
    assert reference.deadwood(hand) == reference.deadwood_of_many(hand)


def test_deadwood_of_many_of_the_whole_deck_and_of_one_suit() -> None:
    assert reference.deadwood_of_many(Hand(DECK)) == 0
    assert reference.deadwood_of_many(Hand((1 << 13) - 1)) == 0
    assert reference.deadwood_of_many(Hand("AS 2C 4S 5C 7S 8C TS JC")) == 47


@pytest.mark.parametrize("case", ELEVEN, ids=lambda case: case["hand11"].replace(" ", ""))
def test_eleven(case: dict[str, Any]) -> None:
    assert min(reference.throws(cards(case["hand11"])).values()) == case["best_after_throw"]


@pytest.mark.parametrize("case", cases("discard"), ids=case_id)
def test_discard_cases(case: dict[str, Any]) -> None:
    hand, expected = cards(case["input"]["hand11"]), case["expected"]
    after = reference.throws(hand)
    assert reference.deadwood(hand) == expected["min_deadwood_of_11"]
    assert (reference.deadwood(hand) == 0) == expected["big_gin"]
    if taken := case["input"]["taken_from_pile"]:
        assert min(after.values()) == expected["best_if_take_back_were_allowed"]
        del after[Card(taken)]
    best, limit = min(after.values()), expected["knock_limit"]
    assert best == expected["best_after_discard"]
    assert {card for card in after if after[card] == best} == cards(expected["best_discards"])
    assert {card for card in after if after[card] == 0} == cards(expected["gin_discards"])
    assert {card for card in after if after[card] <= limit} == cards(expected["knock_discards"])


# --- lay-offs and settlement -----------------------------------------------------------------


@pytest.mark.parametrize("case", cases("layoff"), ids=case_id)
def test_layoff_cases(case: dict[str, Any]) -> None:
    given_, expected = case["input"], case["expected"]
    defender, table = cards(given_["defender_hand"]), melds(given_["knocker_melds"])
    if expected["layoffs_allowed"]:
        assert reference.layoff(defender, table) == expected["defender_deadwood"]
    else:
        assert reference.deadwood(defender) == expected["defender_deadwood"]
    if "result" in expected:
        # Only the knocker's deadwood counts, not which cards it is: it is made up from unused ones.
        kept = with_deadwood(table, defender, given_["knocker_deadwood"])
        result = settle(kept, table, defender, EAAI, PLAIN_UPCARD)
        assert result.kind == expected["result"]
        assert result.points == expected["points_at_25_25"]
        assert result.winner == ["knocker", "defender"].index(expected["winner"])


def with_deadwood(
    table: frozenset[frozenset[Card]], defender: frozenset[Card], total: int
) -> frozenset[Card]:
    """Return ten cards: the melds' and loose ones worth `total` that the defender doesn't hold."""
    melded = frozenset().union(*table)
    free = [card for card in Hand(DECK) if card not in melded | defender]
    loose = combinations(free, 10 - len(melded))
    return melded.union(next(few for few in loose if sum(card.points for card in few) == total))


@pytest.mark.parametrize("case", cases("spread_choice"), ids=case_id)
def test_spread_choice_cases(case: dict[str, Any]) -> None:
    expected = case["expected"]
    hand, defender = cards(case["input"]["knocker_hand10"]), cards(case["input"]["defender_hand"])

    def net(spread: frozenset[frozenset[Card]]) -> int:
        result = settle(hand, spread, defender, EAAI, PLAIN_UPCARD)
        return result.points if result.winner == 0 else -result.points

    tied = reference.spreads(hand)
    legal = reference.spreads(hand, case["input"]["knock_limit"])
    assert reference.deadwood(hand) == expected["knocker_min_deadwood"]
    assert max(map(net, tied)) == net(melds(expected["best_tied_spread"]))
    assert max(map(net, tied)) == expected["net_best_tied"]
    assert min(map(net, tied)) == net(melds(expected["worst_tied_spread"]))
    assert min(map(net, tied)) == expected["net_worst_tied"]
    assert max(map(net, legal)) == net(melds(expected["best_any_legal_spread"]))
    assert max(map(net, legal)) == expected["net_best_any_legal_spread"]


def test_a_run_takes_any_number_of_cards_one_after_another() -> None:
    assert reference.layoff(cards("8H 9H TH JH QH KH"), [cards("5H 6H 7H")]) == 0
    assert reference.layoff(cards("9H TH"), [cards("5H 6H 7H")]) == 19


def test_a_card_that_fits_two_melds_goes_where_it_helps_most() -> None:
    sevens_and_run = [cards("7C 7D 7H"), cards("4S 5S 6S")]
    assert reference.layoff(cards("7S 8S KC"), sevens_and_run) == 10


# Rows of the scoring table. The knocker holds three runs and one more card.
RUNS = "AC 2C 3C 4D 5D 6D 9H TH JH"


def scored(k: str, defender: str, upcard: str = "9D", **fields: Any) -> Settlement:
    rules = Rules.preset("oklahoma", **fields)
    spread = melds(["AC 2C 3C", "4D 5D 6D", "9H TH JH"])
    return settle(cards(f"{RUNS} {k}"), spread, cards(defender), rules, Card(upcard))


def test_knock_scores_the_difference() -> None:
    assert scored("5S", "KS KD") == ("knock", 0, 15, 0, 5, 20)


def test_undercut_pays_the_bonus_and_the_difference() -> None:
    assert scored("5S", "3S") == ("undercut", 1, 12, 0, 5, 3)


def test_a_tie_is_an_undercut_or_scores_nothing() -> None:
    assert scored("5S", "5H") == ("undercut", 1, 10, 0, 5, 5)
    assert scored("5S", "5H", undercut_on_tie=False) == ("tie", None, 0, 0, 5, 5)


def test_a_defender_who_reaches_zero_has_undercut_not_ginned() -> None:
    assert scored("5S", "4C QH") == ("undercut", 1, 15, 0, 5, 0)


def test_gin_pays_even_against_zero_and_allows_no_lay_offs() -> None:
    assert scored("", "7S 8S 9S") == ("gin", 0, 25, 0, 0, 0)
    assert scored("", "4C QH") == ("gin", 0, 39, 0, 0, 14)


def test_big_gin_pays_its_own_bonus() -> None:
    hand, spread = cards(f"{RUNS} QH KH"), melds(["AC 2C 3C", "4D 5D 6D", "9H TH JH QH KH"])
    result = settle(hand, spread, cards("KS"), Rules.preset("modern"), Card("9D"))
    assert result == ("big_gin", 0, 41, 0, 0, 10)


def test_a_spade_multiplies_everything() -> None:
    assert scored("5S", "KS KD", "9S", spade_multiplier=2).points == 30
    assert scored("5S", "5H", "9S", spade_multiplier=2).points == 20
    assert scored("", "4C QH", "9S", spade_multiplier=2).points == 78
    assert scored("", "4C QH", "9H", spade_multiplier=2).points == 39


@pytest.mark.parametrize("case", cases("settlement"), ids=case_id)
def test_settlement_cases(case: dict[str, Any]) -> None:
    given_, expected = case["input"], case["expected"]
    kept, spread = knocker_with(given_["knocker"], given_["big_gin"])
    result = settle(kept, spread, defender_with(given_["defender"]), EAAI, PLAIN_UPCARD)
    assert (result.kind, result.points) == (expected["result"], expected["points"])
    assert result.winner == ["knocker", "defender"].index(expected["winner"])


def knocker_with(total: int, big: bool) -> tuple[frozenset[Card], frozenset[frozenset[Card]]]:
    """Return ten (or eleven) cards in runs of spades and hearts, `total` points left over."""
    runs = melds(["AS 2S 3S", "4S 5S 6S 7S", "AH 2H 3H" if not big else "AH 2H 3H 4H"])
    if total == 0:
        return frozenset().union(*runs), runs
    runs = melds(["AS 2S 3S", "4S 5S 6S", "AH 2H 3H"])
    return frozenset().union(*runs) | {Card(f"{total}C".replace("10", "T"))}, runs


def defender_with(total: int) -> frozenset[Card]:
    """Return cards of diamonds and clubs, in no meld and with no lay-off, worth `total`."""
    hand = set()
    for text in ["KD", "JD", "9C", "TC", "8D", "6C", "5D", "3C", "2D", "AC"]:
        if Card(text).points <= total:
            hand.add(Card(text))
            total -= Card(text).points
    assert total == 0
    return frozenset(hand)


def test_every_case_a_pure_solver_can_answer_was_asked() -> None:
    asked = {"min_deadwood", "discard", "layoff", "spread_choice", "settlement"}
    assert sum(case["kind"] in asked for case in CASES) == 103


# --- the deal --------------------------------------------------------------------------------

# Seat 0 deals; seat 1 has 3 points of deadwood after throwing a king.
HAND0 = "2C 4C 6C 8C TC QC 2H 4H 6H 8H"
HAND1 = "AS 2S 3S 5D 6D 7D 9S 9C 9D 3C"


def new_deal(
    upcard: str = "KH", first: str = "KD", dealer: int = 0, **fields: Any
) -> ReferenceDeal:
    rules = Rules.preset("oklahoma", **fields)
    return ReferenceDeal(rules, **whole_deal(HAND0, HAND1, upcard, first), dealer=dealer)


def play(deal: ReferenceDeal, *actions: str) -> ReferenceDeal:
    for action in actions:
        deal.apply(action)
    return deal


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_non_dealer_begins(dealer: int) -> None:
    deal = new_deal(dealer=dealer)
    assert (deal.phase, deal.to_move) == ("upcard", 1 - dealer)
    assert deal.legal_actions() == ["take KH", "pass"]


def test_if_both_pass_the_non_dealer_must_draw_from_the_stock() -> None:
    deal = play(new_deal(), "pass")
    assert (deal.phase, deal.to_move) == ("upcard", 0)
    deal.apply("pass")
    assert (deal.phase, deal.to_move) == ("draw", 1)
    assert deal.legal_actions() == ["draw"]
    play(deal, "draw", "discard KD")
    assert deal.legal_actions() == ["take KD", "draw"]


def test_after_the_dealer_took_the_upcard_the_non_dealer_has_both_choices() -> None:
    deal = play(new_deal(), "pass", "take KH", "discard QC")
    assert (deal.to_move, deal.legal_actions()) == (1, ["take QC", "draw"])


def test_a_taken_card_may_not_be_thrown_back() -> None:
    deal = play(new_deal(), "take KH")
    assert "discard KH" not in deal.legal_actions()
    assert "knock KH" not in deal.legal_actions()
    allowed = play(new_deal(may_discard_taken=True), "take KH")
    assert {"discard KH", "knock KH"} <= set(allowed.legal_actions())


def test_a_drawn_card_may_be_thrown() -> None:
    deal = play(new_deal(), "pass", "pass", "draw")
    assert {"discard KD", "knock KD"} <= set(deal.legal_actions())


def test_a_knock_is_legal_up_to_the_limit() -> None:
    assert new_deal("3D").limit == 3
    assert "knock KD" in play(new_deal("3D"), "pass", "pass", "draw").legal_actions()
    assert "knock KD" not in play(new_deal("2D"), "pass", "pass", "draw").legal_actions()


@pytest.mark.parametrize(
    ("knock", "ace", "upcard", "limit"),
    [
        ("upcard", "one", "AH", 1),
        ("upcard", "gin", "AH", 0),
        ("upcard", "gin", "7H", 7),
        ("upcard", "one", "TH", 10),
        ("upcard", "one", "KH", 10),
        (10, None, "AH", 10),
        (0, None, "KH", 0),
    ],
)
def test_knock_limit(knock: Any, ace: Any, upcard: str, limit: int) -> None:
    rules = Rules.preset("standard" if knock else "straight")
    if knock == "upcard":
        rules = Rules.preset("oklahoma", ace=ace)
    assert reference.knock_limit(rules, Card(upcard)) == limit


def test_gin_is_offered_not_forced_and_knock_names_it_too() -> None:
    deal = play(new_deal(first="4S"), "pass", "pass", "draw")
    assert {"gin 3C", "discard 3C"} <= set(deal.legal_actions())
    assert "knock 3C" not in deal.legal_actions()
    assert play(deal.clone(), "knock 3C").result == play(deal, "gin 3C").result
    assert deal.result == ("gin", 1, 25 + 60, 1, 0, 60)


def test_big_gin_only_where_the_rules_have_it() -> None:
    hand1 = "AS 2S 3S 5D 6D 7D 9S 9C 9D 9H"
    keywords = whole_deal(HAND0, hand1, "KH", "8D")
    without = ReferenceDeal(Rules.preset("eaai"), **keywords)
    assert "big gin" not in play(without, "pass", "pass", "draw").legal_actions()
    deal = ReferenceDeal(Rules.preset("modern"), **keywords)
    play(deal, "pass", "pass", "draw", "big gin")
    assert deal.result == ("big_gin", 1, 31 + 60, 1, 0, 60)


def test_a_knock_may_name_a_dearer_spread_within_the_limit() -> None:
    deal = play(new_deal("9H"), "pass", "pass", "draw")
    apart = deal.clone()
    deal.apply("knock KD")
    assert deal.result is not None
    assert deal.result.knocker_deadwood == 3
    with pytest.raises(IllegalActionError):
        apart.apply("knock KD: 5D6D7D 9S9C9D 3C")
    with pytest.raises(IllegalActionError):
        apart.apply("knock KD: 5D6D7D")
    assert (apart.phase, len(apart.hands[1])) == ("throw", 11)
    apart.apply("knock KD: 5D6D7D 9S9C9D")
    assert apart.result is not None
    assert apart.result.knocker_deadwood == 9


def test_the_wall_ends_a_deal_without_points() -> None:
    deal = play(new_deal(), "pass", "pass")
    while deal.phase == "draw":
        card = deal.stock[0]
        play(deal, "draw", f"discard {card}")
    assert (len(deal.stock), deal.turns) == (2, 29)
    assert deal.result == ("dead", None, 0, None, None, None)
    assert deal.legal_actions() == []


def test_reshuffle_makes_a_new_stock_of_the_pile_but_its_top_card() -> None:
    deal = play(new_deal(wall="reshuffle"), "pass", "pass")
    drawn = list(deal.stock)
    for card in drawn:
        play(deal, "draw", f"discard {card}")
    assert deal.pile == [drawn[-1]]
    assert deal.stock == [deal.upcard, *drawn[:-1]]
    assert deal.phase == "draw"


def test_players_who_take_each_others_discards_reach_the_turn_limit() -> None:
    deal = play(new_deal(turn_limit=7), "take KH", "discard 3C")
    while deal.phase != "over":
        assert deal.to_move is not None
        play(deal, f"take {deal.pile[-1]}")
        play(deal, next(word for word in deal.legal_actions() if word.startswith("discard")))
    assert (deal.turns, deal.result) == (7, Settlement("dead"))


@pytest.mark.parametrize("action", ["draw", "take 3C", "discard KH", "knock KH", "gin", "", "take"])
def test_an_illegal_action_changes_nothing(action: str) -> None:
    deal = new_deal()
    before = {**deal.clone().__dict__}
    with pytest.raises(IllegalActionError):
        deal.apply(action)
    assert deal.__dict__ == before


def test_perft_of_the_first_turns() -> None:
    # take or pass; ten throws (no knock, the king back is banned), or the dealer's take or pass.
    deal = ReferenceDeal(Rules.preset("straight"), **whole_deal(HAND0, HAND1, "KH", "KD"))
    assert [reference.perft(deal, depth) for depth in range(4)] == [1, 2, 12, 10 * 2 + 10 + 1]
