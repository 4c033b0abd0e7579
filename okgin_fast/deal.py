"""Deals and views as everybody uses them: the core's classes with their text forms.

What happens in a deal is decided in the core; how it is written is decided in notation.py.
"""

from __future__ import annotations

from okgin_fast.core.action import Action
from okgin_fast.core.deal import Deal as _Deal
from okgin_fast.core.deal import DealResult, Event, settle
from okgin_fast.core.view import View as _View

__all__ = ["Action", "Deal", "DealResult", "Event", "View", "settle"]


class View(_View):
    __doc__ = _View.__doc__


class Deal(_Deal):
    __doc__ = _Deal.__doc__

    def view(self, seat: int, score: tuple[int, int] | None = None) -> View:
        """What one seat may know now.

        Parameters
        ----------
        seat : int
        score : pair of int, optional
            The match score, that seat's first.

        Returns
        -------
        View
        """
        return View.of(self, seat, score)
