"""Third-party packages that only an extra brings: imported where used, named when missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from okgin_fast.errors import OkginError

__all__ = ["MissingExtraError", "load"]


class MissingExtraError(OkginError, ImportError):
    """A package that an extra would bring is not installed."""


def load(module: str, extra: str) -> ModuleType:
    """Import a module of a package that the extra brings.

    Parameters
    ----------
    module : str
    extra : str
        One of the extras in pyproject.toml.

    Returns
    -------
    module

    Raises
    ------
    MissingExtraError
        It is not installed; the message says what to install.

    Examples
    --------
    >>> load("no_such_module", "plot")
    Traceback (most recent call last):
        ...
    okgin_fast.extras.MissingExtraError: no_such_module is not installed: pip install
    'okgin_fast[plot]'
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        raise MissingExtraError(
            f"{package} is not installed: pip install 'okgin_fast[{extra}]'"
        ) from None
