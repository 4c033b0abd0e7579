"""Deals gone over as lines of a file, and read back from it: an analysis can be resumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from okgin_fast.analysis.results import MARKS, DealAnalysis, Step
from okgin_fast.cards import Card, Hand
from okgin_fast.deal import Action, Deal

__all__ = ["read", "saved"]

T = TypeVar("T")


def saved(found: DealAnalysis) -> dict[str, Any]:
    """A deal's record, and what was found, as JSON has it."""
    return {"record": _record(found.deal), "analysis": found.to_dict()}


def read(told: Mapping[str, Any], deal: Deal) -> DealAnalysis:
    """Read what `saved` gave, of this deal.

    Raises
    ------
    ValueError, LookupError, TypeError
        It is something else, or of another deal.
    """
    if told["record"] != _record(deal):
        raise ValueError("another deal")
    found = told["analysis"]
    steps = tuple(map(_step, found["steps"]))
    if tuple(step.action for step in steps) != deal.actions:
        raise ValueError("other actions")
    score = found["score"]
    return DealAnalysis(
        number=int(found["number"]),
        deal=deal,
        match=_maybe(int, found["match"]),
        score=None if score is None else (int(score[0]), int(score[1])),
        won=_maybe(int, found["match_winner"]),
        point=float(found["point"]),
        start=float(found["start"]),
        dealt=float(found["dealt"]),
        steps=steps,
        end=float(found["end"]),
    )


def _record(deal: Deal) -> Any:
    return json.loads(deal.to_json())


def _step(told: Mapping[str, Any]) -> Step:
    if told["mark"] not in (*MARKS, None):
        raise ValueError("no mark")
    return Step(
        number=int(told["number"]),
        turn=int(told["turn"]),
        seat=int(told["seat"]),
        hand=Hand(told["hand"]),
        top=_maybe(Card, told["top"]),
        action=Action.parse(told["action"]),
        choices=int(told["choices"]),
        best=_maybe(Action.parse, told["best"]),
        equity=_maybe(float, told["equity"]),
        equity_se=_maybe(float, told["equity_se"]),
        loss=float(told["loss"]),
        loss_se=float(told["loss_se"]),
        mark=told["mark"],
        better=str(told["better"]),
        played=str(told["played"]),
        drawn=_maybe(Card, told["drawn"]),
        luck=_maybe(float, told["luck"]),
        luck_se=_maybe(float, told["luck_se"]),
        value=float(told["value"]),
        hidden=float(told["hidden"]),
    )


def _maybe(of: Callable[[Any], T], told: object) -> T | None:
    return None if told is None else of(told)
