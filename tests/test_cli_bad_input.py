"""Bad input to ``okgin``: one line on stderr, an exit code, nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from command import (
    FAST,
    FULL,
    HAND,
    OKGIN,
    POSITION,
    TIMEOUT,
    Done,
    needs_full,
    okgin,
    plain_environment,
)

from okgin_fast.cli import main

HINT = ["hint", "--upcard", "5D", *FAST]
TWELVE = f"{HAND} 5S 6S"


def check_one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1, err
    assert err.startswith("okgin")
    for part in parts:
        assert part in err


def redirect(redirected: str, *words: str, stdin: str = "") -> Done:
    """Run ``okgin`` with a stream closed or put elsewhere by the shell."""
    shell = ["bash", "-c", f'"$@" {redirected}', "bash", *OKGIN, *words]
    done = subprocess.run(
        shell, input=stdin, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


def check_refused(code: int, out: str, err: str, parts: list[str]) -> None:
    assert (code, out) == (2, "")
    check_one_line(err, *parts)


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
        ([*HINT, "--hand", HAND, "--score", "-5-10"], ["-5-10"]),
        ([*HINT, "--hand", HAND, "--rules", "oklahome"], ["'oklahome'", "oklahoma"]),
        ([*HINT, "--hand", HAND, "--set", "gin_bonsu=20"], ["'gin_bonsu'", "gin_bonus"]),
        ([*HINT, "--hand", HAND, "--set", "gin_bonus=-1"], ["gin_bonus", "-1"]),
        ([*HINT, "--hand", HAND, "--set", "target=0"], ["target", "0"]),
        (["hint", "\udcff\udcfe"], ["'\\udcff\\udcfe'"]),
        (["hnit"], ["hnit", "hint"]),
    ],
)
def test_a_process_quotes_it_in_one_line(words: list[str], parts: list[str]) -> None:
    check_refused(*okgin(*(word.encode("utf-8", "surrogateescape") for word in words)), parts)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([*HINT, "--hand", "🂡"], ["is not a card"]),
        ([*HINT, "--hand", HAND, "--known", "AS"], ["AS"]),
        ([*HINT, "--hand", HAND, "--taken", "9H"], ["9H"]),
        ([*HINT, "--hand", HAND, "--stock", "3"], ["stock 3", "31"]),
        ([*HINT, "--hand", HAND, "--stock", "many"], ["many"]),
        ([*HINT, "--hand", HAND, "--dealer", "him"], ["him", "me", "opponent"]),
        ([*HINT, "--hand", HAND, "--score", "40"], ["40"]),
        ([*HINT, "--hand", HAND, "--score", "100-3"], ["100", "target"]),
        ([*HINT, "--hand", HAND, "--events", "xyz"], ["xyz"]),
        (["hint", "--hand", HAND, *FAST], ["upcard"]),
        ([*HINT, "--hand", HAND, "--set", "gin_bonus"], ["gin_bonus"]),
        ([*HINT, "--hand", HAND, "--set", "knock=11"], ["knock", "11"]),
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
        (["melds", f"{HAND} KD"], ["duplicate card KD"]),
        (["melds", "AS 2S 1X"], ["'1X'", "card 3"]),
        (["melds", f"{HAND} 8C", "--limit", "11"], ["11"]),
        (["melds", f"{HAND} 8C", "--taken", "2C"], ["2C"]),
        (["melds", "KC 7S", "--against", "7C7D"], ["7C 7D", "not a meld"]),
        (["melds", "KC 7C", "--against", "7C7D7H"], ["7C"]),
        (["melds", "KC 7S", "--against", "7C7D7H 7H8H9H"], ["7H", "two melds"]),
        (["rules", "standard", "modern"], ["'modern'"]),
        (["rules", "standard", "--rules", "modern"], ["'standard'", "'modern'"]),
        (["rules", ""], ["no preset ''"]),
        (["melds", HAND, "--rules", ""], ["no preset ''"]),
        ([*HINT, "--hand", HAND, "--rules", ""], ["no preset ''"]),
        ([*HINT, "--hand", HAND, "--pile", "5D 8D", "--refused", "8D"], ["8D", "threw"]),
        (["rules", "oklahome"], ["'oklahome'", "oklahoma"]),
        (["rules", "standard", "--set", "target=0"], ["target", "0"]),
        (["--wrong"], ["--wrong"]),
    ],
)
def test_it_is_quoted_in_one_line(
    words: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    check_refused(main(words), *capsys.readouterr(), parts)


def test_every_fault_of_a_position_is_listed() -> None:
    done = okgin(*HINT, "--hand", HAND[:-3], "--score", "5", "--dealer", "him")
    check_refused(*done, ["hand has 9 cards", "score", "him"])


@pytest.mark.parametrize("command", ["hint", "melds"])
def test_binary_on_standard_input(command: str) -> None:
    for data in (bytes(range(256)), b"\x00" * 100, b"\xff\xfe", b"A" * 1_000_000):
        check_refused(*okgin(command, stdin=data), ["line 1"])


@pytest.mark.parametrize("command", ["hint", "melds"])
def test_nothing_on_standard_input(command: str) -> None:
    check_refused(*okgin(command, stdin=""), ["standard input"])


@pytest.mark.parametrize(
    ("redirected", "says"),
    [("<&-", "no hand"), ("0>/dev/null", "cannot read standard input: Bad file descriptor")],
)
def test_a_standard_input_that_cannot_be_read(redirected: str, says: str) -> None:
    check_refused(*redirect(redirected, "melds"), [says])


@pytest.mark.parametrize(
    "words", [["hint", POSITION, *FAST], ["rules"], ["--help"], ["melds", "--json"]]
)
def test_nobody_reads_the_output(words: list[str]) -> None:
    """A pipe whose reader is gone, and no standard output at all."""
    reader, writer = os.pipe()
    os.close(reader)
    lines = f"{HAND}\n" * 3
    done = subprocess.run(
        [*OKGIN, *words],
        input=lines,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    os.close(writer)
    for code, err in [(done.returncode, done.stderr), redirect(">&-", *words, stdin=lines)[::2]]:
        assert code == 1
        check_one_line(err, "cannot write the output")


@needs_full
def test_a_full_disk() -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [*OKGIN, "rules"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    check_one_line(done.stderr, "No space left")


def test_an_output_without_suit_symbols() -> None:
    done = okgin("melds", "AS", "--symbols", PYTHONIOENCODING="ascii")
    assert (done.code, done.out) == (1, "")
    check_one_line(done.err, "ascii")


def test_nobody_hears_the_error() -> None:
    assert redirect("2>&-", "melds", "foo") == (2, "", "")


# Says when everything is imported: before that, an interrupt is the interpreter's business.
WITH_A_SIGN = """
import sys
from okgin_fast.cli import hint, main, melds
print("ready", flush=True)
sys.exit(main())
"""


@pytest.mark.parametrize(
    "words", [["hint", POSITION, "--time", "60000"], ["hint", "-"], ["melds", "-"]]
)
def test_ctrl_c(words: list[str]) -> None:
    """During a hint, and while it waits for a line."""
    with subprocess.Popen(
        [sys.executable, "-c", WITH_A_SIGN, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=plain_environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out) == (130, "")
    check_one_line(err, "interrupted")
