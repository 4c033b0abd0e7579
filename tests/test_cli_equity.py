"""``okgin equity``: what it prints and refuses, and the measurement that its data come from."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from command import okgin

from okgin_fast import Deal, OkginError, Rules, agent
from okgin_fast.cli import main
from okgin_fast.equity import KINDS, match_equity, outcomes
from okgin_fast.measure import outcomes as module
from okgin_fast.measure.outcomes import Ending, Measuring, ending_of
from okgin_fast.rules import PRESETS

SHIPPED = json.loads(files("okgin_fast").joinpath("outcomes.json").read_text("utf-8"))


def check_refused(code: int, out: str, err: str, parts: list[str]) -> None:
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    assert err.startswith("okgin equity: error: ")
    for part in parts:
        assert part in err


# --- what it prints ---------------------------------------------------------------------------


def test_one_chance() -> None:
    chance = match_equity("eaai", (40, 65), "opponent")
    assert okgin("equity", "--rules", "eaai", "--score", "40-65") == (0, f"{chance:.1%}\n", "")


def test_one_chance_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rules", "standard", "--set", "target=250", "--score", "40:65", "--dealer", "me"]
    assert main(["equity", *words, "--json"]) == 0
    rules = Rules.preset("standard", target=250)
    assert json.loads(capsys.readouterr().out) == {
        "rules": rules.to_dict(),
        "dealer": "me",
        "score": [40, 65],
        "equity": match_equity(rules, (40, 65), "me"),
    }


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "--rules", "modern", "--dealer", "me"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "modern: chance to win the match to 100 when I deal; rows my score, columns theirs"
    )
    assert lines[1].split() == [str(score) for score in range(0, 100, 10)]
    assert all(len(line) <= 80 for line in lines[1:])
    assert lines[5].split() == [
        "30", *(f"{match_equity('modern', (30, theirs), 'me'):.1%}" for theirs in range(0, 100, 10))
    ]  # fmt: skip
    deal = outcomes("modern")
    assert [line.split()[0] for line in lines[14:19]] == ["the", "knock", "undercut", "gin", "big"]
    assert lines[19].split() == ["points", *(f"{mean:.2f}" for mean in deal.means)]
    assert lines[20] == f"Dead deals: {deal.dead:.1%}"


def test_the_table_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "--set", "target=5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scores"] == [0, 1, 2, 3, 4]
    rules = Rules(target=5)
    assert found["equity"][3][1] == match_equity(rules, (3, 1), "opponent")
    shares = [found["deal"][side][kind] for side in ("dealer", "other") for kind in KINDS]
    assert sum(shares) + found["deal"]["dead"] == pytest.approx(1)
    assert found["deal"]["other"]["points"] == outcomes("oklahoma").means[1]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--score", "100-3"], ["score (100, 3)", "0 to 99"]),
        (["--score", "40"], ["'40'", "40-65"]),
        (["--score", "-5-10"], ["'-5-10'", "40-65"]),
        (["--score", "4x-10"], ["'4x-10'"]),
        (["--score", ""], ["''"]),
        (["--dealer", "him", "--score", "1-2"], ["'him'", "'me', 'opponent'"]),
        (["--rules", "open-spiel"], ["target None", "needs a target"]),
        (["--rules", "open-spiel", "--score", "1-2"], ["target None"]),
        (["--rules", "oklahome"], ["'oklahome'"]),
        (["--set", "target=0"], ["target 0"]),
        (["--deals", "50"], ["--deals", "--measure"]),
        (["--workers", "1"], ["--workers", "--measure"]),
        (["--measure", "f", "--rules", "eaai"], ["--measure", "all presets"]),
        (["--measure", "f", "--score", "1-2"], ["--measure", "all presets"]),
        (["40-65"], ["'40-65'"]),
    ],
)
def test_it_is_quoted_in_one_line(
    words: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    check_refused(main(["equity", *words]), *capsys.readouterr(), parts)


# --- the measurement --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("player", ["simple", "gold"])
def test_an_ending_with_its_bonus_is_what_the_deal_scored(name: str, player: str) -> None:
    rules = PRESETS[name]
    bonus = {"undercut": rules.undercut_bonus, "gin": rules.gin_bonus, "big_gin": 31}
    for seed in range(12):
        deal = Deal(rules, seed, dealer=seed % 2)
        who = agent(player)
        while deal.to_move is not None:
            deal.apply(who.act(deal.view(deal.to_move)))
        result = deal.result
        assert result is not None
        ending = ending_of(deal.limit, deal.dealer, result)
        assert ending.limit == deal.limit
        if result.kind == "dead":
            assert ending == (deal.limit, None, "dead", 0)
        elif result.kind == "tie":
            assert ending[2:] == ("undercut", 0)
        else:
            assert ending.side == ("dealer" if result.winner == deal.dealer else "other")
            times = rules.multiplier(deal.upcard)
            assert times * (bonus.get(ending.kind, 0) + ending.difference) == result.points


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of two deals between quick players, under two presets, in a package without parts."""
    monkeypatch.setattr(module, "PLAYER", "simple")
    monkeypatch.setattr(module, "PIECE", 2)
    monkeypatch.setattr(module, "PARTS", ())
    monkeypatch.setattr(module, "PRESETS", {name: PRESETS[name] for name in ("oklahoma", "eaai")})


def counts(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))["presets"]


@pytest.mark.usefixtures("_small")
def test_it_measures_and_tops_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    for deals in ("4", "10"):
        words = ["--measure", str(one), "--deals", deals, "--workers", "1"]
        assert main(["equity", *words]) == 0
        assert capsys.readouterr().out == f"{one}: {2 * int(deals)} deals\n"
    words = ["--measure", str(two), "--deals", "10", "--workers", "1", "--json"]
    assert main(["equity", *words]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(two), "deals": 20}
    assert one.read_bytes() == two.read_bytes()
    assert Measuring(one, 8).done == Measuring(one, 8).total == 20


@pytest.mark.usefixtures("_small")
def test_deals_are_played_from_both_sides() -> None:
    # With players that take no notice of seats, the hands of a pair are the same and so the counts
    # are those of its deals.
    found: Counter[Ending] = module.play("eaai", 0, 6)
    assert found.total() == 6
    assert found == module.play("eaai", 0, 3) + module.play("eaai", 3, 6)


@pytest.mark.usefixtures("_small")
def test_ctrl_c_keeps_what_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, file = tmp_path / "whole.json", tmp_path / "a file.json"
    Measuring(whole, 10).run(1)
    played: list[Any] = []
    play: Callable[..., Counter[Ending]] = module.play

    def few(*piece: Any) -> Counter[Ending]:
        played.append(piece)
        if len(played) == 4:
            raise KeyboardInterrupt
        return play(*piece)

    monkeypatch.setattr(module, "play", few)
    words = ["equity", "--measure", str(file), "--deals", "10", "--workers", "1"]
    assert main(words) == 130
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"okgin equity: interrupted: --measure '{file}' goes on from here\n")
    assert Measuring(file, 10).done == 6
    assert main(words) == 0
    assert file.read_bytes() == whole.read_bytes()


@pytest.mark.usefixtures("_small")
def test_the_disk_fills_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, writings = tmp_path / "file.json", []

    def fsync(_: int) -> None:
        writings.append(file.read_bytes() if file.exists() else None)
        if len(writings) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    assert main(["equity", "--measure", str(file), "--deals", "2", "--workers", "1"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "No space left on device" in err
    assert file.read_bytes() == writings[1]


@pytest.mark.usefixtures("_small")
def test_what_cannot_be_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.json"

    def refused(path: Path | str, *parts: str) -> None:
        words = ["equity", "--measure", str(path), "--deals", "4", "--workers", "1"]
        check_refused(main(words), *capsys.readouterr(), [*parts])

    for text in ("", "[]", "{}", '{"presets": {"eaai": 3}}', "\udcff", "[" * 100_000):
        file.write_text(text, "utf-8", "surrogateescape")
        refused(file, repr(str(file)), "damaged, or holds no outcomes")
    file.unlink()
    refused(tmp_path, "no regular file")
    refused(tmp_path / "missing" / "file", "No such file or directory")
    refused("/dev/null", "no regular file")
    Measuring(file, 4).run(1)
    before = file.read_bytes()
    monkeypatch.setattr(module, "PLAYER", "gold")
    refused(file, "begun with player 'simple', now it is 'gold'")
    assert file.read_bytes() == before


@pytest.mark.parametrize("deals", [0, -50, 51, 10**9])
def test_a_number_of_deals_that_is_none(
    deals: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["equity", "--measure", str(tmp_path / "f"), "--deals", str(deals)]
    check_refused(main(words), *capsys.readouterr(), [f"deals={deals}", "a multiple of 50"])
    assert not (tmp_path / "f").exists()


def test_a_number_of_workers_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(OkginError, match="workers=0"):
        Measuring(tmp_path / "f", 50).run(0)


def test_the_shipped_file_says_how_it_was_made() -> None:
    assert SHIPPED["command"] == "okgin equity --measure FILE"
    assert SHIPPED["player"] == module.PLAYER
    assert SHIPPED["seed"] == module.SEED
    assert list(SHIPPED["presets"]) == list(PRESETS)
    assert len(SHIPPED["signature"]) == 16
