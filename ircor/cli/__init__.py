"""The `ircor` command: it parses options, calls the package, and shows the result.

A command is a `Command` in one of the files `_comparisons`, `_subjects` and `_package`, named in capitals.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from errno import ENOSPC
from importlib import import_module

from .._core.errors import IrcorError
from .._core.text import question
from .._core.work import watched
from ._options import Command, CommandParser, add_completion, check_options, nearest, written_as
from ._output import check_targets, say, show

__all__ = ["main"]

FILES = {
    "_comparisons": ("cor", "compare", "judges", "table"),
    "_subjects": ("drank", "reliability", "places", "rbo", "rs", "gmap"),
    "_package": ("sample", "reproduce", "crosscheck"),
}
"""The commands of each file, in the order of the help; a file is loaded with the first of its commands."""

COMMANDS = {name: file for file, names in FILES.items() for name in names}


def command_of(name: str) -> Command:
    """The declaration of a command."""
    command: Command = getattr(import_module(f".{COMMANDS[name]}", __name__), name.upper())
    return command


def main(arguments: Sequence[str] | None = None, program: str = "ircor") -> int:
    """Run the command; the exit status is 0, 1 if a check failed, 2 for bad usage or bad input, 130 if interrupted."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        command = given[0] if given else ""
        made = parser(program, command)
        if command and not command.startswith("-") and command not in COMMANDS:
            meant = question(nearest(command, COMMANDS)) or f": choose from {', '.join(COMMANDS)}"
            made.error(f"there is no command {command!r}{meant}")
        options = made.parse_args(given)
        options.given = given
    except (ImportError, ValueError) as error:  # of --print-completion, of --json FILE
        return failed(str(error))
    try:
        check_options(options)
        check_targets(options)
        with watched(None, None):
            outcome = options.run(options)
        status = show(outcome, options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader closed the pipe, which is no error.
        close_standard_output()
        return 0
    except KeyboardInterrupt:
        return failed("interrupted", 130)
    except IrcorError as error:
        return failed(error.text(written_as(options)))
    except OSError as error:
        if error.errno == ENOSPC and error.filename is None:
            close_standard_output()
            error.filename = "standard output"
        return failed(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except (ImportError, RuntimeError, ValueError) as error:
        return failed(" ".join(str(error).split()))


def parser(program: str = "ircor", command: str = "") -> argparse.ArgumentParser:
    """The parser of one command, or of all if there is none of this name."""
    from importlib.metadata import version

    made = argparse.ArgumentParser(prog=program, description="Rank correlation for information retrieval.")
    made.add_argument("--version", action="version", version=f"ircor {version('ircor')}")
    add_completion(made)
    commands = made.add_subparsers(metavar="command", required=True, parser_class=CommandParser)
    for one in map(command_of, [command] if command in COMMANDS else COMMANDS):
        example = one.example.replace("ircor ", f"{program} ")
        one.add_to(
            commands.add_parser(one.name, help=one.help, description=one.description, epilog=f"example: {example}")
        )
    return made


def close_standard_output() -> None:
    """Send what is left to nowhere, so that Python reports no second error when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def failed(message: str, status: int = 2) -> int:
    say(f"ircor: {message}", file=sys.stderr)
    return status
