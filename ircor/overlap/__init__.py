"""Rank-biased overlap of rankings with ties (Webber et al., TOIS 2010; Corsi and Urbano, SIGIR 2024).

- `rbo`: two rankings of any items, of any lengths.  `rbo_many`: many pairs in one call.
- `rbo_scores`: two vectors of scores of the same items.
- `rbo_runs`: two runs, topic by topic.  `rbo_table`: many runs against each other.
- `from_string`, `to_string`, `extract_ranking`: rankings from text and from scores.
- `p_for_weight`, `weight_for_p`: which p, and what it means.
"""

from ._rankings import extract_ranking, from_string, to_string
from ._rbo import SCORES as SCORES, Overlap, p_for_weight, rbo, rbo_many, rbo_scores, weight_for_p
from ._runs import (
    RunCaveat as RunCaveat,
    RunsOverlap,
    TopicOverlap as TopicOverlap,
    rbo_runs,
)
from ._table import OverlapTable, PairOverlap as PairOverlap, own_overlap_below_1 as own_overlap_below_1, rbo_table

__all__ = [
    "rbo",
    "rbo_many",
    "rbo_scores",
    "rbo_runs",
    "rbo_table",
    "from_string",
    "to_string",
    "extract_ranking",
    "p_for_weight",
    "weight_for_p",
    "Overlap",
    "RunsOverlap",
    "OverlapTable",
]
