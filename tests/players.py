"""Players for the arena's tests: some of them misbehave. Other processes import them by path."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import okgin_fast as og


class Fine:
    """Plays like *simple*."""

    def __init__(self, seed: int = 0) -> None:
        self.player = og.agent("simple", seed)

    def act(self, view: og.View) -> og.Action:
        return self.player.act(view)


class Raises(Fine):
    """Gives up in the middle of a deal."""

    def act(self, view: og.View) -> og.Action:
        if view.turn >= 4:
            raise RuntimeError("lost\nthe thread")
        return super().act(view)


class Exits(Fine):
    def act(self, view: og.View) -> og.Action:
        sys.exit("no more")


class Illegal(Fine):
    """Knocks whatever it holds."""

    def act(self, view: og.View) -> og.Action:
        if view.phase == "throw":
            return og.Action("knock", min(view.hand))
        return super().act(view)


class Mumbles(Fine):
    def act(self, view: og.View) -> og.Action:
        return "pass"  # type: ignore[return-value]


class Cannot(Fine):
    def __init__(self, seed: int = 0) -> None:
        raise OSError("no such book of openings")


class Hangs(Fine):
    """Never comes back, and catches everything that it can."""

    def act(self, view: og.View) -> og.Action:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue


class Dies(Fine):
    """Kills its process, once: the file `OKGIN_TEST_DIED` says that it has done so."""

    def act(self, view: og.View) -> og.Action:
        mark = Path(os.environ["OKGIN_TEST_DIED"])
        if view.turn >= 6 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view)


class AlwaysDies(Fine):
    def act(self, view: og.View) -> og.Action:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view)


class NeverKnocks(Fine):
    """Draws and throws what it drew."""

    def act(self, view: og.View) -> og.Action:
        legal = view.legal_actions()
        return next(a for a in legal if a.kind in ("pass", "draw", "discard"))


not_a_player = 7
