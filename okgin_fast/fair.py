"""Shuffles that neither side controls, and the proof of it: commitments, seeds and their record.

Before a deal the dealer's program says the SHA-256 of a secret; then the player may say a word; the
cards follow from both; after the deal the secret is told. All of it is pure: secrets come from
above, files are read and written there. How to play well is no business of this module.

**The hashes.** A secret is 64 hexadecimal digits in lower case, 256 random bits, drawn anew for
every deal: too many to be guessed from their hash, so no other nonce is needed. With lines parted
by one line feed, in UTF-8:

==================  ===========================================================================
commitment          SHA-256 of ``okgin fair 1 commit``, the secret; in hexadecimal
seed of the cards   the first 16 hexadecimal digits, as a number, of the SHA-256 of
                    ``okgin fair 1 deal``, the secret, the deal's number from 1, the word
first dealer        as with the seed of the cards, of deal 0 with the secret and the word of
                    deal 1, which is the seed of the `Match`
seed of a player    as the cards' with ``okgin fair 1 player`` in the first line
==================  ===========================================================================

A player's program that is told its seed so can have its moves checked, and learns nothing of the
cards.

**The record** of a match is JSON Lines. The first says what is played; then one line a deal:

.. code-block:: text

    {"format": "okgin match 1", "version": ..., "rules": {...}, "players": [null, "club"],
     "practice": false}
    {"proof": {"number": 1, "commitment": ..., "secret": ..., "word": ...}, "deal": {...}}

``players`` has null for a person. ``deal`` is what `okgin_fast.Deal.to_json` writes; it, and the
word, are null while only the commitment has been said.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Self

from okgin_fast.deal import Deal
from okgin_fast.errors import NotationError, OkginError, RulesError, quote
from okgin_fast.match import Match
from okgin_fast.notation import read_json
from okgin_fast.rules import Rules

__all__ = [
    "FairDeal", "Proof", "Record", "Standing", "checked_word", "commitment", "deal_seed",
    "match_seed", "player_seed",
]  # fmt: skip

FORMAT = "okgin match 1"
LONGEST_WORD = 100
_HEX = re.compile("[0-9a-f]{64}")


def commitment(secret: str) -> str:
    """What is said of a secret before the deal.

    Examples
    --------
    >>> commitment("00" * 32)
    '90ca019b46d9e80ed61e594349c0abc29f65ebc2a4bec47307a79e6ea180b902'
    """
    return _digest("commit", secret)


def deal_seed(secret: str, word: str, number: int) -> int:
    """The seed of a deal's cards.

    Parameters
    ----------
    secret : str
        64 hexadecimal digits.
    word : str
        The player's, or nothing.
    number : int
        The deal's in the match, from 1.

    Returns
    -------
    int
        0 to 2**64 - 1, for `okgin_fast.Deal`.

    Examples
    --------
    >>> deal_seed("00" * 32, "", 1) != deal_seed("00" * 32, "luck", 1)
    True
    """
    return _seed("deal", secret, number, word)


def match_seed(secret: str, word: str) -> int:
    """The seed of the match, of which only the first dealer comes; from the first deal's words."""
    return deal_seed(secret, word, 0)


def player_seed(secret: str, word: str, number: int) -> int:
    """The seed of a program that plays in the deal; nothing of the cards follows from it."""
    return _seed("player", secret, number, word)


def checked_word(text: str) -> str:
    """A player's word as it goes into the seed: in Unicode's form NFC, without blanks around it.

    Raises
    ------
    NotationError
        Longer than 100 characters, or with some that cannot be printed.

    Examples
    --------
    >>> checked_word(" my lucky word ")
    'my lucky word'
    """
    word = unicodedata.normalize("NFC", text).strip()
    if len(word) > LONGEST_WORD or not word.isprintable():
        raise NotationError(
            f"word {quote(text)}: must be at most {LONGEST_WORD} characters that can be printed"
        )
    return word


@dataclass(frozen=True, slots=True)
class Proof:
    """What makes a deal fair.

    Attributes
    ----------
    number : int
        The deal's in the match, from 1.
    commitment : str
        What was said before the deal.
    secret : str
        What is told after it.
    word : str or None
        The player's; empty if he gave none, None before he was asked.

    Examples
    --------
    >>> proof = Proof.of(1, "00" * 32).stirred("luck")
    >>> proof.seed == deal_seed("00" * 32, "luck", 1)
    True
    """

    number: int
    commitment: str
    secret: str
    word: str | None = None

    @classmethod
    def of(cls, number: int, secret: str) -> Self:
        """Commit to a secret."""
        return cls(number, commitment(secret), secret)

    def stirred(self, word: str) -> Self:
        """The proof with the player's word."""
        return replace(self, word=checked_word(word))

    @property
    def seed(self) -> int:
        """The seed of the deal's cards; there is one as soon as there is a word."""
        return deal_seed(self.secret, self.word or "", self.number)

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read what `dataclasses.asdict` gives; what is no proof at all is refused.

        Raises
        ------
        NotationError
        """
        keys = ("number", "commitment", "secret", "word")
        if not isinstance(data, Mapping) or set(data) != set(keys):
            raise NotationError(f"proof {quote(data)}: must have {', '.join(keys)}")
        number, *texts, word = [data[key] for key in keys]
        if type(number) is not int or not 1 <= number < 1 << 31:
            raise NotationError(f"number {quote(number)}: must be a whole number from 1 up")
        for key, text in zip(keys[1:3], texts, strict=True):
            if not isinstance(text, str) or not _HEX.fullmatch(text):
                raise NotationError(f"{key} {quote(text)}: must be 64 hexadecimal digits, a to f")
        if word is not None and (not isinstance(word, str) or checked_word(word) != word):
            raise NotationError(f"word {quote(word)}: must be trimmed text in form NFC, or null")
        return cls(number, texts[0], texts[1], word)


@dataclass(frozen=True, slots=True)
class FairDeal:
    """One deal of a record.

    Attributes
    ----------
    proof : Proof
    deal : Deal or None
        None before the cards are dealt, or if they cannot be read.
    problem : str
        Why the deal cannot be read: it breaks the rules, or its result is not what it comes to.
    """

    proof: Proof
    deal: Deal | None = None
    problem: str = ""


class Standing(NamedTuple):
    """How a match stood before a deal.

    Attributes
    ----------
    dealer : int
        The seat whose turn it was to deal.
    scores : (int, int) or None
        As `okgin_fast.Match` has them.
    over : bool
        Whether there should have been no deal.
    """

    dealer: int
    scores: tuple[int, int] | None
    over: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A match with everything that proves it fair.

    Attributes
    ----------
    rules : Rules
    players : (str or None, str or None)
        The programs by name in seats 0 and 1; None for a person.
    version : str
        Of the package that played.
    practice : bool
        Whether moves could be taken back.
    deals : tuple of FairDeal
        All deals in order; the last one may still be played, or only be committed to.

    Examples
    --------
    >>> proof = Proof.of(1, "00" * 32).stirred("luck")
    >>> rules = Rules.preset("eaai")
    >>> deal = Deal(rules, proof.seed, Match(rules, match_seed(proof.secret, "luck")).dealer)
    >>> record = Record(rules, (None, "club"), "0.1.0", False, (FairDeal(proof, deal),))
    >>> record.faults()
    [[]]
    >>> Record.from_text(record.to_text()) == record
    True
    >>> cheat = Deal(rules, 7, deal.dealer)
    >>> replace(record, deals=(FairDeal(proof, cheat),)).faults()
    [['the cards are not those of the secret and the word']]
    """

    rules: Rules
    players: tuple[str | None, str | None]
    version: str
    practice: bool = False
    deals: tuple[FairDeal, ...] = ()

    def match(self) -> Match:
        """The match as it stands after the finished deals; before the first one is dealt, any.

        Raises
        ------
        OkginError
            A deal cannot be read, or came after the end.
        """
        match = self._begun()
        for number, fair in enumerate(self.deals, 1):
            if fair.problem:
                raise NotationError(f"deal {number} cannot be read")
            if fair.deal is not None and fair.deal.result is not None:
                match.record(fair.deal.result)
        return match

    def standings(self) -> Iterator[Standing | None]:
        """How the match stood before each deal; None after a deal that cannot be read."""
        match: Match | None = self._begun()
        for fair in self.deals:
            yield None if match is None else Standing(match.dealer, match.scores, match.over)
            if fair.problem:
                match = None
            elif match is not None and fair.deal is not None and fair.deal.result is not None:
                try:
                    match.record(fair.deal.result)
                except OkginError:  # after the end, or under other rules: faults of that deal
                    match = None

    def faults(self) -> list[list[str]]:
        """What is not as it should be, for each deal; nothing if the shuffles were honest.

        Returns
        -------
        list of list of str
            One list a deal, of sentences without a full stop.
        """
        told: set[str] = set()
        found = []
        for place, standing in enumerate(self.standings()):
            fair = self.deals[place]
            faults = list(_proof_faults(fair.proof, place + 1))
            if fair.proof.secret in told:
                faults.append("the secret was told before")
            told.add(fair.proof.secret)
            if fair.problem:
                faults.append(fair.problem)
            if fair.deal is not None:
                faults += self._deal_faults(fair.proof, fair.deal, standing)
            if place + 1 < len(self.deals) and not fair.problem:
                if fair.deal is None:
                    faults.append("it was committed to and never dealt")
                elif fair.deal.result is None:
                    faults.append("it was left unfinished")
            found.append(faults)
        return found

    def _begun(self) -> Match:
        """The match without any deal; its seed comes of the first one's secret and word."""
        first = self.deals[0].proof if self.deals else None
        seed = 0 if first is None else match_seed(first.secret, first.word or "")
        return Match(self.rules, seed)

    def _deal_faults(self, proof: Proof, deal: Deal, standing: Standing | None) -> Iterator[str]:
        if proof.word is None:
            yield "it was dealt before the player was asked for his word"
        if deal.rules != self.rules:
            yield "it was played under other rules than the match's"
        if deal.cards != Deal(deal.rules, proof.seed).cards:
            yield "the cards are not those of the secret and the word"
        elif deal.seed != proof.seed:
            yield "the seed is not that of the secret and the word"
        if standing is not None and standing.over:
            yield "the match was over"
        elif standing is not None and deal.dealer != standing.dealer:
            yield f"seat {deal.dealer} dealt, it was seat {standing.dealer}'s turn"

    def to_text(self) -> str:
        """Write the record; `from_text` reads it back."""
        head = {
            "format": FORMAT,
            "version": self.version,
            "rules": self.rules.to_dict(),
            "players": self.players,
            "practice": self.practice,
        }
        lines = [
            {"proof": asdict(fair.proof), "deal": fair.deal and json.loads(fair.deal.to_json())}
            for fair in self.deals
        ]
        return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [head, *lines])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a record.

        A deal that breaks the rules of the game is kept with its problem, for `faults` to tell.

        Raises
        ------
        NotationError
            It is no record; the message says in which line, and why.
        RulesError
            Rules that are none.
        """
        lines = [line for line in text.split("\n") if line.strip()]
        if not lines:
            raise NotationError("no record: it is empty")
        head = _object(1, lines[0], ("format", "version", "rules", "players", "practice"))
        players, version, practice = head["players"], head["version"], head["practice"]
        if head["format"] != FORMAT:
            raise NotationError(f"line 1: format {quote(head['format'])}: must be {FORMAT!r}")
        if (
            not isinstance(players, list)
            or len(players) != 2
            or not all(one is None or isinstance(one, str) for one in players)
        ):
            raise NotationError(f"line 1: players {quote(players)}: must be two names or nulls")
        if not isinstance(version, str) or not isinstance(practice, bool):
            raise NotationError("line 1: version must be text, and practice true or false")
        deals = tuple(_fair_deal(number, line) for number, line in enumerate(lines[1:], 2))
        try:
            rules = Rules.from_dict(head["rules"])
        except RulesError as error:
            raise RulesError(f"line 1: {error}") from None
        return cls(rules, (players[0], players[1]), version, practice, deals)


def _proof_faults(proof: Proof, number: int) -> Iterator[str]:
    if proof.number != number:
        yield f"it is number {proof.number} where number {number} is due"
    if proof.commitment != commitment(proof.secret):
        yield "the commitment is not that of the secret"


def _digest(purpose: str, *parts: str | int) -> str:
    text = "\n".join([f"okgin fair 1 {purpose}", *map(str, parts)])
    return hashlib.sha256(text.encode()).hexdigest()


def _seed(purpose: str, *parts: str | int) -> int:
    return int(_digest(purpose, *parts)[:16], 16)


def _object(number: int, line: str, keys: tuple[str, ...]) -> dict[str, Any]:
    """Read a line that is an object with these keys."""
    try:
        found = read_json(line)
    except NotationError as error:
        raise NotationError(f"line {number}: {error}") from None
    except RecursionError:
        raise NotationError(f"line {number}: {quote(line)} is nested too deeply") from None
    if not isinstance(found, dict) or set(found) != set(keys):
        raise NotationError(
            f"line {number}: {quote(line)} is no part of a record: must be an object with"
            f" {', '.join(keys)}"
        )
    return found


def _fair_deal(number: int, line: str) -> FairDeal:
    found = _object(number, line, ("proof", "deal"))
    try:
        proof = Proof.from_dict(found["proof"])
    except NotationError as error:
        raise NotationError(f"line {number}: {error}") from None
    if found["deal"] is None:
        return FairDeal(proof)
    try:
        return FairDeal(proof, Deal.from_json(json.dumps(found["deal"])))
    except (OkginError, RecursionError) as error:
        return FairDeal(proof, None, f"it cannot be played: {error}")
