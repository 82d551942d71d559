"""The result of the bootstrap test of the rank distance."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .._result import Column, Result, Table, general
from .._text import p_equals, p_value

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Null = Literal["resample", "two-sample"]


@dataclass(frozen=True, eq=False)
class DrankResult(Result):
    """A rank distance, its p-value, and the point that the distance was measured to.

    Attributes
    ----------
    statistic : float
        The rank distance.
    pvalue : float
        The share of the samples of topics whose distance is at least as large, counting this one as one of them.
    order : tuple
        The systems in y's order, best first.
    theta : numpy.ndarray
        The nearest point with that order: how far each system of `order` but the last is ahead of the next one.
    equalised : tuple of pairs
        The neighbours in `order` that are equal at that point: their means are in the opposite order, or they are tied
        to such a pair.
    null : {"resample", "two-sample"}
        What the distance was compared with: `drank_test`.
    topics : int
        The number of topics behind the ranking, for the two-sample test.
    resamples : int
        The number of samples of topics.
    ridge : float
        Added to the variances.
    shrinkage : float
        The share of the identity matrix in the covariance; 0 without shrinkage.
    seed : int
        Reproduces the samples.
    """

    statistic: float
    pvalue: float
    order: tuple[Hashable, ...]
    theta: Array = field(repr=False)
    equalised: tuple[tuple[Hashable, Hashable], ...]
    null: Null
    topics: int
    resamples: int
    ridge: float
    shrinkage: float
    seed: int

    def tables(self) -> list[Table]:
        """The test in one row, and the pairs that were made equal, if any."""
        columns = [
            Column("statistic", "d_rank"),
            Column("pvalue", "p-value", text=lambda share: p_value(share, self.resamples)),
            Column("null"),
            Column("resamples"),
            Column("ridge", text=general),
            Column("shrinkage"),
        ]
        row = (self.statistic, self.pvalue, self.null, self.resamples, self.ridge, self.shrinkage)
        test = Table("test", columns, [row])
        pair = [Column("better", "made equal", text=str), Column("worse", "and", text=str)]
        return [test, Table("made_equal", pair, self.equalised)] if self.equalised else [test]

    def sentences(self) -> list[str]:
        """The distance and its p-value, with what it was compared with."""
        samples = f"{self.resamples} resamples of the topics"
        if self.null == "two-sample":
            samples = f"{self.resamples} pairs of samples of topics"
        covariance = f", ridge {general(self.ridge)}" if self.ridge else ""
        covariance += f", shrinkage {self.shrinkage:.2g}" if self.shrinkage else ""
        p = p_equals(self.pvalue, self.resamples)
        return [f"rank distance {self.statistic:.4g}, {p} (null: {samples}{covariance})"]

    def as_dict(self) -> dict[str, Any]:
        """All of the result but `theta`, for JSON."""
        return {
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "null": self.null,
            "topics": self.topics,
            "resamples": self.resamples,
            "ridge": self.ridge,
            "shrinkage": self.shrinkage,
            "order": self.order,
            "made_equal": self.equalised,
            "seed": self.seed,
        }

    def __str__(self) -> str:
        chains: list[list[Hashable]] = []
        for better, worse in self.equalised:
            if chains and chains[-1][-1] == better:
                chains[-1].append(worse)
            else:
                chains.append([better, worse])
        equal = ", ".join(" = ".join(map(str, chain)) for chain in chains) or "none"
        return "\n".join([*self.sentences(), f"made equal: {equal}"])
