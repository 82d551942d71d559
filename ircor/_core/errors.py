"""The errors of the package: a message, and the data that it is made of.

An error knows which argument it is about, what is wrong and what would be right.  The command line makes its own
sentence of these, with its options in place of Python's arguments, and never reads a message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar


@dataclass(frozen=True)
class Argument:
    """The name of an argument in a message: 'level' in Python, --level on the command line."""

    name: str

    def __str__(self) -> str:
        return f"'{self.name}'"


@dataclass(frozen=True)
class Source:
    """The name of data in a message: of an argument, or of a table or a file, which may be called like an option."""

    name: str

    def __str__(self) -> str:
        return f"'{self.name}'"


@dataclass(frozen=True)
class Setting:
    """An argument with a value in a message: missing="zero" in Python, --missing zero on the command line."""

    name: str
    value: object
    quote: str = '"'

    def __str__(self) -> str:
        value = f"{self.quote}{self.value}{self.quote}" if isinstance(self.value, str) else str(self.value)
        return f"{self.name}={value}"


Part: TypeAlias = "str | Argument | Source | Setting"
Parts: TypeAlias = "str | Sequence[Part]"
Subjects: TypeAlias = "str | Source | Sequence[str | Source] | None"


E = TypeVar("E", bound="IrcorError")


class IrcorError(Exception):
    """The base of all errors of the package.

    Attributes
    ----------
    arguments : tuple of str
        The arguments, or the names of the data, that the message begins with; none if it is about something else.
    problem : tuple
        What is wrong, as texts, `Argument` and `Setting`.
    remedy : tuple
        What would be right, in the same form.
    parts : tuple
        The whole message in this form.
    """

    def __init__(self, arguments: Subjects, problem: Parts | None = None, remedy: Parts = ()) -> None:
        # A message about no argument; Polars, too, raises an error of the same type again with its message alone.
        if problem is None:
            arguments, problem = None, str(arguments)
        super().__init__(arguments, problem, remedy)
        subjects = (arguments,) if isinstance(arguments, (str, Source)) else tuple(arguments or ())
        self.subjects = tuple(Argument(one) if isinstance(one, str) else one for one in subjects)
        self.arguments = tuple(one.name for one in self.subjects)
        self.problem = (problem,) if isinstance(problem, str) else tuple(problem)
        self.remedy = (remedy,) if isinstance(remedy, str) else tuple(remedy)

    @property
    def argument(self) -> str | None:
        """The first argument that is wrong, if the message begins with one."""
        return self.arguments[0] if self.arguments else None

    @property
    def parts(self) -> tuple[Part, ...]:
        subject: list[Part] = []
        for k, one in enumerate(self.subjects):
            joint = "" if not k else " and " if k == len(self.subjects) - 1 else ", "
            subject += [joint, one] if joint else [one]
        return (*subject, *([" "] if subject else []), *self.problem, *([": "] if self.remedy else []), *self.remedy)

    def renamed(self: E, names: Mapping[str, str]) -> E:
        """The same error of a function whose arguments have other names."""

        def new(part: Any) -> Any:
            return Argument(names.get(part.name, part.name)) if isinstance(part, Argument) else part

        error = type(self)(None, *(tuple(map(new, parts)) for parts in (self.problem, self.remedy)))
        error.subjects = tuple(map(new, self.subjects))
        error.arguments = tuple(one.name for one in error.subjects)
        return error

    def text(self, written: Callable[[Argument | Source | Setting], str] = str) -> str:
        """The message, with each argument and each setting as it is to be written."""
        return "".join(part if isinstance(part, str) else written(part) for part in self.parts)

    def __str__(self) -> str:
        return self.text()


class InvalidValueError(IrcorError, ValueError):
    """An argument of the right type has a value that cannot be used."""

    __module__ = "ircor"


class InvalidTypeError(IrcorError, TypeError):
    """An argument has a type that cannot be used."""

    __module__ = "ircor"


class TiesError(InvalidValueError):
    """A coefficient that refuses ties got some."""

    __module__ = "ircor"


class FileKeptError(IrcorError, FileExistsError):
    """A file is there that ircor did not write, so it is not replaced."""


def must_be(expected: str, given: Any) -> str:
    """The problem of most errors: what the argument must be, and what it is."""
    return f"must be {expected}, not {shown(given)}"


def shown(value: Any) -> str:
    """A value in a message: its repr, or its type where the repr is long or has several lines."""
    text = repr(value)
    return text if len(text) <= 80 and "\n" not in text else f"a {type(value).__name__}"
