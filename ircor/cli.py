"""The `ircor` command: parses, calls the modules, prints."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from itertools import groupby
from math import isnan
from typing import Any

from . import crosscheck, published
from ._files import whole_file
from ._watch import watched

# Columns of numbers that are text already.
RIGHT = {"printed", "computed", "largest difference"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0, 1 if a check failed, or 2 for bad usage."""
    parser = argparse.ArgumentParser(prog="ircor", description="Rank correlation for information retrieval.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {installed_version()}")
    commands = parser.add_subparsers(metavar="command", required=True)

    command = commands.add_parser(
        "reproduce",
        help="recompute every figure that the papers print",
        description="Recompute every figure that the papers and the R package ircor print, and compare: a figure "
        "agrees to the printed digits, is a known misprint, is known not to be reproduced, or DIFFERS, which makes "
        "the exit status 1.",
        epilog="example: ircor reproduce --json > figures.json",
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")
    command.set_defaults(run=reproduce)

    command = commands.add_parser(
        "crosscheck",
        help="compare with R on random rankings or on your own data",
        description="Ask Python and R the same questions and compare the answers: values, refusals word for word, and "
        "signatures. R's side is the original package ircor where R has it, else the reference written from the "
        "papers' formulas, else the record of what ircor 1.0 answered. The exit status is 1 if they disagree, and 2 if "
        "what was asked for is not there.",
        epilog="example: ircor crosscheck --data scores.csv --json report.json",
    )
    command.add_argument("--cases", type=positive, default=10_000, help="random cases (default: 10000)")
    command.add_argument("--seed", type=int, default=2017, help="of the random cases (default: 2017)")
    command.add_argument("--oracle", choices=crosscheck.ORACLES, default="auto", help="what to compare with")
    command.add_argument(
        "--functions", nargs="+", choices=list(crosscheck.FUNCTIONS), metavar="NAME", help="only these functions"
    )
    command.add_argument(
        "--tolerance", type=tolerance, default=1e-12, help="largest difference allowed (default: 1e-12)"
    )
    command.add_argument(
        "--data", metavar="FILE", help="compare on all pairs of number columns of this CSV or TSV file"
    )
    command.add_argument("--json", metavar="FILE", help="write the report to this file too")
    command.add_argument("--require-original", action="store_true", help="the same as --oracle original")
    command.set_defaults(run=cross_check)

    options = parser.parse_args(arguments)
    try:
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep Python from complaining of it when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ImportError as error:
        print(f"ircor: {error}: pip install 'ircor[cli]'", file=sys.stderr)
        return 2
    except (crosscheck.RUnavailableError, OSError, ValueError) as error:
        print(f"ircor: {error}", file=sys.stderr)
        return 2


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def tolerance(text: str) -> float:
    if not 0 <= (number := float(text)) < 1:
        raise ValueError
    return number


def installed_version() -> str:
    from importlib.metadata import version

    return version("ircor")


def reproduce(options: argparse.Namespace) -> int:
    figures = published.figures()
    verdicts = Counter(figure.verdict for figure in figures)
    if options.json:
        rows = [
            row(figure, None if isnan(figure.computed) else figure.computed)
            | {"verdict": figure.verdict, "reason": figure.reason}
            for figure in figures
        ]
        print(json.dumps(rows, indent=2, allow_nan=False))
        return int(verdicts["DIFFERS"] > 0)
    print_table(
        [row(figure, "undefined" if isnan(figure.computed) else f"{figure.computed:.7g}") for figure in figures],
        group="source",
    )
    print(
        f"{verdicts['agrees']} figures agree, {verdicts['known misprint']} are known misprints, "
        f"{verdicts['not reproduced']} are not reproduced, {verdicts['DIFFERS']} DIFFER",
        file=sys.stderr,
    )
    return int(verdicts["DIFFERS"] > 0)


def cross_check(options: argparse.Namespace) -> int:
    oracle = crosscheck.find_oracle("original" if options.require_original else options.oracle)
    functions = {name: crosscheck.FUNCTIONS[name] for name in options.functions or crosscheck.FUNCTIONS}
    seed = None
    cases: Iterable[crosscheck.Case]
    if isinstance(oracle, crosscheck.Record):
        if options.data:
            raise crosscheck.RUnavailableError(f"--data needs R, the record knows nothing of your data: {oracle.note}")
        if oracle.note:
            print(f"ircor: {oracle.note}", file=sys.stderr)
        cases, count = oracle.cases, len(oracle.cases)
    elif options.data:
        cases = crosscheck.table_cases(crosscheck.read_columns(options.data))
        count = len(cases)
    else:
        seed, count = options.seed, options.cases
        cases = crosscheck.random_cases(count, options.seed)
    with whole_file(options.json) if options.json else nullcontext(io.StringIO()) as json_file:
        with watched(count, None) as progress:
            report = crosscheck.run(oracle, cases, functions, tolerance=options.tolerance, seed=seed, progress=progress)
        if seed is not None and not options.functions:
            crosscheck.compare_base(report, seed)
            if isinstance(oracle, crosscheck.RPackage) and oracle.kind == "reference":
                crosscheck.compare_drank(report, oracle, seed)
                crosscheck.compare_averages(report, oracle, seed)
                crosscheck.compare_organization(report, oracle, seed)
                crosscheck.compare_measures(report, oracle, seed)
        json_file.write(report.as_json() + "\n")

    print(f"{report.oracle}: {oracle.package} {report.oracle_version}, {report.r_version}")
    print(f"Python {report.python_version}, ircor {report.ircor_version}", end="")
    print(f", tolerance {report.tolerance:g}" + (f", seed {seed}" if seed is not None else ""))
    print_table([tally_row(name, tally) for name, tally in report.functions.items()])
    for difference in report.signatures:
        print(f"signatures differ: {difference}")
    for found in report.disagreements:
        print(f"\n{found.function} disagrees ({found.case}): Python {found.python}, R {found.r}")
        print(f"R:      {found.r_call}\nPython: {found.python_call}")
    print("Python and R agree" if report.agrees else "Python and R DISAGREE", file=sys.stderr)
    return int(not report.agrees)


def tally_row(name: str, tally: crosscheck.Tally) -> dict[str, Any]:
    return {
        "function": name,
        "cases": tally.cases,
        "refusals that agree": tally.refusals,
        "differ on purpose": tally.allowed,
        "largest difference": f"{tally.largest_difference:.2g}",
        "where": tally.where or "-",
        "disagree": tally.disagreements,
    }


def row(figure: published.Figure, computed: str | float | None) -> dict[str, Any]:
    return {
        "source": figure.source,
        "where": figure.where,
        "what": figure.what,
        "printed": figure.printed,
        "computed": computed,
        "verdict": figure.verdict + (f": {figure.reason}" if figure.reason else ""),
    }


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
        shown = [{name: value for name, value in row.items() if name != group} for row in members]
        for name, value in shown[0].items():
            table.add_column(name, justify="right" if name in RIGHT or isinstance(value, int) else "left")
        for row in shown:
            table.add_row(*(Text(str(cell), style="bold red" if cell == "DIFFERS" else "") for cell in row.values()))
        console.print(table)
