"""Options that several commands share, and the types of numbers on the command line."""

from __future__ import annotations

from argparse import ArgumentParser

from ._pictures import add_picture


def add_outputs(parser: ArgumentParser) -> None:
    """--json and --csv."""
    for form, content in (("json", "all as JSON"), ("csv", "the first table as CSV")):
        parser.add_argument(
            f"--{form}", nargs="?", const="-", metavar="FILE", help=f"print {content}, or write it to this file"
        )


def add_common(parser: ArgumentParser, plot: str) -> None:
    """The outputs with a picture, --seed and --jobs."""
    add_outputs(parser)
    add_picture(parser, plot)
    parser.add_argument("--seed", type=from_zero, default=1, help="of the random numbers (default: 1)")
    parser.add_argument("--jobs", type=jobs, default=1, help="processors to use, -1 for all (default: 1)")


def add_measures(parser: ArgumentParser, about: str) -> None:
    """--measure and --missing."""
    parser.add_argument("--measure", action="append", default=[], metavar="NAME", help=about)
    parser.add_argument(
        "--missing",
        choices=("error", "zero", "drop"),
        default="error",
        help="if a system has no score for a topic: refuse, take it for 0, or drop the topic (default: error)",
    )


def add_resamples(parser: ArgumentParser) -> None:
    """--resamples."""
    parser.add_argument("--resamples", type=positive, default=10_000, help="samples of topics (default: 10000)")


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def from_zero(text: str) -> int:
    if (number := int(text)) < 0:
        raise ValueError
    return number


def jobs(text: str) -> int:
    if (number := int(text)) == 0:
        raise ValueError
    return number


def tolerance(text: str) -> float:
    if not 0 <= (number := float(text)) < 1:
        raise ValueError
    return number
