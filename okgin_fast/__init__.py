"""Gin rummy, exactly and fast: a solver and an opponent for Oklahoma Gin and its relatives."""

from okgin_fast.advice import Advice, Candidate, advise
from okgin_fast.agents import Agent, agent
from okgin_fast.arena import arena, round_robin
from okgin_fast.cards import Card, Hand
from okgin_fast.core import batch, encoding
from okgin_fast.core.meld import Discard, deadwood, discards
from okgin_fast.core.spread import LayOff, Spread, best_spread, layoff, spreads
from okgin_fast.core.vector import VectorDeals
from okgin_fast.deal import Action, Deal, DealResult, Event, View, settle
from okgin_fast.equity import deal_worth, match_equity
from okgin_fast.errors import (
    CardError,
    IllegalActionError,
    NotationError,
    OkginError,
    PositionError,
    RulesError,
)
from okgin_fast.limit import Limit
from okgin_fast.match import Match, MatchResult, play_match
from okgin_fast.rules import Rules

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Advice",
    "Agent",
    "Candidate",
    "Card",
    "CardError",
    "Deal",
    "DealResult",
    "Discard",
    "Event",
    "Hand",
    "IllegalActionError",
    "LayOff",
    "Limit",
    "Match",
    "MatchResult",
    "NotationError",
    "OkginError",
    "PositionError",
    "Rules",
    "RulesError",
    "Spread",
    "VectorDeals",
    "View",
    "advise",
    "agent",
    "arena",
    "batch",
    "best_spread",
    "deadwood",
    "deal_worth",
    "discards",
    "encoding",
    "layoff",
    "match_equity",
    "play_match",
    "round_robin",
    "settle",
    "spreads",
]
