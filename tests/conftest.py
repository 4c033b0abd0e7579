"""Fixtures that more than one file of tests needs."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# On a busy machine any example may take long. The rest stays as Hypothesis has it, here or in CI.
settings.register_profile("patient", settings.default, deadline=None)
settings.load_profile("patient")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c_is_heard() -> Iterator[None]:
    """A job in the background, such as CI, begins with Ctrl-C ignored, and so do its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of pyproject.toml: a clone, or an unpacked sdist."""
    return ROOT


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """An environment in which ``okgin`` and ``python`` are the ones that run the tests."""
    scripts = str(Path(sys.executable).parent)
    return os.environ | {"PATH": os.pathsep.join([scripts, os.environ["PATH"]]), "OKGIN": str(ROOT)}


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, built without the network from a copy in which generated files lie about."""
    folder = tmp_path_factory.mktemp("sdist")
    source = folder / "source"
    unwanted = shutil.ignore_patterns(".git", ".venv", ".nox", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, source, ignore=unwanted)
    (source / "okgin_fast" / "core" / "meld.c").write_text("/* left by a traced build */\n")
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run([*build, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = folder.glob("*.tar.gz")
    return archive
