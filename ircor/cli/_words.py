"""Messages of the package in the words of a command: its options instead of Python's arguments."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

# How the package's functions call what the commands call otherwise.
SHARED = {"n_jobs": "jobs"}


def in_words(message: str, parser: ArgumentParser, options: Namespace, arguments: Mapping[str, str]) -> str:
    """The message with 'eps' as --eps, missing="zero" as --missing zero, force=True as --force, and names of sources.

    An argument stands in quotes at the beginning of a message, or after "and", "of" or "in".  Quotes elsewhere are
    those of names in the data, such as "system 'a'".

    Parameters
    ----------
    message : str
        What an error or a note of the package says.
    parser, options : ArgumentParser, Namespace
        Of the command, and what it was given.
    arguments : mapping
        For arguments of the package that the command calls otherwise: the attribute of `options`, or a phrase.
    """
    actions = {action.dest: action for action in parser._actions}

    def said(argument: str) -> str | None:
        dest = {**SHARED, **arguments}.get(argument, argument)
        if dest not in actions:
            return dest if argument in arguments else None
        options_of = actions[dest].option_strings
        return options_of[-1] if options_of else as_given(getattr(options, dest))

    def setting(match: re.Match[str]) -> str:
        option = said(match[1])
        return f"{option} {match[3]}" if option and option.startswith("--") else match[0]

    message = re.sub(r"""\b(\w+)=(["'])(\w+)\2""", setting, message)
    message = re.sub(r"\b(\w+)=True\b", lambda match: said(match[1]) or match[0], message)
    return re.sub(
        r"(^|\b(?:and|of|in) )'(\w+)'", lambda match: match[1] + (said(match[2]) or match[0][len(match[1]) :]), message
    )


def as_given(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
