"""The study of a record: every deal played again, every step judged, the values put in a row.

What a figure is worth is the judge's business (judge.py), what the sums are called that of
results.py. Here is the order of things: whose score, which view before and after an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from okgin_fast.agents.turn import checked_seed
from okgin_fast.analysis.judge import Judge
from okgin_fast.analysis.records import read_records
from okgin_fast.analysis.results import MARKS, Analysis, DealAnalysis, Mark, Step, Unit, sign
from okgin_fast.core.rng import derive_seed
from okgin_fast.deal import Action, Deal, View
from okgin_fast.equity import MOST, deal_worth, match_equity
from okgin_fast.errors import NotationError, OkginError, quote
from okgin_fast.limit import Limit, as_limit
from okgin_fast.match import Entry, Game, Match

__all__ = ["analyse"]

STEP = 10
"""Points, either way, over which a point's worth in a match is measured."""


def analyse(
    record: str | Deal | Iterable[Deal],
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
    record : str, Deal or iterable of Deal
        Deals in the order in which they were played, or a text with their records (see
        `read_records`). Several deals are one match: the score is kept by their rules. A new match
        begins when one is over, and when rules or dealer are not those that should come next.
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
        Measure in points, each deal by itself, and not in chances of the match. So it is in any
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
        A limit by time, a bad seed or score.

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
    limit = Limit(rollouts=1000) if limit is None else as_limit(limit)
    if limit.rollouts is None or limit.rollouts < 2 or limit.time_ms is not None:
        raise OkginError(
            f"rollouts={quote(limit.rollouts)}, time_ms={quote(limit.time_ms)}: "
            "an analysis goes by rollouts alone, two or more"
        )
    deals = _deals(record)
    rules = [deal.rules for deal in deals]
    in_match = not points and all(r.target and not r.hollywood for r in rules)
    unit: Unit = "match" if in_match and (score is not None or len(deals) > 1) else "points"
    checked_seed(seed)
    total, done, finished = sum(len(deal.actions) for deal in deals), 0, list[DealAnalysis]()
    match: Match | None = None
    for number, deal in enumerate(deals, 1):
        if unit == "match":
            match = _match(match, deal, score if number == 1 else None)
        point = 1.0 if match is None else _point(match)
        study = _Study(Judge(limit, seed, point), deal, match)
        for _ in study.steps():
            done += 1
            if progress is not None:
                progress(done, total)
            if limit.stop is not None and limit.stop.is_set():
                break
        else:
            finished.append(study.finish(number))
            continue
        break
    complete = len(finished) == len(deals)
    return Analysis(names, unit, tuple(finished), limit.rollouts, seed, complete)


def _deals(record: str | Deal | Iterable[Deal]) -> list[Deal]:
    """The deals of a record, of which there is at least one."""
    if isinstance(record, Deal):
        return [record]
    if not isinstance(record, str):
        deals = list(record) if isinstance(record, Iterable) else [None]
        if not all(isinstance(deal, Deal) for deal in deals):
            raise NotationError(f"record {quote(record)}: must be text, a Deal or several")
        return _some(deals)
    deals = []
    for found in read_records(record):
        if found.deal is None:
            raise NotationError(f"line {found.line}: {found.error}")
        deals.append(found.deal)
    return _some(deals)


def _some(deals: list[Deal]) -> list[Deal]:
    if not deals:
        raise NotationError("no deal: nothing to analyse")
    return deals


def _point(match: Match) -> float:
    """What a point of the next deal is worth, in chances of winning the match."""
    worth = deal_worth(match.rules, match.scores or (0, 0), match.dealer == 0)
    return float(worth[MOST + STEP] - worth[MOST - STEP]) / (2 * STEP)


def _match(match: Match | None, deal: Deal, score: tuple[int, int] | None) -> Match:
    """The match that a deal belongs to: the one in play, if it goes on with that deal."""
    goes_on = (
        match is not None
        and not match.over
        and match.rules == deal.rules
        and match.dealer == deal.dealer
    )
    if match is not None and goes_on:
        return match
    match = Match(deal.rules, 0)
    match.dealer = deal.dealer
    if score is not None:
        match_equity(deal.rules, score)  # refuses what is no score
        entries = tuple(Entry(0, seat, points) for seat, points in enumerate(score))
        match.games = (Game(deal.rules.target, entries),)
    return match


class _Study:
    """One deal, played again from its start."""

    def __init__(self, judge: Judge, deal: Deal, match: Match | None) -> None:
        self.judge, self.actions, self.match = judge, deal.actions, match
        self.score = None if match is None else match.scores
        self.deal = deal.clone()
        for _ in self.actions:
            self.deal.undo()
        self.seed = derive_seed(judge.seed, self.deal.view(0).digest())
        self.start = 0.0 if match is None else _chance(match)
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
        end = self.found[-1].value if self.found else self.dealt
        return DealAnalysis(
            number,
            self.deal,
            self.score,
            self.judge.point,
            self.start,
            self.dealt,
            tuple(self.found),
            end,
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
        return self.deal.view(seat, self.score and (self.score[seat], self.score[1 - seat]))

    def _value(self) -> float:
        """What the position is worth to seat 0; at the end of the deal, what it has come to."""
        result = self.deal.result
        if result is None:
            return self.judge.value(self.deal, self.score, self.seed)
        if self.match is not None:
            self.match.record(result)
            return _chance(self.match)
        return float(result.points if result.winner == 0 else -result.points)


def _mark(loss: float) -> Mark:
    """Name an error by what it costs in points."""
    return next(mark for mark, least in MARKS.items() if loss >= least)


def _chance(match: Match) -> float:
    """Seat 0's chance of winning a match as it stands."""
    if match.over:
        return float(match.winner == 0)
    return match_equity(match.rules, match.scores or (0, 0), "opponent" if match.dealer else "me")
