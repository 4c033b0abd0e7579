"""The file of a series: nothing is lost, and what is not of this series is refused."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

import okgin_fast as og
from okgin_fast.arena import Series, series
from okgin_fast.errors import OkginError, SeriesError
from okgin_fast.measure.play import version_of
from okgin_fast.measure.results import ResultsError, ResultsFile, series_of

OPTIONS: dict[str, Any] = {"rules": "eaai", "games": 12, "seed": 5, "workers": 1}
NAMES = ["simple", "random"]


def run(path: Path, resume: bool = False, **changes: Any) -> Series:
    playing = series(NAMES, **(OPTIONS | changes), results=path, resume=resume)
    playing.run()
    return playing


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """The file of a series that went to its end."""
    path = tmp_path / "whole.jsonl"
    run(path)
    return path


def test_a_line_a_deal(whole: Path) -> None:
    header, plan, *deals = map(json.loads, whole.read_text().splitlines())
    assert header["format"] == "okgin arena 2"
    assert header["players"] == NAMES
    assert header["rules"] == og.Rules.preset("eaai").to_dict()
    assert plan == {"plan": {"games": 12, "stop": None}}
    assert {(deal["pair"], *deal["seats"]) for deal in deals} == {
        (pair, *seats) for pair in range(6) for seats in ((0, 1), (1, 0))
    }


def test_a_file_cut_anywhere_is_gone_on_from_to_the_same_figures(whole: Path) -> None:
    data = whole.read_bytes()
    expected = series(NAMES, **OPTIONS)
    expected.run()
    first_lines = data.index(b"\n", data.index(b"\n") + 1) + 1
    rng = random.Random(1)
    for cut in [
        first_lines,
        len(data) - 1,
        *(rng.randrange(first_lines, len(data)) for _ in "1234"),
    ]:
        whole.write_bytes(data[:cut])
        resumed = run(whole, resume=True)
        assert resumed.report().meetings == expected.report().meetings
        assert series_of(whole) == (expected.setup, expected.plan)
        lines = whole.read_bytes().splitlines()
        assert len(lines) == len(data.splitlines())
        assert all(json.loads(line) for line in lines)


def test_a_finished_series_is_only_added_up(whole: Path) -> None:
    before = whole.read_bytes()
    report = run(whole, resume=True).report()
    assert report.complete
    assert whole.read_bytes() == before


def test_a_series_can_be_made_longer(whole: Path) -> None:
    longer = run(whole, resume=True, games=20)
    assert longer.report().meetings[0].games == 20
    assert series_of(whole)[1].games == 20
    at_once = series(NAMES, **(OPTIONS | {"games": 20}))
    at_once.run()
    assert longer.report().meetings == at_once.report().meetings


def test_forfeits_are_kept(tmp_path: Path) -> None:
    import players

    path = tmp_path / "f.jsonl"
    options = {"games": 4, "workers": 1, "results": path, "unit": "deals"}
    playing = series([players.Raises, "gold"], **options)
    playing.run()
    assert playing.report().faults
    again = series([players.Raises, "gold"], **options, resume=True)
    again.run()
    assert again.report().faults == playing.report().faults


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        (
            {"rules": "standard"},
            "name 'eaai' there, 'standard' here; wall 'dead' there, 'reshuffle'",
        ),
        ({"rules": og.Rules.preset("eaai", gin_bonus=20)}, "gin_bonus 25 there, 20 here"),
        ({"seed": 6}, "seed 5 there, 6 here"),
        ({"player_seed": 9}, "player seed 1 there, 9 here"),
        ({"unit": "deals"}, "unit 'games' there, 'deals' here"),
        ({"move_ms": 50}, "move ms None there, 50 here"),
    ],
)
def test_another_series_is_refused_and_the_difference_named(
    whole: Path, changes: dict[str, Any], difference: str
) -> None:
    before = whole.read_bytes()
    with pytest.raises(ResultsError, match=f"of another series: .*{difference}"):
        run(whole, resume=True, **changes)
    assert whole.read_bytes() == before


def test_other_players_are_refused(whole: Path) -> None:
    with pytest.raises(ResultsError, match=r"players \['simple', 'random'\] there, .*'gold'"):
        series(["simple", "gold"], **OPTIONS, results=whole, resume=True).run()


def test_another_version_is_refused(whole: Path) -> None:
    whole.write_text(whole.read_text().replace(f'"{og.__version__}"', '"0.0.9"'))
    with pytest.raises(ResultsError, match=r"okgin_fast '0\.0\.9' there"):
        run(whole, resume=True)


def test_a_players_file_that_was_changed_is_another_player(tmp_path: Path) -> None:
    mine, path = tmp_path / "mine.py", tmp_path / "run.jsonl"
    mine.write_text("from okgin_fast.agents import GoldAgent as Mine\n")
    names = [f"{mine}:Mine", "gold"]
    series(names, games=2, workers=1, results=path).run()
    mine.write_text("from okgin_fast.agents import SimpleAgent as Mine\n")
    version_of.cache_clear()  # as in a process of its own
    with pytest.raises(ResultsError, match=r"mine\.py '\w{12}' there, '\w{12}' here"):
        series(names, games=2, workers=1, results=path, resume=True).run()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are a Unix's")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ResultsError, match="no regular file"):
        run(tmp_path / "pipe", resume=True)
    with pytest.raises(ResultsError, match="no regular file"):
        series_of(tmp_path / "pipe")


def test_a_file_that_is_there_is_not_overwritten(whole: Path) -> None:
    before = whole.read_bytes()
    with pytest.raises(ResultsError, match="exists: resume it or choose another name"):
        run(whole)
    assert whole.read_bytes() == before


def test_a_file_that_is_not_there_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="cannot be opened: No such file"):
        run(tmp_path / "none.jsonl", resume=True)
    with pytest.raises(ResultsError, match="cannot be opened: No such file"):
        series_of(tmp_path / "none.jsonl")
    with pytest.raises(ResultsError, match="cannot be opened: "):
        run(tmp_path, resume=True)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}", b"null\n", b"[1]\n", b"\xff\xfe\n", b"[" * 9999]
)
def test_what_is_no_results_file_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other.txt"
    path.write_bytes(data)
    for attempt in (lambda: run(path, resume=True), lambda: series_of(path)):
        with pytest.raises(ResultsError, match=r"results file .* is none: it begins with "):
            attempt()
    assert path.read_bytes() == data


GOOD = {"pair": 0, "seats": [0, 1], "deal": 0, "dealer": 0, "kind": "knock", "winner": 0,
        "points": 5, "turns": 3, "deadwood": [50, 60], "us": [[1], [2]]}  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"\xff",
        b"7",
        b"{}",
        b'{"plan":3}',
        b'{"plan":{"games":3,"stop":null}}',
        *(
            json.dumps(GOOD | change).encode()
            for change in (
                {"pair": -1},
                {"pair": 1.0},
                {"pair": 1 << 64},
                {"turns": 10**400},
                {"seats": [0, 0]},
                {"seats": [0, 2]},
                {"seats": [0]},
                {"deal": 7},
                {"dealer": 2},
                {"kind": "lost"},
                {"kind": "forfeit"},
                {"kind": ["knock"]},
                {"winner": 2},
                {"points": 0},
                {"points": "5"},
                {"points": True},
                {"deadwood": [50]},
                {"us": [[1]]},
                {"us": [["a"], []]},
                {"fault": "none"},
                {"luck": 1.5},  # that nobody asked for
            )
        ),
    ],
)
def test_a_bad_line_in_the_middle_is_quoted(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "bad.jsonl"
    playing = series(NAMES, **OPTIONS)
    with ResultsFile(path, playing.ledger, playing.plan):
        pass
    path.write_bytes(path.read_bytes() + line + b"\n" + json.dumps(GOOD).encode() + b"\n")
    before = path.read_bytes()
    with pytest.raises(OkginError, match=r"line 3: .* is no deal of this series") as caught:
        run(path, resume=True)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_file_in_use_is_refused(whole: Path) -> None:
    pytest.importorskip("fcntl")
    playing = series(NAMES, **OPTIONS)
    with (
        ResultsFile(whole, playing.ledger, playing.plan, resume=True),
        pytest.raises(ResultsError, match="in use by another process"),
    ):
        run(whole, resume=True)


class FullDisk:
    """A file on a disk with room for so many bytes."""

    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def write(self, data: bytes) -> int:
        fits = data[: self.room]
        if not fits:
            raise OSError(28, "No space left on device")
        self.room -= len(fits)
        return int(self.file.write(fits))


def test_a_full_disk_ends_the_series_and_keeps_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "full.jsonl"
    playing = series(NAMES, **OPTIONS)
    with ResultsFile(path, playing.ledger, playing.plan) as results:
        room = 3000
        results.file = FullDisk(results.file, room)  # type: ignore[assignment]
        with pytest.raises(SeriesError, match=r"cannot be written: No space left on device"):
            playing._play(results, lambda series: None)
    data = path.read_bytes()
    assert data.endswith(b"\n")
    assert all(json.loads(line) for line in data.splitlines())
    expected = series(NAMES, **OPTIONS)
    expected.run()
    assert run(path, resume=True).report().meetings == expected.report().meetings
