"""The figures of Urbano and Marrero on ties in rank correlation."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from statistics import mean

from .._check import rankings
from .._formulas import tauAP_ties
from .._kernel import Dominance
from .._tau import tau, tau_a, tau_b
from .._tau_ap import tauAP, tauAP_a, tauAP_b
from ._figure import Figure

URBANO_2017 = "Urbano and Marrero, ICTIR 2017"


def urbano_2017() -> Iterator[Figure]:
    def figure(section: str, what: str, printed: str, computed: float) -> Figure:
        return Figure(URBANO_2017, f"section {section}", what, printed, computed)

    x, y = [1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 6, 5]
    yield figure("2", "tau", "0.6", tau(x, y))
    yield figure("2", "tauAP", "0.32", tauAP(x, y, decreasing=False))

    y = [2, 4, 1, 4, 6, 4]
    yield figure("3.1", "tau_a", "0.4", tau_a(x, y))
    yield figure("3.1", "tauAP_a", "0.209", tauAP_a(x, y, decreasing=False))
    orders = {
        (2, 3, 1, 4, 6, 5): ("0.6", "0.32"),
        (2, 3, 1, 5, 6, 4): ("0.467", "0.22"),
        (2, 4, 1, 3, 6, 5): ("0.467", "0.253"),
        (2, 4, 1, 5, 6, 3): ("0.333", "0.153"),
        (2, 5, 1, 3, 6, 4): ("0.333", "0.22"),
        (2, 5, 1, 4, 6, 3): ("0.2", "0.087"),
    }
    for order, (printed_tau, printed_tauAP) in orders.items():
        yield figure("3.1", f"tau of {'-'.join(map(str, order))}", printed_tau, tau(x, order))
        yield figure("3.1", f"tauAP of {'-'.join(map(str, order))}", printed_tauAP, tauAP(x, order, decreasing=False))
    yield figure("3.1", "tau, average of the six", "0.4", mean(tau(x, order) for order in orders))
    average = mean(tauAP(x, order, decreasing=False) for order in orders)
    yield figure("3.1", "tauAP, average of the six", "0.209", average)

    all_tied = [1, 1, 1, 1, 1, 1]
    yield figure("3.1", "tau_a, y all tied", "0", tau_a(x, all_tied))
    yield figure("3.1", "tauAP_a, y all tied", "0", tauAP_a(x, all_tied))
    yield figure("3.2", "tau_b, y all tied", "undefined", tau_b(x, all_tied))
    yield figure("3.2", "tauAP_b, y all tied", "undefined", tauAP_b(x, all_tied))

    x_tied = [1, 2, 3.5, 3.5, 5, 6]
    d = Dominance(*rankings(x_tied, y, decreasing=False))
    untied_in_x, untied_in_y = (ranking.total_pairs - ranking.tied_pairs for ranking in (d.x, d.y))
    yield figure("3.2", "concordant pairs", "8", d.concordant)
    yield figure("3.2", "discordant pairs", "3", d.discordant)
    yield figure("3.2", "tied pairs in x", "1", d.x.tied_pairs)
    yield figure("3.2", "tied pairs in y", "3", d.y.tied_pairs)
    yield figure("3.2", "denominator of tau_b", "12.961", sqrt(untied_in_x) * sqrt(untied_in_y))
    yield figure("3.2", "tau_b", "0.386", tau_b(x_tied, y))
    yield figure("3.2", "tauAP with ties, y given x", "0.12", tauAP_ties(d.c_above_in_y(), d.y.n, d.y.top))
    yield figure("3.2", "tauAP with ties, x given y", "0.16", tauAP_ties(d.c_above_in_x(), d.x.n, d.x.top))
    yield figure("3.2", "tauAP_b", "0.14", tauAP_b(x_tied, y, decreasing=False))
