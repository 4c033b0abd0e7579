"""Cards and hands: what people type, into bits and back.

A card's id is ``suit * 13 + rank`` (spades, clubs, diamonds, hearts; the ace is rank 0) and a hand
is a mask with one bit for each id. This module knows the deck and its points, but neither melds nor
the rules of the game.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from itertools import islice
from typing import Any, Literal, NoReturn, TypeAlias, cast

from okgin_fast.errors import CardError, quote

__all__ = [
    "DECK",
    "POINTS",
    "RANKS",
    "SUITS",
    "SYMBOLS",
    "Card",
    "CardLike",
    "CardsLike",
    "Hand",
    "parse_cards",
    "to_card",
    "to_mask",
]

RANKS = "A23456789TJQK"
SUITS = "SCDH"
SYMBOLS = "♠♣♦♥"
DECK: int = (1 << 52) - 1
"""The mask of all 52 cards."""
POINTS: tuple[int, ...] = tuple(min(rank + 1, 10) for _ in SUITS for rank in range(13))
"""Points of each card id: the ace 1, two to ten their number, court cards 10."""

_ALLOWED = f"a card is a rank ({RANKS} or 10) and a suit ({SUITS} or {SYMBOLS}), in either order"
_RANK_OF = {spelling: i for i, r in enumerate(RANKS) for spelling in (r, r.lower())} | {"10": 9}
_SUIT_OF = {
    spelling: i
    for i, spellings in enumerate(("Ss♠♤", "Cc♣♧", "Dd♦♢", "Hh♥♡"))
    for spelling in spellings
}
_SELECTORS = "\ufe0e\ufe0f"  # a symbol may carry a variation selector
_RANK = f"(?:10|[{''.join(set(_RANK_OF) - {'10'})}])"
_SUIT = f"[{''.join(_SUIT_OF)}][{_SELECTORS}]?"
_BETWEEN = r"""\s,;|/()\[\]{}<>'\""""
_WORD = re.compile(f"{_RANK}{_SUIT}|{_SUIT}{_RANK}|[^{_BETWEEN}]+")  # a card, or what is none


class Card(int):
    """One of the 52 cards; an `int` whose value is the card's id.

    There is one object for each card, also after pickling and copying.

    Parameters
    ----------
    card : Card, str or int
        Text such as ``"7H"``, ``"10♥"`` or ``"h7"``, or an id from 0 to 51.

    Raises
    ------
    CardError
        If it is no card.

    Examples
    --------
    >>> card = Card("10♥")
    >>> card, str(card), card.symbol, int(card), card.points
    (Card('TH'), 'TH', 'T♥', 48, 10)
    >>> Card("h10") is card
    True
    """

    def __new__(cls, card: CardLike) -> Card:
        """Look the card up: all 52 are made when the module is imported."""
        return to_card(card)

    @property
    def rank(self) -> int:
        """Rank from 0 (ace) to 12 (king)."""
        return int(self) % 13

    @property
    def suit(self) -> int:
        """Suit: 0 spades, 1 clubs, 2 diamonds, 3 hearts."""
        return int(self) // 13

    @property
    def points(self) -> int:
        """What the card counts as deadwood, 1 to 10 points."""
        return POINTS[self]

    @property
    def mask(self) -> int:
        """The hand that is this card alone, as a mask."""
        return 1 << self

    @property
    def symbol(self) -> str:
        """The card with a suit symbol, such as ``7♥``."""
        return RANKS[self.rank] + SYMBOLS[self.suit]

    def __str__(self) -> str:
        return RANKS[self.rank] + SUITS[self.suit]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __format__(self, spec: str) -> str:
        # As text, so that a width in an f-string pads "7H" and not the id.
        return format(str(self), spec)

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)


_CARDS = tuple(int.__new__(Card, card) for card in range(52))
_SPELLED = {
    spelling: _CARDS[suit * 13 + rank]
    for r, rank in _RANK_OF.items()
    for s, suit in _SUIT_OF.items()
    for symbol in (s, *(s + selector for selector in _SELECTORS))
    for spelling in (r + symbol, symbol + r)
}
"""The cards by every spelling."""


class Hand(Set[Card]):
    """An immutable set of cards.

    Parameters
    ----------
    cards : Hand, Card, str, int or iterable, optional
        Text (see `parse_cards`), a mask, one `Card`, or an iterable of cards, texts and ids.

    Attributes
    ----------
    mask : int
        One bit for each card's id.

    Raises
    ------
    CardError
        If something is no card or there twice, or a mask has other bits than the 52 cards'.

    Notes
    -----
    Iteration is in the order of the ids. The operators ``| & - ^`` take whatever `Hand` takes and
    give a `Hand`; a hand equals hands only.

    Examples
    --------
    >>> hand = Hand("7h 2s, A♠")
    >>> hand, len(hand), hand.points
    (Hand('AS 2S 7H'), 3, 10)
    >>> "7H" in hand, Card("KD") in hand
    (True, False)
    >>> hand - Card("7H") | "3S"
    Hand('AS 2S 3S')
    >>> hand.text(order="rank", symbols=True)
    'A♠ 2♠ 7♥'
    """

    __slots__ = ("mask",)
    mask: int

    def __new__(cls, cards: CardsLike = ()) -> Hand:
        """Read the cards into a mask."""
        self = object.__new__(cls)
        object.__setattr__(self, "mask", to_mask(cards))
        return self

    @property
    def points(self) -> int:
        """Points of all the cards, in melds or not."""
        return sum(card.points for card in self)

    def text(
        self, order: Literal["suit", "rank"] = "suit", symbols: bool = False, sep: str = " "
    ) -> str:
        """Print the cards.

        Parameters
        ----------
        order : {"suit", "rank"}
            What to sort by first.
        symbols : bool
            Print ``7♥`` and not ``7H``.
        sep : str
            What stands between two cards.

        Returns
        -------
        str
            The text, empty for an empty hand; `Hand` reads it back.
        """
        if order not in ("suit", "rank"):
            raise CardError(f"order {quote(order)}: must be 'suit' or 'rank'")
        # Sorting is stable: cards of one rank stay in the order of the suits.
        cards = sorted(self, key=lambda card: card.rank) if order == "rank" else self
        return sep.join(card.symbol if symbols else str(card) for card in cards)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return bool(self.mask >> to_card(card) & 1)

    def __iter__(self) -> Iterator[Card]:
        rest = self.mask
        while rest:
            yield _CARDS[(rest & -rest).bit_length() - 1]
            rest &= rest - 1

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __int__(self) -> int:
        return self.mask

    def __or__(self, other: int | Iterable[Any]) -> Hand:
        return Hand(self.mask | to_mask(other))

    def __and__(self, other: int | Iterable[Any]) -> Hand:
        return Hand(self.mask & to_mask(other))

    def __sub__(self, other: int | Iterable[Any]) -> Hand:
        return Hand(self.mask & ~to_mask(other))

    def __xor__(self, other: int | Iterable[Any]) -> Hand:
        return Hand(self.mask ^ to_mask(other))

    def __rsub__(self, other: int | Iterable[Any]) -> Hand:
        return Hand(to_mask(other) & ~self.mask)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def isdisjoint(self, other: int | Iterable[Any]) -> bool:
        """Tell whether no card is in both."""
        return not self.mask & to_mask(other)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Hand({self.text()!r})"

    def __reduce__(self) -> tuple[type[Hand], tuple[int]]:
        return Hand, (self.mask,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be set: a Hand is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name!r} cannot be deleted: a Hand is immutable")


CardLike: TypeAlias = Card | str | int
"""One card: a `Card`, its text or its id."""
CardsLike: TypeAlias = Hand | Card | str | int | Iterable[Card | str | int]
"""Distinct cards: a `Hand`, text, a mask, one `Card`, or an iterable of single cards."""


def parse_cards(text: str) -> list[Card]:
    """Read cards in the order in which they are typed.

    Parameters
    ----------
    text : str
        Cards in any case, ``T`` or ``10``, suits as letters or symbols, rank or suit first; with
        spaces, commas, brackets and the like between them, or nothing.

    Returns
    -------
    list of Card
        The cards, each at most once.

    Raises
    ------
    CardError
        For text that is no card (quoted with its place), a card twice, or more than 52 cards.

    Examples
    --------
    >>> parse_cards("10h, s2 [A♠]")
    [Card('TH'), Card('2S'), Card('AS')]
    >>> parse_cards("as2s3s") == parse_cards("AS 2S 3S")
    True
    >>> parse_cards("AS 7X")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    okgin_fast.errors.CardError: '7X' (card 2, character 4) is not a card: a card is a rank ...
    """
    cards: list[Card] = []
    for word in _WORD.finditer(text):
        card = _SPELLED.get(word[0])
        if card is None:
            where = f"card {len(cards) + 1}, character {word.start() + 1}"
            raise CardError(f"{quote(word[0])} ({where}) is not a card: {_ALLOWED}")
        cards.append(card)
    return _distinct(cards)


def to_card(card: object) -> Card:
    """Make one card of a `Card`, its text or its id.

    Raises
    ------
    CardError
        If it is no card.

    Examples
    --------
    >>> to_card("7h"), to_card(45)
    (Card('7H'), Card('7H'))
    """
    if isinstance(card, Card) and 0 <= card < 52:
        return card
    if isinstance(card, str):
        if card in _SPELLED:
            return _SPELLED[card]
        cards = parse_cards(card)
        if len(cards) != 1:
            raise CardError(f"{quote(card)} is {len(cards)} cards, not one: {_ALLOWED}")
        return cards[0]
    number = _integer(card)
    if number is None or not 0 <= number < 52:
        raise CardError(f"{quote(card)} is not a card: {_ALLOWED}; an id is from 0 to 51")
    return _CARDS[number]


def to_mask(cards: object) -> int:
    """Make a mask of whatever stands for distinct cards.

    Parameters
    ----------
    cards : Hand, Card, str, int or iterable
        Text (see `parse_cards`), a mask, one `Card`, or an iterable of cards, texts and ids.

    Returns
    -------
    int
        The mask, within `DECK`.

    Raises
    ------
    CardError
        If something is no card or there twice, or a mask has other bits than the 52 cards'.

    Examples
    --------
    >>> to_mask("AS 3S"), to_mask(0b101), to_mask(["AS", Card("3S")]), to_mask([0, 2])
    (5, 5, 5, 5)
    """
    if isinstance(cards, str):
        return _mask(parse_cards(cards))
    if isinstance(cards, (Card, Hand)):
        return cards.mask
    number = cards if type(cards) is int else _integer(cards)
    if number is not None:
        if number & ~DECK:
            raise CardError(f"mask {quote(number)} has bits that are no card: only bits 0 to 51")
        return number
    if not isinstance(cards, Iterable) or isinstance(cards, (bytes, bytearray, memoryview)):
        raise CardError(f"{quote(cards)} is no hand: give a Hand, text, a mask or cards one by one")
    return _mask(_distinct(list(_each(islice(cards, 53)))))


def _each(cards: Iterable[object]) -> Iterator[Card]:
    """Read the cards of an iterable; an error tells which of them it is."""
    for number, card in enumerate(cards, 1):
        try:
            yield to_card(card)
        except CardError as error:
            raise CardError(f"item {number}: {error}") from None


def _integer(value: object) -> int | None:
    """Integers of any library as `int`; None for everything else, also for bools."""
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    try:
        return operator.index(cast(Any, value))
    except TypeError:
        return None


def _distinct(cards: list[Card]) -> list[Card]:
    """Refuse a card that is there twice, or more than a deck."""
    if len(cards) > 52:
        raise CardError("more than 52 cards: a deck has each of its 52 cards once")
    if len(set(cards)) < len(cards):
        twice = [card for card, times in Counter(cards).items() if times > 1]
        places = ", ".join(
            f"{card} (cards {' and '.join(str(i) for i, c in enumerate(cards, 1) if c == card)})"
            for card in twice
        )
        raise CardError(f"duplicate card {places}: a deck has each card once")
    return cards


def _mask(cards: Iterable[Card]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
