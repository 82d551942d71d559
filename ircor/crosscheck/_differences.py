"""Where Python differs from R on purpose.

This is the complete list; the table in docs/coming-from-r.md has the same differences.  Python differs only where R's
answer is an accident of its arithmetic.  What the accident looks like depends on R's version, so it does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._cases import Answer, Case

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

REFUSALS = (
    "'x' must be a numeric vector",
    "'y' must be a numeric vector",
    "'x' and 'y' must be of the same length",
    "'x' contains ties.",
    "'y' contains ties.",
)
"""What R's functions refuse on purpose; any other error of theirs is an accident."""


@dataclass(frozen=True, eq=False)
class Difference:
    """A kind of case on which Python differs on purpose.

    Attributes
    ----------
    reason : str
        What Python does.
    in_r : str
        What R does.
    applies : callable
        Whether a case is of this kind.
    example : Case
        One that is.
    """

    reason: str
    in_r: str
    applies: Callable[[Case], bool]
    example: Case


def is_accident(r: Answer) -> bool:
    """Whether R neither returns a number nor refuses the case on purpose."""
    return bool(np.isnan(r.value)) and r.error not in REFUSALS


def two_infinities(values: Array) -> bool:
    """Whether two infinities have the same sign: R can sort them, but their difference is NaN."""
    return values.dtype.kind == "f" and any(np.count_nonzero(values == bound) > 1 for bound in (np.inf, -np.inf))


def overflow(values: Array) -> bool:
    """Whether R can sort these integers, but the difference of two of them is NA."""
    return values.dtype.kind in "iu" and len(values) > 0 and int(values.max()) - int(values.min()) >= 2**31


FEWER_THAN_TWO = Difference(
    "fewer than two items are refused",
    "an empty vector, -1, NaN or an error, by function",
    lambda case: len(case.x) < 2,
    Case(np.array([1.0]), np.array([1.0]), True, "one item"),
)
INFINITIES = Difference(
    "two infinities of one sign are a tie",
    "NaN or an error, by function and by R's version, since their difference is NaN",
    lambda case: two_infinities(case.x) or two_infinities(case.y),
    Case(np.array([1.0, 2, 3, 4]), np.array([1.0, np.inf, 2, np.inf]), True, "two infinities"),
)
OVERFLOW = Difference(
    "integers do not overflow",
    "NaN or an error, by function, since the difference of two large integers does not fit into 32 bits",
    lambda case: overflow(case.x) or overflow(case.y),
    Case(
        np.array([2_000_000_000, -2_000_000_000, 0], dtype=np.int32),
        np.array([3, 1, 2], dtype=np.int32),
        True,
        "large integers",
    ),
)

DIFFERENCES = (FEWER_THAN_TWO, INFINITIES, OVERFLOW)


def difference_of(case: Case) -> Difference | None:
    """The first difference that applies to the case, if any."""
    return next((difference for difference in DIFFERENCES if difference.applies(case)), None)
