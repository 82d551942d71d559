"""The figures that the papers print, and the comparison with them, source by source."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from math import nan, sqrt
from statistics import mean
from typing import Literal

import numpy as np

from .._coefficients import tau, tau_a, tau_b, tauAP, tauAP_a, tauAP_b
from .._core.checks import rankings
from .._core.errors import InvalidValueError
from .._core.methods import tauAP_ties
from .._core.work import Progress
from .._kernel import Dominance
from ..averages import gmean
from ..data import Scores
from ..organization import RS, Organization, evaluate
from ..overlap import from_string, rbo
from ..rank_distance import DrankNull, discriminative_power, drank, tau_interval
from ..reliability import Method, expected, generalizability
from ._figures import Figure, Figures
from ._files import Files, files_below, one_file
from ._standardization import files_of_analysis, urbano_2019

AMIGO_2013 = "Amigo, Gonzalo and Verdejo, SIGIR 2013"


def amigo_2013() -> Iterator[Figure]:
    gold = Organization(TABLE_9["gold standard"])
    for system, levels in TABLE_9.items():
        result = evaluate(Organization(levels), gold, top=10, weight=0.8)
        for kind, printed, scores in zip(("priority", "clustering"), TABLE_9_SCORES[system], result):
            for name, digits, computed in zip(RS._fields, printed.split(), scores):
                what = f"{kind} {name}, {system}"
                reason = TABLE_9_NOT_REPRODUCED.get((system, kind, name), "")
                yield Figure(AMIGO_2013, "table 9", what, digits, computed, not_reproduced=reason)
    what = "least n > 1 for which one relevant document at the top beats n after n others"
    yield Figure(AMIGO_2013, "section 4.4.1", what, "20", cut_point(), not_reproduced=CUT_POINT_NOT_REPRODUCED)


def cut_point() -> float:
    """The least n > 1 for which one relevant document at rank 1 of 2n scores more than n after n others, W_30 = 0.8."""

    def one_at_the_top_is_better(n: int) -> bool:
        relevant, others = [f"r{k}" for k in range(n)], [f"o{k}" for k in range(2 * n - 1)]
        gold = Organization.from_filter(relevant)
        rankings = relevant[:1] + others, others[:n] + relevant
        one, many = (evaluate(Organization.from_ranking(x), gold, top=30, weight=0.8).priority.f for x in rankings)
        return one > many

    return next((n for n in range(2, 200) if one_at_the_top_is_better(n)), nan)


# Levels from the top, each a list of clusters.
TABLE_9 = {
    "gold standard": [[["d1"], ["d2", "d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]],
    "System 1": [[["d1"], ["d2", "d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6"], ["d7"]]],
    "System 2": [[["d1"], ["d2", "d3"], ["d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]],
    "System 3": [[["d1"], ["d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]],
    "System 4": [[["d1"], ["d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7", "d8"]]],
    "System 5": [[["d6", "d7"]], [["d4", "d5"], ["d6", "d7"]], [["d1"], ["d2", "d3", "d4"]]],
}
# Reliability and Sensitivity of priority and of clustering.  The paper omits trailing zeros.
TABLE_9_SCORES = {
    "gold standard": ("1.00 1.00", "1.00 1.00"),
    "System 1": ("1.00 1.00", "1.00 0.97"),
    "System 2": ("1.00 1.00", "1.00 0.80"),
    "System 3": ("1.00 0.86", "1.00 0.74"),
    "System 4": ("0.95 0.85", "0.96 0.74"),
    "System 5": ("0.64 0.59", "1.00 1.00"),
}
TAIL_ALWAYS_RIGHT = "if the relations of listed documents to the tail were always right, it would be"
TABLE_9_NOT_REPRODUCED = {
    ("System 2", "clustering", "sensitivity"): "printed as 0.8, perhaps rounded to one decimal",
    ("System 3", "priority", "sensitivity"): f"{TAIL_ALWAYS_RIGHT} 0.8552",
    ("System 4", "priority", "reliability"): f"{TAIL_ALWAYS_RIGHT} 0.9479",
    (
        "System 4",
        "priority",
        "sensitivity",
    ): "it differs from System 3 only in d8, which is not in the gold standard, so the two sensitivities must be equal",
}
CUT_POINT_NOT_REPRODUCED = (
    f"the number of relevant documents is not printed; n is used here; {TAIL_ALWAYS_RIGHT} 20 with 100 or more"
)


CARTERETTE_2009 = "Carterette, SIGIR 2009"

ROBUST = ("robust04-map.csv", "robust04-P_10.csv")


def carterette_2009() -> Iterator[Figure]:
    figure = partial(Figure, CARTERETTE_2009)
    for end, printed, computed in zip(("lower", "upper"), ("0.389", "0.987"), tau_interval(0.9, 25)):
        yield figure("section 2", f"{end} bound for tau = 0.9, 25 systems", printed, computed)
    for printed_tau, interval in TAU_INTERVALS.items():
        for end, printed, computed in zip(("lower", "upper"), interval.split(), tau_interval(float(printed_tau), 110)):
            yield figure("tables 1(a), 2", f"{end} bound for tau = {printed_tau}", printed, computed)

    systems = "ABC"
    for measure, printed_means in (("AP", "0.140 0.461 0.488"), ("P10", "0.5 0.75 0.7")):
        for system, printed, computed in zip(systems, printed_means.split(), SCORES[measure].mean(axis=0)):
            yield figure("section 3.1", f"mean {measure} of {system}", printed, computed)
    differences = {measure: X[:, [2, 1]] - X[:, [0, 2]] for measure, X in SCORES.items()}
    for measure, printed_rows in SCORE_DIFFERENCES.items():
        for topic, row in enumerate(printed_rows, 1):
            for pair, printed, computed in zip(("C - A", "B - C"), row.split(), differences[measure][topic - 1]):
                slip = (measure, topic, pair) == ("P10", 2, "C - A")
                reason = "the data give 0.5 - 0.2, and the printed mean agrees with the data" if slip else ""
                yield figure("section 3.1", f"{measure}, {pair}, topic {topic}", printed, computed, misprint=reason)
    for measure, means, covariances in (
        ("AP", "0.349 -0.028", "0.0246 -0.0071 0.0073"),
        ("P10", "0.2 0.05", "0.02 0.01 0.01"),
    ):
        for pair, printed, computed in zip(("C - A", "B - C"), means.split(), differences[measure].mean(axis=0)):
            yield figure("section 3.1", f"mean {measure}, {pair}", printed, computed)
        computed_covariances = np.cov(differences[measure], rowvar=False)[[0, 0, 1], [0, 1, 1]]
        for what, printed, computed in zip(("C - A", "both", "B - C"), covariances.split(), computed_covariances):
            yield figure("section 3.1", f"covariance {measure}, {what}", printed, computed)

    AP, P10 = SCORES["AP"], SCORES["P10"].mean(axis=0)
    null = DrankNull(AP, null="resample", resamples=10_000, seed=2009, progress=False)
    nearest = null.test(P10)
    yield figure("section 3.1", "nearest point, C - A", "0.322", nearest.theta[1])
    yield figure("section 3.1", "nearest point, B - C", "0", nearest.theta[0])
    yield figure("section 3.1", "d_rank of P10", "0.65", nearest.statistic)
    for ranking, (printed_tau, power, distance) in SIX_RANKINGS.items():
        y = [-ranking.index(system) for system in systems]
        yield figure("section 3.1", f"tau, {ranking}", printed_tau, tau(AP.mean(axis=0), y))
        yield figure("section 3.1", f"discriminative power, {ranking}", power, discriminative_power(AP, y))
        misprint = NOT_THE_MINIMUM.get(ranking, "")
        yield figure("section 3.1", f"d_rank, {ranking}", distance, drank(AP, y), misprint=misprint)
    # The paper's share of the resamples, not the p-value that counts the ranking itself as one more.
    share = null.at_least(nearest.statistic) / null.resamples
    yield figure("section 3.2", "bootstrap P(d_rank = 0.65)", "0.21", share)
    yield figure("section 3.2", "bootstrap P(d_rank = 0)", "0.79", 1 - share)


def carterette_2009_robust(paths: Files) -> Iterator[Figure]:
    """The rank distances of table 1(b) between the rankings by MAP and by P10."""
    scores = {measure: scores_from(paths, f"robust04-{measure}.csv", 249, 110) for measure in ("map", "P_10")}
    for (baseline, other), printed in ROBUST_DISTANCES.items():
        X, Y = scores[baseline], scores[other]
        ranks = X.ranks(Y)
        # By their ranks, and those of the same rank by their means from the lowest up: ties in the opposite order.
        computed, opposite = drank(X, ranks), drank(X, np.lexsort([-X.means, ranks]).argsort())
        reason = (
            f"the systems that {other} ties are in the order of their mean {baseline} here, and in an unknown order in "
            f"the paper; in the opposite order the distance is {opposite:.2f}"
        )
        yield Figure(
            CARTERETTE_2009,
            "table 1(b)",
            f"d_rank from {baseline} to {other}",
            printed,
            computed,
            not_reproduced=reason if abs(opposite - computed) > 0.01 else "",
        )


def scores_from(paths: Files, name: str, topics: int, systems: int) -> Scores:
    """The scores in a file, with these numbers of topics and systems."""
    from ..trec import read_table

    path = one_file(paths, name)
    scores = Scores.of(read_table(path), path)
    if (scores.n, scores.m) != (topics, systems):
        problem = f"{path} must have {topics} topics and {systems} systems, not {scores.n} and {scores.m}"
        raise InvalidValueError(problem)
    return scores


# Of the rankings by two measures, the first of which is the baseline.
ROBUST_DISTANCES = {("P_10", "map"): "14.11", ("map", "P_10"): "25.44"}

# Kendall's tau of 110 systems, and the bounds of its interval.
TAU_INTERVALS = {
    "0.84": "0.64 0.93",
    "0.81": "0.60 0.92",
    "0.80": "0.59 0.91",
    "0.73": "0.50 0.86",
    "0.90": "0.72 0.97",
    "0.89": "0.70 0.96",
    "0.63": "0.39 0.79",
    "0.92": "0.74 0.98",
    "0.61": "0.36 0.78",
    "0.93": "0.76 0.98",
    "0.58": "0.33 0.75",
    "0.96": "0.80 0.99",
    "0.60": "0.35 0.77",
    "0.67": "0.43 0.82",
    "0.83": "0.62 0.93",
    "0.98": "0.83 1.00",
}

# Four topics by the systems A, B and C; and C - A and B - C for each topic.
SCORES = {
    "AP": np.array([[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]),
    "P10": np.array([[0.8, 0.8, 0.8], [0.2, 0.7, 0.5], [0.3, 0.5, 0.5], [0.7, 1.0, 1.0]]),
}
SCORE_DIFFERENCES = {
    "AP": ("0.233 -0.035", "0.527 -0.145", "0.202 0.023", "0.433 0.046"),
    "P10": ("0.0 0.0", "0.5 0.2", "0.2 0.0", "0.3 0.0"),
}

# Best first: tau, discriminative power, d_rank.
SIX_RANKINGS = {
    "ABC": ("-1", "0", "4.88"),
    "ACB": ("-1/3", "0", "4.88"),
    "BAC": ("-1/3", "1/2", "4.88"),
    "CAB": ("1/3", "1/2", "4.88"),
    "BCA": ("1/3", "1", "0.65"),
    "CBA": ("1", "1", "0.00"),
}
NOT_THE_MINIMUM = {
    ranking: f"4.88 is the distance to the point where all three are equal; at the minimum only {pair} are equal, and "
    "the distance is their paired t statistic"
    for ranking, pair in {"BAC": "A and C", "CAB": "A and B"}.items()
}


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


URBANO_2017 = "Urbano and Marrero, ICTIR 2017"


def urbano_2017() -> Iterator[Figure]:
    figure = partial(Figure, URBANO_2017)
    x, y = [1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 6, 5]
    yield figure("section 2", "tau", "0.6", tau(x, y))
    yield figure("section 2", "tauAP", "0.32", tauAP(x, y, decreasing=False))

    y = [2, 4, 1, 4, 6, 4]
    yield figure("section 3.1", "tau_a", "0.4", tau_a(x, y))
    yield figure("section 3.1", "tauAP_a", "0.209", tauAP_a(x, y, decreasing=False))
    orders = {
        (2, 3, 1, 4, 6, 5): ("0.6", "0.32"),
        (2, 3, 1, 5, 6, 4): ("0.467", "0.22"),
        (2, 4, 1, 3, 6, 5): ("0.467", "0.253"),
        (2, 4, 1, 5, 6, 3): ("0.333", "0.153"),
        (2, 5, 1, 3, 6, 4): ("0.333", "0.22"),
        (2, 5, 1, 4, 6, 3): ("0.2", "0.087"),
    }
    for order, (printed_tau, printed_tauAP) in orders.items():
        called = "-".join(map(str, order))
        yield figure("section 3.1", f"tau of {called}", printed_tau, tau(x, order))
        yield figure("section 3.1", f"tauAP of {called}", printed_tauAP, tauAP(x, order, decreasing=False))
    yield figure("section 3.1", "tau, average of the six", "0.4", mean(tau(x, order) for order in orders))
    average = mean(tauAP(x, order, decreasing=False) for order in orders)
    yield figure("section 3.1", "tauAP, average of the six", "0.209", average)

    all_tied = [1, 1, 1, 1, 1, 1]
    yield figure("section 3.1", "tau_a, y all tied", "0", tau_a(x, all_tied))
    yield figure("section 3.1", "tauAP_a, y all tied", "0", tauAP_a(x, all_tied))
    yield figure("section 3.2", "tau_b, y all tied", "undefined", tau_b(x, all_tied))
    yield figure("section 3.2", "tauAP_b, y all tied", "undefined", tauAP_b(x, all_tied))

    x_tied = [1, 2, 3.5, 3.5, 5, 6]
    d = Dominance(*rankings(x_tied, y, decreasing=False))
    untied_in_x, untied_in_y = (ranking.total_pairs - ranking.tied_pairs for ranking in (d.x, d.y))
    yield figure("section 3.2", "concordant pairs", "8", d.concordant)
    yield figure("section 3.2", "discordant pairs", "3", d.discordant)
    yield figure("section 3.2", "tied pairs in x", "1", d.x.tied_pairs)
    yield figure("section 3.2", "tied pairs in y", "3", d.y.tied_pairs)
    yield figure("section 3.2", "denominator of tau_b", "12.961", sqrt(untied_in_x) * sqrt(untied_in_y))
    yield figure("section 3.2", "tau_b", "0.386", tau_b(x_tied, y))
    yield figure("section 3.2", "tauAP with ties, y given x", "0.12", tauAP_ties(d.c_above_in_y(), d.y.n, d.y.top))
    yield figure("section 3.2", "tauAP with ties, x given y", "0.16", tauAP_ties(d.c_above_in_x(), d.x.n, d.x.top))
    yield figure("section 3.2", "tauAP_b", "0.14", tauAP_b(x_tied, y, decreasing=False))


URBANO_2016 = "Urbano and Marrero, SIGIR 2016"

ADHOC = "adhoc6.csv"


def urbano_2016(paths: Files) -> Iterator[Figure]:
    """The expected correlation of the ad hoc runs of TREC-6, which the authors print with seven digits."""
    scores = scores_from(paths, ADHOC, 50, 74)
    for method, printed in EXPECTED.items():
        computed = expected(scores, method, "MSQD").value
        yield Figure(URBANO_2016, "TREC-6 ad hoc", f"expected {method}, MSQD", printed, computed, significant=7)


EXPECTED: dict[Method, str] = {"tau": "0.8600266", "tauAP": "0.816099"}


R_PACKAGE = "R package ircor 1.0"


def r_package() -> Iterator[Figure]:
    printed_by_r = partial(Figure, R_PACKAGE, significant=7)
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


GT4IREVAL = "R package gt4ireval 2.0"

TREC_3 = "adhoc3.csv"


def gt4ireval(paths: Files) -> Iterator[Figure]:
    """The README's analysis of TREC-3, without the quarter of the systems that have the least means."""
    X = scores_from(paths, TREC_3, 50, 40)
    kept = np.sort(np.argsort(X.means, kind="stable")[X.m // 4 :])
    yield from generalizability_figures("TREC-3 ad hoc", X.taken(range(X.n), kept.tolist()), TREC_3_PRINTED)


def brennan() -> Iterator[Figure]:
    """Brennan's synthetic data set 4, as gt4ireval has it."""
    yield from generalizability_figures("synthetic data set 4", Scores.of(SYNTHETIC_4), SYNTHETIC_4_PRINTED)


def generalizability_figures(where: str, X: Scores, printed: dict[str, str]) -> Iterator[Figure]:
    """The variance components, the coefficients by the number of topics, and the topics that 0.95 needs."""
    result = generalizability(X, goal=0.95)
    for what, digits in printed.items():
        name, _, topics = what.partition(", ")
        of = generalizability(X, int(topics.split()[0])) if topics[:1].isdigit() else result
        values = {**of.components._asdict(), "E rho^2": of.e_rho2.value, "Phi": of.phi.value}
        values |= {"topics for E rho^2 0.95": of.e_rho2_topics.value, "topics for Phi 0.95": of.phi_topics.value}
        yield Figure(GT4IREVAL, where, what, digits, values[name])


TREC_3_PRINTED = {
    "systems": "0.0028117",
    "topics": "0.028093",
    "interaction": "0.010152",
    "E rho^2, 50 topics": "0.93265",
    "E rho^2, 100 topics": "0.96515",
    "E rho^2, 150 topics": "0.97649",
    "Phi, 50 topics": "0.78613",
    "Phi, 100 topics": "0.88026",
    "Phi, 150 topics": "0.91686",
    "topics for E rho^2 0.95": "69",
    "topics for Phi 0.95": "259",
}

SYNTHETIC_4_PRINTED = {
    "systems": "0.6258",
    "topics": "0.8840",
    "interaction": "2.7872",
    "E rho^2, 12 topics": "0.729",
    "Phi, 12 topics": "0.672",
}

# Brennan (2001), synthetic data set 4: 12 tasks by 10 persons.
SYNTHETIC_4 = np.array(
    [
        [5, 9, 3, 7, 9, 3, 7, 5, 9, 4],
        [6, 3, 4, 5, 2, 4, 3, 8, 9, 4],
        [5, 7, 3, 5, 9, 3, 7, 5, 8, 4],
        [5, 7, 3, 3, 7, 5, 7, 7, 8, 3],
        [5, 7, 5, 3, 7, 3, 7, 7, 6, 3],
        [3, 5, 3, 1, 7, 3, 5, 5, 6, 5],
        [4, 5, 3, 4, 3, 6, 5, 5, 6, 6],
        [5, 5, 5, 3, 7, 3, 7, 4, 5, 5],
        [6, 7, 6, 5, 2, 4, 5, 3, 5, 5],
        [7, 7, 5, 3, 7, 5, 5, 2, 8, 7],
        [3, 5, 1, 3, 5, 1, 5, 1, 1, 1],
        [3, 2, 6, 5, 3, 2, 4, 1, 1, 1],
    ]
)


ROBERTSON_2006 = "Robertson, CIKM 2006"


def robertson_2006() -> Iterator[Figure]:
    """The GMAP of the example of 50 topics, three of them zeros, by the constant that is added.

    The paper does not print the values, but what the constant changes depends on the number of zeros alone.
    """
    others = (0.117 + 1e-5) ** (50 / 47) / 1e-5 ** (3 / 47)
    for eps, printed in {1e-5: "0.117", 1e-6: "0.102", 1e-4: "0.134"}.items():
        computed = gmean([0.0] * 3 + [others - eps] * 47, eps=eps)
        yield Figure(ROBERTSON_2006, "section 4.1", f"GMAP with {eps:g} added", printed, computed)


# The files that hold the data of other sources, and the figures that they lead to.
DATA = {ROBUST: carterette_2009_robust, (ADHOC,): urbano_2016, (TREC_3,): gt4ireval}

TABLES = tuple(name for names in DATA for name in names)

WHERE_FROM = (
    "the SCORES.csv.gz and the (within|between)_SCORES_(tau|tauAP).csv.gz of julian-urbano/sigir2019-standardization "
    "(CC BY-SA 4.0), adhoc6.csv of julian-urbano/sigir2016-correlation (CC BY-SA 4.0), adhoc3.csv of the R package "
    "gt4ireval (MIT), robust04-map.csv and robust04-P_10.csv"
)
"""The files that are looked for, and where a reader gets them."""


def figures() -> list[Figure]:
    """Recompute every printed figure.

    Examples
    --------
    >>> first = figures()[0]
    >>> first.where, first.what, first.printed, first.computed, first.verdict
    ('section 2', 'tau', '0.6', 0.6, 'agrees')
    """
    sources = urbano_2017, r_package, carterette_2009, robertson_2006, amigo_2013, corsi_2024, brennan
    return [figure for source in sources for figure in source()]


def figures_from(folder: str | os.PathLike[str]) -> list[Figure]:
    """Recompute the printed figures that need other scores than those in the papers.

    Parameters
    ----------
    folder : path
        Has, at any depth, tables of one source or more:

        - robust04-map.csv and robust04-P_10.csv: average precision and precision at 10 of the 110 runs of the TREC 2004
          Robust track on 249 topics, for Carterette (2009).
        - adhoc6.csv: average precision of 74 ad hoc runs of TREC-6 on 50 topics, for Urbano and Marrero (2016), from
          the repository julian-urbano/sigir2016-correlation (CC BY-SA 4.0).
        - adhoc3.csv: average precision of 40 ad hoc runs of TREC-3 on 50 topics, from the R package gt4ireval (MIT).

    Raises
    ------
    FileNotFoundError, FormatError
        If the folder has none of these tables, or only one of two; or if a table is malformed.
    ValueError
        If a table has other numbers of topics and systems than the paper.
    """
    paths = files_below(folder)
    there = [of for names, of in DATA.items() if any(name in paths for name in names)]
    if not there:
        raise nothing_in(folder)
    return [figure for of in there for figure in of(paths)]


def inputs_below(folder: str | os.PathLike[str]) -> list[str]:
    """The files in a folder and below that `report` reads."""
    paths = files_below(folder)
    return [path for name in (*TABLES, *files_of_analysis(paths)) for path in paths.get(name, [])]


def nothing_in(folder: str | os.PathLike[str]) -> FileNotFoundError:
    return FileNotFoundError(f"{os.fspath(folder)} has none of the files that are looked for: {WHERE_FROM}")


def report(data: str | os.PathLike[str] | None = None, *, progress: Progress = None) -> Figures:
    """Recompute every printed figure, and every published value of which there is a file; return them as one result.

    Parameters
    ----------
    data : path, optional
        A folder that has, at any depth, tables for `figures_from`, or files of the analysis of Urbano, Lima and
        Hanjalic (2019) from the repository julian-urbano/sigir2019-standardization (CC BY-SA 4.0): SCORES.csv.gz,
        topics by systems, and within_SCORES_tau.csv.gz, between_SCORES_tauAP.csv.gz and so on, whatever SCORES is.
        By default, only figures that need no other data are computed.
    progress : callable, bool or None
        Called with the number of trials of that analysis done and their total; None shows a bar in a terminal, False
        shows nothing.

    Raises
    ------
    FileNotFoundError, FormatError, ValueError
        As from `figures_from`, or if there are published values without their scores.

    Examples
    --------
    >>> report().sentences()
    ['193 figures agree, 3 are known misprints, 5 are not reproduced, 0 DIFFER']
    """
    if data is None:
        return Figures(tuple(figures()))
    paths = files_below(data)
    files = urbano_2019(paths, progress)
    more = figures_from(data) if not files or any(name in paths for name in TABLES) else []
    return Figures((*figures(), *more), tuple(files))
