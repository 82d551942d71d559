"""Tables of measurements as Markdown."""

from typing import Any

import numpy as np


def percent(value: float) -> str:
    return "" if np.isnan(value) else f"{100 * value:.0f}"


def markdown(header: list[str], rows: list[list[Any]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)
