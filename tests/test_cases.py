"""Every stored case, replayed through the public package: faults of other programs, absent here."""

from __future__ import annotations

import numpy as np
import pytest
from case_checks.shared import BY_ID, BY_KIND, Case, check_for
from helpers import CASES, ELEVEN, case_id

import okgin_fast as og
from okgin_fast.cards import Hand


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_case(case: Case) -> None:
    check = check_for(case)
    assert check is not None
    check(case["input"], case["expected"])


@pytest.mark.parametrize("case", ELEVEN, ids=lambda case: case["hand11"].replace(" ", ""))
def test_eleven(case: Case) -> None:
    hand = Hand(case["hand11"])
    assert og.discards(hand)[0].deadwood == case["best_after_throw"]
    best = og.batch.best_discard(np.array([hand.mask], dtype=np.uint64))
    assert best.deadwood.tolist() == [case["best_after_throw"]]


def test_no_case_is_left_out_and_no_check_is_for_nothing() -> None:
    names = {case["id"] for case in CASES}
    assert len(names) == len(CASES) == 147
    assert len(ELEVEN) == 31
    assert [case["id"] for case in CASES if check_for(case) is None] == []
    assert set(BY_ID) <= names
    assert set(BY_KIND) == {case["kind"] for case in CASES if case["id"] not in BY_ID}
