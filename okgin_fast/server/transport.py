"""Where lines come from and where answers go: standard input and output, or TCP.

This module knows streams, sockets and threads, and nothing of what is said.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable

from okgin_fast.protocol import LONGEST_LINE, ProtocolError, dump, error_answer
from okgin_fast.server.lines import lines_of
from okgin_fast.server.pool import Pool
from okgin_fast.server.session import Session

__all__ = ["serve_stdio", "serve_tcp"]

CHUNK = 1 << 12
"""Bytes read at a time; what a read does not fill is given back, and large gaps scatter memory."""
MOST_CLIENTS = 100
"""Connections at the same time."""
INTRODUCTION = 10.0
"""Seconds that a connection has to show the token."""
POLL = 0.5
"""Seconds that the main thread waits at a time, where a wait does not hear Ctrl-C."""


def serve_stdio(
    pool: Pool, input: int, output: int, complain: Callable[[str], None]
) -> OSError | None:
    """Serve one client until its input ends or it quits, and everything is answered.

    Parameters
    ----------
    pool : Pool
    input, output : int
        File descriptors.
    complain : callable
        Told of faults of the server, one line each.

    Returns
    -------
    OSError or None
        Why not everything could be written: the client has stopped reading before that.
    """

    def write(data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(output, rest) :]

    def read() -> bytes:
        try:
            return os.read(input, CHUNK)
        except OSError as error:
            complain(f"cannot read standard input: {error.strerror}")
            return b""

    session = Session(
        pool,
        write=write,
        gone=lambda: _nobody_reads(output),
        hang_up=lambda: None,
        complain=complain,
    )

    def listen() -> None:
        for line in lines_of(read, LONGEST_LINE):
            if not session.hear(line):
                break
        session.finish()

    threading.Thread(target=listen, name="okgin reader", daemon=True).start()
    while not session.outbox.ended.wait(POLL):
        pass
    return session.outbox.error


def _nobody_reads(output: int) -> bool:
    """Whether the other end of a pipe is closed, where the system can tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(output, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def serve_tcp(
    pool: Pool, listener: socket.socket, token: str, complain: Callable[[str], None]
) -> None:
    """Serve whoever connects and knows the token, until the listener is closed.

    Parameters
    ----------
    pool : Pool
    listener : socket
        One that listens.
    token : str
        What the first line of every connection has to carry.
    complain : callable
        Told of faults of the server, one line each.
    """
    places = threading.BoundedSemaphore(MOST_CLIENTS)
    listener.settimeout(POLL)
    while True:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        except OSError as error:  # such as too many open files: others may end
            if listener.fileno() < 0:
                return
            complain(f"cannot accept a connection: {error.strerror}")
            threading.Event().wait(POLL)
            continue
        if not places.acquire(blocking=False):
            _turn_away(connection)
            continue
        threading.Thread(
            target=_serve_connection,
            args=(pool, connection, token, complain, places.release),
            name="okgin client",
            daemon=True,
        ).start()


def _turn_away(connection: socket.socket) -> None:
    error = ProtocolError("busy", f"{MOST_CLIENTS} clients are connected already")
    with contextlib.suppress(OSError), connection:
        connection.settimeout(POLL)
        connection.sendall(dump(error_answer(error)))


def _serve_connection(
    pool: Pool,
    connection: socket.socket,
    token: str,
    complain: Callable[[str], None],
    leave: Callable[[], None],
) -> None:
    """Serve one connection; its end means that the client has left, whatever was asked."""

    def hang_up() -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    def read() -> bytes:
        patience = None if session.trusted else max(0.01, deadline - time.monotonic())
        try:
            connection.settimeout(patience)
            return connection.recv(CHUNK)
        except OSError:  # it has left, or has not introduced itself in time
            return b""

    deadline = time.monotonic() + INTRODUCTION
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # its machine may be gone
        session = Session(
            pool,
            write=connection.sendall,
            gone=lambda: False,
            hang_up=hang_up,
            complain=complain,
            token=token,
        )
        for line in lines_of(read, LONGEST_LINE):
            if not session.hear(line):
                break
        else:
            session.abandon()
        session.finish()
    except OSError:  # such as a connection that is gone before it is set up
        complain("a connection was lost")
    finally:
        hang_up()
        connection.close()
        leave()
