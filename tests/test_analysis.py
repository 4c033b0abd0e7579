"""Analysis: the sums agree, a seat is judged by what it knew, and what is bad is called so."""

from __future__ import annotations

import json
import threading
from html.parser import HTMLParser

import pytest
from helpers import whole_deal
from hidden import resampled
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import EVERY_RULES, finished

import okgin_fast as og
from okgin_fast import Card, Hand
from okgin_fast.analysis import Analysis, Study, analyse, read_records
from okgin_fast.analysis.html import page
from okgin_fast.analysis.judge import Judge, _mean, _readings
from okgin_fast.analysis.results import MARKS, RATINGS
from okgin_fast.analysis.saved import read, saved
from okgin_fast.analysis.study import _mark
from okgin_fast.core.search import Estimate
from okgin_fast.errors import NotationError, OkginError

FEW = og.Limit(rollouts=8)
SOME = og.Limit(rollouts=60)
# Seat 0 moves first; with the upcard KH it has gin.
GINS = whole_deal("AS 2S 3S 7H 7D 7C KD KS KC 9C", "AC 3D 5H 8S TD JC QH 2H 6S 4D", "KH")
WAITS = "AS 2S 3S 7H 7D 7C KD KS 5C 5D"
NAMES = ('<b>Ann & "Bob"</b>', "Eve's")


def deal_of(actions: list[str], rules: str = "eaai", **cards: object) -> og.Deal:
    """Return a deal in which seat 0 moves first, with these actions played."""
    deal = og.Deal.from_cards(rules, dealer=1, **{**GINS, **cards})  # type: ignore[arg-type]
    for action in actions:
        deal.apply(action)
    return deal


def played(rules: str, players: tuple[str, str], seed: int) -> og.Deal:
    """Return a deal that two players have played."""
    agents = [og.agent(name, seed=1) for name in players]
    deal = og.Deal(rules, seed=seed, dealer=seed % 2)
    while deal.to_move is not None:
        deal.apply(agents[deal.to_move].act(deal.view(deal.to_move)))
    return deal


def match_of(rules: str, players: tuple[str, str], seed: int) -> list[og.Deal]:
    """Return the deals of a whole match."""
    match, deals = og.Match(rules, seed), list[og.Deal]()
    agents = [og.agent(name, seed=1) for name in players]
    while not match.over:
        deal = match.next_deal()
        while deal.to_move is not None:
            deal.apply(agents[deal.to_move].act(deal.view(deal.to_move)))
        match.record(deal.result)
        deals.append(deal)
    return deals


def won_by_0(deal: og.Deal) -> int:
    assert deal.result is not None
    return deal.result.points if deal.result.winner == 0 else -deal.result.points


def check_sums(found: Analysis) -> None:
    """Skill and luck are the result: in all, deal by deal, and step by step."""
    assert found.skill + found.luck.total == pytest.approx(found.result, abs=1e-9)
    for deal in found.deals:
        assert deal.skill + deal.luck.total == pytest.approx(deal.end - deal.start, abs=1e-9)
        before = deal.dealt
        for step in deal.steps:
            mine = (step.luck or 0) - step.loss
            change = (mine if step.seat == 0 else -mine) + step.hidden
            assert step.value == pytest.approx(before + change, abs=1e-9)
            before = step.value


# ------------------------------------------------------------------------------------------- sums


@settings(max_examples=8)
@given(st.sampled_from(sorted(EVERY_RULES)), st.integers(0, 1000))
def test_skill_and_luck_are_the_points_of_a_deal(name: str, seed: int) -> None:
    deal = finished(EVERY_RULES[name], seed)
    if len(deal.actions) > 60:  # some go on until the turns are used up
        return
    found = analyse(deal, FEW)
    assert found.unit == "points"
    assert found.result == won_by_0(deal)
    check_sums(found)


def test_skill_and_luck_are_what_a_match_was_worth() -> None:
    deals = match_of("oklahoma", ("strong", "gold"), 4)
    found = analyse(deals, FEW)
    match = og.Match("oklahoma", 4)
    before = og.match_equity("oklahoma", (0, 0), "me" if match.dealer == 0 else "opponent")
    for deal, seen in zip(deals, found.deals, strict=True):
        assert seen.score == match.scores
        match.record(deal.result)
    assert found.unit == "match"
    assert found.result == pytest.approx((match.winner == 0) - before)
    check_sums(found)


def test_an_unfinished_deal_is_worth_what_its_last_position_is() -> None:
    found = analyse(deal_of(["take KH", "discard 9C"]), SOME)
    (deal,) = found.deals
    assert deal.end == deal.steps[-1].value
    check_sums(found)


# -------------------------------------------------------------------------------------- decisions


def test_gin_at_once_is_good_and_a_broken_gin_a_blunder() -> None:
    good = analyse(deal_of(["take KH", "gin 9C"]), SOME).deals[0].steps
    assert [step.mark for step in good] == ["good", "good"]
    bad = analyse(deal_of(["take KH", "discard 2S"]), SOME).deals[0].steps[-1]
    assert (str(bad.best), bad.mark) == ("gin 9C", "blunder")
    assert bad.loss > 20 > 4 * bad.loss_se
    assert "Gin" in bad.better


def test_to_leave_a_card_that_gins_costs_its_seat_and_nobody_else() -> None:
    found = analyse(deal_of(["pass", "pass", "draw"]), SOME)
    left, passed, drawn = found.deals[0].steps
    assert (str(left.best), left.mark) == ("take KH", "blunder")
    assert found.seats[0].lost == left.loss + drawn.loss
    assert found.seats[1].lost == passed.loss


def test_a_forced_draw_is_no_decision_but_has_its_luck() -> None:
    forced = analyse(deal_of(["pass", "pass", "draw"]), SOME).deals[0].steps[-1]
    assert (forced.choices, forced.best, forced.mark, forced.loss) == (1, None, None, 0)
    assert forced.drawn is not None
    assert forced.luck is not None


def luck_of(top: str) -> tuple[float, float]:
    """Return the luck of seat 0's first draw and its error, with that card on top of the stock."""
    cards = whole_deal(WAITS, "AC 3D 5H 8S TD JC QH 2H 6S 4D", "9D", first=top)
    step = analyse(deal_of(["pass", "pass", "draw"], **cards), SOME).deals[0].steps[-1]
    assert step.luck is not None
    assert step.luck_se is not None
    return step.luck, step.luck_se


def test_the_card_that_gins_is_luck_and_a_useless_one_is_not() -> None:
    luck, error = luck_of("KH")
    assert luck > 3 * error
    assert luck_of("QS")[0] < luck - 10


def test_the_luck_of_a_draw_is_nothing_on_average() -> None:
    judge, his = Judge(og.Limit(rollouts=300), 0, 1.0), Hand("AC 3D 5H 8S TD JC QH 2H 6S 4D")
    unseen = [card for card in map(Card, range(52)) if card not in Hand(f"{WAITS} 9D")]
    luck, errors = [], []
    for top in unseen:
        spare = next(card for card in unseen if card not in his)
        hand = his - top | spare if top in his else his  # he holds another card then
        deal = deal_of(["pass", "pass"], **whole_deal(WAITS, hand.text(), "9D", first=str(top)))
        before = deal.view(0)
        deal.apply("draw")
        drawn = judge.drawn(before, deal.view(0))
        luck.append(drawn.luck)
        errors.append(drawn.se)
    assert max(luck) > 10
    assert abs(sum(luck) / len(luck)) < 2 * max(errors)  # what drawing was worth is one figure


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_judged_by_what_it_knew(seat: int) -> None:
    deal = played("eaai", ("beginner", "novice"), 2)
    while deal.result is not None or deal.to_move != seat or len(deal.actions) > 12:
        deal.undo()
    other = resampled(deal, seat, 5)
    one, two = (analyse(d, FEW).deals[0].steps for d in (deal, other))

    def known(steps: object) -> list[tuple[object, ...]]:
        return [
            (step.best, step.equity, step.loss, step.mark, step.better, step.luck)
            for step in steps  # type: ignore[attr-defined]
            if step.seat == seat
        ]

    assert known(one)
    assert known(one) == known(two)


def test_a_spread_that_leaves_more_costs_its_points() -> None:
    hand, other = "AS 2S 3S 3C 3D 8H 8D 8C 2D AH", "KC TD QS QC JH 9D 9C 7D 6S 5D"
    losses = []
    for melds in ("3S3C3D/8H8D8C", "AS2S3S/8H8D8C"):  # these leave 6 and 9
        deal = deal_of(["pass", "pass", "draw"], **whole_deal(hand, other, "KH", first="KD"))
        deal.apply(og.Action("knock", "KD", melds.split("/")))
        step = analyse(deal, SOME).deals[0].steps[-1]
        losses.append(step.loss)
    assert losses[0] == 0
    assert losses[1] == pytest.approx(3, abs=1.5)  # 4S may be laid off on one, 3H on the other
    assert step.best is not None
    assert step.best.card == Card("KD")
    assert step.better


def test_between_throws_the_other_hand_is_read_in_half_of_the_worlds() -> None:
    """Not everybody takes and throws for good reason."""
    throws = [og.Action("discard", "9H"), og.Action("discard", "AS")]
    assert _readings(throws) == (True, False)
    for others in (throws[:1], [throws[0], og.Action("knock", "AS")], [og.Action("draw")] * 2):
        assert _readings(others) == (True,)


def test_figures_of_two_searches_together() -> None:
    shares = (0.25, 0.5, 0.0, 0.25, 0.0)
    one = Estimate(4.0, 0.3, 1.0, 0.6, *shares, None, None, 100)
    other = Estimate(6.0, 0.4, -2.0, 0.8, *shares, None, None, 100)
    assert _mean((one, other)) == Estimate(5.0, 0.25, -0.5, 0.5, *shares, None, None, 200)


def test_marks_go_by_what_an_error_costs() -> None:
    for mark, least in MARKS.items():
        assert _mark(least) == mark
        if least:
            assert _mark(least - 0.001) != mark


def test_a_beginner_is_rated_below_a_master() -> None:
    deals = [played("eaai", ("beginner", "master"), seed) for seed in range(3)]
    beginner, master = analyse(deals, og.Limit(rollouts=60), points=True).seats
    assert beginner.error is not None
    assert master.error is not None
    assert beginner.error > 1.5 * master.error
    levels = list(RATINGS)
    assert levels.index(beginner.rating or "") > levels.index(master.rating or "")


# ------------------------------------------------------------------------- what it is measured in


@pytest.mark.parametrize(
    ("rules", "deals", "options", "unit"),
    [
        ("eaai", 1, {}, "points"),
        ("eaai", 2, {}, "match"),
        ("eaai", 2, {"points": True}, "points"),
        ("eaai", 1, {"score": (40, 65)}, "match"),
        ("open-spiel", 2, {}, "points"),
    ],
)
def test_several_deals_are_a_match(rules: str, deals: int, options: dict, unit: str) -> None:  # type: ignore[type-arg]
    found = analyse([deal_of(["pass"], rules)] * deals, FEW, **options)
    assert found.unit == unit


def test_a_score_is_where_the_match_begins() -> None:
    found = analyse(deal_of(["take KH", "gin 9C"]), FEW, score=(40, 65))
    (deal,) = found.deals
    assert deal.score == (40, 65)
    assert deal.start == og.match_equity("eaai", (40, 65))
    assert deal.end == 1  # 25 and more than 35 of deadwood


def test_a_new_match_begins_when_one_is_over_or_another_seat_deals() -> None:
    gins = ["take KH", "gin 9C"]
    found = analyse([*map(deal_of, (gins, gins, ["pass"]))], FEW, score=(80, 7))
    first, second, third = found.deals
    assert (first.score, first.end, first.won) == ((80, 7), 1, 0)
    assert (second.score, third.score) == ((0, 0), (0, 0))  # it would have been 0's turn to deal
    assert [deal.match for deal in found.deals] == [1, 2, 3]


def test_each_match_has_its_sums_and_all_have_theirs() -> None:
    deals = [match_of("oklahoma", ("strong", "gold"), seed) for seed in (4, 5)]
    found = analyse([*deals[0], *deals[1]], og.Limit(rollouts=2))
    both = found.matches
    assert [len(match.deals) for match in both] == [len(played) for played in deals]
    for match in both:
        assert match.winner == (0 if match.deals[-1].end else 1)
        check_sums(match)
    alone = analyse(deals[1], og.Limit(rollouts=2))
    assert (both[1].result, both[1].skill) == (alone.result, alone.skill)
    assert sum(match.result for match in both) == pytest.approx(found.result)
    told = found.to_dict()["matches"]
    assert [match["deals"][-1] for match in told] == [len(deals[0]), len(found.deals)]
    assert [match["winner"] for match in told] == [match.winner for match in both]


def test_each_deal_has_the_errors_of_both_seats() -> None:
    found = analyse([deal_of(["take KH", "discard 2S"]), deal_of(["take KH", "gin 9C"])], SOME)
    one, two = found.to_dict()["deals"]
    for deal in (one, two):
        lost = sum(step["loss"] for step in deal["steps"])
        assert [seat["lost"] for seat in deal["seats"]] == [lost, 0]
        assert [seat["decisions"] for seat in deal["seats"]] == [2, 0]
        assert deal["seats"][0]["error"] == lost / 2
        assert deal["seats"][1]["error"] is None
    assert one["seats"][0]["lost"] > 0 == two["seats"][0]["lost"]


def test_a_match_begins_at_its_head() -> None:
    head = '{"format":"okgin match 1","players":[null,"club"]}'
    line = json.dumps({"proof": {}, "deal": json.loads(deal_of(["pass"]).to_json())})
    found = analyse("\n".join([head, line, line, head, line]), FEW)
    assert [deal.match for deal in found.deals] == [1, 1, 2]


def test_hollywood_is_told_in_matches_and_measured_in_points() -> None:
    rules = og.Rules.preset("eaai", hollywood=True, next_dealer="loser")
    deals = [deal_of(["take KH", "gin 9C"], rules) for _ in range(6)]  # type: ignore[arg-type]
    found = analyse(deals, FEW)
    # 0 wins some 90 points a deal: two deals end the first game, three the second, four the third.
    assert found.unit == "points"
    assert [deal.match for deal in found.deals] == [1, 1, 1, 1, 2, 2]
    assert [match.winner for match in found.matches] == [0, None]


def test_deals_by_themselves_are_no_match() -> None:
    assert analyse([deal_of(["pass"])] * 2, FEW, points=True).matches == ()
    assert analyse(deal_of(["pass"]), FEW).matches == ()


# -------------------------------------------------------------------------------- same, and refused


def test_the_same_record_has_the_same_analysis() -> None:
    deal = played("oklahoma", ("novice", "club"), 8)
    one, two = (analyse(r, FEW, 3).to_dict() for r in (deal, deal.to_json()))
    assert one == two
    assert json.loads(json.dumps(one)) == one
    assert analyse(deal, FEW, 4).to_dict() != one


def test_a_stop_leaves_the_deals_that_are_finished() -> None:
    stop, deals = threading.Event(), [deal_of(["take KH", "gin 9C"])] * 3

    def watch(done: int, total: int) -> None:
        assert total == 6
        if done == 3:
            stop.set()

    found = analyse(deals, og.Limit(rollouts=8, stop=stop), points=True, progress=watch)
    assert (len(found.deals), found.complete) == (1, False)
    check_sums(found)


def test_an_analysis_goes_on_from_what_is_saved() -> None:
    deals = match_of("oklahoma", ("strong", "gold"), 4)[:3]
    whole = Study(deals, FEW)
    whole.run()
    lines = [json.dumps(saved(deal)) for deal in whole.finished]
    again = Study(deals, FEW)
    again.finished += [
        read(json.loads(line), deal) for line, deal in zip(lines[:2], deals[:2], strict=True)
    ]
    assert 0 < again.done < again.actions
    again.run()
    assert again.found == whole.found
    for bad in ({}, {"record": 1}, json.loads(lines[1])):
        with pytest.raises((ValueError, LookupError)):
            read(bad, deals[0])


@pytest.mark.parametrize(
    ("record", "options", "words"),
    [
        ("", {}, "no deal"),
        ([], {}, "no deal"),
        ("nonsense", {}, "line 1: 'nonsense' is no record"),
        ('\n\n{"format": 1}', {}, "line 3: "),
        (5, {}, "5"),
        (deal_of([]), {"limit": og.Limit(time_ms=5)}, "rollouts"),
        (deal_of([]), {"limit": og.Limit(rollouts=1)}, "rollouts"),
        (deal_of([]), {"seed": -1}, "-1"),
        (deal_of([]), {"score": (100, 3)}, "100"),
        (deal_of([]), {"score": (40, 3), "points": True}, "points"),
        ([deal_of([]), "text"], {}, "'text'"),
    ],
)
def test_what_is_refused(record: object, options: dict, words: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(OkginError, match=words) as error:
        analyse(record, **options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


# ----------------------------------------------------------------------------------------- records


def test_records_of_all_kinds_in_one_text() -> None:
    deal = played("oklahoma", ("novice", "club"), 8)
    told = json.loads(deal.to_json())
    text = "\n".join(
        [
            "# a comment",
            '{"format":"okgin match 1","players":[null,"club"]}',
            json.dumps({"proof": {}, "deal": told}),
            json.dumps({"proof": {}, "deal": None}),
            "",
            deal.to_text(),
            "",
            deal.to_json(),
            "nonsense",
            deal.to_text(),
        ]
    )
    head, first, none, *rest = read_records(text)
    assert head.players == ("player", "club")
    assert (head.deal, none.deal, none.error) == (None, None, None)
    assert [record.line for record in (head, first, none)] == [2, 3, 4]
    assert [record.deal for record in (first, *rest)] == [deal, deal, deal, None, deal]
    assert isinstance(rest[2].error, NotationError)


@pytest.mark.parametrize(
    "text",
    ["{", "{}", "[1]", '{"format":"okgin match 1"}', '{"format":"okgin match 1","players":"ab"}',
     '{"proof":{},"deal":{}}', '{"proof":{},"deal":5}', "format: x", "{" * 50_000, "\0"],
)  # fmt: skip
def test_what_is_no_record_says_so_in_one_line(text: str) -> None:
    (record,) = read_records(text)
    assert record.deal is None
    assert "\n" not in str(record.error)


# -------------------------------------------------------------------------------------------- HTML


class Page(HTMLParser):
    """Reads a page: its tags must close in order; what it asks for from elsewhere is kept."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.links: list[str | None] = []
        self.ids: set[str | None] = set()
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.links += [text for name, text in attrs if name in ("href", "src", "xlink:href")]
        self.ids |= {text for name, text in attrs if name == "id"}
        if tag not in ("meta", "br", "line", "path", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "path", "polyline"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_needs_nothing_and_escapes_names() -> None:
    deals = [deal_of(["take KH", "discard 2S"]), deal_of(["take KH", "gin 9C"])]
    text = page(analyse(deals, SOME, names=NAMES, points=True))
    read = Page(text)
    assert read.links
    assert {link and link[1:] for link in read.links if link and link[0] == "#"} <= read.ids
    assert all(link and link[0] == "#" for link in read.links)
    assert not {"script", "link", "img", "b>"} & set(read.seen)
    assert "url(" not in text
    assert "@import" not in text
    assert f"{NAMES[0]} against {NAMES[1]}" in read.text
    assert "K♥" in read.text
    assert "KH" not in read.text
    assert "blunder" in read.text
    assert read.seen.count("polyline") == len(deals)


def test_the_page_of_several_matches() -> None:
    deals = [deal_of(["take KH", "gin 9C"]) for _ in range(3)]
    read = Page(page(analyse(deals, FEW, score=(80, 7))))
    assert "3 matches, 3 deals, seat 0 wins 1" in read.text
    assert {"match-1", "match-2", "match-3", "deal-1", "deal-3"} <= read.ids
    assert read.seen.count("svg") == 3
