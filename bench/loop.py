"""Compile `_loop.pyx` outside the package, as any other project that cimports the core would."""

import importlib.util
from pathlib import Path
from types import ModuleType

from Cython.Build import cythonize
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

import okgin_fast

SOURCE = Path(__file__).with_name("_loop.pyx")


def compiled_loop(folder: Path) -> ModuleType:
    """Build the module in `folder`, optimised as the package is, and import it."""
    modules = cythonize(
        [Extension("_loop", [str(SOURCE)], extra_compile_args=["-O3"])],
        include_path=[str(Path(okgin_fast.__file__).parents[1])],
        build_dir=str(folder),
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False},
        quiet=True,
    )
    build = build_ext(Distribution({"ext_modules": modules}))
    build.build_lib = build.build_temp = str(folder)
    build.ensure_finalized()
    build.run()
    spec = importlib.util.spec_from_file_location("_loop", build.get_ext_fullpath("_loop"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
