"""Tables of scores, topics by systems."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from ._check import EQUAL_MEANS, number_table, numeric_vector, tie_means

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


class Scores:
    """A table of scores, checked: topics by systems, with the names of both."""

    values: Array
    topics: Sequence[Hashable]
    systems: Sequence[Hashable]

    def __init__(self, X: Any, name: str = "X") -> None:
        table, names = number_table(X, name)
        if table.ndim != 2:
            raise ValueError(f"'{name}' must have two dimensions, topics by systems, not {table.ndim}")
        self.n, self.m = table.shape
        self.values = np.ascontiguousarray(table, dtype=np.float64)
        self.named = hasattr(X, "columns")
        self.topics, self.systems = names
        if len(set(self.systems)) < self.m:
            twice = next(name for k, name in enumerate(self.systems) if name in self.systems[:k])
            raise ValueError(f"'{name}' has two systems of the name {twice!r}")
        if self.m < 2:
            raise ValueError(f"'{name}' must have two systems or more, not {self.m}")
        if self.n < 2:
            raise ValueError(f"'{name}' must have two topics or more, not {self.n}")
        if not np.isfinite(self.values).all():
            t, i = np.argwhere(~np.isfinite(self.values))[0]
            raise ValueError(
                f"'{name}' must not have missing or infinite scores: {self.values[t, i]} for topic "
                f"{self.topics[t]!r} and system {self.systems[i]!r}"
            )
        self.size = float(np.abs(self.values).max())
        if not isfinite(self.n * self.size):
            raise ValueError(f"the scores in '{name}' are too large for their sums to be numbers")
        self.means = tie_means(self.values.mean(axis=0), self.size)
        # From the best down; systems with equal means by their scores, so that the order of the columns does not count.
        self.by_means = np.lexsort([*self.values[::-1], self.means])[::-1].astype(np.int32)

    def match(self, y: Any) -> npt.NDArray[np.int64]:
        """The rank of every system by y, ties alike, in the order of the table's columns."""
        values = numeric_vector(y, "y")
        if values.dtype.kind == "f" and np.isnan(values).any():
            raise ValueError("'y' must not have missing values")
        if hasattr(y, "index") and hasattr(y, "reindex"):
            values = values[self.places_of(list(y.index))]
        if values.size != self.m:
            raise ValueError(f"'y' must have one number for each of the {self.m} systems of 'X', not {values.size}")
        return np.unique(values, return_inverse=True)[1].astype(np.int64)

    def places_of(self, names: list[Hashable]) -> list[int]:
        """Where among these names each system of the table stands."""
        where = "'X'" if self.named else "'X', which has no names but the numbers of its columns"
        place = {name: k for k, name in enumerate(names)}
        if len(place) < len(names):
            raise ValueError("'y' has two numbers for one system")
        if missing := [name for name in self.systems if name not in place]:
            raise ValueError(f"'y' has no number for the systems {missing[:5]!r} of {where}")
        if unknown := set(names) - set(self.systems):
            raise ValueError(
                f"'y' has a number for the systems {sorted(map(str, unknown))[:5]!r}, which are not in {where}"
            )
        return [place[name] for name in self.systems]

    def order(self, y: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """The systems from the best by y down, ties in the order of their means."""
        return self.by_means[np.argsort(-y[self.by_means], kind="stable")]

    @property
    def noise(self) -> float:
        """How far apart two systems' sums over the topics may be by rounding alone."""
        return float(self.n * self.size * EQUAL_MEANS)

    def digest(self) -> str:
        import hashlib

        return hashlib.sha256(repr((self.n, self.m)).encode() + self.values.tobytes()).hexdigest()
