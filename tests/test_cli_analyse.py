"""``okgin analyse``: the report, JSON and the page, and what is bad, line by line."""

from __future__ import annotations

import io
import json
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import FULL, OKGIN, TIMEOUT, needs_full, okgin, plain_environment
from helpers import whole_deal

import okgin_fast as og
from okgin_fast.analysis import Study
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


@needs_full
def test_output_that_fails_does_not_lose_the_other(game: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with FULL.open("w") as full:
        words = [*OKGIN, "analyse", game, "--html", str(page), *FEW]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, env=plain_environment())
    assert done.returncode == 1
    assert page.read_text("utf-8").endswith("</html>\n")
    code, out, err = okgin("analyse", game, "--html", str(FULL), *FEW)
    assert (code, err.count("\n")) == (1, 1)
    assert f"'{FULL}' cannot be written" in err
    assert out.endswith("rollouts a figure, seed 0\n")


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


def test_of_many_bad_records_the_first_are_named() -> None:
    code, out, err = okgin("analyse", *FEW, stdin="{}\n" * 5000)
    assert (code, out, err.count("\n")) == (1, "", 11)
    assert err.endswith("error: 4,990 more cannot be read either\n")


@pytest.mark.parametrize(
    ("words", "stdin", "code", "part"),
    [
        ([], "", 2, "no record"),
        ([], "\n# nothing\n", 2, "no record"),
        (["/dev/null"], "", 2, "no deal in '/dev/null'"),
        ([], "nonsense", 1, "line 1: 'nonsense'"),
        ([], '{"format":"okgin arena 2"}', 1, "no cards"),
        ([], b"\xff\xfe", 2, "not text"),
        (["/no/such/file"], "", 2, "'/no/such/file'"),
        (["/"], "", 2, "cannot read '/'"),
        (["--score", "40"], GOOD, 2, "'40'"),
        (["--score", "100-3"], GOOD, 2, "100"),
        (["--score", "40-3", "--points"], GOOD, 2, "points"),
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


def test_several_matches_are_told_apart(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{GOOD}\n{GOOD}\n{BAD}\n")
    assert main(["analyse", str(path), "--names", "Ann", "Bob", "--score", "80-7", *FEW]) == 0
    out = capsys.readouterr().out
    title, *lines = out.splitlines()
    assert title == "Ann against Bob: eaai, 3 matches, 3 deals, Ann wins 1"
    told = [line for line in lines if line.startswith(("match ", "Match "))]
    assert told[0].split()[:3] == ["match", "deals", "result"]
    assert told[1].startswith("Match 1: 1 deal, Ann wins 1")
    assert told[2:] == ["Match 2: 1 deal", "Match 3: 1 deal"]
    assert out.count("with luck taken out") == 4


def test_names_of_several_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.jsonl"
    heads = [{"format": "okgin match 1", "players": [None, level]} for level in ("club", "strong")]
    path.write_text("".join(f"{json.dumps(head)}\n{GOOD}\n" for head in heads))
    assert main(["analyse", str(path), *FEW]) == 0
    assert capsys.readouterr().out.startswith("player against club or strong: eaai, 2 matches")


def test_ctrl_c_reports_the_deals_that_are_finished(tmp_path: Path) -> None:
    path, kept, page = (tmp_path / name for name in ("long.jsonl", "kept.jsonl", "page.html"))
    path.write_text(f"{BAD}\n" * 200)
    process = subprocess.Popen(
        [*OKGIN, "analyse", str(path), "--results", str(kept), "--html", str(page)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=plain_environment(),
    )
    while not kept.exists() or kept.read_bytes().count(b"\n") < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIMEOUT)
    finished = kept.read_bytes().count(b"\n") - 1
    stopped = f"seat 0 against seat 1: eaai, stopped after {finished} of 200 deals"
    assert process.returncode == 130
    assert out.splitlines()[0] == stopped
    assert f"<h1>{stopped}</h1>" in page.read_text("utf-8")
    assert err.splitlines()[-1] == (
        f"okgin analyse: interrupted: {finished} of 200 deals are finished, go on with --resume"
        f" {shlex.quote(str(kept))}"
    )


def test_ctrl_c_before_a_deal_is_finished(
    game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Study, *_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Study, "run", interrupt)
    assert main(["analyse", game]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert "interrupted: 0 of 1 deals" in err
    assert "--results" in err


def test_a_resumed_analysis_comes_to_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, whole, part = (tmp_path / name for name in ("game.jsonl", "whole.jsonl", "part.jsonl"))
    path.write_text(f"{GOOD}\n{BAD}\n{BAD}\n")
    assert main(["analyse", str(path), "--results", str(whole), "--json", *FEW]) == 0
    told = capsys.readouterr().out
    head, first, *_ = whole.read_text().splitlines(keepends=True)
    part.write_text(head + first + '{"record":')
    assert main(["analyse", str(path), "--resume", str(part), "--json", *FEW]) == 0
    assert capsys.readouterr().out == told
    assert part.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("words", "cut", "part"),
    [
        ([], "", "begins with ''"),
        ([], "[]\n", "begins with '[]'"),
        (["--rollouts", "11"], "", "rollouts 10 there, 11 here"),
        (["--points"], "", "unit 'match' there, 'points' here"),
        ([], "other", "line 2: no deal of this analysis: ValueError: 'another deal'"),
        ([], "twice", "line 4: no deal of this analysis"),
        (["--results", "x"], "", "not allowed with"),
    ],
)
def test_what_cannot_be_gone_on_from(
    words: list[str],
    cut: str,
    part: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, kept = tmp_path / "game.jsonl", tmp_path / "kept.jsonl"
    path.write_text(f"{GOOD}\n{BAD}\n")
    if words or cut in ("other", "twice"):
        assert main(["analyse", str(path), "--results", str(kept), *FEW]) == 0
        head, first, second = kept.read_text().splitlines(keepends=True)
        kept.write_text("".join([head, second] if cut == "other" else [head, first, second, first]))
    else:
        kept.write_text(cut)
    before = kept.read_bytes()
    capsys.readouterr()
    assert main(["analyse", str(path), *FEW, "--resume", str(kept), *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert part in err
    assert kept.read_bytes() == before


def test_a_results_file_is_not_written_over(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", game, "--results", game, *FEW]) == 2
    assert "exists" in capsys.readouterr().err
