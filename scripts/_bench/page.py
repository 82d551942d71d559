"""The tables of a run, in Markdown between the markers of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MARKED = re.compile(
    r"^(<!-- bench: (?P<name>[^>]+?) -->\n)((?:(?!<!-- bench:).)*?)^(<!-- end of bench -->)$", re.DOTALL | re.MULTILINE
)


class PageError(ValueError):
    """A page that cannot be written from a run."""


def tables_of(text: str, where: str) -> list[re.Match[str]]:
    """The places for tables in a page."""
    opened, closed = text.count("<!-- bench:"), text.count("<!-- end of bench -->")
    found = list(MARKED.finditer(text))
    if not found or not opened == closed == len(found):
        raise PageError(
            f"{where}: there are {opened} markers <!-- bench: NAME --> and {closed} markers <!-- end of bench -->, and "
            f"{len(found)} pairs of them: each must be a line of its own, in turns"
        )
    return found


def written(text: str, run: dict[str, Any], where: str) -> str:
    """The page with all of its tables from one run."""
    names = [match["name"] for match in tables_of(text, where)]
    missing = [name for name in names if name != "run" and name not in run["figures"]]
    if missing:
        raise PageError(f"{where}: the run of {run['date']} has no figures for: {', '.join(missing)}")
    return MARKED.sub(lambda match: f"{match[1]}\n{block(match['name'], run)}\n\n{match[4]}", text)


def block(name: str, run: dict[str, Any]) -> str:
    return environment(run) if name == "run" else table(run["figures"][name])


def table(rows: dict[str, dict[str, list[float | None]]]) -> str:
    """Rows and columns in the order in which they were measured; empty where nothing was."""
    columns = list(dict.fromkeys(column for cells in rows.values() for column in cells))
    lines = [["", *columns], ["---"] * (1 + len(columns))]
    lines += [[row, *(shown(cells[c][0]) if c in cells else "" for c in columns)] for row, cells in rows.items()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines).replace("|  |", "| |").replace("|  |", "| |")


def shown(value: float | None) -> str:
    """Two digits, since a third would not be the same in the next run."""
    if value is None:
        return ""
    two = float(f"{value:.2g}")
    return f"{two:,.0f}" if abs(two) >= 100 else f"{two:.2g}"


def environment(run: dict[str, Any]) -> str:
    said = f"One run on {run['machine']} with {run['cores']} cores: "
    said += ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    if run["without"]:
        said += ". Not measured: " + ", ".join(run["without"])
    return said + "."


def last_of(runs: list[dict[str, Any]], where: str) -> dict[str, Any]:
    """The last run that was made for the pages."""
    for run in reversed(runs):
        if run.get("docs"):
            return run
    raise PageError(f"{where}: no run with --docs is in it")


def write(pages: Iterable[Path], run: dict[str, Any]) -> None:
    """Rewrite pages, all of them or none."""
    from ircor._core.files import whole_file

    texts = {path: written(path.read_text(encoding="utf-8"), run, str(path)) for path in pages}
    for path, text in texts.items():
        with whole_file(path, "text", force=True) as file:
            file.write(text)
