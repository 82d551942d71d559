from collections.abc import Collection

from .batches import Totals
from .ranking import Ranking

def totals_of_columns(
    x: list[Ranking],
    y: list[Ranking],
    sums: Collection[str | tuple[float, int]],
    half: bool = False,
    bits: bool | None = None,
) -> Totals: ...
