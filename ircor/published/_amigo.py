"""The figures of Amigo, Gonzalo and Verdejo on Reliability and Sensitivity."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

from ..organization import RS, Organization, evaluate
from ._figure import Figure

AMIGO_2013 = "Amigo, Gonzalo and Verdejo, SIGIR 2013"


def amigo_2013() -> Iterator[Figure]:
    gold = Organization(TABLE_9["gold standard"])
    for system, levels in TABLE_9.items():
        result = evaluate(Organization(levels), gold, top=10, weight=0.8)
        for kind, printed, scores in zip(("priority", "clustering"), TABLE_9_SCORES[system], result):
            for name, digits, computed in zip(RS._fields, printed.split(), scores):
                what = f"{kind} {name}, {system}"
                known = TABLE_9_NOT_REPRODUCED.get((system, kind, name), "")
                yield Figure(AMIGO_2013, "table 9", what, digits, computed, not_reproduced=known)
    what = "least n > 1 for which one relevant document at the top beats n after n others"
    yield Figure(AMIGO_2013, "section 4.4.1", what, "20", cut_point(), not_reproduced=CUT_POINT_NOT_REPRODUCED)


def cut_point() -> float:
    """The least n > 1 for which one relevant document at rank 1 of 2n scores more than n after n others, W_30 = 0.8."""

    def one_at_the_top_is_better(n: int) -> bool:
        relevant, others = [f"r{k}" for k in range(n)], [f"o{k}" for k in range(2 * n - 1)]
        gold = Organization.from_filter(relevant)
        rankings = relevant[:1] + others, others[:n] + relevant
        one, many = (evaluate(Organization.from_ranking(x), gold, top=30, weight=0.8).priority.f for x in rankings)
        return one > many

    return next((n for n in range(2, 200) if one_at_the_top_is_better(n)), nan)


# Levels from the top, each a list of clusters.
TABLE_9 = {
    "gold standard": [[["d1"], ["d2", "d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]],
    "System 1": [[["d1"], ["d2", "d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6"], ["d7"]]],
    "System 2": [[["d1"], ["d2", "d3"], ["d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]],
    "System 3": [[["d1"], ["d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]],
    "System 4": [[["d1"], ["d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7", "d8"]]],
    "System 5": [[["d6", "d7"]], [["d4", "d5"], ["d6", "d7"]], [["d1"], ["d2", "d3", "d4"]]],
}
# Reliability and Sensitivity of priority and of clustering.  The paper omits trailing zeros.
TABLE_9_SCORES = {
    "gold standard": ("1.00 1.00", "1.00 1.00"),
    "System 1": ("1.00 1.00", "1.00 0.97"),
    "System 2": ("1.00 1.00", "1.00 0.80"),
    "System 3": ("1.00 0.86", "1.00 0.74"),
    "System 4": ("0.95 0.85", "0.96 0.74"),
    "System 5": ("0.64 0.59", "1.00 1.00"),
}
TAIL_ALWAYS_RIGHT = "if the relations of listed documents to the tail were always right, it would be"
TABLE_9_NOT_REPRODUCED = {
    ("System 2", "clustering", "sensitivity"): "printed as 0.8, perhaps rounded to one decimal",
    ("System 3", "priority", "sensitivity"): f"{TAIL_ALWAYS_RIGHT} 0.8552",
    ("System 4", "priority", "reliability"): f"{TAIL_ALWAYS_RIGHT} 0.9479",
    (
        "System 4",
        "priority",
        "sensitivity",
    ): "it differs from System 3 only in d8, which is not in the gold standard, so the two sensitivities must be equal",
}
CUT_POINT_NOT_REPRODUCED = (
    f"the number of relevant documents is not printed; n is used here; {TAIL_ALWAYS_RIGHT} 20 with 100 or more"
)
