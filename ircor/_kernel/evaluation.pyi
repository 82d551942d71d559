import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.float64]

def parsed(
    data: bytes, count: int
) -> tuple[list[list[str]], Codes, Numbers, list[tuple[int, str, str, str]]] | None: ...
def pivoted(
    rows: Codes, columns: Codes, values: Numbers, n_rows: int, n_columns: int
) -> tuple[Numbers, Codes, Codes] | None: ...
