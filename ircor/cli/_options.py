"""The parser of a command: its options, as they are declared for Python, its outputs, and the words in its picture."""

from __future__ import annotations

import os
from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from glob import has_magic
from typing import Any, NoReturn

from .._core.errors import Argument, InvalidValueError, Setting, Source
from .._core.files import STREAMS
from .._core.options import MEASURES, MISSING, STANDARDIZE, SYSTEMS, Option
from .._core.text import join_and, listed, question
from .._extras import extra
from ..report import ENDINGS as PAGE_ENDINGS

ENDINGS = {"json": ".json", "csv": ".csv", "markdown": ".md", "latex": ".tex"}
"""The options whose file may be left out, and how the names of their files end."""

STANDARD_OUTPUT = tuple(name for name, descriptor in STREAMS.items() if descriptor == 1)
"""Names of standard output other than "-"."""

WRITE_ONLY = (*STREAMS, "/dev/null", "/dev/full")
"""Files that nobody reads from, so that they are files to write wherever they stand."""

PICTURE_ENDINGS = (".png", ".svg", ".pdf")
"""How the names of pictures end."""

NAMED_FILES: dict[str, tuple[str, ...]] = {"plot": PICTURE_ENDINGS, "html": PAGE_ENDINGS}
"""The options that need a file, and how its name ends."""

OUTPUTS = (*ENDINGS, *NAMED_FILES)
"""The options that name files to write."""

PICTURE_TEXTS = ("title", "x_label", "y_label")
"""Options for the words in a picture, beside --label."""

SOURCE = (
    "trec_eval -q or ir_measures -q output (a file, a folder, or a quoted pattern); a table of topics by systems, or "
    "in long form (system, topic, measure, value), as CSV, TSV, JSON lines or Parquet; - for standard input; or "
    "sample:MEASURE for the sample data; with --qrels, runs (a file, a folder, or a quoted pattern)"
)

QRELS_TWICE_HELP = "; given twice, for the first and for the second"
"""Of --qrels, in commands that compare two sides."""


@dataclass(frozen=True)
class Command:
    """A command: what it is called, what it takes, and what it runs.

    Attributes
    ----------
    name, help, description, example : str
    run : callable
        Gets the parsed options and returns an `Outcome`.
    function : callable
        The function that the command calls; its options are those of the command, in the same order.
    sources : callable
        Adds what is read to the parser.
    table, plot : str
        What CSV and the picture have; "" without them.
    report : bool
        Whether there is a report.
    papers : bool
        Whether the tables can be written in Markdown and LaTeX.
    arguments : mapping
        For arguments of Python that the command calls otherwise: the attribute of the parsed options, or a phrase.
    inputs : callable, optional
        The files that the command reads, if they are not those of its arguments.
    more : tuple of Option
        Options beyond those of the function.
    """

    name: str
    help: str
    description: str
    example: str
    run: Callable[[Namespace], Any]
    function: Callable[..., Any]
    sources: Callable[[ArgumentParser], None]
    table: str = ""
    plot: str = ""
    report: bool = False
    papers: bool = False
    arguments: Mapping[str, str] = field(default_factory=dict)
    inputs: Callable[[Namespace], list[str]] | None = None
    more: tuple[Option, ...] = ()

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, as the function declares them, and those of another function that the command calls."""
        return (*getattr(self.function, "options", ()), *self.more)

    def add_to(self, parser: ArgumentParser) -> None:
        """Add all arguments to the parser of the command."""
        self.sources(parser)
        for option in self.options:
            add_option(parser, option)
        if self.table:
            add_outputs(parser, self.table, self.papers)
        if self.plot:
            add_picture(parser, self.plot)
        if self.report:
            add_report(parser)
        parser.set_defaults(run=self.run, parser=parser, command=self, inputs=self.inputs)


def default_of(option: Option) -> Any:
    """The value in a command if the option is not given."""
    return option.default if option.command_default is None else option.command_default


def add_option(parser: ArgumentParser, option: Option) -> None:
    """Add an option as it is declared; None stands for one that is not given."""
    default = default_of(option)
    shown = ", ".join(default) if isinstance(default, tuple) else default
    about = (option.command_help or option.help).replace("%", "%%") + (
        "" if default in (None, "", ..., ()) or option.kind is bool else f" (default: {shown})"
    )
    metavar = option.metavar or (None if option.choices else option.long[2:].upper().replace("-", "_"))
    names = [option.long] if option.alias != "measure" else ["-m", option.long]
    if option.kind is bool:
        action = "store_false" if option.default else "store_true"
        parser.add_argument(*names, dest=option.name, action=action, default=None, help=about)
    elif option.several:
        about += "" if option.command_help else "; can be given several times"
        parser.add_argument(
            *names,
            dest=option.name,
            action="append",
            choices=option.choices or None,
            metavar=metavar,
            help=about,
        )
    else:
        parser.add_argument(
            *names,
            dest=option.name,
            type=partial(number_or_text, option),
            choices=option.choices or None,
            metavar=metavar,
            help=about,
        )


def number_or_text(option: Option, text: str) -> Any:
    """The number that a text stands for; other text stays, for the check of the option to refuse."""
    try:
        return option.kind(text)
    except ValueError:
        return text


def check_options(options: Namespace) -> None:
    """Check the values of all options, as their functions do; those that are not given get their defaults."""
    declared = options.command.options
    options.chosen = {option.name for option in declared if getattr(options, option.name) is not None}
    for option in declared:
        value = getattr(options, option.name)
        if value is None and option.default is ...:
            raise InvalidValueError(option.name, f"is required: {option.command_help or option.help}")
        if value is None:
            value = default_of(option)
        if option.name in options.chosen or not option.several:
            value = option.checked(value)
        setattr(options, option.name, value)


def written_as(options: Namespace) -> Callable[[Argument | Source | Setting], str]:
    """How a command writes a part of an error: an argument as its option, and data as the source that was given."""
    actions = {action.dest: action for action in options.parser._actions}
    renamed = options.command.arguments
    if MEASURES.alias in actions:  # of `add_reading`
        renamed = {MEASURES.name: MEASURES.alias, **renamed}

    def written(part: Argument | Source | Setting) -> str:
        dest = renamed.get(part.name, part.name)
        if dest not in actions:
            return str(renamed.get(part.name, part))
        flags = actions[dest].option_strings
        if isinstance(part, Setting) and flags:
            return flags[-1] if part.value is True else f"{flags[-1]} {part.value}"
        if not flags and not isinstance(part, Setting):
            return given(getattr(options, dest))
        # A table may be called like an option.
        return flags[-1] if isinstance(part, Argument) else str(part)

    return written


def given(value: Any) -> str:
    """The sources of an argument as they were given."""
    return ", ".join(value) if isinstance(value, list) else str(value)


class CommandParser(ArgumentParser):
    """A parser that takes what follows --json, --csv, --markdown or --latex for its file only if it ends like one.

    So `--json a.eval` prints JSON about a.eval.  A file is always taken if it is attached: `--json=FILE`.
    """

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        self.taken: list[tuple[str, str]] = []
        self.unknown = [] if args is None else self.without_option(args)
        found, extras = super().parse_known_args(None if args is None else self.attached(list(args)), namespace)
        if extras:
            # Here, and not by the parser of all commands, which does not know the options of this one.
            self.error(f"unrecognized arguments: {' '.join(extras)}")
        return found, extras

    def without_option(self, arguments: Sequence[str]) -> list[str]:
        """The arguments that are written like options and are none, nor abbreviations of one."""
        before = arguments[: arguments.index("--")] if "--" in arguments else arguments
        named = [argument.partition("=")[0] for argument in before if argument.startswith("--")]
        return [name for name in named if not any(option.startswith(name) for option in self.options)]

    @property
    def options(self) -> list[str]:
        """All options, in their order."""
        return [option for action in self._actions for option in action.option_strings]

    def attached(self, arguments: Sequence[str]) -> list[str]:
        """The arguments with the file of each such option, or "-" for standard output, attached to it.

        These options come first, since argparse takes sources only if they stand together.
        """
        outputs: list[str] = []
        others: list[str] = []
        rest = iter(range(len(arguments)))
        for k in rest:
            argument = arguments[k]
            if argument == "--":
                return outputs + others + list(arguments[k:])
            option = self.with_optional_file(argument)
            if not option:
                others.append(argument)
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
        return outputs + others

    def with_optional_file(self, argument: str) -> str:
        """The name of the option if its file may be left out, else ""; options can be abbreviated."""
        if not argument.startswith("--"):
            return ""
        options = self.options
        matching = [argument] if argument in options else [o for o in options if o.startswith(argument)]
        return matching[0][2:] if len(matching) == 1 and matching[0][2:] in ENDINGS else ""

    def error(self, message: str) -> NoReturn:
        """Stop; name the options that may have been meant, and a file that was taken for output but can be read."""
        hints = [
            f"{file} was taken for the file that --{option} writes; to read it, put --{option} last"
            for option, file in self.taken
            if os.path.exists(file)
        ]
        meant = dict.fromkeys(option for name in self.unknown for option in nearest(name, self.options))
        super().error("; ".join([message, *hints]) + question([join_and(meant)] if meant else []))


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The name that is spelled most like this one, or none."""
    from difflib import get_close_matches

    return get_close_matches(name, list(names), n=1)


def is_sample(source: str) -> bool:
    """Whether a source is the sample data."""
    return source == "sample" or source.startswith("sample:")


def can_be_read(source: str) -> bool:
    """Whether this can be a source: a path that exists, a pattern, or the sample data."""
    return os.path.exists(source) or has_magic(source) or is_sample(source)


def add_two_sources(parser: ArgumentParser, more: str = "") -> None:
    """The two sides of a comparison, and how they are read."""
    parser.add_argument("a", help=f"the first, the reference: {SOURCE}")
    parser.add_argument(
        "b",
        nargs="?",
        help="the second, likewise; without it, two measures of the first (--measure twice), or runs by two judgments",
    )
    add_reading(parser, f"the measure; given twice, that of the first and that of the second{more}", QRELS_TWICE_HELP)


def add_sources(about: str, qrels: str = "", more: str = "") -> Callable[[ArgumentParser], None]:
    """One or more sources, and how they are read."""

    def add(parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="source", help=SOURCE + more)
        add_reading(parser, about, qrels)

    return add


def add_reading(parser: ArgumentParser, about: str, qrels: str = "") -> None:
    """--measure, --qrels, --missing, --systems and --standardize."""
    parser.add_argument("-m", "--measure", action="append", default=[], metavar="NAME", help=about)
    parser.add_argument(
        "--qrels",
        action="append",
        default=[],
        metavar="FILE",
        help="relevance judgments: the sources are runs, and ir_measures computes their scores; the measures have its "
        f"names, such as nDCG@10 and AP{qrels}",
    )
    add_option(parser, MISSING)
    parser.set_defaults(missing=MISSING.default)
    add_option(parser, SYSTEMS)
    add_option(parser, STANDARDIZE)


def add_outputs(parser: ArgumentParser, table: str, papers: bool) -> None:
    """--json, --csv and --force, and --markdown and --latex if they are wanted."""
    for form, content in (("json", "all as JSON"), ("csv", f"{table} as CSV, without rounding")):
        add_output(parser, form, content)
    for form, content in (("markdown", "all in Markdown"), ("latex", "the tables in LaTeX")) if papers else ():
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


class Once(Action):
    """An option that is refused if it is given again."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None) -> None:
        if getattr(namespace, self.dest) is not None:
            raise ArgumentError(self, "given twice")
        setattr(namespace, self.dest, values)


def add_picture(parser: ArgumentParser, content: str) -> None:
    """--plot, --title, --label, --x-label and --y-label."""
    parser.add_argument("--plot", metavar="FILE", help=f"draw {content} (png, svg or pdf)")
    parser.add_argument("--title", action=Once, metavar="TEXT", help="the title of the picture")
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="TEXT",
        help="what the picture calls the first of the things compared; given again, the second, and so on",
    )
    parser.add_argument(
        "--x-label", action=Once, metavar="TEXT", help="the label of the horizontal axis of the picture"
    )
    parser.add_argument(
        "--y-label",
        action="append",
        metavar="TEXT",
        help="the label of the vertical axis of the picture; given twice, of the left and of the right axis",
    )


def add_report(parser: ArgumentParser) -> None:
    """--html, which has the title of the picture too."""
    title = next(action for action in parser._actions if action.dest == "title")
    title.help = "the title of the picture and of the report"
    parser.add_argument(
        "--html", metavar="FILE.html", help="write a report to hand on to this file: one HTML file that needs no other"
    )


def check_words(options: Namespace) -> None:
    """Refuse words for a picture that is not asked for; the title may be that of a report."""
    if getattr(options, "plot", None) is None:
        for word in ("label", *PICTURE_TEXTS):
            if getattr(options, word, None) in (None, []) or (word == "title" and getattr(options, "html", None)):
                continue
            if word == "title" and hasattr(options, "html"):
                raise ValueError("--title is for the picture or the report: name its file with --plot or --html")
            raise ValueError(f"--{word.replace('_', '-')} is for the picture: name its file with --plot")


def labels_of(options: Namespace, names: Sequence[Any]) -> list[str]:
    """The names in a picture: the values of --label, if there are any, else those of the things compared."""
    labels: list[str] = options.label
    if labels and len(labels) != len(names):
        raise ValueError(
            f"the picture has {len(names)} labels ({listed(names)}): give --label {len(names)} times, not {len(labels)}"
        )
    return labels or [str(name) for name in names]


def save_picture(draw: Callable[[], Any], options: Namespace) -> None:
    """Draw the picture with the words that are given, and save it."""
    extra("matplotlib", "--plot").use("Agg")
    from .. import plots
    from ..plots import relabel

    ax = draw()
    words = {word: getattr(options, word, None) for word in PICTURE_TEXTS}
    if any(word is not None for word in words.values()):
        relabel(ax, **words)
    plots.save(ax, options.plot, force=options.force)
    extra("matplotlib.pyplot", "--plot").close(ax.figure)


def option_values(options: Namespace, *, without: Sequence[str] = ()) -> dict[str, Any]:
    """The values of the options of a function, by the names of its arguments."""
    names = [option.name for option in options.command.options if option.name not in without]
    return {name: getattr(options, name) for name in names}


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
    choices = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    return [command for commands in choices for command in commands.values()]


def takes_a_file(action: Action) -> bool:
    """Whether the values of an argument are files or folders."""
    return action.choices is None and (not action.option_strings or str(action.metavar).startswith(("FILE", "FOLDER")))
