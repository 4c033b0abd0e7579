"""OpenSpiel's numbers and ours: players, melds, actions, games. The one place where both are known.

Cards need no table: a card's id is the same in both. It knows no state and no deal.

======================  ============================================================
OpenSpiel               okgin_fast
======================  ============================================================
card 0 to 51            `Card` of that id
meld 0 to 184           `all_melds()` of that index
player 0, player 1      the seat that moves first (the dealer's opponent), the dealer
phase FIRST_UPCARD      ``upcard``; once both have passed, ``draw`` from the stock
phase DRAW              ``draw``
phase DISCARD           ``throw``
phases KNOCK, LAYOFF    inside one action, ``knock`` or ``gin``
phase WALL              ``over``: here the deal is dead
0 to 51, DISCARD        ``discard`` that card
0 to 51, KNOCK          the card that ``knock`` or ``gin`` names
0 to 51, LAYOFF         a card laid off by the settlement
52 DRAW_UPCARD          ``take``
53 DRAW_STOCK           ``draw``; the card drawn is an action of chance
54 PASS                 ``pass``; in KNOCK and LAYOFF: no more melds, no more lay-offs
55 KNOCK                the first half of ``knock`` or ``gin``
56 + meld               a meld laid down by knocker or defender
======================  ============================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import all_melds
from okgin_fast.deal import Action
from okgin_fast.errors import RulesError, quote
from okgin_fast.extras import load
from okgin_fast.rules import Rules

__all__ = [
    "DRAW_STOCK",
    "DRAW_UPCARD",
    "KNOCK",
    "MELD_BASE",
    "PASS",
    "Game",
    "Phase",
    "State",
    "game_of",
    "meld_actions",
    "melds_of",
    "new_state",
    "number_of",
    "player_of",
    "pyspiel",
    "rules_of",
]

pyspiel: Any = load("pyspiel", "openspiel")
_gin = pyspiel.gin_rummy

DRAW_UPCARD: int = _gin.DRAW_UPCARD_ACTION
DRAW_STOCK: int = _gin.DRAW_STOCK_ACTION
PASS: int = _gin.PASS_ACTION
KNOCK: int = _gin.KNOCK_ACTION
MELD_BASE: int = _gin.MELD_ACTION_BASE
Phase: Any = _gin.Phase
"""OpenSpiel's enumeration of phases."""
Game: TypeAlias = Any
"""A `pyspiel.Game` of gin rummy."""
State: TypeAlias = Any
"""A `pyspiel.State` of such a game."""

MELDS: tuple[Hand, ...] = all_melds()[: _gin.NUM_MELD_ACTIONS]
"""The melds of at most five cards by OpenSpiel's number: the first of ours."""
_LARGEST_RUN = 5
_NUMBERS = {"take": DRAW_UPCARD, "draw": DRAW_STOCK, "pass": PASS}
_MELD_NUMBERS = {meld: MELD_BASE + number for number, meld in enumerate(MELDS)}


def player_of(seat: int, dealer: int) -> int:
    """OpenSpiel's player at a seat, and likewise the seat of a player: its player 0 moves first.

    Examples
    --------
    >>> player_of(1, dealer=0), player_of(1, dealer=1)
    (0, 1)
    """
    return seat ^ dealer ^ 1


def number_of(action: Action) -> int:
    """OpenSpiel's number of an action, of a knock or gin that of its first half.

    Examples
    --------
    >>> [number_of(Action.parse(text)) for text in ("draw", "discard 2S", "gin 2S")]
    [53, 1, 55]
    """
    if action.kind == "discard":
        assert action.card is not None
        return int(action.card)
    return _NUMBERS.get(action.kind, KNOCK)


def meld_actions(melds: Iterable[Hand]) -> list[int]:
    """OpenSpiel's actions that lay melds down, a run of more than five cards in parts.

    Examples
    --------
    >>> meld_actions([Hand("KS KC KD KH"), Hand("AS 2S 3S 4S 5S 6S 7S")])
    [120, 165, 125]
    """
    return [_MELD_NUMBERS[part] for meld in melds for part in _parts(meld)]


def melds_of(numbers: Iterable[int]) -> list[Hand]:
    """The melds with OpenSpiel's numbers, as in ``state.layed_melds()``."""
    return [MELDS[number] for number in numbers]


def _parts(meld: Hand) -> list[Hand]:
    """Split a run into runs that OpenSpiel has a number for."""
    parts, rest = [], [Card(card) for card in meld]
    while len(rest) > _LARGEST_RUN:
        size = min(_LARGEST_RUN, len(rest) - 3)
        parts.append(Hand(rest[:size]))
        rest = rest[size:]
    return [*parts, Hand(rest)]


# --- games and rules -----------------------------------------------------------------------

_OURS = ("oklahoma", "knock_card", "gin_bonus", "undercut_bonus")
"""Parameters of the game that have a field of `Rules`; the others are the size of the deck."""


def rules_of(game: Game) -> Rules:
    """The rules that an OpenSpiel game plays by: the preset ``open-spiel`` with its parameters.

    Parameters
    ----------
    game : pyspiel.Game
        ``gin_rummy`` with any of ``oklahoma``, ``knock_card``, ``gin_bonus``, ``undercut_bonus``.

    Returns
    -------
    Rules

    Raises
    ------
    RulesError
        Another game, or another deck or size of the hand.

    Examples
    --------
    >>> import pyspiel
    >>> rules_of(pyspiel.load_game("gin_rummy(oklahoma=True,gin_bonus=20)")).overrides
    {'gin_bonus': 20}
    """
    name = game.get_type().short_name
    values = game.get_parameters() if name == "gin_rummy" else {}
    default = _default_parameters()
    if not values or any(values[key] != default[key] for key in default if key not in _OURS):
        raise RulesError(
            f"game {quote(str(game))}: must be gin_rummy with {', '.join(_OURS)} at most"
        )
    return _rules(*[values[key] for key in _OURS])


@cache
def _default_parameters() -> dict[str, Any]:
    return dict(pyspiel.load_game("gin_rummy").get_parameters())


@cache
def _rules(oklahoma: bool, knock: int, gin_bonus: int, undercut_bonus: int) -> Rules:
    rules = Rules.preset("open-spiel", gin_bonus=gin_bonus, undercut_bonus=undercut_bonus)
    if oklahoma:
        return rules
    # A limit of 0 in every deal is the preset `straight`'s, and no variant of an Oklahoma preset.
    name = "straight" if knock == 0 else "open-spiel"
    return replace(rules, name=name, knock=knock, ace=None)


def game_of(rules: Rules, limit: int | None = None) -> Game:
    """OpenSpiel's game that is nearest to some rules.

    Parameters
    ----------
    rules : Rules
    limit : int, optional
        The knock limit of one deal, whatever fixes it; OpenSpiel's own Oklahoma plays an ace as
        gin only.

    Returns
    -------
    pyspiel.Game
        Without `limit`, ``rules_of`` gives the rules back if they are those of OpenSpiel.

    Examples
    --------
    >>> str(game_of(Rules.preset("eaai")))
    'gin_rummy(gin_bonus=25,knock_card=10,oklahoma=False,undercut_bonus=25)'
    """
    knock = rules.knock if limit is None else limit
    oklahoma = knock == "upcard"
    return _game(oklahoma, 10 if oklahoma else knock, rules.gin_bonus, rules.undercut_bonus)


@cache
def _game(*values: bool | int) -> Game:
    parameters = dict(zip(_OURS, values, strict=True))
    return pyspiel.load_game("gin_rummy", parameters)


def new_state(game: Game) -> State:
    """A state before the deal: a copy, as OpenSpiel takes over a millisecond to make one."""
    return _pristine(str(game)).clone()


@cache
def _pristine(game: str) -> State:
    return pyspiel.load_game(game).new_initial_state()
