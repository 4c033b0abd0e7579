"""Build the Cython core: the list of extensions, every compiler directive and the build switches.

Everything else about the package is in pyproject.toml. The switches are environment variables:

OKGIN_DEBUG=1
    All of Cython's run-time checks, assertions (in Cython and in C), ``-O1 -g``.
OKGIN_SANITIZE=address,undefined
    Compile and link with these sanitizers; see CONTRIBUTING.md for how to run such a build.
OKGIN_TRACE=1
    Line tracing for coverage. The coverage plugin wants the generated C beside the sources,
    so only this build puts it there; the others keep it under build/.
"""

import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

GENERATED = Path("build", "cython")
JOBS = min(os.cpu_count() or 1, 8)


def switch(name: str) -> bool:
    """Whether the environment variable `name` is set to something other than nothing or 0."""
    return os.environ.get(name, "0") not in ("", "0")


DEBUG = switch("OKGIN_DEBUG")
TRACE = switch("OKGIN_TRACE")
SANITIZE = os.environ.get("OKGIN_SANITIZE", "")

# Not overflowcheck: it also refuses the unsigned wrap-around that generators and bit arithmetic are
# made of. Signed overflow is for the undefined-behaviour sanitizer.
DIRECTIVES = {
    "language_level": 3,
    "freethreading_compatible": True,
    "auto_pickle": False,  # a class that can be pickled says how
    "autotestdict": False,  # doctest finds the functions by itself
    "cdivision": not DEBUG,
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "linetrace": TRACE,
}


def compiler_flags() -> list[str]:
    """Return the C compiler's flags; no ``-march``, so that a wheel runs on every machine."""
    if os.name == "nt":  # MSVC: setuptools' own flags already optimise
        return []
    flags = ["-O1", "-g", "-UNDEBUG"] if DEBUG else ["-O3", "-g0"]
    if SANITIZE:
        # Python's own -fwrapv would hide signed overflow.
        flags += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all", "-fno-wrapv"]
    return flags


def macros() -> list[tuple[str, str | None]]:
    """Return the C macros that make ``assert`` free in a release and tracing possible."""
    chosen: list[tuple[str, str | None]] = []
    if not DEBUG:
        chosen.append(("CYTHON_WITHOUT_ASSERTIONS", None))
    if TRACE:
        chosen.append(("CYTHON_TRACE_NOGIL", "1"))
    return chosen


def fresh_flavour() -> str:
    """Return a file newer than all that was built with other switches; drop the C made so."""
    flavour = repr((DIRECTIVES, compiler_flags(), macros()))
    stamp = GENERATED / "flavour.txt"
    if not stamp.exists() or stamp.read_text() != flavour:
        shutil.rmtree(GENERATED, ignore_errors=True)
        stamp.parent.mkdir(parents=True)
        stamp.write_text(flavour)
    return str(stamp)


class BuildCore(build_ext):
    """Generate the C only when something is compiled: an sdist or the metadata needs none."""

    def build_extensions(self) -> None:
        """Translate every .pyx, then compile in parallel."""
        stamp = fresh_flavour()
        translated = cythonize(
            self.extensions,
            compiler_directives=DIRECTIVES,
            build_dir=None if TRACE else str(GENERATED),
            nthreads=JOBS,
        )
        for extension, with_c in zip(self.extensions, translated, strict=True):
            extension.sources = with_c.sources
            extension.depends = [*with_c.depends, stamp]
        self.parallel = JOBS
        super().build_extensions()


if __name__ == "__main__":  # worker processes of cythonize import this file
    setup(
        cmdclass={"build_ext": BuildCore},
        ext_modules=[
            Extension(
                ".".join(source.with_suffix("").parts),
                [str(source)],
                define_macros=macros(),
                extra_compile_args=compiler_flags(),
                extra_link_args=[f"-fsanitize={SANITIZE}"] if SANITIZE else [],
            )
            for source in sorted(Path("okgin_fast", "core").glob("*.pyx"))
        ],
    )
