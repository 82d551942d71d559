from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .items import Items
from .long_ranking import LongRanking
from .ranking import Ranking

def overlaps_of_pairs(
    x: Sequence[Ranking | LongRanking | Items],
    y: Sequence[Ranking | LongRanking | Items],
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
