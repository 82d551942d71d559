"""The figures of Carterette on the rank distance."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from .._scores import Scores
from .._tau import tau
from ..rank_distance import DrankNull, discriminative_power, drank, tau_interval
from ._figure import Figure

CARTERETTE_2009 = "Carterette, SIGIR 2009"

ROBUST = ("robust04-map.csv", "robust04-P_10.csv")


def carterette_2009() -> Iterator[Figure]:
    def figure(where: str, what: str, printed: str, computed: float, misprint: str = "") -> Figure:
        return Figure(CARTERETTE_2009, where, what, printed, computed, misprint=misprint)

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
    for measure, printed_rows in DIFFERENCES.items():
        for topic, row in enumerate(printed_rows, 1):
            for pair, printed, computed in zip(("C - A", "B - C"), row.split(), differences[measure][topic - 1]):
                slip = (measure, topic, pair) == ("P10", 2, "C - A")
                reason = "the data give 0.5 - 0.2, and the printed mean agrees with the data" if slip else ""
                yield figure("section 3.1", f"{measure}, {pair}, topic {topic}", printed, computed, reason)
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
    null = DrankNull(AP, resamples=10_000, seed=2009, progress=False)
    nearest = null.test(P10)
    yield figure("section 3.1", "nearest point, C - A", "0.322", nearest.theta[1])
    yield figure("section 3.1", "nearest point, B - C", "0", nearest.theta[0])
    yield figure("section 3.1", "d_rank of P10", "0.65", nearest.statistic)
    for ranking, (printed_tau, power, distance) in SIX_RANKINGS.items():
        y = [-ranking.index(system) for system in systems]
        yield figure("section 3.1", f"tau, {ranking}", printed_tau, tau(AP.mean(axis=0), y))
        yield figure("section 3.1", f"discriminative power, {ranking}", power, discriminative_power(y, AP))
        yield figure("section 3.1", f"d_rank, {ranking}", distance, drank(y, AP), NOT_THE_MINIMUM.get(ranking, ""))
    # The paper's share of the resamples, not the p-value that counts the ranking itself as one more.
    share = null.at_least(nearest.statistic) / null.resamples
    yield figure("section 3.2", "bootstrap P(d_rank = 0.65)", "0.21", share)
    yield figure("section 3.2", "bootstrap P(d_rank = 0)", "0.79", 1 - share)


def carterette_2009_robust(folder: str | os.PathLike[str]) -> Iterator[Figure]:
    """The rank distances of table 1(b) between the rankings by MAP and by P10."""
    scores = {measure: robust_scores(folder, measure) for measure in ("map", "P_10")}
    for (baseline, other), printed in ROBUST_DISTANCES.items():
        X, Y = scores[baseline], scores[other]
        ranks = X.ranks(Y)
        # By their ranks, and those of the same rank by their means from the lowest up: ties in the opposite order.
        computed, opposite = drank(ranks, X), drank(np.lexsort([-X.means, ranks]).argsort(), X)
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


def robust_scores(folder: str | os.PathLike[str], measure: str) -> Scores:
    """One measure of the 110 runs on 249 topics."""
    from ..trec import read_table

    path = os.path.join(folder, f"robust04-{measure}.csv")
    scores = Scores.of(read_table(path), path)
    if (scores.n, scores.m) != (249, 110):
        raise ValueError(f"{path} must have 249 topics and 110 systems, not {scores.n} and {scores.m}")
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
DIFFERENCES = {
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
