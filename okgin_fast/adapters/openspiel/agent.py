"""OpenSpiel's bots as players at our table.

A bot gets a state that `state_of` makes of the view: OpenSpiel's with hidden cards that are made
up, the same for the same view and seed. So it cannot see what its seat may not know, and what it
does depends on the view and the seed alone. How a bot chooses is its own business.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

from okgin_fast.adapters.openspiel.ids import KNOCK, Game, number_of, pyspiel
from okgin_fast.adapters.openspiel.states import state_of
from okgin_fast.agents.turn import legal_now
from okgin_fast.core.meld import deadwood, discards
from okgin_fast.core.rng import checked_seed, derive_seed
from okgin_fast.deal import Action, View
from okgin_fast.errors import OkginError, quote

__all__ = ["MakeBot", "OpenSpielAgent", "ismcts", "random", "simple"]

MakeBot: TypeAlias = Callable[[Game, int, int], Any]
"""Makes a bot for a game, a player's number and a seed below 2**31."""

_EXPLORE = 20.0
"""The constant of ISMCTS's upper confidence bounds, in points: their scale is that of a deal."""


class OpenSpielAgent:
    """A bot of OpenSpiel's as our player.

    Parameters
    ----------
    make_bot : callable
        From a game, a player's number and a seed to a `pyspiel.Bot`. It is called for every
        decision, so that nothing is remembered from one to the next.
    seed : int
        0 to 2**64 - 1; the same seed in the same position gives the same action, if the bot draws
        its random numbers from the seed that it gets.

    Raises
    ------
    OkginError
        A bad seed.

    Notes
    -----
    The bot plays OpenSpiel's rules with the knock limit and the bonuses of the deal. Where our
    table's are others, its decision becomes a legal one:

    - A card that may not be thrown back, because it was just taken: the throw that leaves least
      instead, the dearest of equals; it knocks if the bot did and the limit allows it.
    - It says "knock" and throws: that is ``gin`` if nothing is left, and ``big gin`` if all eleven
      cards meld and that is played.
    - The melds and lay-offs are those of our settlement, which are exact on both sides. (At
      OpenSpiel's own table its simple bot lays nothing off, and no melds against gin.)
    - Where OpenSpiel finds too much deadwood in eleven cards (rules.md), the bot does not know that
      it may knock, and throws.
    - A tie that undercuts, a multiplier, a reshuffle or another wall are unknown to the bot.

    Examples
    --------
    >>> view = View.from_position("rules=eaai hand=7H7C7D2S3S4S9C9D9HACKD upcard=5D")
    >>> simple().act(view)
    Action('knock KD')
    """

    def __init__(self, make_bot: MakeBot, seed: int = 0) -> None:
        self.make_bot = make_bot
        self.seed = checked_seed(seed)

    def act(self, view: View) -> Action:
        """Choose an action for the seat whose view it is, which is to move."""
        legal = legal_now(view)
        if len(legal) == 1:
            return legal[0]
        seed = derive_seed(self.seed, view.digest())
        state = state_of(view, seed)
        bot = self.make_bot(state.get_game(), state.current_player(), seed & 0x7FFFFFFF)
        number = bot.step(state)
        if view.phase != "throw":
            return next(action for action in legal if number_of(action) == number)
        knocks = number == KNOCK
        if knocks:
            state.apply_action(KNOCK)
            number = bot.step(state)
        return _nearest(view, number, knocks)


def _nearest(view: View, card: int, knocks: bool) -> Action:
    """The throw or knock that is legal at our table and nearest to what the bot wants."""
    if knocks and view.rules.big_gin and deadwood(view.hand) == 0:
        return Action("big gin")
    banned = None if view.rules.may_discard_taken else view.taken
    throws = discards(view.hand, view.limit, banned)
    throw = next((throw for throw in throws if throw.card == card), throws[0])
    if knocks and throw.knock:
        return Action("gin" if throw.gin else "knock", throw.card)
    return Action("discard", throw.card)


# --- the bots that come with OpenSpiel -----------------------------------------------------


def simple(seed: int = 0) -> OpenSpielAgent:
    """OpenSpiel's simple gin rummy bot.

    It takes the pile card into a meld or to knock, throws the dearest card outside its best melds
    and knocks at once. At our table it is a mended one: settlement here melds and lays off for it.

    Parameters
    ----------
    seed : int
        Not used by the bot, which has no choices to make at random.

    Returns
    -------
    OpenSpielAgent
    """
    return OpenSpielAgent(_simple_bot, seed)


def _simple_bot(game: Game, player: int, seed: int) -> Any:
    return _simple_prototype(str(game), player).clone()


@cache
def _simple_prototype(game: str, player: int) -> Any:
    parameters = pyspiel.load_game(game).get_parameters()
    return pyspiel.make_simple_gin_rummy_bot(parameters, player)


def random(seed: int = 0) -> OpenSpielAgent:
    """OpenSpiel's uniformly random bot.

    "Knock" is one of its actions, and the card to throw another: it knocks less often than our
    `RandomAgent`, to whom every knock is an action.

    Parameters
    ----------
    seed : int

    Returns
    -------
    OpenSpielAgent
    """
    return OpenSpielAgent(_random_bot, seed)


def _random_bot(game: Game, player: int, seed: int) -> Any:
    return pyspiel.make_uniform_random_bot(player, seed)


def ismcts(seed: int = 0, simulations: int = 200) -> OpenSpielAgent:
    """OpenSpiel's information set Monte Carlo tree search, with random rollouts.

    Its worlds are OpenSpiel's own: hands that hold the cards known to be taken, else uniform.

    Parameters
    ----------
    seed : int
    simulations : int
        For each decision, a throw with a knock taking two; a simulation takes a millisecond or two.

    Returns
    -------
    OpenSpielAgent

    Raises
    ------
    OkginError
        A bad seed, or less than one simulation.
    """
    if type(simulations) is not int or simulations < 1:
        raise OkginError(f"simulations={quote(simulations)}: must be a whole number from 1 up")
    return OpenSpielAgent(partial(_ismcts_bot, simulations), seed)


def _ismcts_bot(simulations: int, game: Game, player: int, seed: int) -> Any:
    return pyspiel.ISMCTSBot(
        seed,
        pyspiel.RandomRolloutEvaluator(1, seed),
        _EXPLORE,
        simulations,
        final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )
