"""A collection of scores to try things on: generated, with near-ties and ties like real ones.

Thirty systems rank two hundred documents for each of fifty topics.  A system's score of a document is the sum of what
the document's relevance is worth to it, of noise that it shares with its family, and of noise of its own; variants of
one system differ in little else than that last part.  The measures are computed from the rankings as trec_eval does it,
so P_10 comes in tenths, recip_rank in inverses of whole numbers, and the means of variants next to each other.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._files import whole_file

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

MEASURES = ("map", "P_10", "ndcg", "recip_rank")
TOPICS = tuple(str(number) for number in range(401, 451))
SYSTEMS = tuple(f"{family}{variant}" for family in "ABCDEFGHIJ" for variant in (1, 2, 3))
POOL = 200
RETRIEVED = 100


@dataclass(frozen=True)
class Collection:
    """Grades of the documents of each topic, and each system's ranking of them.

    Attributes
    ----------
    grades : numpy.ndarray
        Topics by documents: 0, 1 or 2.
    rankings : numpy.ndarray
        Topics by systems by ranks: the number of the document.
    """

    grades: npt.NDArray[Any]
    rankings: npt.NDArray[Any]


def collection() -> Collection:
    """The same in every release of NumPy: this old generator does not change."""
    rng = np.random.RandomState(2017)
    topics, families, systems = len(TOPICS), len(SYSTEMS) // 3, len(SYSTEMS)
    relevant = np.exp(rng.uniform(np.log(3), np.log(60), topics)).astype(int)
    order = np.argsort(rng.random_sample((topics, POOL)), axis=1)
    grades = np.zeros((topics, POOL), dtype=int)
    for topic, count in enumerate(relevant):
        grades[topic, order[topic, :count]] = 1
        grades[topic, order[topic, : count // 3]] = 2
    ease = rng.gamma(4, 0.3, topics)
    skill = np.repeat(rng.uniform(0.7, 1.5, families), 3) + 0.03 * rng.standard_normal(systems)
    shared = np.repeat(rng.standard_normal((topics, families, POOL)), 3, axis=1)
    own = rng.standard_normal((topics, systems, POOL))
    scores = ease[:, None, None] * skill[:, None] * grades[:, None, :] + shared + 0.4 * own
    return Collection(grades, np.argsort(-scores, axis=2, kind="stable")[:, :, :RETRIEVED])


def sample(measure: str | None = None) -> pandas.DataFrame:
    """A sample of scores to try things on: 50 topics by 30 systems, under 4 measures.

    The systems are ten families of three variants, A1 to J3, and variants are hard to tell apart.

    Parameters
    ----------
    measure : {"map", "P_10", "ndcg", "recip_rank"}, optional
        The measure, as trec_eval names it; by default all four.

    Returns
    -------
    pandas.DataFrame
        Topics by systems; without a measure, the columns have two levels, measure and system.

    Raises
    ------
    ValueError
        If there is no such measure.

    Examples
    --------
    >>> scores = sample("P_10")
    >>> scores.shape
    (50, 30)
    >>> scores["A1"].head(3).to_dict()
    {'401': 0.2, '402': 0.9, '403': 0.6}
    """
    from pandas import DataFrame, Index, MultiIndex

    if measure not in (None, *MEASURES):
        raise ValueError(f"'measure' must be one of {', '.join(MEASURES)}, not {measure!r}")
    values = np.concatenate(list(measured(collection()).values()), axis=1)
    columns = MultiIndex.from_product([MEASURES, SYSTEMS], names=["measure", "system"])
    table = DataFrame(values, index=Index(TOPICS, name="topic"), columns=columns)
    return table if measure is None else table[measure]


def measured(data: Collection) -> dict[str, npt.NDArray[np.float64]]:
    """The measures, topics by systems, to the four decimals that trec_eval prints."""
    gains = np.take_along_axis(data.grades[:, None, :], data.rankings, axis=2)
    hits = gains > 0
    rank = np.arange(1, RETRIEVED + 1)
    relevant = (data.grades > 0).sum(axis=1, keepdims=True)
    ideal = (-np.sort(-data.grades, axis=1)[:, :RETRIEVED] / np.log2(rank + 1)).sum(axis=1, keepdims=True)
    first = np.where(hits.any(axis=2), hits.argmax(axis=2) + 1, np.inf)
    values = {
        "map": (hits * hits.cumsum(axis=2) / rank).sum(axis=2) / relevant,
        "P_10": hits[:, :, :10].mean(axis=2),
        "ndcg": (gains / np.log2(rank + 1)).sum(axis=2) / ideal,
        "recip_rank": 1 / first,
    }
    return {name: np.round(value, 4) for name, value in values.items()}


def write_sample(folder: str | os.PathLike[str]) -> list[str]:
    """Write the sample as files: `trec_eval -q` output and a run for each system, the judgments, and a table.

    Parameters
    ----------
    folder : path
        Where to; made if it is not there.

    Returns
    -------
    list of str
        The files: eval/A1.eval and so on, runs/A1.run and so on, qrels.txt, scores.csv (systems by measures: the means
        over topics).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(write_sample(folder))
    62
    """
    data = collection()
    values = measured(data)
    written = []

    def write(name: str, lines: list[str]) -> None:
        path = os.path.join(os.fspath(folder), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with whole_file(path) as file:
            file.writelines(line + "\n" for line in lines)
        written.append(path)

    for s, system in enumerate(SYSTEMS):
        by_topic = [
            f"{name:<22}\t{topic}\t{values[name][t, s]:.4f}" for t, topic in enumerate(TOPICS) for name in MEASURES
        ]
        means = [f"{name:<22}\tall\t{values[name][:, s].mean():.4f}" for name in MEASURES]
        write(f"eval/{system}.eval", [*by_topic, f"{'runid':<22}\tall\t{system}", *means])
        ranked = [
            f"{topic} Q0 {document(t, d)} {rank + 1} {RETRIEVED - rank} {system}"
            for t, topic in enumerate(TOPICS)
            for rank, d in enumerate(data.rankings[t, s].tolist())
        ]
        write(f"runs/{system}.run", ranked)
    judged = [
        f"{topic} 0 {document(t, d)} {grade}"
        for t, topic in enumerate(TOPICS)
        for d, grade in enumerate(data.grades[t].tolist())
    ]
    write("qrels.txt", judged)
    rows = [
        ",".join([system, *(f"{values[name][:, s].mean():.4f}" for name in MEASURES)])
        for s, system in enumerate(SYSTEMS)
    ]
    write("scores.csv", [",".join(["system", *MEASURES]), *rows])
    return written


def document(topic: int, number: int) -> str:
    return f"{TOPICS[topic]}-{number:03d}"
