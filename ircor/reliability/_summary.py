"""All that one table of scores says of its own reliability."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from .._progress import Progress
from .._result import Column, Result, Table
from .._scores import ScoreTable
from ._chances import ESTIMATORS, METHODS, Method, Ranked
from ._components import Generalizability, generalizability
from ._expected import Expected, expected, notes_on_quantiles
from ._needed import TopicsNeeded, topics_needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Result):
    """How reliable the ranking of systems by one table of scores is.

    Attributes
    ----------
    name : str
        What the scores are called, or "".
    needed : TopicsNeeded
        The expected coefficient against the number of topics, with the topics needed.
    expected : tuple of Expected
        Each coefficient by each estimator of Urbano and Marrero.
    generalizability : Generalizability
        Variance components, E rho^2 and Phi.
    notes : tuple of str
        What a reader should know about the data.
    """

    name: str
    needed: TopicsNeeded
    expected: tuple[Expected, ...]
    generalizability: Generalizability
    notes: tuple[str, ...] = ()

    def tables(self) -> list[Table]:
        """The curve, the estimators, the variance components and the coefficients of generalizability theory."""
        values = {(one.estimator, one.method): one.value for one in self.expected}
        rows = [(by, *(values[by, method] for method in METHODS)) for by in ESTIMATORS]
        titles = [Column(method, f"expected\n{method}") for method in METHODS]
        estimators = Table("expected", [Column("estimator"), *titles], rows)
        curve, _ = self.needed.tables()
        return [curve, estimators, *self.generalizability.tables()]

    def sentences(self) -> list[str]:
        return [self.needed.said(self.name), *self.generalizability.sentences()]

    def as_dict(self) -> dict[str, Any]:
        """The dicts of all parts; the chances are those by "ML"."""
        ml = self.expected[0].as_dict()
        return {
            "name": self.name,
            "needed": self.needed.as_dict(),
            "expected": self.tables()[1].records(),
            "generalizability": self.generalizability.as_dict(),
            "names": ml["names"],
            "chances": ml["chances"],
            "notes": self.notes,
        }

    def plot(self, ax: Axes | None = None, *, name: str = "this collection") -> Axes:
        """Draw the expected coefficient against the number of topics: `ircor.plots.curve`."""
        return self.needed.plot(ax, name=name)

    def __repr__(self) -> str:
        return f"<Reliability {self.name}: {self.needed!r}, {self.generalizability!r}>"


def summary(
    X: ScoreTable,
    target: float = 0.9,
    method: Method = "tau",
    *,
    name: str = "",
    level: float = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Reliability:
    """Say how reliable the ranking of systems by a table of scores is: what `ircor reliability` prints.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Scores, topics by systems, as for `expected`.
    target, method, level, resamples, seed, n_jobs, progress
        As for `topics_needed`.  The resamples of the estimator "RES" are as many, and the target of `generalizability`
        is its own, 0.95.
    name : str
        What the scores are called in sentences.

    Returns
    -------
    Reliability

    Raises
    ------
    TypeError, ValueError
        As `topics_needed` does.

    Examples
    --------
    >>> import ircor
    >>> from ircor.reliability import summary
    >>> found = summary(ircor.sample("map"), name="map", seed=1)
    >>> round(found.needed.own.value, 3), found.needed.needed, round(found.generalizability.e_rho2.value, 3)
    (0.898, 53, 0.967)
    """
    scores = Ranked.of(X).scores
    options: dict[str, Any] = {"level": level, "seed": seed, "resamples": resamples}
    needed = topics_needed(scores, target, method, n_jobs=n_jobs, progress=progress, **options)
    found = tuple(expected(scores, one, by, needed.seed, resamples=resamples) for by in ESTIMATORS for one in METHODS)
    general = generalizability(scores, level=level)
    # What the estimators say of equal pairs is said once, with the curve.
    quantiles = (
        notes_on_quantiles(one.ranked, one.of_pairs, method, one.estimator) for one in found if one.method == method
    )
    notes = dict.fromkeys([*needed.notes, *chain.from_iterable(quantiles), *general.notes])
    return Reliability(name, needed, found, general, tuple(notes))
