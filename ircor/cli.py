"""The `ircor` command: parses, calls the modules, prints."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import groupby
from math import isnan
from typing import Any

from . import published


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0, 1 if a check failed, or 2 for bad usage."""
    parser = argparse.ArgumentParser(prog="ircor", description="Rank correlation for information retrieval.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    commands = parser.add_subparsers(metavar="command", required=True)

    command = commands.add_parser(
        "reproduce",
        help="recompute every figure that the papers print",
        description="Recompute every figure that the papers and the R package ircor print, and compare: a figure "
        "agrees to the printed digits, is a known misprint, or DIFFERS, which makes the exit status 1.",
        epilog="example: ircor reproduce --json > figures.json",
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")
    command.set_defaults(run=reproduce)

    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep Python from complaining of it at exit.
        sys.stdout = None
        return 0


def version() -> str:
    from . import __version__

    return __version__


def reproduce(options: argparse.Namespace) -> int:
    figures = published.figures()
    differ = [figure for figure in figures if figure.verdict == "DIFFERS"]
    if options.json:
        rows = [
            row(figure, None if isnan(figure.computed) else figure.computed)
            | {"verdict": figure.verdict, "reason": figure.misprint}
            for figure in figures
        ]
        print(json.dumps(rows, indent=2, allow_nan=False))
        return int(bool(differ))
    misprints = [figure for figure in figures if figure.verdict == "known misprint"]
    print_table(
        [row(figure, "undefined" if isnan(figure.computed) else f"{figure.computed:.7g}") for figure in figures],
        group="source",
    )
    agree = len(figures) - len(differ) - len(misprints)
    print(f"{agree} figures agree, {len(misprints)} are known misprints, {len(differ)} DIFFER", file=sys.stderr)
    return int(bool(differ))


def row(figure: published.Figure, computed: str | float | None) -> dict[str, Any]:
    return {
        "source": figure.source,
        "where": figure.where,
        "what": figure.what,
        "printed": figure.printed,
        "computed": computed,
        "verdict": figure.verdict + (f": {figure.misprint}" if figure.verdict == "known misprint" else ""),
    }


def print_table(rows: Sequence[dict[str, Any]], group: str) -> None:
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
    for title, members in groupby(rows, key=lambda row: row[group]):
        table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
        for name in rows[0]:
            if name != group:
                table.add_column(name, justify="right" if name in ("printed", "computed") else "left")
        for row in members:
            cells = [str(value) for name, value in row.items() if name != group]
            table.add_row(*(Text(cell, style="bold red" if cell == "DIFFERS" else "") for cell in cells))
        console.print(table)
