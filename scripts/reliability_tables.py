"""The tables of the page on coverage that have the measurements of scripts/reliability_coverage.py."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd
from coverage_tables import markdown, percent

DOCS = Path(__file__).resolve().parents[1] / "docs"

ESTIMATES = ("ML", "MSQD", "RES", "curve")
INTERVALS = ("own", "25", "100", "250", "1000", "needed")
COMPONENTS = ("systems", "topics", "interaction", "e_rho2", "phi", "feldt")


def expected_rows(method: str) -> pd.DataFrame:
    """The measurements of the expected coefficient of this name."""
    rows = pd.read_csv(DOCS / "reliability-expected.csv")
    return rows[rows["method"] == method]


def by_size(rows: pd.DataFrame, cells: Callable[[pd.DataFrame], Iterable[Any]]) -> list[list[Any]]:
    """A line for each number of systems and of topics, with cells for its collections."""
    return [[*size, *cells(some)] for size, some in rows.groupby(["systems", "topics"])]


def estimates(method: str) -> Callable[[], str]:
    """The mean error of each estimate of an expected coefficient, over the collections."""

    def table() -> str:
        rows = expected_rows(method)

        def cells(some: pd.DataFrame) -> Iterable[str]:
            yield f"{some['truth'].mean():.2f}"
            for name in ESTIMATES:
                errors = some[name] - some["truth"]
                yield f"{errors.mean():+.3f} ({errors.min():+.2f} to {errors.max():+.2f})"

        return markdown(["systems", "topics", f"true {method}", *ESTIMATES], by_size(rows, cells))

    return table


def intervals(method: str) -> Callable[[], str]:
    """The mean and the least coverage of the intervals of the curve, over the collections."""

    def table() -> str:
        rows = expected_rows(method)

        def cells(some: pd.DataFrame) -> Iterable[str]:
            return [mean_and_least(some[f"holds_{name}"]) for name in INTERVALS]

        header = ["its own", *(f"{name} topics" for name in INTERVALS[1:-1]), "topics needed"]
        return markdown(["systems", "topics", *header], by_size(rows, cells))

    return table


def needed() -> str:
    """The topics needed for tau 0.9 over the true number: medians, by the curve and by the plain formula."""
    rows = expected_rows("tau")
    lines = []
    for (systems, topics), some in rows.groupby(["systems", "topics"]):
        cells = [
            f"{some[name].median():.2f} ({some[name].min():.2f} to {some[name].max():.2f})"
            for name in ("needed_ratio", "plain_ratio")
        ]
        lines.append([systems, topics, *cells, f"{some['width'].median():.1f}"])
    return markdown(["systems", "topics", "by the curve", "by the plain formula", "high / low"], lines)


def components() -> str:
    """The mean and the least coverage of the intervals of generalizability theory, over the collections."""
    rows = pd.read_csv(DOCS / "reliability-components.csv")

    def cells(some: pd.DataFrame) -> Iterable[str]:
        return [mean_and_least(some[f"holds_{name}"]) for name in COMPONENTS]

    header = ["systems", "topics", "s", "t", "e", "E rho^2", "Phi", "E rho^2, Feldt"]
    return markdown(header, by_size(rows, cells))


def fields() -> str:
    """The expected tau in fields of systems whose true means are not normal, and how often that is noticed."""
    lines = []
    for _, row in pd.read_csv(DOCS / "reliability-fields.csv").iterrows():
        errors = [f"{row[name] - row['truth']:+.3f}" for name in ("ML", "curve")]
        held = [percent(row[f"holds_{name}"]) for name in ("own", "needed")]
        ratio = "" if pd.isna(row["needed_ratio"]) else f"{row['needed_ratio']:.2f}"
        names = [row["collection"], row["systems"], row["topics"], f"{row['truth']:.2f}"]
        lines.append([*names, *errors, *held, ratio, percent(row["uneven"])])
    header = ["true means", "systems", "topics", "true tau", "ML", "curve", "its interval", "that of topics needed"]
    return markdown([*header, "needed / true", "noticed"], lines)


def mean_and_least(shares: "pd.Series[float]") -> str:
    return f"{percent(shares.mean())} ({percent(shares.min())})"


TABLES: dict[str, Callable[[], str]] = {
    "reliability: tau": estimates("tau"),
    "reliability: tauAP": estimates("tauAP"),
    "reliability: needed": needed,
    "reliability: intervals of tau": intervals("tau"),
    "reliability: intervals of tauAP": intervals("tauAP"),
    "reliability: components": components,
    "reliability: fields": fields,
}
