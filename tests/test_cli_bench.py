"""`okgin bench` as its users meet it."""

from __future__ import annotations

import json
import re

import pytest
from command import okgin
from test_bench import SIGNATURE, SIGNATURES

import okgin_fast


def test_it_ends_in_the_signature():
    done = okgin("bench", "--quick")
    assert (done.code, done.err) == (0, "")
    facts, header, *parts, last = done.out.splitlines()
    assert f"okgin_fast {okgin_fast.__version__}" in facts
    assert "threads 1" in facts
    assert header.startswith("part")
    assert last == f"signature {SIGNATURE}"
    for line, (name, signed), unit in zip(
        parts, SIGNATURES.items(), ("hands", "deals", "rollouts"), strict=True
    ):
        number = r"[\d,.]+( [kMG])?"
        assert re.fullmatch(rf"{name} +{signed} +{number} {unit}/s +{number} to {number}", line)


def test_json_and_threads():
    done = okgin("bench", "--quick", "--threads", "2", "--json")
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    assert found["signature"] == SIGNATURE
    assert found["facts"]["threads"] == "2"
    assert {part["part"]: part["signature"] for part in found["parts"]} == SIGNATURES
    for part in found["parts"]:
        low, high = part["quartiles"]
        assert 0 < low <= part["rate"] <= high


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--threads", "0"], "threads=0: a whole number from 1 to 256"),
        (["--threads", "100000"], "threads=100000: a whole number from 1 to 256"),
        (["--threads", "two"], "argument --threads: 'two' is not a whole number"),
        (["--fast"], "no option '--fast'"),
        (["--rules", "eaai"], "no option '--rules'"),
        (["all"], "one argument too many: 'all'"),
    ],
)
def test_bad_usage_is_one_line(words, message):
    done = okgin("bench", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"okgin bench: error: {message}")
    assert done.err.count("\n") == 1
