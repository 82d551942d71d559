from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from .batches import Totals
from .ranking import Ranking

def totals_of_permutations(
    x: Ranking, y: Ranking, permutations: npt.NDArray[np.int32], sums: Collection[str | tuple[float, int]]
) -> Totals: ...
def totals_of_shuffles(
    x: Ranking,
    y: Ranking,
    key: npt.NDArray[np.uint64],
    first: int,
    last: int,
    sums: Collection[str | tuple[float, int]],
) -> Totals: ...
def random_orders(n: int, key: npt.NDArray[np.uint64], first: int, last: int) -> npt.NDArray[np.int32]: ...
