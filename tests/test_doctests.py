"""The examples in the docstrings of every module, compiled ones included, do what they show."""

import doctest
import importlib
import pkgutil

import pytest

import okgin_fast
from okgin_fast.extras import MissingExtraError

MODULES = [
    "okgin_fast",
    *(
        module.name
        for module in pkgutil.walk_packages(okgin_fast.__path__, "okgin_fast.")
        if not module.name.endswith("__main__")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of(name):
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    try:
        module = importlib.import_module(name)
    except MissingExtraError as error:
        pytest.skip(str(error))
    assert doctest.testmod(module, optionflags=options).failed == 0


def test_compiled_examples_are_found():
    assert doctest.testmod(importlib.import_module("okgin_fast.core.meld")).attempted > 0
