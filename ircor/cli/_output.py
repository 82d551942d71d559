"""The one way out of a command: to the screen, to JSON, CSV, a report or a picture, to standard output or to files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import groupby
from typing import Any, TextIO

from .._core.errors import FileKeptError
from .._core.files import COMMENT, LATEX_COMMENT, check_output, is_special, whole_file
from .._core.results import Result
from .._core.text import join_and
from .._extras import extra
from ..report import save, versions
from ..show.tables import Table, plain
from ..show.terminal import Texts, layout, visible, wrapped_lines
from ._options import ENDINGS, NAMED_FILES, OUTPUTS, STANDARD_OUTPUT, check_words, save_picture
from ._sources import is_source


@dataclass
class Outcome:
    """The outcome of a command."""

    result: Result
    """Tables and sentences for people; the same as data for JSON; the first table for CSV."""
    draw: Callable[[], Any] | None = None
    """Draws the picture and returns its Axes."""
    heading: Sequence[str] = ()
    """Lines above the tables."""
    sentences: Sequence[str] | None = None
    """Lines below the tables; by default those of the result."""
    data: Any = None
    """The content of JSON; by default that of the result."""
    closing: str = ""
    """The last word, for standard error; only with tables on the screen."""
    status: int = 0
    """The exit status: 1 if a check failed."""
    markdown: Callable[[], str] | None = None
    """Returns all of it as a page in Markdown."""
    packages: Sequence[str] = ()
    """The packages beyond NumPy and SciPy that the numbers come from, for the report and its JSON."""


def show(outcome: Outcome, options: Namespace) -> int:
    """Write what the options ask for, else print the tables; return the exit status."""
    files = targets(options)
    if files["plot"] is not None:
        assert outcome.draw
        save_picture(outcome.draw, options)
    if "html" in options and (files["html"] is not None or files["json"] is not None):
        # JSON has all that the report has.
        command = shlex.join(["ircor", *options.given])
        origin = {"command": command, "versions": versions(outcome.result, outcome.packages)}
        outcome = replace(outcome, data=outcome.result.as_dict() | origin)
        if files["html"] is not None:
            save(
                outcome.result,
                files["html"],
                title=options.title,
                command=command,
                packages=outcome.packages,
                force=options.force,
            )
    printed = False
    for form, text in TEXTS.items():
        target = files[form]
        if target == "-":
            sys.stdout.write(text(outcome))
            printed = True
        elif target is not None:
            with whole_file(target, form, force=options.force) as file:
                file.write(text(outcome))
    if not printed:
        print_result(outcome)
    for note in outcome.result.notes:
        say(f"ircor: {note}", file=sys.stderr)
    if outcome.closing and not printed:
        say(outcome.closing, file=sys.stderr)
    return outcome.status


def print_result(outcome: Outcome) -> None:
    tables = outcome.result.tables()
    sentences = outcome.result.sentences() if outcome.sentences is None else outcome.sentences
    for line in outcome.heading:
        say(line)
    if outcome.heading and sys.stdout.isatty():
        print()
    for table in tables:
        print_table(table)
        if sys.stdout.isatty() or table is not tables[-1] or sentences:
            print()
    for sentence in sentences:
        say(sentence)


def targets(options: Namespace) -> dict[str, str | None]:
    """The values of --json, --csv, --markdown, --latex, --plot and --html; None for a command without the option."""
    named = {option: getattr(options, option, None) for option in OUTPUTS}
    printed = {option for option in ENDINGS if named[option] in STANDARD_OUTPUT}
    return {option: "-" if option in printed else name for option, name in named.items()}


def check_targets(options: Namespace) -> None:
    """Refuse files that cannot be written, before anything is computed."""
    check_words(options)
    given = targets(options)
    if given["plot"] is not None:
        extra("matplotlib", "--plot")
    if len(to_screen := [f"--{option}" for option, target in given.items() if target == "-"]) > 1:
        raise ValueError(f"{join_and(to_screen)} cannot all go to standard output: name a file for all but one of them")
    for option, target in given.items():
        if target is None or (target == "-" and option in ENDINGS):
            continue
        endings = (ENDINGS[option],) if option in ENDINGS else NAMED_FILES[option]
        if not target.lower().endswith(endings) and (option == "plot" or not is_special(target)):
            raise ValueError(f"the file of --{option} must end in {' or '.join(endings)}, and {target} does not")
        check_target(target, option, options)
    files = {option: os.path.realpath(target) for option, target in given.items() if target not in (None, "-")}
    if len(set(files.values())) < len(files):
        raise ValueError(f"{join_and(f'--{option}' for option in files)} need a file each")


def check_target(target: str, option: str, options: Namespace) -> None:
    """Refuse a file that cannot be written, one that the command reads, and one that ircor did not write."""
    if is_source(target, options):
        raise ValueError(f"{target} is an input of this command, and is not replaced: name another file for --{option}")
    # What decides the mark of a picture is the ending of its file.
    form = os.path.splitext(target)[1].lower()[1:] if option == "plot" else option
    try:
        check_output(target, form, force=options.force)
    except FileKeptError as error:
        hint = f"; to read it, put --{option} last" if option in ENDINGS else ""
        raise FileKeptError(None, (*error.problem, hint)) from None


def as_json(outcome: Outcome) -> str:
    data = outcome.result.as_dict() if outcome.data is None else outcome.data
    return json.dumps({"ircor": version("ircor")} | plain(data), indent=1, allow_nan=False) + "\n"


def as_csv(outcome: Outcome) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    table = outcome.result.tables()[0]
    kept = [column for column in table.columns if column.only != "screen"]
    writer.writerow([column.heading for column in kept])
    for row in table.rows:
        cells = (column.cell(row) for column in kept)
        writer.writerow(["" if cell is None else cell for cell in cells])
    return text.getvalue()


def markdown_of(outcome: Outcome) -> str:
    return f"{COMMENT}\n\n{(outcome.markdown or outcome.result.view.markdown)()}"


def latex_of(outcome: Outcome) -> str:
    return f"{LATEX_COMMENT}\n{outcome.result.view.latex()}"


# The functions that write the text of each option of ENDINGS.
TEXTS: dict[str, Callable[[Outcome], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": markdown_of,
    "latex": latex_of,
}


def print_table(table: Table) -> None:
    """Print a table: aligned in a terminal, with tabs elsewhere, which R, awk and pandas read."""
    if not sys.stdout.isatty():
        for line in table.lines():
            print("\t".join(map(visible, line)))
        return
    columns = [
        (Texts([*map(visible, (column.title or column.key).split("\n"))], [*map(visible, cells)], column.prose), column)
        for column, cells in table.for_people()
    ]
    titles = next((texts.cells for texts, column in columns if column.heading == table.group), [""] * len(table.rows))
    kept = [texts for texts, column in columns if column.heading != table.group]
    dash, ellipsis = ("─", "…") if can_show("─…") else ("-", "...")
    for title, members in groupby(range(len(table.rows)), key=lambda k: titles[k]):
        rows = list(members)
        if rows[0]:
            print()
        if title:
            say(title)
            print()
        inside = [replace(texts, cells=[texts.cells[k] for k in rows]) for texts in kept]
        for drawn in layout(inside, terminal_width(), table.names, dash=dash, ellipsis=ellipsis):
            print(in_colour(drawn))


def say(sentence: str, *, file: TextIO | None = None) -> None:
    """Print a sentence, broken between words in a terminal; one of several lines, such as code, stays as it is."""
    stream = file or sys.stdout
    lines = wrapped_lines(sentence, terminal_width()) if stream.isatty() and "\n" not in sentence else [sentence]
    for line in lines:
        print(line, file=stream)


def terminal_width() -> int:
    """The width of the terminal, which the variable COLUMNS can set."""
    return shutil.get_terminal_size().columns


def can_show(characters: str) -> bool:
    """Whether standard output has these characters."""
    try:
        characters.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def in_colour(line: str) -> str:
    """The line with the word DIFFERS in bold red, if the terminal has colours and the user wants them."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return line
    return re.sub(r"(?<!\S)DIFFERS(?!\S)", "\x1b[1;31mDIFFERS\x1b[0m", line)
