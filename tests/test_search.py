"""The search and its worlds: exact where they can be, repeatable, and blind to hidden cards."""

import math
import statistics
import threading
import time

import pytest

import okgin_fast as og
from okgin_fast.core.belief import sample_hands
from okgin_fast.core.search import Search

# Ten melded but for the 4 of hearts; QC is loose too. Knocking by QC leaves 4.
KNOCKING = "hand=AS2S3S7C7D7H9S9C9D4HQC upcard=KD"


def midgame(rules: str, seed: int, actions: int) -> og.Deal:
    """A deal after that many actions of two players who do not knock."""
    deal = og.Deal(rules, seed=seed)
    simple = og.agent("simple", seed=seed)
    for _ in range(actions):
        action = simple.act(deal.view(deal.to_move))
        if action.kind in ("knock", "gin", "big gin"):
            action = og.Action("discard", action.card)
        deal.apply(action)
        if deal.to_move is None:
            deal.undo()
            break
    return deal


@pytest.mark.parametrize("seed", range(20))
def test_a_world_agrees_with_what_the_seat_sees(seed: int) -> None:
    deal = midgame("oklahoma", seed, 4 + 2 * seed)
    view = deal.view(deal.to_move)
    for hand in sample_hands(view, 50, seed):
        assert len(hand) == 10
        assert view.known <= hand
        assert hand <= view.known | view.unseen


def test_sampled_hands_differ_and_repeat() -> None:
    """Case R036."""
    deal = midgame("eaai", 3, 20)
    view = deal.view(deal.to_move)
    hands = sample_hands(view, 200, seed=1)
    assert len(set(hands)) > 150
    assert hands == sample_hands(view, 200, seed=1)
    assert hands != sample_hands(view, 200, seed=2)


def test_hands_are_better_than_uniform_when_the_pile_is_long() -> None:
    deal = midgame("eaai", 3, 40)
    view = deal.view(deal.to_move)
    assert len(view.pile) > 8
    sampled = statistics.mean(og.deadwood(hand) for hand in sample_hands(view, 500))
    assert sampled < 45  # ten cards at random: 56.6 (research.md)


def error_of_chains(points: list[int]) -> float:
    """The standard error of the mean, from the means of the eight chains that worlds come from."""
    chains = [points[chain::8] for chain in range(8)]
    off = [sum(chain) - len(chain) * statistics.mean(points) for chain in chains]
    return math.sqrt(8 / 7 * sum(o * o for o in off)) / len(points)


@pytest.mark.parametrize("rules", ["standard", "oklahoma-spades"])
def test_a_knock_is_worth_its_settlement_in_each_world(rules: str) -> None:
    view = og.View.from_position(KNOCKING, rules=rules)
    knock = og.Action("knock", "QC")
    search = Search(view, [knock], seed=5)
    search.run(300)
    (found,) = search.estimates()
    results = [
        og.settle(view.hand - "QC", hand, view.rules, view.upcard)
        for hand in sample_hands(view, 300, seed=5)
    ]
    points = [result.points if result.winner == 0 else -result.points for result in results]
    assert found.equity == pytest.approx(statistics.mean(points))
    independent = statistics.stdev(points) / math.sqrt(300)
    assert found.se == pytest.approx(max(independent, error_of_chains(points)))
    assert found.knock == sum(result.kind == "knock" for result in results) / 300
    assert found.lose == sum(result.kind == "undercut" for result in results) / 300


def test_the_lead_is_over_the_first_candidate_in_the_same_worlds() -> None:
    view = og.View.from_position(KNOCKING)
    search = Search(view, [og.Action("discard", "QC"), og.Action("knock", "QC")], seed=1)
    search.run(200)
    first, second = search.estimates()
    assert (first.lead, first.lead_se) == (0, 0)
    assert second.lead == pytest.approx(second.equity - first.equity)
    assert second.lead_se < math.hypot(first.se, second.se)


@pytest.mark.parametrize("seed", range(10))
def test_chances_sum_to_one_and_runs_add_up(seed: int) -> None:
    deal = midgame("oklahoma", seed, 11)
    view = deal.view(deal.to_move)
    whole, parts = (Search(view, view.legal_actions(), seed) for _ in range(2))
    whole.run(60)
    for worlds in (1, 39, 20):
        parts.run(worlds)
    assert whole.estimates() == parts.estimates()
    assert whole.worlds == parts.worlds == 60
    for found in whole.estimates():
        chances = (found.knock, found.gin, found.undercut, found.lose, found.dead)
        assert math.fsum(chances) == pytest.approx(1)


def test_a_world_with_everything_known_is_certain() -> None:
    """After a reshuffle the other hand is known: a knock's value has no error."""
    deal = og.Deal("standard", seed=2)
    while deal.view(0).known != deal.hand(1) or deal.phase != "throw" or deal.to_move != 0:
        legal = [a for a in deal.legal_actions() if a.kind in ("pass", "draw", "discard")]
        deal.apply(max(legal, key=lambda a: (-1 if a.card is None else a.card.points, str(a))))
    view = deal.view(0)
    assert set(sample_hands(view, 20)) == {deal.hand(1)}


def test_bad_candidates() -> None:
    view = og.View.from_position(KNOCKING)
    for wrong in ([], [og.Action("draw")], [og.Action("knock", "AS")]):
        with pytest.raises(og.IllegalActionError, match="candidates"):
            Search(view, wrong)
    with pytest.raises(og.IllegalActionError, match="first world"):
        Search(view, view.legal_actions()).estimates()


class TestLimit:
    def test_rollouts_are_exact(self) -> None:
        view = og.View.from_position(KNOCKING)
        for rollouts in (0, 1, 15, 16, 100):
            search = Search(view, view.legal_actions())
            og.Limit(rollouts=rollouts).run(search)
            assert search.worlds == rollouts

    def test_time_ends_it(self) -> None:
        search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
        start = time.perf_counter()
        og.Limit(time_ms=50).run(search)
        assert 0.05 <= time.perf_counter() - start < 5
        assert search.worlds > 0

    def test_no_time_is_no_world(self) -> None:
        search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
        og.Limit(time_ms=0).run(search)
        assert search.worlds == 0

    def test_another_thread_stops_it(self) -> None:
        stop = threading.Event()
        search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
        threading.Timer(0.05, stop.set).start()
        og.Limit(time_ms=60_000, stop=stop).run(search)
        assert stop.is_set()

    @pytest.mark.parametrize(
        "wrong",
        [
            {},
            {"time_ms": -1},
            {"rollouts": 1.5},
            {"rollouts": True},
            {"time_ms": "5"},
            {"time_ms": math.nan},
            {"time_ms": math.inf},
        ],
    )
    def test_what_is_no_limit(self, wrong: dict[str, object]) -> None:
        with pytest.raises(og.OkginError, match=r"limit|a number from 0"):
            og.Limit(**wrong)  # type: ignore[arg-type]


def test_worlds_only_grow() -> None:
    search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
    with pytest.raises(og.IllegalActionError, match="worlds=-5"):
        search.run(-5)
    assert search.worlds == 0
