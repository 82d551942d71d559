"""The figures of Corsi and Urbano on rank-biased overlap with ties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ..overlap import from_string, rbo
from ._figure import Figure

CORSI_2024 = "Corsi and Urbano, SIGIR 2024"


def corsi_2024() -> Iterator[Figure]:
    x = from_string("red (blue green) yellow pink")
    y = from_string("(blue red) white (yellow black purple) green")
    for ties, printed in OVERLAPS.items():
        computed = rbo(x, y, 0.95, ties)
        for score, digits in zip(("ext", "min", "max", "res"), printed.split()):
            yield Figure(CORSI_2024, "example, p = 0.95", f"RBO {score}, ties {ties}", digits, computed[score])


# For each treatment of ties: extrapolated, least, greatest, and for "a" the residual.
OVERLAPS: dict[Literal["a", "w", "b"], str] = {
    "a": "0.6922853 0.3310519 0.8930692 0.5620173",
    "w": "0.7068257 0.3429684 0.9049857",
    "b": "0.7207131 0.3509163 0.9129336",
}
