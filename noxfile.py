"""The checks, each in a virtual environment of its own: ``nox -s lint types``, ``nox -l``.

.ci/run runs ``lint``, the tests as README says, a quick ``peers``, ``types``, ``docs``,
``downstream`` and ``debug(checks)``.
"""

import shutil
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import nox

nox.options.sessions = ["test", "lint", "types"]
nox.options.error_on_missing_interpreters = False

PEERS = ["cluster", "openspiel", "pettingzoo", "plot", "rlcard"]

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml("pyproject.toml")
TO_BUILD = PYPROJECT["build-system"]["requires"]
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
ON_ALL_CORES = "--numprocesses=logical"

# Not run on the debug build: packaging, what builds something itself, and what is all Python and
# only passes through the core.
NOT_THE_CORE = [
    "test_extending.py", "test_packaging.py", "test_readme.py", "test_cli*.py", "test_bench_*.py",
    "test_arena.py", "test_equity.py", "test_results.py", "test_stats.py", "test_cards.py",
    "test_rules.py", "test_reference.py", "test_match.py", "test_notation.py", "test_positions.py",
    "test_analysis.py", "test_client.py", "test_docs.py", "test_downstream.py",
    "test_example_js.py", "test_fair.py", "test_protocol.py", "test_server.py", "peers/*",
]  # fmt: skip


def tools(*names: str) -> list[str]:
    """Return the requirements of the ``dev`` extra for these tools, as pinned there."""
    return [requirement for requirement in EXTRAS["dev"] if requirement.startswith(names)]


def core_in_place(session: nox.Session, *needed: str) -> None:
    """Build the core in the work tree, only what has changed, and import it from there."""
    session.install(*TO_BUILD, *PYPROJECT["project"]["dependencies"], *needed)
    # Not --inplace, which looks for earlier builds under build/ and not here.
    session.run("python", "setup.py", "build_ext", "--build-lib", ".", silent=True)
    session.env["PYTHONPATH"] = str(ROOT)


def built_wheel(session: nox.Session) -> Path:
    """Build the wheel in the session's folder; what the work tree has of the core is taken."""
    session.install(*TO_BUILD)
    folder = Path(session.create_tmp())
    shutil.rmtree(folder)
    core = folder / "lib" / "okgin_fast" / "core"
    core.mkdir(parents=True)
    for built in (ROOT / "okgin_fast" / "core").glob(f"*{EXTENSION_SUFFIXES[0]}"):
        shutil.copy2(built, core)
    build = ("python", "setup.py", "build", "--build-lib", str(folder / "lib"))
    session.run(*build, "bdist_wheel", "--dist-dir", str(folder), silent=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def unpacked_sdist(session: nox.Session) -> Path:
    """Build the sdist and unpack it in the session's folder, away from the work tree's build."""
    session.install("build", *TO_BUILD)
    folder = Path(session.create_tmp())
    shutil.rmtree(folder)
    build = ("python", "-m", "build", "--sdist", "--no-isolation", "--outdir", str(folder))
    session.run(*build, str(ROOT), silent=True)
    (archive,) = folder.glob("*.tar.gz")
    session.run("tar", "-xf", str(archive), "-C", str(folder), external=True)
    return Path(str(archive).removesuffix(".tar.gz"))


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def test(session: nox.Session) -> None:
    """Run the tests on an installed wheel."""
    session.install(".[test]")
    session.run("pytest", ON_ALL_CORES, *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, formatting, Cython sources and the direction of imports."""
    session.install(*tools("ruff", "cython-lint", "import-linter"))
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("cython-lint", "okgin_fast", "bench")
    session.run("lint-imports", env={"PYTHONPATH": "."})


@nox.session
def types(session: nox.Session) -> None:
    """Check the types, and the core's stubs against the compiled modules."""
    core_in_place(session, *tools("mypy"))
    session.run("mypy", "--strict", "okgin_fast")
    session.run("stubtest", "okgin_fast.core", "--allowlist", ".ci/stubtest-allowlist")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into build/site; a warning is an error."""
    core_in_place(session, *EXTRAS["docs"])
    session.run("mkdocs", "build", "--strict")


@nox.session
@nox.parametrize("sanitizers", ["undefined", "undefined,address"], ids=["checks", "memory"])
def debug(session: nox.Session, sanitizers: str) -> None:
    """Run the tests with the core's run-time checks and assertions on, under sanitizers."""
    source = unpacked_sdist(session)
    env = {"OKGIN_DEBUG": "1", "OKGIN_SANITIZE": sanitizers}
    session.install(f"{source}/[test]", env=env)
    if "address" in sanitizers:
        libasan = session.run("cc", "-print-file-name=libasan.so", silent=True, external=True)
        env |= {"LD_PRELOAD": str(libasan).strip(), "ASAN_OPTIONS": "detect_leaks=0"}
    ignored = [f"--ignore-glob={source}/tests/{name}" for name in NOT_THE_CORE]
    # A sanitizer ends the process: capturing only what Python writes lets its message through.
    arguments = [ON_ALL_CORES, "--capture=sys", *ignored, f"{source}/tests", *session.posargs]
    session.run("pytest", *arguments, env=env)


@nox.session
def downstream(session: nox.Session) -> None:
    """Build another project, tests/downstream, against the installed wheel, and test it."""
    wheel = built_wheel(session)
    session.install(f"{wheel}[test]", "pip")  # the tests install with pip, as its readers would
    session.chdir(wheel.parent)  # away from the work tree, which python -c would import
    find = "import okgin_fast; print(okgin_fast.__file__)"
    where = session.run("python", "-c", find, silent=True)
    if not Path(str(where)).is_relative_to(session.virtualenv.location):
        session.error(f"not the installed wheel: {where}")
    tests = str(ROOT / "tests" / "test_downstream.py")
    # The example is to be right here, not fast.
    session.run("pytest", "-m", "slow", tests, env={"CFLAGS": "-O1 -g0"})


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure coverage, Cython lines included; the HTML goes to build/coverage."""
    source = unpacked_sdist(session)
    session.install("-e", f"{source}/[test]", *tools("coverage"), env={"OKGIN_TRACE": "1"})
    session.chdir(source)
    session.run("coverage", "run", "-m", "pytest", *session.posargs)
    session.run("coverage", "report")
    session.run("coverage", "html", "--directory", str(ROOT / "build" / "coverage"))


@nox.session
def peers(session: nox.Session) -> None:
    """Run the tests that need other programs, then measure our speed against theirs."""
    needed = [requirement for extra in [*PEERS, "test"] for requirement in EXTRAS[extra]]
    core_in_place(session, "pip", *needed)  # RLCard runs pip when it is imported
    session.run("pytest", ON_ALL_CORES, "tests/peers")
    session.run("python", "bench/speed.py", *session.posargs)
