"""The result of the bootstrap test of the rank distance."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .._result import Column, Result, Table, general
from .._text import p_equals, p_value

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DrankResult(Result):
    """A rank distance, its p-value, and the point that the distance was measured to.

    Attributes
    ----------
    statistic : float
        The rank distance.
    pvalue : float
        The share of the resamples whose distance is at least as large.
    order : tuple
        The systems in y's order, best first.
    theta : numpy.ndarray
        The nearest point with that order: how far each system of `order` but the last is ahead of the next one.
    equalised : tuple of pairs
        The neighbours in `order` that are equal at that point: their means are in the opposite order, or they are tied
        to such a pair.
    resamples : int
    ridge : float
        Added to the variances.
    seed : int
        Reproduces the resamples.
    """

    statistic: float
    pvalue: float
    order: tuple[Hashable, ...]
    theta: Array = field(repr=False)
    equalised: tuple[tuple[Hashable, Hashable], ...]
    resamples: int
    ridge: float
    seed: int

    def tables(self) -> list[Table]:
        """The test in one row, and the pairs that were made equal, if any."""
        columns = [
            Column("statistic", "d_rank"),
            Column("pvalue", "p-value", text=lambda share: p_value(share, self.resamples)),
            Column("resamples"),
            Column("ridge", text=general),
        ]
        test = Table("test", columns, [[self.statistic, self.pvalue, self.resamples, self.ridge]])
        pair = [Column("better", "made equal", text=str), Column("worse", "and", text=str)]
        return [test, Table("made_equal", pair, self.equalised)] if self.equalised else [test]

    def sentences(self) -> list[str]:
        """The distance and its p-value."""
        p = p_equals(self.pvalue, self.resamples)
        ridge = f", ridge {general(self.ridge)}" if self.ridge else ""
        return [f"rank distance {self.statistic:.4g}, {p} ({self.resamples} resamples of the topics{ridge})"]

    def as_dict(self) -> dict[str, Any]:
        """All of the result but `theta`, for JSON."""
        return {
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "resamples": self.resamples,
            "ridge": self.ridge,
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
