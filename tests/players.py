"""Players for the arena's tests: some of them misbehave. Other processes import them by path."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

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


class Disguises(Fine):
    """Answers with what calls itself an action and breaks when it is looked at."""

    def act(self, view: og.View) -> og.Action:
        return Own("draw")


class Own(og.Action):
    @property
    def kind(self) -> NoReturn:
        raise ZeroDivisionError("seen")


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


not_a_player = 7  # for a name that is no class


class StrRaises(Fine):
    """Raises what cannot even be printed."""

    def act(self, view: og.View) -> og.Action:
        class UnprintableError(Exception):
            def __str__(self) -> str:
                raise ValueError("no words")

        raise UnprintableError


class ReprRaises(Fine):
    def act(self, view: og.View) -> og.Action:
        class Unprintable:
            def __repr__(self) -> str:
                raise ValueError("no words")

        return Unprintable()  # type: ignore[return-value]


class Cancels(Fine):
    """As a task of asyncio's does that has run out of time."""

    def act(self, view: og.View) -> og.Action:
        raise asyncio.CancelledError


class Generates(Fine):
    def act(self, view: og.View) -> og.Action:
        raise GeneratorExit("done")


class Prints(Fine):
    """Talks, with escape codes and half a character."""

    def act(self, view: og.View) -> og.Action:
        print("let me think")
        if view.turn > 6:
            raise RuntimeError("\x1b[2J \ud800")
        return super().act(view)


class Deep(Fine):
    """Has an option before the seed."""

    def __init__(self, depth: int = 3, seed: int = 0) -> None:
        super().__init__(seed)
        self.depth = depth
