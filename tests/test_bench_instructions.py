"""Instruction counts: how a profile is read and compared."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"
PROFILE = """\
version: 1
events: Ir

ob=/usr/lib/libc.so.6
fn=memset
10 400

ob=/core/batch.cpython-311-x86_64-linux-gnu.so
fl=batch.c
fn=__pyx_f_batch__deadwood
10 100
cob=/core/meld.cpython-311-x86_64-linux-gnu.so
cfn=__pyx_f_meld_deadwood_c
calls=3 50
11 180
cfn=__pyx_f_meld_deadwood_c_else
calls=7 50
12 7777
cfn=__pyx_f_meld_best_throw_c
calls=2 60
13 250

ob=/core/meld.cpython-311-x86_64-linux-gnu.so
fn=__pyx_f_meld_best_throw_c
cfn=__pyx_f_meld_deadwood_c
calls=1000 50
14 1000
"""
SEARCH = """\
ob=/core/search.cpython-311-x86_64-linux-gnu.so
fn=_run
cfn=__pyx_f_belief_chain_next
calls=4 9
10 4000
cfn=__pyx_f_state_play_c
calls=5 9
11 600
cfn=__pyx_f_policy_policy_c
calls=1 9
12 7000
fn=rollout
cfn=__pyx_f_state_play_c
calls=5 9
13 500
"""
COUNTS = {
    "deadwood_c": (3, 60),
    "best_throw_c": (2, 125),
    "chain_next": (4, 1000),
    "play_c": (10, 110),
    "policy_c": (1, 7000),
}


@pytest.fixture
def instructions(monkeypatch):
    """Import the script as it is run, from its folder."""
    monkeypatch.syspath_prepend(BENCH)
    for name in ("instructions", "report", "measure"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import instructions

    yield instructions
    for name in ("instructions", "report", "measure"):
        sys.modules.pop(name)


def run(*words, **options):
    return subprocess.run(
        [sys.executable, str(BENCH / "instructions.py"), *words],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_calls_from_one_module_are_counted_with_what_they_call(instructions):
    assert instructions.instructions((PROFILE + SEARCH).splitlines()) == COUNTS


def test_a_function_that_is_not_seen_is_named(instructions):
    with pytest.raises(SystemExit, match="no calls of chain_next, play_c, policy_c"):
        instructions.instructions(PROFILE.splitlines())


def test_the_change_is_in_percent_of_what_was_saved(instructions):
    lines = instructions.table(COUNTS, {"deadwood_c": 50, "policy_c": 7001.4}).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[2] == ["deadwood_c", "3", "60.0", "+20.00%"]
    assert cells[3] == ["best_throw_c", "2", "125.0", ""]
    assert cells[6] == ["policy_c", "1", "7,000.0", "-0.02%"]


def test_without_valgrind_it_says_so():
    done = run(env={"PATH": ""})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "valgrind is not installed: no instructions to count\n"


@pytest.mark.parametrize("text", [None, "no JSON", "[]", '{"facts": {}}'])
def test_a_baseline_that_is_none_is_refused(tmp_path, text):
    file = tmp_path / "old.json"
    if text is not None:
        file.write_text(text, "utf-8")
    done = run("--baseline", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert "old.json' holds no counts" in done.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("valgrind"), reason="needs valgrind")
def test_two_runs_count_the_same(tmp_path):
    """Within a thousandth; here they are equal to the last instruction."""
    file = tmp_path / "counts.json"
    first = run("--save", str(file))
    assert (first.returncode, first.stderr) == (0, "")
    counts = json.loads(file.read_text("utf-8"))["instructions"]
    assert all(20 < count < 500_000 for count in counts.values())
    second = run("--baseline", str(file))
    changes = [line.split("|")[-2].strip() for line in second.stdout.splitlines()[4:]]
    assert len(changes) == 5
    assert all(abs(float(change.rstrip("%"))) < 0.1 for change in changes)
