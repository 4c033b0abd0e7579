"""What a server takes: clients that ask at once, what they wait, and whether memory stays as it is.

Run as ``python bench/serve_load.py [--requests N] [--level NAME] [--servers N] [--soak MINUTES]``.
Starts `okgin serve --port`, and asks ``act`` from as many connections as there are clients, each of
which asks again as soon as it is answered. Every answer is compared with what the player does
without a server. A client hangs up and connects again after every 500 requests.

Requests a second and core are requests by the server's own processor time, so that they mean the
same on a machine that does other things besides; latencies and requests a second do not.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import okgin_fast as og
from okgin_fast.measure.machine import facts

TOKEN = "load"
RULES = "oklahoma"
STAY = 500
"""Requests that a client asks before it connects again."""
SAMPLES = 60
"""How often memory is looked at in a soak."""
WARM = 0.1
"""The share of a soak after which memory should not grow any more."""
FLAT = 0.05
"""By what share it may."""
POSITIONS = 400


class Question(NamedTuple):
    """A request, but for its id, and the action that is the right answer."""

    line: bytes
    action: str


def questions(level: str, rollouts: int | None) -> list[Question]:
    """Return decisions of deals between greedy players, and what the level does in each."""
    options = {} if rollouts is None else {"limit": og.Limit(rollouts=rollouts)}
    asked = {"level": level} | ({} if rollouts is None else {"rollouts": rollouts})
    found: list[Question] = []
    for seed in itertools.count(1):
        deal = og.Deal(RULES, seed=seed)
        greedy = og.agent("gold", seed)
        while deal.to_move is not None:
            view = deal.view(deal.to_move)
            fields = {"type": "act", "position": view.position(), "seed": seed, **asked}
            action = og.agent(level, seed, **options).act(view)
            found.append(Question(json.dumps(fields).encode()[1:] + b"\n", str(action)))
            if len(found) == POSITIONS:
                return found
            deal.apply(greedy.act(view))
    raise AssertionError


class Server:
    """A process that listens, and what it takes of the machine."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "okgin_fast", "serve", "--port", "0", "--token", TOKEN]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        port = re.search(r"port (\d+)", line)
        if port is None:
            raise SystemExit(f"the server does not start: {line}{self.process.stderr.read()}")
        self.port = int(port[1])

    def used(self) -> tuple[float, int]:
        """Return processor seconds so far, and bytes of memory now; 0 where there is no /proc."""
        folder = Path("/proc", str(self.process.pid))
        if not folder.exists():
            return 0.0, 0
        times = folder.joinpath("stat").read_text().rpartition(")")[2].split()
        pages = folder.joinpath("statm").read_text().split()[1]
        seconds = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
        return seconds, int(pages) * os.sysconf("SC_PAGE_SIZE")

    def end(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.communicate()


class Client(threading.Thread):
    """Asks, waits, compares, and asks again."""

    def __init__(self, port: int, asked: list[Question], numbers: Iterable[int]) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.asked = asked
        self.numbers = iter(numbers)
        self.waits: list[float] = []
        self.errors: list[str] = []

    def run(self) -> None:
        """Ask as often as there are numbers, and connect again now and then."""
        try:
            for first in self.numbers:
                self.visit(itertools.chain([first], itertools.islice(self.numbers, STAY - 1)))
        except OSError as error:
            self.errors.append(f"connection lost: {error}")

    def visit(self, numbers: Iterable[int]) -> None:
        """Connect, ask, and hang up."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            answers = connection.makefile("rb")
            connection.sendall(b'{"id":0,"type":"version","token":"%s"}\n' % TOKEN.encode())
            answers.readline()
            for number in numbers:
                question = self.asked[number % len(self.asked)]
                start = time.perf_counter()
                connection.sendall(b'{"id":%d,%s' % (number, question.line))
                line = answers.readline()
                self.waits.append(time.perf_counter() - start)
                answer = json.loads(line or "{}")
                if (answer.get("id"), answer.get("action")) != (number, question.action):
                    self.errors.append(f"{question.action!r} expected: {line!r}")


def until(end: float, numbers: Iterable[int]) -> Iterator[int]:
    """Give the numbers for as long as there is time."""
    return itertools.takewhile(lambda _: time.monotonic() < end, numbers)


class Sample(NamedTuple):
    """What was seen in a soak."""

    seconds: float
    memory: int


def growth(samples: list[Sample], warm: float) -> float:
    """Return by what share memory is larger at most than it was after the first `warm` seconds."""
    later = [sample.memory for sample in samples if sample.seconds >= warm]
    return max(later) / later[0] - 1


def percentile(waits: list[float], percent: float) -> float:
    """Return what so many percent of the waits do not exceed, in milliseconds."""
    return 1000 * sorted(waits)[min(len(waits) - 1, int(len(waits) * percent / 100))]


def load(
    servers: list[Server], asked: list[Question], args: argparse.Namespace
) -> tuple[dict[str, object], list[Sample]]:
    """Let the clients ask; the figures, and what memory all servers took meanwhile."""
    start, before = time.monotonic(), [server.used() for server in servers]
    end = start + 60 * (args.soak or 0)
    clients = []
    for first in range(args.clients):
        numbers: Iterable[int] = range(first, args.requests, args.clients)
        if args.soak:
            numbers = until(end, itertools.count(first, args.clients))
        clients.append(Client(servers[first % len(servers)].port, asked, numbers))
        clients[-1].start()
    samples = []
    while alive := [client for client in clients if client.is_alive()]:
        memory = sum(server.used()[1] for server in servers)
        samples.append(Sample(time.monotonic() - start, memory))
        alive[0].join(60 * args.soak / SAMPLES if args.soak else 1.0)
    seconds = time.monotonic() - start
    busy = sum(server.used()[0] - old[0] for server, old in zip(servers, before, strict=True))
    waits = [wait for client in clients for wait in client.waits]
    errors = [error for client in clients for error in client.errors]
    return {
        "requests": len(waits),
        "errors": len(errors),
        "first error": errors[0] if errors else None,
        "requests a second": round(len(waits) / seconds, 1),
        "requests a second and core": round(len(waits) / busy, 1) if busy else None,
        "p50, ms": round(percentile(waits, 50), 2),
        "p99, ms": round(percentile(waits, 99), 2),
        "longest, ms": round(1000 * max(waits), 2),
        "seconds": round(seconds, 1),
    }, samples


def main() -> int:
    """Start servers, load them, say what was seen; 1 if an answer was wrong or memory has grown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--servers", type=int, default=1, help="processes; clients take turns")
    parser.add_argument("--level", default="club")
    parser.add_argument("--rollouts", type=int, help="for the level expert")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="in place of --requests")
    parser.add_argument("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    asked = questions(args.level, args.rollouts)
    servers = [Server() for _ in range(args.servers)]
    try:
        figures, samples = load(servers, asked, args)
    finally:
        for server in servers:
            server.end()
    figures = {"level": args.level, "clients": args.clients, "servers": args.servers} | figures
    failed = bool(figures["errors"])
    if samples[0].memory:
        figures["memory, MB"] = round(samples[-1].memory / 1e6, 1)
    if args.soak and samples[0].memory:
        grown = growth(samples, 60 * args.soak * WARM)
        figures["memory grown by, %"] = round(100 * grown, 2)
        failed |= grown > FLAT
        for sample in samples[:: max(1, len(samples) // 10)]:
            print(f"{sample.seconds:8.0f} s  {sample.memory / 1e6:8.1f} MB")
    for name, value in figures.items():
        if value is not None:
            print(f"{name + ':':28} {value}")
    if args.json:
        report = {"machine": facts(), **figures, "memory": [list(one) for one in samples]}
        args.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
