"""Bad input to ``okgin``, each through a real process: one line on stderr and an exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest
from command import FAST, HAND, OKGIN, POSITION, TIMEOUT, environment, okgin

HINT = ["hint", "--upcard", "5D", *FAST]
TWELVE = f"{HAND} 5S 6S"


def check_one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1, err
    assert err.startswith("okgin")
    for part in parts:
        assert part in err


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([*HINT, "--hand", ""], ["hand", "10 before the draw, 11 after it"]),
        ([*HINT, "--hand", HAND[:-3]], ["hand has 9 cards: 10 before the draw, 11 after it"]),
        ([*HINT, "--hand", TWELVE], ["hand has 12 cards: 10 before the draw, 11 after it"]),
        ([*HINT, "--hand", f"{HAND} KD"], ["duplicate card KD"]),
        ([*HINT, "--hand", HAND, "--pile", "5D KD"], ["KD is in the hand and in the pile"]),
        ([*HINT, "--hand", HAND, "--upcard", "7H"], ["7H is in the hand and in the pile"]),
        ([*HINT, "--hand", HAND.replace("KD", "KX")], ["'KX'", "card 7"]),
        ([*HINT, "--hand", "eleven aces"], ["'eleven'", "is not a card"]),
        ([*HINT, "--hand", "🂡"], ["is not a card"]),
        ([*HINT, "--hand", HAND, "--known", "AS"], ["AS"]),
        ([*HINT, "--hand", HAND, "--taken", "9H"], ["9H"]),
        ([*HINT, "--hand", HAND, "--stock", "3"], ["stock 3", "31"]),
        ([*HINT, "--hand", HAND, "--stock", "many"], ["many"]),
        ([*HINT, "--hand", HAND, "--dealer", "him"], ["him", "me", "opponent"]),
        ([*HINT, "--hand", HAND, "--score", "-5-10"], ["-5-10"]),
        ([*HINT, "--hand", HAND, "--score", "40"], ["40"]),
        ([*HINT, "--hand", HAND, "--score", "100-3"], ["100", "target"]),
        ([*HINT, "--hand", HAND, "--events", "xyz"], ["xyz"]),
        (["hint", "--hand", HAND, *FAST], ["upcard"]),
        ([*HINT, "--hand", HAND, "--rules", "oklahome"], ["'oklahome'", "oklahoma"]),
        ([*HINT, "--hand", HAND, "--set", "gin_bonsu=20"], ["'gin_bonsu'", "gin_bonus"]),
        ([*HINT, "--hand", HAND, "--set", "gin_bonus"], ["gin_bonus"]),
        ([*HINT, "--hand", HAND, "--set", "gin_bonus=-1"], ["gin_bonus", "-1"]),
        ([*HINT, "--hand", HAND, "--set", "knock=11"], ["knock", "11"]),
        ([*HINT, "--hand", HAND, "--set", "target=0"], ["target", "0"]),
        ([*HINT, "--hand", HAND, "--set", "knock=0"], ["knock 0", "straight gin", "Oklahoma"]),
        ([*HINT, "--hand", HAND, "--rollouts", "-1"], ["rollouts", "-1"]),
        ([*HINT, "--hand", HAND, "--rollouts", "1.5"], ["1.5"]),
        ([*HINT, "--hand", HAND, "--rollouts", "0"], ["rollout"]),
        ([*HINT, "--hand", HAND, "--time", "nan"], ["nan"]),
        ([*HINT, "--hand", HAND, "--seed", "-1"], ["seed", "-1"]),
        ([*HINT, "--hnad", HAND], ["--hnad", "--hand"]),
        (["hint", "--hand"], ["--hand"]),
        (["hint", f"{POSITION} colour=red"], ["colour"]),
        (["hint", f"{POSITION} hand=AS"], ["hand", "twice"]),
        (["hint", "\udcff\udcfe"], ["'\\udcff\\udcfe'"]),
        (["melds", f"{HAND} KD"], ["duplicate card KD"]),
        (["melds", "AS 2S 1X"], ["'1X'", "card 3"]),
        (["melds", f"{HAND} 8C", "--limit", "11"], ["11"]),
        (["melds", f"{HAND} 8C", "--taken", "2C"], ["2C"]),
        (["melds", "KC 7S", "--against", "7C7D"], ["7C 7D", "not a meld"]),
        (["melds", "KC 7C", "--against", "7C7D7H"], ["7C"]),
        (["melds", "KC 7S", "--against", "7C7D7H 7H8H9H"], ["7H", "two melds"]),
        (["rules", "oklahome"], ["'oklahome'", "oklahoma"]),
        (["rules", "standard", "--set", "target=0"], ["target", "0"]),
        (["hnit"], ["hnit", "hint"]),
        (["--wrong"], ["--wrong"]),
    ],
)
def test_it_is_quoted_in_one_line(words: list[str], parts: list[str]) -> None:
    encoded = [word.encode("utf-8", "surrogateescape") for word in words]
    done = okgin(*encoded)
    assert done.code == 2, done
    assert done.out == ""
    check_one_line(done.err, *parts)


def test_every_fault_of_a_position_is_listed() -> None:
    done = okgin(*HINT, "--hand", HAND[:-3], "--score", "5", "--dealer", "him")
    assert done.code == 2
    check_one_line(done.err, "hand has 9 cards", "score", "him")


@pytest.mark.parametrize("command", ["hint", "melds"])
def test_binary_on_standard_input(command: str) -> None:
    for data in (bytes(range(256)), b"\x00" * 100, b"\xff\xfe", b"A" * 1_000_000):
        done = okgin(command, stdin=data)
        assert done.code == 2
        assert done.out == ""
        check_one_line(done.err, "line 1")


@pytest.mark.parametrize("command", ["hint", "melds"])
def test_nothing_on_standard_input(command: str) -> None:
    done = okgin(command, stdin="")
    assert (done.code, done.out) == (2, "")
    check_one_line(done.err)


def test_a_closed_standard_input() -> None:
    done = subprocess.run(
        ["bash", "-c", '"$@" <&-', "bash", *OKGIN, "melds"],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    check_one_line(done.stderr, "no hand")


@pytest.mark.parametrize(
    "words", [["hint", POSITION, *FAST], ["melds", HAND], ["rules"], ["--help"], ["hint", "--json"]]
)
def test_nobody_reads_the_output(words: list[str]) -> None:
    """A pipe whose reader is gone, and no standard output at all."""
    reader, writer = os.pipe()
    os.close(reader)
    lines = f"{POSITION}\n" * 3
    run = {"input": lines, "stderr": subprocess.PIPE, "text": True, "timeout": TIMEOUT}
    done = subprocess.run([*OKGIN, *words], stdout=writer, env=environment(), check=False, **run)
    os.close(writer)
    assert done.returncode == 1
    check_one_line(done.stderr, "cannot write the output")
    closed = ["bash", "-c", '"$@" >&-', "bash", *OKGIN, *words]
    done = subprocess.run(closed, env=environment(), check=False, **run)
    assert done.returncode == 1
    check_one_line(done.stderr, "cannot write the output")


def test_a_full_disk() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [*OKGIN, "rules"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    check_one_line(done.stderr, "No space left")


@pytest.mark.parametrize("words", [["hint", POSITION, "--time", "60000"], ["melds", "-"]])
def test_ctrl_c(words: list[str]) -> None:
    """During a hint, and while it waits for a line."""
    with subprocess.Popen(
        [*OKGIN, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        time.sleep(1.5)  # by now it searches, or waits
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out) == (130, "")
    check_one_line(err, "interrupted")
