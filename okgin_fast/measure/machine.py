"""What measured figures depend on: versions, cores, threads. It knows nothing of cards."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from okgin_fast.errors import OkginError, quote

__all__ = ["NOT_INSTALLED", "facts", "known_threads"]

NOT_INSTALLED = "not installed"
MOST_THREADS = 256


def facts(packages: Sequence[str] = ("okgin_fast", "numpy")) -> dict[str, str]:
    """Name the machine, the interpreter and the versions of some packages.

    Parameters
    ----------
    packages : sequence of str
        Names of distributions, as pip has them.

    Returns
    -------
    dict of str to str
        ``processor``, ``cores``, ``system``, ``python``, ``compiler`` (Python's own), then the
        version of each package, or `NOT_INSTALLED`.

    Examples
    --------
    >>> facts(["numpy", "no such package"])
    {'processor': ..., 'cores': ..., 'numpy': ..., 'no such package': 'not installed'}
    """
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "python": platform.python_version(),
        "compiler": platform.python_compiler(),
        **{package: _version(package) for package in packages},
    }


def known_threads(threads: int | None) -> int:
    """As many threads as asked for, or as cores that this process may use.

    Raises
    ------
    OkginError
        No whole number from 1 to `MOST_THREADS`.
    """
    if threads is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return min(cores or 1, MOST_THREADS)
    if type(threads) is not int or not 1 <= threads <= MOST_THREADS:
        raise OkginError(f"threads={quote(threads)}: a whole number from 1 to {MOST_THREADS}")
    return threads


def _processor() -> str:
    """The processor's name where the system tells it, else its kind."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _version(package: str) -> str:
    from importlib import metadata  # slow to import, and not needed to play

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return getattr(
            sys.modules.get(package), "__version__", NOT_INSTALLED
        )  # run from its folder
