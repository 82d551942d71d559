"""The analysis of Urbano, Lima and Hanjalic (SIGIR 2019), which they published with all of its values."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import get_args

import numpy as np

from .._coefficients import tau_b, tauAP_b
from .._core.errors import InvalidValueError
from .._core.options import Standardization
from .._core.text import listed
from .._core.types import Floats
from .._core.work import Progress, watched
from ..averages import standardize
from ..rbase import RRandom, r_colmeans, r_round
from ._files import Files, one_file

URBANO_2019 = "Urbano, Lima and Hanjalic, SIGIR 2019"

PUBLISHED = re.compile(r"(within|between)_(.+)_(tau|tauAP)\.csv(\.gz)?")
"""How the files of values are called: the design, the collection with the measure, and the coefficient."""

ENDINGS = (".csv", ".csv.gz")

COEFFICIENTS = {"tau": tau_b, "tauAP": tauAP_b}

COLUMNS: tuple[str, ...] = ("raw", *(f"{method}-std" for method in get_args(Standardization)))

FIRST_SEED = 501
"""The seed of the first trial; each trial has the next one."""

SAMPLE = 50
"""The topics of a sample, as far as there are so many."""

DECIMALS = 6
"""The decimals of the published values."""


@dataclass(frozen=True)
class PublishedFile:
    """A file of published values, and how many of them this package gives.

    Attributes
    ----------
    source, file : str
        The publication, and the name of the file.
    values, agree : int
        The number of values, and of those that are equal at the printed decimals.
    largest_difference : float
        The largest difference from a published value, before rounding; nan if only one of the two is undefined.
    columns : dict of str to int
        The number of values of each column that agree.
    """

    source: str
    file: str
    values: int
    agree: int
    largest_difference: float
    columns: dict[str, int]


@dataclass(frozen=True)
class Published:
    """A file of published values: its path, and what its name says."""

    path: str
    design: str
    scores: str
    coefficient: str


def urbano_2019(paths: Files, progress: Progress = None) -> list[PublishedFile]:
    """Recompute the values of all files of the analysis that are among these, by name."""
    files = []
    for name in sorted(paths):
        if match := PUBLISHED.fullmatch(name):
            design, scores, coefficient, _ = match.groups()
            files.append(Published(one_file(paths, name), design, scores, coefficient))
    designs: dict[tuple[str, str], list[Published]] = {}
    for file in files:
        designs.setdefault((file.scores, file.design), []).append(file)
    tables = {file.path: published_values(file.path) for file in files}
    total = sum(max(len(tables[file.path]) for file in same) for same in designs.values())
    found: dict[str, PublishedFile] = {}
    with watched(total, progress) as tell:
        done = 0
        for (scores, design), same in designs.items():
            forms = standardized_forms(one_file(paths, *(scores + ending for ending in ENDINGS)))
            trials = max(len(tables[file.path]) for file in same)
            computed = np.empty((len(same), trials, len(COLUMNS)))
            for trial in range(trials):
                x, y = means_of(forms, design, FIRST_SEED + trial)
                for k, file in enumerate(same):
                    coefficient = COEFFICIENTS[file.coefficient]
                    computed[k, trial] = [coefficient(a, b) for a, b in zip(x, y)]
                tell(done + trial + 1)
            done += trials
            for file, values in zip(same, computed):
                found[file.path] = compared(file, tables[file.path], values)
    return [found[file.path] for file in files]


def files_of_analysis(paths: Files) -> set[str]:
    """The names of the files that the analysis reads."""
    of_values = {name: match[2] for name in paths if (match := PUBLISHED.fullmatch(name))}
    return {*of_values, *(f"{scores}{ending}" for scores in of_values.values() for ending in ENDINGS)}


def standardized_forms(path: str) -> Floats:
    """The scores as they are and in each standardization, side by side: topics by forms by systems."""
    from ..trec import read_table

    scores = np.asarray(read_table(path), dtype=np.float64)
    return np.stack([scores, *(standardize(scores, method) for method in get_args(Standardization))], axis=1)


def means_of(forms: Floats, design: str, seed: int) -> tuple[Floats, Floats]:
    """The two rankings of a trial, for each form: the means of the systems."""
    n, shape = len(forms), forms.shape[1:]
    flat = forms.reshape(n, -1)
    random = RRandom(seed)
    if design == "within":
        means = r_colmeans(flat[random.sample(n, min(n, SAMPLE)) - 1]).reshape(shape)
        return np.broadcast_to(means[0], shape), means
    k = min(n // 2, SAMPLE)
    sample = random.sample(n, 2 * k) - 1
    return r_colmeans(flat[sample[:k]]).reshape(shape), r_colmeans(flat[sample[k:]]).reshape(shape)


def published_values(path: str) -> Floats:
    """The values of a file, with its columns in the order of the forms."""
    import pandas as pd

    table = pd.read_csv(path)
    if sorted(table.columns) != sorted(COLUMNS):
        raise InvalidValueError(None, f"{path} must have the columns {', '.join(COLUMNS)}", listed(table.columns))
    return np.asarray(table[list(COLUMNS)], dtype=np.float64)


def compared(file: Published, printed: Floats, computed: Floats) -> PublishedFile:
    """How many values agree at the printed decimals."""
    values = computed[: len(printed)]
    both_nan = np.isnan(values) & np.isnan(printed)
    same = (np.abs(np.asarray(r_round(values, DECIMALS)) - printed) < 0.1 * 10.0**-DECIMALS) | both_nan
    difference = np.where(both_nan, 0, np.abs(values - printed))
    columns = dict(zip(COLUMNS, map(int, same.sum(axis=0))))
    name = os.path.basename(file.path)
    return PublishedFile(URBANO_2019, name, same.size, int(same.sum()), float(difference.max(initial=0)), columns)
