"""Reliability and Sensitivity: precision and recall of the relations between documents (Amigo et al. 2013).

An organization of documents states which documents come before which (priority) and which belong together
(clustering).  Rankings, filters, clusterings and ranked clusters are all organizations, so one pair of measures scores
all of them: Reliability is the share of the system's relations that the gold standard also has, and Sensitivity is the
share of the gold standard's relations that the system also has.

The letters are those of the paper: X is the organization whose relations are scored, G the one in which they are looked
up, w the weight of an occurrence of a document, and W_n the weight of the first n occurrences.
"""

from ._criteria import robustness, strictness
from ._measures import bcubed, evaluate
from ._relations import RS, BCubed, Organization, RSResult
from ._runs import RunsResult, RunsTable as RunsTable, evaluate_each as evaluate_each, evaluate_runs

__all__ = [
    "Organization",
    "evaluate",
    "RS",
    "RSResult",
    "bcubed",
    "BCubed",
    "evaluate_runs",
    "RunsResult",
    "strictness",
    "robustness",
]
