"""Measure how often `ircor.judging.bias` flags a system wrongly and rightly, and how often the intervals of kappa hold.

Simulated collections: in each topic documents have grades in the truth, and systems come in families of three, which
rank by similar scores, so that they find the same documents and share their labels.  A judge errs without looking at
systems, or raises the grades of what one family finds.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from ircor._core.files import whole_file
from ircor.judging import agreement
from ircor.judging._bias import Cells, favours

DOCS = Path(__file__).resolve().parents[1] / "docs"
SEED, LEVEL, DEPTH, DOCUMENTS = 2017, 0.95, 10, 200
SYSTEMS, FAMILY = 30, 3
# How often each grade is given in the truth, on average over topics.
SHARES = {2: [0.8, 0.2], 4: [0.7, 0.15, 0.1, 0.05]}


@dataclass(frozen=True)
class Setting:
    """A kind of judge.

    Attributes
    ----------
    topics, grades : int
        The number of topics, and of grades in the truth.
    errors : {"random", "by topic", "look", "other scale", "lenient", "few", "finer", "near the limit", "people", ...}
        With an exact truth, which systems see: a random grade for three documents in ten; errors that are more or less
        frequent, and lenient or strict, from topic to topic; errors on documents that look relevant, to systems too; a
        scale of twice as many grades; one grade more for some documents, the more the lower their grade; or a random
        grade where few documents are relevant.
        With a quality of documents, which systems see, of which grades are classes: "finer", a judge of four grades
        beside an exact binary truth; "near the limit", a judge who errs on documents near the limit of relevance;
        "people" and "careful people", two persons who err alike, much and little, so that neither favours a system.
    raised : float
        For documents among the first of one family, the probability that the judge's grade is one higher.
    judged : float
        The share of the documents that both judged.
    """

    topics: int
    grades: int
    errors: str
    raised: float = 0.0
    judged: float = 1.0


def settings() -> Iterator[Setting]:
    for raised in (0, 0.2, 0.4):
        for topics in (25, 50):
            for grades in SHARES:
                for errors in ("random", "look") if raised else ("random", "by topic", "look", "other scale"):
                    yield Setting(topics, grades, errors, raised)
            for grades, errors in OTHER_TRUTHS:
                yield Setting(topics, grades, errors, raised)
        yield Setting(50, 4, "random", raised, 0.5)


OTHER_TRUTHS = (
    *((4, "lenient"), (2, "few"), (2, "finer"), (2, "near the limit")),
    *((4, "people"), (4, "careful people"), (2, "people")),
)
NOISE = {"finer": 0.5, "near the limit": 0.5, "people": 0.5, "careful people": 0.2}
"""The noise of labels, where the standard deviation of the quality of documents is 1."""


def random_numbers(setting: Any) -> np.random.Generator:
    """The random numbers of a setting, which do not depend on the other settings."""
    return np.random.default_rng([SEED, crc32(repr(setting).encode())])


def labels(setting: Setting, truth: np.ndarray, look: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What the judge gives to documents, without looking at systems."""
    n, k = len(truth), setting.grades
    if setting.errors == "random":
        return np.where(rng.random(n) < 0.3, rng.integers(0, k, n), truth)
    if setting.errors == "by topic":
        often, lenient = rng.uniform(0.05, 0.6), rng.random()
        return np.where(rng.random(n) < often, np.where(rng.random(n) < lenient, k - 1, 0), truth)
    if setting.errors == "look":
        return np.clip(np.round(0.9 * truth + 0.35 * look + 0.5 * rng.standard_normal(n)), 0, k - 1).astype(int)
    if setting.errors == "lenient":
        return np.minimum(truth + (rng.random(n) < 0.4 / (1 + truth)), k - 1)
    if setting.errors == "few":
        return np.where(rng.random(n) < 0.05, rng.integers(0, k, n), truth)
    return 2 * truth + rng.choice([0, 1, 1, 2], n)


def labels_of_quality(
    setting: Setting, quality: np.ndarray, shares: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The grades by the truth and by the judge, which are classes of the quality of documents, with noise."""
    noise = NOISE[setting.errors]
    limits = np.quantile(quality, np.minimum(np.cumsum(shares)[:-1], 1))
    seen = [quality + noise * rng.standard_normal(len(quality)) for _ in range(2)]
    truth = np.searchsorted(limits, seen[0] if setting.errors.endswith("people") else quality)
    if setting.errors == "finer":
        limits = np.quantile(quality, np.cumsum(SHARES[4])[:-1])
    return truth, np.searchsorted(limits, seen[1])


def cells_of_sample(setting: Setting, rng: np.random.Generator) -> tuple[Cells, np.ndarray]:
    """The mean grades of all systems in all topics of one collection, and which systems are of the raised family."""
    families = np.repeat(np.arange(SYSTEMS // FAMILY), FAMILY)
    raised = families == rng.integers(SYSTEMS // FAMILY)
    quality = np.linspace(0.3, 1.2, SYSTEMS) * np.sqrt(3 / (setting.grades - 1))
    runs: list[dict[int, list[Any]]] = [{} for _ in range(SYSTEMS)]
    truth: dict[Any, dict[Any, float]] = {}
    judge: dict[Any, dict[Any, float]] = {}
    for topic in range(setting.topics):
        few = setting.errors == "few"
        shares = rng.dirichlet(6 * np.array([0.95, 0.05] if few else SHARES[setting.grades]))
        latent = setting.errors in NOISE
        grades = rng.choice(setting.grades, DOCUMENTS, p=shares)
        look, common, own = (rng.standard_normal((n, DOCUMENTS)) for n in (1, SYSTEMS // FAMILY, SYSTEMS))
        if latent:
            seen = rng.standard_normal(DOCUMENTS)
            grades, given = labels_of_quality(setting, seen, shares, rng)
        else:
            seen = grades
        scores = quality[:, None] * seen + 0.6 * look + 0.8 * common[families] + 0.5 * own
        for system, row in zip(runs, np.argsort(-scores, axis=1)[:, :DEPTH]):
            system[topic] = row.tolist()
        if not latent:
            given = labels(setting, grades, look[0], rng)
        found = np.zeros(DOCUMENTS, bool)
        found[[doc for system, of_family in zip(runs, raised) if of_family for doc in system[topic]]] = True
        highest = max(given.max(), 1)
        given = np.minimum(given + (found & (rng.random(DOCUMENTS) < setting.raised)), highest)
        judged = np.flatnonzero(rng.random(DOCUMENTS) < setting.judged)
        truth[topic], judge[topic] = (dict(zip(judged.tolist(), side[judged].tolist())) for side in (grades, given))
    return Cells.of(runs, truth, judge, list(truth)), raised


def flags(setting: Setting, samples: int) -> dict[str, Any]:
    """How often systems are flagged, by the favour and by the plain difference of the mean grades."""
    rng = random_numbers(setting)
    counts = dict.fromkeys(("any", "any_one_way", "any_by_difference", "family", "other_favoured", "size"), 0.0)
    for _ in range(samples):
        cells, raised = cells_of_sample(setting, rng)
        found = favours(cells, LEVEL)
        favour = np.array([one.favour for one in found])
        flagged = np.array([one.pvalue for one in found]) <= 1 - LEVEL
        difference = cells.judge - cells.truth
        counts["any"] += flagged.any()
        # With the negative in the other direction, only one direction counts.
        for key, gain in (("any_one_way", cells.gain), ("any_by_difference", difference)):
            one_way = favours(cells._replace(gain=gain, reverse=-gain), LEVEL)
            counts[key] += min(one.pvalue for one in one_way) <= 1 - LEVEL
        if setting.raised:
            counts["family"] += (flagged & (favour > 0))[raised].mean()
            counts["other_favoured"] += (flagged & (favour > 0))[~raised].any()
            counts["size"] += favour[raised].mean()
    shares = {key: round(float(count) / samples, 3) for key, count in counts.items()}
    if not setting.raised:
        shares = {key: shares[key] for key in ("any", "any_one_way", "any_by_difference")}
    return {**asdict(setting), "samples": samples, **shares}


@dataclass(frozen=True)
class Labels:
    """Judges whose kappa has an interval: the number of topics, and of documents in each, and how different topics are.

    Attributes
    ----------
    topics, grades : int
    documents : pair of int
        The least and the greatest number of documents that both judged in a topic.
    errors : float
        The mean share of documents that the judge errs on.
    spread : float
        The standard deviation of this share over topics.
    """

    topics: int
    grades: int
    documents: tuple[int, int]
    errors: float
    spread: float


def label_settings() -> Iterator[Labels]:
    for topics in (5, 10, 25, 50):
        for grades in SHARES:
            yield Labels(topics, grades, (100, 100), 0.3, 0.1)
            yield Labels(topics, grades, (20, 400), 0.3, 0.15)
            yield Labels(topics, grades, (100, 100), 0.1, 0.05)


def judgments(setting: Labels, topics: int, rng: np.random.Generator) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Judgments of the truth and of a judge who errs by one grade, or less often by any."""
    truth, judge = {}, {}
    k = setting.grades
    for topic in range(topics):
        n = int(rng.integers(setting.documents[0], setting.documents[1] + 1))
        a = rng.choice(k, n, p=rng.dirichlet(8 * np.array(SHARES[k])))
        wrong = np.where(rng.random(n) < 0.6, np.clip(a + rng.choice([-1, 1], n), 0, k - 1), rng.integers(0, k, n))
        share = np.clip(setting.errors + setting.spread * rng.standard_normal(), 0.02, 0.95)
        b = np.where(rng.random(n) < share, wrong, a)
        truth[topic], judge[topic] = (dict(enumerate(side.tolist())) for side in (a, b))
    return truth, judge


def kappa_coverage(setting: Labels, samples: int) -> dict[str, Any]:
    """How often the intervals hold the coefficients of a great many topics."""
    rng = random_numbers(setting)
    many = agreement(*judgments(setting, 2000, rng))
    expected, held = many.coefficients, dict.fromkeys(many.limits, 0)
    for _ in range(samples):
        limits = agreement(*judgments(setting, setting.topics, rng)).limits
        for key, (low, high) in limits.items():
            held[key] += low <= getattr(expected, key) <= high
    row = {**asdict(setting), "documents": "-".join(map(str, dict.fromkeys(setting.documents))), "samples": samples}
    return row | {key: round(count / samples, 3) for key, count in held.items()}


def write(rows: list[dict[str, Any]], path: Path) -> None:
    """Write the rows as CSV, and print them as a Markdown table."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with whole_file(path, "text", force=True) as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(str(row.get(name, '')) for name in columns)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--samples", type=int, default=400, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the tables are written (default: docs)")
    parser.add_argument("--only", choices=("bias", "kappa"), help="measure only this")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.only != "kappa":
        # A power is told from fewer samples than an error rate.
        found = [flags(one, options.samples // 4 if one.raised else options.samples) for one in settings()]
        write(found, options.folder / "judges-bias.csv")
    if options.only != "bias":
        found = [kappa_coverage(setting, options.samples) for setting in label_settings()]
        write(found, options.folder / "judges-kappa.csv")


if __name__ == "__main__":
    main()
