"""Deals as text: what is written reads back the same, what is wrong is said in one line."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from helpers import whole_deal
from hypothesis import given
from hypothesis import strategies as st
from playing import EVERY_RULES, finished, play

from okgin_fast import Action, Deal, NotationError, OkginError, Rules
from okgin_fast.notation import turns_of

every_rules = pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)

# --- turns ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "turns"),
    [
        ([], []),
        (["pass", "pass", "draw", "discard KD"], ["-", "-", "sKD"]),
        (["take 7H", "discard KD", "draw"], ["pKD", "s"]),
        (["pass", "take 7H"], ["-", "p"]),
        (["take 7H", "knock KD"], ["pKD!"]),
        (["take 7H", "gin TD"], ["pTD!"]),
        (["draw", "big gin"], ["s!!"]),
        (["take 7H", "big gin"], ["p!!"]),
        (["draw", "knock KD: 7S7C7D AS2S3S"], ["sKD!7S7C7D/AS2S3S"]),
    ],
)
def test_a_turn_is_one_token(actions: list[str], turns: list[str]) -> None:
    assert turns_of(map(Action.parse, actions)) == turns


# --- records -------------------------------------------------------------------------------

# Seat 0 has three melds and KD, seat 1 has none.
HAND0 = "AS 2S 3S 7S 7C 7D TC JC QC KD"
HAND1 = "8S QS KS 2C 4C 8C AD 3D 5D 9D"


def dealt() -> Deal:
    """Return a deal of these hands: seat 0 dealt, the upcard is 4H, then come 6H and 4S."""
    rules = Rules.preset("eaai", gin_bonus=20)
    return Deal.from_cards(rules, **whole_deal(HAND0, HAND1, "4H", "6H 4S"), seed=7)


def knocked() -> Deal:
    """Return that deal, ended by seat 0 with 4H left and a spread that it names.

    Seat 1 can lay nothing off and has 8 + 10 + 10 + 2 + 8 + 1 + 3 + 5 + 9 + 6 = 62.
    """
    deal = dealt()
    for action in (
        "pass",
        "take 4H",
        "discard KD",
        "draw",
        "discard 4C",
        "draw",
        "knock 4S: 7S7C7D TCJCQC AS2S3S",
    ):
        deal.apply(action)
    return deal


STOCK = (
    "6H 4S 5S 6S 9S TS JS AC 3C 5C 6C 9C KC 2D 4D 6D 8D TD JD QD AH 2H 3H 5H 7H 8H 9H TH JH QH KH"
)
TEXT = f"""\
format: okgin deal 1
rules: eaai gin_bonus=20
dealer: 0
seed: 7
hand 0: AS 2S 3S 7S 7C TC JC QC 7D KD
hand 1: 8S QS KS 2C 4C 8C AD 3D 5D 9D
upcard: 4H
stock: {STOCK}
turns: - pKD s4C s4S!7S7C7D/TCJCQC/AS2S3S
result: knock, seat 0 scores 58, 4 against 62"""


def test_a_record_as_text() -> None:
    assert knocked().to_text() == TEXT


def test_a_record_as_json() -> None:
    text = knocked().to_json()
    assert "\n" not in text
    record = json.loads(text)
    assert record.pop("rules") == Rules.preset("eaai", gin_bonus=20).to_dict()
    assert record == {
        "format": "okgin deal 1",
        "dealer": 0,
        "seed": 7,
        "hands": ["AS 2S 3S 7S 7C TC JC QC 7D KD", HAND1],
        "upcard": "4H",
        "stock": STOCK,
        "turns": ["-", "pKD", "s4C", "s4S!7S7C7D/TCJCQC/AS2S3S"],
        "result": {
            "kind": "knock",
            "winner": 0,
            "points": 58,
            "knocker": 0,
            "knocker_deadwood": 4,
            "defender_deadwood": 62,
            "spread": ["7S 7C 7D", "TC JC QC", "AS 2S 3S"],
            "laid_off": [],
        },
    }


def outcome(deal: Deal) -> str:
    return deal.to_text().splitlines()[-1].removeprefix("result: ")


def test_how_a_deal_ended_in_words() -> None:
    assert outcome(dealt()) == "unfinished"
    deal = knocked()
    deal.undo()
    deal.apply("discard 4S")
    assert outcome(deal) == "unfinished"
    dead = [finished(EVERY_RULES["six turns"], seed) for seed in range(30)]
    assert "dead" in {outcome(deal) for deal in dead}


def again(deal: Deal) -> None:
    """Both forms read back as an equal deal and are written the same then."""
    for write, read in ((Deal.to_json, Deal.from_json), (Deal.to_text, Deal.from_text)):
        text = write(deal)
        copy = read(text)
        assert type(copy) is Deal
        assert copy == deal
        assert (copy.rules.name, copy.result) == (deal.rules.name, deal.result)
        assert write(copy) == text


def test_records_of_random_deals_read_back_the_same() -> None:
    met: Counter[str] = Counter()
    for rules in EVERY_RULES.values():
        for seed in range(20):
            rng = random.Random(seed)
            for deal in play(Deal(rules, seed=seed, dealer=seed % 2), seed):
                if rng.random() < 0.03 or deal.phase == "over":
                    again(deal)
                    met["unfinished" if deal.result is None else deal.result.kind] += 1
            met["spread"] += deal.actions[-1].spread is not None
            met["reshuffle"] += any(event.kind == "reshuffle" for event in deal.history)
    assert min(met[kind] for kind in ("knock", "gin", "undercut", "dead", "spread")) >= 3
    assert met["reshuffle"] >= 10
    assert met["unfinished"] >= 100


def test_a_record_of_big_gin_reads_back_the_same() -> None:
    hand = "AS 2S 3S 4S 7S 7C 7D TC JC QC"
    deal = Deal.from_cards("modern", **whole_deal(hand, HAND1, "KC"))
    for action in ("pass", "take KC", "big gin"):
        deal.apply(action)
    assert turns_of(deal.actions) == ["-", "p!!"]
    # 31 and 8 + 10 + 10 + 2 + 4 + 8 + 1 + 3 + 5 + 9 = 60
    assert outcome(deal) == "big_gin, seat 0 scores 91, 0 against 60"
    again(deal)


def test_a_record_of_a_tie_reads_back_the_same() -> None:
    hands = ("4S 5S 6S 2C 3C 4C 2D 3D 4D KD", "AS 2S 3S 7S 7C 7D JC QC KC 9H")
    deal = Deal.from_cards("open-spiel", **whole_deal(*hands, "TD", "KH"))
    for action in ("pass", "pass", "draw", "knock 9H"):
        deal.apply(action)
    assert outcome(deal) == "tie, 10 against 10"
    again(deal)


def test_turns_may_be_typed_in_any_case_and_lines_be_broken_anywhere() -> None:
    text = TEXT.replace("- pKD s4C", "-\n\n  PKd\n\ts4c").replace("seed: 7", "seed :7  ")
    assert Deal.from_text(f"\n{text}\n") == knocked()


Change = Callable[[dict[str, Any]], object]
BAD_JSON: list[tuple[Change, str]] = [
    (lambda r: r.pop("stock"), "stock is missing"),
    (lambda r: r.pop("result"), "result is missing"),
    (lambda r: r.update(moves=[]), "no key 'moves': allowed are format, rules, dealer"),
    (lambda r: r.update(format="okgin deal 2"), "format 'okgin deal 2': must be 'okgin deal 1'"),
    (lambda r: r.update(rules="eaai"), "rules 'eaai': must be an object"),
    (lambda r: r["rules"].update(knock=11), "knock 11"),
    (lambda r: r["rules"].update(gin_points=1), "no field 'gin_points'"),
    (lambda r: r["rules"].update(name=None), "no preset None"),
    (lambda r: r.update(dealer=2), "dealer=2: a seat is 0 or 1"),
    (lambda r: r.update(dealer=False), "dealer False: must be 0 or 1"),
    (lambda r: r.update(dealer=1.0), "dealer 1.0: must be 0 or 1"),
    (lambda r: r.update(dealer=1), "turn 2 'pKD': 'discard KD' is not possible"),
    (lambda r: r.update(seed=-1), "seed=-1"),
    (lambda r: r.update(seed=1 << 64), "seed=0x10000000000000000"),
    (lambda r: r.update(seed="7"), "seed '7': must be a whole number"),
    (lambda r: r.update(hands=[HAND0]), "there are two hands"),
    (lambda r: r.update(hands={"0": HAND0}), "must be two texts"),
    (lambda r: r.update(hands=[HAND0, [HAND1]]), "must be two texts"),
    (lambda r: r.update(hands=[HAND0, HAND1[3:]]), "9 cards"),
    (lambda r: r.update(hands=[HAND0, HAND0]), "dealt twice"),
    (lambda r: r.update(hands=[HAND0, HAND1.replace("8S", "1S")]), "'1S' .* is not a card"),
    (lambda r: r.update(hands=["\ud800", HAND1]), r"'\\ud800' .* is not a card"),
    (lambda r: r.update(upcard="AS"), "'AS' dealt twice"),
    (lambda r: r.update(upcard=44), "upcard 44: must be text"),
    (lambda r: r.update(stock=STOCK[3:]), "30 cards"),
    (lambda r: r.update(stock=STOCK.replace("6H", "AS")), "'AS' in the stock and elsewhere"),
    (lambda r: r.update(turns="-"), "turns '-': must be a list of texts"),
    (lambda r: r.update(turns=[None]), "must be a list of texts"),
    (lambda r: r["turns"].append("-"), "turn 5 '-': 'pass' is not possible: the deal is over"),
    (lambda r: r["turns"].insert(0, "x7H"), "turn 1 'x7H': this is no turn; allowed: -, sKD"),
    (lambda r: r["turns"].insert(1, ""), "turn 2 '': this is no turn"),
    (lambda r: r["turns"].insert(1, "s"), "turn 2 's': 'draw' is not possible"),
    (lambda r: r["turns"].insert(1, "p"), "turn 3 'pKD': the pile is empty"),
    (lambda r: r["turns"].__setitem__(1, "p4H"), "'discard 4H' is not possible: 4H was just taken"),
    (lambda r: r["turns"].__setitem__(1, "pXX"), "turn 2 'pXX': 'XX' .* is not a card"),
    (lambda r: r["turns"].__setitem__(1, "pKD!"), "turn 3 's4C': .* the deal is over"),
    (lambda r: r["turns"].__setitem__(3, "s4S!AS2S4S"), "turn 4 's4S!AS2S4S'"),
    (lambda r: r["turns"].__setitem__(3, "s!!"), "big gin is not played"),
    (lambda r: r["turns"].pop(), "result .*: the turns come to null"),
    (lambda r: r.update(result=None), "result 'null': the turns come to .*knock"),
    (lambda r: r["result"].update(points=57), "result .*57.*: the turns come to .*58"),
    (lambda r: r["result"].update(winner=False), "result .*false.*: the turns come to"),
    (lambda r: r["result"].update(laid_off=[["6H", 0]]), "result .*6H.*: the turns come to"),
    (lambda r: r.update(result="won"), "result 'won': must be an object or null"),
]


@pytest.mark.parametrize(("change", "message"), BAD_JSON, ids=[m for _, m in BAD_JSON])
def test_a_wrong_json_record_is_refused(change: Change, message: str) -> None:
    record = json.loads(knocked().to_json())
    change(record)
    with pytest.raises(OkginError, match=message) as refused:
        Deal.from_json(json.dumps(record))
    assert "\n" not in str(refused.value)


GOOD = knocked().to_json()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no JSON"),
        ("{", "'{' is no JSON"),
        (GOOD + "}", "is no JSON: Extra data"),
        ("[]", "must be a JSON object"),
        ("7", "must be a JSON object"),
        ("{}", "format is missing; rules is missing"),
        ("[" * 100_000, "nested too deeply"),
        (GOOD.replace('"laid_off":[]', '"laid_off":' + "[" * 90_000 + "]" * 90_000), "too deeply"),
        (GOOD.replace(":58", ":NaN"), "NaN is no JSON"),
        (GOOD.replace(":58", ":-Infinity"), "-Infinity is no JSON"),
        (GOOD.replace('"seed":7', '"seed":' + "7" * 5000), "is no JSON"),
        (GOOD.replace('"seed":7', '"seed":' + "7" * 3000), "seed=0x"),
        (GOOD.replace('"seed":7', '"seed":7,"seed":8'), "key 'seed' is there twice"),
        (GOOD.replace('"knock":10', '"knock":10,"knock":10'), "key 'knock' is there twice"),
        (GOOD.replace("seed", "\ud800"), r"no key '\\ud800'"),
        (GOOD.encode(), "a record is text"),
        (None, "None is no deal: a record is text"),
    ],
)
def test_what_is_no_record_in_json_is_refused(text: Any, message: str) -> None:
    with pytest.raises(OkginError, match=message) as refused:
        Deal.from_json(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (TEXT, "", "format is missing; rules is missing"),
        ("seed: 7\n", "", "seed is missing"),
        ("seed: 7", "seed: 7\nseed: 7", "key 'seed' is there twice"),
        ("seed: 7", "seed 7", "line 4 'seed 7': must be a key, a colon and a value"),
        ("seed: 7", "seed: 7\ncomment: none", "no key 'comment': allowed are format, rules"),
        ("seed: 7", "seed: seven", "seed 'seven': must be a whole number"),
        ("seed: 7", f"seed: {'7' * 20}", "seed="),
        ("seed: 7", "seed: ٧", "seed '٧': must be a whole number"),
        ("dealer: 0", "dealer: 2", "dealer=2: a seat is 0 or 1"),
        ("deal 1", "deal 0", "format 'okgin deal 0': must be 'okgin deal 1'"),
        ("rules: eaai", "rules:", "no preset 'gin_bonus=20'"),
        ("eaai gin_bonus=20", "", "no preset ''"),
        ("gin_bonus=20", "gin_bonus=-20", "gin_bonus -20"),
        ("gin_bonus=20", "20", "'20': must be field=value"),
        ("hand 0: AS", "hand 0:", "9 cards"),
        ("hand 0: AS", "hand 0: 8S", "dealt twice"),
        ("stock: 6H", "stock:", "30 cards"),
        ("pKD", "pKX", "turn 2 'pKX': 'KX' .* is not a card"),
        ("s4S!7S7C7D/", "s4S!7S7C/", "turn 4"),
        ("58", "57", "result '.* scores 57, .*': the turns come to knock, seat 0 scores 58"),
        ("result: knock", "result: gin", "the turns come to knock"),
    ],
)  # fmt: skip
def test_a_wrong_text_record_is_refused(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(OkginError, match=message) as refused:
        Deal.from_text(TEXT.replace(old, new, 1))
    assert "\n" not in str(refused.value)


def test_text_is_text() -> None:
    with pytest.raises(NotationError, match="a record is text"):
        Deal.from_text(TEXT.encode())  # type: ignore[arg-type]


@given(st.data())
def test_a_damaged_record_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    read, text = data.draw(st.sampled_from([(Deal.from_json, GOOD), (Deal.from_text, TEXT)]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    damaged = text[:start] + data.draw(st.text(max_size=5)) + text[end:]
    try:
        read(damaged)
    except OkginError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017
