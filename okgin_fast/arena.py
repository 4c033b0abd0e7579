"""The arena: how strong players are against each other, in mirrored series.

Every game is played twice with the same cards and the seats swapped, on any number of workers; the
figures do not depend on how many. What is counted and how is in `okgin_fast.measure`.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import nullcontext
from itertools import islice
from typing import Any, get_args

from okgin_fast.core.luck import MOST_PLAYOUTS
from okgin_fast.core.rng import checked_seed
from okgin_fast.errors import OkginError, SeriesError, quote
from okgin_fast.measure.ledger import Ledger
from okgin_fast.measure.plan import Plan
from okgin_fast.measure.play import Game, Played, Setup, Unit, play_on
from okgin_fast.measure.players import PlayerSource, player
from okgin_fast.measure.report import Report, report
from okgin_fast.measure.results import ResultsFile
from okgin_fast.measure.workers import Workers
from okgin_fast.measure.workers import workers as choose_workers
from okgin_fast.rules import Rules, as_rules

__all__ = ["Series", "arena", "round_robin", "series"]

RETRIES = 3
"""How often a piece of work is handed out again after a worker died over it."""

BUNDLE = 16
"""Single deals in one piece of work."""

PATIENCE = 2.0
"""Seconds to wait, after Ctrl-C, for the deals in play."""

OnProgress = Callable[["Series"], None]


class Series:
    """A series in play: run it, stop it, ask what it has come to.

    Made by `series`.

    Attributes
    ----------
    setup : Setup
    plan : Plan
    ledger : Ledger
        All finished deals.
    """

    def __init__(
        self,
        setup: Setup,
        plan: Plan,
        workers: Workers,
        results: str | os.PathLike[str] | None = None,
        resume: bool = False,
    ) -> None:
        self.setup = setup
        self.plan = plan
        self.ledger = Ledger(setup)
        self._workers = workers
        self._results = results
        self._resume = resume
        self._pending: dict[Future[list[Played]], list[Game]] = {}
        self._again: deque[Game] = deque()  # begun, or in the hands of a worker that died
        self._failures: Counter[Game] = Counter()

    @property
    def games(self) -> int:
        """How many games there are to play in all, if no stopping rule ends the series before."""
        return self.plan.games * len(self.ledger.meetings)

    @property
    def finished(self) -> int:
        """How many games are over."""
        return len(self.ledger.winners)

    @property
    def decided(self) -> bool:
        """Whether the stopping rule has ended the series."""
        if self.plan.stop is None:
            return False
        return self.plan.stop.decide(self.ledger.prefix_shares(self.plan.pairs)) is not None

    def report(self, control: bool = False) -> Report:
        """Add up what has been played so far; see `arena`."""
        return report(self.ledger, self.plan, control)

    def run(self, on_progress: OnProgress | None = None) -> None:
        """Play all that is not yet played.

        Parameters
        ----------
        on_progress : callable, optional
            Called with the series whenever some deals are finished.

        Raises
        ------
        ResultsError
            The results file cannot be opened or read, or is of another series.
        SeriesError
            It cannot be written, or workers die again and again. What was finished is in the file.
        KeyboardInterrupt
            After Ctrl-C, likewise: the deals in play are waited for, two seconds at most.
        """
        done = False
        try:
            with self._file() as file:
                self._play(file, on_progress or (lambda series: None))
            done = True
        finally:
            self._workers.close(at_once=not done)

    def _file(self) -> ResultsFile | nullcontext[None]:
        if self._results is None:
            return nullcontext()
        return ResultsFile(self._results, self.ledger, self.plan, self._resume)

    def _play(self, file: ResultsFile | None, on_progress: OnProgress) -> None:
        schedule = self.ledger.schedule(self.plan.pairs)
        games = (game for game in schedule if game not in self.ledger.winners)
        decided = self.decided
        on_progress(self)
        try:
            while True:
                while not decided and len(self._pending) < self._workers.at_once:
                    if not self._hand_out(games):
                        break
                if not self._pending:
                    return
                self._take_in(file, wait(self._pending, return_when=FIRST_COMPLETED).done)
                decided = decided or self.decided
                on_progress(self)
        except KeyboardInterrupt:
            for future in self._pending:
                future.cancel()
            self._take_in(file, wait(self._pending, timeout=PATIENCE).done)
            raise

    def _hand_out(self, games: Iterator[Game]) -> bool:
        """Give the workers a piece of work, if there is any left: first what was begun."""
        most = BUNDLE if self.setup.unit == "deals" else 1
        piece = [self._again.popleft() for _ in range(min(most, len(self._again)))]
        piece += islice(games, most - len(piece))
        if not piece:
            return False
        work = [(game, self.ledger.deals.get(game, [])) for game in piece]
        try:
            future = self._workers.submit(play_on, self.setup, work)
        except RuntimeError as error:  # broken, or shut down
            future = Future()
            future.set_exception(error)
        self._pending[future] = piece
        return True

    def _take_in(self, file: ResultsFile | None, done: Iterable[Future[list[Played]]]) -> None:
        """Write down what has been played; see to what has failed."""
        finished = set(done)
        broken = any(map(_is_broken, finished))
        if broken:  # all the work in hand is lost with the workers, and says so
            finished = wait(self._pending).done
        for future in finished:
            piece = self._pending.pop(future)
            for played in self._result(future, piece):
                if file is not None:
                    file.append(played)
                self.ledger.add(played)
                del self._failures[played.game]
            self._again.extend(game for game in piece if game not in self.ledger.winners)
        if broken:
            self._workers.renew()

    def _result(self, future: Future[list[Played]], piece: list[Game]) -> list[Played]:
        """What a piece of work has come to; nothing if it is to be done again."""
        try:
            return future.result()
        except OkginError:
            raise
        except (Exception, CancelledError) as error:
            self._failures.update(piece)
            game, times = max(self._failures.items(), key=lambda item: item[1])
            if times > RETRIES:
                raise SeriesError(
                    f"workers have failed {times} times over pair {game.pair}, the last time with"
                    f" {type(error).__name__}: {quote(str(error), 200)}"
                ) from error
            return []


def _is_broken(future: Future[Any]) -> bool:
    return not future.cancelled() and isinstance(future.exception(), BrokenExecutor)


def series(
    players: Sequence[PlayerSource],
    rules: Rules | str = "oklahoma",
    games: int = 1000,
    seed: int = 1,
    *,
    unit: Unit = "games",
    player_seed: int = 1,
    move_ms: float | None = None,
    luck: int = 0,
    stop: tuple[float, float] | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    cluster: str | None = None,
    results: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Series:
    """Set a series up, to be run; the parameters are those of `arena`."""
    if isinstance(players, str) or len(players) < 2:
        raise OkginError(f"players={quote(players)}: two or more are needed")
    if len(players) > 2 and stop is not None:
        raise OkginError(f"stop={quote(stop)}: a series of two players can be stopped, no other")
    if len(players) > 2 and luck:
        raise OkginError(f"luck={quote(luck)}: it is taken out between two players, no more")
    if unit not in get_args(Unit):
        raise OkginError(f"unit={quote(unit)}: must be {' or '.join(get_args(Unit))}")
    if not isinstance(results, str | os.PathLike | None):
        raise OkginError(f"results={quote(results)}: must be the name of a file")
    if resume and results is None:
        raise OkginError("nothing to resume: name the results file")
    if move_ms is not None and (type(move_ms) not in (int, float) or not 0 < move_ms < 1e9):
        raise OkginError(f"move_ms={quote(move_ms)}: a number over 0, in milliseconds")
    if type(luck) is not int or not 0 <= luck <= MOST_PLAYOUTS:
        raise OkginError(f"luck={quote(luck)}: a whole number from 0 to {MOST_PLAYOUTS:,}")
    setup = Setup(
        players=tuple(map(player, players)),
        rules=as_rules(rules),
        unit=unit,
        seed=checked_seed(seed),
        player_seed=checked_seed(player_seed, "player_seed"),
        move_ms=move_ms,
        luck=luck,
    )
    plan = Plan.of({"games": games, "stop": stop})
    chosen = choose_workers(workers, executor, cluster)
    chosen.check(setup)
    return Series(setup, plan, chosen, results, resume)


def arena(
    a: PlayerSource,
    b: PlayerSource,
    rules: Rules | str = "oklahoma",
    games: int = 1000,
    seed: int = 1,
    *,
    control: bool = False,
    on_progress: OnProgress | None = None,
    **options: Any,
) -> Report:
    """Play a mirrored series of two players: how strong `a` is against `b`.

    Parameters
    ----------
    a, b : str, Agent or callable
        Players: a name with options, such as ``expert,rollouts=64``, ``module:class``,
        ``file.py:class``; a player; or a function from a seed to a player. They are made anew for
        every deal.
    rules : Rules or str
    games : int
        Even: every game is played twice with the same cards and the seats swapped.
    seed : int
        Of the cards, 0 to 2**64 - 1.
    control : bool
        Take the luck of the dealt hands out of the share and the points: a control variate, the
        difference of the two hands' deadwood as dealt. (Over single deals it is nothing: the
        swapped seats cancel it.)
    on_progress : callable, optional
        Called with the `Series` whenever some deals are finished.
    unit : str
        ``games``: whole matches, or ``deals``: the first deal of each.
    player_seed : int
        Of the players' own random numbers.
    move_ms : float, optional
        Milliseconds by the clock that a decision may take.
    luck : int
        Take the luck of the draws out of the share and the points, in place of that of the dealt
        hands: how often each card that a draw might have given is played out by a fast player,
        such as 64, which takes some milliseconds a draw; at most 10,000. By default it stays in.
        It stays in the pairs, the sequential test and the times.
    stop : (float, float), optional
        Stop as soon as a sequential test tells a share of at most the first from one of at least
        the second, with 5 % error on either side.
    workers : int, optional
        Processes; by default as many as there are cores. One plays in this process.
    executor : concurrent.futures.Executor, optional
        Plays instead; it is left open.
    cluster : str, optional
        Address of a Dask scheduler whose workers play instead (extra ``cluster``).
    results : path-like, optional
        A new file that every deal is written to as soon as it is finished.
    resume : bool
        Go on from the file `results`, to the figures of a series that was never interrupted.

    Returns
    -------
    Report
        The same for any number of workers, but for the times.

    Raises
    ------
    OkginError
        Anything that is not as above, or a results file of another series.
    SeriesError
        A full disk, or workers that die again and again.

    Notes
    -----
    Who raises, plays what is not legal, or takes too long loses the deal, as if the other had
    ginned, and is named in the report. A player who never comes back can be broken into only where
    he plays in the main thread of a Unix process, as the arena's own workers do.

    The figures are the same for any number of workers, and after `resume`, if a player decides by
    the view and his seed alone. One that is given as an object is not made anew, and what he or his
    module remembers from deal to deal, or takes from the module `random`'s own generator, depends
    on who played what. What players print goes to standard error.

    Where Python does not fork its processes (Windows, macOS, Linux from Python 3.14 on), a script
    must have its own code under ``if __name__ == "__main__":``, or say ``workers=1``.

    A match with `seed` and pair number p is that of ``derive_seed(seed, p)``.

    Examples
    --------
    >>> found = arena("gold", "random", "eaai", games=20, seed=7, unit="deals", workers=1)
    >>> found.share.mean > 0.5, found.meetings[0].games
    (True, 20)
    """
    playing = series((a, b), rules, games, seed, **options)
    playing.run(on_progress)
    return playing.report(control)


def round_robin(
    players: Sequence[PlayerSource],
    rules: Rules | str = "oklahoma",
    games: int = 1000,
    seed: int = 1,
    *,
    on_progress: OnProgress | None = None,
    **options: Any,
) -> Report:
    """Play a mirrored series of every two of many players, all with the same cards.

    Parameters
    ----------
    players : sequence of str, Agent or callable
    rules, games, seed, on_progress, **options
        As of `arena`; `games` is for any two.

    Returns
    -------
    Report
        Its ``ratings`` are Elo points, their mean being 0.

    Examples
    --------
    >>> found = round_robin(["random", "simple", "gold"], "eaai", 20, unit="deals", workers=1)
    >>> len(found.meetings), found.ratings[0].mean < found.ratings[1].mean
    (3, True)
    """
    playing = series(players, rules, games, seed, **options)
    playing.run(on_progress)
    return playing.report()
