"""``okgin analyse``: the report, JSON and the page, and what is bad, line by line."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest
from command import OKGIN, TIMEOUT, okgin, plain_environment
from helpers import whole_deal

import okgin_fast as og
from okgin_fast.cli import main

CARDS = whole_deal("AS 2S 3S 7H 7D 7C KD KS KC 9C", "AC 3D 5H 8S TD JC QH 2H 6S 4D", "KH")
FEW = ["--rollouts", "10"]


def record(*actions: str) -> str:
    """Return a deal's record in which seat 0 moves first."""
    deal = og.Deal.from_cards("eaai", **CARDS, dealer=1)
    for action in actions:
        deal.apply(action)
    return deal.to_json()


GOOD, BAD = record("take KH", "gin 9C"), record("take KH", "discard 2S")


@pytest.fixture
def game(tmp_path: Path) -> str:
    """A file with a deal in which seat 0 breaks up its gin."""
    path = tmp_path / "game.jsonl"
    path.write_text(f"# two turns\n{BAD}\n")
    return str(path)


def test_the_report(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", game, "--names", "Anna", "Bob", "--rollouts", "60"]) == 0
    out = capsys.readouterr().out
    for part in (
        "Anna against Bob: eaai, 1 deal",
        "Deal 1: Bob deals, upcard KH, knock limit 10; unfinished",
        "Turn 1, Anna: blunder, costs ",
        "hand    AS 2S 3S | ",
        "played  discard 2S. ",
        "best    gin 9C. Gin: 25 points",
        "60 rollouts a figure, seed 0",
    ):
        assert part in out
    assert "turn  who " not in out


def test_all_actions_as_symbols(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", game, "--all", "--symbols", *FEW]) == 0
    out = capsys.readouterr().out
    assert "turn  who     played" in out
    assert "take K♥" in out


def test_json_is_one_line_and_its_sums_agree(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = okgin("analyse", "--json", *FEW, stdin=GOOD + "\n" + GOOD)
    assert (code, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    assert (found["unit"], len(found["deals"])) == ("match", 2)
    assert found["skill"] + found["luck"]["total"] == pytest.approx(found["result"])
    assert [step["action"] for step in found["deals"][0]["steps"]] == ["take KH", "gin 9C"]


def test_names_come_from_a_played_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.jsonl"
    head = {"format": "okgin match 1", "players": [None, "club"]}
    deal = {"proof": {}, "deal": json.loads(GOOD)}
    path.write_text(f"{json.dumps(head)}\n{json.dumps(deal)}\n")
    assert main(["analyse", str(path), *FEW]) == 0
    assert capsys.readouterr().out.startswith("player against club: eaai, 1 deal\n")


def test_the_page(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    names = ["<script>alert(1)</script>", "B&B"]
    assert main(["analyse", game, "--names", *names, "--html", str(page), *FEW]) == 0
    text = page.read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    assert "B&amp;B" in text


def test_a_name_cannot_move_the_cursor(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", game, "--names", "\x1b[2J", "Bob", "--all", *FEW]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[2J" in out


def test_each_bad_record_has_a_line_and_the_others_are_analysed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(f"{GOOD}\nnonsense\n\n{GOOD}\n{GOOD[:-9]}\n")
    assert main(["analyse", str(path), *FEW]) == 1
    out, err = capsys.readouterr()
    first, second, note = err.splitlines()
    assert first.startswith(f"okgin analyse: error: {path}, line 2: 'nonsense' is no record")
    assert second.startswith(f"okgin analyse: error: {path}, line 5: ")
    assert "points" in note
    assert "2 deals" in out


@pytest.mark.parametrize(
    ("words", "stdin", "code", "part"),
    [
        ([], "", 2, "no record"),
        ([], "\n# nothing\n", 2, "no record"),
        ([], "nonsense", 1, "line 1: 'nonsense'"),
        ([], b"\xff\xfe", 2, "not text"),
        (["/no/such/file"], "", 2, "'/no/such/file'"),
        (["/"], "", 2, "cannot read '/'"),
        (["--score", "40"], GOOD, 2, "'40'"),
        (["--score", "100-3"], GOOD, 2, "100"),
        (["--rollouts", "0"], GOOD, 2, "rollouts"),
        (["--seed", "-1"], GOOD, 2, "-1"),
        (["--html", "/no/folder/x.html"], GOOD, 2, "no folder"),
        (["--plot", "x.gif"], GOOD, 2, ".png"),
        (["--rules", "eaai"], GOOD, 2, "--rules"),
    ],
)
def test_it_is_refused_in_one_line(
    words: list[str],
    stdin: str | bytes,
    code: int,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["analyse", *words]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert part in err


def test_ctrl_c_stops_it(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(f"{BAD}\n" * 200)
    terminal, errors = pty.openpty()  # there the progress is shown at once
    process = subprocess.Popen(
        [*OKGIN, "analyse", str(path)],
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=plain_environment(),
    )
    os.close(errors)
    assert os.read(terminal, 1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out) == (130, "")
    os.close(terminal)
