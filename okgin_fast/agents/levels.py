"""Levels: players from `beginner` to `expert`, each clearly stronger than the one before.

The weaker ones err as people do who are new to the game: they forget what was thrown, take cards
that make no meld, knock as soon as they may, wait for cards that cannot come any more. Every level
leaves off some of that. None plays at random or lets the other side win, and none sees more than
the others. How far apart they are is measured: README has the ladder.

All but the expert decide at one look, by a policy of the core, in microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from okgin_fast.agents.expert import ExpertAgent
from okgin_fast.agents.turn import legal_now
from okgin_fast.core.policy import Policy
from okgin_fast.deal import Action, View
from okgin_fast.match import Agent

__all__ = [
    "LEVELS",
    "BeginnerAgent",
    "CasualAgent",
    "ClubAgent",
    "MasterAgent",
    "NoviceAgent",
    "StrongAgent",
]

# All weights are given, so that a policy tuned anew for the expert leaves the levels as they are.
SOUND: dict[str, Any] = {
    "pair": 150,
    "gap": 60,
    "fade": 230,
    "danger": 320,
    "danger_known": 872,
    "danger_sure": 5120,
    "doubt": 2,
    "window": 9,
    "knock": (10, 10, 10, 0),
    "saves": 0,
    "memory": 32,
}
"""About the best that one look comes to, whoever the other side is."""
CARELESS = {"danger": 0, "danger_known": 0, "danger_sure": 0}
"""Never asks what the other side may do with a card."""
AT_ONCE = (10,)
"""Knocks whenever it may."""


def _sound_but(**errors: Any) -> Policy:
    return Policy(**SOUND | errors)


class _AtOneLook:
    """A player who goes by a policy.

    Parameters
    ----------
    seed : int
        Not used: this player has no choices to make at random.
    """

    policy: Policy

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        legal_now(view)
        return self.policy.act(view)


class BeginnerAgent(_AtOneLook):
    """Level 1: collects whatever might become a meld, and never gives up on it.

    Keeps pairs and neighbours however dear and however late, even if the cards it waits for lie in
    the pile: it forgets what was thrown and what the other side took. Throws without a thought for
    the other side, takes any card that lowers its count, and knocks as soon as it may.

    Parameters
    ----------
    seed : int
        Not used.
    """

    policy = _sound_but(**CARELESS, pair=4096, gap=4096, fade=256, saves=1, memory=0, knock=AT_ONCE)


class NoviceAgent(_AtOneLook):
    """Level 2: the beginner's habits, but it lets go of dear cards as the deal goes on.

    Parameters
    ----------
    seed : int
        Not used.
    """

    policy = _sound_but(**CARELESS, pair=274, gap=108, saves=1, memory=0, knock=AT_ONCE)


class CasualAgent(_AtOneLook):
    """Level 3: weighs chances against deadwood, and knows which cards are of use to most hands.

    Still forgets what was thrown and taken, takes a card without a meld for three points, and
    knocks as soon as it may.

    Parameters
    ----------
    seed : int
        Not used.
    """

    policy = _sound_but(saves=3, memory=0, knock=AT_ONCE)


class ClubAgent(_AtOneLook):
    """Level 4: remembers the last two cards of the pile and what the other side took.

    Takes a card without a meld for four points, and knocks as soon as it may.

    Parameters
    ----------
    seed : int
        Not used.
    """

    policy = _sound_but(saves=4, memory=2, knock=AT_ONCE)


class StrongAgent(_AtOneLook):
    """Level 5: remembers five cards of the pile, and seldom takes one without a meld.

    Knocks when it may in its first six turns, later only gins: who knocks late is undercut.

    Parameters
    ----------
    seed : int
        Not used.
    """

    policy = _sound_but(saves=5, memory=5, knock=(10, 10, 10, 10, 10, 10, 0))


class MasterAgent(_AtOneLook):
    """Level 6: remembers every card, takes only into melds, knocks in its first three turns only.

    All that the expert has on top is the search, and what it infers of the other hand.

    Parameters
    ----------
    seed : int
        Not used.
    """

    policy = _sound_but()


LEVELS: dict[str, Callable[..., Agent]] = {
    "beginner": BeginnerAgent,
    "novice": NoviceAgent,
    "casual": CasualAgent,
    "club": ClubAgent,
    "strong": StrongAgent,
    "master": MasterAgent,
    "expert": ExpertAgent,
}
"""From the weakest to the strongest; a level's number is its place, from 1."""
