"""The ratios of earlier runs, a line of JSON each, and which ratios have become worse since."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .figures import Figure

KIND = ("processor", "cores", "quick")
"""What two runs must have in common to be compared."""


class HistoryError(ValueError):
    """A line that is no run."""


def runs_of(path: Path) -> list[dict[str, Any]]:
    """The runs in a file, oldest first; none if there is no such file."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [run_of(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]


def run_of(line: str, where: str) -> dict[str, Any]:
    try:
        run = json.loads(line)
    except ValueError as error:
        raise HistoryError(f"{where}: this is not JSON: {error}") from None
    if not isinstance(run, dict):
        raise HistoryError(f"{where}: this is no run of scripts/bench: it must be a JSON object")
    missing = [key for key in ("date", "commit", *KIND, "figures") if key not in run]
    if missing:
        raise HistoryError(f"{where}: this is no run of scripts/bench: it lacks {', '.join(missing)}")
    return run


def nested(figures: Iterable[Figure]) -> dict[str, dict[str, dict[str, list[float | None]]]]:
    """The ratios as table, row, column: of processor time, and of elapsed time."""
    tables: dict[str, dict[str, dict[str, list[float | None]]]] = {}
    for figure in figures:
        if not figure.absolute:
            cells = tables.setdefault(figure.table, {}).setdefault(figure.row, {})
            if figure.column in cells:
                raise ValueError(f"measured twice: {figure.what}")
            cells[figure.column] = [rounded(figure.value), rounded(figure.wall)]
    return tables


def rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


def append(path: Path, run: dict[str, Any]) -> None:
    """Add a line; the file is replaced as a whole, so that it is never half written."""
    from ircor._core.files import whole_file

    before = path.read_text(encoding="utf-8") if path.exists() else ""
    with whole_file(path, "text", force=True) as file:
        file.write(before + json.dumps(run) + "\n")


def slowdowns(
    figures: Iterable[Figure], runs: list[dict[str, Any]], run: dict[str, Any], factor: float
) -> Iterator[str]:
    """A sentence for each figure that is worse by this factor than in the last run of the same kind that has it."""
    alike = [before for before in runs if all(before[key] == run[key] for key in KIND)]
    for figure in figures:
        for before in reversed(alike):
            try:
                value = before["figures"][figure.table][figure.row][figure.column][0]
            except KeyError:
                continue
            worse = figure.worse_than(value)
            if worse > factor and not figure.absolute:
                yield (
                    f"{figure.what}: {value:.3g} before and {figure.value:.3g} now, {worse:.2f} times worse than in "
                    f"the run of {before['date']} ({before['commit']})"
                )
            break
