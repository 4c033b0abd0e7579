"""The example front end in JavaScript plays a match through okgin serve, if there is Node.js."""

import re
import shutil
import subprocess

import pytest

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node.js here")


def play(root, environment, *words, typed=""):
    return subprocess.run(
        [NODE, str(root / "examples" / "match.mjs"), *words],
        input=typed,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_whole_match(root, environment):
    done = play(root, environment, "novice", "--auto")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    scores = [
        tuple(map(int, pair)) for pair in re.findall(r"score: you (\d+), novice (\d+)", done.stdout)
    ]
    assert scores == sorted(scores)
    mine, theirs = scores[-1]
    assert max(mine, theirs) >= 100
    assert done.stdout.endswith(f"{'you' if mine > theirs else 'novice'} won the match\n")
    assert len(re.findall(r"^(?:knock|gin|undercut|dead): ", done.stdout, re.MULTILINE)) == len(
        scores
    )


def test_moves_are_typed_by_number_and_the_input_may_end(root, environment):
    done = play(root, environment, "club", typed="99\nx\n1\n1\n")
    assert done.returncode == 1
    assert "the input has ended" in done.stderr
    assert done.stdout.count("you: ") == 2


def test_a_level_that_is_none(root, environment):
    done = play(root, environment, "wizard", "--auto")
    assert done.returncode == 1
    assert "'wizard' must be" in done.stderr


def test_no_engine(root, environment, tmp_path):
    done = play(root, environment | {"PATH": str(tmp_path)}, "club", "--auto")
    assert done.returncode == 1
    assert "the engine: " in done.stderr
