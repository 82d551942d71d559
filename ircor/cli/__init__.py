"""The `ircor` command.  Each command has a file: it parses its options, calls the package, and shows the result."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

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
        # The reader closed the pipe, which is no error.  Python must not report it when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return failed("interrupted", 130)
    except OSError as error:
        return failed(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
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
        added.set_defaults(run=command.run, parser=added, arguments=getattr(command, "ARGUMENTS", {}))
    return found


def failed(message: str, status: int = 2) -> int:
    say(f"ircor: {message}", file=sys.stderr)
    return status
