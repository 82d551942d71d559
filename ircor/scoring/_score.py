"""Tables of scores from runs and relevance judgments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .._core.options import Missing
from .._core.work import Progress
from ._cells import Part
from ._collector import Evaluated, ScoreCollector
from ._documents import Documents
from ._evaluation import Judgments, Ranked
from ._ir_measures import Measures, measures_of
from ._runs import Runs, judgments_of, scored_by_each

if TYPE_CHECKING:
    import pandas


def score(
    runs: Runs,
    qrels: Documents,
    measures: Measures,
    *,
    missing: Missing = "error",
    progress: Progress = None,
    in_process: bool = False,
) -> pandas.DataFrame:
    """Score runs by relevance judgments, topic by topic.

    The scores are computed by ir_measures, which computes most measures by trec_eval's own code.  It needs the extra
    ``measures``.

    Parameters
    ----------
    runs : path, list of paths, mapping, Runs of ranx or table
        The runs of several systems:

        - files in TREC's format, plain or gzipped; a folder stands for all files in it, a pattern such as
          ``"runs/*.run"`` for all files that match.  The name of a system is that of its run, in the last field of
          each line, or that of the file if several files have the same;
        - a mapping of systems to runs, each in any form that `ircor.organization.evaluate_runs` takes;
        - Runs of ranx, each with its name;
        - a DataFrame (pandas, Polars or Arrow) with a column of systems, such as "run" or "system", beside those of
          topics, documents and scores.
    qrels : path, mapping, table, iterable, or ranx object
        The judgments, in any form that `ircor.organization.evaluate_runs` takes.  Grades are whole numbers up to 1,000.
        Documents without a judgment, and those with a grade below the measure's least relevant grade (1, unless the
        name says otherwise, as in "AP(rel=2)"), are not relevant; so are negative grades, as in trec_eval.
    measures : str or list of str
        The names of measures in ir_measures, such as "nDCG@10", "AP", "P@10", "RR" and "Judged@10", or its measures.
    missing : {"error", "zero", "drop"}
        How to handle topics of the judgments that some runs have and others do not: raise an error, score them as 0,
        as ``trec_eval -c`` does, or drop these topics.
    progress : callable or bool, optional
        As for `ircor.trec.read_scores`.
    in_process : bool
        Whether to compute the scores in this process.  By default they are computed in another one, since a fault in
        the code of trec_eval ends the process that it is in.  The other process is kept for the next call; only the
        first one waits for its start.  Measures that you defined yourself are computed in this process, and so is
        everything where no other process can be started.

    Returns
    -------
    pandas.DataFrame
        Topics by systems.  With several measures, the columns have two levels, measure and system.
        ``attrs["notes"]`` names the topics of runs that the judgments lack, the topics of the judgments that no run
        has, both of which are left out, and the topics without a relevant document, on which most scores are 0.

    Raises
    ------
    FormatError
        If a file is malformed, or has a document twice for a topic.
    TypeError, ValueError
        If a run is empty or has no topic of the judgments, if scores are missing, if a grade is not a whole number or
        too large, or if ir_measures does not have a measure.
    CrashError
        If the process that computes the scores ends.

    Examples
    --------
    >>> runs = {"one": {"401": {"a": 3.5, "b": 2.0}, "402": {"c": 1.5}}}
    >>> runs["two"] = {"401": {"b": 9.0}, "402": {"c": 8.0}}
    >>> qrels = {"401": {"a": 0, "b": 1}, "402": {"c": 2, "d": 1}}
    >>> score(runs, qrels, "AP").to_dict("list")
    {'one': [0.5, 0.5], 'two': [1.0, 0.5]}
    >>> score(runs, qrels, ["P@1", "RR"])["P@1"].to_dict("list")
    {'one': [0.0, 1.0], 'two': [1.0, 1.0]}
    """
    wanted = measures_of(measures)
    judgments = {"qrels": judgments_of(qrels, "qrels")}
    return score_by_each(runs, judgments, wanted, missing, progress, in_process=in_process)["qrels"]


def score_by_each(
    runs: Runs,
    judgments: Mapping[str, Judgments],
    measures: dict[str, Any],
    missing: Missing,
    progress: Progress,
    visit: Callable[[Ranked], None] | None = None,
    in_process: bool = False,
) -> dict[str, pandas.DataFrame]:
    """The scores of all runs by each of several judgments, by their names; see `scored_by_each`."""
    tables = {name: ScoreCollector(list(measures), missing) for name in judgments}
    for scorer in scored_by_each(runs, judgments, measures, progress, visit, in_process):
        for path, name, values, topics in scorer.systems:
            tables[scorer.name].add_system(Evaluated(path, 1, name, Part.of_system(values, topics)))
        tables[scorer.name].notes += scorer.all_notes()
    return {name: scores.table() for name, scores in tables.items()}
