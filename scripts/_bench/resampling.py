"""Resampling: bootstrap, permutation test and rank distance, beside the loops that they replace."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import ircor
from ircor.rank_distance import DrankNull

from .figures import Figure, Table
from .run import Run

BOOTSTRAP, PERMUTATION, DISTANCE = Table("bootstrap"), Table("permutation_test"), Table("DrankNull")
MEMORY = Table("memory of resampling, megabytes")
METHOD = "tauAP_b"

PREPARE_DISTANCE = """
from _bench.resampling import scores
from ircor.rank_distance import DrankNull
X = scores(int(sys.argv[1]), int(sys.argv[2]), np.random.default_rng(1))
DrankNull(X, null="resample", resamples=100, seed=1, progress=False)
"""
PREPARE_BOOTSTRAP = """
from _bench.resampling import scores
rng = np.random.default_rng(1)
X = scores(int(sys.argv[1]), int(sys.argv[2]), rng)
Y = X + 0.1 * rng.normal(size=X.shape)
ircor.bootstrap(X, Y, "tauAP_b", 100, 1, 1, progress=False)
"""


def scores(n: int, m: int, rng: np.random.Generator) -> np.ndarray:
    """Topics by systems."""
    return rng.random((n, 1)) * rng.uniform(0.3, 1, m) + 0.12 * rng.normal(size=(n, m))


def measure(run: Run) -> Iterator[Figure]:
    yield from bootstrap(run)
    yield from permutation(run)
    yield from distance(run)
    yield from memory(run)


def bootstrap(run: Run) -> Iterator[Figure]:
    """Beside a loop that only resamples the topics; ours also fits the model that its intervals need."""
    n, m, resamples, sample = run.pick((50, 129, 10_000, 1_000), (15, 8, 250, 10))
    X = scores(n, m, run.rng)
    Y = X + 0.1 * run.rng.normal(size=X.shape)
    draws = run.rng.integers(0, n, (sample, n))

    def ours(many: int, target: str = "expected", jobs: int = 1) -> object:
        return ircor.bootstrap(X, Y, METHOD, many, 1, jobs, target=target, progress=False)

    calls = {
        "one": lambda: ours(resamples),
        "loop": lambda: [ircor.tauAP_b(X[rows].mean(axis=0), Y[rows].mean(axis=0)) for rows in draws],
        "population": lambda: ours(resamples, "population"),
        "tenth": lambda: ours(resamples // 10),
        "two": lambda: ours(resamples, jobs=2),
    }
    times = run.turns(calls, 3)
    column = f"{n} topics x {m} systems"
    loop = times["loop"] * (resamples / sample)
    yield BOOTSTRAP.faster("a loop over `tauAP_b` of resampled topics", column, times["one"], loop)
    yield BOOTSTRAP.faster('the same, `target="population"`', column, times["population"], loop)
    yield BOOTSTRAP.elapsed("elapsed time of one job, beside two jobs", column, times["two"], times["one"])
    row = f"a resample of {resamples:,}, beside one of {resamples // 10:,}"
    yield BOOTSTRAP.longer(row, column, times["one"] / 10, times["tenth"])


def permutation(run: Run) -> Iterator[Figure]:
    """Beside a loop, and SciPy's permutation test, for as many permutations."""
    from scipy.stats import kendalltau, permutation_test

    n, resamples, sample = run.pick((50, 9_999, 500), (20, 99, 10))
    x = run.rng.random(n)
    y = x + run.rng.random(n)
    rng = np.random.default_rng(1)
    calls = {
        "one": lambda: ircor.permutation_test(x, y, "tau_b", resamples=resamples, seed=1, n_jobs=1, progress=False),
        "loop": lambda: [ircor.tau_b(x, rng.permutation(y)) for _ in range(resamples)],
        "draws": lambda: [rng.permutation(n) for _ in range(resamples)],
        "scipy": lambda: permutation_test(
            (y,), lambda z: kendalltau(x, z).statistic, permutation_type="pairings", n_resamples=sample
        ),
    }
    times = run.turns(calls, 5)
    column = f"{n} items"
    yield PERMUTATION.faster("a loop over `tau_b` of permutations", column, times["one"], times["loop"])
    yield PERMUTATION.faster("as many calls of NumPy's `permutation` alone", column, times["one"], times["draws"])
    row = f"`scipy.stats.permutation_test` with `kendalltau`, from {sample} permutations"
    yield PERMUTATION.faster(row, column, times["one"], times["scipy"] * (resamples / sample))


def distance(run: Run) -> Iterator[Figure]:
    """A resample of DrankNull beside one of the same loop with NumPy and SciPy's nnls, and in R with quadprog."""
    resamples, sample = run.pick((10_000, 100), (100, 3))
    for n, m in run.pick(((50, 129), (249, 110)), ((20, 5),)):
        X = scores(n, m, run.rng)
        calls = {
            "ours": lambda X=X: DrankNull(X, null="resample", resamples=resamples, seed=1, progress=False),
            "nnls": lambda X=X: by_nnls(X, sample),
        }
        if r := run.r("quadprog"):
            r.take({"X": X})
            r.ask(QUADPROG_LOOP)
            calls["R"] = r.clocked(f"by_quadprog(X, {sample})")
        times = run.turns(calls, 3)
        for name, row, limit in (
            ("nnls", "the same loop with `scipy.optimize.nnls`", None),
            ("R", "the same loop in R with quadprog", 30),
        ):
            if name in times:
                other = times[name] * (resamples / sample)
                yield DISTANCE.faster(
                    f"{row}, from {sample} resamples", f"{n} topics x {m} systems", times["ours"], other, limit
                )


def by_nnls(X: np.ndarray, resamples: int) -> list[float]:
    """Algorithm 2 with algorithm 1, as one writes it with SciPy."""
    from scipy.linalg import solve_triangular
    from scipy.optimize import nnls

    n, m = X.shape
    rng, found = np.random.default_rng(1), []
    for _ in range(resamples):
        best_first = np.argsort(-X[rng.integers(0, n, n)].mean(axis=0))
        delta = X[:, best_first[:-1]] - X[:, best_first[1:]]
        covariance = np.cov(delta, rowvar=False) + np.eye(m - 1) * (1e-5 if m >= n else 0)
        root = np.linalg.cholesky(covariance)
        whole = solve_triangular(root, np.eye(m - 1), lower=True)
        found.append(np.sqrt(n) * nnls(whole, whole @ delta.mean(axis=0))[1])
    return found


QUADPROG_LOOP = """{ by_quadprog <- function(X, resamples) {
    n <- nrow(X);
    m <- ncol(X);
    ridge <- if (m >= n) 1e-5 else 0;
    for (b in seq_len(resamples)) {
        best_first <- order(-colMeans(X[sample(n, n, TRUE), ]));
        delta <- X[, best_first[-m]] - X[, best_first[-1]];
        mu <- colMeans(delta);
        inverse <- solve(cov(delta) + diag(ridge, m - 1));
        theta <- quadprog::solve.QP(inverse, inverse %*% mu, diag(m - 1))$solution;
        distance <- sqrt(n * t(theta - mu) %*% inverse %*% (theta - mu));
    }
}; 1 }"""
"""The same as one writes it in R."""


def memory(run: Run) -> Iterator[Figure]:
    resamples = run.pick(10_000, 100)
    call = f"DrankNull(X, null='resample', resamples={resamples}, seed=1, progress=False)"
    for n, m in run.pick(((50, 129), (249, 110)), ()):
        found = run.beyond(PREPARE_DISTANCE, call, n, m)
        if found is not None:
            yield MEMORY.amount("`DrankNull`", f"{n} topics x {m} systems", found / 1e6, 100)
    call = f'ircor.bootstrap(X, Y, "tauAP_b", {resamples}, 1, 1, progress=False)'
    for n, m in run.pick(((50, 129),), ()):
        found = run.beyond(PREPARE_BOOTSTRAP, call, n, m)
        if found is not None:
            yield MEMORY.amount("`bootstrap`", f"{n} topics x {m} systems", found / 1e6)
