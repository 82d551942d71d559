"""Names of measures: which are those of measures, of ranks, or of numbers beside these."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .._core.errors import InvalidValueError
from .._core.text import listed, question

# The measures of trec_eval, ir_measures and ranx in lower case, without cutoffs and parameters.
MEASURES = {
    *("11pt_avg", "accuracy", "alpha_dcg", "alpha_ndcg", "ap", "ap_ia", "bing", "bpm", "bpref", "compat", "dcg"),
    *("err", "err_ia", "f1", "g", "gm_bpref", "gm_map", "hit_rate", "hits", "infap", "inst", "insq", "iprec"),
    *("iprec_at_recall", "judged", "map", "map_cut", "map_ia", "mrr", "ndcg", "ndcg_burges", "ndcg_cut", "ndcg_rel"),
    *("nerr", "nerr_ia", "nnrbp", "nrbp", "num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret"),
    *("numq", "numrel", "numrelret", "numret", "p", "p_ia", "precision", "r", "r-precision", "rbp", "recall"),
    *("recip_rank", "relative_p", "relstring", "rndcg", "rprec", "rprec_mult", "rr", "runid", "sdcg", "set_f"),
    *("set_map", "set_p", "set_recall", "set_relative_p", "setap", "setf", "setp", "setr", "setrelp", "strecall"),
    *("success", "utility", "\N{GREEK SMALL LETTER ALPHA}_dcg", "\N{GREEK SMALL LETTER ALPHA}_ndcg"),
}
# So short a name may well be that of a system; with a cutoff, as in P_10, it is a measure.
SHORT = {"f1", "g", "p", "r"}

PLACES = frozenset({"rank", "ranks", "ranking", "place", "places", "position", "positions", "pos"})
"""Words in the names of columns that have ranks."""

# Measures with such a word in their names: reciprocal rank, rank-biased precision, rank correlation.
RANK_MEASURES = re.compile(r"\b(recip|reciprocal)\W+rank|\brank\W+(biased|correlation|corr|distance|overlap)\b")

SPREADS = frozenset(
    [
        *("std", "stdev", "stddev", "sd", "se", "sem", "stderr", "var", "variance", "deviation", "ci", "moe"),
        *("lower", "upper", "low", "high", "pval", "pvalue", "margin"),
    ]
)
"""The last words in the names of columns that say how sure a value is: low_recall is a measure, recall_low is not."""


COUNTS = frozenset(
    [
        *("n", "count", "counts", "topics", "queries", "num topics", "num queries", "n topics", "n queries", "year"),
        *("date", "num q", "num ret", "num rel", "num rel ret", "numq", "numret", "numrel", "numrelret", "p"),
        *("p value", "standard error", "runtime", "run time", "time", "latency", "size", "model size", "params"),
        *("parameters", "num params", "error", "mae", "rmse", "mse", "loss", "cost", "gflops", "flops", "mean rank"),
        *("median rank", "average rank", "topics covered", "queries covered"),
    ]
)
"""Whole names of columns of numbers that do not say how good a system is.  p is precision, or a p-value."""

# A name, then parameters in parentheses, then a cutoff: nDCG(dcg='exp-log2')@10, P_10, ndcg_cut_10, rbp.95.
PARTS = re.compile(r"(?P<base>[^()@\s]+?)(?P<parameters>\([^()]*\))?(?P<cutoff>(?:@|_|\.)[0-9]+(?:\.[0-9]+)?)?")

# Names of the same measure in trec_eval, ir_measures and elsewhere.
SYNONYMS = {
    "map": "ap",
    "map_cut": "ap",
    "mrr": "rr",
    "recip_rank": "rr",
    "ndcg_cut": "ndcg",
    "precision": "p",
    "r-precision": "rprec",
    "r": "recall",
    "iprec_at_recall": "iprec",
    "set_p": "setp",
    "set_recall": "setr",
    "set_f": "setf",
    "set_map": "setap",
    "num_q": "numq",
    "num_ret": "numret",
    "num_rel": "numrel",
    "num_rel_ret": "numrelret",
}


def split_measure(name: str) -> tuple[str, str, str]:
    """The name of a measure in lower case, its parameters, and its cutoff as digits."""
    parts = PARTS.fullmatch(name)
    if parts is None:
        return name.lower(), "", ""
    base, parameters, cutoff = parts["base"].lower(), parts["parameters"] or "", (parts["cutoff"] or "")[1:]
    # NERR8 to NERR11 of ir_measures have a number without a sign before it.
    base = re.sub(r"(?<=^nerr)[0-9]+$", "", base)
    return base, parameters, cutoff


def is_measure(name: str) -> bool:
    """Whether the name is that of a measure which tools of the field compute.

    Examples
    --------
    >>> [is_measure(name) for name in ("map", "nDCG(dcg='exp-log2')@10", "P_10", "P", "BM25", "401")]
    [True, True, True, False, False, False]
    """
    base, parameters, cutoff = split_measure(name)
    return base in MEASURES and (base not in SHORT or bool(parameters or cutoff))


def words_of(name: str) -> str:
    """The words of a name in lower case, with a blank between them; capitals within a name begin a word."""
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()))


def has_ranks(name: str) -> bool:
    """Whether the column of this name has ranks.

    Examples
    --------
    >>> [has_ranks(name) for name in ("Rank", "rank_ndcg", "nDCG@10 rank", "#", "recip_rank", "position-aware nDCG")]
    [True, True, True, True, False, False]
    """
    words = words_of(name)
    if is_measure(name) or RANK_MEASURES.search(words):
        return False
    first, _, rest = words.partition(" ")
    of_measure = first in PLACES and (first == "rank" or is_measure(rest.replace(" ", "_")))
    return name == "#" or of_measure or words.rpartition(" ")[2] in PLACES


def is_beside_scores(name: str) -> bool:
    """Whether the column of this name has errors, limits, counts, years or the like rather than scores.

    Examples
    --------
    >>> [is_beside_scores(name) for name in ("std", "95% CI", "map_stderr", "num_rel_ret", "P", "P@10", "nDCG")]
    [True, True, True, True, True, False, False]
    """
    # What stands in parentheses is usually the unit.
    words = words_of(re.sub(r"\([^()]*\)$", "", name.strip()))
    if is_measure(name) and words not in COUNTS:
        return False
    return words in COUNTS or words.endswith(("standard error", "p value")) or words.rpartition(" ")[2] in SPREADS


def meaning(name: str) -> tuple[str, str]:
    """A name for the measure that tools share, and its cutoff; parameters make no difference."""
    base, _, cutoff = split_measure(name)
    return SYNONYMS.get(base, base), cutoff


def are_same(name: str, other: str) -> bool:
    """Whether two names are of one measure, as tools of the field name it, both without parameters.

    Examples
    --------
    >>> are_same("map", "AP"), are_same("ndcg_cut_10", "nDCG@10"), are_same("ndcg", "nDCG@10"), are_same("a", "A")
    (True, True, False, False)
    """
    if name == other:
        return True
    measures = is_measure(name) and is_measure(other)
    plain = not (split_measure(name)[1] or split_measure(other)[1])
    return measures and plain and meaning(name) == meaning(other)


def nearest_measures(name: str, names: Iterable[str]) -> list[str]:
    """The names that may have been meant: other names of the same measure, other capitals, then similar spelling."""
    from difflib import get_close_matches

    measures = list(names)
    same = [other for other in measures if meaning(other) == meaning(name)]
    by_lower = {other.lower(): other for other in measures}
    close = [by_lower[lower] for lower in get_close_matches(name.lower(), by_lower, n=3)]
    return same or close


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The question for the nearest measures, or ""."""
    return question(map(repr, nearest_measures(name, names)))


def no_such_measure(name: str, names: Iterable[str], where: str = "") -> InvalidValueError:
    """The error for a measure that is not there: the nearest names, and all of them."""
    measures = list(names)
    what = f"there are no values of the measure {name!r}{f' in {where}' if where else ''}"
    return InvalidValueError(
        None, f"{what}{did_you_mean(name, measures) or '.'} The measures are {listed(measures, 8)}"
    )
