from typing import Any

import numpy as np
import numpy.typing as npt

def as_character(value: float) -> str: ...
def first_printed_alike(values: npt.NDArray[np.float64], order: npt.NDArray[Any]) -> int: ...
