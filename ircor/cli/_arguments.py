"""The parser of a command, the options that several commands share, and the types of numbers on the command line."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from glob import has_magic
from typing import NoReturn, TypeVar, get_args

from .._files import STREAMS
from .._methods import TIES
from ..tables._intervals import Target
from ._pictures import add_picture
from ._sources import is_sample

Number = TypeVar("Number", int, float)

ENDINGS = {"json": ".json", "csv": ".csv", "markdown": ".md"}
"""The options whose file may be left out, and how the names of their files end."""

STANDARD_OUTPUT = tuple(name for name, descriptor in STREAMS.items() if descriptor == 1)
"""Names of standard output other than "-"."""

WRITE_ONLY = (*STREAMS, "/dev/null", "/dev/full")
"""What nobody reads from, so that it is a file to write wherever it stands."""


class CommandParser(ArgumentParser):
    """A parser that takes what follows --json, --csv or --markdown for its file only if it ends like one.

    So `--json a.eval` prints JSON about a.eval.  A file is always taken if it is attached: `--json=FILE`.
    """

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        self.taken: list[tuple[str, str]] = []
        return super().parse_known_args(None if args is None else self.attached(list(args)), namespace)

    def attached(self, arguments: Sequence[str]) -> list[str]:
        """The arguments with the file of each such option, or "-" for standard output, attached to it.

        These options come first, since argparse takes sources only if they stand together.
        """
        outputs: list[str] = []
        found: list[str] = []
        rest = iter(range(len(arguments)))
        for k in rest:
            argument = arguments[k]
            if argument == "--":
                return outputs + found + list(arguments[k:])
            option = self.with_optional_file(argument)
            if not option:
                found.append(argument)
                continue
            following = "" if k + 1 == len(arguments) or arguments[k + 1].startswith("-") else arguments[k + 1]
            if following.lower().endswith(ENDINGS[option]) or following in WRITE_ONLY:
                self.taken.append((option, following))
                outputs.append(f"{argument}={following}")
                next(rest)
            elif following and not can_be_read(following):
                raise ValueError(f"the file of --{option} must end in {ENDINGS[option]}, and {following} does not")
            else:
                outputs.append(f"{argument}=-")
        return outputs + found

    def with_optional_file(self, argument: str) -> str:
        """The name of the option if its file may be left out, else ""; options can be abbreviated."""
        if not argument.startswith("--"):
            return ""
        options = {option for action in self._actions for option in action.option_strings}
        matching = [argument] if argument in options else [o for o in options if o.startswith(argument)]
        return matching[0][2:] if len(matching) == 1 and matching[0][2:] in ENDINGS else ""

    def error(self, message: str) -> NoReturn:
        """Stop; if a file was taken for output that is there to be read, say so."""
        hints = [
            f"{file} was taken for the file that --{option} writes; to read it, put --{option} last"
            for option, file in self.taken
            if os.path.exists(file)
        ]
        super().error("; ".join([message, *hints]))


def can_be_read(source: str) -> bool:
    """Whether this can be a source: a path that exists, a pattern, or the sample data."""
    return os.path.exists(source) or has_magic(source) or is_sample(source)


def add_outputs(parser: ArgumentParser, table: str) -> None:
    """--json, --csv and --force."""
    for form, content in (("json", "all as JSON"), ("csv", f"{table} as CSV, without rounding")):
        add_output(parser, form, content)
    add_force(parser)


def add_force(parser: ArgumentParser) -> None:
    """--force."""
    parser.add_argument("--force", action="store_true", help="replace files that ircor did not write, but no input")


def add_output(parser: ArgumentParser, form: str, content: str) -> None:
    """An option that prints one form, or writes it to a file."""
    parser.add_argument(
        f"--{form}",
        nargs="?",
        const="-",
        metavar=f"FILE{ENDINGS[form]}",
        help=f"print {content}, or write it to this file; what follows is the file only if it ends in {ENDINGS[form]}",
    )


def add_common(parser: ArgumentParser, plot: str, table: str) -> None:
    """The outputs with a picture."""
    add_outputs(parser, table)
    add_picture(parser, plot)


def add_report(parser: ArgumentParser) -> None:
    """--html, which has the title of the picture too."""
    title = next(action for action in parser._actions if action.dest == "title")
    title.help = "the title of the picture and of the report"
    parser.add_argument(
        "--html", metavar="FILE.html", help="write a report to hand on to this file: one HTML file that needs no other"
    )


def add_seed(parser: ArgumentParser) -> None:
    """--seed."""
    parser.add_argument("--seed", type=from_zero, default=1, help="of the random numbers (default: 1)")


def add_jobs(parser: ArgumentParser) -> None:
    """--jobs."""
    parser.add_argument("--jobs", type=jobs, default=1, help="processors to use, -1 for all (default: 1)")


def add_measures(parser: ArgumentParser, about: str, qrels: str = "") -> None:
    """--measure, --qrels, --missing and --systems."""
    parser.add_argument("-m", "--measure", action="append", default=[], metavar="NAME", help=about)
    parser.add_argument(
        "--qrels",
        action="append",
        default=[],
        metavar="FILE",
        help="relevance judgments: the sources are runs, and ir_measures computes their scores; the measures have its "
        f"names, such as nDCG@10 and AP{qrels}",
    )
    add_missing(parser)
    parser.add_argument(
        "--systems",
        choices=("rows", "columns"),
        help="where the systems are in a table of topics and systems, if the names in it do not say it",
    )


def add_missing(parser: ArgumentParser) -> None:
    """--missing."""
    parser.add_argument(
        "--missing",
        choices=("error", "zero", "drop"),
        default="error",
        help="if a system has no score for a topic: refuse, take it for 0, or drop the topic (default: error)",
    )


def add_target(parser: ArgumentParser) -> None:
    """--target."""
    parser.add_argument(
        "--target",
        choices=get_args(Target),
        default="expected",
        help="what the intervals are for: the mean of the coefficient over samples of as many topics (the default), "
        "another sample of topics, or the population, the true means over all topics",
    )


def add_resamples(parser: ArgumentParser) -> None:
    """--resamples."""
    parser.add_argument("--resamples", type=positive, default=10_000, help="samples of topics (default: 10000)")


def add_overlap(parser: ArgumentParser, about: str) -> None:
    """--p and --ties, of rank-biased overlap."""
    parser.add_argument("--p", type=float, help=about)
    parser.add_argument("--ties", choices=TIES, help="the treatment of ties in rank-biased overlap (default: a)")


def positive(text: str) -> int:
    return checked(int, text, lambda number: number >= 1, "a whole number, 1 or more")


def from_two(text: str) -> int:
    return checked(int, text, lambda number: number >= 2, "a whole number, 2 or more")


def from_zero(text: str) -> int:
    return checked(int, text, lambda number: number >= 0, "a whole number, 0 or more")


def jobs(text: str) -> int:
    return checked(int, text, lambda number: number != 0, "a number of processors, or -1 for all")


def tolerance(text: str) -> float:
    return checked(float, text, lambda number: 0 <= number < 1, "0 or more and less than 1")


def checked(kind: Callable[[str], Number], text: str, good: Callable[[Number], bool], must: str) -> Number:
    """The number that the text stands for, if it is good; argparse says what it must be and which option it is."""
    try:
        number = kind(text)
    except ValueError:
        number = None
    if number is None or not good(number):
        raise ArgumentTypeError(f"must be {must}, not {text!r}")
    return number
