"""A match: deals in a row until a player reaches the target, and what is written down of them.

It knows who deals, what counts towards the target and what is paid at the end (rules.md, "The
match"). How a deal is played and scored is the core's business, how to play well the agents'.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from okgin_fast.core.rng import checked_seed, derive_seed
from okgin_fast.deal import Action, Deal, DealResult, View
from okgin_fast.errors import IllegalActionError, NotationError, quote
from okgin_fast.rules import Rules, as_rules

__all__ = [
    "Agent",
    "Entry",
    "Game",
    "GameResult",
    "Match",
    "MatchResult",
    "ScoredDeal",
    "play_match",
]

HIGHEST_DEADWOOD = 98
"""No ten cards have more (research.md)."""


class Agent(Protocol):
    """Whoever can play a deal from what one seat may see of it."""

    def act(self, view: View) -> Action:
        """Choose one of ``view.legal_actions()``."""


class ScoredDeal(NamedTuple):
    """One finished deal, as it is written on the score sheet.

    Attributes
    ----------
    dealer : int
        The seat that dealt.
    kind : str
        How it ended: a `DealResult`'s ``kind``.
    winner : int or None
        The seat that scored; None for a dead deal or a tie.
    points : int
        What it scored.
    """

    dealer: int
    kind: str
    winner: int | None
    points: int


class Entry(NamedTuple):
    """A winning deal as entered in a game: its number in the match (from 0), winner and points."""

    deal: int
    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the match: the winning deals entered in it.

    Attributes
    ----------
    target : int or None
        The score that wins and closes the game.
    entries : tuple of Entry
    """

    target: int | None
    entries: tuple[Entry, ...] = ()

    @property
    def scores(self) -> tuple[int, int]:
        """Points of both seats."""
        return self._score(0), self._score(1)

    @property
    def winner(self) -> int | None:
        """The seat that has reached the target; None while the game is open."""
        if self.target is None:
            return None
        return next((seat for seat in (0, 1) if self._score(seat) >= self.target), None)

    def boxes(self, seat: int) -> int:
        """Count the deals that a seat has won."""
        return sum(entry.seat == seat for entry in self.entries)

    def _score(self, seat: int) -> int:
        return sum(entry.points for entry in self.entries if entry.seat == seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """What a finished game comes to; all pairs are in points, seat 0 first.

    Attributes
    ----------
    winner : int or None
        The seat that won; None for a single deal that was a tie.
    scores : (int, int)
        From deals: what counted towards the target.
    boxes, game_bonus, shutout : (int, int)
        The extras, paid at the end.
    """

    winner: int | None
    scores: tuple[int, int]
    boxes: tuple[int, int] = (0, 0)
    game_bonus: tuple[int, int] = (0, 0)
    shutout: tuple[int, int] = (0, 0)

    @property
    def totals(self) -> tuple[int, int]:
        """Scores with all extras."""
        return _sums((self.scores, self.boxes, self.game_bonus, self.shutout))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """What a finished match comes to.

    Attributes
    ----------
    winner : int or None
        The seat that won; None for a single deal that was a tie.
    games : tuple of GameResult
        One game, or Hollywood's three.
    deals_played : int
        How many deals it took, dead ones included.
    """

    winner: int | None
    games: tuple[GameResult, ...]
    deals_played: int

    @property
    def scores(self) -> tuple[int, int]:
        """Points from deals, seat 0 first; in Hollywood those of all games."""
        return _sums(game.scores for game in self.games)

    @property
    def totals(self) -> tuple[int, int]:
        """Points with all extras, seat 0 first; in Hollywood those of all games."""
        return _sums(game.totals for game in self.games)


class Match:
    """A match in play: whose deal it is, what has been scored, who has won.

    Parameters
    ----------
    rules : Rules or str
        The rules, or a preset's name.
    seed : int, optional
        0 to 2**64 - 1, for the first dealer and all cards; None takes one from the system.

    Attributes
    ----------
    rules : Rules
    seed : int
    dealer : int
        The seat that deals next, or dealt last once the match is over.
    deals : tuple of ScoredDeal
        All finished deals.
    games : tuple of Game
        What has been entered in the one game, or in Hollywood's three.

    Raises
    ------
    RulesError
        For unknown rules, or a seed out of range.

    Notes
    -----
    With ``derive_seed`` of `okgin_fast.core.rng`, deal number n (from 0, dead ones counted) has
    the seed ``derive_seed(seed, n + 1)``, and the first dealer is the lowest bit of
    ``derive_seed(seed, 0)`` unless the rules name him.

    A deal without points, dead or tied, is dealt again by the same dealer. A single deal (no
    target) is over after the first deal that is not dead; it has no match score and no extras.

    Examples
    --------
    >>> match = Match("oklahoma", seed=7)
    >>> match.dealer, match.scores, match.over
    (1, (0, 0), False)
    >>> match.next_deal().dealer
    1
    """

    def __init__(self, rules: Rules | str = "oklahoma", seed: int | None = None) -> None:
        self.rules = as_rules(rules)
        self.seed = secrets.randbits(64) if seed is None else checked_seed(seed)
        first = self.rules.first_dealer
        self.dealer: int = derive_seed(self.seed, 0) & 1 if first is None else first
        self.deals: tuple[ScoredDeal, ...] = ()
        self.games = (Game(self.rules.target),) * (3 if self.rules.hollywood else 1)

    @property
    def deals_played(self) -> int:
        """How many deals are finished, dead ones included."""
        return len(self.deals)

    @property
    def scores(self) -> tuple[int, int] | None:
        """Points that count towards the target, seat 0 first; None for a single deal.

        In Hollywood those of the first game that is open, or of the third once all are closed.
        """
        if self.rules.target is None:
            return None
        return self.games[(self._open_games() or [-1])[0]].scores

    @property
    def over(self) -> bool:
        """Whether the match is finished."""
        if self.rules.target is None:
            return any(deal.kind != "dead" for deal in self.deals)
        return not self._open_games()

    @property
    def winner(self) -> int | None:
        """The seat that has won; None while the match is open, and after a tied single deal."""
        return None if self.result is None else self.result.winner

    @property
    def result(self) -> MatchResult | None:
        """What the match has come to, with all extras; None while it is open."""
        if not self.over:
            return None
        if self.rules.target is None:
            winner = self.deals[-1].winner
            return MatchResult(
                winner=winner,
                games=(GameResult(winner=winner, scores=self.games[0].scores),),
                deals_played=self.deals_played,
            )
        games = tuple(self._settled(game) for game in self.games)
        # Points, which decide after games, never have to: one game or three have one who won most.
        won_by_1 = sum(game.winner == 1 for game in games)
        return MatchResult(
            winner=int(won_by_1 > len(games) / 2), games=games, deals_played=self.deals_played
        )

    def next_deal(self) -> Deal:
        """Deal the next deal; the same one until its result is recorded.

        Raises
        ------
        IllegalActionError
            If the match is over.
        """
        self._refuse_if_over()
        return Deal(
            self.rules, seed=derive_seed(self.seed, self.deals_played + 1), dealer=self.dealer
        )

    def record(self, result: DealResult | None) -> None:
        """Write down a finished deal: its points, and who deals next.

        Parameters
        ----------
        result : DealResult
            A finished deal's ``result``; the None of an unfinished one is refused.

        Raises
        ------
        IllegalActionError
            If the match is over, or no deal under these rules can end so.

        Examples
        --------
        >>> from okgin_fast.deal import settle
        >>> match = Match("standard", seed=1)
        >>> match.record(settle("AS2S3S4S 5H6H7H 9C9D9S", "KCKD QHQD JHJS TCTD 8C6D", "standard"))
        >>> match.scores
        (119, 0)
        >>> match.over
        True
        """
        if not isinstance(result, DealResult):
            raise IllegalActionError(f"{quote(result)}: must be the result of a finished deal")
        by_knocker = result.winner == result.knocker
        if result.winner is not None and by_knocker == (result.kind == "undercut"):
            raise IllegalActionError(
                f"{quote(result.kind)} won by seat {quote(result.winner)} with seat"
                f" {quote(result.knocker)} as the knocker: only an undercut is the other seat's"
            )
        self._record(result.kind, result.winner, result.points)

    def sheet(self, names: tuple[str, str] = ("You", "Opponent")) -> str:
        """Print the score sheet, as one writes it on paper.

        Parameters
        ----------
        names : (str, str)
            What to call seats 0 and 1.

        Returns
        -------
        str
            A line for each deal, with the running totals in each game that it is entered in; after
            the end the extras, the totals and the winner. A single deal has no totals.

        Examples
        --------
        >>> match = Match.from_dict({
        ...     "rules": {"target": 50, "game_bonus": 100},
        ...     "seed": 1,
        ...     "deals": [
        ...         {"kind": "gin", "winner": 0, "points": 43},
        ...         {"kind": "dead", "winner": None, "points": 0},
        ...         {"kind": "undercut", "winner": 1, "points": 12},
        ...         {"kind": "knock", "winner": 0, "points": 9},
        ...     ],
        ... })
        >>> print(match.sheet())
        Deal  Ending      Points | You  Opponent
           1  gin             43 |  43
           2  dead             - |
           3  undercut        12 |            12
           4  knock            9 |  52
        ----------------------------------------
              Score              |  52        12
              Game bonus         | 100         0
              Total              | 152        12
        Winner: You
        """
        summary = self._summary()
        left = [("Deal", "Ending", "Points")]
        for number, deal in enumerate(self.deals, 1):
            points = "-" if deal.winner is None else str(deal.points)
            left.append((str(number), deal.kind.replace("_", " "), points))
        left += [("", label, "") for label in summary]
        blocks = [_aligned(left, texts=1)]
        if self.rules.target is not None:
            for i, game in enumerate(self.games):
                rows = [names, *(_running(game, number) for number in range(self.deals_played))]
                rows += [(str(pairs[i][0]), str(pairs[i][1])) for pairs in summary.values()]
                blocks.append(_aligned(rows))
        if self.rules.hollywood:
            headings = ["", *(f"Game {i}" for i in (1, 2, 3))]
            blocks = [
                [heading.center(len(block[0])), *block]
                for heading, block in zip(headings, blocks, strict=True)
            ]
        lines = [" | ".join(line) for line in zip(*blocks, strict=True)]
        if summary:
            lines.insert(-len(summary), "-" * len(lines[0]))
        return "\n".join(line.rstrip() for line in [*lines, *self._verdict(names)])

    def to_dict(self) -> dict[str, Any]:
        """Give the match as JSON takes it; `from_dict` reads it back."""
        return {
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "deals": [
                {"kind": deal.kind, "winner": deal.winner, "points": deal.points}
                for deal in self.deals
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Match:
        """Make a match of `to_dict`'s fields, recording the deals anew.

        Raises
        ------
        NotationError
            If something is missing or no text of a match, or a deal is not possible.
        RulesError
            For bad rules or a bad seed.
        """
        try:
            rules, seed = data["rules"], data["seed"]
            deals = [(deal["kind"], deal["winner"], deal["points"]) for deal in data["deals"]]
        except (KeyError, TypeError):
            raise NotationError(
                f"match {quote(data)}: must have rules, seed and deals, each with kind, winner and"
                " points"
            ) from None
        if seed is None:
            raise NotationError("match with seed None: must have the seed that it was dealt from")
        match = cls(Rules.from_dict(rules), seed)
        for number, deal in enumerate(deals, 1):
            try:
                match._record(*deal)
            except IllegalActionError as error:
                raise NotationError(f"deal {number}: {error}") from None
        return match

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (self.rules, self.seed, self.deals) == (other.rules, other.seed, other.deals)

    def __repr__(self) -> str:
        return (
            f"<Match {self.rules.name}, seed {self.seed}, scores {self.scores} after"
            f" {self.deals_played} deals>"
        )

    def _record(self, kind: str, winner: int | None, points: int) -> None:
        self._refuse_if_over()
        if not _possible(self.rules, kind, winner, points):
            raise IllegalActionError(
                f"{quote(kind)} with winner {quote(winner)} and {quote(points)} points: no deal"
                f" under these rules ends so"
            )
        if winner is not None:
            entry = Entry(self.deals_played, winner, points)
            columns = self._columns(winner)
            self.games = tuple(
                Game(game.target, (*game.entries, entry)) if i in columns else game
                for i, game in enumerate(self.games)
            )
        self.deals += (ScoredDeal(self.dealer, kind, winner, points),)
        if winner is not None and not self.over:
            dealers = {"winner": winner, "loser": 1 - winner, "alternate": 1 - self.dealer}
            self.dealer = dealers[self.rules.next_dealer]

    def _refuse_if_over(self) -> None:
        if self.over:
            raise IllegalActionError(
                f"the match is over after {self.deals_played} deals: no further deal is possible"
            )

    def _columns(self, seat: int) -> list[int]:
        """Say which games the next winning deal of a seat is entered in.

        His first in one game, his second in two, every later one in three, counted from the game
        that was the first open one when he first scored; a closed game takes no more entries.
        """
        wins = sum(deal.winner == seat for deal in self.deals)
        entered = [i for i, game in enumerate(self.games) if game.boxes(seat)]
        start = (entered or self._open_games())[0]
        return [i for i in self._open_games() if start <= i <= start + wins]

    def _open_games(self) -> list[int]:
        return [i for i, game in enumerate(self.games) if game.winner is None]

    def _settled(self, game: Game) -> GameResult:
        """Pay the extras of a game that has been won."""
        winner, rules = game.winner, self.rules
        assert winner is not None
        result = GameResult(
            winner=winner,
            scores=game.scores,
            boxes=(rules.box_bonus * game.boxes(0), rules.box_bonus * game.boxes(1)),
            game_bonus=_to(winner, rules.game_bonus),
        )
        if game.scores[1 - winner]:
            return result
        amounts = {
            "none": 0,
            "double_points": result.scores[winner],
            "double_difference": result.totals[winner] - result.totals[1 - winner],
        }
        amount = rules.shutout if isinstance(rules.shutout, int) else amounts[rules.shutout]
        return replace(result, shutout=_to(winner, amount))

    def _summary(self) -> dict[str, list[tuple[int, int]]]:
        """List the last lines of the score sheet: a pair for each game, by label."""
        if self.result is None or self.rules.target is None:
            return {}
        games = self.result.games
        extras = {
            label: pairs
            for label, rule, pairs in (
                ("Boxes", self.rules.box_bonus, [game.boxes for game in games]),
                ("Game bonus", self.rules.game_bonus, [game.game_bonus for game in games]),
                ("Shutout", self.rules.shutout != "none", [game.shutout for game in games]),
            )
            if rule
        }
        score = {"Score": [game.scores for game in games]} if extras else {}
        return {**score, **extras, "Total": [game.totals for game in games]}

    def _verdict(self, names: tuple[str, str]) -> list[str]:
        """Name the winner, and for Hollywood what by."""
        result = self.result
        if result is None:
            return []
        if result.winner is None:
            return ["Winner: nobody"]
        winner, loser = result.winner, 1 - result.winner
        line = f"Winner: {names[winner]}"
        if self.rules.hollywood:
            won = sum(game.winner == winner for game in result.games)
            line += (
                f", {won} games to {3 - won},"
                f" {result.totals[winner]} points to {result.totals[loser]}"
            )
        return [line]


def play_match(
    a: Agent, b: Agent, rules: Rules | str = "oklahoma", seed: int | None = None
) -> MatchResult:
    """Play a match between two players.

    Parameters
    ----------
    a, b : Agent
        Seats 0 and 1.
    rules : Rules or str
        The rules, or a preset's name.
    seed : int, optional
        The match's seed, see `Match`.

    Returns
    -------
    MatchResult

    Notes
    -----
    Every deal ends; but players who never knock play one dead deal after the other, for ever.
    """
    match = Match(rules, seed)
    while match.result is None:
        deal = match.next_deal()
        scores = match.scores
        seats = ((a, scores), (b, scores and (scores[1], scores[0])))
        while deal.to_move is not None:
            agent, score = seats[deal.to_move]
            deal.apply(agent.act(deal.view(deal.to_move, score=score)))
        match.record(deal.result)
    return match.result


def _possible(rules: Rules, kind: str, winner: int | None, points: int) -> bool:
    """Tell whether some deal ends so (rules.md, "Scoring a deal")."""
    if type(kind) is not str or type(points) is not int:
        return False
    limit = 10 if rules.knock == "upcard" else rules.knock
    if winner is None:
        tied = kind == "tie" and limit > 0 and not rules.undercut_on_tie
        return points == 0 and (tied or kind == "dead")
    # What the deadwoods make: D, D - K with K not 0 (that is gin), K - D.
    gin, knock = range(HIGHEST_DEADWOOD + 1), range(1, HIGHEST_DEADWOOD)
    undercut = range(0 if rules.undercut_on_tie else 1, limit + 1)
    bonus, difference = {
        "gin": (rules.gin_bonus, gin),
        "big_gin": (rules.big_gin_bonus, gin if rules.big_gin else ()),
        "knock": (0, knock if limit else ()),
        "undercut": (rules.undercut_bonus, undercut if limit else ()),
    }.get(kind, (0, ()))
    return (
        type(winner) is int
        and winner in (0, 1)
        and any(
            points % times == 0 and points // times - bonus in difference
            for times in (1, rules.spade_multiplier)
        )
    )


def _running(game: Game, deal: int) -> tuple[str, str]:
    """Write what a deal makes of its winner's score, under his name; nothing if not entered."""
    upto = Game(game.target, tuple(entry for entry in game.entries if entry.deal <= deal))
    seat = upto.entries[-1].seat if upto.entries and upto.entries[-1].deal == deal else None
    first, second = map(str, upto.scores)
    return first if seat == 0 else "", second if seat == 1 else ""


def _to(seat: int, points: int) -> tuple[int, int]:
    return (0, points) if seat else (points, 0)


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    first, second = zip(*pairs, strict=True)
    return sum(first), sum(second)


def _aligned(rows: Sequence[tuple[str, ...]], texts: int | None = None) -> list[str]:
    """Pad the cells of a table's rows to lines; only the column ``texts`` begins at the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i == texts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
