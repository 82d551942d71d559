from typing import Any

import numpy as np
import numpy.typing as npt

class LongRanking:
    n: int
    missing: int
    tied_pairs: int
    top: int
    total_pairs: int
    after: LongRanking | None
    def __init__(
        self,
        values: npt.NDArray[Any],
        decreasing: bool = False,
        after: LongRanking | None = None,
        forget: bool = False,
    ) -> None: ...
    def __len__(self) -> int: ...
    def near_neighbours(self, values: npt.NDArray[np.float64], near: float) -> npt.NDArray[np.float64]: ...
    def c_within(self) -> float: ...

def can_rank(values: npt.NDArray[Any]) -> bool: ...
