"""What is shipped, and what the core's sources may name."""

import importlib.metadata
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import okgin_fast
from okgin_fast.core import rng

CORE = Path(__file__).parents[1] / "okgin_fast" / "core"
GENERATED = {".c", ".so", ".pyd", ".pyc", ".html"}


@pytest.fixture(scope="module")
def shipped(sdist: Path) -> set[str]:
    with tarfile.open(sdist) as archive:
        return {str(Path(*Path(member).parts[1:])) for member in archive.getnames()}


def test_the_version_has_one_place():
    assert importlib.metadata.version("okgin_fast") == okgin_fast.__version__


def test_sdist_holds_nothing_generated(shipped):
    assert {name for name in shipped if Path(name).suffix in GENERATED} == set()


@pytest.mark.parametrize("folder", ["okgin_fast", "tests", "bench", ".ci"])
def test_sdist_holds_every_source(root, shipped, folder):
    sources = {
        str(path.relative_to(root))
        for path in (root / folder).rglob("*")
        if path.is_file() and path.suffix not in GENERATED
    }
    assert sources - shipped == set()


def test_sdist_holds_what_a_developer_reads_and_runs(shipped):
    needed = "README.md CONTRIBUTING.md LICENSE pyproject.toml setup.py noxfile.py .gitignore"
    assert set(needed.split()) <= shipped


@pytest.mark.slow
def test_wheel_holds_stubs_and_declarations_but_no_sources_or_tests(sdist, tmp_path):
    wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*wheel, "--wheel-dir", str(tmp_path), str(sdist)], check=True)
    (archive,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(archive).namelist()
    suffixes = {Path(name).suffix for name in names if name.startswith("okgin_fast/")}
    assert suffixes == {".py", ".pyi", ".pxd", ".typed", ".json", Path(rng.__file__).suffix}
    assert {name.split("/")[0].split("-")[0] for name in names} == {"okgin_fast"}


@pytest.mark.parametrize("source", sorted(CORE.glob("*.p[yx]*")), ids=lambda path: path.name)
def test_core_names_only_what_lies_under_it(source):
    # import-linter reads Python only; this is its contract for Cython's sources.
    name = r"^\s*(?:from|c?import)\s+(okgin_fast[\w.]*|\.\.[\w.]*)"
    under = r"okgin_fast\.(core(\.\w+)?|errors|cards|rules)"
    named = re.findall(name, source.read_text("utf-8"), re.MULTILINE)
    assert [other for other in named if not re.fullmatch(under, other)] == []


@pytest.mark.parametrize("source", sorted(CORE.glob("*.pyx")), ids=lambda path: path.name)
def test_every_compiled_module_has_a_stub(source):
    assert source.with_suffix(".pyi").exists()
