"""The command line: finds the subcommand, and turns what goes wrong into one line and an exit code.

One module a subcommand, imported only when it is asked for; each has ``add_arguments(parser)``,
``run(args)`` and the texts of its help.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import okgin_fast
from okgin_fast.cli.parser import Parser, UsageError, did_you_mean
from okgin_fast.cli.terminal import OutputError, complain
from okgin_fast.errors import OkginError, SeriesError

__all__ = ["main"]

COMMANDS = {
    "analyse": "a finished game gone over move by move: errors, and luck apart from them",
    "arena": "how strong players are: mirrored series with intervals",
    "bench": "a signature of what the package does, and how fast it does it here",
    "census": "how much deadwood hands have: all of them counted, and the chances",
    "equity": "the chance of winning the match from a score",
    "hint": "what to do with the hand you hold, and why",
    "melds": "deadwood, arrangements, throws and lay-offs of a hand",
    "play": "a match at the terminal, saved at every move and provably fair",
    "rules": "the presets, or one of them in plain words",
    "serve": "the engine as a process for other programs: JSON, one object a line",
    "verify": "whether the deals of a recorded match were honest",
}
# What they do is the same under all rules, or the rules are in what they are given.
WITHOUT_RULES = {"analyse", "bench", "census", "serve", "verify"}
FINE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``okgin``.

    Parameters
    ----------
    argv : sequence of str, optional
        By default the words after the program's name.

    Returns
    -------
    int
        Exit code: 0 fine; 1 a bad line on standard input, nobody reads the output, or a series that
        cannot go on; 2 bad usage or bad input; 130 Ctrl-C.

    Examples
    --------
    >>> main(["melds", "AS 2S 3S KD", "--json"])
    {"hand": ["AS", "2S", "3S", "KD"], "points": 16, "deadwood": 10, ...
    0
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = words[0] if words and words[0] in COMMANDS else None
    prog = f"okgin {name}" if name else "okgin"
    try:
        return _run(prog, name, words[1:]) if name else _without_command(words)
    except OkginError as error:
        complain(f"{prog}: error: {error}")
        return FAILED if isinstance(error, SeriesError) else BAD_INPUT
    except OutputError as error:
        complain(f"{prog}: error: cannot write the output: {error.strerror}")
        return FAILED
    except KeyboardInterrupt as stop:  # a command may say what to do now
        complain(": ".join([prog, "interrupted", *map(str, stop.args)]))
        return INTERRUPTED
    except SystemExit:  # argparse has printed help or the version
        return FINE


def _run(prog: str, name: str, words: Sequence[str]) -> int:
    command = import_module(f"okgin_fast.cli.{name}")
    parser = Parser(prog, command.DESCRIPTION, command.EXAMPLES)
    if name not in WITHOUT_RULES:
        parser.add_rules_options()
    parser.add_json_option()
    command.add_arguments(parser)
    parser.set_defaults(prog=prog)
    code: int = command.run(parser.parse(words))
    return code


def _without_command(words: Sequence[str]) -> int:
    """Answer ``--help`` and ``--version``; anything else is bad usage."""
    listing = "\n".join(f"  {name:9}{what}" for name, what in COMMANDS.items())
    parser = Parser(
        "okgin",
        "Gin rummy, exactly and fast.",
        f"commands:\n{listing}\n\n`okgin COMMAND --help` tells more about one of them.",
    )
    parser.usage = "okgin [-h] [--version] COMMAND ..."
    parser.add_argument("--version", action="version", version=okgin_fast.__version__)
    if not words:
        parser.print_help()
        return BAD_INPUT
    if not words[0].startswith("-"):
        raise UsageError(f"no command {words[0]!r}{did_you_mean(words[0], list(COMMANDS))}")
    parser.parse(words)
    raise UsageError(f"no command: must be one of {', '.join(COMMANDS)}")
