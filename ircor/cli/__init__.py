"""The `ircor` command.  Each command has a file: it parses its options, calls the package, and shows the result."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ..crosscheck import RUnavailableError
from . import compare, cor, crosscheck, drank, gmap, reproduce, rs, sample, table
from ._report import check_targets, show

__all__ = ["main"]

COMMANDS = (cor, compare, table, drank, rs, gmap, sample, reproduce, crosscheck)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0, 1 if a check failed, 2 for bad usage or bad input, 130 if interrupted."""
    options = parser().parse_args(arguments)
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
    except ImportError as error:
        return failed(f"{error}: pip install 'ircor[cli]'")
    except (RUnavailableError, OSError, ValueError) as error:
        return failed(" ".join(str(error).split()))


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    from importlib.metadata import version

    found = argparse.ArgumentParser(prog="ircor", description="Rank correlation for information retrieval.")
    found.add_argument("--version", action="version", version=f"%(prog)s {version('ircor')}")
    commands = found.add_subparsers(metavar="command", required=True)
    for command in COMMANDS:
        added = commands.add_parser(
            command.NAME, help=command.HELP, description=command.DESCRIPTION, epilog=f"example: {command.EXAMPLE}"
        )
        command.add_arguments(added)
        added.set_defaults(run=command.run)
    return found


def failed(message: str, status: int = 2) -> int:
    print(f"ircor: {message}", file=sys.stderr)
    return status
