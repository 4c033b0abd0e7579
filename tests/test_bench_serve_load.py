"""The load bench: what it asks, what it counts as wrong, and what it says of memory."""

import json
import subprocess
import sys

import pytest

import okgin_fast as og


@pytest.fixture
def bench(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "bench")
    import serve_load

    return serve_load


def test_a_small_load(root, environment, tmp_path):
    words = ["--requests", "60", "--clients", "3", "--json", str(tmp_path / "load.json")]
    done = subprocess.run(
        [sys.executable, str(root / "bench" / "serve_load.py"), *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads((tmp_path / "load.json").read_text("utf-8"))
    assert (figures["requests"], figures["errors"], figures["level"]) == (60, 0, "club")
    assert 0 < figures["p50, ms"] <= figures["p99, ms"] <= figures["longest, ms"]
    assert "p99, ms:" in done.stdout


def test_questions_have_the_players_own_answers(bench, monkeypatch):
    monkeypatch.setattr(bench, "POSITIONS", 30)
    for question in bench.questions("club", None):
        asked = json.loads(b"{" + question.line)
        view = og.View.from_position(asked["position"])
        assert question.action == str(og.agent("club", asked["seed"]).act(view))


def test_percentiles(bench):
    waits = [number / 1000 for number in range(1, 101)]
    assert bench.percentile(waits, 50) == 51
    assert bench.percentile(waits, 99) == 100
    assert bench.percentile([0.002], 99) == 2


def test_growth_is_counted_after_the_start_only(bench):
    samples = [bench.Sample(0, 50), bench.Sample(10, 100), bench.Sample(20, 104)]
    assert bench.growth(samples, warm=5) == pytest.approx(0.04)
    assert bench.growth(samples, warm=15) == 0
