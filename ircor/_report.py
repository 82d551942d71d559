"""What a command has to say, as tables for people, as CSV and JSON for programs, and as a picture."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import isfinite, isnan
from typing import Any

from ._files import whole_file

PICTURES = (".png", ".svg", ".pdf")

# Columns of numbers that are text already.
RIGHT = {"printed", "computed", "largest difference"}


@dataclass
class Report:
    """The answer of a command.

    Attributes
    ----------
    tables : list of tables
        Each with rows of the same columns; the first is what CSV has.
    sentences : list of str
        What to conclude.
    data : object
        All of it, for JSON.
    draw : callable, optional
        Draws the picture.
    status : int
        The exit status: 1 if a check failed.
    """

    tables: list[list[dict[str, Any]]]
    sentences: list[str]
    data: Any
    draw: Callable[[], Any] | None = None
    status: int = 0
    notes: list[str] = field(default_factory=list)


def show(report: Report, to_json: str | None, to_csv: str | None, plot: str | None) -> int:
    """Write what was asked for to files or to standard output, or else print the tables; return the exit status."""
    if plot is not None:
        save_picture(report, plot)
    printed = False
    for target, text in ((to_json, as_json), (to_csv, as_csv)):
        if target == "-":
            sys.stdout.write(text(report))
            printed = True
        elif target is not None:
            written = text(report)
            refuse_to_overwrite(target, written)
            with whole_file(target) as file:
                file.write(written)
    if not printed:
        for rows in report.tables:
            print_table([{name: shown(value) for name, value in row.items()} for row in rows])
            if sys.stdout.isatty() or rows is not report.tables[-1] or report.sentences:
                print()
        for sentence in report.sentences:
            print(sentence)
    for note in report.notes:
        print(f"ircor: {note}", file=sys.stderr)
    return report.status


def check_targets(to_json: str | None, to_csv: str | None, plot: str | None) -> None:
    """Refuse what could not be written, before anything is computed."""
    if to_json == to_csv == "-":
        raise ValueError("--json and --csv cannot both go to standard output: name a file for one of them")
    for option, target, endings in (
        ("--json", to_json, (".json",)),
        ("--csv", to_csv, (".csv",)),
        ("--plot", plot, PICTURES),
    ):
        if target not in (None, "-") and not str(target).lower().endswith(endings):
            raise ValueError(f"the file of {option} must end in {' or '.join(endings)}, and {target} does not")


def refuse_to_overwrite(target: str, written: str) -> None:
    """A file that this command did not write may be an input that stands in the wrong place."""
    if os.path.isfile(target) and os.path.getsize(target):
        with open(target, encoding="utf-8", errors="replace") as file:
            there = file.readline().rstrip("\r\n")
        if there != written.partition("\n")[0]:
            raise ValueError(f"{target} is there already and has something else in it: remove it, or name another file")


def as_json(report: Report) -> str:
    return json.dumps(plain(report.data), indent=1, allow_nan=False) + "\n"


def as_csv(report: Report) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows = report.tables[0]
    writer.writerow(rows[0])
    writer.writerows([["" if value is None else value for value in row.values()] for row in rows])
    return text.getvalue()


def plain(value: Any) -> Any:
    """The same of nothing but what JSON has; a number that is none is null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return None if isinstance(value, float) and not isfinite(value) else value


def shown(value: Any) -> Any:
    """A cell for people: four decimals."""
    if isinstance(value, float):
        return "undefined" if isnan(value) else f"{value:.4f}"
    return "" if value is None else value


def save_picture(report: Report, path: str) -> None:
    assert report.draw
    ending = os.path.splitext(path)[1].lower()
    import matplotlib as mpl

    mpl.use("Agg")
    figure = report.draw().figure
    with whole_file(path, binary=True) as file:
        figure.savefig(file, format=ending[1:], dpi=300, bbox_inches="tight")


def print_table(rows: Sequence[dict[str, Any]], group: str = "") -> None:
    """Print rows as tables in a terminal, one for each value of the column `group`, and parted by tabs elsewhere.

    Tabs, with the columns' names in the first line, are what R, awk and pandas read.
    """
    if not sys.stdout.isatty():
        print("\t".join(rows[0]))
        for row in rows:
            print("\t".join(str(value) for value in row.values()))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    for title, members in groupby(rows, key=lambda row: row.get(group)):
        table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
        inside = [{name: value for name, value in row.items() if name != group} for row in members]
        for name in inside[0]:
            numbers = all(is_number(row[name]) for row in inside)
            table.add_column(name, justify="right" if name in RIGHT or numbers else "left", overflow="fold")
        for row in inside:
            table.add_row(*(Text(str(cell), style="bold red" if cell == "DIFFERS" else "") for cell in row.values()))
        console.print(table)


def is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return cell in ("", "undefined")
    return True
