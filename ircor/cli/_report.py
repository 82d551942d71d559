"""The one way out of a command: to the screen, to JSON, CSV or a picture, to standard output or to files."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from .._files import whole_file
from .._result import Result, Table, is_number, plain
from ._pictures import check_words, save_picture

PICTURES = (".png", ".svg", ".pdf")


@dataclass
class Outcome:
    """What a command has to show.

    Attributes
    ----------
    result : Result
        Tables and sentences for people; the same as data for JSON; the first table for CSV.
    draw : callable, optional
        Draws the picture and returns its Axes.
    heading : sequence of str
        Lines above the tables.
    sentences : sequence of str, optional
        Lines below the tables; by default those of the result.
    data : object, optional
        The content of JSON; by default that of the result.
    closing : str
        The last word, for standard error; only with tables on the screen.
    status : int
        The exit status: 1 if a check failed.
    markdown : callable, optional
        Returns all of it as a page in Markdown.
    """

    result: Result
    draw: Callable[[], Any] | None = None
    heading: Sequence[str] = ()
    sentences: Sequence[str] | None = None
    data: Any = None
    closing: str = ""
    status: int = 0
    markdown: Callable[[], str] | None = None


def show(outcome: Outcome, options: Namespace) -> int:
    """Write what the options ask for, else print the tables; return the exit status."""
    chosen = targets(options)
    if chosen["plot"] is not None:
        assert outcome.draw
        save_picture(outcome.draw, options)
    printed = False
    for target, text in ((chosen[form], write) for form, (_, write) in TEXTS.items()):
        if target == "-":
            sys.stdout.write(text(outcome))
            printed = True
        elif target is not None:
            written = text(outcome)
            refuse_to_overwrite(target, written)
            with whole_file(target) as file:
                file.write(written)
    if not printed:
        print_result(outcome)
    for note in outcome.result.notes:
        print(f"ircor: {note}", file=sys.stderr)
    if outcome.closing and not printed:
        print(outcome.closing, file=sys.stderr)
    return outcome.status


def print_result(outcome: Outcome) -> None:
    tables = outcome.result.tables()
    sentences = outcome.result.sentences() if outcome.sentences is None else outcome.sentences
    for line in outcome.heading:
        print(line)
    for table in tables:
        print_table(table)
        if sys.stdout.isatty() or table is not tables[-1] or sentences:
            print()
    for sentence in sentences:
        print(sentence)


def targets(options: Namespace) -> dict[str, str | None]:
    """The values of --json, --csv, --markdown and --plot; None for a command without the option."""
    return {option: getattr(options, option, None) for option in (*TEXTS, "plot")}


def check_targets(options: Namespace) -> None:
    """Refuse files that cannot be written, before anything is computed."""
    check_words(options)
    chosen = targets(options)
    if len(to_screen := [f"--{option}" for option, target in chosen.items() if target == "-"]) > 1:
        listed = " and ".join(to_screen)
        raise ValueError(f"{listed} cannot all go to standard output: name a file for all but one of them")
    for option, target in chosen.items():
        if target is None or target == "-":
            continue
        endings = TEXTS[option][0] if option in TEXTS else PICTURES
        if not target.lower().endswith(endings):
            raise ValueError(f"the file of --{option} must end in {' or '.join(endings)}, and {target} does not")
        folder = os.path.dirname(os.path.realpath(target))
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise ValueError(f"the file of --{option} cannot be written: there is no folder {folder} to write to")


def refuse_to_overwrite(target: str, written: str) -> None:
    """Refuse to replace a file whose first line differs: it may be an input that stands in the wrong place."""
    if os.path.isfile(target) and os.path.getsize(target):
        with open(target, encoding="utf-8", errors="replace") as file:
            there = file.readline().rstrip("\r\n")
        if there != written.partition("\n")[0]:
            raise ValueError(f"{target} exists and has other content: remove it, or name another file")


def as_json(outcome: Outcome) -> str:
    data = outcome.result.as_dict() if outcome.data is None else outcome.data
    return json.dumps(plain(data), indent=1, allow_nan=False) + "\n"


def as_csv(outcome: Outcome) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    table = outcome.result.tables()[0]
    kept = [k for k, column in enumerate(table.columns) if column.only != "screen"]
    writer.writerow([table.columns[k].heading for k in kept])
    writer.writerows([["" if row[k] is None else row[k] for k in kept] for row in table.rows])
    return text.getvalue()


def as_markdown(outcome: Outcome) -> str:
    assert outcome.markdown
    return outcome.markdown()


# The options that write text: the endings of their files, and the function that writes them.
TEXTS: dict[str, tuple[tuple[str, ...], Callable[[Outcome], str]]] = {
    "json": ((".json",), as_json),
    "csv": ((".csv",), as_csv),
    "markdown": ((".md",), as_markdown),
}


def print_table(table: Table) -> None:
    """Print a table: aligned in a terminal, with tabs elsewhere, which R, awk and pandas read."""
    rows = table.shown()
    if not sys.stdout.isatty():
        print("\t".join(rows[0]))
        for row in rows:
            print("\t".join(row.values()))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    for title, members in groupby(rows, key=lambda row: row.get(table.group)):
        grid = RichTable(title=title, title_justify="left", box=box.SIMPLE_HEAD)
        inside = [{name: cell for name, cell in row.items() if name != table.group} for row in members]
        for name in inside[0]:
            numbers = all(is_number(row[name]) for row in inside)
            grid.add_column(name, justify="right" if numbers else "left", overflow="fold")
        for row in inside:
            grid.add_row(*(Text(cell, style="bold red" if cell == "DIFFERS" else "") for cell in row.values()))
        console.print(grid)
