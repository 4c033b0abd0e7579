"""The checks of the stored cases, by subject; `test_cases.py` runs them.

A check is for a kind of case, or for single cases; it gets what a case gives and what it expects.
"""

import importlib

import pytest

SUBJECTS = ["shared", "melds", "scoring", "deals", "players"]

for subject in SUBJECTS:
    pytest.register_assert_rewrite(f"{__name__}.{subject}")
    importlib.import_module(f"{__name__}.{subject}")
