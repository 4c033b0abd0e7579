"""Files that are written whole: the old one stays until the new one is complete."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from okgin_fast.measure.files import only_here, write_whole


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are a Unix's")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"new")
    reader.join(10)
    assert read == [b"new"]
    assert pipe.is_fifo()


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path, b"new")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such lock")
def test_one_process_keeps_a_file_to_itself(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    link.symlink_to(path)
    with only_here(path) as mine:
        write_whole(path, b"new")  # puts another file in its place
        with only_here(link) as other, only_here(tmp_path / "b.txt") as elsewhere:
            assert (mine, other, elsewhere) == (True, False, True)
        with only_here(path) as other:  # who did not have it has not let go of it
            assert not other
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.txt", "link"]
    with only_here(path) as mine:
        assert mine


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such lock")
def test_a_process_that_was_killed_keeps_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from okgin_fast.measure.files import only_here\n"
        "with only_here(sys.argv[1]) as mine:\n"
        "    print(mine, flush=True)\n"
        "    time.sleep(60)\n"
    )
    path = tmp_path / "a.txt"
    words = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        with only_here(path) as mine:
            assert not mine
        process.kill()
    with only_here(path) as mine:
        assert mine
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_nobody_is_kept_out(tmp_path: Path) -> None:
    with only_here(tmp_path / "no" / "a.txt") as mine:
        assert mine
