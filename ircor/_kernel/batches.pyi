from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from .dominance import Dominance

class RankingTotals:
    n: npt.NDArray[np.int64]
    missing: npt.NDArray[np.int64]
    tied_pairs: npt.NDArray[np.int64]
    top: npt.NDArray[np.int64]
    near_ties: npt.NDArray[np.int64]
    total_pairs: npt.NDArray[np.int64]
    def c_within(self) -> npt.NDArray[np.float64]: ...

class Totals:
    x: RankingTotals
    y: RankingTotals
    concordant: npt.NDArray[np.int64]
    discordant: npt.NDArray[np.int64]
    tied_pairs: npt.NDArray[np.int64]
    def __init__(self, count: int, sums: Collection[str | tuple[float, int]]) -> None: ...
    def c_above_in_x(self) -> npt.NDArray[np.float64]: ...
    def c_above_in_y(self) -> npt.NDArray[np.float64]: ...
    def c_above_in_y_permuted(self) -> npt.NDArray[np.float64]: ...
    def overlap(self, p: float, ties: int) -> npt.NDArray[np.float64]: ...
    def put(self, k: int, d: Dominance) -> None: ...

def totals_of_groups(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    ends: npt.NDArray[np.intp],
    decreasing: bool,
    least: int,
    most: int,
    sums: Collection[str | tuple[float, int]],
    count_near_ties: bool,
) -> Totals: ...
def totals_of_resamples(
    X: npt.NDArray[np.float64],
    Y: npt.NDArray[np.float64],
    draws: npt.NDArray[np.int32],
    x_noise: float,
    y_noise: float,
    decreasing: bool,
    sums: Collection[str | tuple[float, int]],
) -> Totals: ...
def gather_groups(
    keys: npt.NDArray[np.int64],
    least: int,
    count: int,
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.intp]]: ...
