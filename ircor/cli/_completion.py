"""Completion of commands, options, their choices and file names in a shell, by shtab."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from .._extras import extra

SHELLS = ("bash", "zsh", "tcsh")


def add_completion(parser: ArgumentParser) -> None:
    """--print-completion."""
    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        choices=SHELLS,
        default=SUPPRESS,
        help="print a script that lets this shell complete commands, options and file names, and stop",
    )


class PrintCompletion(Action):
    """Print the script for a shell and stop."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        shtab = extra("shtab", "--print-completion")
        for command in [parser, *subparsers(parser)]:
            for action in command._actions:
                if takes_a_file(action):
                    action.complete = shtab.FILE  # type: ignore[attr-defined]
        # The script is for the command `ircor`, however this one was started.
        parser.prog = "ircor"
        print(shtab.complete(parser, shell=values))
        parser.exit()


def subparsers(parser: ArgumentParser) -> list[ArgumentParser]:
    found = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    return [command for choices in found for command in choices.values()]


def takes_a_file(action: Action) -> bool:
    """Whether the values of an argument are files or folders."""
    return action.choices is None and (not action.option_strings or str(action.metavar).startswith(("FILE", "FOLDER")))
