"""`ircor judges`: can this judge replace that one?"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import get_args

from .. import judging
from .._methods import METHODS
from ..judging._significance import SignificanceTest
from ._arguments import (
    add_common,
    add_jobs,
    add_missing,
    add_report,
    add_resamples,
    add_seed,
    add_target,
    from_two,
    positive,
)
from ._pictures import labels_of
from ._report import Outcome

NAME = "judges"
HELP = "can this judge of relevance replace that one?"
DESCRIPTION = (
    "Compare judges of relevance, such as language models, with the truth, such as people: how they rank systems, with "
    "intervals and a test against another sample of topics; which significant differences between systems they find, "
    "miss and reverse; how far their labels agree; and whether they favour some systems."
)
EXAMPLE = "ircor judges runs --truth qrels.txt --judge judges/noisy.qrels --judge judges/partial.qrels -m nDCG@10 -m AP"
ARGUMENTS = {"methods": "method", "measures": "measure", "judges": "judge"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="*",
        metavar="RUNS",
        help="the runs of the systems: files, folders, or quoted patterns; without them, --truth and --judge are "
        "scores by topic or leaderboards, in any format that is read",
    )
    parser.add_argument(
        "--truth", required=True, metavar="FILE", help="the judgments to compare with; without runs, the scores by them"
    )
    parser.add_argument(
        "--judge",
        action="append",
        required=True,
        metavar="FILE",
        help="the judgments of a judge; without runs, the scores by them; can be given several times",
    )
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        default=[],
        metavar="NAME",
        help="a measure, as ir_measures names it, such as nDCG@10 or AP; without runs, a measure of the scores "
        "(default: all); can be given several times",
    )
    parser.add_argument(
        "--method",
        action="append",
        default=[],
        choices=list(METHODS),
        help="a coefficient (default: tau_b and tauAP_b); can be given several times",
    )
    parser.add_argument(
        "--top",
        type=from_two,
        metavar="K",
        help="also the coefficients among the K best systems by the truth; systems tied with the last are included",
    )
    parser.add_argument(
        "--depth",
        type=positive,
        default=10,
        metavar="N",
        help="the first documents of each run that show whether a judge favours a system (default: 10)",
    )
    parser.add_argument(
        "--test",
        choices=get_args(SignificanceTest),
        default="t",
        help="how significant differences between systems are found: paired t tests (the default) or randomisation "
        "tests, with Holm's correction, or Tukey's HSD with topics as blocks",
    )
    add_missing(parser)
    add_target(parser)
    add_resamples(parser)
    add_common(parser, plot="the rankings of the truth and of one judge, joined by lines", table="the coefficients")
    add_report(parser)
    add_seed(parser)
    add_jobs(parser)


def run(options: Namespace) -> Outcome:
    found = judging.judges(
        options.runs or None,
        options.truth,
        options.judge,
        options.measure or None,
        methods=options.method or ("tau_b", "tauAP_b"),
        top=options.top,
        depth=options.depth,
        target=options.target,
        test=options.test,
        missing=options.missing,
        resamples=options.resamples,
        seed=options.seed,
        n_jobs=options.jobs,
    )
    if options.plot is not None and len(found.judges) * len(found.measures) > 1:
        raise ValueError("--plot draws one judge under one measure: name one --judge and one --measure")
    labels = labels_of(options, (found.truth, found.judges[0]))
    return Outcome(found, lambda: found.plot(labels=labels))
