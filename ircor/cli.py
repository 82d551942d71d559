"""The `ircor` command: parses, calls the modules, prints."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from . import averages, crosscheck, published, trec
from ._check import tie_means
from ._dominance import Dominance, Ranking
from ._files import whole_file
from ._report import Report, as_csv, check_targets, print_table, show
from ._scores import Scores
from ._watch import watched
from .organization import evaluate_runs
from .rank_distance import DrankNull, DrankResult, discriminative_power, drank
from .rbase import r_rank
from .tables import METHODS, bootstrap, cor, cor_by, permutation_test

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    Array = npt.NDArray[np.float64]

SOURCE = (
    "trec_eval -q output (a file, a folder, or a quoted pattern), a CSV or TSV table of topics by systems or in long "
    "form (system, topic, measure, value), or sample:MEASURE for the sample data"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0, 1 if a check failed, or 2 for bad usage."""
    parser = argparse.ArgumentParser(prog="ircor", description="Rank correlation for information retrieval.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {installed_version()}")
    commands = parser.add_subparsers(metavar="command", required=True)

    def command(name: str, run: Callable[..., Any], about: str, more: str, example: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=more, epilog=f"example: {example}")
        added.set_defaults(run=run)
        return added

    added = command(
        "cor",
        correlate,
        "all coefficients between two columns, and which one suits",
        "Correlate two columns of a CSV or TSV file: all coefficients that apply, which one suits, and the pairs of "
        "items whose swap costs AP correlation the most.",
        "ircor cor scores.csv --x map --y P_10 --permutations 9999",
    )
    added.add_argument("file", help="a CSV or TSV file with a row for each item; its first text column names them")
    added.add_argument("--x", required=True, metavar="COL", help="the first column; the truth, if there is one")
    added.add_argument("--y", required=True, metavar="COL", help="the second column")
    added.add_argument("--increasing", action="store_true", help="the least value stands on top: for ranks")
    added.add_argument("--bootstrap", type=positive, metavar="N", help="intervals from so many resamples of the items")
    added.add_argument("--permutations", type=positive, metavar="N", help="p-values from so many permutations")
    common(added, plot="the two rankings, joined by lines")

    added = command(
        "compare",
        compare,
        "two measures, or two collections, by how they rank the same systems",
        "Compare two sets of scores of the same systems: rankings side by side, coefficients with intervals from "
        "resampled topics, rank distance with its test, discriminative power, and a conclusion.",
        "ircor compare sample:map sample:P_10",
    )
    added.add_argument("a", help=f"the first: {SOURCE}")
    added.add_argument("b", help="the second, likewise")
    measures(added, "the measure; given twice, that of the first and that of the second")
    resampling(added)
    common(added, plot="the two rankings, joined by lines")

    added = command(
        "table",
        tabulate,
        "all measures, or columns, against each other",
        "Correlate all measures in trec_eval output or in a long table, or all columns of a table of items, or the "
        "systems' means in several tables, with each other.",
        "ircor table sample --method tauAP_b --drank",
    )
    added.add_argument("files", nargs="+", metavar="file", help=f"{SOURCE}; or a CSV or TSV file of items by columns")
    added.add_argument("--method", choices=list(METHODS), default="tau_b", help="the coefficient (default: tau_b)")
    added.add_argument("--increasing", action="store_true", help="the least value stands on top: for ranks")
    added.add_argument(
        "--drank", action="store_true", help="rank distances below the diagonal, of the row from the column"
    )
    measures(added, "only this measure; can be given several times")
    common(added, plot="the table as a heat map")

    added = command(
        "drank",
        distance,
        "the rank distance of one ranking of systems from another",
        "The rank distance of Carterette (SIGIR 2009) of the second ranking from the scores of the first, and "
        "whether another sample of topics could have made it.",
        "ircor drank sample:map sample:recip_rank",
    )
    added.add_argument("a", help=f"the reference: {SOURCE}")
    added.add_argument("b", help="what ranks the same systems, likewise")
    added.add_argument("--ridge", type=float, help="what to add to the variances; by default as much as is needed")
    measures(added, "the measure; given twice, that of the first and that of the second")
    resampling(added)
    common(added, plot="the distances by chance, and the observed one")

    added = command(
        "rs",
        organize,
        "Reliability and Sensitivity of a ranked run",
        "Reliability and Sensitivity (Amigo et al., SIGIR 2013) of a run in TREC's format, "
        "for each topic and in the mean.",
        "ircor rs my.run qrels.txt --top 30 --weight 0.8",
    )
    added.add_argument("file", metavar="RUN", help="the run")
    added.add_argument("qrels", metavar="QRELS", help="the relevance judgments")
    added.add_argument("--top", type=positive, required=True, help="so many documents")
    added.add_argument("--weight", type=float, required=True, help="carry this share of the score, between 0 and 1")
    added.add_argument("--min-relevance", type=int, default=1, help="the lowest grade that is relevant (default: 1)")
    added.add_argument("--binary", action="store_true", help="all relevant documents are alike, whatever their grades")
    added.add_argument("--ties", choices=("level", "trec_eval"), default="level", help="equal scores (default: level)")
    common(added, plot="both scores of every topic")

    added = command(
        "gmap",
        geometric,
        "means and geometric means over topics",
        "The mean and the geometric mean over topics of every system, and what the choice does to their ranking "
        "(Robertson, CIKM 2006).",
        "ircor gmap sample:map --zeros trec_eval",
    )
    added.add_argument("files", nargs="+", metavar="file", help=SOURCE)
    added.add_argument("--eps", type=float, default=1e-5, help="what stands in for zero (default: 1e-5)")
    added.add_argument(
        "--zeros",
        choices=("add", "floor", "trec_eval", "strict"),
        default="add",
        help="the rule for zeros (default: add)",
    )
    measures(added, "the measure")
    common(added, plot="the systems under both means")

    added = command(
        "sample",
        write_sample,
        "write the sample data as files",
        "Write the sample data: trec_eval -q output and a run for each of 30 systems, "
        "relevance judgments, and a table.",
        "ircor sample data && ircor compare data/eval data/eval --measure map --measure P_10",
    )
    added.add_argument("folder", help="where to")

    added = command(
        "reproduce",
        reproduce,
        "recompute every figure that the papers print",
        "Recompute every figure that the papers and the R package ircor print, and compare: a figure agrees to the "
        "printed digits, is a known misprint, is known not to be reproduced, or DIFFERS, "
        "which makes the exit status 1.",
        "ircor reproduce --json > figures.json",
    )
    outputs(added)

    added = command(
        "crosscheck",
        cross_check,
        "compare with R on random rankings or on your own data",
        "Ask Python and R the same questions and compare the answers: values, refusals word for word, and "
        "signatures. R's side is the original package ircor where R has it, else the reference written from the "
        "papers' formulas, else the record of what ircor 1.0 answered. "
        "The exit status is 1 if they disagree, and 2 if what was asked for is not there.",
        "ircor crosscheck --data scores.csv --json report.json",
    )
    added.add_argument("--cases", type=positive, default=10_000, help="random cases (default: 10000)")
    added.add_argument("--seed", type=int, default=2017, help="of the random cases (default: 2017)")
    added.add_argument("--oracle", choices=crosscheck.ORACLES, default="auto", help="what to compare with")
    added.add_argument(
        "--functions", nargs="+", choices=list(crosscheck.FUNCTIONS), metavar="NAME", help="only these functions"
    )
    added.add_argument("--tolerance", type=tolerance, default=1e-12, help="largest difference allowed (default: 1e-12)")
    added.add_argument("--data", metavar="FILE", help="compare on all pairs of number columns of this CSV or TSV file")
    added.add_argument("--json", metavar="FILE", help="write the report to this file too")
    added.add_argument("--csv", metavar="FILE", help="write the table to this file too")
    added.add_argument("--require-original", action="store_true", help="the same as --oracle original")

    options = parser.parse_args(arguments)
    try:
        if options.run is not cross_check and hasattr(options, "json"):
            check_targets(options.json, options.csv, getattr(options, "plot", None))
        answer = options.run(options)
        if isinstance(answer, Report):
            answer = show(answer, options.json, options.csv, getattr(options, "plot", None))
        sys.stdout.flush()
        return int(answer)
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep Python from complaining of it when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("ircor: interrupted", file=sys.stderr)
        return 130
    except ImportError as error:
        print(f"ircor: {error}: pip install 'ircor[cli]'", file=sys.stderr)
        return 2
    except (crosscheck.RUnavailableError, OSError, ValueError) as error:
        print(f"ircor: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def outputs(parser: argparse.ArgumentParser) -> None:
    for form in ("json", "csv"):
        parser.add_argument(
            f"--{form}",
            nargs="?",
            const="-",
            metavar="FILE",
            help=f"print {'all as JSON' if form == 'json' else 'the first table as CSV'}, or write it to this file",
        )


def common(parser: argparse.ArgumentParser, plot: str) -> None:
    outputs(parser)
    parser.add_argument("--plot", metavar="FILE", help=f"draw {plot} (png, svg or pdf)")
    parser.add_argument("--seed", type=from_zero, default=1, help="of whatever is random (default: 1)")
    parser.add_argument("--jobs", type=jobs, default=1, help="processors to use, -1 for all (default: 1)")


def measures(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("--measure", action="append", default=[], metavar="NAME", help=about)
    parser.add_argument(
        "--missing",
        choices=("error", "zero", "drop"),
        default="error",
        help="where a system has no score for a topic: refuse, take it for 0, or drop the topic (default: error)",
    )


def resampling(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--resamples", type=positive, default=10_000, help="samples of topics (default: 10000)")


def positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def from_zero(text: str) -> int:
    if (number := int(text)) < 0:
        raise ValueError
    return number


def jobs(text: str) -> int:
    if (number := int(text)) == 0:
        raise ValueError
    return number


def tolerance(text: str) -> float:
    if not 0 <= (number := float(text)) < 1:
        raise ValueError
    return number


def installed_version() -> str:
    from importlib.metadata import version

    return version("ircor")


def load(source: str, measure: str | None, missing: trec.Missing = "error") -> pandas.DataFrame:
    """Scores from whatever the name stands for: topics by systems, for one measure or several."""
    if is_sample(source):
        from ._sample import sample

        named = source.partition(":")[2]
        if named and measure not in (None, named):
            raise ValueError(f"{source} names its measure already, and --measure names {measure!r}")
        return sample(named or measure)
    if is_csv(source):
        return trec.read_table(source, measure, missing=missing)
    return trec.read_eval(source, measure, missing=missing)


def is_sample(source: str) -> bool:
    return source == "sample" or source.startswith("sample:")


def is_csv(source: str) -> bool:
    return source.removesuffix(".gz").endswith((".csv", ".tsv"))


def two_tables(options: argparse.Namespace) -> tuple[list[str], list[pandas.DataFrame]]:
    """The names and the scores of the two sides of a comparison, with the systems of both in one order."""
    if len(options.measure) > 2:
        raise ValueError("--measure can be given twice at the most, for the first and for the second")
    sides = options.a, options.b
    wanted = [options.measure[0], options.measure[-1]] if options.measure else [None, None]
    tables = [trec.one_measure(load(side, name, options.missing), side) for side, name in zip(sides, wanted)]
    options.notes = missing_notes(*tables)
    tables = [table.sort_index(axis=1) for table in tables]
    first, second = (set(table.columns) for table in tables)
    for here, there, side in ((first, second, sides[1]), (second, first, sides[0])):
        if absent := sorted(here - there):
            raise ValueError(f"{side} does not have the systems {', '.join(absent[:10])}")
    if len(first) < 2:
        raise ValueError(f"{sides[0]} has one system, and a ranking needs two")
    if options.missing == "drop":
        common = [topic for topic in tables[0].index if topic in tables[1].index]
        tables = [table.loc[common] for table in tables]
    names = [name or side for side, name in zip(sides, wanted)] if wanted[0] != wanted[1] else list(sides)
    if names[0] == names[1]:
        names = [f"{names[0]} ({letter})" for letter in "ab"]
    return names, tables


def missing_notes(*tables: pandas.DataFrame) -> list[str]:
    """What was done about missing scores."""
    return list(dict.fromkeys(table.attrs["missing"] for table in tables if "missing" in table.attrs))


def places(means: Array) -> Array:
    """1 for the best; ties share the mean of their places."""
    return r_rank(-means)


def compare(options: argparse.Namespace) -> Report:
    from . import plots

    names, (A, B) = two_tables(options)
    x, y = means_of(A), means_of(B)
    means = [x.to_numpy(), y.to_numpy()]
    ranks = [places(each) for each in means]
    order = np.lexsort((ranks[1], ranks[0]))
    moved = [
        {
            "system": A.columns[k],
            f"mean {names[0]}": means[0][k],
            f"mean {names[1]}": means[1][k],
            f"rank {names[0]}": f"{ranks[0][k]:g}",
            f"rank {names[1]}": f"{ranks[1][k]:g}",
            "move": f"{ranks[0][k] - ranks[1][k]:+g}",
        }
        for k in order
    ]
    same_topics = set(A.index) == set(B.index)
    found = [coefficient_row(name, means, (A, B) if same_topics else None, options) for name in COMPARED]
    null = DrankNull(A, resamples=options.resamples, seed=options.seed, n_jobs=options.jobs)
    result = null.test(y, A)
    power = discriminative_power(y, A)
    chance = p_value(result.pvalue, result.resamples)
    test = [
        {"d_rank": result.statistic, "p-value": chance, "ridge": f"{result.ridge:g}", "discriminative power": power}
    ]
    tied = Dominance(Ranking(means[0]), Ranking(means[1]))
    sentence = conclusion(names, found, result, power, tied.x.tied_pairs + tied.y.tied_pairs - 2 * tied.tied_pairs)
    notes = options.notes
    if not same_topics:
        notes.append("the two have different topics, so there are no intervals from resampled topics")
    data = {
        "a": names[0],
        "b": names[1],
        "systems": [
            {
                "system": A.columns[k],
                "mean_a": means[0][k],
                "mean_b": means[1][k],
                "rank_a": ranks[0][k],
                "rank_b": ranks[1][k],
                "move": ranks[0][k] - ranks[1][k],
            }
            for k in order
        ],
        "coefficients": found,
        "d_rank": {
            "statistic": result.statistic,
            "pvalue": result.pvalue,
            "ridge": result.ridge,
            "made_equal": result.equalised,
        },
        "discriminative_power": power,
        "conclusion": sentence,
        "seed": options.seed,
        "resamples": options.resamples,
    }
    return Report([moved, found, test], [sentence], data, lambda: plots.slope(x, y, labels=tuple(names)), notes=notes)


COMPARED = ("tau", "tau_b", "tauAP", "tauAP_b")


def means_of(scores: pandas.DataFrame) -> Any:
    """The systems' means over topics, those equal that differ by rounding alone."""
    from pandas import Series

    return Series(Scores(scores).means, index=scores.columns)


def coefficient_row(
    name: str, means: list[Array], tables: tuple[Any, Any] | None, options: argparse.Namespace
) -> dict[str, Any]:
    """A coefficient with its interval, or why there is none."""
    row: dict[str, Any] = {"coefficient": name, "value": None, "low": None, "high": None, "note": ""}
    try:
        row["value"] = METHODS[name].single(*means)
    except ValueError:
        row["note"] = "two systems have the same mean"
        return row
    if tables is not None:
        try:
            result = bootstrap(*tables, name, options.resamples, options.seed, options.jobs)
        except ValueError:
            row["note"] = "two systems have the same mean in a sample of topics"
        else:
            row |= {"low": result.low, "high": result.high}
    return row


def p_value(share: float, resamples: int) -> str:
    """A share of resamples, which cannot be told to be 0."""
    if not share:
        return f"< {1 / resamples:g}"
    return f"{share:.4f}" if share >= 0.001 else f"{share:.2g}"


def conclusion(
    names: list[str], found: list[dict[str, Any]], result: DrankResult, power: float, tied_otherwise: int
) -> str:
    """One plain sentence."""
    from .plots import percent

    row = found[COMPARED.index("tau_b")]
    value = "undefined" if isnan(row["value"]) else f"{row['value']:.3f}"
    interval = ""
    if row["low"] is not None and not isnan(row["low"]):
        interval = f" ({row['low']:.3f} to {row['high']:.3f} in 95 % of the resamples of topics)"
    # With few resamples none as far away says little, so the observed one is counted among them.
    significant = (result.pvalue * result.resamples + 1) / (result.resamples + 1) <= 0.05
    if result.statistic == 0 and tied_otherwise:
        said = f"{names[1]} contradicts no order of {names[0]}, but {tied_otherwise} pairs are tied in one of them only"
    elif result.statistic == 0:
        said = f"{names[1]} ranks the systems as {names[0]} does"
    elif significant:
        said = f"{names[1]} ranks the systems otherwise than {names[0]}, by more than another sample of topics would"
    else:
        said = f"{names[1]} ranks the systems not more unlike {names[0]} than another sample of topics could"
    pairs = ""
    if not isnan(power):
        pairs = f", and of the pairs of systems that differ significantly it orders {percent(power)} alike"
    chance = p_value(result.pvalue, result.resamples)
    p = f"p {chance}" if chance.startswith("<") else f"p = {chance}"
    return f"{said}: d_rank = {result.statistic:.3f}, {p}, tau_b = {value}{interval}{pairs}."


def correlate(options: argparse.Namespace) -> Report:
    from . import plots

    frame = trec.read_columns(options.file)
    for name in (options.x, options.y):
        if name not in frame.columns:
            raise ValueError(f"{options.file} has no column {name!r} of numbers: it has {', '.join(frame.columns)}")
    x, y = frame[options.x], frame[options.y]
    for name, values in ((options.x, x), (options.y, y)):
        if values.isna().any():
            raise ValueError(f"{options.file}: column {name!r} has no value for {values.index[values.isna()][0]}")
    decreasing = not options.increasing
    rows = []
    for name, method in METHODS.items():
        direction = {"decreasing": decreasing} if name.startswith("tauAP") else {}
        row: dict[str, Any] = {"coefficient": name, "value": None}
        row |= dict.fromkeys(("low", "high")) if options.bootstrap else {}
        row |= {"p-value": None} if options.permutations else {}
        row["note"] = ""
        try:
            row["value"] = method.single(x.to_numpy(), y.to_numpy(), **direction)
        except ValueError as error:
            row["note"] = str(error).partition(". ")[0].rstrip(".")
        else:
            if options.bootstrap and not method.untied:
                row["low"], row["high"] = item_interval(name, x, y, decreasing, options)
            if options.permutations:
                test = permutation_test(
                    x, y, name, "two-sided", options.permutations, options.seed, options.jobs, decreasing=decreasing
                )
                row["p-value"] = test.pvalue
        rows.append(row)
    costly = [
        {f"above in {options.x}": str(frame.index[i]), f"above in {options.y}": str(frame.index[j]), "cost": cost}
        for i, j, cost in plots.costly_swaps(x.to_numpy(), y.to_numpy(), decreasing, count=5)
    ]
    sentence = which_suits(x.duplicated().any(), y.duplicated().any(), options)
    data = {"x": options.x, "y": options.y, "items": len(x), "coefficients": rows, "costly": costly, "advice": sentence}
    tables = [rows, costly] if costly else [rows]
    labels = options.x, options.y
    return Report(tables, [sentence], data, lambda: plots.slope(x, y, labels=labels, decreasing=decreasing))


def item_interval(name: str, x: Any, y: Any, decreasing: bool, options: argparse.Namespace) -> tuple[float, float]:
    """The 95 % percentile interval over resampled items, which are tied with themselves."""
    n = len(x)
    draws = np.random.default_rng(options.seed).integers(0, n, (options.bootstrap, n))
    groups = np.repeat(np.arange(options.bootstrap), n)
    x_drawn, y_drawn = (values.to_numpy()[draws].ravel() for values in (x, y))
    values = cor_by(groups, x_drawn, y_drawn, name, decreasing, n_jobs=options.jobs).dropna()
    low, high = np.quantile(values, [0.025, 0.975]).tolist() if len(values) else (float("nan"), float("nan"))
    return low, high


def which_suits(ties_in_x: bool, ties_in_y: bool, options: argparse.Namespace) -> str:
    x, y = options.x, options.y
    if not (ties_in_x or ties_in_y):
        return f"No ties: tau, or tauAP if errors at the top should cost more; tauAP takes {x} for the truth."
    if not ties_in_x:
        return (
            f"{y} has ties: tau_a and tauAP_a if {x} is the truth and {y} should have told the items apart (accuracy); "
            f"tau_b and tauAP_b if they are two opinions (agreement)."
        )
    where = "Both have" if ties_in_y else f"{x} has"
    return f"{where} ties: tau_b, or tauAP_b if errors at the top should cost more (agreement)."


def tabulate(options: argparse.Namespace) -> Report:
    from pandas import DataFrame

    from . import plots

    options.notes = []
    scores = named_scores(options)
    if scores is None:
        rankings = trec.read_columns(options.files[0])
        if options.drank:
            raise ValueError("--drank needs scores by topic, and a table of items by columns has none")
        if options.measure:
            rankings = rankings[chosen_of(list(rankings.columns), options.measure)]
        if (gaps := rankings.isna()).to_numpy().any():
            column = gaps.columns[gaps.any()][0]
            raise ValueError(f"{options.files[0]}: column {column!r} has no value for {gaps.index[gaps[column]][0]}")
    else:
        systems = sorted(next(iter(scores.values())).columns)
        rankings = DataFrame({name: means_of(table[systems]) for name, table in scores.items()})
    if rankings.shape[1] < 2:
        raise ValueError("there is one column only, and nothing to compare it with")
    table = cor(rankings, method=options.method, decreasing=not options.increasing, n_jobs=options.jobs)
    shown_table = table.copy()
    if options.drank and scores is not None:
        names = list(table.columns)
        for i, row in enumerate(names):
            for column in names[:i]:
                shown_table.loc[row, column] = drank(rankings[row], scores[column][list(rankings.index)])
    rows = [{options.method: name, **shown_table.loc[name].to_dict()} for name in table.index]
    below = (
        [f"Below the diagonal: rank distances of the row from the column; above: {options.method}."]
        if options.drank
        else []
    )
    data = {"method": options.method, "names": list(table.columns), "table": shown_table.to_numpy()}
    draw = lambda: plots.table(table, method=options.method)  # noqa: E731
    return Report([rows], below, data, draw, notes=options.notes)


def named_scores(options: argparse.Namespace) -> dict[str, pandas.DataFrame] | None:
    """Scores by topic of each measure or file; None for a table of items by columns."""
    if len(options.files) == 1:
        source = options.files[0]
        if is_csv(source) and not trec.is_long(source):
            if trec.header_and_rows(source)[0][0].lower() == "topic":
                raise ValueError(
                    f"{source} is topics by systems, of one measure: name several such files, or a long one"
                )
            return None
        table = load(source, None, options.missing)
        options.notes = missing_notes(table)
        if table.columns.nlevels == 1:
            raise ValueError(f"{source} has one measure only, and nothing to compare it with")
        found = list(dict.fromkeys(table.columns.get_level_values("measure")))
        return {name: table[name] for name in chosen_of(found, options.measure)}
    if len(options.measure) > 1:
        raise ValueError("--measure can be given once for several files")
    wanted = options.measure[0] if options.measure else None
    if len(set(options.files)) < len(options.files):
        raise ValueError("a file is named twice")
    tables = {source: trec.one_measure(load(source, wanted, options.missing), source) for source in options.files}
    options.notes = missing_notes(*tables.values())
    first, *others = tables.items()
    for source, table in others:
        if set(table.columns) != set(first[1].columns):
            raise ValueError(f"{source} does not have the same systems as {first[0]}")
    short = Counter(map(short_name, tables))
    return {short_name(source) if short[short_name(source)] == 1 else source: table for source, table in tables.items()}


def chosen_of(found: list[str], wanted: list[str]) -> list[str]:
    if absent := [name for name in wanted if name not in found]:
        raise ValueError(f"there is no {absent[0]!r}, only {', '.join(found[:10])}")
    return wanted or found


def short_name(source: str) -> str:
    return source.partition(":")[2] if is_sample(source) else trec.stem(source.rstrip("/"))


def distance(options: argparse.Namespace) -> Report:
    from . import plots

    names, (A, B) = two_tables(options)
    null = DrankNull(A, resamples=options.resamples, seed=options.seed, ridge=options.ridge, n_jobs=options.jobs)
    result = null.test(means_of(B), A)
    values = {"d_rank": result.statistic, "p-value": p_value(result.pvalue, result.resamples)}
    rows = [values | {"resamples": result.resamples, "ridge": f"{result.ridge:g}"}]
    equal = [{"made equal": one, "and": other} for one, other in result.equalised]
    data = {
        "a": names[0],
        "b": names[1],
        "statistic": result.statistic,
        "pvalue": result.pvalue,
        "resamples": result.resamples,
        "ridge": result.ridge,
        "order": result.order,
        "made_equal": result.equalised,
        "seed": options.seed,
    }
    sentence = f"{names[1]} against {names[0]}: {str(result).splitlines()[0]}"
    tables = [rows, equal] if equal else [rows]
    return Report(tables, [sentence], data, lambda: plots.null(null, result.statistic), notes=options.notes)


def organize(options: argparse.Namespace) -> Report:
    from . import plots

    result = evaluate_runs(
        options.file,
        options.qrels,
        top=options.top,
        weight=options.weight,
        min_relevance=options.min_relevance,
        graded=not options.binary,
        ties=options.ties,
    )
    rows = [{"topic": topic} | scores._asdict() for topic, scores in [*result.topics.items(), ("mean", result.mean)]]
    notes = []
    for topics, said in (
        (result.missing, "are not in the run and score 0"),
        (result.unjudged, "of the run are not judged and are left out"),
        (result.without_relevant, "have no relevant document and are left out"),
    ):
        if topics:
            notes.append(f"{len(topics)} topics {said}: {', '.join(map(str, topics[:10]))}")
    frame = result.to_frame()
    data = {
        "topics": {topic: scores._asdict() for topic, scores in result.topics.items()},
        "mean": result.mean._asdict(),
        "missing": result.missing,
        "unjudged": result.unjudged,
        "without_relevant": result.without_relevant,
    }

    def draw() -> Any:
        return plots.moves(
            frame["reliability"], frame["sensitivity"], labels=("reliability", "sensitivity"), items="topics"
        )

    return Report([rows], [], data, draw, notes=notes)


def geometric(options: argparse.Namespace) -> Report:
    from pandas import concat

    from . import plots

    if len(options.measure) > 1:
        raise ValueError("--measure can be given once")
    wanted = options.measure[0] if options.measure else None
    if len(options.files) > 1 and not any(is_sample(file) or is_csv(file) for file in options.files):
        scores = trec.one_measure(trec.read_eval(options.files, wanted, missing=options.missing), "the files")
    else:
        tables = [trec.one_measure(load(file, wanted, options.missing), file) for file in options.files]
        scores = concat(tables, axis=1) if len(tables) > 1 else tables[0]
    if scores.isna().to_numpy().any() or scores.columns.duplicated().any():
        raise ValueError("the files must have the same topics and different systems")
    means, gmeans = scores.mean(), averages.gmean(scores, eps=options.eps, zeros=options.zeros)
    tied = [tie_means(values.to_numpy(), float(np.abs(scores.to_numpy()).max())) for values in (means, gmeans)]
    ranks = [places(values) for values in tied]
    rows = [
        {
            "system": scores.columns[k],
            "mean": float(means.iloc[k]),
            "geometric mean": float(gmeans.iloc[k]),
            "rank by mean": f"{ranks[0][k]:g}",
            "rank by geometric mean": f"{ranks[1][k]:g}",
        }
        for k in np.lexsort((ranks[1], ranks[0]))
    ]
    sentences = []
    agreement = None
    if len(scores.columns) > 1:
        agreement = METHODS["tauAP_b"].single(*tied)
        swapped = Dominance(*(Ranking(values) for values in tied)).discordant
        sentences.append(
            f"The two means order {swapped} of {len(means) * (len(means) - 1) // 2} pairs of systems in opposite ways; "
            f"tauAP_b = {agreement:.3f}."
        )
    systems = [
        {
            "system": scores.columns[k],
            "mean": float(means.iloc[k]),
            "gmean": float(gmeans.iloc[k]),
            "rank_by_mean": ranks[0][k],
            "rank_by_gmean": ranks[1][k],
        }
        for k in np.lexsort((ranks[1], ranks[0]))
    ]
    data = {"systems": systems, "eps": options.eps, "zeros": options.zeros, "tauAP_b": agreement}
    labels = "mean", "geometric mean"
    notes = missing_notes(scores)
    return Report([rows], sentences, data, lambda: plots.moves(means, gmeans, labels=labels), notes=notes)


def write_sample(options: argparse.Namespace) -> int:
    from ._sample import write_sample as write

    files = write(options.folder)
    print(f"{len(files)} files in {options.folder}: eval/, runs/, qrels.txt and scores.csv")
    return 0


def reproduce(options: argparse.Namespace) -> Report | int:
    figures = published.figures()
    verdicts = Counter(figure.verdict for figure in figures)
    status = int(verdicts["DIFFERS"] > 0)
    data = [
        row(figure, None if isnan(figure.computed) else figure.computed)
        | {"verdict": figure.verdict, "reason": figure.reason}
        for figure in figures
    ]
    if options.json or options.csv:
        return Report([data], [], data, status=status)
    print_table(
        [row(figure, "undefined" if isnan(figure.computed) else f"{figure.computed:.7g}") for figure in figures],
        group="source",
    )
    print(
        f"{verdicts['agrees']} figures agree, {verdicts['known misprint']} are known misprints, "
        f"{verdicts['not reproduced']} are not reproduced, {verdicts['DIFFERS']} DIFFER",
        file=sys.stderr,
    )
    return status


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
    rows = [tally_row(name, tally) for name, tally in report.functions.items()]
    print_table(rows)
    if options.csv:
        with whole_file(options.csv) as csv_file:
            csv_file.write(as_csv(Report([rows], [], None)))
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
