"""Sample data: a generated test collection whose scores have ties and near-ties, as real ones have.

Thirty systems rank two hundred documents for each of fifty topics.  A system scores a document by the sum of three
terms: the document's relevance times the skill of the system, noise shared by the system's family, and noise of the
system alone.  The three variants of a family differ by little more than the last term.  The measures are computed from
the rankings as trec_eval computes them, so P_10 is a multiple of 0.1, recip_rank is the inverse of a whole number, and
the means of variants are close to each other.

Two simulated judges have looked at the same documents.  The noisy one errs at random.  The partial one errs as much,
and likes what the systems E1, E2 and E3 rank high.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._core.files import check_output, whole_file
from .._core.options import one_of
from .._core.results import Result
from .._core.types import Array, Floats
from .._extras import extra

if TYPE_CHECKING:
    import pandas

MEASURES = ("map", "P_10", "ndcg", "recip_rank")
TOPICS = tuple(str(number) for number in range(401, 451))
SYSTEMS = tuple(f"{family}{variant}" for family in "ABCDEFGHIJ" for variant in (1, 2, 3))
POOL = 200
RETRIEVED = 100


@dataclass(frozen=True)
class Collection:
    """The relevance of the documents for each topic, and each system's ranking of them.

    Attributes
    ----------
    grades : numpy.ndarray
        Relevance grades 0, 1 or 2, topics by documents.
    rankings : numpy.ndarray
        Documents as indices into the columns of `grades`, topics by systems by ranks.
    """

    grades: Array
    rankings: Array


def collection() -> Collection:
    """Generate the collection, which is always the same."""
    # The stream of the legacy generator is the same in every release of NumPy.
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


JUDGES = ("noisy", "partial")
LIKED = "E"
"""The family that the partial judge likes."""


def judged(data: Collection) -> dict[str, Array]:
    """The grades that each judge gives, topics by documents.

    A judge sees the grade, plus noise, plus 0.25 for documents among the first ten of a family that it likes.
    """
    rng = np.random.RandomState(2024)
    liked = np.zeros(data.grades.shape)
    for s, system in enumerate(SYSTEMS):
        if system.startswith(LIKED):
            np.put_along_axis(liked, data.rankings[:, s, :10], 0.25, axis=1)
    grades = {}
    for judge, favour in zip(JUDGES, (0.0, liked)):
        seen = data.grades + favour + 0.55 * rng.standard_normal(data.grades.shape)
        grades[judge] = np.digitize(seen, [0.9, 1.7])
    return grades


def sample(measure: str | None = None) -> pandas.DataFrame:
    """Return sample scores: 50 topics by 30 systems, for 4 measures.

    The systems, A1 to J3, are ten families of three variants.  The variants of a family have similar scores.

    Parameters
    ----------
    measure : {"map", "P_10", "ndcg", "recip_rank"}, optional
        The measure, as trec_eval names it.  By default all four.

    Returns
    -------
    pandas.DataFrame
        Topics by systems.  Without `measure`, the columns have two levels, measure and system.

    Raises
    ------
    ValueError
        If `measure` is not one of the four.

    Examples
    --------
    >>> scores = sample("P_10")
    >>> scores.shape
    (50, 30)
    >>> scores["A1"].head(3).to_dict()
    {'401': 0.2, '402': 0.9, '403': 0.6}
    """
    pd = extra("pandas", "the sample data")

    if measure is not None:
        one_of(measure, "measure", MEASURES)
    values = np.concatenate(list(computed_measures(collection()).values()), axis=1)
    columns = pd.MultiIndex.from_product([MEASURES, SYSTEMS], names=["measure", "system"])
    table = pd.DataFrame(values, index=pd.Index(TOPICS, name="topic"), columns=columns)
    return table if measure is None else table[measure]


def computed_measures(data: Collection) -> dict[str, Floats]:
    """Compute each measure, topics by systems, rounded to four decimals as trec_eval prints them."""
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


@dataclass(frozen=True)
class SampleFiles(Result):
    """The files that were written to a folder."""

    folder: str
    files: list[str]


def write_sample(folder: str | os.PathLike[str], *, force: bool = False) -> list[str]:
    """Write the sample data as files: all of them, or none.

    Parameters
    ----------
    folder : path
        The folder to write to; created if it does not exist.
    force : bool
        Whether files with other content are replaced.

    Returns
    -------
    list of str
        The paths of the files: for each system its `trec_eval -q` output (eval/A1.eval, ...) and its run
        (runs/A1.run, ...), the relevance judgments (qrels.txt), those of two simulated judges (judges/noisy.qrels and
        judges/partial.qrels), and a table of systems by measures with the means over topics (scores.csv).

    Raises
    ------
    FileExistsError
        If a file exists and has other content.
    OSError
        If a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(write_sample(folder))
    64
    """
    contents = {os.path.join(os.fspath(folder), name): content for name, content in sample_files().items()}
    new = {path: content for path, content in contents.items() if not has_content(path, content)}
    for path in new:
        if os.path.exists(os.path.dirname(path)):
            check_output(path, "sample", force=force)
    for path in new:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    # No file is renamed before all are complete.
    with ExitStack() as files:
        for path, content in new.items():
            files.enter_context(whole_file(path, "sample", binary=True, force=force)).write(content)
    return list(contents)


def has_content(path: str, content: bytes) -> bool:
    """Whether a file has this content, so that it need not be written."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read() == content


def sample_files() -> dict[str, bytes]:
    """The content of each file of the sample data."""
    data = collection()
    values = computed_measures(data)
    written: dict[str, bytes] = {}

    def write(name: str, lines: list[str]) -> None:
        written[name] = "".join(line + "\n" for line in lines).encode()

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
    judgments = {"qrels.txt": data.grades} | {f"judges/{name}.qrels": grades for name, grades in judged(data).items()}
    for name, grades in judgments.items():
        lines = [
            f"{topic} 0 {document(t, d)} {grade}"
            for t, topic in enumerate(TOPICS)
            for d, grade in enumerate(grades[t].tolist())
        ]
        write(name, lines)
    rows = [
        ",".join([system, *(f"{values[name][:, s].mean():.4f}" for name in MEASURES)])
        for s, system in enumerate(SYSTEMS)
    ]
    write("scores.csv", [",".join(["system", *MEASURES]), *rows])
    return written


def document(topic: int, number: int) -> str:
    """The name of a document, such as "401-007"."""
    return f"{TOPICS[topic]}-{number:03d}"
