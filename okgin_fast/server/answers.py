"""What each request comes to. Nothing here knows of threads or clients.

`QUICK` requests are answered at once. `LONG` ones are first read, in the order in which they came,
and then done by whatever thread is free.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import okgin_fast
from okgin_fast.advice import advise
from okgin_fast.agents import AGENTS, LEVELS, agent
from okgin_fast.agents.expert import ExpertAgent
from okgin_fast.agents.turn import legal_now
from okgin_fast.analysis import Record, analyse, read_records
from okgin_fast.cards import Hand
from okgin_fast.core.meld import discards
from okgin_fast.core.spread import Spread, best_spread, layoff, spreads
from okgin_fast.deal import View, settle
from okgin_fast.errors import OkginError
from okgin_fast.limit import Limit
from okgin_fast.protocol import PROTOCOL, FieldError
from okgin_fast.rules import PRESETS, Rules
from okgin_fast.server.matches import FollowedMatch
from okgin_fast.server.texts import layoff_fields, names, result_fields, spread_fields
from okgin_fast.server.watch import Watch, WatchedLimit

__all__ = ["LONG", "QUICK", "Thinking", "Work", "rules_of", "the_match"]

Request: TypeAlias = Mapping[str, Any]
Fields: TypeAlias = dict[str, Any]
Matches: TypeAlias = Mapping[str, FollowedMatch]

ELEVEN, MOST_ARRANGED = 11, 13
ADVICE_MS = 200.0


class Thinking(NamedTuple):
    """What long work is given while it goes on.

    Attributes
    ----------
    stop : threading.Event
        Set by whoever wants no more of it.
    tell : callable
        Takes the fields of a partial result.
    """

    stop: threading.Event
    tell: Callable[[Fields], None]


Work: TypeAlias = Callable[[Thinking], Fields]

# -------------------------------------------------------------------------------- answered at once


def rules_of(request: Request) -> Rules:
    """The rules that a request names: a preset, or one with changes."""
    rules = request.get("rules", "oklahoma")
    return Rules.from_dict(rules) if isinstance(rules, dict) else PRESETS[rules]


def _version(request: Request) -> Fields:
    return {"name": "okgin_fast", "version": okgin_fast.__version__, "protocol": PROTOCOL}


def _rules(request: Request) -> Fields:
    chosen = [rules_of(request)] if "rules" in request else list(PRESETS.values())
    return {"rules": [{"fields": one.to_dict(), "text": one.describe()} for one in chosen]}


def _options(request: Request) -> Fields:
    return {
        "levels": list(LEVELS),
        "players": [name for name in AGENTS if name not in LEVELS],
        "presets": list(PRESETS),
    }


def _melds(request: Request) -> Fields:
    hand, rules = Hand(request["hand"]), rules_of(request)
    limit = request.get("limit")
    if limit is None and ("upcard" in request or rules.knock != "upcard"):
        limit = rules.knock_limit(request.get("upcard"))
    elif limit is not None and ("upcard" in request or "rules" in request):
        raise FieldError("limit", "give it, or rules and upcard")
    taken = request.get("taken")
    if taken is not None and (len(hand) != ELEVEN or taken not in hand):
        raise FieldError("taken", f"{taken} must be one of eleven cards")
    banned = None if rules.may_discard_taken else taken
    arranged = spreads(hand) if len(hand) <= MOST_ARRANGED else [best_spread(hand)]
    throws = discards(hand, limit or 0, banned) if len(hand) == ELEVEN else []
    answer = None
    if "against" in request:
        try:
            answer = layoff(hand, request["against"])
        except OkginError as error:
            raise FieldError("against", str(error)) from None
    return {
        "hand": names(hand),
        "points": hand.points,
        "deadwood": arranged[0].deadwood,
        "arrangements": [spread_fields(spread) for spread in arranged],
        "limit": limit,
        "throws": [
            {
                "card": str(throw.card),
                "deadwood": throw.deadwood,
                "knock": None if limit is None else throw.knock,
                "gin": throw.gin,
            }
            for throw in throws
        ],
        "layoff": None if answer is None else layoff_fields(answer),
    }


def _settle(request: Request) -> Fields:
    knocker, defender, rules = Hand(request["knocker"]), request["defender"], rules_of(request)
    upcard = request.get("upcard")
    if len(Hand(defender)) != 10:
        raise FieldError("defender", f"has {len(Hand(defender))} cards: must be ten")
    try:
        rules.knock_limit(upcard)
    except OkginError as error:
        raise FieldError("upcard", str(error)) from None
    if "melds" not in request:
        return result_fields(settle(knocker, defender, rules, upcard))
    melds = tuple(map(Hand, request["melds"]))
    unmelded = knocker - [card for meld in melds for card in meld]
    try:
        shown = Spread(melds, unmelded, unmelded.points)
        return result_fields(settle(shown, defender, rules, upcard))
    except OkginError as error:
        raise FieldError("melds", str(error)) from None


QUICK: dict[str, Callable[[Request], Fields]] = {
    "version": _version,
    "options": _options,
    "rules": _rules,
    "melds": _melds,
    "settle": _settle,
}
"""Requests that are answered at once."""

# ------------------------------------------------------------------------------------ thought over


def the_match(request: Request, matches: Matches) -> FollowedMatch:
    """The open match that a request names."""
    match = matches.get(request["match"])
    if match is None:
        known = ", ".join(list(matches)[:20]) or "none"
        raise FieldError("match", f"{request['match']!r} is not open; open are {known}")
    return match


def _view(request: Request, matches: Matches) -> View:
    """The view that a request is about; the seat is to move."""
    if ("position" in request) == ("match" in request):
        raise FieldError("position", "give a position or a match, one of them")
    if "match" in request:
        view = the_match(request, matches).view
        if view is None:
            raise FieldError("match", "no deal is being played")
    else:
        position = request["position"]
        if isinstance(position, dict):
            position = position | {"rules": rules_of(position)}
        view = View.from_position(position)
    legal_now(view)
    return view


def _limit(request: Request, thinking: Thinking, default: Limit) -> Limit:
    time_ms, rollouts = request.get("time_ms"), request.get("rollouts")
    if time_ms is None and rollouts is None:
        time_ms, rollouts = default.time_ms, default.rollouts
    watch = Watch(request["every_ms"], thinking.tell) if "every_ms" in request else None
    return WatchedLimit(time_ms, rollouts, thinking.stop, watch)


def _advise(request: Request, matches: Matches) -> Work:
    view = _view(request, matches)

    def work(thinking: Thinking) -> Fields:
        limit = _limit(request, thinking, Limit(time_ms=ADVICE_MS))
        found = advise(view, limit, request.get("seed", 0))
        return {"position": view.position(), **found.to_dict()}

    return work


_player = lru_cache(maxsize=256)(agent)  # players remember nothing, so that one does for all


def _act(request: Request, matches: Matches) -> Work | Fields:
    view, seed = _view(request, matches), request.get("seed", 0)
    level = request.get("level", "expert")
    name = list(LEVELS)[level - 1] if isinstance(level, int) else level
    if name != "expert":
        return {"action": str(_player(name, seed).act(view)), "level": name}

    def work(thinking: Thinking) -> Fields:
        player = ExpertAgent(seed, _limit(request, thinking, ExpertAgent().limit))
        return {"action": str(player.act(view)), "level": name}

    return work


def _analyse(request: Request, matches: Matches) -> Work:
    record = request["record"]
    records: list[Record] = []
    for place, one in enumerate(record if isinstance(record, list) else [record]):
        field = f"record[{place}]" if isinstance(record, list) else "record"
        try:
            found = read_records(one if isinstance(one, str) else json.dumps(one))
        except RecursionError:
            raise FieldError(field, "nested too deeply") from None
        for read in found:
            if read.error is not None:
                raise FieldError(field, f"line {read.line}: {read.error}")
        records += found
    if all(read.deal is None for read in records):
        raise FieldError("record", "there is no deal in it")

    def work(thinking: Thinking) -> Fields:
        every_ms = request.get("every_ms")
        watch = None if every_ms is None else Watch(every_ms, thinking.tell)

        def progress(done: int, of: int) -> None:
            if watch is not None and done < of and watch.due():
                watch.tell({"done": done, "of": of})

        limit = Limit(rollouts=request.get("rollouts", 1000), stop=thinking.stop)
        score = request.get("score")
        found = analyse(
            records,
            limit,
            request.get("seed", 0),
            score=None if score is None else (score[0], score[1]),
            points=request.get("points", False),
            progress=progress,
        )
        return {"analysis": found.to_dict()}

    return work


LONG: dict[str, Callable[[Request, Matches], Work | Fields]] = {
    "advise": _advise,
    "act": _act,
    "analyse": _analyse,
}
"""Requests that are thought over; what comes as fields has needed no thought."""
