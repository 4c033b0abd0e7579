"""``okgin census``: what it prints, what it keeps, and what it refuses."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from math import comb
from pathlib import Path

import pytest
from command import OKGIN, TIMEOUT, okgin, plain_environment

from okgin_fast.cli import main
from okgin_fast.core.census import chunks
from okgin_fast.measure import census as module
from okgin_fast.measure.census import Counting

SHIPPED = files("okgin_fast.measure").joinpath("census.json").read_text("utf-8")


def check_one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1, err
    assert err.startswith("okgin census: ")
    for part in parts:
        assert part in err


# --- what it prints ---------------------------------------------------------------------------


def test_stored_as_json_is_the_file_that_is_shipped() -> None:
    assert okgin("census", "--stored", "--json") == (0, SHIPPED, "")


def test_the_shipped_file_names_the_command_that_made_it() -> None:
    shipped = json.loads(SHIPPED)
    assert shipped["command"] == "okgin census --json"
    assert [census["cards"] for census in shipped["censuses"]] == [10, 11]


def test_every_figure_in_json_says_what_it_is() -> None:
    for census in json.loads(SHIPPED)["censuses"]:
        figures = {"hands", "held", "taken", "at_most", *census["by_upcard"]}
        assert set(census["meaning"]) == figures
        assert list(census["at_most"]) == [str(limit) for limit in range(11)]
        for chances in census["by_upcard"].values():
            assert list(chances) == [*"A23456789TJQK", "any"]
            for chance in chances.values():
                assert chance["share"] == chance["cases"] / chance["of"]


def test_ten_cards_as_a_table() -> None:
    done = okgin("census", "--stored", "--cards", "10")
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "Ten cards, by their deadwood"
    assert lines[1].split() == ["deadwood", "hands", "share", "at", "most", "share"]
    assert lines[2].split() == ["0", "136,694", "0.000864%", "136,694", "0.000864%"]
    assert lines[12].split() == ["10", "3,388,904", "0.021422%", "10,212,276", "0.064553%"]
    assert lines[100].split() == ["98", "1,584", "0.000010%", "15,820,024,220", "100.000000%"]
    assert len({len(line) for line in lines[1:101]}) == 1
    assert "15,820,024,220 hands; mean 56.5694, maximum 98; gin 136,694, one in 115,733." in lines
    assert [line.split()[:2] for line in lines if line.startswith("K ")] == [["K", "10"]]


def test_both_tables_and_what_the_chances_mean() -> None:
    out = okgin("census", "--stored").out
    assert out.startswith("Ten cards, by their deadwood\n")
    assert "\n\nEleven cards, by what the best throw leaves\n" in out
    for census in json.loads(SHIPPED)["censuses"]:
        for name in census["by_upcard"]:
            assert f"\n{name}: {census['meaning'][name]}." in out


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A census of twenty chunks only."""
    some = chunks(10)[:20]
    monkeypatch.setattr(module, "chunks", lambda cards: some)


@pytest.mark.usefixtures("_few")
def test_it_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "state")
    assert main(["census", "--cards", "10", "--threads", "2", "--json", "--resume", file]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["command"] == "okgin census --cards 10 --json"
    (census,) = found["censuses"]
    assert (census["cards"], census["total"]) == (10, comb(52, 10))
    assert sum(census["hands"]) == Counting(10, file).done > 0


@pytest.mark.slow
def test_the_shipped_file_comes_out_again() -> None:
    done = subprocess.run([*OKGIN, "census", "--json"], stdout=subprocess.PIPE, check=True)
    found, shipped = json.loads(done.stdout), json.loads(SHIPPED)
    for census in *found["censuses"], *shipped["censuses"]:
        del census["okgin_fast"]  # the version may be a later one
    assert found == shipped


# --- interrupted ------------------------------------------------------------------------------


# Says when everything is imported: before that, an interrupt is the interpreter's business.
WITH_A_SIGN = """
import sys
from okgin_fast.cli import census, main
print("ready", flush=True)
sys.exit(main())
"""


def started(*words: str) -> subprocess.Popen[str]:
    """A census that has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", WITH_A_SIGN, "census", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=plain_environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def kept(file: Path) -> int:
    """How many hands of eleven cards the file has counts of: wait until it has some."""
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        content = json.loads(file.read_text("utf-8")) if file.exists() else {"counted": {}}
        if "11" in content["counted"]:
            return sum(content["counted"]["11"][1][:99])
        time.sleep(0.05)
    raise AssertionError("nothing was counted")


def test_ctrl_c_keeps_what_is_counted_and_says_how_to_go_on(tmp_path: Path) -> None:
    file = tmp_path / "a state"
    with started("--cards", "11", "--resume", str(file)) as process:
        counted = kept(file)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out) == (130, "")
    check_one_line(err, "interrupted", f"--resume '{file}' goes on from here")
    assert 0 < counted <= kept(file) == Counting(11, file).done < comb(52, 11)
    assert [path.name for path in tmp_path.glob("a state*")] == ["a state"]


def test_a_killed_census_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "state"
    with started("--cards", "11", "--resume", str(file)) as process:
        counted = kept(file)
        process.kill()
    assert 0 < counted <= kept(file) == Counting(11, file).done


def test_ctrl_c_without_a_file() -> None:
    with started("--cards", "11") as process:
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out) == (130, "")
    check_one_line(err, "interrupted: nothing is kept without --resume FILE")


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--cards", "12"], ["'12'", "'10', '11', 'both'"]),
        (["--cards", ""], ["''"]),
        (["--threads", "0"], ["threads=0", "1 to 256"]),
        (["--threads", "-2"], ["threads=-2", "1 to 256"]),
        (["--threads", "99999999999"], ["threads=99999999999", "1 to 256"]),
        (["--threads", "many"], ["'many'", "whole number"]),
        (["--resume", ""], ["''", "no regular file"]),
        (["--resume", "missing/state"], ["'missing/state'", "No such file or directory"]),
        (["--resume", "/dev/null"], ["'/dev/null'", "no regular file"]),
        (["--resume", "other.json"], ["'other.json'", "damaged, or no file of a census"]),
        (["--resume"], ["--resume"]),
        (["--stored", "--resume", "state"], ["--stored", "--resume"]),
        (["--stored", "--threads", "2"], ["--stored", "--threads"]),
        (["--rules", "oklahoma"], ["'--rules'"]),
        (["10"], ["'10'"]),
    ],
)
def test_it_is_quoted_in_one_line(
    words: list[str],
    parts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other.json").write_text(SHIPPED, "utf-8")
    assert main(["census", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    check_one_line(err, "error: ", *parts)
    assert [path.name for path in tmp_path.iterdir()] == ["other.json"]


def test_a_process_quotes_it_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "state"
    Counting(10, file)
    text = file.read_text("utf-8")
    file.write_text(text[: len(text) // 2], "utf-8")
    for words, part in [(["--resume", str(file)], "damaged"), (["--threads", "0"], "threads=0")]:
        done = okgin("census", *words)
        assert (done.code, done.out) == (2, "")
        check_one_line(done.err, part)


@pytest.mark.usefixtures("_few")
def test_the_disk_fills_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second writing finds the disk full: one line, exit code 1, the first file as it was."""
    file, writings = tmp_path / "state", []

    def fsync(_: int) -> None:
        writings.append(file.read_bytes() if file.exists() else None)
        if len(writings) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    assert main(["census", "--cards", "10", "--resume", str(file)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    check_one_line(err, "cannot write", str(file), "No space left on device")
    assert file.read_bytes() == writings[1]
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """A real failure to write, before anything is counted."""
    shell = ["bash", "-c", 'ulimit -f 0; exec "$@"', "bash", *OKGIN]
    words = ["census", "--resume", str(tmp_path / "state")]
    done = subprocess.run(
        [*shell, *words], capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    check_one_line(done.stderr, str(tmp_path / "state"), "File too large")
    assert list(tmp_path.iterdir()) == []
