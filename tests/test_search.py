"""The search and its worlds: exact where they can be, repeatable, and blind to hidden cards."""

import math
import random
import statistics
import threading
import time
from collections.abc import Callable

import pytest

import okgin_fast as og
from okgin_fast import limit
from okgin_fast.core.belief import sample_hands
from okgin_fast.core.policy import Policy
from okgin_fast.core.search import Search, best_show
from okgin_fast.core.view import exchange

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


# ------------------------------------------------------- what each world was worth, one by one


def worlds_of(
    view: og.View, candidates: list[og.Action], seed: int, n: int, theirs: Policy | None = None
) -> list[list[int]]:
    """For each candidate its points in each of the first n worlds, run one by one."""
    search = Search(view, candidates, seed, theirs=theirs)
    points: list[list[int]] = [[] for _ in candidates]
    for world in range(1, n + 1):
        search.run(1)
        for row, found in zip(points, search.estimates(), strict=True):
            assert found.worlds == world
            row.append(round(found.equity * world) - sum(row))
    return points


def lead_of(one: list[int], two: list[int]) -> tuple[float, float]:
    """How much more the one is worth in the worlds that both have, and the standard error."""
    leads = [a - b for a, b in zip(one, two, strict=False)]
    return statistics.mean(leads), statistics.stdev(leads) / math.sqrt(len(leads))


def trailing(points: list[list[int]], doubt: float) -> set[int]:
    """Who trails the best by more than so many standard errors."""
    best = max(points, key=sum)
    found = set()
    for number, row in enumerate(points):
        lead, error = lead_of(best, row)
        if lead > doubt * error:
            found.add(number)
    return found


POSITIONS = [("oklahoma", 3, 9), ("eaai", 4, 20), ("standard", 6, 31), ("oklahoma-spades", 1, 15)]


def throwing(rules: str, seed: int, actions: int) -> og.View:
    """A view of that deal as soon after so many actions as somebody is to throw."""
    while (deal := midgame(rules, seed, actions)).phase != "throw":
        actions += 1
    return deal.view(deal.to_move)


@pytest.mark.parametrize("position", POSITIONS, ids=str)
class TestNarrow:
    def test_drops_those_that_trail_and_no_others(self, position: tuple[str, int, int]) -> None:
        view = throwing(*position)
        candidates = view.legal_actions()
        points = worlds_of(view, candidates, 7, 48)
        for doubt in (0.0, 1.0, 2.0, 3.0, 10.0):
            search = Search(view, candidates, 7)
            search.run(48)
            search.narrow(doubt)
            dropped = trailing(points, doubt)
            assert search.open == len(candidates) - len(dropped)
            search.run(16)
            for number, found in enumerate(search.estimates()):
                assert found.worlds == (48 if number in dropped else 64)

    def test_leads_are_over_the_worlds_that_both_have_played(
        self, position: tuple[str, int, int]
    ) -> None:
        """Whoever was dropped keeps what was found of it; the first may be among them."""
        view = throwing(*position)
        candidates = view.legal_actions()[::-1]
        points = worlds_of(view, candidates, 8, 96)
        search = Search(view, candidates, 8)
        for _ in range(3):
            search.run(32)
            search.narrow(1.0)
        for row, found in zip(points, search.estimates(), strict=True):
            mine, first = row[: found.worlds], points[0][: search.estimates()[0].worlds]
            lead, error = lead_of(mine, first)
            assert found.equity == pytest.approx(statistics.mean(mine))
            assert found.lead == pytest.approx(lead)
            leads = [a - b for a, b in zip(mine, first, strict=False)]
            assert found.lead_se == pytest.approx(max(error, error_of_chains(leads)))

    def test_best_doubts_whoever_leads_the_first(self, position: tuple[str, int, int]) -> None:
        view = throwing(*position)
        candidates = view.legal_actions()
        points = worlds_of(view, candidates, 9, 40)
        best = max(range(len(points)), key=lambda number: sum(points[number]))
        lead, error = lead_of(points[best], points[0])
        search = Search(view, candidates, 9)
        search.run(40)
        for doubt in (0.0, 0.5, 1.0, 2.0, 4.0, 1e9):
            assert search.best(doubt) == candidates[best if lead > doubt * error else 0]


def test_one_world_is_no_reason_to_change_ones_mind() -> None:
    view = throwing("eaai", 4, 20)
    search = Search(view, view.legal_actions(), 3)
    search.run(1)
    found = search.estimates()
    assert max(estimate.equity for estimate in found) > found[0].equity
    assert search.best() != search.candidates[0]
    assert search.best(0.1) == search.candidates[0]


def test_best_may_be_the_first_only_while_it_is_open() -> None:
    view = throwing("eaai", 4, 20)
    search = Search(view, view.legal_actions(), 3)
    search.run(64)
    search.narrow(0.0)
    assert 0 < search.open < 4
    assert search.best(1e9) == search.best() != search.candidates[0]


@pytest.mark.parametrize("threads", [2, 3, 8, 11])
def test_threads_change_nothing(threads: int) -> None:
    """Uneven runs, with candidates dropped between them."""
    view = throwing("oklahoma", 5, 14)
    one, several = (Search(view, view.legal_actions(), 2) for _ in range(2))
    one.run(50)
    one.narrow(2)
    one.run(71)
    for worlds in (3, 1, 29, 0, 17):
        several.run(worlds, threads)
    several.narrow(2)
    for worlds in (8, 63):
        several.run(worlds, threads)
    assert several.estimates() == one.estimates()
    assert (several.open, several.best(1)) == (one.open, one.best(1))
    assert several.worlds == 121


def test_rollouts_play_by_the_policies() -> None:
    """The same hands played on in Python, the stock in another order: the same but for chance."""
    mine, theirs = Policy(), Policy(pair=0, gap=0, danger_sure=0, knock=[10])
    deal = midgame("oklahoma", 3, 13)
    me, view, rng = deal.to_move, deal.view(deal.to_move), random.Random(1)
    throw = og.Action("discard", og.discards(view.hand, taken=view.taken)[0].card)
    search = Search(view, [throw], 4, inference=False, mine=mine, theirs=theirs)
    search.run(1500)
    (found,) = search.estimates()
    points, kinds = [], []
    for hand in sample_hands(view, 1500, seed=4, inference=False):
        world = with_other_hand(deal, me, hand, rng)
        world.apply(throw)
        while world.to_move is not None:
            policy = mine if world.to_move == me else theirs
            world.apply(policy.act(world.view(world.to_move)))
        result = world.result
        points.append(result.points if result.winner == me else -result.points)
        kinds.append(result.kind if result.winner == me else "lost")
    error = math.hypot(found.se, statistics.stdev(points) / math.sqrt(1500))
    assert found.equity == pytest.approx(statistics.mean(points), abs=3 * error)
    for share, kind in [(found.knock, "knock"), (found.gin, "gin"), (found.undercut, "undercut")]:
        assert share == pytest.approx(kinds.count(kind) / 1500, abs=0.05)


GREEDY = Policy(pair=0, gap=0, danger_sure=0, knock=[10])
THINKER = Policy(knock=[10])


def who_throws_so(deal: og.Deal, hand: og.Hand) -> set[Policy]:
    """Which of the two would have made the other's last throw and be left with that hand."""
    me, before = deal.to_move, deal.clone()
    while before.to_move == me:
        before.undo()
    thrown = deal.actions[len(before.actions)].card
    view = with_other_hand(before, me, hand | [thrown], random.Random(1)).view(1 - me)
    leaves = {card: og.deadwood(view.hand - str(card)) for card in view.hand}
    found = {GREEDY} if leaves[thrown] == min(leaves.values()) else set()
    # Neither is asked whether to knock: the policy throws so as to play on.
    if Policy(knock=[0]).act(view) == og.Action("discard", thrown):
        found.add(THINKER)
    return found


@pytest.mark.parametrize("actions", [14, 15])  # at the draw and at the throw
def test_the_other_plays_on_as_his_throw_gives_him_away(actions: int) -> None:
    seen = set()
    for seed in range(6):
        deal = midgame("oklahoma", seed, actions)
        view = deal.view(deal.to_move)
        candidates = view.legal_actions()[-1:]
        points = {
            theirs: worlds_of(view, candidates, seed, 48, theirs=theirs)[0]
            for theirs in (None, GREEDY, THINKER)
        }
        for number, hand in enumerate(sample_hands(view, 48, seed)):
            if og.deadwood(hand) <= view.limit:
                continue  # he waits for gin
            who = who_throws_so(deal, hand)
            judged = who.pop() if len(who) == 1 else (GREEDY, THINKER)[number // 8 % 2]
            assert points[None][number] == points[judged][number]
            if points[GREEDY][number] != points[THINKER][number]:
                seen.add(judged)
    assert seen == {GREEDY, THINKER}


def with_other_hand(deal: og.Deal, me: int, hand: og.Hand, rng: random.Random) -> og.Deal:
    """The deal with that hand on the other side and the stock shuffled."""
    world = deal.clone()
    for card in hand - deal.hand(1 - me):
        exchange(world, card, next(iter(world.hand(1 - me) - hand)))
    stock = list(world.stock)
    for place, card in enumerate(rng.sample(stock, len(stock))):
        exchange(world, stock[place], card)
        stock[stock.index(card)] = stock[place]
    assert world.hand(1 - me) == hand
    assert world.view(me) == deal.view(me)
    return world


# ------------------------------------------------------------------------ points, or the match

# 6S is thrown in any case. The six points left over can be knocked with, or be played on with.
SIX_LEFT = (
    "rules=eaai hand=AS6S8S9S3C8C9C2D9D8H9H upcard=4H pile=4HQC7HTH5HJH5SQSJSTS known=KS"
    " refused=5SJSQC4H5H7H"
)
KNOCK, PLAY_ON = og.Action("knock", "6S"), og.Action("discard", "6S")


def needing(points: int) -> list[float]:
    """The chance to win if so many points win at once, and to score none is worth a half."""
    return [0.0] * 258 + [0.5] * points + [1.0] * (259 - points)


class TestWorth:
    def test_who_needs_two_points_takes_them_who_needs_more_plays_on(self) -> None:
        view = og.View.from_position(SIX_LEFT)
        by_points = Search(view, [KNOCK, PLAY_ON], 1)
        by_points.run(400)
        assert by_points.best(3) == PLAY_ON
        for candidates in ([KNOCK, PLAY_ON], [PLAY_ON, KNOCK]):
            search = Search(view, candidates, 1, worth=needing(2))
            search.run(400)
            assert search.best(3) == KNOCK
            search = Search(view, candidates, 1, worth=needing(25))
            search.run(400)
            assert search.best(3) == PLAY_ON

    def test_the_chance_is_the_mean_of_the_worlds(self) -> None:
        """A knock is settled exactly in each; so is, with it, what that is worth."""
        view = og.View.from_position(SIX_LEFT)
        rng = random.Random(3)
        worth = sorted(rng.random() for _ in range(517))
        search = Search(view, [KNOCK], 6, worth=worth)
        search.run(200)
        (found,) = search.estimates()
        chances = []
        for hand in sample_hands(view, 200, seed=6):
            result = og.settle(view.hand - "6S", hand, view.rules, view.upcard)
            chances.append(worth[258 + (result.points if result.winner == 0 else -result.points)])
        assert found.worth == pytest.approx(statistics.mean(chances), abs=1e-4)  # whole 1/10,000
        assert found.worth_se == pytest.approx(
            max(statistics.stdev(chances) / math.sqrt(200), error_of_chains(chances)), abs=1e-4
        )
        plain = Search(view, [KNOCK], 6)
        plain.run(200)
        assert plain.estimates()[0]._replace(worth=found.worth, worth_se=found.worth_se) == found

    def test_leads_are_in_chances(self) -> None:
        view = og.View.from_position(SIX_LEFT)
        search = Search(view, [PLAY_ON, KNOCK], 1, worth=needing(2))
        search.run(100)
        first, second = search.estimates()
        assert second.lead == pytest.approx(second.worth - first.worth)
        assert first.equity - second.equity > 1 > second.lead > 0

    @pytest.mark.parametrize(
        ("worth", "message"),
        [
            ([0.5] * 516, "worth of 516 results: must be of -258 to 258"),
            ([0.5] * 518, "worth of 518 results"),
            ([0.5] * 258 + [1.01] + [0.5] * 258, "worth of 0 points 1.01: must be a chance"),
            ([-0.01] + [0.5] * 516, "worth of -258 points -0.01"),
            ([0.5] * 516 + [math.nan], "worth of 258 points nan"),
            ([math.inf] * 517, "points inf"),
        ],
    )
    def test_bad_worth(self, worth: list[float], message: str) -> None:
        view = og.View.from_position(SIX_LEFT)
        with pytest.raises(og.OkginError, match=message):
            Search(view, [KNOCK], worth=worth)


# ------------------------------------------------------------------------------ how it is shown


class TestBestShow:
    """4S4C4H or 3H4H5H: either way ten points are left over, and one card can be laid off."""

    POSITION = "rules=standard hand=3H4H5H4S4C9S9C9DASACKD upcard=KH"
    KNOCK = og.Action("knock", "KD")

    @pytest.mark.parametrize(
        ("seen", "melds"),
        [
            ("pile=KH2H7HQS known=6H", ["4S 4C 4H", "9S 9C 9D"]),
            ("pile=KH2H6HQS known=4D", None),
        ],
    )
    def test_less_is_laid_off(self, seen: str, melds: list[str] | None) -> None:
        """By itself the package shows the run; not if he holds the only card that it takes."""
        view = og.View.from_position(f"{self.POSITION} {seen}")
        shown = best_show(view, self.KNOCK, seed=2)
        assert shown == og.Action("knock", "KD", melds)
        hands, totals = sample_hands(view, 128, seed=2), {}
        for spread in og.spreads(view.hand - "KD", view.limit):
            results = [og.settle(spread, hand, view.rules, view.upcard) for hand in hands]
            totals[spread.melds[-1]] = sum(
                r.points if r.winner == 0 else -r.points for r in results
            )
        assert set(totals) == {og.Hand("9S 9C 9D"), og.Hand("3H 4H 5H")}
        best = max(totals, key=totals.__getitem__)
        assert best == (og.Hand("9S 9C 9D") if melds else og.Hand("3H 4H 5H"))

    def test_the_match_may_want_another(self) -> None:
        """Nothing but a match is won or lost: every spread is worth the same."""
        view = og.View.from_position(f"{self.POSITION} pile=KH2H7HQS known=6H")
        assert best_show(view, self.KNOCK, worth=[0.5] * 517) == self.KNOCK

    def test_anything_else_is_given_back(self) -> None:
        view = og.View.from_position(self.POSITION)
        named = og.Action("knock", "KD", og.spreads(view.hand - "KD", 10)[0].melds)
        for action in [named, *view.legal_actions()]:
            if action.kind != "knock" or action.spread:
                assert best_show(view, action) is action

    def test_bad_input(self) -> None:
        view = og.View.from_position(self.POSITION)
        for hands in (0, -1, 513):
            with pytest.raises(og.OkginError, match=f"hands={hands}: from 1 to 512"):
                best_show(view, self.KNOCK, hands=hands)
        with pytest.raises(og.IllegalActionError, match="knock 3H: legal are"):
            best_show(view, og.Action("knock", "3H"))


# --------------------------------------------------------------------------------- bad input


def test_bad_candidates() -> None:
    view = og.View.from_position(KNOCKING)
    named = og.Action("knock", "QC", og.spreads(view.hand - "QC", 10)[0].melds)
    for wrong in ([], [og.Action("draw")], [og.Action("knock", "AS")], ["knock QC"], [named]):
        with pytest.raises(og.IllegalActionError, match="candidates"):
            Search(view, wrong)
    with pytest.raises(og.IllegalActionError, match="none, for it is not this seat's turn"):
        Search(og.Deal("eaai", seed=1, dealer=0).view(0), [og.Action("draw")])


@pytest.mark.parametrize("ask", [Search.estimates, Search.best], ids=["estimates", "best"])
def test_nothing_is_known_before_the_first_world(ask: Callable[[Search], object]) -> None:
    view = og.View.from_position(KNOCKING)
    search = Search(view, view.legal_actions())
    search.run(0)
    search.narrow(1.0)
    assert search.open == len(view.legal_actions())
    with pytest.raises(og.IllegalActionError, match="first world"):
        ask(search)


@pytest.mark.parametrize("threads", [0, -1, 1.0, True, "2", None])
def test_bad_threads(threads: object) -> None:
    search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
    with pytest.raises(og.OkginError, match=r"threads=.*: a whole number from 1 up"):
        search.run(5, threads)  # type: ignore[arg-type]
    assert search.worlds == 0


@pytest.mark.parametrize("worlds", [-5, 1_000_000_001, 10**30, 1.5, "9", None])
def test_bad_worlds(worlds: object) -> None:
    search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
    search.run(1)
    with pytest.raises(og.IllegalActionError, match=r"worlds=.*: from 0 to a thousand million"):
        search.run(worlds)  # type: ignore[arg-type]
    assert search.worlds == 1


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.0, "x"])
def test_bad_seed(seed: object) -> None:
    view = og.View.from_position(KNOCKING)
    with pytest.raises(og.OkginError, match="seed"):
        Search(view, view.legal_actions(), seed)  # type: ignore[arg-type]


# --------------------------------------------------------------------------------- the limit


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

    @pytest.mark.parametrize("tick", [0.0, 1e-4, 1e9], ids=["slow", "usual", "fast"])
    def test_a_fast_machine_and_a_slow_one_find_the_same(
        self, tick: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With a number of rollouts: in steps of one world, or of as many as may be."""
        view = throwing("eaai", 4, 20)
        expected, found = (Search(view, view.legal_actions(), 3) for _ in range(2))
        for worlds in (64, 64, 64, 58):
            expected.run(worlds)
            if worlds == 64:
                expected.narrow(limit.CLEAR)
        monkeypatch.setattr(limit, "TICK", tick)
        og.Limit(rollouts=250).run(found, narrow=True)
        assert expected.open > 1
        assert (found.worlds, found.open) == (250, expected.open)
        assert found.estimates() == expected.estimates()

    def test_ends_when_one_candidate_is_left(self) -> None:
        view = og.View.from_position("hand=ASAHAD2S2H2D3S3H3D3CKD upcard=7H")
        search = Search(view, [og.Action("discard", "KD"), og.Action("gin", "KD")])
        og.Limit(rollouts=1_000_000).run(search, narrow=True)
        assert (search.open, search.worlds) == (1, 64)
        assert search.best(1e9) == og.Action("gin", "KD")
        again = Search(view, [og.Action("discard", "KD"), og.Action("gin", "KD")])
        og.Limit(rollouts=100).run(again)
        assert (again.open, again.worlds) == (2, 100)

    def test_no_time_with_narrow(self) -> None:
        view = og.View.from_position(KNOCKING)
        search = Search(view, view.legal_actions())
        og.Limit(time_ms=0).run(search, narrow=True)
        assert (search.worlds, search.open) == (0, len(view.legal_actions()))

    def test_stopped_before_it_begins(self) -> None:
        stop = threading.Event()
        stop.set()
        search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
        og.Limit(rollouts=10, stop=stop).run(search, narrow=True)
        assert search.worlds == 0

    def test_the_time_may_have_begun_before(self) -> None:
        search = Search(og.View.from_position(KNOCKING), [og.Action("discard", "QC")])
        og.Limit(time_ms=1_000).run(search, since=time.perf_counter() - 1)
        assert search.worlds == 0
        og.Limit(rollouts=5).run(search, since=time.perf_counter() - 1)
        assert search.worlds == 5
