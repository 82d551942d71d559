"""The figures of Urbano and Marrero on the expected rank correlation."""

from __future__ import annotations

import os
from collections.abc import Iterator

from .._scores import Scores
from ..reliability import expected
from ..reliability._chances import Method
from ._figure import Figure

URBANO_2016 = "Urbano and Marrero, SIGIR 2016"

ADHOC = "adhoc6.csv"


def urbano_2016(folder: str | os.PathLike[str]) -> Iterator[Figure]:
    """The expected correlation of the ad hoc runs of TREC-6, which the authors print with seven digits."""
    from ..trec import read_table

    path = os.path.join(folder, ADHOC)
    scores = Scores.of(read_table(path), path)
    if (scores.n, scores.m) != (50, 74):
        raise ValueError(f"{path} must have 50 topics and 74 systems, not {scores.n} and {scores.m}")
    for method, printed in EXPECTED.items():
        computed = expected(scores, method, "MSQD").value
        yield Figure(URBANO_2016, "TREC-6 ad hoc", f"expected {method}, MSQD", printed, computed, significant=7)


EXPECTED: dict[Method, str] = {"tau": "0.8600266", "tauAP": "0.816099"}
