"""What is asked and answered, as messages: positions, limits, cards, advice."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeAlias

from okgin_fast.advice import Advice, Candidate, Opponent
from okgin_fast.cards import RANKS, SUITS, Card, CardsLike, Hand, to_card
from okgin_fast.deal import Action, View
from okgin_fast.errors import OkginError
from okgin_fast.limit import Limit, as_limit

__all__ = ["Message", "Position", "advice_of", "cards_field", "limit_fields", "position_fields"]

Position: TypeAlias = View | str | Mapping[str, Any]
Message: TypeAlias = dict[str, Any]


def position_fields(position: Position | None, match: str | None) -> Message:
    """Say what is asked about: a position, or a match that the server follows."""
    if (position is None) == (match is None):
        raise OkginError("give a position or a match, one of them")
    if isinstance(position, View):
        return {"position": position.position()}
    return {"position": position, "match": match}


def limit_fields(limit: Limit | None) -> Message:
    """Say how long to think, to the server and (``thinking``, seconds) to who waits for it."""
    if limit is None:
        return {}
    if as_limit(limit).stop is not None:
        raise OkginError("a limit's stop= stays in this process: call the engine's stop()")
    thinking = (limit.time_ms or 0) / 1000
    return {"time_ms": limit.time_ms, "rollouts": limit.rollouts, "thinking": thinking}


def cards_field(cards: CardsLike | None) -> str | None:
    """Write cards as text."""
    return None if cards is None else Hand(cards).text()


def advice_of(answer: Message) -> Advice:
    """Read what `Advice.to_dict` wrote."""
    names = [field.name for field in dataclasses.fields(Candidate)]
    candidates = [
        Candidate(
            **{name: found[name] for name in names}
            | {"action": Action.parse(found["action"]), "outs": Hand(found["outs"])}
        )
        for found in answer["candidates"]
    ]
    seen = answer["opponent"]
    opponent = Opponent(
        known=Hand(seen["known"]),
        likely=tuple(map(to_card, seen["likely"])),
        chances=tuple(seen["chances"].get(str(card), 0.0) for card in map(Card, range(52))),
        sets=tuple(seen["sets"][rank] for rank in RANKS),
        runs=tuple(seen["runs"][suit] for suit in SUITS),
        deadwood=seen["deadwood"],
        hands=seen["hands"],
    )
    return Advice(tuple(candidates), answer["rollouts"], opponent)
