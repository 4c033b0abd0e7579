"""RLCard's gin rummy: our players in its environment, its rule player at our table.

RLCard plays another game (1.2.0): the non-dealer is dealt eleven cards and throws first, so that
there is no upcard; whoever can gin must; there are no lay-offs and no undercuts; at the wall the
last throw may still be taken. It pays 1 for gin, 0.2 for a knock, and else minus a hundredth of
one's deadwood. Its card ids have the suits in the order spades, hearts, diamonds, clubs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from okgin_fast.agents.turn import legal_now
from okgin_fast.cards import Hand
from okgin_fast.core.rng import derive_seed
from okgin_fast.deal import Action, View
from okgin_fast.errors import IllegalActionError, quote
from okgin_fast.extras import load
from okgin_fast.match import Agent
from okgin_fast.rules import Rules

_models = load("rlcard.models.gin_rummy_rule_models", "rlcard")

__all__ = ["NoviceAgent", "RLCardAgent", "card_id", "novice"]

SUITS = (0, 3, 2, 1)
"""RLCard's suit for each of ours, and ours for each of its."""

DRAW, TAKE, DEAD, GIN, DISCARD, KNOCK = 2, 3, 4, 5, 6, 58
"""RLCard's action ids: 6 and 58 are the first of 52. (0 and 1 only count the points.)"""

NOT_DEALT_FACE_UP = 11
"""Cards in the first hand to throw: RLCard's deal has no upcard."""


def card_id(card: int) -> int:
    """RLCard's id of a card of ours, and the other way round.

    Examples
    --------
    >>> from okgin_fast import Card
    >>> card_id(Card("AH")), Card(card_id(card_id(Card("7C"))))
    (13, Card('7C'))
    """
    suit, rank = divmod(card, 13)
    return SUITS[suit] * 13 + rank


class RLCardAgent:
    """A player of ours with the methods that RLCard's environments call.

    Parameters
    ----------
    agent : Agent
    knock : int
        The most deadwood to knock with, as the environment's settings have it.

    Notes
    -----
    The player gets a `View` of what RLCard's state tells of the player whose turn it is, and of
    nothing else. It does not tell what the opponent refused, nor which of one's own cards he knows,
    nor the order of the pile below its top: there the view has nothing, nothing, and the order of
    the ids. The rules are those of ``eaai`` as a single deal; the upcard, which RLCard does not
    have, is the lowest card in sight.

    Where RLCard leaves no choice (it insists on gin), the player is not asked.

    Examples
    --------
    >>> import rlcard
    >>> from okgin_fast import agent
    >>> env = rlcard.make("gin-rummy", {"seed": 7})
    >>> env.set_agents([RLCardAgent(agent("gold")), RLCardAgent(agent("simple"))])
    >>> _, payoffs = env.run(is_training=False)
    >>> payoffs.shape
    (2,)
    """

    use_raw = False

    def __init__(self, agent: Agent, knock: int = 10) -> None:
        self.agent = agent
        self.rules = Rules.preset("eaai", target=None, knock=knock)

    def step(self, state: Mapping[str, Any]) -> int:
        """Choose one of the state's ``legal_actions``.

        Parameters
        ----------
        state : mapping
            RLCard's: ``obs``, an array of shape (5, 52) with a 1 for each card of the mover's hand,
            the top of the pile, the rest of it, the cards that the opponent took and holds, and
            those out of sight; and ``legal_actions``, whose keys are action ids.

        Returns
        -------
        int

        Raises
        ------
        IllegalActionError
            The player chose what RLCard does not allow.
        """
        legal = list(state["legal_actions"])
        if len(legal) == 1:
            return int(legal[0])
        action = self.agent.act(view_of(state, self.rules))
        number = _number(action, legal)
        if number not in legal:
            raise IllegalActionError(
                f"{quote(str(action))} is not possible in RLCard's game; its legal actions: {legal}"
            )
        return number

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Choose likewise; there is nothing to add for an evaluation."""
        return self.step(state), {}


def view_of(state: Mapping[str, Any], rules: Rules) -> View:
    """What RLCard's state tells the player whose turn it is, as a `View`; see `RLCardAgent`."""
    hand, top, dead, known, unseen = (_cards(plane) for plane in state["obs"])
    legal = list(state["legal_actions"])
    throws = len(hand) == NOT_DEALT_FACE_UP
    pile = (*dead, *top)
    thrown_back = [card for card in hand if throws and DISCARD + card_id(card) not in legal]
    return View._of_parts(
        rules,
        seat=0,
        dealer=1,
        to_move=0,
        phase="throw" if throws else "draw",
        passes=0,
        turn=len(pile),
        hand=hand,
        upcard=min(hand | Hand(pile)),
        pile=pile,
        stock=len(unseen) - (10 - len(known)),
        taken=thrown_back[0] if thrown_back else None,
        known=known,
        mine_known=Hand(thrown_back),
        refused=Hand(),
        score=None,
    )


def _cards(plane: Iterable[int]) -> Hand:
    """The cards of one of the five planes."""
    return Hand([card_id(place) for place in np.flatnonzero(np.asarray(plane)).tolist()])


def _number(action: Action, legal: list[int]) -> int:
    """RLCard's id of an action of ours. At the wall it asks whether to take or to end the deal."""
    if action.kind == "draw":
        return DRAW if DRAW in legal else DEAD
    if action.kind in ("gin", "big gin"):
        return GIN
    if action.card is None or action.kind == "take":
        return TAKE
    return (KNOCK if action.kind == "knock" else DISCARD) + card_id(action.card)


class NoviceAgent:
    """RLCard's rule player, ``gin-rummy-novice-rule``, at our table.

    It throws a card that leaves least deadwood, knocks at once with any card that allows it, gins
    if it can; whether it takes the pile card or draws is left to chance, and so is every tie.

    Parameters
    ----------
    seed : int
        RLCard draws from numpy's global generator; it is seeded for the decision and put back.

    Notes
    -----
    Its own "draw" is a pass where the first upcard is offered. Its gin throws the first card of
    ours that gins, and is big gin if that is played and all eleven meld.

    Examples
    --------
    >>> from okgin_fast import Deal
    >>> deal = Deal("oklahoma", seed=7)
    >>> novice(seed=1).act(deal.view(1)) in deal.legal_actions()
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.player = _models.GinRummyNoviceRuleAgent()

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        choices: dict[int, Action] = {}
        for action in legal_now(view):  # big gin comes last, and replaces gin
            number = DRAW if action.kind == "pass" else _number(action, [DRAW])
            if number != GIN or GIN not in choices or action.kind == "big gin":
                choices[number] = action
        if GIN in choices:
            return choices[GIN]
        state = {"obs": _planes(view), "legal_actions": OrderedDict.fromkeys(choices)}
        before = np.random.get_state()
        try:
            np.random.seed(derive_seed(self.seed, view.digest()) >> 32)
            return choices[int(self.player.step(state))]
        finally:
            np.random.set_state(before)


def _planes(view: View) -> np.ndarray[Any, np.dtype[np.int64]]:
    """What a view shows, in RLCard's five planes."""
    top = Hand(view.pile[-1:])
    table = Hand(view.pile)
    planes = np.zeros((5, 52), dtype=np.int64)
    for plane, cards in zip(
        planes, (view.hand, top, table - top, view.known, view.unseen), strict=True
    ):
        plane[[card_id(card) for card in cards]] = 1
    return planes


def novice(seed: int = 0) -> NoviceAgent:
    """Make RLCard's rule player, for the arena: ``rlcard-novice``."""
    return NoviceAgent(seed)
