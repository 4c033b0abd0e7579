"""The rules of a match as one frozen record: fields, presets, validation, plain sentences.

It knows what may be chosen and what that means in words; it must not know how a deal is played or
scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Literal

from okgin_fast.cards import POINTS, CardLike, to_card
from okgin_fast.errors import RulesError, quote

__all__ = ["PRESETS", "Rules", "as_rules", "parse_overrides"]

# What each preset has different from `oklahoma`, whose values are the defaults of the fields.
_DIFFERENCES: dict[str, dict[str, Any]] = {
    "oklahoma": {},
    "oklahoma-spades": {"ace": "gin", "undercut_bonus": 25, "spade_multiplier": 2},
    "standard": {"knock": 10, "ace": None, "undercut_bonus": 25, "wall": "reshuffle"},
    "straight": {"knock": 0, "ace": None, "undercut_bonus": 25, "wall": "reshuffle"},
    "oklahoma-pagat": {
        "gin_bonus": 20, "spade_multiplier": 2, "next_dealer": "loser", "target": 150,
        "box_bonus": 20, "game_bonus": 100, "shutout": "double_points",
    },
    "oklahoma-bicycle": {
        "ace": "gin", "gin_bonus": 20, "box_bonus": 20, "game_bonus": 100, "shutout": 100,
    },
    "modern": {
        "knock": 10, "ace": None, "undercut_bonus": 25, "big_gin": True, "big_gin_bonus": 31,
        "box_bonus": 25, "game_bonus": 100, "shutout": "double_points",
    },
    "eaai": {"knock": 10, "ace": None, "undercut_bonus": 25, "next_dealer": "alternate"},
    "open-spiel": {
        "ace": "gin", "undercut_bonus": 25, "undercut_on_tie": False, "may_discard_taken": True,
        "target": None, "first_dealer": 1,
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Allowed:
    """What a field may be: one of some values, or an integer of a range."""

    values: tuple[str | bool | int | None, ...] = ()
    numbers: range = range(0)

    def __contains__(self, value: object) -> bool:
        # By type too: 1 is not True here, nor 10.0 a knock limit.
        if any(type(value) is type(one) and value == one for one in self.values):
            return True
        return type(value) is int and value in self.numbers

    def __str__(self) -> str:
        words = [_text(value) for value in self.values]
        if self.numbers:
            words.append(f"a whole number from {self.numbers[0]} to {self.numbers[-1]}")
        return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))

    def read(self, text: str) -> object:
        """Read a value from the command line; what isn't readable stays text, to be refused."""
        word = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(text, text)
        for value in self.values:
            if word == _text(value):
                return value
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else text


def _text(value: object) -> str:
    """Spell a value as on the command line."""
    return str(value).lower()


def _refuse(faults: Iterable[str]) -> None:
    if message := "; ".join(filter(None, faults)):
        raise RulesError(message)


def _unknown(kind: str, name: object, known: Iterable[str]) -> str:
    near = get_close_matches(str(name), known, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"no {kind} {quote(name)}{hint}: must be one of {', '.join(known)}"


def _preset_fault(name: object) -> str:
    known = isinstance(name, str) and name in _DIFFERENCES
    return "" if known else _unknown("preset", name, _DIFFERENCES)


_FLAG = _Allowed((True, False))
_POINTS = _Allowed(numbers=range(10_001))
_ALLOWED: dict[str, _Allowed] = {
    "knock": _Allowed(("upcard",), range(11)),
    "ace": _Allowed(("one", "gin", None)),
    "gin_bonus": _POINTS,
    "undercut_bonus": _POINTS,
    "undercut_on_tie": _FLAG,
    "big_gin": _FLAG,
    "big_gin_bonus": _POINTS,
    "spade_multiplier": _Allowed(numbers=range(1, 101)),
    "may_discard_taken": _FLAG,
    "wall": _Allowed(("dead", "reshuffle")),
    "wall_size": _Allowed(numbers=range(31)),
    "turn_limit": _Allowed(numbers=range(1, 1_001)),
    "target": _Allowed((None,), range(1, 1_000_001)),
    "next_dealer": _Allowed(("winner", "loser", "alternate")),
    "first_dealer": _Allowed((None, 0, 1)),
    "hollywood": _FLAG,
    "box_bonus": _POINTS,
    "game_bonus": _POINTS,
    "shutout": _Allowed(("none", "double_points", "double_difference"), range(1, 10_001)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a match; the defaults are the preset ``oklahoma``.

    Attributes
    ----------
    name : str
        The preset that these rules started from; two rules that differ in it only are equal.
    knock : "upcard" or int
        The most deadwood to knock with: the upcard's points (Oklahoma), or 0-10 in every deal; with
        0 (straight gin) only gin ends a deal.
    ace : "one", "gin" or None
        The limit when the upcard is an ace, 1 or 0; None exactly when `knock` is a number.
    gin_bonus, undercut_bonus : int
        Points for gin and for an undercut, on top of the deadwood or the difference.
    undercut_on_tie : bool
        Whether equal deadwood is an undercut; if not, nobody scores.
    big_gin : bool
        Whether a player may end the deal with all eleven cards in melds, without a discard.
    big_gin_bonus : int
        Points for big gin in all, on top of the opponent's deadwood.
    spade_multiplier : int
        What everything scored in a deal is multiplied by if its upcard is a spade.
    may_discard_taken : bool
        Whether a card taken from the pile may be thrown in the same turn.
    wall : "dead" or "reshuffle"
        What ends the stock: the deal is dead, or the pile is shuffled into a new stock.
    wall_size : int
        How many cards are left in the stock when a deal is dead; not used with ``"reshuffle"``.
    turn_limit : int
        How many turns may be finished without a knock before the deal is dead. No source has such
        a rule, but two players who keep taking each other's discards would never end.
    target : int or None
        The score that wins the match; None for a single deal.
    next_dealer : "winner", "loser" or "alternate"
        Who deals after a scored deal. A deal without points is dealt again by the same dealer.
    first_dealer : 0, 1 or None
        The seat that deals first; None to draw it from the match's seed.
    hollywood : bool
        Whether three games are scored at once.
    box_bonus, game_bonus : int
        Points for each deal won and to the winner of a game, paid at the end.
    shutout : "none", "double_points", "double_difference" or int
        What the winner of a game gets at the end if the loser has not scored: his points from deals
        once more, the difference of the totals with all bonuses once more, or a flat amount.

    Raises
    ------
    RulesError
        If a value is impossible or values contradict each other; all faults are listed.

    Examples
    --------
    >>> rules = Rules.preset("oklahoma", gin_bonus=20)
    >>> rules.gin_bonus, rules.undercut_bonus, rules.knock_limit("5D")
    (20, 10, 5)
    >>> rules.overrides
    {'gin_bonus': 20}
    >>> rules == Rules(gin_bonus=20)
    True
    """

    name: str = field(default="oklahoma", compare=False)
    knock: int | Literal["upcard"] = "upcard"
    ace: Literal["one", "gin"] | None = "one"
    gin_bonus: int = 25
    undercut_bonus: int = 10
    undercut_on_tie: bool = True
    big_gin: bool = False
    big_gin_bonus: int = 31
    spade_multiplier: int = 1
    may_discard_taken: bool = False
    wall: Literal["dead", "reshuffle"] = "dead"
    wall_size: int = 2
    turn_limit: int = 200
    target: int | None = 100
    next_dealer: Literal["winner", "loser", "alternate"] = "winner"
    first_dealer: Literal[0, 1] | None = None
    hollywood: bool = False
    box_bonus: int = 0
    game_bonus: int = 0
    shutout: int | Literal["none", "double_points", "double_difference"] = "none"

    def __post_init__(self) -> None:
        """Refuse impossible values and contradictions, all of them at once."""
        faults = {
            name: f"{name} {quote(value)}: must be {allowed}"
            for name, allowed in _ALLOWED.items()
            if (value := getattr(self, name)) not in allowed
        }
        if fault := _preset_fault(self.name):
            faults["name"] = fault
        # Values contradict each other only where each by itself is possible.
        if faults.keys().isdisjoint({"name", "knock", "ace"}):
            faults["knock and ace"] = self._knock_fault()
        if faults.keys().isdisjoint({"hollywood", "target"}) and self.hollywood and not self.target:
            faults["target"] = "hollywood True: needs a target, a single deal has no three games"
        _refuse(faults.values())

    def _knock_fault(self) -> str:
        """Say what is wrong with `knock` and `ace` together, and for that preset, if anything."""
        base = _DIFFERENCES[self.name].get("knock", "upcard")
        both = "straight gin (knock=0) and Oklahoma (knock=upcard) both say when a player may knock"
        if self.knock == 0 and (base == "upcard" or self.ace is not None):
            oklahoma = f"preset {self.name}" if base == "upcard" else f"ace={self.ace}"
            return f"knock 0 with {oklahoma}: {both}, ask for one of them"
        if self.knock == "upcard" and base == 0:
            return f"knock 'upcard' with preset {self.name}: {both}, ask for one of them"
        if self.knock == "upcard" and self.ace is None:
            return "ace None: must be one or gin with knock=upcard"
        if self.knock != "upcard" and self.ace is not None:
            return (
                f"ace {self.ace!r}: must be none with knock={self.knock}, the limit of every deal"
            )
        return ""

    @classmethod
    def preset(cls, name: str = "oklahoma", **overrides: Any) -> Rules:
        """Make the rules of a preset, with some fields changed.

        Parameters
        ----------
        name : str
            One of `PRESETS`.
        **overrides
            Fields and their values. A number for ``knock`` drops the preset's ``ace``, and
            ``knock="upcard"`` gives ``ace="one"`` where there is none.

        Raises
        ------
        RulesError
            For an unknown preset or field, an impossible value or a contradiction.

        Examples
        --------
        >>> Rules.preset("standard", knock=7, target=250).knock_limit()
        7
        >>> Rules.preset("straight", knock="upcard")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        okgin_fast.errors.RulesError: knock 'upcard' with preset straight: straight gin ...
        """
        return cls._of_preset(name, overrides)

    @classmethod
    def _of_preset(cls, name: str, overrides: Mapping[str, Any]) -> Rules:
        _refuse([_preset_fault(name)])
        values = {**_DIFFERENCES[name], **overrides}
        if "knock" in overrides and "ace" not in overrides:
            values["ace"] = None
            if overrides["knock"] == "upcard":
                values["ace"] = _DIFFERENCES[name].get("ace") or "one"
        unknown = [_unknown("field", key, _ALLOWED) for key in values if key not in _ALLOWED]
        try:
            rules = cls(name=name, **{key: values[key] for key in values if key in _ALLOWED})
        except RulesError as error:
            _refuse([*unknown, str(error)])
        _refuse(unknown)
        return rules

    @property
    def overrides(self) -> dict[str, Any]:
        """The fields that differ from the preset's, with their values."""
        base = PRESETS[self.name]
        return {
            name: value
            for name in _ALLOWED
            if (value := getattr(self, name)) != getattr(base, name)
        }

    def to_dict(self) -> dict[str, Any]:
        """Give all fields by name, as JSON takes them; `from_dict` reads them back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rules:
        """Make rules of `to_dict`'s fields; missing ones are those of the preset ``name``.

        Examples
        --------
        >>> Rules.from_dict({"name": "standard", "target": 250}).overrides
        {'target': 250}
        """
        if not isinstance(data, Mapping):
            raise RulesError(f"rules {quote(data)}: must be fields and their values by name")
        values = dict(data)
        return cls._of_preset(values.pop("name", "oklahoma"), values)

    def knock_limit(self, upcard: CardLike | None = None) -> int:
        """Say with how much deadwood at most a player may knock in a deal.

        Parameters
        ----------
        upcard : Card, str or int, optional
            The deal's first upcard; needed with ``knock="upcard"`` only.

        Returns
        -------
        int
            The limit in points, 0 if only gin ends the deal.

        Examples
        --------
        >>> [Rules().knock_limit(card) for card in ("KS", "7H", "AD")]
        [10, 7, 1]
        >>> Rules(ace="gin").knock_limit("AD"), Rules.preset("eaai").knock_limit()
        (0, 10)
        """
        if self.knock != "upcard":
            return self.knock
        if upcard is None:
            raise RulesError("upcard None: needed, with knock=upcard it fixes the limit")
        points = POINTS[to_card(upcard)]
        return 0 if points == 1 and self.ace == "gin" else points

    def multiplier(self, upcard: CardLike | None) -> int:
        """Say what everything scored in a deal is multiplied by.

        Parameters
        ----------
        upcard : Card, str, int or None
            The deal's first upcard; None for a deal without one.

        Returns
        -------
        int
            `spade_multiplier` if the upcard is a spade, else 1.

        Examples
        --------
        >>> rules = Rules.preset("oklahoma-spades")
        >>> rules.multiplier("9S"), rules.multiplier("9H")
        (2, 1)
        """
        return self.spade_multiplier if upcard is not None and to_card(upcard).suit == 0 else 1

    def describe(self) -> list[str]:
        """Explain the rules to a player, one sentence a rule.

        Returns
        -------
        list of str
            Sentences made from the fields; "Oklahoma" is in them only if the upcard fixes the knock
            limit.

        Examples
        --------
        >>> for sentence in Rules.preset("straight").describe()[:2]:
        ...     print(sentence)
        Straight gin: only gin ends a deal, nobody may knock with deadwood left.
        Gin scores 25 points plus the opponent's deadwood, and nothing may be laid off on it.
        """
        return [*self._describe_deal(), *self._describe_match()]

    def _describe_deal(self) -> list[str]:
        if self.knock == "upcard":
            knock = [
                "Oklahoma: the upcard's number, 10 for a jack, queen or king, is the most deadwood"
                " that a player may knock with in that deal.",
                "If the upcard is an ace, the limit is 1."
                if self.ace == "one"
                else "If the upcard is an ace, only gin ends the deal.",
            ]
        elif self.knock == 0:
            knock = ["Straight gin: only gin ends a deal, nobody may knock with deadwood left."]
        else:
            knock = [f"A player may knock with {_points(self.knock)} of deadwood or less."]
        return [
            *knock,
            f"Gin scores {_points(self.gin_bonus)} plus the opponent's deadwood, and nothing may be"
            " laid off on it.",
            f"Big gin, all eleven cards in melds and no discard, scores"
            f" {_points(self.big_gin_bonus)} plus the opponent's deadwood."
            if self.big_gin
            else "There is no big gin.",
            *(self._describe_knock() if self.knock != 0 else ()),
            "A spade as the upcard has no special effect."
            if self.spade_multiplier == 1
            else "If the upcard is a spade, everything scored in that deal counts"
            f" {_times(self.spade_multiplier)}.",
            "A card taken from the pile may"
            + ("" if self.may_discard_taken else " not")
            + " be thrown back in the same turn.",
            *self._describe_dead(),
        ]

    def _describe_dead(self) -> list[str]:
        again = "nobody scores, and the same dealer deals again"
        turns = f"After {_count(self.turn_limit, 'turn')} without a knock the deal is dead"
        if self.wall == "reshuffle":
            return [
                "When the stock is used up, the discard pile except its top card is shuffled into a"
                " new stock.",
                f"{turns}: {again}.",
            ]
        left = _count(self.wall_size, "card")
        return [
            f"When a discard leaves {left} in the stock, the deal is dead: {again}.",
            f"{turns}, too.",
        ]

    def _describe_knock(self) -> list[str]:
        return [
            "A knocker with less deadwood than the opponent scores the difference.",
            "An opponent with less deadwood than the knocker, after laying off, has undercut and"
            f" scores {_points(self.undercut_bonus)} plus the difference.",
            f"Equal deadwood is an undercut too, for {_points(self.undercut_bonus)}."
            if self.undercut_on_tie
            else "With equal deadwood nobody scores.",
        ]

    def _describe_match(self) -> list[str]:
        dealer = (
            "The first dealer is drawn at random."
            if self.first_dealer is None
            else f"The {('first', 'second')[self.first_dealer]} of the two players deals first, so"
            " the other one starts."
        )
        if self.target is None:
            return [
                dealer,
                "A single deal decides: there is no match score and there are no extras.",
            ]
        next_dealer = (
            "The deal changes hands after every deal that is scored."
            if self.next_dealer == "alternate"
            else f"The {self.next_dealer} of a deal deals the next one."
        )
        return [dealer, next_dealer, *self._describe_target(), *self._describe_extras()]

    def _describe_target(self) -> list[str]:
        if not self.hollywood:
            return [f"The first player to reach {_points(self.target)} wins."]
        return [
            "Hollywood: a player's first winning deal is entered in game 1, the second in games 1"
            " and 2, every later one in all three.",
            "A player who has not scored when a game closes starts with the next one that is open.",
            f"Each game ends by itself when a player has {_points(self.target)} in it, and whoever"
            " wins most games wins the match.",
        ]

    def _describe_extras(self) -> list[str]:
        nothing = "If the loser has scored nothing"
        shutout = {
            "none": "",
            "double_points": f"{nothing}, the winner's points from deals count double.",
            "double_difference": f"{nothing}, the difference with all bonuses counts double.",
        }
        extras = [
            f"Every deal won is worth {_points(self.box_bonus)} more." if self.box_bonus else "",
            f"The winner of a game gets {_points(self.game_bonus)} more."
            if self.game_bonus
            else "",
            f"{nothing}, the winner gets {_points(self.shutout)} more."
            if isinstance(self.shutout, int)
            else shutout[self.shutout],
        ]
        if not any(extras):
            return ["There are no extras: no boxes, no game bonus and nothing for a shutout."]
        return [
            *filter(None, extras),
            "Extras are paid at the end and do not count for the target.",
        ]


PRESETS: Mapping[str, Rules] = MappingProxyType({n: Rules.preset(n) for n in _DIFFERENCES})
"""Rules by the name of their preset; the first is the default."""


def as_rules(rules: Rules | str) -> Rules:
    """Take rules as they are, or those of the preset of that name.

    Examples
    --------
    >>> as_rules("eaai").next_dealer
    'alternate'
    """
    if isinstance(rules, Rules):
        return rules
    known = isinstance(rules, str) and rules in PRESETS
    return PRESETS[rules] if known else Rules.preset(rules)


def parse_overrides(words: Iterable[str]) -> dict[str, Any]:
    """Read ``field=value`` words, as on the command line, into overrides for `Rules.preset`.

    Parameters
    ----------
    words : iterable of str
        Such as ``gin_bonus=20``, ``big_gin=true`` or ``target=none``, in any case.

    Returns
    -------
    dict
        Values by field. An unreadable value stays text, and `Rules.preset` refuses it.

    Raises
    ------
    RulesError
        For a word without ``=``, an unknown field, or a field twice.

    Examples
    --------
    >>> parse_overrides(["gin_bonus=20", "knock=upcard", "target=none", "big_gin=yes"])
    {'gin_bonus': 20, 'knock': 'upcard', 'target': None, 'big_gin': True}
    """
    values: dict[str, Any] = {}
    faults = []
    for word in words:
        name, equals, text = (part.strip().lower() for part in word.partition("="))
        if not equals:
            faults.append(f"{quote(word)}: must be field=value")
        elif name not in _ALLOWED:
            faults.append(_unknown("field", name, _ALLOWED))
        elif name in values:
            faults.append(f"{quote(word)}: {name} is given twice, give it once")
        else:
            values[name] = _ALLOWED[name].read(text)
    _refuse(faults)
    return values


def _count(number: int | None, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")


def _points(number: int | None) -> str:
    return _count(number, "point")


def _times(number: int) -> str:
    return "double" if number == 2 else f"{number} times"
