import numpy as np
import numpy.typing as npt

def products(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64] | None = None) -> npt.NDArray[np.float64]: ...
def squared_distances(
    means: npt.NDArray[np.float64],
    covariances: npt.NDArray[np.float64],
    ridge: float,
    noise: npt.NDArray[np.float64],
    tied: npt.NDArray[np.float64],
    orders: npt.NDArray[np.int32],
) -> npt.NDArray[np.float64]: ...

class Closest:
    def __init__(
        self,
        means: npt.NDArray[np.float64],
        covariance: npt.NDArray[np.float64],
        ridge: float,
        noise: float = 0.0,
        tied: float = 0.0,
    ) -> None: ...
    def point(self, order: npt.NDArray[np.int32]) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def resampled(
        self,
        X: npt.NDArray[np.float64],
        draws: npt.NDArray[np.int32],
        order: npt.NDArray[np.int32],
        unit: float,
    ) -> npt.NDArray[np.float64]: ...
