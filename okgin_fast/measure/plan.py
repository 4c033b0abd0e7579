"""How far a series is to go: how many games, and when it may stop before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from okgin_fast.errors import OkginError, quote
from okgin_fast.measure.stats import Sprt

__all__ = ["Plan"]

MOST_GAMES = 100_000_000


class Plan(NamedTuple):
    """How far a series is to go.

    Attributes
    ----------
    games : int
        Between any two players; even, for every game is played twice with the seats swapped.
    stop : Sprt or None
        The test that may end it before.
    """

    games: int
    stop: Sprt | None = None

    @property
    def pairs(self) -> int:
        """Mirrored pairs between any two players."""
        return self.games // 2

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """Check the fields: ``games``, and ``stop`` as a pair of shares or None.

        Raises
        ------
        OkginError
            Numbers out of range.

        Examples
        --------
        >>> Plan.of({"games": 7, "stop": None})
        Traceback (most recent call last):
            ...
        okgin_fast.errors.OkginError: games=7: an even number from 2 to 100,000,000, for every game
        is played twice with the seats swapped
        """
        games, stop = fields["games"], fields["stop"]
        if type(games) is not int or not 2 <= games <= MOST_GAMES or games % 2:
            raise OkginError(
                f"games={quote(games)}: an even number from 2 to {MOST_GAMES:,}, for every game is"
                " played twice with the seats swapped"
            )
        if stop is None:
            return cls(games)
        try:
            low, high = map(float, stop)
        except (TypeError, ValueError):
            low = high = 0.0
        if not 0 < low < high < 1:
            raise OkginError(
                f"stop={quote(stop)}: two shares, 0 < low < high < 1, such as 0.5, 0.55"
            )
        return cls(games, Sprt(low, high))
