"""``okgin verify``: its exit codes, its words, and records that lie."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from command import okgin

import okgin_fast
from okgin_fast import Deal, Rules, agent
from okgin_fast.cli import main
from okgin_fast.fair import FairDeal, Proof, Record, player_seed
from okgin_fast.measure.players import player

SECRETS = [f"{n:064x}" for n in (11, 22, 33)]


def honest(level: str = "club", version: str = okgin_fast.__version__) -> Record:
    """Three deals: a person, who does as `gold` does, against a level."""
    record = Record(Rules.preset("oklahoma", target=500), (None, level), version)
    for number, secret in enumerate(SECRETS, 1):
        proof = Proof.of(number, secret).stirred(f"word {number}" if number > 1 else "")
        sealed = replace(record, deals=(*record.deals, FairDeal(proof)))
        match = sealed.match()
        deal = Deal(record.rules, proof.seed, match.dealer)
        sits = [agent("gold"), player(level).make(player_seed(secret, proof.word or "", number))]
        while (seat := deal.to_move) is not None:
            mine, theirs = match.scores or (0, 0)
            score = (mine, theirs) if seat == 0 else (theirs, mine)
            deal.apply(sits[seat].act(deal.view(seat, score)))
        record = replace(record, deals=(*record.deals, FairDeal(proof, deal)))
    return record


@pytest.fixture(scope="module")
def record() -> Record:
    return honest()


def verified(
    capsys: pytest.CaptureFixture[str], folder: Path, record: Record | str, *words: str
) -> tuple[int, str]:
    file = folder / "m.jsonl"
    file.write_text(record if isinstance(record, str) else record.to_text(), "utf-8")
    code = main(["verify", str(file), *words])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


def test_an_honest_match(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = verified(capsys, tmp_path, record)
    moves = sum(len(f.deal.actions) for f in record.deals if f.deal)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "Deal 1: honest"
    assert lines[1] == f"  commitment {record.deals[0].proof.commitment}"
    result = record.deals[0].deal.result  # type: ignore[union-attr]
    assert result is not None
    scored = f"seat {result.winner} scores {result.points}"
    assert lines[2] == f"  result     {result.kind}, {scored}"
    assert lines[3] == "Deal 2: honest, word 'word 2'"
    mine, theirs = record.match().scores or (0, 0)
    assert lines[-3] == f"seat 0 (a person) {mine}, seat 1 (club) {theirs}; the match goes on."
    assert lines[-1] == "Honest: 3 deals."
    told = lines[-2]
    assert told.endswith(" moves are those that it makes from its view.")
    assert 0 < int(told.split()[2]) < moves


@pytest.mark.parametrize("level", ["beginner", "strong", "expert,rollouts=20"])
def test_the_moves_of_every_kind_of_level_are_made_anew(
    level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = verified(capsys, tmp_path, honest(level))
    assert code == 0
    assert "from its view" in out


def test_the_report_for_programs(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = verified(capsys, tmp_path, record, "--json")
    report = json.loads(out)
    assert code == 0
    assert report["honest"] is True
    assert [deal["number"] for deal in report["deals"]] == [1, 2, 3]
    assert report["deals"][1]["secret"] == SECRETS[1]
    assert report["deals"][1]["seed"] == record.deals[1].proof.seed
    assert report["deals"][1]["faults"] == []
    assert report["deals"][1]["result"].keys() == {"kind", "winner", "points"}
    assert report["scores"] == [
        sum(one["result"]["points"] for one in report["deals"] if one["result"]["winner"] == seat)
        for seat in (0, 1)
    ]
    assert report["over"] is False
    assert report["moves"]["checked"] > 10
    assert report["moves"]["not_checked"] is None
    assert report["missing_commitments"] == []


def test_commitments_that_were_written_down(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, _ = (fair.proof.commitment for fair in record.deals)
    words = ["--commitment", first, "--commitment", second[:8].upper()]
    assert verified(capsys, tmp_path, record, *words)[0] == 0
    code, out = verified(capsys, tmp_path, record, *words, "--commitment", "0123456789")
    assert code == 1
    assert out.splitlines()[-4] == "No deal has the commitment 0123456789."
    assert out.splitlines()[-1] == "Not honest, of 3 deals."


def test_other_cards_than_the_committed_ones(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fair = record.deals[1]
    forged = replace(fair, proof=replace(fair.proof, word="another"))
    record = replace(record, deals=(record.deals[0], forged, record.deals[2]))
    code, out = verified(capsys, tmp_path, record)
    lines = out.splitlines()
    assert code == 1
    assert lines[3] == "Deal 2: NOT HONEST, word 'another'"
    assert lines[6] == "  the cards are not those of the secret and the word"
    assert lines[-1] == "Not honest, of 3 deals."
    code, out = verified(capsys, tmp_path, record, "--json")
    report = json.loads(out)
    assert (code, report["honest"]) == (1, False)
    assert report["deals"][1]["faults"] == [lines[6].strip()]


def test_moves_that_the_program_does_not_make_from_its_view(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The same deals, said to be against a stronger level, which throws other cards.
    code, out = verified(capsys, tmp_path, replace(record, players=(None, "expert,rollouts=20")))
    assert code == 1
    assert "NOT HONEST" in out
    assert "  expert,rollouts=20 plays " in out


def test_moves_that_cannot_be_made_anew(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    not_checked = {
        "version '0.0.1' played, this is another": replace(record, version="0.0.1"),
        "'mine.py:Bold' is no player of this package": replace(
            record, players=(None, "mine.py:Bold")
        ),
        "'expert,time_ms=5' was cut off by the clock": replace(
            record, players=(None, "expert,time_ms=5")
        ),
        "no option 'speed'": replace(record, players=(None, "club,speed=5")),
        "no program played": replace(record, players=(None, None)),
    }
    for reason, told in not_checked.items():
        code, out = verified(capsys, tmp_path, told)
        assert code == 0
        assert "The program's moves are not checked: " in out
        assert reason in out
        assert out.splitlines()[-1] == "Honest shuffles: 3 deals."


def test_practice_is_told(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = verified(capsys, tmp_path, replace(record, practice=True))[1]
    assert "It was practice: moves could be taken back.\n" in out


def test_a_file_that_was_cut_off(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, text = tmp_path / "m.jsonl", record.to_text()
    for length in (10, len(text) // 2, len(text) - 2):
        file.write_text(text[:length])
        assert main(["verify", str(file)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"line {text.count(chr(10), 0, length) + 1}: " in err
        assert "is no JSON: " in err
    code, out = verified(capsys, tmp_path, "\n".join(text.splitlines()[:3]))
    assert code == 0  # that is a match of two deals
    assert "; the match goes on.\n" in out


def test_a_mark_of_the_byte_order_and_other_ends_of_lines(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\ufeff" + record.to_text().replace("\n", "\r\n")
    assert verified(capsys, tmp_path, text)[0] == 0


CHANGES: list[tuple[str, object]] = [
    ("proof number", 3),
    ("proof commitment", 64 * "0"),
    ("proof secret", 64 * "0"),
    ("proof word", "other"),
    ("proof word", None),
    ("deal rules gin_bonus", 20),
    ("deal dealer", 1),
    ("deal dealer", 0),
    ("deal seed", 7),
    ("deal hands", ["AS2S3S4S5S6S7S8S9STS", "AC2C3C4C5C6C7C8C9CTC"]),
    ("deal upcard", "KS"),
    ("deal stock", ""),
    ("deal turns", ["-"]),
    ("deal result", None),
    ("deal result kind", "tie"),
    ("deal result winner", None),
    ("deal result points", 7.5),
    ("deal result spread", []),
    ("deal result laid_off", None),
]


def test_every_field_of_a_deal_is_checked(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dealer = record.deals[1].deal.dealer  # type: ignore[union-attr]
    for path, value in CHANGES:
        if path == "deal dealer" and value == dealer:
            continue
        lines = [json.loads(line) for line in record.to_text().splitlines()]
        *keys, last = path.split()
        part = lines[2]
        for key in keys:
            part = part[key]
        part[last] = value
        code, out = verified(capsys, tmp_path, "\n".join(map(json.dumps, lines)))
        assert (path, code) == (path, 1)
        assert "Deal 1: honest" in out
        assert re.search(r"NOT HONEST.*\n  commitment .*\n(  result .*\n)?  [ti].*\n", out), path


def test_a_key_that_is_there_twice(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Another reader could take the other one.
    file = tmp_path / "m.jsonl"
    file.write_text(record.to_text().replace('"secret"', '"secret":"","secret"', 1))
    assert main(["verify", str(file)]) == 2
    assert "line 2: key 'secret' is there twice" in capsys.readouterr().err


def test_a_record_that_goes_on(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sealed = FairDeal(Proof.of(4, 64 * "a"))
    code, out = verified(capsys, tmp_path, replace(record, deals=(*record.deals, sealed)))
    assert code == 0
    assert "Deal 4: committed to, not dealt\n" in out


def test_what_is_typed_into_a_record_is_not_sent_to_the_terminal(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = record.to_text().splitlines()
    deal: dict[str, Any] = json.loads(lines[1])
    deal["deal"]["turns"][0] = "\x1b[2J"
    lines[1] = json.dumps(deal)
    code, out = verified(capsys, tmp_path, "\n".join(lines))
    assert code == 1
    assert "it cannot be played" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("text", "words", "part"),
    [
        ("", [], "it is empty"),
        ("{}", [], "line 1: '{}' is no part of a record"),
        ("x\n", ["--commitment", "12"], "8 to 64 hexadecimal digits"),
        ("[" * 5000, [], "line 1: "),
    ],
)
def test_what_is_no_record(
    text: str, words: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.jsonl"
    file.write_text(text)
    if words:
        file.write_text(honest().to_text())
    assert main(["verify", str(file), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("okgin verify: error: ")
    assert err.count("\n") == 1
    assert part in err


def test_missing_and_endless_files(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("no/such.jsonl", "/dev/zero", "."):
        assert main(["verify", name]) == 2
        assert "there is no such file" in capsys.readouterr().err


def test_it_takes_no_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "x", "--rules", "eaai"]) == 2
    assert "no option '--rules'" in capsys.readouterr().err


def test_a_match_from_the_command_line_to_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.jsonl"
    monkeypatch.setattr("sys.stdin", StringIO("luck\np\nd\n"))
    words = ["--level", "expert,rollouts=10", "--rules", "open-spiel"]
    assert main(["play", "--save", str(file), *words]) == 0
    capsys.readouterr()
    code, out, err = okgin("verify", str(file))
    assert (code, err) == (0, "")
    assert "Deal 1: honest, word 'luck'" in out
