"""The protocol's messages: what is read as a request, and what the schema says of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import okgin_fast
from okgin_fast.protocol import (
    ANSWERS,
    CODES,
    LONGEST_LINE,
    PARTIALS,
    REQUESTS,
    FieldError,
    ProtocolError,
    check_answer,
    dump,
    error_answer,
    read_request,
    schema,
)

ROOT = Path(__file__).parents[1]
SHIPPED = Path(okgin_fast.__file__).with_name("protocol.schema.json")
PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
POSITION = '"position": {"hand": "AS 2S 3S 7H 7D 7C KD QD 9C 4H", "upcard": "7S"}'


def fault(line: str | bytes) -> tuple[str, str | None, str | int | None]:
    """The code, the field and the id of the error that a line gets."""
    with pytest.raises(ProtocolError) as caught:
        read_request(line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass"))
    check_answer(json.loads(dump(error_answer(caught.value))))
    return caught.value.code, caught.value.field, caught.value.id


@pytest.mark.parametrize(
    "line",
    [
        '{"id": 1, "type": "version"}',
        '{"id": "é", "type": "rules", "rules": {"name": "standard", "target": null}}\r',
        f'{{"id": -5, "type": "act", "level": 4, {POSITION}}}',
        '{"id": 1, "type": "act", "level": "gold", "match": "m1", "token": "x", "time_ms": 0.5}',
        '{"id": 1, "type": "melds", "hand": ["AS", "2s", "10♥"], "against": [["7C"], "4S 5S 6S"]}',
        '{"id": 1, "type": "analyse", "open_cards": true, "record": [{"any": [1]}, "text"]}',
        '{"id": 1, "type": "stop", "target": "a"}',
    ],
)
def test_requests_are_read_as_they_are(line: str) -> None:
    assert read_request(line.encode()) == json.loads(line)
    Draft202012Validator(schema()).validate(json.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "[]",
        "null",
        '"text"',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"id": 1, "type": "version"',
        '{"id": 1, "type": "version"} {}',
        '{"id": 1, "type": "act", "time_ms": NaN}',
        '{"id": 1, "type": "act", "time_ms": -Infinity}',
        "{'id': 1}",
        '{"id": 1, "type": "version", "seed": 1' + "0" * 5000 + "}",
        b'{"id": 1, "type": "\xff"}',
        b"\xef\xbb\xbf{}",
        '{"id": 1, "type": "version"}\0',
        b'{"id": 1, "type": "\xed\xa0\x80"}',
        b" " * (LONGEST_LINE + 1),
    ],
)
def test_what_is_no_object_of_json_has_no_id(line: str | bytes) -> None:
    assert fault(line) == ("line", None, None)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ("", "type"),
        ('"type": "advice"', "type"),
        ('"type": 5', "type"),
        ('"type": ["act"]', "type"),
        ('"type": "version", "versions": 1', "versions"),
        ('"type": "version", "version": 1, "version": 1', "version"),
        ('"type": "act", "position": {"hand": "AS", "hand": "AS"}', "hand"),
        ('"type": "act", "level": "clbu"', "level"),
        ('"type": "act", "level": 8', "level"),
        ('"type": "act", "level": true', "level"),
        ('"type": "act", "level": 4.0', "level"),
        ('"type": "act", "seed": -1', "seed"),
        ('"type": "act", "seed": 18446744073709551616', "seed"),
        ('"type": "act", "time_ms": 1e999', "time_ms"),
        ('"type": "act", "time_ms": 0', "time_ms"),
        ('"type": "act", "time_ms": "200"', "time_ms"),
        ('"type": "act", "time_ms": null', "time_ms"),
        ('"type": "act", "rollouts": 0', "rollouts"),
        ('"type": "act", "every_ms": 1', "every_ms"),
        ('"type": "act", "position": 5', "position"),
        ('"type": "act", "position": []', "position"),
        ('"type": "act", "position": {"upcard": "7S"}', "position.hand"),
        ('"type": "act", "position": {"hand": "AS", "upcard": "7X"}', "position.upcard"),
        ('"type": "act", "position": {"hand": "AS AS", "upcard": "7S"}', "position.hand"),
        ('"type": "act", "position": {"hand": ["AS", 7], "upcard": "7S"}', "position.hand[1]"),
        ('"type": "act", "position": {"hand": {"A": 1}, "upcard": "7S"}', "position.hand"),
        (f'"type": "act", {POSITION[:-1]}, "opponent_hand": "KS"}}', "position.opponent_hand"),
        (f'"type": "act", {POSITION[:-1]}, "stock": ["KS"]}}', "position.stock"),
        (f'"type": "act", {POSITION[:-1]}, "score": [1]}}', "position.score"),
        (f'"type": "act", {POSITION[:-1]}, "score": [1, -1]}}', "position.score[1]"),
        (f'"type": "act", {POSITION[:-1]}, "rules": "oklahome"}}', "position.rules"),
        (f'"type": "act", {POSITION[:-1]}, "events": "s"}}', "position.events"),
        ('"type": "rules", "rules": {"gin_bonsu": 20}', "rules.gin_bonsu"),
        ('"type": "rules", "rules": {"gin_bonus": -1}', "rules"),
        ('"type": "melds"', "hand"),
        ('"type": "melds", "hand": "AS", "against": [["7X"]]', "against[0]"),
        ('"type": "melds", "hand": "' + "AS" * 200 + '"', "hand"),
        ('"type": "new_match", "seat": 2', "seat"),
        ('"type": "new_match", "seat": true', "seat"),
        ('"type": "analyse", "record": {}', "open_cards"),
        ('"type": "analyse", "record": {}, "open_cards": false', "open_cards"),
        ('"type": "analyse", "record": [], "open_cards": true', "record"),
        ('"type": "stop", "target": null', "target"),
        ('"type": "rules", "rules": "\\ud800"', "rules"),
        ('"type": "version", "\\ud800": 1', "\\ud800"),
    ],
)
def test_a_fault_names_its_field_and_its_id(fields: str, field: str) -> None:
    line = f'{{"id": "x y", {fields}}}'.replace(", }", "}")
    assert fault(line) == ("request", field, "x y")


@pytest.mark.parametrize(
    "id",
    ["", '""', "null", "1.5", "true", "[]", "1e400", '"' + "a" * 101 + '"', r'"\ud800"', "9" * 30],
)
def test_an_id_that_is_none_is_not_echoed(id: str) -> None:
    line = f'{{"id": {id}, "type": "version"}}' if id else '{"type": "version"}'
    assert fault(line) == ("request", "id", None)


@pytest.mark.parametrize("depth", [10, 300, 900, 990, 5000])
def test_depth_does_no_harm(depth: int) -> None:
    nested = "[" * depth + "]" * depth
    for line in (f'{{"id": {nested}}}', f'{{"id": 1, "type": "act", "position": {nested}}}'):
        assert fault(line)[0] in ("line", "request")


def test_many_keys_are_no_work() -> None:
    keys = ",".join(f'"{n}":1' for n in range(60_000))
    assert fault(f'{{"id":1,{keys},"5":2}}') == ("request", "5", 1)


def test_messages_quote_and_say_what_is_allowed() -> None:
    with pytest.raises(ProtocolError, match=r"level: 'clbu' must be one of random, .*expert"):
        read_request(b'{"id": 1, "type": "act", "level": "clbu"}')
    with pytest.raises(ProtocolError, match=r"postion: no such field; did you mean position\?"):
        read_request(b'{"id": 1, "type": "act", "postion": 1}')


def test_an_error_can_be_told_whatever_it_quotes() -> None:
    answer = error_answer(ProtocolError("internal", "\ud800" * 5000))
    check_answer({**answer, "message": "short"})
    assert len(dump(answer)) < 20_000


# --- the schema ------------------------------------------------------------------------------


def test_the_shipped_schema_is_made_from_the_definition() -> None:
    assert json.loads(SHIPPED.read_text("utf-8")) == schema(), (
        "write it anew: json.dumps(schema(), indent=1) and a newline"
    )


def test_the_schema_is_whole() -> None:
    text = json.dumps(schema())
    names = set(re.findall(r'"#/\$defs/([^"]+)"', text))
    assert names == schema()["$defs"].keys()
    kinds = {one["$ref"].rpartition("/")[2] for one in schema()["anyOf"]}
    for group, named in (("request", REQUESTS), ("partial", PARTIALS), ("answer", ANSWERS)):
        assert {f"{group}.{name}" for name in named} <= kinds
    assert ANSWERS.keys() - {"error"} == REQUESTS.keys()


def test_json_schema_agrees() -> None:
    """Another reader of JSON Schema finds the same good and bad."""
    validator = Draft202012Validator(schema())
    good = {"id": 1, "type": "act", "match": "m1", "level": 4, "time_ms": 5.5}
    assert validator.is_valid(good)
    for bad in (good | {"level": "clbu"}, good | {"seed": -1}, good | {"x": 1}, {"type": "act"}):
        assert not validator.is_valid(bad)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        {"id": 1, "type": "act"},
        {"id": 1, "type": "act", "action": "throw KD", "level": "club"},
        {"id": None, "type": "version", "name": "x", "version": "1", "protocol": 1},
        {"id": 1, "type": "version", "partial": True},
        {"id": 1, "type": "error", "code": "odd", "field": None, "message": ""},
    ],
)
def test_what_is_no_answer_is_told(answer: Any) -> None:
    with pytest.raises(FieldError):
        check_answer(answer)


# --- the page --------------------------------------------------------------------------------


def section(name: str) -> str:
    """What the page says under a heading, down to the next of its kind."""
    found = re.search(rf"^### {name}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {name}"
    return found[1]


@pytest.mark.parametrize("name", REQUESTS)
def test_the_page_tells_of_every_field(name: str) -> None:
    told = section(name)
    for field in REQUESTS[name]["properties"].keys() - {"id", "type", "token"}:
        assert f"`{field}`" in told, field
    if name not in ("event", "state"):  # whose answer is that of new_match
        for field in ANSWERS[name]["properties"].keys() - {"id", "type", "stopped"}:
            assert f"`{field}`" in told or f"**{field}**" in told or name == "settle", field


def test_the_page_tells_of_every_code() -> None:
    for code in CODES:
        assert f"| `{code}` |" in PAGE
