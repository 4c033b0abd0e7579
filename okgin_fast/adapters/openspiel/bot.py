"""Our players as OpenSpiel bots.

OpenSpiel hands a bot its whole state. The player gets the view of its seat at our table, on which
the state is played again, and nothing else. Where OpenSpiel asks for what our table settles by
itself, melds and lay-offs, the bot answers as our settlement does.
"""

from __future__ import annotations

from okgin_fast.adapters.openspiel.ids import (
    KNOCK,
    PASS,
    Phase,
    State,
    melds_of,
    number_of,
    pyspiel,
)
from okgin_fast.adapters.openspiel.showdown import defence, knock, lay_down
from okgin_fast.adapters.openspiel.states import deal_of, wall_view
from okgin_fast.agents import Agent
from okgin_fast.cards import Hand
from okgin_fast.core.meld import discards
from okgin_fast.core.spread import best_spread, layoff
from okgin_fast.deal import Deal
from okgin_fast.errors import IllegalActionError, quote

__all__ = ["OpenSpielBot"]


class OpenSpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our players as a `pyspiel.Bot`.

    Parameters
    ----------
    agent : Agent
    player : int
        0 or 1. OpenSpiel's player 0 moves first; he is seat 0 of the player's views.

    Raises
    ------
    IllegalActionError
        No player's number.

    Notes
    -----
    The player sees a deal of the preset ``open-spiel`` with the game's parameters. What OpenSpiel
    asks beyond that:

    - A knock it takes apart: "knock", the card, the melds one by one, the end of it. All is
      decided at once, by the player's action and our settlement. Where OpenSpiel does not allow
      the knock (it may find too much deadwood in eleven cards, see rules.md), the card is thrown.
    - At the wall, two cards before the end of the stock, a player may knock with the last throw
      or pass. The player is asked as if he had taken it up: if he knocks, the bot does; a discard,
      after which both score nothing, is a pass.
    - The defender's lay-offs and melds are those of our settlement, the best there are.

    Examples
    --------
    >>> import pyspiel
    >>> from okgin_fast import agent
    >>> state = pyspiel.load_game("gin_rummy(oklahoma=True)").new_initial_state()
    >>> bots = [OpenSpielBot(agent("gold"), 0), OpenSpielBot(agent("simple", seed=1), 1)]
    >>> sum(pyspiel.evaluate_bots(state, bots, seed=1))
    0.0
    """

    def __init__(self, agent: Agent, player: int) -> None:
        super().__init__()
        if type(player) is not int or player not in (0, 1):
            raise IllegalActionError(f"player {quote(player)}: must be 0 or 1")
        self.agent = agent
        self.player = player
        self.restart()

    def restart(self) -> None:
        """Forget what was decided in another deal."""
        self._plan: list[int] = []
        self._expected: list[int] = []

    def restart_at(self, state: State) -> None:
        """Forget what was decided; the next deal may begin anywhere."""
        self.restart()

    def step(self, state: State) -> int:
        """Choose one of the state's legal actions.

        Parameters
        ----------
        state : pyspiel.State
            It is this bot's turn.

        Returns
        -------
        int

        Raises
        ------
        IllegalActionError
            It is not this bot's turn, or the player's action is not legal.
        RulesError
            A state of another game.
        """
        if state.current_player() != self.player:
            raise IllegalActionError(
                f"player {self.player} has nothing to do: player {state.current_player()} is on"
            )
        history = state.history()
        if not self._plan or history != self._expected:
            self._plan = self._decide(state)
        number = self._plan.pop(0)
        self._expected = [*history, number]
        return number

    def _decide(self, state: State) -> list[int]:
        """Everything that this bot does before anything else can happen."""
        phase = state.current_phase()
        hand = Hand(state.hands()[self.player])
        if phase == Phase.LAYOFF:
            done = state.finished_layoffs()
            table = [] if done else melds_of(state.layed_melds()[1 - self.player])
            return defence(layoff(hand, table), done)
        if phase == Phase.KNOCK:  # somebody else has knocked for this bot
            thrown = [discards(hand)[0].card] if len(hand) == 11 else []
            return [*map(int, thrown), *lay_down(best_spread(hand - thrown).melds)]
        if phase == Phase.WALL and KNOCK not in state.legal_actions():
            return [PASS]
        return self._ask(deal_of(state), state)

    def _ask(self, deal: Deal, state: State) -> list[int]:
        """Have the player decide."""
        at_wall = state.current_phase() == Phase.WALL
        action = self.agent.act(wall_view(deal, self.player) if at_wall else deal.view(self.player))
        deal.apply(action)
        if deal.result is None or deal.result.spread is None:
            return [PASS if at_wall else number_of(action)]
        assert action.card is not None
        if KNOCK not in state.legal_actions():
            return [int(action.card)]
        return knock(action.card, deal.result.spread.melds)
