"""The command line as its users meet it: another process, its two outputs and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

OKGIN = [sys.executable, "-m", "okgin_fast"]
HAND = "AS 2S 3S 7H 7D 7C KD QD 9C 4H"
POSITION = "hand=AS2S3S7H7D7CKDQD9C4H upcard=7S"
FAST = ["--rollouts", "20"]
TIMEOUT = 60
FULL = Path("/dev/full")
"""A disk that is full: Linux has one, other systems nothing like it."""
needs_full = pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is full")


class Done(NamedTuple):
    code: int
    out: str
    err: str


def plain_environment(**changes: str) -> dict[str, str]:
    """This process's environment, without what colours or widens output."""
    plain = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    return plain | changes


def okgin(*words: str | bytes, stdin: str | bytes = b"", **changes: str) -> Done:
    """Run ``okgin`` to its end; `changes` are environment variables."""
    done = subprocess.run(
        [*OKGIN, *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=plain_environment(**changes),
        timeout=TIMEOUT,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
