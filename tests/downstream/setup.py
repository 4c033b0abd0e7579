"""Build rummy_lab: Cython finds the declarations beside the installed okgin_fast."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

import okgin_fast

setup(
    ext_modules=cythonize(
        [Extension("rummy_lab", ["rummy_lab.pyx"])],
        include_path=[str(Path(okgin_fast.__file__).parents[1])],
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False},
    )
)
