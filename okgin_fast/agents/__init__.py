"""Players: one small protocol, and a name for each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from okgin_fast.agents.baselines import GoldAgent, RandomAgent, SimpleAgent
from okgin_fast.agents.expert import ExpertAgent
from okgin_fast.errors import OkginError, quote
from okgin_fast.match import Agent

__all__ = ["AGENTS", "Agent", "ExpertAgent", "GoldAgent", "RandomAgent", "SimpleAgent", "agent"]

AGENTS: dict[str, Callable[..., Agent]] = {
    "random": RandomAgent,
    "simple": SimpleAgent,
    "gold": GoldAgent,
    "expert": ExpertAgent,
}


def agent(name: str, seed: int = 0, **options: Any) -> Agent:
    """Make a player.

    Parameters
    ----------
    name : str
        ``random``, ``simple``, ``gold`` or ``expert``.
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
        An unknown name, or a bad seed.

    Examples
    --------
    >>> import okgin_fast as og
    >>> str(og.agent("gold").act(og.Deal("oklahoma", seed=1).view(1)))
    'take 4H'
    """
    if not isinstance(name, str) or name not in AGENTS:
        raise OkginError(f"{quote(name)} is not a player; allowed: {', '.join(AGENTS)}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
        raise OkginError(f"seed={quote(seed)}: a seed is a whole number from 0 to 2**64 - 1")
    return AGENTS[name](seed=seed, **options)
