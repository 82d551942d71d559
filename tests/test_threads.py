"""Several threads at once: on shared arrays, and while another thread writes to the array."""

import os
import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from calls import FUNCTIONS

import ircor
from ircor._kernel import Dominance, Ranking
from ircor.organization import Organization, evaluate
from ircor.overlap import rbo, rbo_scores
from ircor.rank_distance import DrankNull, drank

THREADS = 8


def shared_calls(rng):
    """Calls on arrays and objects that all threads share, by name; each returns numbers."""
    calls = {}
    for n in (10, 100, 3000):  # counted in pairs; sorted by the kernel; sorted by NumPy
        x, y = rng.permutation(n) / 7, rng.permutation(n)
        for name, function in FUNCTIONS.items():
            calls[f"{name}, {n}"] = lambda function=function, x=x, y=y: function(x, y)
    tied, rounded = rng.integers(0, 9, (2, 200))
    table = rng.random((12, 8)).round(2)
    groups = rng.integers(0, 20, 400)
    scores, other = rng.random((2, 400))
    null = DrankNull(table, resamples=100, seed=1)
    ranking = rng.permutation(8)
    organizations = [Organization(rng.permutation(40).reshape(5, 4, 2).tolist()) for _ in range(2)]
    calls["cor"] = lambda: ircor.cor(table, method="tau_b")
    calls["cor_by"] = lambda: ircor.cor_by(groups, scores, other, method="tauAP_b").to_numpy()
    calls["cor, rbo"] = lambda: ircor.cor(table, method="rbo", p=0.9)
    calls["cor_by, rbo"] = lambda: ircor.cor_by(groups, scores, other, method="rbo", p=0.9).to_numpy()
    calls["bootstrap, rbo"] = lambda: interval(ircor.bootstrap(table, table[::-1], "rbo", 300, 1, p=0.9))
    calls["bootstrap"] = lambda: interval(ircor.bootstrap(table, table[::-1], "tau_b", resamples=300, seed=1))
    calls["permutation_test"] = lambda: ircor.permutation_test(tied, rounded, "tau_b", resamples=300, seed=1).pvalue
    calls["drank"] = lambda: drank(table, ranking)
    calls["DrankNull.test"] = lambda: null.test(ranking).pvalue
    lists = [[f"d{k}" for k in rng.permutation(300)[:size]] for size in (100, 200)]
    calls["rbo"] = lambda: rbo(*lists, 0.9).ext
    calls["rbo of integers"] = lambda: rbo(ranking, ranking[::-1], 0.9).ext
    calls["rbo_scores"] = lambda: rbo_scores(np.tile(scores, 5), np.tile(other, 5), 0.9).ext
    calls["evaluate"] = lambda: tuple(evaluate(*organizations, top=10, weight=0.8))
    return calls


def interval(result):
    return result.statistic, result.low, result.high


@pytest.mark.filterwarnings("ignore::ircor.CoverageWarning")
def test_threads_on_shared_arrays_compute_what_one_thread_does(rng):
    calls = shared_calls(rng)
    alone = {name: call() for name, call in calls.items()}
    start = threading.Barrier(THREADS)

    def work(thread):
        start.wait()
        # Each thread has its own order, so that different calls meet.
        names = np.random.default_rng(thread).permutation(list(calls))
        return [name for name in names if not np.array_equal(calls[name](), alone[name], equal_nan=True)]

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(work, range(THREADS))) == [[]] * THREADS


def test_threads_can_share_the_counts_of_two_rankings(rng):
    """Tied items are sorted in scratch memory; if threads shared it, they would write past the end of arrays."""
    dominance = Dominance(*(Ranking(values) for values in rng.integers(0, 9, (2, 50_000))))
    alone = dominance.counts()
    overlap = dominance.overlap(0.9, 1)
    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(lambda _: np.array_equal(dominance.counts(), alone), range(100)))
        assert all(pool.map(lambda _: dominance.overlap(0.9, 1) == overlap, range(100)))


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_an_array_that_another_thread_changes_still_gives_a_coefficient(dtype, rng):
    """The values that are read may belong to no single state of the array, but they are ranked as one vector."""
    x, done = rng.integers(0, 300, 500).astype(dtype), threading.Event()
    fixed = x.copy()

    def write():
        while not done.is_set():
            x[:] = x[::-1] + 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        coefficients = [ircor.tau_b(x, fixed) for _ in range(200)]
    finally:
        done.set()
        writer.join()
    assert all(-1 <= coefficient <= 1 for coefficient in coefficients)


@pytest.mark.parametrize("name", ["tau", "tauAP"])
def test_near_ties_that_come_and_go(name):
    """The pairs of near neighbours are counted, then written; there may be more of them the second time."""
    n, done = 1000, threading.Event()
    apart, near = np.arange(1.0, n + 1), 1 + np.arange(n) * 1.5e-14
    x, y, states = apart.copy(), np.arange(n), (apart, near)

    def write():
        while not done.is_set():
            for state in states:
                x[:] = state

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(500):
            try:
                assert -1 <= getattr(ircor, name)(x, y) <= 1
            except ValueError as error:
                assert "contains ties" in str(error)
    finally:
        done.set()
        writer.join()


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python always has a GIL")
def test_free_threaded_python_stays_free_threaded():
    """A module that does not declare its support switches the GIL on, with a warning, unless PYTHON_GIL forbids it."""
    code = "import sys, ircor, ircor.organization, ircor.rank_distance; sys.exit(sys._is_gil_enabled())"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, check=True)
