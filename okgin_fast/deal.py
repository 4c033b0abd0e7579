"""Deals and views as everybody uses them: the core's classes with their text forms.

What happens in a deal is decided in the core; how it is written is decided in notation.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from okgin_fast import notation, positions
from okgin_fast.core.action import Action
from okgin_fast.core.deal import Deal as _Deal
from okgin_fast.core.deal import DealResult, Event, settle
from okgin_fast.core.view import View as _View

__all__ = ["Action", "Deal", "DealResult", "Event", "View", "settle"]


class View(_View):  # noqa: D101 (its docstring is the core's)
    __doc__ = _View.__doc__
    __slots__ = ()

    @classmethod
    def from_position(cls, position: str | Mapping[str, Any] = "", **words: Any) -> Self:
        """Read a position: what a seat knows, in words that a person can type.

        Parameters
        ----------
        position : str or mapping
            ``key=value`` words in one line, or the same by key; cards as `Hand` and `Card` take
            them. Spaces inside a value are allowed.
        **words
            More of the words.

        Returns
        -------
        View

        Raises
        ------
        PositionError
            Words that cannot be read, or a position that cannot arise; the message lists every
            fault.

        Notes
        -----
        Only ``hand`` and ``upcard`` are needed. The words:

        rules
            A preset's name, ``oklahoma`` if not given. Every field of the rules is a word, too,
            such as ``gin_bonus=20``.
        hand
            Ten cards: about to draw; eleven: about to throw.
        upcard
            The first upcard of the deal, also if it has been taken since.
        pile
            The discard pile, its top last. If not given, the upcard alone.
        taken
            The card of the hand that was just taken from the pile. If not given, eleven cards mean
            a draw from the stock.
        known
            Cards that the opponent took from the pile and still holds, the upcard included. After
            a reshuffle, what is left of the hand that he had then.
        refused
            Cards of the pile that the opponent could have taken and did not.
        stock
            How many cards the stock has. It follows from the others and must agree.
        score
            The match score, mine first: ``40-65``.
        dealer
            ``me`` or ``opponent``, if not given the opponent.
        seat
            The number of the seat, 0 or 1; 0 if not given.
        events
            Everything that has happened so far, as turns (see `okgin_fast.notation`) with commas
            between them. What follows from it need not be given, and must agree if it is.
            With ``events=`` it need not be this seat's turn.

        Ten cards and nothing but the upcard in the pile is the first-turn exchange: as the dealer,
        I have seen the opponent pass. As the first player, I am asked; with the upcard in
        ``refused``, both have passed and I must draw from the stock.

        Without ``events`` the view has no history, what the opponent knows of my hand is the upcard
        and the card just taken, and ``turn`` is the least that the cards allow.

        Examples
        --------
        >>> view = View.from_position("hand=AS 2S 3S 7H 7D 7C KD QD 9C 4H upcard=6D")
        >>> view.phase, view.limit, view.legal_actions()
        ('upcard', 6, [Action('take 6D'), Action('pass')])
        >>> View.from_position("hand=AS2S3S7H7D upcard=6D score=100-3")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        okgin_fast.errors.PositionError: score 100-3: must be below the target 100 ...; hand has ...
        """
        return positions.read_position(cls, position, words)

    def position(self) -> str:
        """Write the view as a position that `from_position` reads back as an equal view.

        Returns
        -------
        str
            One line; with ``events`` if the history is known.

        Raises
        ------
        PositionError
            The deal is over.

        Examples
        --------
        >>> deal = Deal("oklahoma", seed=7)
        >>> deal.apply("pass")
        >>> view = deal.view(0)
        >>> view.position()
        'rules=oklahoma hand=AS3C9CJCAD3DTDAH4H8H upcard=7H dealer=me events=-'
        >>> View.from_position(view.position()) == view
        True
        """
        return positions.position_of(self)


class Deal(_Deal):  # noqa: D101 (its docstring is the core's)
    __doc__ = _Deal.__doc__
    __slots__ = ()

    def view(self, seat: int, score: tuple[int, int] | None = None) -> View:
        """What one seat may know now.

        Parameters
        ----------
        seat : int
        score : pair of int, optional
            The match score, that seat's first.

        Returns
        -------
        View
        """
        return View.of(self, seat, score)

    def to_json(self) -> str:
        """Write the deal as a JSON object in one line, for machines.

        Returns
        -------
        str
            With the rules in full, the cards as dealt, one token a turn (see `okgin_fast.notation`)
            and the result, null while the deal goes on.

        Examples
        --------
        >>> deal = Deal("eaai", seed=7)
        >>> deal.apply("pass")
        >>> Deal.from_json(deal.to_json()) == deal
        True
        """
        return notation.deal_to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` writes, and play it.

        Parameters
        ----------
        text : str

        Returns
        -------
        Deal

        Raises
        ------
        NotationError
            No JSON, keys or values that a record does not have, a turn that is not legal, a result
            that is not what the turns come to.
        CardError, RulesError, IllegalActionError
            Cards, rules, or a dealer that are none.
        """
        return notation.deal_from_json(cls, text)

    def to_text(self) -> str:
        """Write the deal as lines of text, for people.

        Returns
        -------
        str
            ``key: value`` lines: the rules, the cards as dealt, one token a turn (see
            `okgin_fast.notation`), ten in a line, and the result.

        Examples
        --------
        >>> deal = Deal("eaai", seed=7)
        >>> for action in ("take 7H", "discard KD"):
        ...     deal.apply(action)
        >>> print(deal.to_text())  # doctest: +ELLIPSIS
        format: okgin deal 1
        rules: eaai
        dealer: 0
        seed: 7
        hand 0: AS 3C 9C JC AD 3D TD AH 4H 8H
        hand 1: 8S JS KS AC 6C 7C QC 2D 6D KD
        upcard: 7H
        stock: KC QS 7D QH ...
        turns: pKD
        result: unfinished
        """
        return notation.deal_to_text(self)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` writes, and play it.

        Parameters
        ----------
        text : str

        Returns
        -------
        Deal

        Raises
        ------
        NotationError
            Lines that a record does not have, a turn that is not legal, a result that is not what
            the turns come to.
        CardError, RulesError, IllegalActionError
            Cards, rules, or a dealer that are none.
        """
        return notation.deal_from_text(cls, text)
