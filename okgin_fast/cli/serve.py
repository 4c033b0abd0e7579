"""``okgin serve``: the engine as a process that other programs talk to."""

from __future__ import annotations

import os
import secrets
import socket
import sys
from argparse import Namespace
from collections.abc import Callable

from okgin_fast.cli.parser import Parser, UsageError, whole_number
from okgin_fast.cli.terminal import OutputError, complain
from okgin_fast.errors import quote
from okgin_fast.server import Pool, serve_stdio, serve_tcp

DESCRIPTION = """\
Answer the requests of another program: one JSON object a line each way, on standard input and
output, or by TCP with --port. docs/protocol.md explains the messages."""
EXAMPLES = """\
examples:
  echo '{"id": 1, "type": "version"}' | okgin serve
  okgin serve --port 7777 --token SECRET

By TCP the first line of every connection must carry the token; without --token one is made up, and
printed on standard error. Only this machine can connect, unless --host says otherwise; what is said
is not encrypted. The exit code is 0 when the input has ended and everything is answered."""
LOOPBACK = "127.0.0.1"
QUEUE = 256
LONGEST_TOKEN = 200


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    parser.add_argument("--port", type=whole_number, metavar="N", help="listen here; 0: any port")
    parser.add_argument("--host", metavar="ADDRESS", help=f"with --port (default {LOOPBACK})")
    parser.add_argument("--token", metavar="TEXT", help="with --port: what clients must know")
    parser.add_argument(
        "--workers",
        type=whole_number,
        metavar="N",
        help="threads that think (default: one a processor)",
    )
    parser.add_argument(
        "--queue",
        type=whole_number,
        default=QUEUE,
        metavar="N",
        help=f"requests of a client that may wait; more are refused (default {QUEUE})",
    )


def run(args: Namespace) -> int:
    """Serve until the input ends, or until Ctrl-C."""
    workers = os.cpu_count() or 1 if args.workers is None else args.workers
    for option, value, least, most in (
        ("--workers", workers, 1, 1000),
        ("--queue", args.queue, 1, 1_000_000),
        ("--port", args.port or 0, 0, 65535),
    ):
        if not least <= value <= most:
            raise UsageError(f"{option} {value}: must be from {least} to {most}")
    if args.port is None:
        for option in ("host", "token"):
            if getattr(args, option) is not None:
                raise UsageError(f"--{option} goes with --port")
        return _standard_streams(args, workers)
    return _listen(args, workers)


def _standard_streams(args: Namespace, workers: int) -> int:
    if sys.stdin is None or sys.stdout is None:
        raise UsageError("standard input or output is closed; or listen with --port")
    with Pool(workers, args.queue) as pool:
        error = serve_stdio(pool, sys.stdin.fileno(), sys.stdout.fileno(), _complain(args))
    if error is not None:
        raise OutputError(error.errno, error.strerror)
    return 0


def _listen(args: Namespace, workers: int) -> int:
    token = secrets.token_urlsafe(24) if args.token is None else args.token
    if not 1 <= len(token) <= LONGEST_TOKEN or not token.isprintable():
        raise UsageError(f"--token {quote(token)}: must be 1 to {LONGEST_TOKEN} characters")
    host = LOOPBACK if args.host is None else args.host
    try:
        family = socket.getaddrinfo(host, args.port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, args.port), family=family)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"cannot listen on {quote(host)}, port {args.port}: {error}") from None
    with listener, Pool(workers, args.queue) as pool:
        address, port = listener.getsockname()[:2]
        complain(f"{args.prog}: listening on {address}, port {port}")
        if args.token is None:
            complain(f"{args.prog}: token {token}")
        serve_tcp(pool, listener, token, _complain(args))
    return 0


def _complain(args: Namespace) -> Callable[[str], None]:
    return lambda line: complain(f"{args.prog}: {line}")
