"""The information boundary: a view shows what its seat may know, all of it and nothing else."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from helpers import cards, case, whole_deal
from playing import EVERY_RULES, finished, play

import okgin_fast as og
from okgin_fast import Action, Deal, Event, View
from okgin_fast.cards import DECK, Card, Hand
from okgin_fast.core.belief import sample_hands
from okgin_fast.core.view import View as CoreView
from okgin_fast.errors import OkginError
from okgin_fast.rules import Rules

every_rules = pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
ALL = frozenset(Hand(DECK))


class Witness:
    """Sits at the table in one seat and writes down what it sees."""

    def __init__(self, rules: Rules, seat: int, dealer: int, upcard: Card) -> None:
        self.rules = rules
        self.seat = seat
        self.mover = 1 - dealer
        self.pile = [upcard]
        self.stock = 31
        self.turn = 0
        self.known: set[Card] = set()
        self.passed: set[Card] = set()  # by the other seat, since the card last came to the pile
        self.events: list[Event] = []

    def see(self, action: Action, hand: Hand) -> None:
        """Note an action; `hand` is what this seat holds after it."""
        other = self.mover != self.seat
        self.events.append(Event(self.mover, action.kind, action.card))
        if action.kind in ("pass", "draw") and other and self.pile:
            self.passed.add(self.pile[-1])
        if action.kind == "pass":
            self.mover = 1 - self.mover
        elif action.kind == "draw":
            self.stock -= 1
        elif action.kind == "take":
            assert self.pile.pop() == action.card
            self.passed.discard(action.card)
            if other:
                self.known.add(action.card)
        elif action.card is not None:
            self.pile.append(action.card)
            self.known.discard(action.card)
        if action.kind == "discard":
            self.turn += 1
            self.mover = 1 - self.mover
            over = self.turn == self.rules.turn_limit
            if self.stock == 0 and self.rules.wall == "reshuffle" and not over:
                self.shuffle(hand)

    def shuffle(self, hand: Hand) -> None:
        """See the pile become the stock: whatever lay neither there nor here is the other's."""
        self.known = set(ALL - set(self.pile) - set(hand))
        self.stock = len(self.pile) - 1
        self.pile = self.pile[-1:]
        self.passed.clear()
        self.events.append(Event(None, "reshuffle", None))

    def check(self, view: View, hand: Hand) -> None:
        """The view says what was written down."""
        assert view.hand == hand
        assert list(view.pile) == self.pile
        assert view.stock == self.stock
        assert view.turn == self.turn
        assert set(view.known) == self.known
        assert set(view.unseen) == ALL - set(hand) - set(self.pile) - self.known
        assert set(view.refused) == self.passed & set(self.pile)
        assert view.events == tuple(self.events)


@every_rules
def test_a_view_is_what_a_witness_has_seen(rules: Rules) -> None:
    for seed in range(6):
        deal = Deal(rules, seed=seed, dealer=seed % 2)
        witnesses = [Witness(rules, seat, deal.dealer, deal.upcard) for seat in (0, 1)]
        for point in play(deal, seed):
            for seat, witness in enumerate(witnesses):
                if point.actions:
                    witness.see(point.actions[-1], point.hand(seat))
                view = point.view(seat, score=(3, 4))
                witness.check(view, point.hand(seat))
                assert (view.seat, view.score, view.rules) == (seat, (3, 4), rules)
                assert (view.dealer, view.to_move, view.phase) == (
                    (point.dealer, point.to_move, point.phase)
                )
                assert (view.upcard, view.limit) == (point.upcard, point.limit)
                assert (view.taken, view.result) == (point.taken, point.result)
                assert view.actions == point.actions
                legal = point.legal_actions() if seat == point.to_move else []
                assert view.legal_actions() == legal


def hidden_from(deal: Deal, seat: int) -> list[Card]:
    """Return the cards that a seat cannot place: in the other hand or anywhere in the stock."""
    return list((deal.hand(1 - seat) - deal.view(seat).known) | deal.stock)


def resampled(deal: Deal, seat: int, rng: random.Random) -> Deal:
    """Return another deal that this seat cannot tell from this one: no new stock was made yet."""
    hidden = hidden_from(deal, seat)
    other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    dealt = [other.get(card, card) for card in deal.cards]
    hands = (dealt[:10], dealt[10:20])
    result = Deal.from_cards(
        deal.rules, hands, dealt[20], dealt[21:], deal.dealer, rng.getrandbits(64)
    )
    for action in deal.actions:
        result.apply(action)
    return result


def reshuffled(deal: Deal) -> bool:
    return any(event.kind == "reshuffle" for event in deal.history)


def assert_same(one: View, two: View) -> None:
    """No attribute, number or text tells two views apart."""
    assert one == two
    assert hash(one) == hash(two)
    assert one.digest() == two.digest()
    assert repr(one) == repr(two)
    assert one.legal_actions() == two.legal_actions()
    if one.phase != "over":
        assert one.position() == two.position()


def assert_secret(one: View, two: View) -> None:
    """Not even a byte tells the views of two deals apart."""
    assert_same(one, two)
    assert pickle.dumps(one) == pickle.dumps(two)
    if one.to_move == one.seat:
        assert sample_hands(one, 2, seed=5) == sample_hands(two, 2, seed=5)
        assert one.belief(hands=2, seed=5) == two.belief(hands=2, seed=5)


@every_rules
def test_other_hidden_cards_give_the_same_view(rules: Rules) -> None:
    rng = random.Random(1)
    compared = 0
    for seed in range(12):
        for deal in play(Deal(rules, seed=seed, dealer=seed % 2), seed):
            shown = deal.result is not None and deal.result.kind != "dead"
            if shown or reshuffled(deal) or rng.random() < 0.8:
                continue
            for seat in (0, 1):
                other = resampled(deal, seat, rng)
                assert deal.hand(seat) == other.hand(seat)
                assert_secret(deal.view(seat), other.view(seat))
                compared += deal != other
    assert compared > 50


@pytest.mark.parametrize("name", ["standard", "straight", "big gin with reshuffle"])
def test_another_new_stock_gives_the_same_view_until_it_is_seen(name: str) -> None:
    rules = EVERY_RULES[name]
    compared = 0
    for seed in range(60):
        deal = Deal(rules, seed=seed, dealer=seed % 2)
        for point in play(deal, seed):
            if point.phase == "over" or not reshuffled(point):
                continue
            # The seed matters for new stocks only, the cards being given.
            dealt = point.cards
            hands = (dealt[:10], dealt[10:20])
            other = Deal.from_cards(rules, hands, dealt[20], dealt[21:], point.dealer, seed + 1000)
            try:
                for action in point.actions:
                    other.apply(action)
            except OkginError:
                break  # he threw a card that the other new stock has elsewhere
            for seat in (0, 1):
                if point.hand(seat) == other.hand(seat):
                    assert_secret(point.view(seat), other.view(seat))
                    compared += point != other
    assert compared > 20


def cards_in(value: Any) -> Iterator[Card]:
    """Find every card in a value, however deep."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, Action):
        yield from cards_in([value.card, value.spread])
    elif isinstance(value, Mapping):
        yield from cards_in([*value, *value.values()])
    elif isinstance(value, (tuple, list, Hand)):
        for one in value:
            yield from cards_in(one)
    else:
        # Whatever else there is holds no cards; an object of another class would.
        assert value is None or isinstance(value, (int, str, Rules, type)), value


def shown_by(view: View) -> dict[str, Any]:
    """Return everything that can be got out of a view: attributes, results of calls, its pickle."""
    shown: dict[str, Any] = {"pickle": view.__reduce__()[1]}
    for name in dir(view):
        value = getattr(view, name)
        if not name.startswith("_") and not (name == "position" and view.phase == "over"):
            shown[name] = value() if name in ("legal_actions", "digest", "position") else value
    del shown["of"], shown["from_position"]  # these make views
    del shown["belief"]  # chances for every card, made of what is shown (`assert_secret`)
    return shown


def public_cards(deal: Deal) -> set[Card]:
    return (
        set(deal.pile)
        | {deal.upcard}
        | {event.card for event in deal.history if event.card is not None}
    )


@every_rules
def test_no_hidden_card_is_in_a_view(rules: Rules) -> None:
    """Case R073: no card of the other hand and no stock card but those seen on the pile."""
    assert "no card of the other hand and no stock card" in case("R073")["expected"]["then"]
    rng = random.Random(2)
    for seed in range(5):
        for deal in play(Deal(rules, seed=seed, dealer=seed % 2), seed):
            if rng.random() < 0.85 and deal.phase != "over":
                continue
            for seat in (0, 1):
                view = deal.view(seat)
                shown = shown_by(view)
                assert shown.pop("unseen") == view.unseen  # it doesn't say which of them are where
                if deal.result and deal.result.knocker is not None:
                    continue  # the hands lie on the table
                allowed = set(view.hand) | public_cards(deal) | set(view.known)
                assert set(cards_in(list(shown.values()))) <= allowed
                assert set(view.known) <= set(deal.hand(1 - seat))
                if not reshuffled(deal):
                    assert set(view.known) <= public_cards(deal)
                assert cards(str(view.hand)) == set(view.hand)
                assert repr(view) == (
                    f"<View seat {seat}, {view.phase}, hand {view.hand}, upcard {view.upcard}, "
                    f"{view.stock} in the stock>"
                )


def test_a_knock_is_settled_before_anybody_sees_it() -> None:
    """Case R034: the knocker never sees unlaid cards of a defender who has yet to lay off."""
    assert "the defender's unlaid cards are hidden" in case("R034")["expected"]["then"]
    settled = 0
    for seed in range(40):
        deal = finished(Rules.preset("eaai"), seed)
        result = deal.result
        assert result is not None
        if result.knocker is None:
            continue
        settled += 1
        after = deal.view(result.knocker)
        assert after.phase == "over"
        assert (after.to_move, after.legal_actions()) == (None, [])
        assert after.result == result  # deadwoods counted, lay-offs made: all is on the table
        deal.undo()
        before = deal.view(result.knocker)
        assert before.result is None
        assert_secret(
            before, resampled(deal, result.knocker, random.Random(seed)).view(before.seat)
        )
    assert settled > 10


def test_a_dead_deal_shows_no_hands() -> None:
    for seed in range(15):
        deal = finished(EVERY_RULES["six turns"], seed)
        if deal.result is not None and deal.result.kind == "dead":
            assert deal.result[1:] == (None, 0, None, None, None, None, None)
            for seat in (0, 1):
                assert_secret(
                    deal.view(seat), resampled(deal, seat, random.Random(seed)).view(seat)
                )


# --- what is known, by hand ----------------------------------------------------------------

HAND0 = "AS 3S 5S 7S 9S JS KS 2C 4C 6C"
HAND1 = "8C TC QC AD 3D 5D 7D 9D JD KD"


def dealt(rules: str, first: str = "") -> Deal:
    """Return a deal in which seat 0 deals, seat 1 begins and the upcard is 7H."""
    return Deal.from_cards(rules, **whole_deal(HAND0, HAND1, "7H", first))


def test_a_card_taken_is_known_until_it_is_thrown() -> None:
    deal = dealt("eaai", "2S 4S")
    deal.apply("take 7H")
    deal.apply("discard KD")
    assert deal.view(0).known == Hand("7H")
    assert deal.view(1).known == Hand()  # seat 0 has taken nothing
    deal.apply("draw")
    deal.apply("discard 2S")
    assert deal.view(1).refused == Hand("KD")
    assert deal.view(0).refused == Hand()
    deal.apply("draw")
    assert deal.view(0).refused == Hand("2S")
    deal.apply("discard 7H")
    assert deal.view(0).known == Hand()
    assert deal.view(0).pile == (Card("KD"), Card("2S"), Card("7H"))


def test_what_a_seat_drew_is_its_own() -> None:
    deal = dealt("eaai", "2S 4S")
    for action in ("pass", "pass", "draw"):
        deal.apply(action)
    assert "2S" in deal.view(1).hand
    assert "2S" in deal.view(0).unseen
    assert deal.view(0).events[-1] == Event(1, "draw", None)


def test_after_a_reshuffle_the_other_hand_is_known() -> None:
    deal = dealt("standard")
    deal.apply("pass")
    deal.apply("pass")
    stock = deal.stock
    for card in stock:  # everybody throws what he draws
        deal.apply("draw")
        deal.apply(f"discard {card}")
    assert deal.pile == stock[-1:]
    for seat, other in ((0, HAND1), (1, HAND0)):
        view = deal.view(seat)
        assert view.stock == 31
        assert view.known == Hand(other)
        assert view.unseen == Hand([*stock[:-1], "7H"])
    # The 32nd draw is seat 0's: from then on seat 1 knows nine or ten of its cards.
    deal.apply("draw")
    drawn = deal.hand(0) - Hand(HAND0)
    assert deal.view(1).known == Hand(HAND0)
    assert drawn <= deal.view(1).unseen
    deal.apply("discard AS")
    assert deal.view(1).known == Hand(HAND0) - "AS"


# --- the class -----------------------------------------------------------------------------


def test_a_view_cannot_be_changed() -> None:
    view = dealt("eaai").view(1)
    names = [name for name in dir(view) if not name.startswith("_")]
    for name in [*names, "anything"]:
        with pytest.raises(AttributeError):
            setattr(view, name, None)
        with pytest.raises(AttributeError):
            delattr(view, name)


def test_a_view_stays_as_it_was_when_the_deal_goes_on() -> None:
    deal = dealt("eaai")
    view, position = deal.view(1), deal.view(1).position()
    deal.apply("take 7H")
    assert view.position() == position
    assert view.legal_actions() == [Action("take", "7H"), Action("pass")]
    deal.undo()
    assert deal.view(1) == view


def test_views_are_equal_by_what_they_show() -> None:
    view = dealt("eaai").view(1)
    assert view == dealt("eaai").view(1)
    assert len({view, dealt("eaai").view(1)}) == 1
    assert view != dealt("eaai").view(0)
    assert view != dealt("modern").view(1)
    assert view != dealt("eaai").view(1, score=(0, 0))
    assert view != view.position()
    assert view == CoreView.of(dealt("eaai"), 1)


@every_rules
def test_views_can_be_pickled_and_copied(rules: Rules) -> None:
    rng = random.Random(3)
    for seed in range(10):
        for deal in play(Deal(rules, seed=seed), seed):
            if rng.random() < 0.9 and deal.phase != "over":
                continue
            view = deal.view(seed % 2, score=(seed, 7))
            for again in (pickle.loads(pickle.dumps(view)), copy.copy(view), copy.deepcopy(view)):
                assert type(again) is View
                assert_same(again, view)
                assert again.events == view.events


@pytest.mark.parametrize("seat", [2, -1, True, None, "0"])
def test_there_are_two_seats(seat: Any) -> None:
    with pytest.raises(OkginError, match="a seat is 0 or 1"):
        dealt("eaai").view(seat)


@pytest.mark.parametrize("score", [(1,), (1, 2, 3), (-1, 0), (True, 0), (1.0, 2), "12"])
def test_a_score_is_two_numbers(score: Any) -> None:
    with pytest.raises(OkginError, match="two whole numbers from 0 up"):
        dealt("eaai").view(0, score)


# --- views that are none ---------------------------------------------------------------------


def test_a_view_is_not_made_from_nothing() -> None:
    with pytest.raises(og.PositionError, match="made by"):
        og.View()
    blank = og.View.__new__(og.View)
    for use in (
        lambda: og.advise(blank, og.Limit(rollouts=1)),
        lambda: og.agent("expert").act(blank),
        lambda: sample_hands(blank, 1),
    ):
        with pytest.raises(og.OkginError):
            use()
    for use in (lambda: og.View.of(None, 0), lambda: sample_hands(None, 1)):  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            use()


@pytest.mark.parametrize(
    "change",
    [
        {"hand": og.Hand(range(30)), "pile": (), "stock": 12},
        {"hand": og.Hand("AS 2S")},
        {"known": og.Hand(range(52))},
        {"pile": tuple(og.Hand("5S 8S")), "stock": 30},  # both in the hand
        {"pile": (og.Card("KD"), og.Card("KD")), "stock": 30},
        {"stock": 3},
        {"stock": 0},
        {"phase": "throw"},
        {"taken": og.Card("AS")},
        {"seat": 7},
    ],
)
def test_parts_that_do_not_fit_together(change: dict[str, object]) -> None:
    parts = og.Deal("oklahoma", seed=1).view(1)._parts() | change
    with pytest.raises(og.PositionError):
        og.View._of_parts(**parts)
