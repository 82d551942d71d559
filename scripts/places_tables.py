"""The tables of the page on coverage that have the measurements of scripts/places_coverage.py."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from coverage_tables import markdown, percent

FILE = Path(__file__).resolve().parents[1] / "docs" / "places-coverage.csv"

METHODS = {
    "bootstrap": "`bootstrap`, the default",
    "normal": "`normal`, the paper's",
    "t": "normal, over a common chi",
    "shrunk covariance": "normal, shrunk covariance",
    "own variances": "bootstrap, own variances alone",
    "common variance": "bootstrap, one variance for all",
    "holm": "paired t tests with Holm's correction",
    "tukey": "Tukey's HSD, topics as blocks",
    "intervals": "95% intervals of means that do not overlap",
    "bootstrap ranks": "2.5% to 97.5% of bootstrap ranks",
}


def measured(equal: bool) -> pd.DataFrame:
    """The rows for systems with the same true mean, or with their own."""
    rows = pd.read_csv(FILE)
    return rows[rows["equal"] == equal]


def sizes(rows: pd.DataFrame) -> list[tuple[Any, Any]]:
    return sorted(set(zip(rows["systems"], rows["topics"])))


def methods(equal: bool) -> Callable[[], str]:
    """In how many samples all sets hold, by method and size: the mean and the least over collections."""

    def table() -> str:
        rows = measured(equal)
        lines = []
        for method, title in METHODS.items():
            line = [title]
            for m, n in sizes(rows):
                some = rows[(rows["method"] == method) & (rows["systems"] == m) & (rows["topics"] == n)]
                decided = "" if equal or method == "bootstrap ranks" else f", {percent(some['decided'].mean())}"
                line.append(f"{percent(some['all'].mean())} ({percent(some['all'].min())}){decided}")
            lines.append(line)
        return markdown(["method", *(f"{m} x {n}" for m, n in sizes(rows))], lines)

    return table


def collections() -> str:
    """The default in each collection, the worst first: all sets of equal systems, all and each with their own means."""
    rows = pd.read_csv(FILE)
    ours = rows[rows["method"].isin(["bootstrap", "marginal"])]
    usual = ours[ours.groupby("collection")["systems"].transform("size") > 0]
    some = usual[usual[["systems", "topics"]].apply(tuple, axis=1).isin([(5, 15), (20, 25), (40, 50)])]
    lines = []
    for name, of_one in some.groupby("collection"):
        joint, own = (of_one[of_one["method"] == method] for method in ("bootstrap", "marginal"))
        equal = joint[joint["equal"]].sort_values(["systems", "topics"])["all"]
        true = joint[~joint["equal"]].sort_values(["systems", "topics"])["all"]
        each = own[own["equal"]].sort_values(["systems", "topics"])["each"]
        lines.append((equal.min(), [name, *map(percent, equal), percent(true.min()), percent(each.min())]))
    header = ["collection", "5 x 15", "20 x 25", "40 x 50", "own means, least", "marginal, least"]
    return markdown(header, [line for _, line in sorted(lines, key=lambda one: one[0])])


TABLES: dict[str, Callable[[], str]] = {
    "places: equal systems": methods(True),
    "places: own means": methods(False),
    "places: collections": collections,
}
