"""Players: one small protocol, and a name for each of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from okgin_fast.agents.archetypes import (
    DefenderAgent,
    HunterAgent,
    PatientAgent,
    TightAgent,
)
from okgin_fast.agents.baselines import GoldAgent, RandomAgent, SimpleAgent
from okgin_fast.agents.expert import ExpertAgent
from okgin_fast.agents.levels import (
    LEVELS,
    BeginnerAgent,
    CasualAgent,
    ClubAgent,
    MasterAgent,
    NoviceAgent,
    StrongAgent,
)
from okgin_fast.core.rng import checked_seed
from okgin_fast.errors import OkginError, quote
from okgin_fast.match import Agent

__all__ = [
    "AGENTS",
    "LEVELS",
    "Agent",
    "BeginnerAgent",
    "CasualAgent",
    "ClubAgent",
    "DefenderAgent",
    "ExpertAgent",
    "GoldAgent",
    "HunterAgent",
    "MasterAgent",
    "NoviceAgent",
    "PatientAgent",
    "RandomAgent",
    "SimpleAgent",
    "StrongAgent",
    "TightAgent",
    "agent",
    "named",
    "refuse_options",
]

AGENTS: dict[str, Callable[..., Agent]] = {
    "random": RandomAgent,
    "simple": SimpleAgent,
    "gold": GoldAgent,
    "hunter": HunterAgent,
    "tight": TightAgent,
    "defender": DefenderAgent,
    "patient": PatientAgent,
    **LEVELS,
}
"""The players by name: baselines, archetypes, and the levels from the weakest to the strongest."""

NUMBERED = {str(number): level for number, level in enumerate(LEVELS.values(), 1)}


def agent(name: str | int, seed: int = 0, **options: Any) -> Agent:
    """Make a player.

    Parameters
    ----------
    name : str or int
        A level: ``beginner``, ``novice``, ``casual``, ``club``, ``strong``, ``master`` or
        ``expert``, or its number from 1 to 7. Or one to measure others against: ``random``,
        ``simple``, ``gold``, ``hunter``, ``tight``, ``defender``, ``patient``.
    seed : int
        0 to 2**64 - 1; the same seed in the same position gives the same action.
    **options
        What else the player takes (``expert``: ``limit``).

    Returns
    -------
    Agent

    Raises
    ------
    OkginError
        An unknown name, a bad seed, or options that the player does not take.

    Examples
    --------
    >>> import okgin_fast as og
    >>> str(og.agent("gold").act(og.Deal("oklahoma", seed=1).view(1)))
    'take 4H'
    >>> type(og.agent(4)) is type(og.agent("club"))
    True
    """
    factory = named(name)
    if factory is None:
        raise OkginError(
            f"{quote(name)} is not a player; allowed: {', '.join(AGENTS)},"
            f" or a level's number from 1 to {len(LEVELS)}"
        )
    refuse_options(str(name), factory, options)
    return factory(seed=checked_seed(seed), **options)


def named(name: object) -> Callable[..., Agent] | None:
    """What makes the players of a name, or of a level's number; None if there is no such player.

    Examples
    --------
    >>> named("club") is named("4") is named(4)
    True
    >>> named("wizard")
    """
    if not isinstance(name, str | int):
        return None
    return AGENTS.get(str(name)) or NUMBERED.get(str(name))


def refuse_options(name: str, factory: Callable[..., Agent], options: Iterable[str]) -> None:
    """Refuse options that a player's class or function does not take.

    Raises
    ------
    OkginError
        The message lists those that it takes.
    """
    taken = inspect.signature(factory).parameters
    free = any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken.values())
    wrong = [option for option in options if option not in taken and not free]
    if wrong or ("seed" not in taken and not free):
        allowed = ", ".join(option for option in taken if option != "seed") or "none"
        option = quote((wrong or ["seed"])[0])
        raise OkginError(f"player {quote(name)} takes no option {option}; allowed: {allowed}")
