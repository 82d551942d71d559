"""Calls for mypy, which tests/test_types.py runs; they are never executed.

A line that mypy must refuse ends with the code of its error.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars as pl

import ircor
from ircor.averages import gmean, mean_log, mean_logit, robustness_to_transform, transformed_mean
from ircor.comparison import compare_means, tabulate
from ircor.organization import Organization, RunsResult, evaluate_runs, robustness, strictness
from ircor.plots import costly_swaps
from ircor.rank_distance import DrankNull, discriminative_power, drank, drank_test
from ircor.rbase import r_rank, r_round
from ircor.reliability import Expected, expected, expected_curve, generalizability, summary, topics_needed

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import assert_type

    from ircor.tables import BootstrapResult, PermutationResult

    Doubles = npt.NDArray[np.float64]
    Numbers = npt.NDArray[np.integer | np.floating]


def the_six_functions(array: Doubles, series: pd.Series[float], other: pl.Series, frame: pd.DataFrame) -> None:
    assert_type(ircor.tau([1, 2], (2, 1)), float)
    assert_type(ircor.tau_a(array, array.astype(np.int32)), float)
    assert_type(ircor.tau_b(series, frame["AP"]), float)
    assert_type(ircor.tauAP(other, series, decreasing=False), float)
    assert_type(ircor.tauAP_a(range(3), [1.5, 2, np.float32(3)]), float)
    assert_type(ircor.tauAP_b(frame.mean(), array, decreasing=np.bool_(True)), float)
    ircor.tau_b("a", 3)  # error: arg-type
    ircor.tau_b([1, 2], "ab")  # error: arg-type
    ircor.tau_b(["a", "b"], [1, 2])  # error: list-item
    ircor.tau_b(None, [1, 2])  # error: arg-type
    ircor.tau_b({"a": 1}, [1, 2])  # error: arg-type
    ircor.tau_b([1, 2], 1j)  # error: arg-type
    ircor.tau_b(array > 0.5, array)  # error: arg-type
    ircor.tau_b(array * 1j, array)  # error: arg-type
    ircor.tau_b([[1, 2]], [1, 2])  # error: list-item
    ircor.tau_b([1, 2], [1, 2], decreasing=True)  # error: call-arg
    ircor.tauAP([1, 2], [1, 2], decreasing=[True])  # error: arg-type
    ircor.tauAP([1, 2], [1, 2], decreasing="TRUE")  # error: arg-type


def frames_are_no_vectors(frame: pd.DataFrame, other: pl.DataFrame) -> None:
    ircor.tau_b(frame, frame)  # error with stubs: arg-type
    ircor.tau_b(other, other)  # error with stubs: arg-type


def tables(array: Doubles, frame: pd.DataFrame, other: pl.DataFrame) -> None:
    assert_type(ircor.cor(array), Doubles)
    assert_type(ircor.cor(array, array, "tauAP", False, n_jobs=2), Doubles)
    assert_type(ircor.cor([[1, 2], [3, 4]]), Doubles)
    assert_type(ircor.cor(frame), pd.DataFrame)
    assert_type(ircor.cor(frame, array, method="tau_a"), pd.DataFrame)
    assert_type(ircor.cor(array, frame), pd.DataFrame)
    assert_type(ircor.cor(other), pd.DataFrame)
    assert_type(ircor.cor(array, method="rbo", p=0.9), Doubles)
    assert_type(ircor.cor(frame, method="rbo", p=0.9, ties="b"), pd.DataFrame)
    ircor.cor(array, method="rbo", p=0.9, ties="c")  # error: call-overload
    ircor.cor(array, method="kendall")  # error: call-overload
    ircor.cor([1, 2])  # error: list-item
    ircor.cor("ab")  # error: arg-type


def groups(array: Doubles, series: pd.Series[float], frame: pd.DataFrame) -> None:
    assert_type(ircor.cor_by(["q1", "q1"], [1, 2], array), "pd.Series[float]")
    assert_type(ircor.cor_by(series, series, series, "tau", min_items=3), "pd.Series[float]")
    assert_type(ircor.cor_by("topic", "x", "y", data=frame), "pd.Series[float]")
    assert_type(ircor.cor_by("topic", "x", "y", "rbo", data=frame, p=0.9), "pd.Series[float]")
    ircor.cor_by("topic", "x", "y")  # error: arg-type
    ircor.cor_by([1, 1], [1, 2], [2, 1], "spearman")  # error: call-overload


def permutations_and_samples(array: Doubles, series: pd.Series[float], frame: pd.DataFrame) -> None:
    assert_type(ircor.permutation_test(series, [1, 2], "tau_a", "greater"), PermutationResult)
    ircor.permutation_test(array, array, "tau_c")  # error: arg-type
    ircor.permutation_test(array, array, "rbo")  # error: arg-type
    ircor.permutation_test(array, array, alternative="more")  # error: arg-type
    ircor.permutation_test("ab", array)  # error: arg-type
    assert_type(ircor.bootstrap(array, frame, ("tauAP_b", "tau_b")), BootstrapResult)
    assert_type(ircor.bootstrap(frame, (frame, frame), target="population"), BootstrapResult)
    assert_type(ircor.bootstrap(array, frame, "rbo", p=0.9), BootstrapResult)
    ircor.bootstrap(array, array, ("rbo", "tau_b"), p=0.9)  # error: arg-type
    ircor.bootstrap(array, array, "kendall")  # error: arg-type
    ircor.bootstrap(array, array, target="mean")  # error: arg-type


def averages(array: Doubles, series: pd.Series[float], frame: pd.DataFrame, other: pl.DataFrame) -> None:
    assert_type(gmean([0.1, 0.4], zeros="floor"), float)
    assert_type(gmean(series), float)
    assert_type(mean_log(frame), "pd.Series[float]")
    assert_type(mean_logit(other, inverse=True), Doubles)
    assert_type(transformed_mean([[0.1, 0.2], [0.3, 0.4]], "log"), Doubles)
    # Of an array, mypy need not know the number of dimensions.
    assert_type(transformed_mean(array, (np.sqrt, np.square)), "float | Doubles")
    gmean([0.1], zeros="drop")  # error: call-overload
    gmean("ab")  # error: arg-type
    gmean(0.5)  # error: call-overload
    robustness_to_transform(array, ["log", "logit"], "tau_b")
    robustness_to_transform(array, ["log"], "tau_c")  # error: arg-type


def as_in_r(array: Doubles, series: pd.Series[float]) -> None:
    assert_type(r_round(0.15, 1), float)
    assert_type(r_round(array, 1), Numbers)
    assert_type(r_round([0.15, 2]), Numbers)
    assert_type(r_round(series), Numbers)
    r_round("0.15")  # error: arg-type
    r_rank(series, "min", na_last="keep")
    r_rank([1, 2], "dense")  # error: arg-type
    r_rank("ab")  # error: arg-type


def rankings_of_systems(array: Doubles, series: pd.Series[float], frame: pd.DataFrame, other: pl.DataFrame) -> None:
    assert_type(drank(frame, series), float)
    assert_type(drank([[1, 2], [3, 4]], [1, 2], ridge="shrinkage"), float)
    assert_type(discriminative_power(array, other), float)
    drank_test(other, frame, null="two-sample")
    DrankNull(frame).test(series)
    drank(3, [1, 2])  # error: arg-type
    ircor.compare(frame, array, names=["A", "B"])
    ircor.compare(frame, "scores.csv", measures=["map"])
    ircor.compare(frame, 3)  # error: call-overload
    compare_means(other)
    tabulate(frame, "tauAP_b")
    tabulate({"map": frame, "P_10": array}, drank=True)
    tabulate(frame, "rho")  # error: arg-type
    ircor.correlate(series, series, names="abc", labels=("AP", "P10"))
    ircor.correlate(series, "abc")  # error: arg-type
    assert_type(costly_swaps(series, [1, 2]), list[tuple[int, int, float]])


def reliability_of_a_collection(array: Doubles, frame: pd.DataFrame, other: pl.DataFrame) -> None:
    assert_type(expected(frame, "tauAP", "RES", seed=1), Expected)
    assert_type(float(expected([[1, 2], [2, 3], [3, 1]])), float)
    assert_type(expected_curve(other, [25, 50]), Doubles)
    assert_type(generalizability(array, 100).e_rho2.value, float)
    assert_type(topics_needed(array, 0.9).curve, pd.DataFrame)
    summary(frame, method="tauAP", n_jobs=2)
    expected(frame, "tau_b")  # error: arg-type
    expected(frame, "tau", "ml")  # error: arg-type
    expected_curve(frame, 50)  # error: arg-type
    topics_needed(3)  # error: arg-type


def organizations(array: Doubles, frame: pd.DataFrame, other: pl.DataFrame, path: Path) -> None:
    run, qrels = {"1": {"d1": 0.5}}, {1: {"d1": 1}}
    assert_type(evaluate_runs(run, qrels, top=10, weight=0.8), RunsResult)
    evaluate_runs(path, "qrels.txt", top=10, weight=0.8, ties="trec_eval")
    evaluate_runs(frame, other, top=10, weight=0.8)
    evaluate_runs(3, qrels, top=10, weight=0.8)  # error: arg-type
    evaluate_runs(run, {"1": ["d1"]}, top=10, weight=0.8)  # error: arg-type
    evaluate_runs(run, qrels, top=10, weight=0.8, ties="keep")  # error: arg-type
    Organization.from_ranking(["d1", ["d2", "d3"]])
    Organization.from_frame(frame, "doc", "level")
    Organization.from_frame({"doc": ["a"], "level": [1]}, "doc", "level")
    Organization.from_frame(3, "doc", "level")  # error: arg-type
    assert_type(strictness(array), Doubles)
    assert_type(strictness([[[0.9, 0.1]], [[0.8, 0.2]]]), Doubles)
    assert_type(robustness(frame), "pd.Series[float]")
