"""The pictures and the tables of the page on coverage, from the measurements of scripts/coverage."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import places_tables
import reliability_tables
from coverage_tables import markdown, percent

from ircor._core.files import whole_file
from ircor.plots._style import BLACK, BLUE, GREEN, TEXT, TITLE, VERMILION

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "coverage.md"
TARGETS = ["expected", "sample", "population"]
NOMINAL = 0.95
# The classes of the true coefficient: their bounds, and their middles as names.
CLASSES = [-1, 0.55, 0.65, 0.75, 0.85, 0.95, 1]
CLASS_NAMES = ["< 0.55", "0.6", "0.7", "0.8", "0.9", "> 0.95"]
# With 200 samples of topics, an interval that holds its level covers less than this in one setting of 200.
SUSPICIOUS = 0.91


def interval_rows(part: str | None = None) -> pd.DataFrame:
    """The measurements of the intervals, or of one part of them."""
    rows = pd.read_csv(DOCS / "coverage-intervals.csv")
    rows["ties"] = [x == "P_10" or y.startswith("P") for x, y in zip(rows["x"], rows["y"])]
    rows["level"] = pd.cut(rows["truth"], CLASSES, labels=CLASS_NAMES)
    return rows if part is None else rows[rows["part"] == part]


def test_rows() -> pd.DataFrame:
    return pd.read_csv(
        DOCS / "coverage-tests.csv", dtype={"ridge": str}, keep_default_na=False, na_values={"power": [""]}
    )


# Pictures


def targets() -> Any:
    """The mean coefficient in samples against the coefficient between true means."""
    rows = interval_rows("main")
    rows = rows[rows["statistic"] == "tau_b"]
    figure, ax = plt.subplots(figsize=(3.4, 3.0), layout="constrained")
    looks = zip((25, 50, 100, 250), (VERMILION, GREEN, BLUE, BLACK), "s^oD")
    for topics, colour, marker in looks:
        some = rows[rows["topics"] == topics]
        ax.plot(some["truth"], some["mean"], marker, color=colour, markersize=3.5, label=f"{topics} topics")
    ax.plot([0.4, 1], [0.4, 1], color="0.6", linewidth=0.8, zorder=0)
    ax.set_xlabel("tau_b between the true means (population)", fontsize=TEXT)
    ax.set_ylabel("mean of tau_b over samples (expected)", fontsize=TEXT)
    ax.tick_params(labelsize=TEXT)
    ax.legend(fontsize=TEXT, frameon=False)
    return figure


def coverage_by(column: str, title: str) -> Callable[[], Any]:
    """The coverage of each target by one factor, against the percentile interval."""

    def picture() -> Any:
        rows = interval_rows("main")
        figure, axes = plt.subplots(1, 3, figsize=(7.0, 2.4), sharey=True, layout="constrained")
        for ax, target in zip(axes, TARGETS):
            for name, colour, shift in ((f"old_{target}", VERMILION, 0.15), (target, BLUE, -0.15)):
                grouped = rows.groupby(column, observed=True)[name]
                least, low, median, high, most = (100 * grouped.quantile(q) for q in (0, 0.1, 0.5, 0.9, 1))
                at = np.arange(len(median)) + shift
                ax.vlines(at, least, most, color=colour, linewidth=1)
                ax.vlines(at, low, high, color=colour, linewidth=3.5)
                ax.plot(at, median, "o", color="white", markeredgecolor=colour, markersize=4)
            ax.axhline(100 * NOMINAL, color="0.6", linewidth=0.8, zorder=0)
            ax.set_xticks(np.arange(len(median)), [str(label) for label in median.index])
            ax.tick_params(labelsize=TEXT)
            ax.set_xlabel(title, fontsize=TEXT)
            ax.set_title(target, fontsize=TITLE)
        axes[0].set_ylabel("coverage (%)", fontsize=TEXT)
        handles = [plt.Line2D([], [], color=colour, linewidth=3.5) for colour in (BLUE, VERMILION)]
        names = ["ircor.bootstrap", "percentile interval"]
        figure.legend(handles, names, loc="outside upper center", ncol=2, fontsize=TEXT, frameon=False)
        return figure

    return picture


TEST_LOOKS = {
    "resample": ("resample", VERMILION, "s"),
    "two-sample": ("two-sample", BLUE, "o"),
    "two-sample, ridge 0": ("two-sample, ridge=0", GREEN, "^"),
}


def halves() -> pd.DataFrame:
    """The tests between halves of the same size, with the name of the test and of the shape."""
    rows = test_rows()
    rows = rows[(rows["topics"] == rows["other_topics"]) & (rows["null"] != "compare")].copy()
    rows["test"] = [null + (", ridge 0" if ridge == "0" else "") for null, ridge in zip(rows["null"], rows["ridge"])]
    rows["shape"] = [f"{topics} x {systems}" for topics, systems in zip(rows["topics"], rows["systems"])]
    return rows


def sizes() -> Any:
    """How often each test rejects the ranking by another sample of topics."""
    rows = halves()
    shapes = list(dict.fromkeys(rows["shape"]))
    figure, ax = plt.subplots(figsize=(5.5, 2.8), layout="constrained")
    for test, (label, colour, marker) in TEST_LOOKS.items():
        some = rows[rows["test"] == test]
        ax.plot(
            [shapes.index(shape) for shape in some["shape"]],
            100 * some["size"],
            marker,
            color=colour,
            markersize=4.5,
            markerfacecolor="none",
            label=label,
        )
    ax.axhline(5, color="0.6", linewidth=0.8, zorder=0)
    ax.set_xticks(range(len(shapes)), shapes)
    ax.tick_params(labelsize=TEXT)
    ax.set_xlabel("topics in each half x systems", fontsize=TEXT)
    ax.set_ylabel("rejected at 5 % (%)", fontsize=TEXT)
    ax.legend(fontsize=TEXT, frameon=False)
    return figure


PICTURES: dict[str, Callable[[], Any]] = {
    "coverage-targets": targets,
    "coverage-systems": coverage_by("systems", "systems"),
    "coverage-topics": coverage_by("topics", "topics"),
    "coverage-level": coverage_by("level", "coefficient between the true means"),
    "coverage-tests": sizes,
}


# Tables


def summary() -> str:
    """Quantiles over all settings of the main part, by target and coefficient."""
    rows, lines = interval_rows("main"), []
    for target in TARGETS:
        for statistic in ("tau_b", "tauAP_b"):
            for name, method in ((target, "`bootstrap`"), (f"old_{target}", "percentile")):
                values = rows.loc[rows["statistic"] == statistic, name]
                quantiles = [percent(values.quantile(q)) for q in (0, 0.1, 0.5, 0.9, 1)]
                lines.append([target, f"`{statistic}`", method, *quantiles])
    return markdown(["target", "coefficient", "interval", "least", "10 %", "median", "90 %", "most"], lines)


def by(columns: list[str]) -> Callable[[], str]:
    """The least and the median coverage in the main part by these columns."""

    def table() -> str:
        lines = []
        for key, rows in interval_rows("main").groupby(columns, observed=True):
            cells = [
                f"{percent(rows[name].median())} ({percent(rows[name].min())})" for name in (*TARGETS, "old_expected")
            ]
            lines.append([*({True: "yes", False: "no"}.get(part, part) for part in key), len(rows), *cells])
        return markdown([*columns, "settings", *TARGETS, "percentile, expected"], lines)

    return table


def listed(part: str, columns: list[str]) -> Callable[[], str]:
    """All settings of a part."""

    def table() -> str:
        lines = [
            [*(row[column] for column in columns), f"{row['truth']:.2f}", *(percent(row[target]) for target in TARGETS)]
            for _, row in interval_rows(part).iterrows()
        ]
        return markdown([*columns, "true value", *TARGETS], lines)

    return table


def small() -> str:
    """The smaller coverage of the two coefficients in small samples, by systems and topics."""
    lines = []
    for (systems, topics, collection), rows in interval_rows("small").groupby(["systems", "topics", "collection"]):
        cells = [percent(rows[target].min()) for target in TARGETS]
        lines.append(
            [
                systems,
                topics,
                collection,
                *cells,
                f"{rows['expected_width'].max():.2f}",
                percent(rows["undefined"].max()),
            ]
        )
    return markdown(["systems", "topics", "collection", *TARGETS, "width of expected", "undefined"], lines)


def failing() -> str:
    """The settings of the main part in which the interval of a target holds less often than chance explains."""
    lines = []
    for target in TARGETS:
        rows = interval_rows("main").sort_values(target, kind="stable")
        for _, row in rows[rows[target] < SUSPICIOUS].iterrows():
            names = [row[name] for name in ("collection", "x", "y", "systems", "topics", "statistic")]
            lines.append([target, *names, f"{row['truth']:.2f}", percent(row[target])])
    header = ["target", "collection", "x", "y", "systems", "topics", "coefficient", "true value", "coverage"]
    return markdown(header, lines)


def tests() -> str:
    """Size and power for halves of the same size."""
    lines = []
    for (topics, systems, collection), rows in halves().groupby(["topics", "systems", "collection"], sort=False):
        found = rows.set_index("test")
        cells = [percent(found["size"].get(test, np.nan)) for test in TEST_LOOKS]
        powers = [percent(found["power"].get(test, np.nan)) for test in TEST_LOOKS]
        lines.append([topics, systems, collection, *cells, *powers])
    names = list(TEST_LOOKS)
    header = [
        "topics",
        "systems",
        "collection",
        *(f"size: {name}" for name in names),
        *(f"power: {name}" for name in names),
    ]
    return markdown(header, lines)


def unequal() -> str:
    rows = test_rows()
    rows = rows[rows["topics"] != rows["other_topics"]]
    lines = [
        [row["topics"], row["other_topics"], row["systems"], row["collection"], percent(row["size"])]
        for _, row in rows.iterrows()
    ]
    return markdown(["topics of the scores", "topics of the ranking", "systems", "collection", "rejected"], lines)


def separate() -> str:
    """Coverage of tau_b for two tables with different topics."""
    return apart("coverage-separate.csv")


def apart(file: str) -> str:
    rows = pd.read_csv(DOCS / file)
    lines = [
        [
            *(row[name] for name in ("collection", "x", "y", "systems", "topics", "other_topics")),
            f"{row['truth']:.2f}",
            *(percent(row[target]) for target in TARGETS),
        ]
        for _, row in rows.iterrows()
    ]
    header = ["collection", "x", "y", "systems", "topics of x", "topics of y", "true value", *TARGETS]
    return markdown(header, lines)


def overlaps() -> str:
    """The median and the least coverage of rank-biased overlap, by p and the size of the sample."""
    table = pd.read_csv(DOCS / "coverage-overlap.csv")
    table["p"] = table["statistic"].str.removeprefix("rbo ")
    lines = [
        [*key, *(f"{percent(rows[target].median())} ({percent(rows[target].min())})" for target in TARGETS)]
        for key, rows in table.groupby(["p", "systems", "topics"])
    ]
    return markdown(["p", "systems", "topics", *TARGETS], lines)


def overlaps_apart() -> str:
    """Coverage of rank-biased overlap for two tables with different topics."""
    return apart("coverage-overlap-separate.csv")


def verdicts() -> str:
    rows = test_rows()
    lines = [
        [row["topics"], row["systems"], row["collection"], percent(1 - row["size"])]
        for _, row in rows[rows["null"] == "compare"].iterrows()
    ]
    return markdown(["topics", "systems", "collection", "not different"], lines)


TABLES: dict[str, Callable[[], str]] = {
    "summary": summary,
    "by size": by(["systems", "topics"]),
    "by level and ties": by(["level", "ties"]),
    "differences": listed("differences", ["collection", "x", "y", "statistic", "systems", "topics"]),
    "coefficients": listed("coefficients", ["systems", "topics", "statistic"]),
    "small": small,
    "separate": separate,
    "overlaps": overlaps,
    "overlaps, separate": overlaps_apart,
    "failing": failing,
    "tests": tests,
    "unequal": unequal,
    "verdicts": verdicts,
    **reliability_tables.TABLES,
    **places_tables.TABLES,
}


def filled(page: str) -> str:
    """The page with its tables: each stands between a comment with its name and a comment with "end"."""
    return re.sub(
        r"(<!-- table: (.+?) -->\n).*?(<!-- end -->)",
        lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[3]}",
        page,
        flags=re.DOTALL,
    )


def draw() -> None:
    """Draw the pictures and write the tables of the page again."""
    from pictures import save

    save(PICTURES, DOCS / "pictures")
    page = filled(PAGE.read_text(encoding="utf-8"))
    with whole_file(PAGE, "text", force=True) as file:
        file.write(page)
