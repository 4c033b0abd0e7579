"""What a player can do, as a number for the core and as an `Action` for Python.

The text of an action is the same everywhere: command line, records, engine process.
"""

from collections.abc import Iterable

from okgin_fast.core.cards cimport CARDS

from okgin_fast.cards import Card, Hand, to_card
from okgin_fast.errors import NotationError, quote

KINDS = ("pass", "draw", "take", "discard", "knock", "gin", "big gin")
ACTION_FORMS = "take 7H, draw, pass, discard KD, knock KD, gin KD, big gin"


cdef class Action:
    """What a player does: immutable, equal by value.

    Parameters
    ----------
    kind : str
        ``pass``, ``draw``, ``take``, ``discard``, ``knock``, ``gin`` or ``big gin``.
    card : Card, str or int, optional
        The card taken or thrown; not for ``pass``, ``draw`` and ``big gin``.
    spread : sequence of hands, optional
        With ``knock`` and ``gin``: the melds to show. Without it the package chooses the
        arrangement that leaves least and, among those, offers the fewest lay-offs to the unseen
        cards.

    Raises
    ------
    NotationError
        An unknown kind, a card missing or too many, a spread where there is none.

    Examples
    --------
    >>> str(Action("knock", "KD", ["7S 7C 7D", "AS 2S 3S"]))
    'knock KD: 7S7C7D AS2S3S'
    >>> Action.parse("Discard 10h")
    Action('discard TH')
    """

    def __init__(self, kind, card=None, spread=None):
        if self.kind is not None:
            raise NotationError(f"{self!r} cannot be changed: an Action is immutable")
        if kind not in KINDS:
            raise NotationError(
                f"{quote(kind)} is not a kind of action; allowed: {', '.join(KINDS)}"
            )
        number = KINDS.index(kind)
        if (card is None) != (number in (PASS, STOCK, BIG_GIN)):
            what = "needs a card" if card is None else f"takes no card, got {quote(card)}"
            raise NotationError(f"{kind!r} {what}")
        if spread is not None and number not in (KNOCK, GIN):
            raise NotationError(f"{kind!r} takes no spread; only knock and gin do")
        self.kind = KINDS[number]
        self.card = None if card is None else to_card(card)
        if isinstance(spread, str) or not isinstance(spread, (Iterable, type(None))):
            raise NotationError(f"spread {quote(spread)}: a sequence of hands, one for each meld")
        self.spread = None if spread is None else tuple([Hand(meld) for meld in spread])
        self.code = number << 6 | (0 if card is None else int(self.card))

    @staticmethod
    def parse(text):
        """Read an action, such as ``take 7H`` or ``knock KD: 7S7C7D AS2S3S``, in any case.

        Parameters
        ----------
        text : str

        Returns
        -------
        Action

        Raises
        ------
        NotationError
            Text that is no action.
        CardError
            A card in it that is no card.
        """
        if not isinstance(text, str):
            raise NotationError(f"{quote(text)} is no action; allowed: {ACTION_FORMS}")
        what, _, melds = text.strip().partition(":")
        words = what.split()
        kind = words[0].lower() if words else ""
        if [word.lower() for word in words] == ["big", "gin"]:
            kind, words = "big gin", ["big gin"]
        if kind not in KINDS or len(words) > 2:
            raise NotationError(f"{quote(text)} is no action; allowed: {ACTION_FORMS}")
        return Action(kind, words[1] if len(words) == 2 else None,
                      melds.split() if ":" in text else None)

    def __str__(self):
        text = self.kind if self.card is None else f"{self.kind} {self.card}"
        if self.spread is None:
            return text
        return f"{text}: {' '.join([meld.text(sep='') for meld in self.spread])}"

    def __repr__(self):
        return f"Action({str(self)!r})"

    def __eq__(self, other):
        if not isinstance(other, Action):
            return NotImplemented
        return self.code == (<Action>other).code and self.spread == (<Action>other).spread

    def __hash__(self):
        return hash((self.code, self.spread))

    def __reduce__(self):
        return Action, (self.kind, self.card, self.spread)


cdef list _all_actions():
    """Every action without a spread, by its code."""
    table = [None] * (len(KINDS) << 6)
    for number, kind in enumerate(KINDS):
        if number in (PASS, STOCK, BIG_GIN):
            table[number << 6] = Action(kind)
        else:
            for card in [Card(i) for i in range(CARDS)]:
                table[number << 6 | int(card)] = Action(kind, card)
    return table

ACTIONS = _all_actions()
