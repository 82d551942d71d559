"""How a threshold of ties is shown."""

from __future__ import annotations

from typing import Any

from .._core.text import counted
from ..judging import Calibration
from .tables import Column, Table, View, general, yes_or_no


class CalibrationView(View[Calibration]):
    """The view of a threshold of ties."""

    def tables(self) -> list[Table]:
        columns = [
            Column("coefficient"),
            Column("threshold", text=general),
            Column("value"),
            Column("at_zero", "at a threshold\nof 0"),
            Column("on_same_rows", "on the same\nrows"),
            *map(Column, ("rows", "candidates")),
            Column("cross_fit", text=yes_or_no, only="data"),
        ]
        return [Table("calibration", columns, [self.result])]

    def sentences(self) -> list[str]:
        """The threshold, and the value with what it was measured on."""
        result = self.result
        chosen = f"{result.coefficient} over {counted(result.rows, 'row')} is greatest at a threshold of "
        chosen += f"{result.threshold:.4g}: {result.on_same_rows:.4f}, and {result.at_zero:.4f} without one."
        if not result.cross_fit:
            return [f"{chosen} The threshold was chosen on these rows, which flatters the estimate."]
        return [f"{chosen} With thresholds that other rows chose, it is {result.value:.4f}."]

    def record(self) -> dict[str, Any]:
        """The numbers, without the curve."""
        return {**self.tables()[0].records()[0], "thresholds": list(self.result.thresholds)}

    def plot(self, ax: Any = None, **options: Any) -> Any:
        from ..plots import thresholds

        result = self.result
        return thresholds(
            result.epsilons, result.values, chosen=result.threshold, label=f"mean {result.coefficient}", ax=ax
        )
