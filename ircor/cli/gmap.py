"""`ircor gmap`: means and geometric means over topics."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from .. import trec
from ..comparison import compare_means
from ..trec._collector import one_measure
from ._arguments import add_common, add_measures
from ._pictures import labels_of
from ._report import Outcome
from ._sources import SOURCE, is_csv, is_sample, load_one, one_name

if TYPE_CHECKING:
    import pandas

NAME = "gmap"
HELP = "means and geometric means over topics"
DESCRIPTION = (
    "The mean and the geometric mean over topics of every system, and what the choice does to their ranking "
    "(Robertson, CIKM 2006)."
)
EXAMPLE = "ircor gmap sample:map --zeros trec_eval"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="file", help=SOURCE)
    parser.add_argument("--eps", type=float, default=1e-5, help="used in place of zero (default: 1e-5)")
    parser.add_argument(
        "--zeros",
        choices=("add", "floor", "trec_eval", "strict"),
        default="add",
        help="the rule for zeros (default: add)",
    )
    add_measures(parser, "the measure")
    add_common(parser, plot="the systems under both means")


def run(options: Namespace) -> Outcome:
    labels = labels_of(options, ("mean", "geometric mean"))
    scores = scores_of(options)
    found = compare_means(scores, eps=options.eps, zeros=options.zeros)
    return Outcome(found, lambda: found.plot(labels=labels))


def scores_of(options: Namespace) -> pandas.DataFrame:
    """The scores of all systems in the files, which must have the same topics."""
    measure = one_name(options.measure)
    if len(options.files) > 1 and not any(is_sample(file) or is_csv(file) for file in options.files):
        scores = trec.read_eval(options.files, measure, missing=options.missing)
        return one_measure(scores, "the files", "--measure")
    tables = [load_one(file, measure, options.missing) for file in options.files]
    if len(tables) == 1:
        return tables[0]
    from pandas import concat

    scores = concat(tables, axis=1)
    if scores.isna().to_numpy().any() or scores.columns.duplicated().any():
        raise ValueError("the files must have the same topics and different systems")
    scores.attrs["missing"] = "; ".join(dict.fromkeys(table.attrs.get("missing", "") for table in tables)).strip("; ")
    return scores
