import numpy as np
import numpy.typing as npt

ROUNDED_UP_TO: int

def sums_of(rows: npt.NDArray[np.float32], weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]: ...
def greatest_of(
    squares: npt.NDArray[np.float32],
    weights: npt.NDArray[np.float32],
    shifts: npt.NDArray[np.float32],
    first: npt.NDArray[np.int32],
    second: npt.NDArray[np.int32],
    scale: npt.NDArray[np.float32],
) -> npt.NDArray[np.float32]: ...
