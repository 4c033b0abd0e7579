"""Deals as text: one token a turn, and records for files.

This module knows how things are written. What may be played is the core's business: records are
read by playing them.

**Turns.** What happened at the table is one token a turn, the first-turn exchange included:

======================  ==================================================================
``-``                   passed the upcard
``sKD``                 drew from the stock and threw KD
``pKD``                 took the top of the pile and threw KD
``sKD!``                the same and knocked (or ginned), with a spread that the package chooses
``sKD!7S7C7D/AS2S3S``   knocked (or ginned) and showed these melds
``s!!``                 drew and laid down all eleven cards: big gin
``s`` or ``p``          the last token only: drew, and has not thrown yet
======================  ==================================================================

**Records** hold the rules, the 52 cards as dealt, the turns and the result, as one JSON object or
as lines of text; see `okgin_fast.Deal.to_json` and `okgin_fast.Deal.to_text`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from okgin_fast.cards import Hand
from okgin_fast.core.action import Action
from okgin_fast.core.deal import Deal
from okgin_fast.errors import IllegalActionError, NotationError, OkginError, quote
from okgin_fast.rules import Rules, parse_overrides

__all__ = [
    "TURN_FORMS",
    "deal_from_json",
    "deal_from_text",
    "deal_to_json",
    "deal_to_text",
    "play_turns",
    "read_json",
    "rules_words",
    "turns_of",
]

D = TypeVar("D", bound=Deal)

# --- turns ---------------------------------------------------------------------------------

_TURN = re.compile(
    r"-|(?P<draw>[SP])(?:(?P<all>!!)|(?P<card>[^!]+)(?P<knock>!(?P<spread>.+)?)?)?", re.IGNORECASE
)
TURN_FORMS = "-, sKD, pKD, sKD!, sKD!7S7C7D/AS2S3S, s!!"


def turns_of(actions: Iterable[Action]) -> list[str]:
    """Write actions as tokens, one a turn.

    Examples
    --------
    >>> turns_of(map(Action.parse, ["pass", "take 7H", "discard KD", "draw"]))
    ['-', 'pKD', 's']
    """
    turns: list[str] = []
    for action in actions:
        if action.kind in ("pass", "draw", "take"):
            turns.append({"pass": "-", "draw": "s", "take": "p"}[action.kind])
        elif action.kind == "big gin":
            turns[-1] += "!!"
        else:
            shown = "/".join(meld.text(sep="") for meld in action.spread or ())
            turns[-1] += f"{action.card}" + ("" if action.kind == "discard" else f"!{shown}")
    return turns


def _actions(turn: str, deal: Deal) -> Iterator[Action]:
    """Read a token as actions in a deal, the second once the first has been played."""
    read = _TURN.fullmatch(turn)
    if not read:
        raise NotationError(f"this is no turn; allowed: {TURN_FORMS}")
    if not read["draw"]:
        yield Action("pass")
        return
    if read["draw"] in "Ss":
        yield Action("draw")
    elif deal.pile:
        yield Action("take", deal.pile[-1])
    else:
        raise IllegalActionError("the pile is empty")
    if read["all"]:
        yield Action("big gin")
    elif read["card"]:
        spread = read["spread"].split("/") if read["spread"] else None
        yield Action("knock" if read["knock"] else "discard", read["card"], spread)


def play_turns(deal: Deal, turns: Iterable[str]) -> None:
    """Play tokens; an error tells which of them it is."""
    for number, turn in enumerate(turns, 1):
        try:
            for action in _actions(turn, deal):
                deal.apply(action)
        except OkginError as error:
            raise NotationError(f"turn {number} {quote(turn)}: {error}") from None


# --- records -------------------------------------------------------------------------------


def rules_words(rules: Rules) -> list[str]:
    """Write a preset's name, and ``field=value`` for each field that differs from it."""
    return [rules.name, *(f"{field}={value}".lower() for field, value in rules.overrides.items())]


_FORMAT = "okgin deal 1"
_JSON: dict[str, tuple[type | tuple[type, ...], str]] = {
    "format": (str, "text"), "rules": (dict, "an object"), "dealer": (int, "0 or 1"),
    "seed": (int, "a whole number"), "hands": (list, "two texts"), "upcard": (str, "text"),
    "stock": (str, "text"), "turns": (list, "a list of texts"),
    "result": ((dict, type(None)), "an object or null"),
}  # fmt: skip
_TEXT = (
    "format", "rules", "dealer", "seed", "hand 0", "hand 1", "upcard", "stock", "turns", "result",
)  # fmt: skip
_TURNS_A_LINE = 10


def deal_to_json(deal: Deal) -> str:
    """Write a deal; see `okgin_fast.Deal.to_json`."""
    hands, stock = _as_dealt(deal)
    record = {
        "format": _FORMAT,
        "rules": deal.rules.to_dict(),
        "dealer": deal.dealer,
        "seed": deal.seed,
        "hands": hands,
        "upcard": str(deal.upcard),
        "stock": stock,
        "turns": turns_of(deal.actions),
        "result": _result(deal),
    }
    return json.dumps(record, separators=(",", ":"))


def deal_from_json(deal_type: type[D], text: str) -> D:
    """Read a deal; see `okgin_fast.Deal.from_json`."""
    try:
        record = _object_of(text)
        deal = deal_type.from_cards(
            Rules.from_dict(record["rules"]), record["hands"], record["upcard"], record["stock"],
            record["dealer"], record["seed"],
        )  # fmt: skip
        play_turns(deal, record["turns"])
        told, played = record["result"], _result(deal)
        if told and played and told.keys() == played.keys():
            for key, value in played.items():
                _check_result(_json(told[key]), _json(value), f"result {key}")
        else:
            _check_result(_json(told), _json(played))
    except RecursionError:
        raise NotationError(f"{quote(text)} is no deal: nested too deeply") from None
    return deal


def _object_of(text: str) -> dict[str, Any]:
    """Read JSON strictly; give an object with a record's keys and values of the right types."""
    if not isinstance(text, str):
        raise NotationError(f"{quote(text)} is no deal: a record is text")
    record = read_json(text)
    if not isinstance(record, dict):
        raise NotationError(f"{quote(text)} is no deal: must be a JSON object")
    _check_keys(record, _JSON)
    wrong = [
        f"{key} {quote(value)}: must be {allowed}"
        for key, (kind, allowed) in _JSON.items()
        if isinstance(value := record[key], bool)
        or not isinstance(value, kind)
        or (isinstance(value, list) and not all(isinstance(one, str) for one in value))
    ]
    if wrong:
        raise NotationError("; ".join(wrong))
    return record


def read_json(text: str) -> Any:
    """Read JSON that all readers read alike: no key twice, no number that is none.

    Raises
    ------
    NotationError
    RecursionError
        It is nested too deeply.

    Examples
    --------
    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    okgin_fast.errors.NotationError: key 'a' is there twice
    """
    try:
        return json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
    except NotationError:
        raise
    except ValueError as error:
        raise NotationError(f"{quote(text)} is no JSON: {error}") from None


def _json(value: object) -> str:
    """Write a value so that it can be compared: in JSON true is not 1."""
    return json.dumps(value, sort_keys=True)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that is there twice, of which Python would keep the last."""
    record = dict(pairs)
    if len(record) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise NotationError(f"key {quote(twice)} is there twice")
    return record


def _no_constant(name: str) -> None:
    raise NotationError(f"{name} is no JSON: numbers are whole and finite")


def deal_to_text(deal: Deal) -> str:
    """Write a deal; see `okgin_fast.Deal.to_text`."""
    (hand0, hand1), stock = _as_dealt(deal)
    turns = turns_of(deal.actions)
    lines = [turns[i : i + _TURNS_A_LINE] for i in range(0, len(turns), _TURNS_A_LINE)]
    values = (
        _FORMAT, " ".join(rules_words(deal.rules)), deal.dealer, deal.seed,
        hand0, hand1, deal.upcard, stock, "\n       ".join(map(" ".join, lines)), _outcome(deal),
    )  # fmt: skip
    return "\n".join(f"{key}: {value}".rstrip() for key, value in zip(_TEXT, values, strict=True))


def deal_from_text(deal_type: type[D], text: str) -> D:
    """Read a deal; see `okgin_fast.Deal.from_text`."""
    record = _lines_of(text)
    name, *changes = record["rules"].split() or [""]
    dealer, seed = (_number(key, record[key]) for key in ("dealer", "seed"))
    deal = deal_type.from_cards(
        Rules.preset(name, **parse_overrides(changes)), (record["hand 0"], record["hand 1"]),
        record["upcard"], record["stock"], dealer, seed,
    )  # fmt: skip
    play_turns(deal, record["turns"].split())
    _check_result(record["result"], _outcome(deal))
    return deal


def _lines_of(text: str) -> dict[str, str]:
    """Read ``key: value`` lines; one that begins with a space goes on with the value before."""
    if not isinstance(text, str):
        raise NotationError(f"{quote(text)} is no deal: a record is text")
    pairs: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        key, colon, value = line.partition(":")
        if line[:1].isspace() and pairs:
            pairs[-1] = pairs[-1][0], f"{pairs[-1][1]} {line.strip()}"
        elif colon:
            pairs.append((key.strip(), value.strip()))
        elif line.strip():
            raise NotationError(f"line {number} {quote(line)}: must be a key, a colon and a value")
    record = _distinct(pairs)
    _check_keys(record, _TEXT)
    return record


def _number(key: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,20}", text):
        raise NotationError(f"{key} {quote(text)}: must be a whole number from 0 up")
    return int(text)


def _check_keys(record: Mapping[str, Any], keys: Iterable[str]) -> None:
    """The keys are those of a record in this format."""
    faults = [f"no key {quote(key)}: allowed are {', '.join(keys)}" for key in record.keys() - keys]
    faults += [f"{key} is missing" for key in keys if key not in record]
    if faults:
        raise NotationError("; ".join(faults))
    if record["format"] != _FORMAT:
        raise NotationError(f"format {quote(record['format'])}: must be {_FORMAT!r}")


def _check_result(told: str, played: str, what: str = "result") -> None:
    if told != played:
        raise NotationError(f"{what} {quote(told, 200)}: the turns come to {played}")


def _as_dealt(deal: Deal) -> tuple[list[str], str]:
    """The hands, and the stock from its top."""
    cards = deal.cards
    return [Hand(cards[:10]).text(), Hand(cards[10:20]).text()], " ".join(map(str, cards[21:]))


def _result(deal: Deal) -> dict[str, Any] | None:
    """Write how a deal ended for JSON: a result's fields, and of the hands what was shown."""
    result = deal.result
    if result is None:
        return None
    shown, answer = result.spread, result.layoff
    return {
        "kind": result.kind,
        "winner": result.winner,
        "points": result.points,
        "knocker": result.knocker,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        "spread": shown and [meld.text() for meld in shown.melds],
        "laid_off": answer and [[str(card), meld] for card, meld in answer.laid_off],
    }


def _outcome(deal: Deal) -> str:
    """Write how a deal ended for people."""
    result = deal.result
    if result is None:
        return "unfinished"
    if result.knocker is None:
        return result.kind
    left = f"{result.knocker_deadwood} against {result.defender_deadwood}"
    if result.winner is None:
        return f"{result.kind}, {left}"
    return f"{result.kind}, seat {result.winner} scores {result.points}, {left}"
