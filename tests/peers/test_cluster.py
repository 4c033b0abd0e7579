"""A series on a Dask cluster of two worker processes, one of which is killed."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

import okgin_fast as og
from okgin_fast.arena import Series, series
from okgin_fast.errors import OkginError

distributed = pytest.importorskip("distributed")

pytestmark = [
    # The library's own: sockets and loops that it closes when it gets to it.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
NAMES = ("expert,rollouts=32", "gold")


@pytest.fixture(scope="module")
def cluster() -> Any:
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options, processes=True, silence_logs=50) as running:
        yield running


def test_a_worker_that_is_killed_changes_nothing(cluster: Any) -> None:
    alone = og.arena(*NAMES, "eaai", 16, seed=3, workers=1)
    playing = series(NAMES, "eaai", 16, seed=3, cluster=cluster.scheduler_address)
    victim = next(iter(cluster.workers.values())).pid
    killed: list[int] = []

    def kill_one(going: Series) -> None:
        if going.finished >= 4 and not killed:
            killed.append(going.finished)
            os.kill(victim, signal.SIGKILL)

    playing.run(kill_one)
    assert killed
    assert killed[0] < 16
    assert playing.report().meetings == alone.meetings


def test_the_command_plays_on_a_cluster(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from okgin_fast.cli import main

    words = ["arena", "gold", "simple", "--games", "6", "--unit", "deals", "--rules", "eaai"]
    assert main([*words, "--cluster", cluster.scheduler_address]) == 0
    there = capsys.readouterr().out.splitlines()
    assert main([*words, "--workers", "1"]) == 0
    here = capsys.readouterr().out.splitlines()
    assert [line for line in there if "gold  " not in line and "simple  " not in line] == [
        line for line in here if "gold  " not in line and "simple  " not in line
    ]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "", "tcp://[::1", "http://x"])
def test_a_cluster_that_cannot_be_reached_is_told_in_one_line(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from okgin_fast.measure import workers

    monkeypatch.setattr(workers, "CONNECT", 0.5)
    with pytest.raises(OkginError) as caught:
        series(NAMES, cluster=address)
    assert str(caught.value).startswith(f"cluster {address!r} cannot be reached: ")
    assert "\n" not in str(caught.value)
