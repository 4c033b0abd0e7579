"""Files that are written whole: the old one stays until the new one is complete."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from okgin_fast.measure.files import write_whole


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
