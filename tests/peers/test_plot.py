"""The arena's pictures: drawn whole or not at all, and their faults found before the series."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import okgin_fast as og
from okgin_fast.errors import OkginError, SeriesError
from okgin_fast.extras import MissingExtraError
from okgin_fast.measure.plot import Plot

pytest.importorskip("matplotlib")

BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_share_of_two_players(tmp_path: Path, ending: str) -> None:
    report = og.arena("gold", "random", games=8, unit="deals", workers=1)
    path = tmp_path / f"share.{ending}"
    Plot(path).draw(report)
    assert path.read_bytes().startswith(BEGINNINGS[ending])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_band_is_the_reports_interval(tmp_path: Path) -> None:
    from matplotlib.figure import Figure

    from okgin_fast.measure import plot

    report = og.arena("gold", "random", games=40, unit="deals", workers=1)
    axes = Figure().add_subplot()
    plot._share(axes, report)
    games, shares = axes.lines[0].get_data()
    assert games[-1] == 40
    assert shares[-1] == pytest.approx(100 * report.share.mean)
    band = axes.collections[0].get_paths()[0].vertices
    at_the_end = band[band[:, 0] == 40][:, 1]
    assert min(at_the_end) == pytest.approx(100 * report.share.low)
    assert max(at_the_end) == pytest.approx(100 * report.share.high)


def test_the_matrix_of_a_round_robin(tmp_path: Path) -> None:
    report = og.round_robin(["gold", "random", "simple"], games=4, unit="deals", workers=1)
    path = tmp_path / "matrix.svg"
    Plot(path).draw(report)
    text = path.read_text()
    assert all(f"<!-- {name}" in text for name in ("gold", "random", "simple"))


def test_a_series_of_a_single_pair_can_be_drawn(tmp_path: Path) -> None:
    Plot(tmp_path / "one.png").draw(og.arena("gold", "simple", games=2, unit="deals", workers=1))


@pytest.mark.parametrize("name", ["share.gif", "share", "", "png"])
def test_other_formats_are_refused(name: str) -> None:
    with pytest.raises(OkginError, match=r"must end in \.png, \.svg, \.pdf"):
        Plot(name)


def test_a_folder_that_is_not_there_is_told_before_the_series(tmp_path: Path) -> None:
    with pytest.raises(OkginError, match="no folder"):
        Plot(tmp_path / "none" / "share.png")


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "share.png"
    path.mkdir()
    report = og.arena("gold", "simple", games=2, unit="deals", workers=1)
    with pytest.raises(SeriesError, match="cannot be written"):
        Plot(path).draw(report)
    assert list(tmp_path.iterdir()) == [path]


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'okgin_fast\[plot\]'"):
        Plot("share.png")
