"""The `ircor` command.  Each command has a file: it parses its options, calls the package, and shows the result."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from errno import ENOSPC

from ..crosscheck import RUnavailableError
from ..trec import CrashError
from . import compare, cor, crosscheck, drank, gmap, judges, rbo, reliability, reproduce, rs, sample, table
from ._arguments import CommandParser
from ._completion import add_completion
from ._report import check_targets, say, show
from ._words import in_words

__all__ = ["main"]

COMMANDS = (cor, compare, judges, table, drank, reliability, rbo, rs, gmap, sample, reproduce, crosscheck)


def main(arguments: Sequence[str] | None = None, program: str = "ircor") -> int:
    """Run the command; the exit status is 0, 1 if a check failed, 2 for bad usage or bad input, 130 if interrupted."""
    try:
        options = parser(program).parse_args(arguments)
        options.given = sys.argv[1:] if arguments is None else list(arguments)
    except (ImportError, ValueError) as error:  # of --print-completion, of --json FILE
        return failed(str(error))
    try:
        check_targets(options)
        status = show(options.run(options), options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader closed the pipe, which is no error.
        close_standard_output()
        return 0
    except KeyboardInterrupt:
        return failed("interrupted", 130)
    except OSError as error:
        if error.errno == ENOSPC and error.filename is None:
            close_standard_output()
            error.filename = "standard output"
        if error.filename and error.strerror:
            return failed(f"{error.filename}: {error.strerror}")
        return failed(in_words(str(error), options.parser, options, options.arguments))
    except (ImportError, RUnavailableError, CrashError, ValueError) as error:
        said = in_words(" ".join(str(error).split()), options.parser, options, options.arguments)
        return failed(said)


def parser(program: str = "ircor") -> argparse.ArgumentParser:
    """The parser of all commands."""
    from importlib.metadata import version

    found = argparse.ArgumentParser(prog=program, description="Rank correlation for information retrieval.")
    found.add_argument("--version", action="version", version=f"ircor {version('ircor')}")
    add_completion(found)
    commands = found.add_subparsers(metavar="command", required=True, parser_class=CommandParser)
    for command in COMMANDS:
        example = command.EXAMPLE.replace("ircor ", f"{program} ")
        added = commands.add_parser(
            command.NAME, help=command.HELP, description=command.DESCRIPTION, epilog=f"example: {example}"
        )
        command.add_arguments(added)
        added.set_defaults(
            run=command.run,
            parser=added,
            arguments=getattr(command, "ARGUMENTS", {}),
            inputs=getattr(command, "inputs", None),
        )
    return found


def close_standard_output() -> None:
    """Send what is left to nowhere, so that Python reports no second error when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def failed(message: str, status: int = 2) -> int:
    say(f"ircor: {message}", file=sys.stderr)
    return status
