"""The study of a record: every deal played again, every step judged, the values put in a row.

What a figure is worth is the judge's business (judge.py), what the sums are called that of
results.py. Here is the order of things: whose score, which view before and after an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from okgin_fast.analysis.judge import Judge
from okgin_fast.analysis.records import Record, read_records
from okgin_fast.analysis.results import MARKS, Analysis, DealAnalysis, Mark, Step, Unit, sign
from okgin_fast.core.rng import checked_seed, derive_seed
from okgin_fast.deal import Action, Deal, View
from okgin_fast.equity import MOST, deal_worth, match_equity
from okgin_fast.errors import NotationError, OkginError, quote
from okgin_fast.limit import Limit, as_limit
from okgin_fast.match import Entry, Game, Match

__all__ = ["Study", "analyse"]

STEP = 10
"""Points, either way, over which a point's worth in a match is measured."""


def analyse(
    record: str | Deal | Iterable[Deal | Record],
    limit: Limit | None = None,
    seed: int = 0,
    *,
    names: tuple[str, str] = ("seat 0", "seat 1"),
    score: tuple[int, int] | None = None,
    points: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Go over a finished game, deal by deal and move by move.

    Parameters
    ----------
    record : str, Deal, or iterable of Deal or Record
        Deals in the order in which they were played, or a text with their records (see
        `read_records`). Several deals are a match: the score is kept by their rules. A new match
        begins with the head of one that ``okgin play`` saved, when one is over, and when rules or
        dealer are not those that should come next.
    limit : Limit, optional
        The rollouts of a figure, by default 1,000; close decisions get up to eight times as many.
        Its ``stop`` ends the analysis: the deals finished by then are in it. It takes no time.
    seed : int
        0 to 2**64 - 1. The same record, rollouts and seed have the same analysis everywhere.
    names : (str, str)
        What to call seats 0 and 1.
    score : (int, int), optional
        The match score before the first deal, seat 0's first.
    points : bool
        Measure in points, each deal by itself, and not in chances of the match. Points it is in any
        case for one deal without a score, without a target, and in Hollywood.
    progress : callable, optional
        Called after every action with how many are done, and how many there are.

    Returns
    -------
    Analysis

    Raises
    ------
    NotationError
        The text has a bad record, or there is no deal.
    OkginError
        A limit by time, a bad seed or score, or a score where figures are points.

    Examples
    --------
    >>> import okgin_fast as og
    >>> deal = og.Deal("eaai", seed=5)
    >>> while deal.to_move is not None:
    ...     deal.apply(og.agent("gold").act(deal.view(deal.to_move)))
    >>> found = analyse(deal, og.Limit(rollouts=50))
    >>> found.unit, len(found.deals[0].steps) == len(deal.actions)
    ('points', True)
    >>> abs(found.skill + found.luck.total - found.result) < 1e-9
    True
    """
    study = Study(record, limit, seed, names=names, score=score, points=points)
    study.run(progress)
    return study.found


class Study:
    """An analysis in the making, which keeps the deals that are finished whatever ends it.

    Parameters are those of `analyse`.

    Attributes
    ----------
    deals : list of Deal
    finished : list of DealAnalysis
        The first of them, gone over. Those of an earlier run may be put in before `run`.
    """

    def __init__(
        self,
        record: str | Deal | Iterable[Deal | Record],
        limit: Limit | None = None,
        seed: int = 0,
        *,
        names: tuple[str, str] = ("seat 0", "seat 1"),
        score: tuple[int, int] | None = None,
        points: bool = False,
    ) -> None:
        self.limit = Limit(rollouts=1000) if limit is None else as_limit(limit)
        if (self.limit.rollouts or 0) < 2 or self.limit.time_ms is not None:
            raise OkginError(
                f"rollouts={quote(self.limit.rollouts)}, time_ms={quote(self.limit.time_ms)}: "
                "an analysis goes by rollouts alone, two or more"
            )
        self.seed = checked_seed(seed)
        self.names = names
        self.finished: list[DealAnalysis] = []
        self.deals, heads = _deals(record)
        rules = [deal.rules for deal in self.deals]
        kept = not points and all(r.target for r in rules) and (score is not None or len(rules) > 1)
        hollywood = any(r.hollywood for r in rules)
        self.unit: Unit = "match" if kept and not hollywood else "points"
        if score is not None and self.unit == "points":
            raise OkginError(
                f"score {quote(score)}: it has no use where figures are points: in deals by"
                " themselves, without a target, and in Hollywood"
            )
        self._places = (
            list(_places(self.deals, heads, score, self.unit))
            if kept
            else [_by_itself(deal) for deal in self.deals]
        )

    @property
    def actions(self) -> int:
        """How many actions there are to judge."""
        return sum(len(deal.actions) for deal in self.deals)

    @property
    def done(self) -> int:
        """How many of them are judged, in the deals that are finished."""
        return sum(len(deal.steps) for deal in self.finished)

    @property
    def found(self) -> Analysis:
        """The deals that are finished."""
        assert self.limit.rollouts is not None
        return Analysis(
            self.names,
            self.unit,
            tuple(self.finished),
            self.limit.rollouts,
            self.seed,
            len(self.deals),
        )

    def run(
        self,
        progress: Callable[[int, int], None] | None = None,
        on_deal: Callable[[DealAnalysis], None] | None = None,
    ) -> None:
        """Go over the deals that are not finished, until the limit's ``stop`` is set.

        Parameters
        ----------
        progress : callable, optional
            Called after every action with how many are done, and how many there are.
        on_deal : callable, optional
            Called with every deal that is finished now.
        """
        total, done = self.actions, self.done
        while len(self.finished) < len(self.deals):
            number = len(self.finished)
            place = self._places[number]
            judge = Judge(self.limit, self.seed, place.point)
            replay = _Replay(judge, self.deals[number], place)
            for _ in replay.steps():
                done += 1
                if progress is not None:
                    progress(done, total)
                if self.limit.stop is not None and self.limit.stop.is_set():
                    return
            deal = replay.finish(number + 1)
            self.finished.append(deal)
            if on_deal is not None:
                on_deal(deal)


def _deals(record: str | Deal | Iterable[Deal | Record]) -> tuple[list[Deal], set[int]]:
    """The deals of a record, at least one, and before which of them a match has its head."""
    deals, heads = list[Deal](), set[int]()
    if isinstance(record, Deal):
        record = [record]
    elif isinstance(record, str):
        record = read_records(record)
    elif not isinstance(record, Iterable):
        record = [record]
    for one in record:
        if isinstance(one, Record):
            if one.error is not None:
                raise NotationError(f"line {one.line}: {one.error}")
            if one.players is not None:
                heads.add(len(deals))
            if one.deal is not None:
                deals.append(one.deal)
        elif isinstance(one, Deal):
            deals.append(one)
        else:
            raise NotationError(f"record {quote(one)}: must be text, a Deal or several")
    if not deals:
        raise NotationError("no deal: nothing to analyse")
    return deals, heads


# ------------------------------------------------------------------------------ a deal in its match


class _Place(NamedTuple):
    """What a deal was played for.

    Attributes
    ----------
    match : int or None
        Which match it belongs to.
    score : (int, int) or None
        The match score before it.
    won : int or None
        The seat that has won the match with it.
    point : float
        What a point is worth.
    start, end : float
        Values before it and after it; there is no end to an unfinished one.
    """

    match: int | None
    score: tuple[int, int] | None
    won: int | None
    point: float
    start: float
    end: float | None


def _by_itself(deal: Deal) -> _Place:
    return _Place(None, None, None, 1.0, 0.0, _points(deal))


def _places(
    deals: list[Deal], heads: set[int], score: tuple[int, int] | None, unit: Unit
) -> Iterator[_Place]:
    """Keep the score of the matches that the deals are of."""
    match, number = _match(deals[0], score), 1
    for i, deal in enumerate(deals):
        if i and (i in heads or not _goes_on(match, deal)):
            match, number = _match(deal), number + 1
        before, start, point = match.scores, _chance(match), _point(match)
        if deal.result is not None:
            match.record(deal.result)
        if unit == "points":  # Hollywood: what its score is worth is not known well enough
            yield _by_itself(deal)._replace(match=number, won=match.winner)
        else:
            end = None if deal.result is None else _chance(match)
            yield _Place(number, before, match.winner, point, start, end)


def _goes_on(match: Match, deal: Deal) -> bool:
    return not match.over and match.rules == deal.rules and match.dealer == deal.dealer


def _match(deal: Deal, score: tuple[int, int] | None = None) -> Match:
    """A match that begins with that deal, from a score."""
    match = Match(deal.rules, 0)
    match.dealer = deal.dealer
    if score is not None:
        match_equity(deal.rules, score)  # refuses what is no score
        entries = tuple(Entry(0, seat, points) for seat, points in enumerate(score))
        match.games = (Game(deal.rules.target, entries),)
    return match


def _points(deal: Deal) -> float | None:
    """What a deal has come to."""
    result = deal.result
    return result and float(result.points if result.winner == 0 else -result.points)


def _point(match: Match) -> float:
    """What a point of the next deal is worth, in chances of winning the match."""
    worth = deal_worth(match.rules, match.scores or (0, 0), match.dealer == 0)
    return float(worth[MOST + STEP] - worth[MOST - STEP]) / (2 * STEP)


def _chance(match: Match) -> float:
    """Seat 0's chance of winning a match as it stands."""
    if match.over:
        return float(match.winner == 0)
    return match_equity(match.rules, match.scores or (0, 0), "opponent" if match.dealer else "me")


# ----------------------------------------------------------------------------- a deal, played again


class _Replay:
    """One deal, played again from its start."""

    def __init__(self, judge: Judge, deal: Deal, place: _Place) -> None:
        self.judge, self.actions, self.place = judge, deal.actions, place
        self.deal = deal.clone()
        for _ in self.actions:
            self.deal.undo()
        self.seed = derive_seed(judge.seed, self.deal.view(0).digest())
        self.dealt = self._value()
        self.found: list[Step] = []

    def steps(self) -> Iterator[Step]:
        """Play the actions and judge them, one after the other."""
        before = self.dealt
        for action in self.actions:
            step = self._step(action, before)
            before = step.value
            self.found.append(step)
            yield step

    def finish(self, number: int) -> DealAnalysis:
        """Put the steps together."""
        place = self.place
        return DealAnalysis(
            number,
            self.deal,
            place.match,
            place.score,
            place.won,
            place.point,
            place.start,
            self.dealt,
            tuple(self.found),
            self.found[-1].value if self.found else self.dealt,
        )

    def _step(self, action: Action, before: float) -> Step:
        deal, judge = self.deal, self.judge
        seat, turn, top = deal.to_move, deal.turn + 1, deal.pile[-1] if deal.pile else None
        assert seat is not None
        view = self._view(seat)
        choices = len(view.legal_actions())
        verdict = judge.verdict(view, action) if choices > 1 else None
        mark = None if verdict is None else _mark(verdict.loss / judge.point)
        better = played = ""
        if verdict is not None and mark != "good":
            better, played = judge.reasons(view, verdict.best, action)
        deal.apply(action)
        drawn = luck = None
        if action.kind == "draw":
            after = self._view(seat)
            (drawn,) = after.hand - view.hand
            luck = judge.drawn(view, after)
        value = self._value()
        loss = 0.0 if verdict is None else verdict.loss
        told = sign(seat) * ((0.0 if luck is None else luck.luck) - loss)
        return Step(
            number=len(self.found) + 1,
            turn=turn,
            seat=seat,
            hand=view.hand,
            top=top,
            action=action,
            choices=choices,
            best=verdict and verdict.best,
            equity=verdict and verdict.equity,
            equity_se=verdict and verdict.equity_se,
            loss=loss,
            loss_se=0.0 if verdict is None else verdict.loss_se,
            mark=mark,
            better=better,
            played=played,
            drawn=drawn,
            luck=luck and luck.luck,
            luck_se=luck and luck.se,
            value=value,
            hidden=value - before - told,
        )

    def _view(self, seat: int) -> View:
        """What a seat knows now, the score included."""
        score = self.place.score
        return self.deal.view(seat, score and (score[seat], score[1 - seat]))

    def _value(self) -> float:
        """What the position is worth to seat 0; at the end of the deal, what it has come to."""
        if self.deal.result is None or self.place.end is None:
            return self.judge.value(self.deal, self.place.score, self.seed)
        return self.place.end


def _mark(loss: float) -> Mark:
    """Name an error by what it costs in points."""
    return next(mark for mark, least in MARKS.items() if loss >= least)
