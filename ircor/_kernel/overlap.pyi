from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .items import Items
from .ranking import Ranking

def overlaps_of_pairs(
    x: Sequence[Ranking | Items],
    y: Sequence[Ranking | Items],
    pairs: npt.NDArray[np.intp],
    codes: int,
    p: float,
    ties: int,
) -> npt.NDArray[np.float64]: ...
def overlaps_of_lists(
    x: list[tuple[object, ...] | npt.NDArray[np.int64]],
    y: list[tuple[object, ...] | npt.NDArray[np.int64]],
    p: float,
    ties: int,
    checked: bool,
) -> tuple[npt.NDArray[np.float64], int]: ...
