"""The types of arguments, for type checkers and editors: what each function takes is checked when it is called.

Protocols say what is needed of a Series or a DataFrame, so that those of pandas, Polars and Arrow fit, and nobody needs
all of them, nor their stubs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

MethodName: TypeAlias = Literal["tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b"]
"""The name of one of the six coefficients of R's ircor."""

TiesAsAnswer: TypeAlias = Literal["tau_eq", "acc_eq"]
"""The name of a coefficient that takes a tie in the truth for something that the estimate should have too."""

CoefficientName: TypeAlias = Literal[MethodName, TiesAsAnswer]
"""The name of a coefficient of two rankings."""

JudgeMethodName: TypeAlias = Literal[CoefficientName, "spearman", "pearson"]
"""The name of a coefficient of means, for which SciPy has more than the order."""

AnyMethodName: TypeAlias = Literal[CoefficientName, "rbo"]
"""The name of a coefficient, or "rbo" for rank-biased overlap."""

Ties: TypeAlias = Literal["w", "a", "b"]
"""The treatments of ties in rank-biased overlap."""


class SeriesLike(Protocol):
    """A Series of pandas or Polars, or an Index: one dimension of one type, with a name."""

    @property
    def name(self) -> Hashable: ...

    @property
    def dtype(self) -> object: ...

    def to_numpy(self) -> npt.NDArray[Any]: ...

    def __len__(self) -> int: ...


class ArrowArray(Protocol):
    """A column in Arrow's memory format: an Array of pyarrow."""

    def __arrow_c_array__(self, requested_schema: object = None) -> Any: ...


class ArrowStream(Protocol):
    """A column in chunks of Arrow's memory format: a ChunkedArray of pyarrow, a Series of Polars."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any: ...


ArrowLike: TypeAlias = "ArrowArray | ArrowStream"
"""A column of Arrow, of whatever library."""


class Frame(Protocol):
    """A table with named columns: a DataFrame of pandas or Polars, or an Arrow table."""

    @property
    def columns(self) -> Iterable[object]: ...

    def __getitem__(self, name: Any, /) -> Any: ...


class IndexedFrame(Frame, Protocol):
    """A table whose rows have labels too: a DataFrame of pandas."""

    @property
    def index(self) -> object: ...


Value = TypeVar("Value", covariant=True)


class HasItems(Protocol[Value]):
    """A mapping from anything: the keys of `Mapping` would have to be of one type."""

    def items(self) -> Iterable[tuple[Hashable, Value]]: ...


Number: TypeAlias = "float | np.integer[Any] | np.floating[Any]"
"""One number; an int is a float to type checkers."""

Numbers: TypeAlias = "npt.NDArray[np.integer[Any] | np.floating[Any]]"
"""An array of numbers, of any number of dimensions."""

Array: TypeAlias = "npt.NDArray[Any]"
"""An array, whatever it holds."""

Floats: TypeAlias = "npt.NDArray[np.float64]"
"""An array of real numbers."""

Vector: TypeAlias = "Sequence[Number] | Numbers | SeriesLike"
"""A list or tuple of numbers, a NumPy array of integers or real floats, a pandas or Polars Series of them."""

Rows: TypeAlias = "Sequence[Sequence[Number] | Numbers]"
"""A table as a list of its rows."""

Table: TypeAlias = "Numbers | Rows | Frame"
"""A table of numbers: a 2-D array, a list of rows, a DataFrame."""

Groups: TypeAlias = "Sequence[Hashable] | npt.NDArray[Any] | SeriesLike"
"""The group of each row: strings, integers or any hashable values."""
