"""One deal by hand: who may do what, what is refused and why, and how it is scored."""

import pytest
from helpers import whole_deal

import okgin_fast as og
from okgin_fast.rules import PRESETS

# Seat 1 moves first. He draws the 9S and may knock with 5 by throwing the QC.
MELDED = "7S 7C 7D 9C 9D 9H 2D 3D 4D 5H"
OTHER = "AS 3S 5S KS 4C 6C 8C TD JD QH"


def deal_of(rules: str | og.Rules = "standard", first: str = "QC", **more: object) -> og.Deal:
    return og.Deal.from_cards(rules, **whole_deal(OTHER, MELDED, "8H", first), **more)


def after(*actions: str, rules: str | og.Rules = "standard", first: str = "QC") -> og.Deal:
    deal = deal_of(rules, first)
    for action in actions:
        deal.apply(action)
    return deal


class TestRefusals:
    """Each says what is wrong, and leaves the deal as it was."""

    @pytest.mark.parametrize(
        ("so_far", "action", "why"),
        [
            ([], "draw", "the upcard comes first: take 8H or pass"),
            ([], "take 9S", "the top of the pile is 8H"),
            ([], "discard 7S", "first draw: take 8H or pass"),
            (["pass", "pass"], "take 8H", "both refused the upcard 8H; the stock is left: draw"),
            (["pass", "pass"], "pass", "only the first upcard can be refused"),
            (["pass", "pass", "draw"], "draw", "a card was drawn already"),
            (["pass", "pass", "draw"], "pass", "a card was drawn already"),
            (["pass", "pass", "draw"], "discard KS", "KS is not in the hand '7S 7C 9C QC"),
            (["pass", "pass", "draw"], "knock 9C", "it leaves 33, the knock limit is 10"),
            (["pass", "pass", "draw"], "gin QC", "it leaves 5, gin needs 0"),
            (["pass", "pass", "draw"], "big gin", "big gin is not played under these rules"),
            (["take 8H"], "discard 8H", "8H was just taken from the pile"),
            (["take 8H"], "knock 8H", "8H was just taken from the pile"),
            (["pass", "pass", "draw", "knock QC"], "draw", "the deal is over"),
            (["pass", "pass", "draw"], "knock QC: 7S7C7D 9C9D9H", "it leaves 14, the knock limit"),
            (["pass", "pass", "draw"], "knock QC: KSKCKD", "not in the hand"),
            (["pass", "pass", "draw"], "knock QC: 7S7C9C", "is not a meld"),
            (["pass", "pass", "draw"], "knock QC: 7S7C7D 7S7C7D", "is in two melds"),
            ([], "knok QC", "'knok QC' is no action; allowed: take 7H, draw, pass"),
            ([], "take", "'take' needs a card"),
            ([], "pass 7H", "'pass' takes no card"),
            ([], "discard 7X", "'7X'"),
        ],
    )
    def test_apply(self, so_far: list[str], action: str, why: str) -> None:
        deal = after(*so_far)
        before = deal.clone()
        with pytest.raises(og.OkginError) as refused:
            deal.apply(action)
        assert why in str(refused.value)
        assert deal == before

    @pytest.mark.parametrize("action", [None, 7, b"draw", ["draw"]])
    def test_what_is_no_text(self, action: object) -> None:
        with pytest.raises(og.NotationError, match="is no action"):
            deal_of().apply(action)  # type: ignore[arg-type]

    def test_not_your_turn(self) -> None:
        deal = deal_of()
        with pytest.raises(og.IllegalActionError, match="by seat 0: it is the turn of seat 1"):
            deal.apply("pass", seat=0)
        deal.apply("pass", seat=1)
        for seat in (2, -1, True, "0", None):
            if seat is not None:
                with pytest.raises(og.IllegalActionError, match="a seat is 0 or 1"):
                    deal.apply("pass", seat=seat)  # type: ignore[arg-type]

    def test_nothing_to_undo(self) -> None:
        with pytest.raises(og.IllegalActionError, match="nothing to undo"):
            deal_of().undo()

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"hands": (OTHER, OTHER)}, "'AS 3S 5S KS 4C 6C 8C TD JD QH' dealt twice"),
            ({"hands": (OTHER, MELDED[:-3])}, "has 9 cards; a hand takes 10"),
            ({"hands": (OTHER,)}, "two hands"),
            ({"hands": OTHER}, "two hands"),
            ({"upcard": "AS"}, "'AS' dealt twice"),
            ({"stock": "KD KH"}, "the stock has 2 cards; it takes the other 31"),
            ({"stock": ["KD"] * 31}, "'KD' in the stock and elsewhere, or twice"),
            ({"stock": "AS KD"}, "'AS' in the stock and elsewhere"),
            ({"dealer": 2}, "dealer=2: a seat is 0 or 1"),
            ({"seed": -1}, "seed=-1"),
            ({"rules": "whist"}, "whist"),
        ],
    )
    def test_from_cards(self, change: dict[str, object], message: str) -> None:
        given = {"rules": "standard", **whole_deal(OTHER, MELDED, "8H")} | change
        with pytest.raises(og.OkginError, match=message):
            og.Deal.from_cards(**given)  # type: ignore[arg-type]


class TestScoring:
    def test_a_knock(self) -> None:
        deal = after("pass", "pass", "draw", "knock QC")
        # AS 3S 5S KS 4C 6C 8C TD JD QH: 67; the 6C and 8C do not reach 7S 7C 7D, TD JD no run
        assert deal.result[:6] == ("knock", 1, 62, 1, 5, 67)
        assert (deal.phase, deal.to_move, deal.legal_actions()) == ("over", None, [])

    def test_spades_double_and_the_upcard_limits(self) -> None:
        cards = whole_deal(OTHER.replace("5S", "8H"), MELDED, "5S", "QC")
        deal = og.Deal.from_cards("oklahoma-spades", **cards)
        for action in ("pass", "pass", "draw"):
            deal.apply(action)
        assert deal.limit == 5
        deal.apply("knock QC")
        assert deal.result.points == 2 * (70 - 5)

    def test_gin_takes_no_lay_offs(self) -> None:
        deal = after("pass", "pass", "draw", "knock 5H", first="5D")
        assert str(deal.actions[-1]) == "gin 5H"  # a knock that leaves nothing is gin
        assert deal.result[:6] == ("gin", 1, 25 + 67, 1, 0, 67)
        assert deal.result.layoff.laid_off == ()

    def test_a_named_spread_need_not_be_minimal(self) -> None:
        """It may hold back a meld: the 2D 3D 4D are worth 9, with the 5H more than the limit."""
        melded = MELDED.replace("5H", "AC")
        deal = og.Deal.from_cards("standard", **whole_deal(OTHER, melded, "8H", "QC"))
        for action in ("pass", "pass", "draw", "knock QC: 7S7C7D 9C9D9H"):
            deal.apply(action)
        assert deal.result[:6] == ("knock", 1, 57, 1, 10, 67)
        assert deal.result.spread.unmelded == og.Hand("AC 2D 3D 4D")

    def test_dead_at_the_wall(self) -> None:
        deal = after("pass", "pass", "draw", "discard QC", rules=og.Rules(wall_size=30))
        assert deal.result[:6] == ("dead", None, 0, None, None, None)
        assert deal.view(0).result == deal.result


@pytest.mark.parametrize("rules", PRESETS)
def test_a_deal_ends_though_both_take_each_others_cards_for_ever(rules: str) -> None:
    """At most two passes, and then a draw and a throw in each of turn_limit turns."""
    deal = og.Deal(rules, seed=3)
    while deal.to_move is not None:
        wanted = ("take", "discard") if deal.legal_actions()[0].kind != "draw" else ("take",)
        choices = [a for a in deal.legal_actions() if a.kind in wanted] or deal.legal_actions()
        deal.apply(choices[0])
    assert deal.result.kind == "dead"
    assert deal.turn == deal.rules.turn_limit == 200
    assert len(deal.actions) == 2 * 200


def test_a_new_stock_is_the_old_pile_but_for_its_top() -> None:
    deal = og.Deal("standard", seed=5)
    while not any(event.kind == "reshuffle" for event in deal.history):
        before = deal.clone()
        legal = [a for a in deal.legal_actions() if a.kind in ("pass", "draw", "discard")]
        deal.apply(legal[0])
    thrown = deal.actions[-1].card
    assert len(before.stock) == 0
    assert deal.pile == (thrown,)
    assert set(deal.stock) == set(before.pile)
    assert deal.stock != before.pile
    assert deal.view(0).known == deal.hand(1)  # every other card was in sight
    deal.undo()
    assert deal == before


class TestActions:
    @pytest.mark.parametrize(
        ("typed", "text"),
        [
            ("take 7h", "take 7H"),
            ("  DRAW ", "draw"),
            ("Pass", "pass"),
            ("discard 10♦", "discard TD"),
            ("knock kd", "knock KD"),
            ("gin KD", "gin KD"),
            ("Big  Gin", "big gin"),
            ("knock KD: 7c7s7d as2s3s", "knock KD: 7S7C7D AS2S3S"),
        ],
    )
    def test_text(self, typed: str, text: str) -> None:
        action = og.Action.parse(typed)
        assert str(action) == text
        assert og.Action.parse(text) == action
        assert hash(og.Action.parse(text)) == hash(action)

    def test_an_action_stays_what_it_is(self) -> None:
        passing = og.Deal("oklahoma", seed=1).legal_actions()[1]
        with pytest.raises(og.NotationError, match="immutable"):
            passing.__init__("draw")  # type: ignore[misc]
        assert str(og.Deal("oklahoma", seed=1).legal_actions()[1]) == "pass"

    def test_different_spreads_are_different_actions(self) -> None:
        plain = og.Action("knock", "KD")
        assert plain != og.Action("knock", "KD", ["AS 2S 3S"])
        assert plain != og.Action("gin", "KD")
        assert plain != "knock KD"


class TestSettle:
    def test_big_gin_keeps_eleven_cards(self) -> None:
        eleven = "AS 2S 3S 4S 7S 7C 7D 9C 9D 9H 9S"
        found = og.settle(eleven, "KS KC KD QS QC QD 4D 5H 8H 6D", "modern")
        assert found[:6] == ("big_gin", 0, 31 + 23, 0, 0, 23)
        with pytest.raises(og.IllegalActionError, match="not played under these rules"):
            og.settle(eleven, "KS KC KD QS QC QD 4D 5H 8H 6D", "standard")

    def test_what_is_refused(self) -> None:
        ten, other = "AS 2S 3S 7S 7C 7D 9C 9D 9H 4H", "KS KC KD QS QC QD 4D 5H 8H 6D"
        for knocker, defender, rules, message in (
            (ten, other[:-3], "standard", "has 9 cards"),
            (ten[:-3], other, "standard", "has 9 cards"),
            (ten, ten, "standard", "is in both hands"),
            (ten, other, "oklahoma", "upcard"),
            (ten, other, "straight", "left with 4; the knock limit is 0"),
        ):
            with pytest.raises(og.OkginError, match=message):
                og.settle(knocker, defender, rules)
