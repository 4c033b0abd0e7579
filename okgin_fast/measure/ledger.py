"""The deals of a series so far: which games are over and who won them, which go on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from okgin_fast.errors import IllegalActionError
from okgin_fast.match import Match
from okgin_fast.measure.play import Game, Played, Setup, is_over, match_of, result_of

__all__ = ["Ledger"]


class Ledger:
    """What has been played of a series.

    Parameters
    ----------
    setup : Setup

    Attributes
    ----------
    setup : Setup
    deals : dict
        The deals of each game that has any, in order.
    winners : dict
        For each finished game the seat that won it, or None.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.deals: dict[Game, list[Played]] = {}
        self.winners: dict[Game, int | None] = {}
        self._open: dict[Game, Match] = {}
        self._reached = 0
        self._prefix: list[float] = []

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """Who plays whom: each two of the players."""
        return list(combinations(range(len(self.setup.players)), 2))

    def schedule(self, pairs: int) -> Iterator[Game]:
        """Every game of so many mirrored pairs of each meeting, in order."""
        for pair in range(pairs):
            for seats in self.meetings:
                game = Game(pair, seats)
                yield from (game, game.mirrored)

    def pairs(self, meeting: tuple[int, int], most: int) -> Iterator[tuple[Game, Game]]:
        """The pairs of a meeting whose games are both over, among the first `most`, in order."""
        for number in range(min(most, self._reached)):
            game = Game(number, meeting)
            if game in self.winners and game.mirrored in self.winners:
                yield game, game.mirrored

    def share(self, game: Game) -> float:
        """What the player at seat 0 won of a finished game: 0, 1/2 or 1."""
        winner = self.winners[game]
        return 0.5 if winner is None else float(winner == 0)

    def pair_share(self, pair: tuple[Game, Game]) -> float:
        """What the first player of a meeting won of a mirrored pair."""
        game, mirrored = pair
        return (self.share(game) + 1 - self.share(mirrored)) / 2

    def prefix_shares(self, most: int) -> list[float]:
        """What the first player won of each pair against the second, up to one not yet over."""
        meeting = self.meetings[0]
        while True:
            game = Game(len(self._prefix), meeting)
            if game not in self.winners or game.mirrored not in self.winners:
                return self._prefix[:most]
            self._prefix.append(self.pair_share((game, game.mirrored)))

    def add(self, played: Played) -> None:
        """Write a finished deal down.

        Raises
        ------
        IllegalActionError
            It is not the next deal of its game, or no deal under these rules ends so.
        """
        game = played.game
        if game in self.winners:
            raise IllegalActionError(f"deal {played.deal} of {game}: that game is over")
        match = self._open.get(game)
        if match is None:
            match = match_of(self.setup, game)
        if (played.deal, played.dealer) != (match.deals_played, match.dealer):
            raise IllegalActionError(f"deal {played.deal} of {game} is not that game's next")
        match.record(result_of(played))
        self._open[game] = match
        self.deals.setdefault(game, []).append(played)
        self._reached = max(self._reached, game.pair + 1)
        if is_over(self.setup, match):
            self.winners[game] = played.winner if self.setup.unit == "deals" else match.winner
            del self._open[game]
