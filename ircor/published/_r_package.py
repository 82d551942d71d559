"""The figures in the documentation and the tests of the R package."""

from __future__ import annotations

from collections.abc import Iterator

from .._tau import tau, tau_a, tau_b
from .._tau_ap import tauAP, tauAP_a, tauAP_b
from ._figure import Figure

R_PACKAGE = "R package ircor 1.0"


def r_package() -> Iterator[Figure]:
    def printed_by_r(where: str, what: str, printed: str, computed: float) -> Figure:
        return Figure(R_PACKAGE, where, what, printed, computed, significant=7)

    x = [0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94]
    y = [0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94]
    x_tied = [0, 0.2, 0.2, 0.4, 0.6, 0.6, 0.6, 0.8, 1, 1]
    y_tied = [0.4, 0, 0.2, 0.2, 0.6, 0.6, 0.6, 1, 0.8, 1]
    yield printed_by_r("README", "tau", "0.7777778", tau(x, y))
    yield printed_by_r("README", "tauAP", "0.7491182", tauAP(x, y))
    yield printed_by_r("README", "tau_a, y tied", "0.7111111", tau_a(x, y_tied))
    yield printed_by_r("README", "tauAP_a, y tied", "0.6074515", tauAP_a(x, y_tied))
    yield printed_by_r("README", "tau_b, both tied", "0.75", tau_b(x_tied, y_tied))
    yield printed_by_r("README", "tauAP_b, both tied", "0.6269841", tauAP_b(x_tied, y_tied))

    x = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
    y = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
    # round(x, 1) and round(y, 1) in R.  Python's round gives other values.
    x_tied = [0.7, 0.4, 0.3, 0.1, 0.6, 0.2, 0.9, 0.8, 0.1, 0.5]
    y_tied = [0.5, 0.7, 0.3, 0.1, 0.1, 0.6, 0.9, 0.2, 0.4, 0.8]
    yield printed_by_r("help page tau", "tau", "0.2", tau(x, y))
    yield printed_by_r("help page tau", "tau_a", "0.2", tau_a(x, y))
    yield printed_by_r("help page tau", "tau_b", "0.2", tau_b(x, y))
    yield printed_by_r("help page tau", "tau_a, y rounded", "0.2222222", tau_a(x, y_tied))
    yield printed_by_r("help page tau", "tau_b, y rounded", "0.2247333", tau_b(x, y_tied))
    yield printed_by_r("help page tau", "tau_b, both rounded", "0.25", tau_b(x_tied, y_tied))
    yield printed_by_r("help page tauAP", "tauAP", "0.3928571", tauAP(x, y))
    yield printed_by_r("help page tauAP", "tauAP_a", "0.3928571", tauAP_a(x, y))
    yield printed_by_r("help page tauAP", "tauAP_a, y rounded", "0.39903", tauAP_a(x, y_tied))
    yield printed_by_r("help page tauAP", "tauAP_b, y rounded", "0.3317019", tauAP_b(x, y_tied))
    yield printed_by_r("help page tauAP", "tauAP_b, both rounded", "0.339418", tauAP_b(x_tied, y_tied))

    for number, (x, y, x_tied, y_tied, printed) in enumerate(R_PACKAGE_TESTS, 1):
        computed = {
            "tau": tau(x, y),
            "tauAP": tauAP(x, y),
            "tauAP_b": tauAP_b(x, y),
            "tau_a, y tied": tau_a(x, y_tied),
            "tauAP_a, y tied": tauAP_a(x, y_tied),
            "tau_b, both tied": tau_b(x_tied, y_tied),
            "tauAP_b, both tied": tauAP_b(x_tied, y_tied),
        }
        for (what, value), figure in zip(computed.items(), printed.split()):
            yield Figure(R_PACKAGE, f"tests, set {number}", what, figure, value)


# x, y, x tied, y tied, and the figures that the tests of the R package expect.
R_PACKAGE_TESTS = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
        [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
        "0.9111 0.8519 0.8333 0.8889 0.7454 0.9398 0.7321",
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
        "0.2889 0.2504 0.2880 0.3333 0.2692 0.3765 0.2970",
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
        "-0.6889 -0.6971 -0.6680 -0.6222 -0.5558 -0.6510 -0.7047",
    ),
]
