"""A PettingZoo environment of this package's own: ``okgin_v0``, one deal or a whole match.

It follows PettingZoo's conventions, and adds nothing to the rules: deals are `Deal`'s, matches
`Match`'s, actions and observations those of `okgin_fast.core.encoding`. An agent is told what its
`View` holds and nothing else. Needs the extra ``pettingzoo``.

Agents
    ``player_0`` and ``player_1``, seats 0 and 1.
Actions
    ``Discrete(108)``, the ids of `okgin_fast.core.encoding`. The mask is all 0 for an agent that
    waits. An action that is not legal ends the game by PettingZoo's ``TerminateIllegalWrapper``
    in `env`; `raw_env` raises an error and stays as it was.
Observations
    A dict of ``observation`` (the agent's own hand and what it knows, also while it waits, laid out
    as ``encoding.LAYOUT`` says), ``action_mask`` (int8) and, in a match, ``score``: the agent's
    points, the opponent's and the target, as far as they count towards it (0 without a target).
Rewards, in points
    After each deal its winner gets what it scored and the other one that much less; everything else
    is 0. In a match that is what the deal changed on the score sheet (in Hollywood it may be
    entered in several games), and the last one brings the bonuses too: the sum of a match's rewards
    is the difference of its totals.
Truncation
    Players who never knock would play dead deals for ever: a match is cut off after ``max_deals``.
"""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

import numpy as np

from okgin_fast.core.encoding import (
    LAYOUT,
    N_ACTIONS,
    N_FEATURES,
    action_mask,
    action_of,
    observation,
)
from okgin_fast.core.meld import deadwood
from okgin_fast.core.rng import checked_seed, derive_seed
from okgin_fast.deal import Deal, DealResult, View
from okgin_fast.errors import OkginError, quote
from okgin_fast.extras import load
from okgin_fast.match import Match
from okgin_fast.rules import Rules, as_rules

__all__ = ["AGENTS", "env", "raw_env"]

pettingzoo: Any = load("pettingzoo", "pettingzoo")
wrappers = load("pettingzoo.utils.wrappers", "pettingzoo")
spaces = load("gymnasium.spaces", "pettingzoo")
logger = load("gymnasium.logger", "pettingzoo")

AGENTS = ("player_0", "player_1")
ILLEGAL = -100.0
"""What `env` gives an agent for an action that is not legal, in points."""

Observation = dict[str, np.ndarray[Any, Any]]


def env(**kwargs: Any) -> Any:
    """Make the environment with PettingZoo's usual wrappers around it.

    Parameters
    ----------
    **kwargs
        What `raw_env` takes.

    Returns
    -------
    AECEnv
        An illegal action ends it with `ILLEGAL` points for who played it, one out of the action
        space fails an assertion, and so do calls before ``reset``.

    Examples
    --------
    >>> from okgin_fast.adapters import okgin_v0
    >>> table = okgin_v0.env(rules="oklahoma")
    >>> table.reset(seed=7)
    >>> for agent in table.agent_iter():
    ...     seen, reward, terminated, truncated, info = table.last()
    ...     over = terminated or truncated
    ...     table.step(None if over else int(seen["action_mask"].argmax()))
    >>> info["result"].kind
    'dead'
    """
    table = wrappers.TerminateIllegalWrapper(raw_env(**kwargs), illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


class raw_env(pettingzoo.AECEnv):  # type: ignore[misc] # noqa: N801 (PettingZoo's name for it)
    """The environment without wrappers.

    Parameters
    ----------
    rules : Rules or str
        The rules, or a preset's name.
    match : bool
        Play matches, and not single deals.
    render_mode : str, optional
        ``ansi``: `render` returns text; ``human``: every reset and step prints it. It shows both
        hands, as a spectator behind the players sees them.
    max_deals : int
        In a match, how many deals may be played before it is cut off.

    Attributes
    ----------
    deal : Deal
        The deal in play, or just finished.
    match : Match or None
        The match, if one is played.

    Raises
    ------
    OkginError
        Unknown rules or render mode, or a bad number of deals.

    Notes
    -----
    ``reset(seed=s)`` begins a stream of deals or of matches, and every ``reset()`` goes on to its
    next one; a stream that nobody gave a seed takes one from the system. With ``derive_seed`` of
    `okgin_fast.core.rng`, deal k (from 0) is
    ``Deal(rules, seed=derive_seed(s, k), dealer=(s + k) % 2)``, or is dealt by the rules'
    ``first_dealer`` if they have one; match k is ``Match(rules, seed=derive_seed(s, k))``.
    A slot of `VectorDeals` with that seed plays the same deals.

    ``infos`` holds what everybody at the table knows, for both agents the same: ``upcard``,
    ``limit`` and ``dealer`` of the deal in play, and ``result``, the `DealResult` of the last one
    that is over in this game, with its melds and lay-offs, or None.

    Examples
    --------
    Our own players at this table:

    >>> import okgin_fast as og
    >>> from okgin_fast.core.encoding import action_id
    >>> table = raw_env(rules="eaai")
    >>> players = {"player_0": og.agent("gold"), "player_1": og.agent("simple")}
    >>> table.reset(seed=1)
    >>> while not any(table.terminations.values()):
    ...     agent = table.agent_selection
    ...     table.step(action_id(players[agent].act(table.view(agent))))
    >>> table.rewards
    {'player_0': -7, 'player_1': 7}
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "okgin_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | str = "oklahoma",
        match: bool = False,
        render_mode: str | None = None,
        max_deals: int = 100,
    ) -> None:
        super().__init__()
        self.rules = as_rules(rules)
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise OkginError(f"render_mode={quote(render_mode)}: None or one of {', '.join(modes)}")
        if type(max_deals) is not int or max_deals < 1:
            raise OkginError(f"max_deals={quote(max_deals)}: a whole number from 1 up")
        self.render_mode = render_mode
        self.max_deals = max_deals
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.match: Match | None = None
        self._plays_matches = bool(match)
        self._seed: int | None = None
        self._number = 0
        self.agent_selection = AGENTS[0]
        self._observation_spaces = {
            agent: _observation_space(self._plays_matches) for agent in AGENTS
        }
        self._action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions, always the same object."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next deal or match.

        Parameters
        ----------
        seed : int, optional
            0 to 2**64 - 1: begin the stream of this seed. Without it the present one goes on.
        options : dict, optional
            Not used.

        Raises
        ------
        RulesError
            A seed out of range.
        """
        if seed is not None:
            self._seed, self._number = checked_seed(seed), 0
        elif self._seed is None:
            self._seed = secrets.randbits(64)
        else:
            self._number += 1
        seed = derive_seed(self._seed, self._number)
        if self._plays_matches:
            self.match = Match(self.rules, seed)
            self.deal = self.match.next_deal()
        else:
            first = self.rules.first_dealer
            dealer = (self._seed + self._number) % 2 if first is None else first
            self.deal = Deal(self.rules, seed, dealer)
        self.agents = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.agent_selection = self._mover()
        self._tell(None)
        self._print()

    def step(self, action: Any) -> None:
        """Play the action of the agent whose turn it is.

        Parameters
        ----------
        action : int or None
            An action id, a numpy integer too; None for an agent that is done.

        Raises
        ------
        IllegalActionError
            The action is not legal now; the message lists those that are. The game goes on from
            where it was.
        OkginError
            Before ``reset``, as from `observe`, `view` and `render`.
        """
        self._check_dealt()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.deal.apply(action_of(self.view(agent), action))
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self.deal.result is None:
            self.agent_selection = self._mover()
        else:
            self._end_deal(self.deal.result)
        self._accumulate_rewards()
        self._print()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now, whether it is its turn or not."""
        view = self.view(agent)
        seen = {"observation": observation(view), "action_mask": action_mask(view)}
        if self._plays_matches:
            mine, other = view.score or (0, 0)
            seen["score"] = np.array([mine, other, self.rules.target or 0], dtype=np.int32)
        return seen

    def view(self, agent: str) -> View:
        """What an agent may know now, as this package's own players take it."""
        self._check_dealt()
        seat = _seat(agent)
        scores = self.match.scores if self.match else None
        return self.deal.view(seat, scores and (scores[seat], scores[1 - seat]))

    def render(self) -> str | None:
        """Show the table with both hands: as text, or printed in the mode ``human``."""
        self._check_dealt()
        if self.render_mode is None:
            logger.warn("render() without a render_mode does nothing: it is chosen with the env")
            return None
        if self.render_mode == "ansi":
            return self._table()
        print(self._table())
        return None

    def close(self) -> None:
        """Nothing has to be closed."""

    def _check_dealt(self) -> None:
        if self._seed is None:
            raise OkginError("no cards have been dealt: call reset() first")

    def _mover(self) -> str:
        assert self.deal.to_move is not None
        return AGENTS[self.deal.to_move]

    def _tell(self, result: DealResult | None) -> None:
        public = {
            "upcard": self.deal.upcard,
            "limit": self.deal.limit,
            "dealer": AGENTS[self.deal.dealer],
            "result": result,
        }
        self.infos = {agent: dict(public) for agent in AGENTS}

    def _end_deal(self, result: DealResult) -> None:
        """Give the points, and go on to the next deal unless the game is over."""
        if self.match is None:
            lead = {0: result.points, 1: -result.points, None: 0}[result.winner]
            over, cut = True, False
        else:
            before = _lead(self.match)
            self.match.record(result)
            lead = _lead(self.match) - before
            over = self.match.over
            cut = not over and self.match.deals_played >= self.max_deals
        self.rewards = {AGENTS[0]: lead, AGENTS[1]: -lead}
        self.terminations = dict.fromkeys(AGENTS, over)
        self.truncations = dict.fromkeys(AGENTS, cut)
        if self.match is not None and not over and not cut:
            self.deal = self.match.next_deal()
            self.agent_selection = self._mover()
        self._tell(result)

    def _print(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _table(self) -> str:
        deal = self.deal
        lines = [
            f"{self.rules.name}: upcard {deal.upcard}, knock limit {deal.limit}, "
            f"{AGENTS[deal.dealer]} dealt",
            f"stock {len(deal.stock)}, pile {' '.join(map(str, deal.pile)) or '-'}",
        ]
        if self.match is not None and self.match.scores is not None:
            lines[0] = f"score {'-'.join(map(str, self.match.scores))}, {lines[0]}"
        for seat, agent in enumerate(AGENTS):
            turn = f", to move: {deal.phase}" if deal.to_move == seat else ""
            hand = deal.hand(seat)
            lines.append(f"{agent}: {hand} (deadwood {deadwood(hand)}{turn})")
        result = deal.result
        if result is not None:
            paid = "" if result.winner is None else f", {result.points} for {AGENTS[result.winner]}"
            lines.append(f"over: {result.kind.replace('_', ' ')}{paid}")
        return "\n".join(lines) + "\n"


def _observation_space(match: bool) -> Any:
    highest = np.zeros(N_FEATURES, dtype=np.uint8)
    for part in LAYOUT:
        highest[part.start : part.stop] = part.highest
    parts = {
        "observation": spaces.Box(low=np.zeros_like(highest), high=highest, dtype=np.uint8),
        "action_mask": spaces.Box(low=0, high=1, shape=(N_ACTIONS,), dtype=np.int8),
    }
    if match:
        most = np.iinfo(np.int32).max
        parts["score"] = spaces.Box(low=0, high=most, shape=(3,), dtype=np.int32)
    return spaces.Dict(parts)


def _seat(agent: object) -> int:
    if agent not in AGENTS:
        raise OkginError(f"no agent {quote(agent)}: must be one of {', '.join(AGENTS)}")
    return AGENTS.index(agent)


def _lead(match: Match) -> int:
    """By how much player_0 leads on the score sheet: with all bonuses once the match is over."""
    if match.result is not None:
        mine, other = match.result.totals
        return mine - other
    return sum(game.scores[0] - game.scores[1] for game in match.games)
