"""The tables of a run, in Markdown between the markers of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MARKED = re.compile(r"(<!-- bench: (?P<name>[\w -]+?) -->\n)(?P<body>.*?)(<!-- end of bench -->)", re.DOTALL)


class PageError(ValueError):
    """A page that cannot be written from a run."""


def written(text: str, run: dict[str, Any], where: str) -> str:
    """The page with all of its tables from one run."""
    opened, closed = text.count("<!-- bench:"), text.count("<!-- end of bench -->")
    found = list(MARKED.finditer(text))
    if not found or not opened == closed == len(found):
        raise PageError(
            f"{where}: {opened} markers <!-- bench: NAME --> and {closed} markers <!-- end of bench -->, "
            f"{len(found)} of them in pairs"
        )
    missing = [name for match in found if (name := match["name"]) != "run" and name not in run["figures"]]
    if missing:
        raise PageError(f"{where}: the run has no figures for: {', '.join(missing)}")
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
    """Two digits, since a third would not be the same in the next run; whole numbers above ten."""
    if value is None:
        return ""
    if abs(value) >= 100:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{value:.2g}"


def environment(run: dict[str, Any]) -> str:
    said = f"One run on {run['machine']} with {run['cores']} cores: "
    said += ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    if run["without"]:
        said += ". Not measured: " + ", ".join(run["without"])
    return said + "."


def write(pages: Iterable[Path], run: dict[str, Any]) -> None:
    """Rewrite pages, all of them or none."""
    from ircor._files import whole_file

    texts = {path: written(path.read_text(encoding="utf-8"), run, str(path)) for path in pages}
    for path, text in texts.items():
        with whole_file(path) as file:
            file.write(text)
