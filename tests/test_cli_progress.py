"""The progress line: what a terminal shows, what a log gets, and that nothing of it can fail."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import SimpleNamespace

import pytest

from okgin_fast.cli import progress, terminal
from okgin_fast.cli.progress import Progress


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock that stands still until it is told to go on by some seconds."""
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])

    def go_on(seconds: float) -> None:
        now[0] += seconds

    return go_on


class Screen:
    """A terminal in place of standard error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reader, writer = pty.openpty()
        self.stream = os.fdopen(writer, "w")
        for module in progress, terminal:  # pytest puts its own into sys for each phase of a test
            monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=self.stream))
        self.columns(100)

    def columns(self, number: int) -> None:
        fcntl.ioctl(self.stream, termios.TIOCSWINSZ, struct.pack("HHHH", 24, number, 0, 0))

    def lines(self) -> list[str]:
        """Everything drawn since the last call; a line is drawn over the one before."""
        self.stream.flush()
        self.stream.write("|")
        self.stream.flush()
        text = ""
        while not text.endswith("|"):
            text += os.read(self.reader, 10_000).decode()
        assert "\n" not in text
        return text[:-1].split("\r")[1:]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    screen = Screen(monkeypatch)
    yield screen
    screen.stream.close()
    os.close(screen.reader)


def test_a_terminal_shows_bar_share_time_left_and_note(
    screen: Screen, wait: Callable[[float], None]
) -> None:
    with Progress(3000, "games") as shown:
        assert screen.lines() == [f"{'[' + '-' * 30 + ']  0/3,000 games    0%':99}"]
        wait(60)
        shown.update(1000, "win share 52 %")
        bar = "#" * 10 + "-" * 20
        line = f"[{bar}]  1,000/3,000 games   33%  0:02:00 left  win share 52 %"
        assert screen.lines() == [f"{line:99}"]
    assert screen.lines() == [" " * 99, ""]


def test_it_is_wiped_when_the_work_fails(screen: Screen) -> None:
    with suppress(KeyboardInterrupt), Progress(10, "games"):
        screen.lines()
        raise KeyboardInterrupt
    assert screen.lines() == [" " * 99, ""]


def test_at_most_ten_lines_a_second(screen: Screen, wait: Callable[[float], None]) -> None:
    with Progress(1000, "games") as shown:
        for done in range(1000):
            shown.update(done)
            wait(0.001)
        assert 9 <= len(screen.lines()) <= 11


@pytest.mark.parametrize("columns", [1, 2, 20, 40, 60])
def test_no_line_is_wider_than_the_terminal(screen: Screen, columns: int) -> None:
    screen.columns(columns)
    with Progress(15_820_024_220, "hands") as shown:
        shown.update(7, "a note of any length " * 5)
    assert {len(line) for line in screen.lines()} == {columns - 1, 0}


def test_the_bar_takes_the_room_that_is_left(screen: Screen) -> None:
    for columns, size in [(80, 30), (40, 19), (31, 10), (30, 0)]:
        screen.columns(columns)
        with Progress(10, "games", done=5):
            assert len(re.findall("[#-]", screen.lines()[-1])) == size


def test_a_terminal_that_does_not_know_its_width(screen: Screen) -> None:
    screen.columns(0)
    with Progress(10, "games"):
        assert [len(line) for line in screen.lines()] == [79]


def test_what_was_done_before_is_no_speed(screen: Screen, wait: Callable[[float], None]) -> None:
    with Progress(100, "games", done=50) as shown:
        wait(10)
        shown.update(60)
        first, second = screen.lines()
    assert "50/100 games   50%" in first
    assert "left" not in first
    assert "0:00:40 left" in second


def test_a_log_gets_a_line_every_ten_seconds(
    capsys: pytest.CaptureFixture[str], wait: Callable[[float], None]
) -> None:
    with Progress(100, "games") as shown:
        for second in range(1, 26):
            wait(1)
            shown.update(second, "so far\rso good")
    assert capsys.readouterr() == (
        "",
        "10/100 games   10%  0:01:30 left  so far\\rso good\n"
        "20/100 games   20%  0:01:20 left  so far\\rso good\n",
    )


def test_a_log_gets_nothing_of_short_work(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(2, "games") as shown:
        shown.update(1)
        shown.update(2)
    assert capsys.readouterr() == ("", "")


def test_no_work_at_all_and_more_than_all(screen: Screen) -> None:
    with Progress(0, "games"):
        assert "100%" in screen.lines()[0]
    with Progress(2, "games", done=3):
        assert re.search("3/2 games  150%", screen.lines()[-1])


@pytest.mark.parametrize("gone", ["closed", "none"])
def test_without_standard_error(gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, "w") as stream:  # noqa: PTH123
        pass
    monkeypatch.setattr(sys, "stderr", stream if gone == "closed" else None)
    monkeypatch.setattr(progress, "PLAIN", 0.0)
    with Progress(2, "games") as shown:
        shown.update(1)


def test_a_standard_error_that_breaks_changes_no_exit_code() -> None:
    code = (
        "from okgin_fast.cli import progress; progress.PLAIN = 0.0\n"
        "with progress.Progress(2, 'games') as shown: shown.update(1)\n"
        "print('done')"
    )
    reader, writer = os.pipe()
    os.close(reader)
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, stdout=subprocess.PIPE, stderr=writer, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stdout) == (0, "done\n")
