"""Other projects' Cython code may cimport the core: the benchmark's loop is such a project."""

import numpy as np
import pytest

from okgin_fast.core.meld import deadwood


@pytest.mark.slow  # ten seconds of compiling; bench/speed.py --quick, which CI runs, does it too
def test_downstream_module_compiles_and_calls_the_core(root, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(root / "bench")
    from loop import compiled_loop

    hands = [0b111, 0b1011 << 20, 0, (1 << 52) - 1, 1 << 51]
    module = compiled_loop(tmp_path)
    assert module.total_deadwood(np.array(hands, np.uint64)) == sum(map(deadwood, hands))
