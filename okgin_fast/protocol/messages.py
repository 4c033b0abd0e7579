"""Every message of the protocol, once: what a request may ask, and what is in an answer.

Checks, the JSON Schema and the tests are made from this. How a request is answered is the server's
business.
"""

from __future__ import annotations

from dataclasses import fields

from okgin_fast.agents import AGENTS, LEVELS
from okgin_fast.protocol.shapes import (
    ANYTHING,
    Shape,
    choice,
    either,
    flag,
    list_of,
    nullable,
    number,
    open_record,
    record,
    text,
    whole,
)
from okgin_fast.rules import Rules

__all__ = ["ANSWERS", "CODES", "ID", "LONGEST_LINE", "PARTIALS", "PARTS", "PROTOCOL", "REQUESTS"]

PROTOCOL = 1
"""The number of this protocol: it changes when a client would have to."""
LONGEST_LINE = 1 << 20
"""Bytes of a line, its newline included."""
MOST_TIME, MOST_ROLLOUTS, MOST_SEED = 3_600_000, 10_000_000, 2**64 - 1

CODES = {
    "line": "the line is no JSON object: not JSON, not UTF-8, too long, nested too deeply",
    "request": "a field is missing, unknown, there twice, or not of its kind",
    "input": "the cards, the position, the rules, the action or the record cannot be",
    "busy": "too much of this client is waiting already; ask again later",
    "stopped": "the request was stopped before it began",
    "token": "the first line of a connection did not carry the token; the connection is closed",
    "internal": "the server has a fault; the request is lost, the server goes on",
}
"""What an error's ``code`` can be."""

# ------------------------------------------------------------------------------------------- parts

ID = either(
    text("a text", 100, minLength=1),
    whole(-(2**53), 2**53, "a number"),
    description="a text of 1 to 100 characters, or a whole number from -2**53 to 2**53",
)
SEAT = choice(0, 1, description="0 or 1")
CARD = text("a card, such as 7H", 10, format="card")
CARDS = either(
    text("cards, such as AS 2S 3S", 300),
    list_of(text("a card, such as 7H", 10), "cards", most=52),
    description="cards as text, such as AS 2S 3S, or a list of cards",
    format="cards",
)
RULES = either(
    text("a preset's name", 50, format="preset"),
    record(
        "fields of the rules: name is the preset, the others change it",
        {},
        {field.name: ANYTHING for field in fields(Rules)},
        format="rules",
    ),
    description="a preset's name, or an object: name is the preset, the other fields change it",
)
SCORE = list_of(whole(0, 1_000_000, "points"), "two scores", 2, 2)
TURNS = list_of(text("a turn, such as -, sKD or pKD", 100), "the turns played so far, oldest first")
POSITION = either(
    text("a position as key=value words", 4000),
    record(
        "a position, word by word",
        {"hand": CARDS, "upcard": CARD},
        {
            "rules": RULES,
            "pile": CARDS,
            "taken": CARD,
            "known": CARDS,
            "refused": CARDS,
            "stock": whole(0, 31, "cards in the stock"),
            "score": SCORE,
            "dealer": choice("me", "opponent", description="me or opponent"),
            "seat": SEAT,
            "events": TURNS,
        },
    ),
    description="a position, as one text of key=value words or as an object of them",
)
MATCH = text("the name that new_match gave", 50)
SEED = whole(0, MOST_SEED, "the same seed and rollouts give the same answer; 0 if not given")
LIMITS = {
    "time_ms": number(0.1, MOST_TIME, "milliseconds to think"),
    "rollouts": whole(1, MOST_ROLLOUTS, "how often each action is played out"),
    "seed": SEED,
    "every_ms": number(10, MOST_TIME, "milliseconds between partial results"),
}
WHERE = {"position": POSITION, "match": MATCH}
RECORD = either(
    text("a record as text", 200_000),
    {"type": "object", "description": "a record as an object", "properties": {}, "required": [],
     "additionalProperties": True},
    description="a record of a deal, as text or as the object that Deal.to_json writes",
)  # fmt: skip

# ---------------------------------------------------------------------------------------- requests


def _request(name: str, required: dict[str, Shape], optional: dict[str, Shape]) -> Shape:
    common = {"id": ID, "type": {"enum": [name], "description": f"{name!r}"}}
    token = text("the token of the server, in the first line of a connection", 200)
    return record(f"the request {name}", common | required, {**optional, "token": token})


_LEVEL = either(
    choice(*AGENTS, description=f"one of {', '.join(AGENTS)}"),
    whole(1, len(LEVELS), "a level"),
    description=f"one of {', '.join(AGENTS)}, or a level's number from 1 to {len(LEVELS)}",
)

REQUESTS: dict[str, Shape] = {
    name: _request(name, required, optional)
    for name, (required, optional) in {
        "version": ({}, {}),
        "options": ({}, {}),
        "rules": ({}, {"rules": RULES}),
        "advise": ({}, {**WHERE, **LIMITS}),
        "act": ({}, {**WHERE, "level": _LEVEL, **LIMITS}),
        "melds": (
            {"hand": CARDS},
            {
                "limit": whole(0, 10, "the knock limit; or give rules and upcard"),
                "rules": RULES,
                "upcard": CARD,
                "taken": CARD,
                "against": list_of(CARDS, "melds to lay off on", most=10),
            },
        ),
        "settle": (
            {"knocker": CARDS, "defender": CARDS},
            {
                "melds": list_of(CARDS, "how the knocker spreads his melds", most=4),
                "rules": RULES,
                "upcard": CARD,
            },
        ),
        "new_match": ({"seat": SEAT}, {"rules": RULES, "dealer": SEAT}),
        "event": (
            {"match": MATCH, "event": text("deal, or an action such as discard KD", 200)},
            {
                "seat": SEAT,
                "hand": CARDS,
                "upcard": CARD,
                "dealer": SEAT,
                "card": CARD,
                "shown": CARDS,
            },
        ),
        "state": ({"match": MATCH}, {}),
        "end_match": ({"match": MATCH}, {}),
        "analyse": (
            {
                "record": either(
                    RECORD,
                    list_of(RECORD, "records of deals", 1, 1000),
                    description="a record of a deal, or a list of them",
                ),
                "open_cards": {"enum": [True], "description": "true: a record shows all cards"},
            },
            {
                "rollouts": whole(2, 100_000, "how often each figure is played out"),
                "seed": SEED,
                "every_ms": LIMITS["every_ms"],
                "score": SCORE,
                "points": flag("true: measure in points, not in chances of the match"),
            },
        ),
        "stop": ({}, {"target": ID}),
        "quit": ({}, {}),
    }.items()
}
"""Requests by their ``type``."""

# ----------------------------------------------------------------------------------------- answers

_NAMES = list_of(text("a card", 2), "cards", most=52)
_MELDS = list_of(_NAMES, "melds, each a list of cards", most=17)
_WORD = text("a word", 100)
_SENTENCE = text("a sentence", 2000)
_CHANCE = number(0, 1, "a chance")
_POINTS = {"type": "number", "minimum": -1e6, "maximum": 1e6, "description": "points"}
_ERROR = {"type": "number", "minimum": 0, "maximum": 1e6, "description": "a standard error"}
_COUNT = whole(0, MOST_SEED, "how many")
_SCORES = list_of(whole(0, 10**9, "points"), "points of seat 0 and seat 1", 2, 2)
_RULES = {
    "type": "object", "description": "all fields of the rules",
    "properties": {field.name: ANYTHING for field in fields(Rules)},
    "required": [field.name for field in fields(Rules)], "additionalProperties": False,
}  # fmt: skip
_WINNER = nullable(SEAT)


def _answer(name: str, required: dict[str, Shape], optional: dict[str, Shape]) -> Shape:
    common = {"id": ID, "type": {"enum": [name], "description": f"{name!r}"}}
    return record(f"the answer to {name}", common | required, optional)


_ACTION = text("an action, such as discard KD", 200, format="action")
_STOPPED = {"stopped": {"enum": [True], "description": "true: it was stopped, and is what it had"}}
_FOUND = {
    "action": _ACTION,
    "equity": _POINTS,
    "se": nullable(_ERROR),
    "match": nullable(_CHANCE),
    "match_se": nullable(_ERROR),
    "knock": _CHANCE,
    "gin": _CHANCE,
    "undercut": _CHANCE,
    "lose": _CHANCE,
    "dead": _CHANCE,
    "rollouts": _COUNT,
}
_CANDIDATE = record(
    "an action and what it is worth; see Candidate",
    _FOUND
    | {
        "loss": _POINTS,
        "loss_se": nullable(_ERROR),
        "match_loss": nullable(number(-1, 1, "a chance less")),
        "match_loss_se": nullable(_ERROR),
        "deadwood": _COUNT,
        "outs": _NAMES,
        "danger": nullable(_CHANCE),
        "reason": _SENTENCE,
    },
)
_BY_NAME = open_record("chances by name")
_OPPONENT = record(
    "what the opponent may hold; see Opponent",
    {
        "known": _NAMES,
        "likely": _NAMES,
        "chances": _BY_NAME,
        "sets": _BY_NAME,
        "runs": _BY_NAME,
        "deadwood": _POINTS,
        "hands": _COUNT,
    },
)
_SPREAD = record("a hand as it is spread", {"melds": _MELDS, "unmelded": _NAMES})
_LAYOFF = record(
    "how a hand is laid off and melded",
    {
        "deadwood": _COUNT,
        "melds": _MELDS,
        "laid_off": list_of(
            list_of(ANYTHING, "a card, and the number of the meld it goes on, from 0", 2, 2),
            "cards laid off, in the order in which they are",
        ),
        "left": _NAMES,
    },
)
_RESULT = record(
    "how a deal ended; see DealResult",
    {
        "kind": choice(
            "knock", "gin", "big_gin", "undercut", "tie", "dead", description="an ending"
        ),
        "winner": _WINNER,
        "points": _COUNT,
        "knocker": _WINNER,
        "knocker_deadwood": nullable(_COUNT),
        "defender_deadwood": nullable(_COUNT),
        "spread": nullable(_SPREAD),
        "layoff": nullable(_LAYOFF),
    },
)
_DEAL = record(
    "the deal that is being played, as the seat sees it",
    {
        "number": _COUNT,
        "dealer": SEAT,
        "phase": choice("upcard", "draw", "throw", description="what comes next"),
        "to_move": SEAT,
        "hand": _NAMES,
        "upcard": CARD,
        "limit": _COUNT,
        "pile": _NAMES,
        "taken": nullable(CARD),
        "known": _NAMES,
        "refused": _NAMES,
        "stock": _COUNT,
        "turn": _COUNT,
        "events": list_of(text("a turn", 100), "the turns so far", most=2100),
        "legal": list_of(_ACTION, "what the seat may do now"),
        "position": text("the same as a position", 10_000),
    },
)
_GAME = record(
    "a game of the match",
    {"scores": _SCORES, "winner": _WINNER},
)
_FINAL = record(
    "what the match has come to",
    {
        "winner": _WINNER,
        "totals": _SCORES,
        "games": list_of(
            record(
                "what a game has come to; see GameResult",
                {
                    "winner": _WINNER,
                    "scores": _SCORES,
                    "boxes": _SCORES,
                    "game_bonus": _SCORES,
                    "shutout": _SCORES,
                    "totals": _SCORES,
                },
            ),
            "one game, or Hollywood's three",
        ),
    },
)
_STATE: dict[str, Shape] = {
    "match": MATCH,
    "seat": SEAT,
    "rules": _RULES,
    "dealer": nullable(SEAT),
    "scores": nullable(_SCORES),
    "games": list_of(_GAME, "one game, or Hollywood's three"),
    "deals": list_of(
        record(
            "a finished deal",
            {"dealer": SEAT, "kind": _WORD, "winner": _WINNER, "points": _COUNT},
        ),
        "the finished deals",
        most=100_000,
    ),
    "deal": nullable(_DEAL),
    "result": nullable(_RESULT),
    "over": flag("whether the match is over"),
    "final": nullable(_FINAL),
}

ANSWERS: dict[str, Shape] = {
    name: _answer(name, required, optional)
    for name, (required, optional) in {
        "version": ({"name": _WORD, "version": _WORD, "protocol": _COUNT}, {}),
        "options": (
            {
                "levels": list_of(_WORD, "levels, from the weakest to the strongest"),
                "players": list_of(_WORD, "players to measure others against"),
                "presets": list_of(_WORD, "rules by name"),
                "workers": _COUNT,
                "queue": _COUNT,
                "matches": _COUNT,
                "line_bytes": _COUNT,
            },
            {},
        ),
        "rules": (
            {
                "rules": list_of(
                    record(
                        "rules, by field and in words",
                        {"fields": _RULES, "text": list_of(_SENTENCE, "one sentence a rule")},
                    ),
                    "the rules asked for, or all presets",
                )
            },
            {},
        ),
        "advise": (
            {
                "position": text("the position that it is for", 10_000),
                "best": _ACTION,
                "candidates": list_of(_CANDIDATE, "every legal action, the best first"),
                "rollouts": _COUNT,
                "opponent": _OPPONENT,
            },
            _STOPPED,
        ),
        "act": ({"action": _ACTION, "level": _WORD}, _STOPPED),
        "melds": (
            {
                "hand": _NAMES,
                "points": _COUNT,
                "deadwood": _COUNT,
                "arrangements": list_of(_SPREAD, "the ways to spread it that leave least"),
                "limit": nullable(_COUNT),
                "throws": list_of(
                    record(
                        "a throw, and what it leaves",
                        {
                            "card": CARD,
                            "deadwood": _COUNT,
                            "knock": nullable(flag("whether it may knock")),
                            "gin": flag("whether it is gin"),
                        },
                    ),
                    "of eleven cards, the best first; else none",
                ),
                "layoff": nullable(_LAYOFF),
            },
            {},
        ),
        "settle": (dict(_RESULT["properties"]), {}),
        "new_match": (_STATE, {}),
        "event": (_STATE, {}),
        "state": (_STATE, {}),
        "end_match": ({"match": MATCH}, {}),
        "analyse": (
            {
                "analysis": open_record("what okgin analyse --json gives")
            },
            _STOPPED,
        ),
        "stop": ({"stopped": _COUNT}, {}),
        "quit": ({}, {}),
    }.items()
}  # fmt: skip
"""Final answers by their ``type``."""

ANSWERS["error"] = record(
    "what is wrong with a request; its id is null where the line has none that can be read",
    {
        "id": nullable(ID),
        "type": {"enum": ["error"], "description": "'error'"},
        "code": choice(*CODES, description="the kind of error"),
        "field": nullable(text("the field that is wrong, such as position.hand", 1000)),
        "message": _SENTENCE,
    },
)

_PARTIAL = {"partial": {"enum": [True], "description": "true: more is to come"}}
PARTIALS: dict[str, Shape] = {
    name: _answer(name, _PARTIAL | {"candidates": found}, {})
    for name in ("advise", "act")
    for found in [
        list_of(record("an action, so far", _FOUND), "actions that are being compared, best first")
    ]
}
"""Partial results by their ``type``."""
PARTIALS["analyse"] = _answer("analyse", _PARTIAL | {"done": _COUNT, "of": _COUNT}, {})

PARTS: dict[str, Shape] = {
    "id": ID,
    "seat": SEAT,
    "card": CARD,
    "cards": CARDS,
    "rules": RULES,
    "position": POSITION,
    "record": RECORD,
    "all_rules": _RULES,
    "action": _ACTION,
    "candidate": _CANDIDATE,
    "opponent": _OPPONENT,
    "spread": _SPREAD,
    "layoff": _LAYOFF,
    "result": _RESULT,
    "deal": _DEAL,
    "final": _FINAL,
}
"""What many messages are made of, by name."""
