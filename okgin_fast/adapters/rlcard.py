"""RLCard: our players in its gin rummy environment, its rule-based player at our table.

RLCard plays another game than ours: the non-dealer is dealt eleven cards and throws one, there is
no upcard and no exchange about it, no lay-offs and no undercut; where gin is possible nothing else
is allowed; and at two cards in the stock a player may still take the pile card, or declare the hand
dead. Its payoff is 1 for gin, 0.2 for a knock, else minus a hundredth of the deadwood. Needs the
extra ``rlcard``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from okgin_fast.agents import Agent
from okgin_fast.agents.turn import legal_now
from okgin_fast.cards import Card, Hand
from okgin_fast.core.rng import checked_seed, derive_seed
from okgin_fast.deal import Action, View
from okgin_fast.errors import IllegalActionError, PositionError, quote
from okgin_fast.extras import load
from okgin_fast.rules import Rules, as_rules

__all__ = ["RULES", "NoviceAgent", "RLCardPlayer", "novice"]

models = load("rlcard.models.gin_rummy_rule_models", "rlcard")

RULES = Rules.preset("eaai", undercut_bonus=0)
"""RLCard's table as nearly as our rules come to it: knock at 10, the wall at two cards."""

DRAW, PICK_UP, DEAD, GIN, DISCARD, KNOCK = 2, 3, 4, 5, 6, 58
"""RLCard's action ids; the last two are those of its card 0."""
ROWS = ("hand", "top of the pile", "rest of the pile", "opponent's known cards", "unseen cards")
"""What an observation of RLCard's holds, 52 numbers each."""
SHOWS = ("knock", "gin", "big gin")
NUMBERS = {"pass": DRAW, "draw": DRAW, "take": PICK_UP, "gin": GIN, "big gin": GIN}


class RLCardPlayer:
    """One of our players as an agent of RLCard's.

    Parameters
    ----------
    agent : Agent
    rules : Rules or str
        What the player takes the rules to be. They are `RULES` unless RLCard's settings were
        changed: with another ``going_out_deadwood_count``, the same with that ``knock``.

    Raises
    ------
    RulesError
        Unknown rules, or rules that need an upcard, of which RLCard has none.

    Notes
    -----
    The player sees a view made of what RLCard's state gives to who is on turn, and of nothing else.
    What the state does not say is not in the view either: who threw which card (``refused`` is
    empty), what the opponent knows of the hand, the order of the pile below its top, who dealt, and
    the history. Its seat is always 0. The view's ``upcard`` stands for the one that it must have:
    a card of the pile, or of the hand if there is no pile.

    Where only one action is legal, it is played and nobody is asked. Where the choice is between
    the pile card and a dead hand, the player is asked as if he had taken the card: if he then shows
    his hand, he takes it.

    Examples
    --------
    >>> import rlcard
    >>> from okgin_fast import agent
    >>> table = rlcard.make("gin-rummy", {"seed": 1})
    >>> table.set_agents([RLCardPlayer(agent("gold")), RLCardPlayer(agent("simple", seed=1))])
    >>> trajectories, payoffs = table.run()
    >>> payoffs
    array([ 0.2 , -0.34])
    """

    use_raw = False

    def __init__(self, agent: Agent, rules: Rules | str = RULES) -> None:
        self.agent = agent
        self.rules = as_rules(rules)
        self.rules.knock_limit()

    def step(self, state: Mapping[str, Any]) -> int:
        """Choose an action.

        Parameters
        ----------
        state : dict
            RLCard's state for the player who is on turn.

        Returns
        -------
        int
            One of RLCard's action ids.

        Raises
        ------
        PositionError
            No state of RLCard's gin rummy.
        IllegalActionError
            The deal is over, or RLCard does not allow what the player does: it was set to other
            rules.
        """
        if not isinstance(state, Mapping) or "obs" not in state or "legal_actions" not in state:
            raise PositionError(f"{quote(state)}: a state of RLCard's has obs and legal_actions")
        legal = [int(number) for number in state["legal_actions"]]
        if not legal:
            raise IllegalActionError("there is nothing to do: RLCard's deal is over")
        if len(legal) == 1:
            return legal[0]
        view = _view_of(_hands_of(state["obs"]), legal, self.rules)
        action = self.agent.act(view)
        number = _number_of(action)
        if DEAD in legal:
            number = PICK_UP if action.kind in SHOWS else DEAD
        if number not in legal:
            raise IllegalActionError(
                f"{str(action)!r} is {number} in RLCard, whose rules differ from the player's: "
                f"allowed are {', '.join(map(str, legal)) or 'none'}"
            )
        return number

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Choose an action as `step` does; with it goes what RLCard calls info, here nothing."""
        return self.step(state), {}


class NoviceAgent:
    """RLCard's rule-based player (``gin-rummy-novice-rule``) at our table.

    It gins and knocks as soon as it may, throws a card that leaves least deadwood, and takes or
    leaves the pile card at random.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1; the same seed in the same position gives the same action.

    Raises
    ------
    OkginError
        A bad seed.

    Notes
    -----
    What RLCard does not know becomes what it does: to refuse the upcard is to draw from the stock,
    big gin is gin. Where gin is possible it is offered nothing else, as at its own table. The melds
    shown and the lay-offs are those of our settlement.

    RLCard draws from numpy's one global generator. It is set for the moment of a decision and put
    back after it, so that other threads should not draw from it meanwhile.

    Examples
    --------
    >>> from okgin_fast import Deal
    >>> deal = Deal("eaai", seed=7)
    >>> deal.apply("take 7H")
    >>> NoviceAgent(seed=1).act(deal.view(1))
    Action('discard KS')
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = checked_seed(seed)
        self.novice = models.GinRummyNoviceRuleAgent()

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        actions = {_number_of(action): action for action in legal_now(view)}  # the last of the gins
        numbers = [GIN] if GIN in actions else list(actions)
        state = {
            "obs": _obs_of(view),
            "legal_actions": OrderedDict.fromkeys(numbers),
            "raw_legal_actions": numbers,
        }
        with _numpy_seeded(derive_seed(self.seed, view.digest())):
            return actions[int(self.novice.step(state))]


def novice(seed: int = 0) -> Agent:
    """Make RLCard's rule-based player, as the arena makes its players."""
    return NoviceAgent(seed)


def _turned(card: int) -> int:
    """Our id of RLCard's card, or the other way round: it has hearts where we have clubs."""
    return card + {1: 26, 3: -26}.get(card // 13, 0)


def _number_of(action: Action) -> int:
    """RLCard's id of an action."""
    if action.kind in NUMBERS:
        return NUMBERS[action.kind]
    assert action.card is not None
    return (DISCARD if action.kind == "discard" else KNOCK) + _turned(int(action.card))


def _hands_of(obs: Any) -> list[Hand]:
    """The rows of an observation as sets of cards."""
    table = np.asarray(obs)
    if table.shape != (len(ROWS), 52):
        raise PositionError(
            f"an observation of shape {table.shape}: RLCard's are (5, 52): {', '.join(ROWS)}"
        )
    return [Hand(_turned(card) for card in row.nonzero()[0].tolist()) for row in table]


def _obs_of(view: View) -> np.ndarray[Any, Any]:
    """What a seat knows as an observation of RLCard's."""
    obs = np.zeros((len(ROWS), 52), dtype=int)
    pile: tuple[Card, ...] = view.pile
    rows: list[Iterable[Card]] = [view.hand, pile[-1:], pile[:-1], view.known, view.unseen]
    for row, cards in zip(obs, rows, strict=True):
        row[[_turned(int(card)) for card in cards]] = 1
    return obs


def _view_of(rows: list[Hand], legal: list[int], rules: Rules) -> View:
    """What the player on turn knows, as far as RLCard tells it.

    Where a hand may be declared dead it is what he would know with the pile card in his hand.
    """
    hand, top, rest, known, unseen = rows
    if len(hand) not in (10, 11):
        raise PositionError(
            f"the hand {hand.text()!r} has {len(hand)} cards: RLCard's have 10 or 11"
        )
    pile = [*rest, *top]
    taken = None
    if DEAD in legal and pile:
        taken = pile.pop()
        hand |= taken
    elif len(hand) == 11:
        held = {_turned(number - DISCARD) for number in legal if DISCARD <= number < KNOCK}
        stays = [card for card in hand if int(card) not in held]
        taken = stays[0] if len(stays) == 1 else None
    return View._of_parts(
        rules,
        seat=0,
        dealer=1,
        to_move=0,
        phase="throw" if len(hand) == 11 else "draw",
        passes=0,
        turn=len(pile),
        hand=hand,
        upcard=(pile or list(hand))[0],
        pile=pile,
        stock=len(unseen) - (10 - len(known)),
        taken=taken,
        known=known,
        mine_known=Hand() if taken is None else Hand([taken]),
        refused=Hand(),
        score=None,
    )


@contextmanager
def _numpy_seeded(seed: int) -> Iterator[None]:
    before = np.random.get_state()
    np.random.seed(seed & 0xFFFFFFFF)
    try:
        yield
    finally:
        np.random.set_state(before)
