"""The benchmark against peers: how rounds are compared, and how results are written."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from okgin_fast.measure.rates import Quartiles

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture(scope="module")
def bench():
    """Import the two modules as ``python bench/speed.py`` does, from their folder."""
    names = ("measure", "report")
    sys.path.insert(0, str(BENCH))
    try:
        import measure
        import report
    finally:
        sys.path.remove(str(BENCH))
    yield SimpleNamespace(measure=measure, report=report)
    for name in names:
        del sys.modules[name]


def result(bench, what="deadwood", unit="hands/s", peer="", gain=None, target=None):
    ours = Quartiles(1.5e6, 2e6, 3e6)
    theirs = Quartiles(900, 1000, 1100) if peer else None
    return bench.measure.Result(what, unit, ours, peer, theirs, gain, target)


# --------------------------------------------------------------------- comparing


def test_all_sides_take_turns_and_the_first_is_compared_with_each(bench):
    order = []

    def side(name, items):
        return bench.measure.Side(lambda: order.append(name), items)

    row = bench.measure.Row(
        "work", "items", side("a", 1), {"B": side("b", 10), "C": side("c", 1)}, {"C": 1e-9}
    )
    against_b, against_c = bench.measure.compare(row, rounds=3, seconds=0)
    assert "".join(order) == "abc" + "abc" + "bca" + "cab"  # once before the rounds
    assert (against_b.peer, against_c.peer, against_b.unit) == ("B", "C", "items/s")
    assert against_b.gain.median < against_c.gain.median
    assert (against_b.target, against_c.target) == (None, 1e-9)


def test_without_a_peer_the_rate_alone_is_measured(bench):
    row = bench.measure.Row("work", "items", bench.measure.Side(lambda: None, 5), {})
    (only,) = bench.measure.compare(row, rounds=2, seconds=0)
    assert (only.peer, only.theirs, only.gain, only.passed) == ("", None, None, True)
    assert only.ours.median > 0


@pytest.mark.parametrize(
    ("unit", "median", "target", "passed"),
    [
        ("hands/s", 100, 99, True),
        ("hands/s", 98, 99, False),
        ("s", 0.1, 0.2, True),
        ("s", 0.3, 0.2, False),
        ("hands/s", 0.1, None, True),
    ],
)
def test_a_rate_must_reach_its_target_and_a_time_stay_below(bench, unit, median, target, passed):
    gain = Quartiles(median, median, median)
    assert result(bench, unit=unit, peer="P", gain=gain, target=target).passed is passed


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_is_that_of_the_new_process_alone(bench):
    mine = bytearray(300_000_000)
    (found,) = bench.measure.memory("memory", "x = 1", {"P": "x = bytearray(50_000_000)"}, 1)
    assert found.ours.median < 40
    assert 50 < found.theirs.median < 90
    assert found.gain.median == found.theirs.median / found.ours.median
    assert len(mine)


# --------------------------------------------------------------------- writing


def test_the_table_has_a_line_for_each_peer(bench):
    gain = Quartiles(90, 110, 120)
    lines = bench.report.table(
        [
            result(bench, peer="OpenSpiel", gain=gain, target=100),
            result(bench, peer="RLCard", gain=gain, target=200),
            result(bench, what="alone"),
        ]
    ).splitlines()
    assert len({len(line) for line in lines}) == 1
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[2] == [
        "deadwood", "2 M hands/s", "OpenSpiel", "1 k hands/s", "110 x (90 to 120)",
        "at least 100 x", "PASS",
    ]  # fmt: skip
    assert cells[3][2:] == ["RLCard", "1 k hands/s", "110 x (90 to 120)", "at least 200 x", "FAIL"]
    assert cells[4] == ["alone", "2 M hands/s", "", "", "", "", ""]


def test_the_summary_has_a_column_for_each_program(bench):
    gain = Quartiles(1.5, 2.5, 3.5)
    text = bench.report.summary(
        [
            result(bench, peer="OpenSpiel", gain=gain),
            result(bench, peer="RLCard", gain=gain),
            result(bench, what="alone"),
            result(bench, what="two threads against one", peer="one thread", gain=gain),
            result(bench, what="import", unit="s", peer="numpy", gain=Quartiles(0.1, 0.2, 0.3)),
        ],
        ["OpenSpiel", "RLCard"],
    )
    head, _, first, second, _, rest = text.splitlines()
    split = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in (head, first, second)
    ]
    assert split == [
        ["", "okgin_fast", "OpenSpiel", "RLCard"],
        ["deadwood", "2 M hands/s", "1 k (2.5 x)", "1 k (2.5 x)"],
        ["alone", "2 M hands/s", "", ""],
    ]
    assert rest == "two threads against one: 2.5 x; import: +0.200 s."


README = (
    "# Title\n\n<!-- speed:begin -->\nold\nlines\n<!-- speed:end -->\n\nThe rest, ♠ included.\n"
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_is_between_the_markers_is_replaced_and_nothing_else(bench, tmp_path, newline):
    path = tmp_path / "README.md"
    path.write_bytes(README.replace("\n", newline).encode())
    for _ in range(2):
        bench.report.replace_between(path, "new\n\n| table |\n")
        new = README.replace("old\nlines", "new\n\n| table |").replace("\n", newline)
        assert path.read_bytes().decode() == new
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "text",
    [
        "no markers",
        "<!-- speed:begin --> only",
        "<!-- speed:end --> before <!-- speed:begin -->",
        README + README,
    ],
)
def test_a_file_without_the_two_markers_is_left_as_it_is(bench, tmp_path, text):
    path = tmp_path / "README.md"
    path.write_text(text, "utf-8")
    with pytest.raises(SystemExit, match=r"README\.md: needs <!-- speed:begin -->"):
        bench.report.replace_between(path, "new")
    assert path.read_text("utf-8") == text
