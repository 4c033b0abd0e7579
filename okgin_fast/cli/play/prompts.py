"""What the player may type, and what it means.

It knows words and cards, and nothing of what is allowed at this point of a deal.
"""

from __future__ import annotations

from typing import NamedTuple

from okgin_fast.cards import RANKS, Card, to_card
from okgin_fast.cli.parser import did_you_mean
from okgin_fast.errors import CardError, OkginError, quote

__all__ = ["HELP", "HELP_INDENT", "Command", "read"]

HELP = """\
A card is typed as rank and suit, in any case: 7H, 10h or th (T is the ten), qd.

  d   draw         draw from the stock
  t   take         take the top card of the pile (its name does, too)
  p   pass         leave the first upcard
      7H           throw that card
  k   k 7H         knock; without a card with the throw that leaves least
  g   gin          go gin;  b  big gin, where the rules have it
  ?   ??           a hint with reasons; all that `okgin hint` says
      pile         the discard pile, and what the other side took
      log          all turns of this deal
      score        the score sheet
      rules        what is played
      fair         how you can check that the shuffle is honest
  u   undo         take your last move back (only with --practice)
      Enter        the table again
      quit         leave; the match is saved and goes on with --resume"""

HELP_INDENT = 19  # where what they do begins

_NAMES = {
    "draw": "d draw s stock",
    "take": "t take",
    "pass": "p pass",
    "throw": "throw discard",
    "knock": "k knock",
    "gin": "g gin",
    "big gin": "b big",
    "hint": "? hint",
    "hint in full": "??",
    "pile": "pile discards",
    "log": "log",
    "score": "score sheet",
    "rules": "rules",
    "fair": "fair",
    "help": "h help",
    "undo": "u undo",
    "quit": "quit exit",
}
_WORDS = {word: name for name, words in _NAMES.items() for word in words.split()}
_WITH_CARD = ("take", "throw", "knock", "gin")


class Command(NamedTuple):
    """What was typed.

    Attributes
    ----------
    name : str
        Such as ``draw``, ``knock`` or ``pile``; ``look`` for nothing, ``card`` for a card alone.
    card : Card or None
    spread : tuple of str
        The melds to show with a knock, as they were typed.
    """

    name: str
    card: Card | None = None
    spread: tuple[str, ...] = ()


def read(text: str) -> Command:
    """Read a line.

    Raises
    ------
    OkginError
        It is neither a command nor a card.

    Examples
    --------
    >>> read("k kd").name, read("k kd").card, read("10h").card, read("").name
    ('knock', Card('KD'), Card('TH'), 'look')
    >>> read("pil")
    Traceback (most recent call last):
        ...
    okgin_fast.errors.OkginError: 'pil' is no card and no command (did you mean pile?)
    """
    first, *rest = text.split() or [""]
    if not first:
        return Command("look")
    name = _WORDS.get(first.lower())
    if name == "big gin" and [word.lower() for word in rest] in ([], ["gin"]):
        return Command(name)
    if name in _WITH_CARD:
        card = to_card(rest[0]) if rest else None
        return Command(name, card, tuple("".join(rest[1:]).split("/")) if rest[1:] else ())
    if name is not None and not rest:
        return Command(name)
    try:
        return Command("card", to_card(text))
    except CardError:
        raise OkginError(_unknown(text.strip())) from None


def _unknown(text: str) -> str:
    if text.upper() in [*RANKS, "10"]:
        return f"{quote(text)} is a rank without a suit: type both, as in {text.upper()}H"
    words = [word for word in _WORDS if len(word) > 2]
    near = did_you_mean(text.lower(), words)
    hint = near if "?" in near else ": type help for what there is"
    return f"{quote(text)} is no card and no command{hint}"
