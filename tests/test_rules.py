"""The rules record, against rules.md: its fields, its presets, and what it refuses."""

import copy
import dataclasses
import json
import pickle
from typing import Any

import pytest
from helpers import case
from hypothesis import given
from hypothesis import strategies as st

from okgin_fast.errors import CardError, RulesError
from okgin_fast.rules import PRESETS, Rules, as_rules, parse_overrides

# The table of rules.md, row by row: name, knock, ace, gin, undercut, tie is an undercut, spade x,
# wall, next dealer, target. The last of `open-spiel`'s columns say something else there.
TABLE: list[tuple[Any, ...]] = [
    ("oklahoma", "upcard", "one", 25, 10, True, 1, "dead", "winner", 100),
    ("oklahoma-spades", "upcard", "gin", 25, 25, True, 2, "dead", "winner", 100),
    ("standard", 10, None, 25, 25, True, 1, "reshuffle", "winner", 100),
    ("straight", 0, None, 25, 25, True, 1, "reshuffle", "winner", 100),
    ("oklahoma-pagat", "upcard", "one", 20, 10, True, 2, "dead", "loser", 150),
    ("oklahoma-bicycle", "upcard", "gin", 20, 10, True, 1, "dead", "winner", 100),
    ("modern", 10, None, 25, 25, True, 1, "dead", "winner", 100),
    ("eaai", 10, None, 25, 25, True, 1, "dead", "alternate", 100),
    ("open-spiel", "upcard", "gin", 25, 25, False, 1, "dead", None, None),
]
# The notes of the table: box, game bonus, shutout; all others are without extras.
EXTRAS = {
    "oklahoma-pagat": (20, 100, "double_points"),
    "oklahoma-bicycle": (20, 100, 100),
    "modern": (25, 100, "double_points"),
}


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_preset_is_the_row_of_the_table(row: tuple[Any, ...]) -> None:
    name, knock, ace, gin, undercut, tie, spades, wall, next_dealer, target = row
    rules = Rules.preset(name)
    assert (rules.name, rules.knock, rules.ace) == (name, knock, ace)
    assert (rules.gin_bonus, rules.undercut_bonus, rules.undercut_on_tie) == (gin, undercut, tie)
    assert (rules.spade_multiplier, rules.wall, rules.wall_size) == (spades, wall, 2)
    assert (rules.target, rules.hollywood) == (target, False)
    if next_dealer:
        assert (rules.next_dealer, rules.first_dealer) == (next_dealer, None)
    extras = (rules.box_bonus, rules.game_bonus, rules.shutout)
    assert extras == EXTRAS.get(name, (0, 0, "none"))
    assert rules.big_gin == (name == "modern")
    assert rules.may_discard_taken == (name == "open-spiel")
    assert rules.overrides == {}


def test_presets_are_those_of_the_table_with_oklahoma_as_the_default() -> None:
    assert list(PRESETS) == [row[0] for row in TABLE]
    assert Rules() == Rules.preset() == PRESETS["oklahoma"]
    assert len(set(PRESETS.values())) == len(PRESETS)
    with pytest.raises(TypeError):
        PRESETS["oklahoma"] = Rules()  # type: ignore[index]


def test_notes_of_the_table() -> None:
    assert Rules.preset("modern").big_gin_bonus == 31  # "big gin 31 in all"
    assert Rules.preset("open-spiel").first_dealer == 1  # "player 0 starts"
    # "20 for gin is their stated alternative"; "also as one deal, 250, or Hollywood"
    assert Rules.preset("oklahoma", gin_bonus=20).gin_bonus == 20
    assert Rules.preset("oklahoma-spades", target=None).target is None
    assert Rules.preset("oklahoma-spades", target=250).target == 250
    assert Rules.preset("oklahoma-spades", hollywood=True).hollywood


# --- the knock limit -----------------------------------------------------------------------------


def test_r099_limit_by_upcard_ace_schools_and_spades() -> None:
    upcards, expected = case("R099")["input"]["upcards"], case("R099")["expected"]
    assert [Rules().knock_limit(card) for card in upcards] == expected["limit_ace_is_one"]
    spades = Rules.preset("oklahoma-spades")
    assert [spades.knock_limit(card) for card in upcards] == expected["limit_gin_only_ace"]
    assert [spades.multiplier(card) == 2 for card in upcards] == expected["spade_doubles"]
    assert {Rules().multiplier(card) for card in upcards} == {1}


@pytest.mark.parametrize("name", ["R038", "R039"])
def test_r038_r039_limit_and_its_description(name: str) -> None:
    asked, expected = case(name)["input"], case(name)["expected"]
    rules = as_rules(asked["rules"])
    text = " ".join(rules.describe())
    assert rules.knock_limit(asked["upcard"]) == expected["knock_limit"]
    if "text_mentions_oklahoma" in expected:
        assert ("oklahoma" in text.lower()) == expected["text_mentions_oklahoma"]
        assert "10 points of deadwood" in text


def test_r065_a_knock_is_legal_up_to_the_limit() -> None:
    limit, counts = case("R065")["input"]["limit"], case("R065")["input"]["counts"]
    for rules in (Rules.preset("standard", knock=limit), Rules()):
        legal = [count <= rules.knock_limit("7H") for count in counts]
        assert legal == case("R065")["expected"]["legal"]


@pytest.mark.parametrize("knock", range(11))
def test_a_fixed_limit_is_that_of_every_deal(knock: int) -> None:
    rules = Rules(name="standard", knock=knock, ace=None)
    assert {rules.knock_limit(card) for card in range(52)} == {rules.knock_limit()} == {knock}


def test_the_upcard_is_needed_where_it_fixes_the_limit() -> None:
    with pytest.raises(RulesError, match="upcard None: needed"):
        Rules().knock_limit()
    with pytest.raises(CardError, match="'7X'"):
        Rules().knock_limit("7X")
    assert Rules(spade_multiplier=3).multiplier(None) == 1


# --- overrides -----------------------------------------------------------------------------------

OTHER_VALUES: dict[str, Any] = {
    "knock": 7, "ace": "gin", "gin_bonus": 20, "undercut_bonus": 0, "undercut_on_tie": False,
    "big_gin": True, "big_gin_bonus": 50, "spade_multiplier": 2, "may_discard_taken": True,
    "wall": "reshuffle", "wall_size": 0, "turn_limit": 50, "target": 250, "next_dealer": "loser",
    "first_dealer": 0, "hollywood": True, "box_bonus": 20, "game_bonus": 100, "shutout": 100,
}  # fmt: skip


def test_every_field_but_the_name_is_tried_below() -> None:
    assert set(OTHER_VALUES) == {field.name for field in dataclasses.fields(Rules)} - {"name"}


@pytest.mark.parametrize("name", OTHER_VALUES)
def test_any_field_can_be_overridden_by_itself(name: str) -> None:
    value = OTHER_VALUES[name]
    rules = Rules.preset("oklahoma", **{name: value})
    changed = {name: value} | ({"ace": None} if name == "knock" else {})
    assert rules.overrides == changed
    assert rules == dataclasses.replace(Rules(), **changed)
    assert rules != Rules()
    assert rules.to_dict() == Rules().to_dict() | changed
    assert parse_overrides([f"{name}={value}"]) == {name: value}


def test_knock_takes_the_ace_along() -> None:
    assert Rules.preset("oklahoma", knock=5).ace is None
    assert Rules.preset("standard", knock="upcard").ace == "one"
    assert Rules.preset("standard", knock="upcard", ace="gin").ace == "gin"
    assert Rules.preset("oklahoma-spades", knock="upcard").ace == "gin"
    with pytest.raises(RulesError, match=r"ace 'gin': must be none with knock=5"):
        Rules.preset("oklahoma", knock=5, ace="gin")
    with pytest.raises(RulesError, match=r"ace 'one': must be none with knock=10"):
        Rules.preset("standard", ace="one")
    with pytest.raises(RulesError, match=r"ace None: must be one or gin"):
        Rules.preset("oklahoma", ace=None)


def test_overrides_as_typed_on_the_command_line() -> None:
    words = ["GIN_BONUS=20", " big_gin = Yes", "undercut_on_tie=false", "target=None",
             "shutout=double_points", "first_dealer=1", "may_discard_taken=on", "hollywood=off",
             "knock=+9"]  # fmt: skip
    assert parse_overrides(words) == {
        "gin_bonus": 20, "big_gin": True, "undercut_on_tie": False, "target": None,
        "shutout": "double_points", "first_dealer": 1, "may_discard_taken": True,
        "hollywood": False, "knock": 9,
    }  # fmt: skip
    assert parse_overrides(["shutout=none"]) == {"shutout": "none"}
    assert parse_overrides([]) == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gin_bonus"], "'gin_bonus': must be field=value"),
        ([""], "'': must be field=value"),
        (["gin_bonos=20"], r"no field 'gin_bonos' \(did you mean gin_bonus\?\): must be one of "),
        (["name=standard"], "no field 'name'"),
        (["target=100", "target=250"], "'target=250': target is given twice"),
        (["x", "y"], "'x': must be field=value; 'y': must be"),
    ],
)  # fmt: skip
def test_words_that_are_no_overrides_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        parse_overrides(words)


@pytest.mark.parametrize("word", ["gin_bonus=2.5", "gin_bonus=many", "gin_bonus=", "target=1e3"])
def test_an_unreadable_value_is_refused_with_its_text(word: str) -> None:
    name, _, text = word.partition("=")
    with pytest.raises(RulesError, match=f"{name} '{text}': must be"):
        Rules.preset(**parse_overrides([word]))


# --- what is refused -----------------------------------------------------------------------------

BAD_VALUES: dict[str, list[Any]] = {
    "knock": [-1, 11, "card", "10", True, 10.0],
    "ace": ["two", 1, 0, False],
    "gin_bonus": [-1, 10_001, 25.0, "25", None, True],
    "undercut_bonus": [-10, None],
    "undercut_on_tie": [1, 0, None, "true"],
    "big_gin": [1, "yes"],
    "big_gin_bonus": [-31, False],
    "spade_multiplier": [0, -2, 101, True],
    "may_discard_taken": [0],
    "wall": ["alive", None, 2],
    "wall_size": [-1, 31, None],
    "turn_limit": [0, -1, 1001, None],
    "target": [0, -100, 1_000_001, "none", False, 100.5],
    "next_dealer": ["random", None, 0],
    "first_dealer": [2, -1, "0", True],
    "hollywood": [3, None],
    "box_bonus": [-20],
    "game_bonus": [-100, 1e2],
    "shutout": [0, -100, None, "double", True],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD_VALUES.items() for value in values]
)
def test_a_bad_value_is_quoted_with_what_is_allowed(name: str, value: object) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.preset("oklahoma", **{name: value})
    assert str(caught.value).startswith(f"{name} {value!r}: must be ")


def test_every_field_has_bad_values_above() -> None:
    assert BAD_VALUES.keys() == OTHER_VALUES.keys()


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("knock", "upcard or a whole number from 0 to 10"),
        ("ace", "one, gin or none"),
        ("gin_bonus", "a whole number from 0 to 10000"),
        ("big_gin", "true or false"),
        ("spade_multiplier", "a whole number from 1 to 100"),
        ("target", "none or a whole number from 1 to 1000000"),
        ("next_dealer", "winner, loser or alternate"),
        ("first_dealer", "none, 0 or 1"),
        ("shutout", "none, double_points, double_difference or a whole number from 1 to 10000"),
    ],
)
def test_what_is_allowed_is_spelled_as_one_types_it(name: str, allowed: str) -> None:
    with pytest.raises(RulesError, match=f"^{name} 'x': must be {allowed}$"):
        Rules.preset("oklahoma", **{name: "x"})


def test_all_faults_are_listed_in_one_line() -> None:
    with pytest.raises(RulesError) as caught:
        Rules.preset("modern", gin_bonus=-5, wall="x", hollywood=True, target=None, colour="red")
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    for fault in ("no field 'colour'", "gin_bonus -5", "wall 'x'", "hollywood True"):
        assert fault in message


def test_a_fault_hides_no_contradiction_and_makes_none() -> None:
    with pytest.raises(RulesError, match=r"gin_bonus -5.*straight gin.*Oklahoma"):
        Rules.preset("oklahoma", gin_bonus=-5, knock=0)
    with pytest.raises(RulesError) as caught:
        Rules.preset("oklahoma", knock=-5, target=-1, hollywood=True)
    assert str(caught.value).count("must be") == 2


@pytest.mark.parametrize(
    ("name", "overrides"),
    [
        ("oklahoma", {"knock": 0}),
        ("oklahoma", {"knock": 0, "ace": None}),
        ("oklahoma-pagat", {"knock": 0}),
        ("straight", {"knock": "upcard"}),
        ("straight", {"knock": "upcard", "ace": "one"}),
        ("straight", {"ace": "gin"}),
        ("standard", {"knock": 0, "ace": "one"}),
    ],
)
def test_straight_gin_and_oklahoma_together_are_refused(
    name: str, overrides: dict[str, Any]
) -> None:
    with pytest.raises(RulesError, match=r"straight gin.*Oklahoma.*when a player may knock"):
        Rules.preset(name, **overrides)


def test_straight_gin_without_oklahoma_is_fine() -> None:
    assert Rules.preset("standard", knock=0) == Rules.preset("straight")
    assert Rules.preset("straight", knock=10) == Rules.preset("standard")


def test_hollywood_needs_a_target() -> None:
    with pytest.raises(RulesError, match="hollywood True: needs a target"):
        Rules.preset("oklahoma-spades", hollywood=True, target=None)
    with pytest.raises(RulesError, match="hollywood True: needs a target"):
        Rules.preset("open-spiel", hollywood=True)


@pytest.mark.parametrize("name", ["oklahama", "Oklahoma gin", "", None, 5, ["oklahoma"]])
def test_an_unknown_preset_is_quoted_with_the_known_ones(name: Any) -> None:
    for make in (Rules.preset, as_rules, lambda name: Rules(name=name)):
        with pytest.raises(RulesError, match=r"no preset .*must be one of oklahoma, oklahoma-spad"):
            make(name)


def test_a_near_miss_is_guessed() -> None:
    with pytest.raises(RulesError, match=r"'oklahama' \(did you mean oklahoma\?\)"):
        Rules.preset("oklahama")


# --- a value -------------------------------------------------------------------------------------


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Draw a preset with overrides that do not contradict each other."""
    name = draw(st.sampled_from(list(PRESETS)))
    names = draw(st.sets(st.sampled_from(sorted(OTHER_VALUES.keys() - {"ace", "hollywood"}))))
    return Rules.preset(name, **{name: OTHER_VALUES[name] for name in names})


@given(any_rules())
def test_rules_survive_json_pickle_and_copy(rules: Rules) -> None:
    data = json.loads(json.dumps(rules.to_dict()))
    for other in (Rules.from_dict(data), pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert other == rules
        assert hash(other) == hash(rules)
        assert other.name == rules.name
    assert Rules.preset(rules.name, **rules.overrides) == rules


def test_equal_rules_are_equal_whatever_they_started_from() -> None:
    named = Rules.preset("standard", knock="upcard", undercut_bonus=10, wall="dead")
    assert named == Rules()
    assert named.name == "standard"


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().gin_bonus = 20  # type: ignore[misc]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "must be fields and their values by name"),
        ({"name": "bridge"}, "no preset 'bridge'"),
        ({"colour": 1}, "no field 'colour'"),
        ({"cls": 1, 5: 2}, "no field 'cls'.*no field 5"),
        ({"name": "standard", "target": 0}, "target 0"),
    ],
)
def test_bad_records_are_refused(data: Any, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.from_dict(data)


def test_as_rules_takes_rules_or_a_name() -> None:
    rules = Rules.preset("eaai", target=250)
    assert as_rules(rules) is rules
    assert as_rules("eaai") == PRESETS["eaai"]


# --- in words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_a_description_is_one_plain_sentence_a_rule(name: str) -> None:
    for sentence in Rules.preset(name).describe():
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert sentence.count(".") == 1
        assert "_" not in sentence
        assert "  " not in sentence


@pytest.mark.parametrize("name", PRESETS)
def test_oklahoma_is_named_exactly_where_the_upcard_fixes_the_limit(name: str) -> None:
    rules = Rules.preset(name)
    assert ("Oklahoma" in " ".join(rules.describe())) == (rules.knock == "upcard")
    if rules.knock == "upcard":  # also when the name is that of an Oklahoma preset
        assert "oklahoma" not in " ".join(Rules.preset(name, knock=5).describe()).lower()


@pytest.mark.parametrize(
    ("name", "overrides", "sentence"),
    [
        ("oklahoma", {}, "the upcard's number, 10 for a jack, queen or king, is the most deadwood"),
        ("oklahoma", {}, "If the upcard is an ace, the limit is 1."),
        ("oklahoma", {"ace": "gin"}, "If the upcard is an ace, only gin ends the deal."),
        ("standard", {}, "A player may knock with 10 points of deadwood or less."),
        ("standard", {"knock": 1}, "A player may knock with 1 point of deadwood or less."),
        ("straight", {}, "only gin ends a deal, nobody may knock with deadwood left."),
        ("oklahoma", {"gin_bonus": 20}, "Gin scores 20 points plus the opponent's deadwood"),
        ("oklahoma", {}, "There is no big gin."),
        ("modern", {}, "all eleven cards in melds and no discard, scores 31 points plus"),
        ("oklahoma", {}, "has undercut and scores 10 points plus the difference."),
        ("oklahoma", {}, "Equal deadwood is an undercut too, for 10 points."),
        ("open-spiel", {}, "With equal deadwood nobody scores."),
        ("oklahoma", {}, "A spade as the upcard has no special effect."),
        ("oklahoma-spades", {}, "upcard is a spade, everything scored in that deal counts double."),
        ("oklahoma", {"spade_multiplier": 3}, "scored in that deal counts 3 times."),
        ("oklahoma", {}, "A card taken from the pile may not be thrown back in the same turn."),
        ("open-spiel", {}, "A card taken from the pile may be thrown back in the same turn."),
        ("oklahoma", {}, "When a discard leaves 2 cards in the stock, the deal is dead: nobody sc"),
        ("oklahoma", {"wall_size": 1}, "When a discard leaves 1 card in the stock"),
        ("standard", {}, "the discard pile except its top card is shuffled into a new stock."),
        ("standard", {}, "After 200 turns without a knock the deal is dead: nobody scores"),
        ("oklahoma", {"turn_limit": 1}, "After 1 turn without a knock the deal is dead, too."),
        ("oklahoma", {}, "The first dealer is drawn at random."),
        ("oklahoma", {"first_dealer": 0}, "The first of the two players deals first"),
        ("open-spiel", {}, "The second of the two players deals first, so the other one starts."),
        ("oklahoma", {}, "The winner of a deal deals the next one."),
        ("oklahoma-pagat", {}, "The loser of a deal deals the next one."),
        ("eaai", {}, "The deal changes hands after every deal that is scored."),
        ("oklahoma-pagat", {}, "The first player to reach 150 points wins."),
        ("open-spiel", {}, "A single deal decides"),
        ("oklahoma", {"hollywood": True}, "in game 1, the second in games 1 and 2, every later"),
        ("oklahoma", {"hollywood": True}, "starts with the next one that is open."),
        ("oklahoma", {"hollywood": True, "target": 250}, "when a player has 250 points in it"),
        ("oklahoma", {}, "There are no extras"),
        ("modern", {}, "Every deal won is worth 25 points more."),
        ("modern", {}, "The winner of a game gets 100 points more."),
        ("modern", {}, "If the loser has scored nothing, the winner's points from deals count dou"),
        ("oklahoma-bicycle", {}, "loser has scored nothing, the winner gets 100 points more."),
        ("oklahoma", {"shutout": "double_difference"}, "the difference with all bonuses counts"),
        ("modern", {}, "Extras are paid at the end and do not count for the target."),
    ],
)  # fmt: skip
def test_each_rule_is_told(name: str, overrides: dict[str, Any], sentence: str) -> None:
    matching = [one for one in Rules.preset(name, **overrides).describe() if sentence in one]
    assert len(matching) == 1


def test_straight_gin_has_neither_knocks_nor_undercuts() -> None:
    text = " ".join(Rules.preset("straight").describe())
    assert "undercut" not in text
    assert "Equal deadwood" not in text


def test_a_single_deal_tells_of_no_target_and_no_extras() -> None:
    text = " ".join(Rules.preset("oklahoma-pagat", target=None).describe())
    for word in ("reach", "deals the next one", "winner of a game", "at the end"):
        assert word not in text
