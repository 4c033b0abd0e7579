"""Every code block of README.md runs, and prints what it says.

- ``sh``: run by bash with ``okgin`` on the PATH, in an empty folder. A ``text`` block right after
  it is what it prints; there ``...`` stands for anything.
- ``python``: run in order in one session; lines after ``>>>`` are compared as in a doctest.
- A comment ``<!-- run: WORD -->`` on the line before says where: ``install`` and ``test`` in a new
  virtual environment from the unpacked sdist, ``slow`` as usual; all three only under ``-m slow``.
"""

import doctest
import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

README = Path(__file__).parents[1] / "README.md"
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
FENCE = re.compile(
    r"^(?:<!-- run: (?P<mark>\w+) -->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$"
    r"(?:\n+```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    mark: str | None
    language: str
    code: str
    output: str | None


BLOCKS = [Block(**match.groupdict()) for match in FENCE.finditer(README.read_text("utf-8"))]
PYTHON = [block.code for block in BLOCKS if block.language == "python"]


def shell(mark_is):
    chosen = [block for block in BLOCKS if block.language == "sh" and mark_is(block.mark)]
    return pytest.mark.parametrize("block", chosen, ids=[block.code[:40] for block in chosen])


def run(block, folder, environment):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    if block.output is not None:
        checker = doctest.OutputChecker()
        same = checker.check_output(block.output, done.stdout, OPTIONS)
        example = doctest.Example(block.code, block.output)
        assert same, checker.output_difference(example, done.stdout, OPTIONS)
    return done.stdout


def test_every_block_is_one_that_is_run():
    assert "```" not in FENCE.sub("", README.read_text("utf-8"))
    assert {block.language for block in BLOCKS} <= {"sh", "python"}
    assert {block.mark for block in BLOCKS} <= {None, "install", "test", "slow"}


@shell(lambda mark: mark is None)
def test_shell(block, tmp_path, environment):
    run(block, tmp_path, environment)


@pytest.mark.skipif(not PYTHON, reason="no Python in README")
def test_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session: dict[str, object] = {}
    for code in PYTHON:
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, {}, "README.md", str(README), 0)
            test.globs = session
            runner = doctest.DocTestRunner(optionflags=OPTIONS)
            assert runner.run(test, clear_globs=False).failed == 0
        else:
            exec(code, session)


@pytest.mark.slow
@shell(lambda mark: mark == "slow")
def test_slow_shell(block, tmp_path, environment):
    run(block, tmp_path, environment)


@pytest.mark.slow
@shell(lambda mark: mark in ("install", "test"))
def test_on_a_clean_machine(block, sdist, tmp_path):
    subprocess.run(["tar", "-xf", sdist, "-C", tmp_path], check=True)
    source = tmp_path / sdist.name.removesuffix(".tar.gz")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run(block, elsewhere, os.environ | {"OKGIN": str(source)})
    assert (elsewhere / ".venv").is_dir()
