"""The census: the exact distribution of deadwood over all hands, and the chances that follow.

It divides the core's chunks among threads, keeps what is counted in a file so that an interrupted
census can go on, and ships the finished counts. It knows nothing of terminals.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import chain
from math import comb
from operator import add
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from okgin_fast.cards import RANKS, CardLike, to_card
from okgin_fast.core.census import Tally, chunks, count_chunk
from okgin_fast.errors import OkginError, quote
from okgin_fast.measure.files import write_whole
from okgin_fast.measure.machine import facts, known_threads
from okgin_fast.rules import Rules

__all__ = ["SIZES", "Census", "Chance", "Counting", "census", "stored"]

SIZES = (10, 11)
LIMITS = range(11)
DEADWOODS, PAIRS = 99, len(LIMITS) * len(RANKS)  # what the core counts, see Tally
SAVE = 1.0  # seconds from one writing of the file to the next
MEANING = {
    10: {
        "hands": "all hands of ten cards by their deadwood, 0 first",
        "held": "by deadwood 0 to 10 and rank, ace first: how many cards of the rank they hold",
        "taken": "nothing: ten cards throw none",
        "at_most": "ten random cards have at most this deadwood; 0: gin is dealt",
        "dealt": "ten random cards of the 51 beside the upcard have at most the limit it sets",
        "dealt gin": "ten random cards of the 51 beside the upcard have no deadwood",
    },
    11: {
        "hands": "all hands of eleven cards by what the best throw leaves, 0 first",
        "held": "by what the best throw leaves, 0 to 10, and rank, ace first: how many cards of "
        "the rank they hold",
        "taken": "by what the best throw of another card leaves, 0 to 10, and rank, ace first: "
        "how many cards of the rank are such that they could have been taken from the pile",
        "at_most": "eleven random cards leave at most this after the best throw; 0: gin",
        "take, knock": "ten random cards of the 51 beside the upcard: with the upcard taken, a "
        "throw of another card leaves at most the limit that the upcard sets",
        "take, gin": "the same, and the throw leaves nothing",
        "draw, knock": "ten random cards of the 51 beside the upcard, and the first card of the "
        "stock: a throw leaves at most the limit that the upcard sets",
        "draw, gin": "the same, and the throw leaves nothing",
    },
}


class Chance(NamedTuple):
    """An exact probability: how many of how many cases, all of them equally likely.

    Attributes
    ----------
    cases, of : int

    Examples
    --------
    >>> stored(10).at_most(0)
    Chance(cases=136694, of=15820024220)
    >>> float(stored(10).at_most(0).exact)
    8.640...e-06
    """

    cases: int
    of: int

    @property
    def exact(self) -> Fraction:
        """The probability in lowest terms."""
        return Fraction(self.cases, self.of)

    @property
    def share(self) -> float:
        """The probability as a float."""
        return self.cases / self.of

    def to_dict(self) -> dict[str, float]:
        """Give it as JSON has it."""
        return {"cases": self.cases, "of": self.of, "share": self.share}


class Census(NamedTuple):
    """All hands of ten cards, or of eleven with one to throw, counted.

    Attributes
    ----------
    cards : int
        10 or 11.
    version : str
        Of okgin_fast, which counted.
    hands : tuple of int
        Hands by deadwood, 0 to 98 points; of eleven cards, by what the best throw leaves.
    held : tuple of tuple of int
        For each deadwood from 0 to 10 as above and each rank, ace first: how many cards of that
        rank these hands hold together.
    taken : tuple of tuple of int
        Of eleven cards, for each deadwood from 0 to 10 and each rank: pairs of a hand and a card
        of that rank in it, where the best throw of another card leaves that deadwood: the card may
        be one taken from the pile, which may not be thrown back. Of ten cards, zeros.
    """

    cards: int
    version: str
    hands: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    taken: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> int:
        """The number of all hands."""
        return comb(52, self.cards)

    @property
    def mean(self) -> float:
        """The mean deadwood in points."""
        return sum(points * hands for points, hands in enumerate(self.hands)) / self.total

    @property
    def maximum(self) -> int:
        """The greatest deadwood of any hand."""
        return max(points for points, hands in enumerate(self.hands) if hands)

    def at_most(self, deadwood: int, upcard: CardLike | None = None) -> Chance:
        """The chance of at most that deadwood; of eleven cards, after the best throw.

        Parameters
        ----------
        deadwood : int
            0 to 98 points; with an upcard 0 to 10.
        upcard : Card, str or int, optional
            A card that the hand does not hold: the chance is over the other 51 cards.

        Examples
        --------
        >>> stored(11).at_most(10), stored(11).at_most(10, upcard="KS")
        (Chance(cases=249005188, of=60403728840), Chance(cases=..., of=47626016970))
        """
        cases = sum(self.hands[: deadwood + 1])
        if upcard is None:
            return Chance(cases, self.total)
        return Chance(cases - _with(self.held, deadwood, upcard), comb(51, self.cards))

    def at_most_taking(self, deadwood: int, upcard: CardLike) -> Chance:
        """The chance that ten cards and the upcard leave at most that after throwing another card.

        Only in a census of eleven cards.

        Parameters
        ----------
        deadwood : int
            0 to 10 points.
        upcard : Card, str or int
            The chance is over the ten of the other 51 cards.

        Raises
        ------
        OkginError
            This is no census of eleven cards.

        Examples
        --------
        >>> stored(11).at_most_taking(10, "KS")
        Chance(cases=..., of=12777711870)
        """
        if self.cards != 11:
            raise OkginError(f"census of {self.cards} cards: with a card taken it needs 11")
        return Chance(_with(self.taken, deadwood, upcard), comb(51, self.cards - 1))

    def by_upcard(self) -> dict[str, list[Chance]]:
        """Under the limit of each upcard, ace first, and at the end under that of any upcard.

        Limits are Oklahoma's with an ace counting one; `MEANING` says what each chance is.

        Examples
        --------
        >>> stored(10).by_upcard().keys()
        dict_keys(['dealt', 'dealt gin'])
        """
        upcards = [(Rules().knock_limit(rank), rank) for rank in range(len(RANKS))]
        if self.cards == 10:
            chances = {
                "dealt": [self.at_most(limit, rank) for limit, rank in upcards],
                "dealt gin": [self.at_most(0, rank) for _, rank in upcards],
            }
        else:
            chances = {
                "take, knock": [self.at_most_taking(limit, rank) for limit, rank in upcards],
                "take, gin": [self.at_most_taking(0, rank) for _, rank in upcards],
                "draw, knock": [self.at_most(limit, rank) for limit, rank in upcards],
                "draw, gin": [self.at_most(0, rank) for _, rank in upcards],
            }
        return {name: [*ranks, _any(ranks)] for name, ranks in chances.items()}

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it, with the chances and what each of the figures means."""
        upcards = [*RANKS, "any"]
        chances = {
            name: {rank: chance.to_dict() for rank, chance in zip(upcards, ranks, strict=True)}
            for name, ranks in self.by_upcard().items()
        }
        return {
            "cards": self.cards,
            "okgin_fast": self.version,
            "total": self.total,
            "mean": self.mean,
            "maximum": self.maximum,
            "hands": self.hands,
            "held": self.held,
            "taken": self.taken,
            "at_most": {str(limit): self.at_most(limit).to_dict() for limit in LIMITS},
            "by_upcard": chances,
            "meaning": MEANING[self.cards],
        }


def _with(pairs: Sequence[Sequence[int]], deadwood: int, card: CardLike) -> int:
    """How many hands with at most that deadwood hold the card: suits are alike."""
    if deadwood not in LIMITS:
        raise OkginError(f"deadwood={quote(deadwood)}: with an upcard, 0 to {LIMITS[-1]}")
    rank = to_card(card) % len(RANKS)
    return sum(of_ranks[rank] for of_ranks in pairs[: deadwood + 1]) // 4


def _any(ranks: Sequence[Chance]) -> Chance:
    """The chance over all upcards, of which each rank is as likely and has as many cases."""
    return Chance(sum(chance.cases for chance in ranks), sum(chance.of for chance in ranks))


# ------------------------------------------------------------------------------------- counting


class _Counted(NamedTuple):
    """Which chunks are counted (one digit each, 0 or 1), and all numbers of `Tally` in a row.

    Every chunk makes a new one of it: an interrupt cannot come between the digit and the counts.
    """

    done: str
    counts: tuple[int, ...]

    def plus(self, place: int, tally: Tally) -> _Counted:
        row = chain(tally.hands, *tally.held, *tally.taken)
        done = f"{self.done[:place]}1{self.done[place + 1 :]}"
        return _Counted(done, tuple(map(add, self.counts, row)))


class _File:
    """What is counted, by number of cards, in a file that is replaced as a whole."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._name = quote(os.fspath(path), 200)
        try:
            self._path = Path(path).resolve()
            self._counted = self._read() if self._path.exists() else {}
            self._write()
        except OSError as error:
            raise OkginError(f"{self._name} cannot be used: {error.strerror}") from None

    def get(self, cards: int) -> _Counted | None:
        return self._counted.get(str(cards))

    def put(self, cards: int, counted: _Counted) -> None:
        self._counted[str(cards)] = counted
        self._write()

    def _read(self) -> dict[str, _Counted]:
        if not self._path.is_file():  # a device must not be replaced
            raise OkginError(f"{self._name} is no regular file")
        try:
            content = json.loads(self._path.read_bytes())
            version, digest = content["okgin census"], content.pop("sha256")
        except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
            raise OkginError(f"{self._name} is damaged, or no file of a census") from None
        if version != _version():
            raise OkginError(
                f"{self._name} was written by okgin_fast {quote(version)}, this is {_version()!r}: "
                "begin another file"
            )
        if digest != _digest(content):
            raise OkginError(f"{self._name} is damaged: its digest is another one")
        try:
            return {
                cards: _Counted(done, tuple(map(int, counts)))
                for cards, (done, counts) in content["counted"].items()
            }
        except (ValueError, TypeError, KeyError, AttributeError):
            raise OkginError(f"{self._name} is no file of a census") from None

    def _write(self) -> None:
        """Replace the file; if that fails it stays as it was."""
        content = {"okgin census": _version(), "counted": self._counted}
        text = json.dumps({**content, "sha256": _digest(content)})
        write_whole(self._path, text.encode())


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


class Counting:
    """A census in work: it may be interrupted at any time, and go on from its file.

    Parameters
    ----------
    cards : int
        10, or 11 for hands with one card to throw.
    resume : path, optional
        The file that keeps what is counted, in one piece whatever happens. It is made if it is
        missing, and may hold both censuses.

    Raises
    ------
    OkginError
        Another number of cards; or the file cannot be read or written, is damaged, or was written
        by another version.

    Examples
    --------
    >>> counting = Counting(10)
    >>> counting.done, counting.total
    (0, 15820024220)
    """

    def __init__(self, cards: int = 10, resume: str | os.PathLike[str] | None = None) -> None:
        self._cards = _known(cards)
        self._chunks = chunks(cards)
        self._file = None if resume is None else _File(resume)
        nothing = _Counted("0" * len(self._chunks), (0,) * (DEADWOODS + 2 * PAIRS))
        self._counted = (self._file and self._file.get(cards)) or nothing
        if list(map(len, self._counted)) != list(map(len, nothing)):
            raise OkginError(f"{quote(str(resume))} has other chunks or counts: begin another file")

    @property
    def total(self) -> int:
        """The number of all hands."""
        return comb(52, self._cards)

    @property
    def done(self) -> int:
        """The number of hands counted so far."""
        return sum(self._counted.counts[:DEADWOODS])

    def run(
        self, threads: int | None = None, progress: Callable[[int], object] | None = None
    ) -> Census:
        """Count what is left.

        Parameters
        ----------
        threads : int, optional
            How many share the work, 1 to 256; by default one a core. The result is the same.
        progress : callable, optional
            Called in this thread with the number of hands counted so far, a few hundred times.

        Returns
        -------
        Census

        Raises
        ------
        OkginError
            A number of threads that is not allowed.
        OSError
            The file cannot be written any more. It stays as it was, and so can be resumed from.
        KeyboardInterrupt
            On Ctrl-C; the file then has all but the chunks in work, one a thread.
        """
        pool = ThreadPoolExecutor(known_threads(threads))
        saved = monotonic()
        try:
            places = {
                pool.submit(count_chunk, self._chunks[place]): place
                for place, digit in enumerate(self._counted.done)
                if digit == "0"
            }
            for finished in as_completed(places):
                self._counted = self._counted.plus(places[finished], finished.result())
                if progress is not None:
                    progress(self.done)
                if monotonic() > saved + SAVE:
                    self._save()
                    saved = monotonic()
        finally:
            pool.shutdown(cancel_futures=True)
            self._save()
        hands, pairs = self._counted.counts[:DEADWOODS], self._counted.counts[DEADWOODS:]
        rows = [pairs[start : start + len(RANKS)] for start in range(0, 2 * PAIRS, len(RANKS))]
        held, taken = tuple(rows[: len(LIMITS)]), tuple(rows[len(LIMITS) :])
        return Census(self._cards, _version(), hands, held, taken)

    def _save(self) -> None:
        if self._file is not None:
            self._file.put(self._cards, self._counted)


@cache
def _version() -> str:
    return facts(["okgin_fast"])["okgin_fast"]


def _known(cards: int) -> int:
    if type(cards) is not int or cards not in SIZES:
        raise OkginError(f"cards={quote(cards)}: the census is of 10 or 11")
    return cards


def census(
    cards: int = 10,
    *,
    threads: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Census:
    """Count all hands of ten cards, or of eleven with one to throw: seconds, or half a minute.

    Parameters
    ----------
    cards : int
        10 or 11.
    threads, progress
        See `Counting.run`.
    resume
        See `Counting`.

    Returns
    -------
    Census

    Raises
    ------
    OkginError, OSError
        See `Counting` and `Counting.run`.

    Examples
    --------
    >>> census(10).hands[0]  # doctest: +SKIP
    136694
    """
    return Counting(cards, resume).run(threads, progress)


def stored(cards: int = 10) -> Census:
    """The census that the package brings, without counting; `okgin census --json` made it.

    Parameters
    ----------
    cards : int
        10, or 11 for hands with one card to throw.

    Returns
    -------
    Census

    Raises
    ------
    OkginError
        Another number of cards.

    Examples
    --------
    >>> stored(10).hands[0], round(stored(10).mean, 4), stored(10).maximum
    (136694, 56.5694, 98)
    """
    text = files("okgin_fast.measure").joinpath("census.json").read_text("utf-8")
    found = json.loads(text)["censuses"][SIZES.index(_known(cards))]
    held, taken = (tuple(map(tuple, found[pairs])) for pairs in ("held", "taken"))
    return Census(cards, found["okgin_fast"], tuple(found["hands"]), held, taken)
