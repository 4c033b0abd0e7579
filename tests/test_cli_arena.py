"""``okgin arena`` as its users meet it, with Ctrl-C, kills and bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command import OKGIN, TIMEOUT, okgin, plain_environment

QUICK = ["gold", "simple", "--rules", "eaai", "--unit", "deals", "--games", "20", "--workers", "1"]
LONG = ["arena", "expert,rollouts=64", "simple", "--rules", "eaai", "--games", "20"]


def test_the_report_for_people() -> None:
    code, out, err = okgin("arena", *QUICK)
    assert (code, err) == (0, "")
    title, conditions, _, won, points, pairs, _, header, gold, simple, _, deals = out.splitlines()
    assert title == "gold against simple: eaai, 20 single deals (10 mirrored pairs, 20 deals)"
    assert conditions.startswith("Cards from seed 1, players from seed 1; okgin_fast ")
    assert won.startswith("Won ")
    assert "95 % interval" in won
    assert points.startswith("Points ")
    assert pairs.startswith("Pairs ")
    assert header.split()[:4] == ["player", "knock", "gin", "undercut"]
    assert (gold.split()[0], simple.split()[0]) == ("gold", "simple")
    assert deals.startswith("20 deals of ")


def test_the_report_for_programs() -> None:
    code, out, _ = okgin("arena", *QUICK, "--json")
    report = json.loads(out)
    assert code == 0
    assert report["players"] == ["gold", "simple"]
    assert report["meetings"][0]["games"] == 20
    assert report["complete"] is True


def test_the_luck_of_the_draws_taken_out(tmp_path: Path) -> None:
    file = str(tmp_path / "run.jsonl")
    code, out, _ = okgin("arena", *QUICK, "--luck", "4", "--results", file)
    assert code == 0
    won, points = out.splitlines()[3:5]
    assert "(Student's t over mirrored pairs, less the luck of the draws)" in won
    assert points.endswith(", less the luck of the draws")
    _, again, _ = okgin("arena", "--resume", file)
    assert again.splitlines()[3:5] == [won, points]
    code, out, err = okgin("arena", "--resume", file, "--luck", "5")
    assert (code, out) == (2, "")
    assert "luck 4 there, 5 here" in err


def test_a_round_robin_ranks_the_best_first() -> None:
    _, out, _ = okgin("arena", "random", "gold", "simple", *QUICK[2:])
    title, _, _, header, *ranks = out.splitlines()
    assert title == "3 players, each against each: eaai, 60 games"
    assert header.split() == ["player", "Elo", "95", "%", "interval", "v", "1", "v", "2", "v", "3"]
    assert [rank[:2] for rank in ranks[:3]] == ["1 ", "2 ", "3 "]
    assert ranks[2].startswith("3 random")


def test_who_loses_by_a_fault_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Bold:\n"
        "    def __init__(self, seed=0): pass\n"
        "    def act(self, view): raise ZeroDivisionError('oh')\n"
    )
    done = subprocess.run(
        [*OKGIN, "arena", "mine.py:Bold", *QUICK[1:]],
        cwd=tmp_path, capture_output=True, text=True, env=plain_environment(), timeout=TIMEOUT,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert (
        "mine.py:Bold lost 20 deals: raised ZeroDivisionError: oh (first in pair 0" in done.stdout
    )


def started(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*OKGIN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=plain_environment(),
        start_new_session=True,
    )


def wait_for_lines(path: Path, lines: int) -> None:
    end = time.monotonic() + TIMEOUT
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture(scope="module")
def never_ended() -> Any:
    """What `LONG` comes to."""
    return json.loads(okgin(*LONG, "--workers", "2", "--json").out)["meetings"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_series_that_was_ended_goes_on_to_the_same_figures(
    tmp_path: Path, how: signal.Signals, workers: str, never_ended: Any
) -> None:
    path = tmp_path / "run.jsonl"
    process = started(*LONG, "--workers", workers, "--results", str(path))
    wait_for_lines(path, 12)
    os.killpg(process.pid, how)  # the workers too, as a terminal does
    out, err = process.communicate(timeout=TIMEOUT)
    written = path.read_bytes()
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert err == "okgin arena: interrupted\n"
        assert f"go on with: okgin arena --resume {path}" in out
        assert written.endswith(b"\n")
    code, out, _ = okgin("arena", "--resume", str(path), "--json")
    assert code == 0
    assert path.read_bytes().startswith(written[: written.rindex(b"\n") + 1])
    assert json.loads(out)["meetings"] == never_ended


def test_workers_end_with_a_parent_that_is_killed_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    process = started(*LONG, "--workers", "2", "--results", str(path))
    wait_for_lines(path, 4)
    process.kill()
    process.communicate(timeout=TIMEOUT)  # its workers hold the pipes until they end, too
    code, out, err = okgin("arena", "--resume", str(path))
    assert code == 0
    assert out
    assert all(" games  " in line for line in err.splitlines())  # progress, on a slow machine


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_players_say_does_not_get_into_the_report(workers: str) -> None:
    here = Path(__file__).parent / "players.py"
    words = ["arena", f"{here}:Prints", "gold", "--games", "4", "--unit", "deals"]
    code, out, err = okgin(*words, "--workers", workers, "--json")
    assert code == 0
    assert "RuntimeError" in json.loads(out)["faults"][0]["what"]
    assert "let me think" in err
    code, out, _ = okgin(*words, "--workers", workers)
    assert code == 0
    assert "raised RuntimeError: \\x1b[2J \\ud800" in out


def test_ctrl_c_does_not_wait_for_a_player_who_hangs(tmp_path: Path) -> None:
    here = Path(__file__).parent / "players.py"
    process = started("arena", f"{here}:Hangs", "gold", "--workers", "2", "--games", "20",
                      "--results", str(tmp_path / "r.jsonl"))  # fmt: skip
    wait_for_lines(tmp_path / "r.jsonl", 2)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=15)
    assert process.returncode == 130


@pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="limits are a Unix's")
def test_a_full_disk_ends_the_series_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000));"
        "from okgin_fast.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, "arena", *QUICK, "--games", "200", "--results", str(path)],
        capture_output=True, text=True, env=plain_environment(), timeout=TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("okgin arena: error: results file ")
    assert "cannot be written: " in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Not complete: " in done.stdout
    assert path.read_bytes().endswith(b"\n")
    assert okgin("arena", "--resume", str(path)).code == 0


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([], ["0 players", "--resume"]),
        (["gold"], ["1 players"]),
        (["gold", "exprt"], ["'exprt' is no player", "rlcard-novice"]),
        (["gold", "none.py:Me"], ["player file 'none.py'", "no such file"]),
        (["gold", "simple", "--games", "0"], ["games=0", "even number from 2"]),
        (["gold", "simple", "--games", "many"], ["'many' is not a whole number"]),
        (["gold", "simple", "--unit", "turns"], ["unit='turns'"]),
        (["gold", "simple", "--stop", "0.6", "0.5"], ["stop=", "low < high"]),
        (["gold", "simple", "--move-ms", "nan"], ["move_ms=nan"]),
        (["gold", "simple", "--rules", "nope"], ["'nope'"]),
        (["gold", "simple", "--results", "none/run.jsonl"], ["cannot be opened", "No such file"]),
        (["--resume", "none.jsonl"], ["results file 'none.jsonl' cannot be opened"]),
        (["gold", "simple", "--results", ""], ["results file ''"]),
        (["--resume", "a", "--results", "b"], ["--results and --resume"]),
        (["gold", "simple", "--plot", "share.gif"], ["'share.gif'", ".png, .svg, .pdf"]),
        (["gold", "simple", "--cluster", "nowhere"], ["nowhere", "distributed"]),
    ],
)
def test_bad_input_is_one_line(words: list[str], parts: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [*OKGIN, "arena", *words],
        cwd=tmp_path, capture_output=True, text=True, env=plain_environment(), timeout=TIMEOUT,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("okgin arena: error: ")
    # A cluster cannot be reached, or its extra is not there: either way it is named.
    assert all(part in done.stderr for part in parts) or (
        "--cluster" in words and any(part in done.stderr for part in parts)
    )
