"""Who does the work: this process, others on this machine, a Dask cluster, or any executor.

It knows nothing of games; a piece of work is a function of picklable arguments that may be called
again when a worker dies.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any, Protocol

from okgin_fast.errors import OkginError, quote
from okgin_fast.extras import load

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

__all__ = ["Workers", "workers"]

CONNECT = 5
"""Seconds to wait for a cluster."""


class Workers(Protocol):
    """Where pieces of work are done.

    Attributes
    ----------
    at_once : int
        How many pieces to hand out before the first comes back, to keep all workers busy.
    """

    at_once: int

    def check(self, *args: object) -> None:
        """Refuse what cannot be sent to them."""

    def submit(self, work: Callable[..., Any], *args: object) -> Future[Any]:
        """Hand a piece of work out."""

    def renew(self) -> None:
        """Go on after a worker has died and taken the work in hand with it."""

    def close(self, at_once: bool = False) -> None:
        """End; `at_once` gives up the work that is not done."""


class _Here:
    """Work done at once by whoever hands it out: no other process, nothing to pickle."""

    at_once = 1

    def check(self, *args: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *args: object) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def renew(self) -> None:
        pass

    def close(self, at_once: bool = False) -> None:
        pass


class _Processes:
    """A pool of processes, which leave Ctrl-C to the one that started them."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.at_once = 2 * count
        self.pool = self._pool()

    def check(self, *args: object) -> None:
        try:
            pickle.dumps(args)
        except Exception as error:
            problem = quote(str(error), 100)
            raise OkginError(f"{problem}: other processes need it, workers=1 does not") from None

    def _pool(self) -> ProcessPoolExecutor:
        from concurrent.futures import ProcessPoolExecutor  # slow to import

        return ProcessPoolExecutor(self.count, initializer=_begin)

    def submit(self, work: Callable[..., Any], *args: object) -> Future[Any]:
        return self.pool.submit(work, *args)

    def renew(self) -> None:
        self.close(at_once=True)
        self.pool = self._pool()

    def close(self, at_once: bool = False) -> None:
        # A pool has no public way to end what hangs before Python 3.14.
        working = list((self.pool._processes or {}).values())
        if at_once:
            for process in working:
                process.kill()
        self.pool.shutdown(cancel_futures=True)


class _Given:
    """An executor of somebody else's, which is left open."""

    def __init__(self, executor: Executor, at_once: int) -> None:
        self.executor = executor
        self.at_once = at_once

    def check(self, *args: object) -> None:
        pass

    def submit(self, work: Callable[..., Any], *args: object) -> Future[Any]:
        return self.executor.submit(work, *args)

    def renew(self) -> None:
        """Hope that the executor mends itself; one that cannot refuses the next piece of work."""

    def close(self, at_once: bool = False) -> None:
        pass


class _Cluster(_Given):
    """The workers of a Dask scheduler, which itself hands the work of dead ones to others."""

    def __init__(self, client: Any) -> None:
        self.client = client
        super().__init__(client.get_executor(pure=False), 2 * sum(client.nthreads().values()))

    def close(self, at_once: bool = False) -> None:
        self.client.close()


def workers(
    count: int | None = None, executor: Executor | None = None, cluster: str | None = None
) -> Workers:
    """Choose who does the work.

    Parameters
    ----------
    count : int, optional
        Processes on this machine; one means this process itself. By default as many as it has
        cores. For an executor, how many workers it has.
    executor : Executor, optional
        Anybody who does work in the way of `concurrent.futures`.
    cluster : str, optional
        A Dask scheduler's address, such as ``tcp://127.0.0.1:8786``.

    Returns
    -------
    Workers

    Raises
    ------
    OkginError
        A bad number, two of them at once, or a cluster that cannot be reached.
    MissingExtraError
        A cluster without the extra ``cluster``.
    """
    if count is not None and (type(count) is not int or not 1 <= count <= 10_000):
        raise OkginError(f"workers={quote(count)}: a whole number from 1 to 10,000")
    if executor is not None and cluster is not None:
        raise OkginError("an executor and a cluster: give one of them")
    cores = os.cpu_count() or 1
    if executor is not None:
        return _Given(executor, 2 * (count or cores))
    if cluster is not None:
        return _Cluster(_client(cluster))
    return _Here() if (count or cores) == 1 else _Processes(count or cores)


def _client(address: str) -> Any:
    """Connect to a Dask scheduler that has workers."""
    import asyncio  # slow to import

    distributed = load("distributed", "cluster")
    core = load("distributed.core", "cluster")

    async def reach() -> None:
        comm = await core.connect(address, timeout=CONNECT)
        await comm.close()

    # What goes wrong is said below, once; the library would say it for every attempt.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        asyncio.run(reach())  # a client that found nobody would complain when it is collected
        client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise OkginError(f"cluster {quote(address)} cannot be reached: {reason[:120]}") from None
    if not client.nthreads():
        client.close()
        raise OkginError(f"cluster {quote(address)} has no workers")
    return client


def _begin() -> None:
    """Leave Ctrl-C to the process that started this one, and end when it ends, however it does.

    A forked worker has the lock of the results file: left alone it would keep the file from being
    resumed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what players print must not get into a report
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
