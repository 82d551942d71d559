"""How close the ranking of systems by some topics is expected to be to the true one (Urbano and Marrero 2016)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from .._extras import extra
from .._options import whole_number
from .._parallel import random_blocks
from .._result import Column, Result, Table
from .._scores import ScoreTable
from .._text import counted
from ._chances import Estimator, Method, Ranked, chances_of, checked_estimator, checked_method, resampled_chances

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Expected(Result):
    """The expected correlation between the ranking of the systems and the true one; `float` takes its value.

    Attributes
    ----------
    value : float
        The expected coefficient.
    method : {"tau", "tauAP"}
    estimator : {"ML", "MSQD", "RES"}
    chances : pandas.DataFrame or numpy.ndarray
        Systems by systems, in the order of the columns: the chance that the pair is in the wrong order.  It is
        symmetric, and nan on the diagonal and for two systems that are equal on every topic.  A table without names has
        an array.
    topics, systems : int
        How many there are.
    equal_pairs : int
        The number of pairs of systems that are equal on every topic.  They are left out of the sum.
    seed, resamples : int or None
        The seed of the random numbers and the number of resamples, for "RES".
    notes : tuple of str
        What a reader should know about the data.
    """

    value: float
    method: Method
    estimator: Estimator
    ranked: Ranked
    of_pairs: Array = field(repr=False)
    seed: int | None = None
    resamples: int | None = None
    notes: tuple[str, ...] = ()

    def __float__(self) -> float:
        return self.value

    @property
    def topics(self) -> int:
        return self.ranked.scores.n

    @property
    def systems(self) -> int:
        return self.ranked.scores.m

    @property
    def equal_pairs(self) -> int:
        return int(self.ranked.equal.sum())

    @property
    def chances(self) -> pandas.DataFrame | Array:
        scores = self.ranked.scores
        found = matrix_of(self.ranked, self.of_pairs)
        if not scores.named:
            return found
        DataFrame = extra("pandas", "a table with names").DataFrame

        return DataFrame(found, scores.labels, scores.labels)

    def tables(self) -> list[Table]:
        """One row."""
        columns = [
            Column("method"),
            Column("estimator"),
            Column("value", "expected"),
            Column("topics"),
            Column("systems"),
            Column("equal_pairs", "equal pairs"),
        ]
        row = (self.method, self.estimator, self.value, self.topics, self.systems, self.equal_pairs)
        return [Table("expected", columns, [row])]

    def sentences(self) -> list[str]:
        return [
            f"With {counted(self.topics, 'topic')}, the ranking of the {self.systems} systems is expected to have "
            f"{self.method} {self.value:.4f} with the true one, by {self.estimator}."
        ]

    def as_dict(self) -> dict[str, Any]:
        """All of it, with the chances as a list of rows in the order of `names`."""
        return {
            "value": self.value,
            "method": self.method,
            "estimator": self.estimator,
            "topics": self.topics,
            "systems": self.systems,
            "equal_pairs": self.equal_pairs,
            "names": list(self.ranked.scores.systems),
            "chances": matrix_of(self.ranked, self.of_pairs).tolist(),
            "seed": self.seed,
            "resamples": self.resamples,
            "notes": self.notes,
        }

    def __repr__(self) -> str:
        return f"<Expected {self.method} {self.value:.4f} by {self.estimator}, {counted(self.topics, 'topic')}>"


def expected(
    X: ScoreTable,
    method: Method = "tau",
    estimator: Estimator = "ML",
    seed: int | None = None,
    *,
    resamples: int = 1000,
) -> Expected:
    """Estimate how well the ranking of systems by their mean scores correlates with the true ranking.

    The true ranking is that by the means over all topics there could be, of which the topics of the table are a random
    sample.  Nobody knows it, but for two systems the scores tell the chance that it has them in the other order.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Scores, topics by systems, as for `ircor.bootstrap`: 3 topics or more, and 2 systems or more.
    method : {"tau", "tauAP"}
        The coefficient.  For "tauAP", pairs at the top of the observed ranking have more weight.
    estimator : {"ML", "MSQD", "RES"}
        Where the chances come from.

        - "ML": the t distribution, with the usual standard deviation of the differences between two systems, corrected
          for its bias.
        - "MSQD": the t distribution, with the standard deviation that brings the differences nearest to the quantiles
          of a normal distribution.
        - "RES": the share of resamples of the topics in which the difference of the means is the other way round.
    seed : int, optional
        The seed of the random numbers of "RES", 0 or more.  Drawn if None; reported in the result.
    resamples : int
        The number of resamples of "RES".

    Returns
    -------
    Expected
        Its `value` is the coefficient, which `float` takes too, and `chances` has the matrix.

    Raises
    ------
    TypeError, ValueError
        If the table has fewer than 3 topics, fewer than 2 systems, a missing score, or the same scores for all systems;
        or if an option is not one of those above.

    See Also
    --------
    topics_needed : the same for other numbers of topics, with an interval.

    Notes
    -----
    With P_ij the chance that systems i and j, i ahead of j in the observed ranking, are in the wrong order, and m
    systems, the expected coefficients are ::

        tau = 1 - 2 sum over i < j of P_ij / (m (m - 1) / 2)
        tauAP = 1 - 2 / (m - 1) sum over j = 2..m of (1 / (j - 1)) sum over i < j of P_ij

    and P_ij = F(-sqrt(n) mean(D) / sd) for the differences D of the two systems over n topics, where F is the t
    distribution with n - 1 degrees of freedom.

    All three estimators are biased, the most where few topics or close systems make the value small: there they are
    too high.  The page on reliability has what was measured on simulated collections.

    - Two systems that are equal on every topic have no chance.  As the authors do, such pairs are left out of the sum
      and not of the number of pairs: they count as if they were surely right.  A note counts them.
    - Two systems with equal means have the chance 1/2 by "ML" and "MSQD".  For "tauAP" they are in the order of their
      columns; a note has the value of the opposite order.
    - Two systems that differ by a constant have the chance 0.
    - "MSQD" takes differences for tied if they are equal as floating-point numbers, as the authors do.  Where rounding
      decides, a note has the value without it.  With many tied differences its standard deviation can be negative, and
      then the chances mean nothing: a note counts these pairs.

    References
    ----------
    J. Urbano and M. Marrero (2016). Toward Estimating the Rank Correlation between the Test Collection Results and the
    True System Performance. SIGIR.

    Examples
    --------
    >>> import ircor
    >>> from ircor.reliability import expected
    >>> found = expected(ircor.sample("map"))
    >>> round(found.value, 4), round(float(expected(ircor.sample("map"), "tauAP", "MSQD")), 4)
    (0.895, 0.8423)
    >>> found.chances.loc["J1", ["J2", "B2"]].round(4).to_dict()
    {'J2': 0.2216, 'B2': 0.0}
    """
    name, by = checked_method(method), checked_estimator(estimator)
    ranked = Ranked.of(X)
    drawn_seed, blocks = random_blocks(seed, whole_number(resamples, "resamples"))
    drawn: tuple[int | None, int | None] = (drawn_seed, resamples) if by == "RES" else (None, None)

    def chances_in(order: Ranked) -> Array:
        return resampled_chances(order, blocks) if by == "RES" else chances_of(order, by)

    chances = chances_in(ranked)
    value = ranked.correlation(chances, name)
    undecided = ranked.correlation(np.where(ranked.equal, 0.5, chances), name)
    notes = [
        *filter(None, [ranked.scores.note]),
        *notes_on_equal(ranked, lambda: undecided, name),
        *notes_on_ties(ranked, chances_in, name),
        *notes_on_quantiles(ranked, chances, name, by),
    ]
    return Expected(value, name, by, ranked, chances, *drawn, tuple(notes))


def matrix_of(ranked: Ranked, of_pairs: Array) -> Array:
    """Systems by systems, in the order of the columns; nan on the diagonal."""
    m = ranked.scores.m
    found = np.full((m, m), nan)
    i, j = ranked.order[ranked.ahead], ranked.order[ranked.behind]
    found[i, j] = found[j, i] = of_pairs
    return found


def notes_on_equal(ranked: Ranked, undecided: Callable[[], float], method: Method) -> Iterator[str]:
    """The pairs that are equal on every topic, and what the value would be if they were undecided."""
    if count := int(ranked.equal.sum()):
        yield (
            f"{counted(count, 'pair')} of systems {'is' if count == 1 else 'are'} equal on every topic and left out of "
            f"the sum, as if in the right order: counted as undecided, {method} would be {undecided():.4f}"
        )


def notes_on_ties(ranked: Ranked, chances: Callable[[Ranked], Array], method: Method) -> Iterator[str]:
    """What the order of systems with equal means, but other scores, does to tauAP."""
    if method == "tauAP" and (count := int((ranked.same_mean & ~ranked.equal).sum())):
        scores = ranked.scores
        other = Ranked.of(scores.taken(range(scores.n), range(scores.m)[::-1]))
        have = "has the same mean and is" if count == 1 else "have the same mean and are"
        yield (
            f"{counted(count, 'pair')} of systems {have} in the order of the columns: in the opposite order, tauAP "
            f"would be {other.correlation(chances(other), method):.4f}"
        )


def notes_on_quantiles(ranked: Ranked, chances: Array, method: Method, estimator: Estimator) -> Iterator[str]:
    """What tied differences do to the standard deviations of MSQD."""
    if estimator != "MSQD":
        return
    means = ranked.rows.mean(axis=1)
    # The better system of these pairs would more probably be the worse one.
    negative = int(((chances > 0.5) & (means[ranked.ahead] - means[ranked.behind] > ranked.noise)).sum())
    if negative:
        yield (
            f"so many differences of {counted(negative, 'pair')} of systems are tied that the standard deviation by "
            "MSQD is negative, and the chance means nothing: take ML"
        )
    tied = ranked.correlation(chances_of(ranked, "MSQD", ranked.noise), method)
    if f"{tied:.5f}" != f"{ranked.correlation(chances, method):.5f}":
        yield (
            "MSQD takes differences such as 0.3 - 0.1 and 0.2, which are equal but for rounding, for different ones: "
            f"taken as equal, {method} would be {tied:.5f}"
        )
