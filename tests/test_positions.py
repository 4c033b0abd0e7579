"""Positions: everything that a person may type, and every way in which it may be wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import EVERY_RULES, play

from okgin_fast import Action, Deal, OkginError, PositionError, Rules, View
from okgin_fast.cards import DECK, Card, Hand, parse_cards

every_rules = pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)

TEN = "AS 2S 3S 7H 7D 7C KD QD 9C 4H"
PLAIN = f"hand={TEN} upcard=6D"


def read(words: str, **more: Any) -> View:
    return View.from_position(words, **more)


def legal(view: View) -> list[str]:
    return [str(action) for action in view.legal_actions()]


# --- what may be typed ---------------------------------------------------------------------


def test_hand_and_upcard_are_enough() -> None:
    view = read(PLAIN)
    assert (view.seat, view.to_move, view.dealer, view.phase) == (0, 0, 1, "upcard")
    assert view.rules == Rules()
    assert (view.hand, view.upcard, view.limit) == (Hand(TEN), Card("6D"), 6)
    assert (view.pile, view.stock, view.taken, view.turn) == ((Card("6D"),), 31, None, 0)
    assert (view.known, view.refused, view.unseen) == (Hand(), Hand(), Hand(DECK) - TEN - "6D")
    assert (view.score, view.actions, view.events, view.result) == (None, (), (), None)
    assert legal(view) == ["take 6D", "pass"]


@pytest.mark.parametrize(
    "text",
    [
        "hand=AS2S3S7H7D7CKDQD9C4H upcard=6D",
        "hand=as,2s,3s,7h,7d,7c,kd,qd,9c,4h upcard=d6",
        "  upcard = 6♦  hand = A♠ 2♠ 3♠ [7♥ 7♦ 7♣] K♦ Q♦ 9♣ 4♥ ",
        "HAND=4H 9C QD KD 7C 7D 7H 3S 2S AS\nUpcard=6D\n",
        f"dealer=Opponent hand={TEN} upcard=6D",
        f"rules=OKLAHOMA hand={TEN} upcard=6D pile=6D stock=31 known= refused= seat=0",
    ],
)
def test_spelling_does_not_matter(text: str) -> None:
    assert read(text) == read(PLAIN)


def test_values_may_be_given_by_key() -> None:
    expected = read(f"{PLAIN} rules=eaai gin_bonus=30 score=5-10 pile=6D KS stock=30 known=8S")
    values = {
        "hand": Hand(TEN),
        "upcard": Card("6D"),
        "rules": Rules.preset("eaai", gin_bonus=30),
        "score": (5, 10),
        "pile": [Card("6D"), "KS"],
        "stock": 30,
        "known": ["8S"],
        "taken": None,
    }
    assert View.from_position(values) == expected
    assert View.from_position(**values) == expected
    del values["pile"], values["rules"]
    assert read("rules=eaai pile=6D KS", **values, gin_bonus=30) == expected
    assert View.from_position({**values, "pile": "6DKS", "rules": "eaai", "gin_bonus": "30"}) == (
        expected
    )


def test_the_rules_and_their_fields() -> None:
    view = read(f"rules=oklahoma-spades gin_bonus=20 big_gin=yes knock=7 {PLAIN}")
    assert view.rules == Rules.preset("oklahoma-spades", gin_bonus=20, big_gin=True, knock=7)
    assert view.limit == 7


@pytest.mark.parametrize(
    ("words", "phase", "moves", "refused"),
    [
        # I am first and have not been asked.
        ("dealer=opponent", "upcard", ["take 6D", "pass"], ""),
        # I dealt, so the opponent has passed.
        ("dealer=me", "upcard", ["take 6D", "pass"], "6D"),
        ("dealer=me refused=6D", "upcard", ["take 6D", "pass"], "6D"),
        # Both have passed.
        ("dealer=opponent refused=6D", "draw", ["draw"], "6D"),
        # The opponent took the upcard and threw KS.
        ("pile=KS known=6D", "draw", ["draw", "take KS"], ""),
        # Both passed, the opponent drew and threw KS.
        ("dealer=me pile=6D,KS refused=6D", "draw", ["draw", "take KS"], "6D"),
        # I took the upcard earlier, it is in my hand; the last throw was KS.
        ("upcard=AS pile=KS", "draw", ["draw", "take KS"], ""),
    ],
)
def test_ten_cards_are_before_the_draw(
    words: str, phase: str, moves: list[str], refused: str
) -> None:
    view = read(words if "upcard" in words else f"upcard=6D {words}", hand=TEN)
    assert (view.phase, view.to_move, legal(view)) == (phase, 0, moves)
    assert view.refused == Hand(refused)


@pytest.mark.parametrize(
    ("words", "pile", "stock", "throws"),
    [
        ("upcard=6D taken=6D", "", 31, 10),  # just taken: any card but this
        ("upcard=6D taken=6D may_discard_taken=yes", "", 31, 11),
        ("upcard=8D", "8D", 30, 11),  # drawn from the stock
        ("upcard=8D pile=8D,KS taken=6D", "8D KS", 29, 10),
        ("upcard=8D known=8D pile= taken=6D", "", 31, 10),  # the opponent's first throw
    ],
)
def test_eleven_cards_are_after_it(words: str, pile: str, stock: int, throws: int) -> None:
    view = read(f"hand={TEN} 6D {words} rules=eaai")
    assert view.phase == "throw"
    assert view.taken == (Card("6D") if "taken=6D" in words else None)
    assert view.pile == tuple(parse_cards(pile))
    assert view.stock == stock
    # KD thrown leaves QD 9C 6D 4H, far more than 10: there is no knock.
    assert len(legal(view)) == throws


def test_what_the_opponent_holds_and_refused() -> None:
    view = read(f"{PLAIN} pile=6D JS 5H known=8S8H refused=JS")
    assert (view.known, view.refused, view.stock) == (Hand("8S 8H"), Hand("JS"), 29)
    assert view.unseen == Hand(DECK) - TEN - "6D JS 5H" - "8S 8H"
    # Two throws lie on the upcard and two cards were taken, each with a throw.
    assert view.turn == 4


def test_after_a_reshuffle_the_upcard_may_be_in_the_stock() -> None:
    opponent = "AH 2H 3H 5H 6H 8H 9H TH JH QH"
    view = read(f"rules=standard hand={TEN} upcard=6D pile=KH known={opponent}")
    assert (view.phase, view.stock, view.known) == ("draw", 31, Hand(opponent))
    assert "6D" in view.unseen
    assert len(view.unseen) == view.stock
    assert read(view.position()) == view


def test_scores_are_below_the_target() -> None:
    assert read(f"{PLAIN} score=40-65").score == (40, 65)
    assert read(f"{PLAIN} score=0:99").score == (0, 99)
    assert read(f"{PLAIN} score=149-0 target=150").score == (149, 0)
    assert read(f"{PLAIN} score=500-0 rules=open-spiel").score == (500, 0)


# --- with the history ----------------------------------------------------------------------


def test_events_tell_everything_that_is_public() -> None:
    # I pass, the opponent takes 6D and throws KS; I draw and throw JS; he takes it and throws 2D.
    view = read(f"{PLAIN} events=-,pKS,sJS,p2D")
    assert (view.phase, view.to_move, view.turn) == ("draw", 0, 3)
    assert view.pile == (Card("KS"), Card("2D"))
    assert (view.known, view.refused, view.stock) == (Hand("6D JS"), Hand(), 30)
    assert [tuple(event) for event in view.events] == [
        (0, "pass", None),
        (1, "take", Card("6D")),
        (1, "discard", Card("KS")),
        (0, "draw", None),
        (0, "discard", Card("JS")),
        (1, "take", Card("JS")),
        (1, "discard", Card("2D")),
    ]
    assert view.actions[0] == Action("pass")
    assert view == read(f"{PLAIN} pile=KS2D known=6DJS stock=30 refused= events=- PKS sjs, p2d")


@pytest.mark.parametrize("upcard", [Card(card) for card in range(52)], ids=str)
def test_a_history_may_begin_with_any_upcard(upcard: Card) -> None:
    others = [card for card in Hand(DECK) if card != upcard]
    view = read("events=-,-", hand=others[:10], upcard=upcard)
    assert (view.upcard, view.pile, view.hand) == (upcard, (upcard,), Hand(others[:10]))
    assert (legal(view), view.refused) == (["draw"], Hand([upcard]))


def test_half_a_turn() -> None:
    view = read(f"hand={TEN} 6D upcard=6D dealer=me events=-,p")
    assert (view.phase, view.taken, view.to_move) == ("throw", Card("6D"), 0)
    other = read(f"hand={TEN} upcard=6D dealer=me events=p")
    assert (other.phase, other.to_move, other.known) == ("throw", 1, Hand("6D"))
    assert other.legal_actions() == []


def test_no_events_are_a_history_too() -> None:
    view = read(f"{PLAIN} dealer=me events=")
    assert (view.to_move, view.phase) == (1, "upcard")
    assert view != read(f"{PLAIN} dealer=me")  # there the opponent has passed
    assert "events=" in view.position()


def test_the_seat_can_be_named() -> None:
    view = read(f"{PLAIN} seat=1 events=-,pKS score=3-4")
    assert (view.seat, view.dealer, view.to_move, view.known) == (1, 0, 1, Hand("6D"))
    assert "seat=1" in view.position()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("events=x", "events: turn 1 'x': this is no turn; allowed: -, sKD"),
        ("events=sKS", "turn 1 'sKS': 'draw' is not possible: the upcard comes first"),
        ("events=-,-,pKS", "turn 3 'pKS': 'take 6D' is not possible: both refused"),
        ("events=-,-,-", "turn 3 '-': 'pass' is not possible"),
        ("events=-,-,s,-", "turn 4 '-': 'pass' is not possible: a card was drawn already"),
        ("events=-,p6D", "turn 2 'p6D': 'discard 6D' is not possible: 6D was just taken"),
        ("events=-,pKX", "turn 2 'pKX': 'KX' .* is not a card"),
        ("events=-,p", ""),
        ("events=-,-,s", "the hand has 10 cards: by the events it has 11"),
        ("events=-,pKS!", "turn 2 'pKS!': that ends the deal"),
        ("events=-,p!!", "turn 2 'p!!': that ends the deal"),
        # Cards that cannot be where they must be: mine thrown, his thrown, the same twice.
        ("events=-,-,sKD", "seat 0 cannot hold KD: by the events it is in the pile"),
        ("events=-,pKD", "seat 0 cannot hold KD: by the events it is in the pile"),
        (
            "events=-,pKS,sKS",
            "turn 3 'sKS': seat 0 cannot hold KS: by the events it is in",
        ),
        ("events=-,pKS,sJS,sJS", "turn 4 'sJS': seat 1 cannot hold JS"),
        ("events=-,pKS,s6D", "turn 3 's6D': seat 0 cannot hold 6D: by the events it is somewhere"),
        ("events=pKS", "6D was taken and not thrown, but is not in the hand"),
        ("turn_limit=2 events=-,pKS,sJS", "the deal is dead"),
        ("wall_size=30 events=-,-,sJS", "the deal is dead"),
        # Words that say something else.
        ("events=-,pKS pile=6D", "pile '6D': after these events it is KS"),
        ("events=-,pKS known=8S", "known '8S': after these events it is 6D"),
        ("events=-,pKS stock=30", "stock '30': after these events it is 31"),
        ("events=-,pKS taken=6D", "taken '6D': after these events it is None"),
        ("events=-,-,sJS,sQH refused=QH", "refused 'QH': after these events it is JS 6D"),
        ("events=-,pKS dealer=me", "6D was taken and not thrown, but is not in the hand"),
    ],
)
def test_wrong_events(words: str, message: str) -> None:
    if not message:
        assert read(f"{PLAIN} {words}").to_move == 1
        return
    with pytest.raises(PositionError, match=message) as refused:
        read(f"{PLAIN} {words}")
    assert "\n" not in str(refused.value)


# --- what is wrong -------------------------------------------------------------------------

HIGH = "8S 9S TS JS QS KS 8C TC JC QC KC 8D 9D TD JD 8H 9H TH JH QH KH 2H 3H 5H 6H 2C 3C 4C 5C"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "hand= is missing: .*; upcard= is missing"),
        ("AS 2S", "'AS 2S': a position is made of key=value words"),
        (f"{PLAIN} hnad=AS", "no word 'hnad': did you mean hand"),
        (
            f"{PLAIN} jokers=2",
            "no word 'jokers': allowed: rules, hand, .*field of the rules",
        ),
        (f"{PLAIN} upcard=7S", "upcard= is given twice"),
        (f"{PLAIN} name=eaai", "no word 'name'"),
        (f"{PLAIN} rules=oklahomo", "no preset 'oklahomo' .did you mean oklahoma"),
        (f"{PLAIN} rules=straight knock=upcard", "straight gin .* and Oklahoma"),
        (f"{PLAIN} target=0", "target 0"),
        (f"{PLAIN} gin_bonus=lots", "gin_bonus 'lots'"),
        (f"{PLAIN} score=-1-0", "score: '-1-0' must be two whole numbers from 0 up"),
        (f"{PLAIN} score=40", "score: '40' must be two whole numbers"),
        (f"{PLAIN} score=1.5-2", "must be two whole numbers"),
        (f"{PLAIN} score=100-0", "score 100-0: must be below the target 100"),
        (f"{PLAIN} score=0-100", "score 0-100: must be below the target 100"),
        (f"{PLAIN} dealer=you", "dealer: 'you' must be opponent or me"),
        (f"{PLAIN} seat=2", "seat: '2' must be 0 or 1"),
        (f"{PLAIN} stock=many", "stock: 'many' must be a whole number from 0 up"),
        ("upcard=6D hand=", "hand has 0 cards: 10 before the draw, 11 after it"),
        ("upcard=6D hand=AS 2S 3S 7H 7D 7C KD QD 9C", "hand has 9 cards: 10 before the draw"),
        (f"upcard=6D hand={TEN} KS JS", "hand has 12 cards: 10 before the draw"),
        ("upcard=6D hand=AS AS", "hand: duplicate card AS .cards 1 and 2."),
        ("upcard=6D hand=AS 7X", r"hand: '7X' \(card 2, character 4\) is not a card"),
        (f"hand={TEN} upcard=6D7D", "upcard: '6D7D' is 2 cards"),
        (f"hand={TEN} upcard=7H", "7H is in the hand and in the pile as the upcard"),
        (f"{PLAIN} pile=6D 7H", "7H is in the hand and in the pile$"),
        (f"{PLAIN} pile=6D KS KS", "pile: duplicate card KS"),
        (f"{PLAIN} known=7H", "7H is in the hand and known to be with the opponent"),
        (f"{PLAIN} pile=6D KS known=KS", "KS is in the pile and known to be with the opponent"),
        (f"{PLAIN} known=6D", "6D is in the pile as the upcard and known to be with the opponent"),
        (f"{PLAIN} pile=KS", "upcard 6D is neither in the pile nor in the hand nor known"),
        (f"{PLAIN} taken=6D", "taken 6D is not in the hand"),
        (f"{PLAIN} taken=7H", "taken 7H, but the hand has 10 cards"),
        (f"{PLAIN} refused=KS", "refused 'KS' is not in the pile"),
        (f"{PLAIN} known=8S9STSJSQSKS8CTCJCQCKC", "known has 11 cards: the opponent holds 10"),
        (f"{PLAIN} stock=30", "stock 30: must be 31, 52 less 10 in the hand, 1 in the pile"),
        (f"{PLAIN} pile=6D KS stock=31", "stock 31: must be 30"),
        (f"{PLAIN} known=6D pile=", "pile is empty: before a draw it has a card"),
        (f"hand={TEN} 6D upcard=6D pile=", "pile is empty: then the top was taken, say taken="),
        (f"{PLAIN} pile=6D {HIGH}", "pile has 30 cards, which leaves 2 in the stock"),
        (f"{PLAIN} turn_limit=3 pile=6D KS known=8S8C8D", "4 turns at least were played: .* is 3"),
        (f"hand={TEN} JS upcard=6D dealer=me", "dealer=me: with nothing thrown yet"),
    ],
)
def test_what_is_wrong_is_said(words: str, message: str) -> None:
    with pytest.raises(PositionError, match=message) as refused:
        read(words)
    assert "\n" not in str(refused.value)


def test_every_fault_is_listed() -> None:
    with pytest.raises(PositionError) as refused:
        read(
            "hnad=AS gin_bonus=-1 score=5 dealer=he hand=AS 2S 3S upcard=AS known=2S refused=9D "
            "pile=3S taken=KD stock=one"
        )
    for fault in (
        "no word 'hnad'",
        "gin_bonus -1",
        "score: '5'",
        "dealer: 'he'",
        "stock: 'one'",
        "hand has 3 cards",
        "3S is in the hand and in the pile",
        "2S is in the hand and known to be with the opponent",
        "taken KD is not in the hand",
        "refused '9D' is not in the pile",
    ):
        assert fault in str(refused.value)


def test_the_last_turn_draws_from_three_cards() -> None:
    assert read(f"{PLAIN} pile=6D {HIGH.removesuffix(' 5C')}").stock == 3
    drawn = read(f"hand={TEN} KH upcard=6D pile=6D {HIGH.replace('KH ', '')}")
    assert (drawn.stock, drawn.phase) == (2, "throw")
    assert read(f"{PLAIN} pile=6D {HIGH} wall_size=1").stock == 2


@pytest.mark.parametrize("value", [7, None, b"hand=AS", ["hand=AS"]])
def test_a_position_is_text_or_a_mapping(value: Any) -> None:
    with pytest.raises(PositionError, match="is no position: give text or a mapping"):
        View.from_position(value)


@pytest.mark.parametrize(
    "words",
    [
        {"hand": 1 << 60},
        {"hand": 3.5},
        {"hand": b"AS"},
        {"upcard": True},
        {"pile": {"a": 1}},
        {"pile": ["AS", "AS"]},
        {"stock": -1},
        {"stock": True},
        {"stock": 10**30},
        {"score": 5},
        {"score": (1, 2, 3)},
        {"score": (-1, 2)},
        {"rules": 7},
        {"gin_bonus": 2.5},
        {"events": 7},
        {"events": [7]},
        {"dealer": 0},
        {7: "AS"},
    ],
)
def test_values_of_other_types_are_refused(words: dict[Any, Any]) -> None:
    with pytest.raises(PositionError) as refused:
        View.from_position({"hand": TEN, "upcard": "6D", **words})
    assert "\n" not in str(refused.value)


# --- there and back ------------------------------------------------------------------------


def test_a_typed_position_is_written_in_full() -> None:
    view = read(f"{PLAIN} rules=eaai gin_bonus=20 pile=6D JS 5H known=8S refused=JS score=4-5")
    assert view.position() == (
        "rules=eaai gin_bonus=20 hand=AS2S3S7C9C7DQDKD4H7H upcard=6D dealer=opponent score=4-5 "
        "pile=6DJS5H stock=29 known=8S refused=JS"
    )
    assert read(view.position()) == view


def test_a_finished_deal_is_no_position() -> None:
    deal = Deal("eaai", seed=1)
    while deal.to_move is not None:
        deal.apply(deal.legal_actions()[0])
    with pytest.raises(PositionError, match="the deal is over"):
        deal.view(0).position()


@every_rules
def test_every_view_of_a_deal_can_be_written_and_read_back(rules: Rules) -> None:
    for seed in range(8):
        rng = random.Random(seed)
        for deal in play(Deal(rules, seed=seed, dealer=seed % 2), seed):
            if deal.phase == "over" or rng.random() < 0.93:
                continue
            for seat in (0, 1):
                view = deal.view(seat, rng.choice([None, (0, 0), (99, 7)]))
                again = read(view.position())
                assert again == view
                assert hash(again) == hash(view)
                assert again.rules.name == view.rules.name
                assert again.position() == view.position()


@every_rules
def test_what_lies_on_the_table_is_enough(rules: Rules) -> None:
    """Without the history the words make the same view, but for what only the history tells."""
    for seed in range(10):
        rng = random.Random(seed)
        for deal in play(Deal(rules, seed=seed, dealer=seed % 2), seed):
            if deal.to_move is None or rng.random() < 0.7:
                continue
            view = deal.view(deal.to_move)
            thrown_back = len(view.pile) == 1 and view.turn and view.pile[0] == view.upcard
            if thrown_back and not view.known:
                continue  # the upcard, taken and thrown back at once, looks as if it never moved
            typed = View.from_position(
                rules=rules,
                hand=view.hand,
                upcard=view.upcard,
                pile=view.pile,
                taken=view.taken,
                known=view.known,
                refused=view.refused,
                stock=view.stock,
                dealer="me" if view.dealer == view.seat else "opponent",
                seat=view.seat,
            )
            assert read(typed.position()) == typed
            assert typed.legal_actions() == view.legal_actions()
            assert typed.turn <= view.turn
            for name in ("phase", "to_move", "dealer", "pile", "stock", "taken", "known", "refused",
                         "unseen", "limit"):  # fmt: skip
                assert getattr(typed, name) == getattr(view, name)


@given(st.lists(st.sampled_from(["hand=", "upcard=", "pile=", "taken=", "known=", "refused=",
                                 "stock=", "score=", "dealer=", "events=", "rules=", "knock=",
                                 TEN, "AS2S3S4S5S6S7S8S9STSJS", "6D", "KS", "31", "me", "3-4",
                                 "eaai", "standard", "-,-,sKS", "p", "=", "x"])).map(" ".join)
       | st.text())  # fmt: skip
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        view = read(text)
    except OkginError as error:
        assert isinstance(error, PositionError)  # noqa: PT017
        assert len(str(error).splitlines()) == 1  # noqa: PT017
    else:
        assert read(view.position()) == view
