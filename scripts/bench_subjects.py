"""What scripts/bench measures beyond the six coefficients: tables, rank distance, organizations, memory and growth."""

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

import ircor
from ircor._kernel import totals_of_resamples
from ircor._methods import METHODS
from ircor.organization import Organization, evaluate
from ircor.rank_distance import DrankNull


@dataclass(frozen=True)
class Target:
    what: str
    ratio: float
    limit: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.limit


def time_python(call: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        call()
    return time.perf_counter() - start


def rank_distance(rng: np.random.Generator, with_r: bool) -> list[Target]:
    """DrankNull beside the same loop in R with quadprog: time of one resample; and its memory beyond the scores."""
    found = []
    for n, m in ((50, 129), (249, 110)):
        X = rng.random((n, 1)) * rng.uniform(0.3, 1, m) + 0.12 * rng.normal(size=(n, m))
        ours = min(time_python(lambda X=X: DrankNull(X, resamples=10_000, seed=1, progress=False), 1) for _ in range(3))
        if with_r:
            import rpy2.robjects as ro

            rows = ro.r["matrix"](ro.FloatVector(X.ravel(order="F")), nrow=n)
            theirs = min(ro.r(QUADPROG_LOOP)(rows, 200)[0] for _ in range(3))
            found.append(
                Target(f"DrankNull / loop in R with quadprog, {n} x {m}", ours / 10_000 / (theirs / 200), 1 / 30)
            )
        tracemalloc.start()
        DrankNull(X, resamples=10_000, seed=1, progress=False)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        found.append(Target(f"DrankNull, megabytes beyond X, {n} x {m}", peak / 1e6, 100))
    return found


def whole_tables(rng: np.random.Generator) -> list[Target]:
    """cor, cor_by and bootstrap beside the loops that they replace."""

    def best(call: Callable[[], object], rounds: int = 3) -> float:
        return min(time_python(call, 1) for _ in range(rounds))

    X = rng.random((200, 1)) + rng.random((200, 60))
    frame, half = pd.DataFrame(X), [(i, j) for i in range(60) for j in range(i)]
    ours = best(lambda: ircor.cor(X), 7)
    loop = best(lambda: [kendalltau(X[:, i], X[:, j]) for i, j in half])
    pandas_corr = best(lambda: frame.corr(method="kendall"))
    # pandas has had a compiled loop of its own since 3.1.
    limit = 1 / 50 if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1) else 1 / 4
    found = [
        Target("cor / double loop over kendalltau, 200 x 60", ours / loop, 1 / 50),
        Target("cor / pandas corr(method='kendall'), 200 x 60", ours / pandas_corr, limit),
    ]
    X = rng.random((1_000_000, 1)) + rng.random((1_000_000, 8))
    one, two = best(lambda: ircor.cor(X, n_jobs=1)), best(lambda: ircor.cor(X, n_jobs=2))
    apart = best(lambda: [ircor.tau_b(X[:, i], X[:, j]) for i in range(8) for j in range(i, 8)], 1)
    found += [
        Target("cor / separate calls, 10^6 x 8", one / apart, 0.7),
        Target("cor, two jobs / one, 10^6 x 8", two / one, 1 / 1.7),
    ]
    groups, x, y = grouped(1_000_000, rng)
    one, two = best(lambda: ircor.cor_by(groups, x, y, n_jobs=1)), best(lambda: ircor.cor_by(groups, x, y, n_jobs=2))
    few = pd.DataFrame({"group": groups, "x": x, "y": y}).loc[groups < 10_000]
    applied = best(lambda: few.groupby("group")[["x", "y"]].apply(lambda rows: ircor.tau_b(rows["x"], rows["y"])))
    found += [
        Target("cor_by, two jobs, 10^6 groups / pandas groupby-apply, by the group", two / 100 / applied, 1 / 100),
        Target("cor_by, one job, 10^6 groups / pandas groupby-apply, by the group", one / 100 / applied, 1 / 50),
    ]
    for keys, said in ((groups, "sorted"), (rng.permutation(groups), "unsorted")):
        tracemalloc.start()
        ircor.cor_by(keys, x, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        found.append(Target(f"cor_by, memory / input, 10^6 {said} groups", peak / (3 * x.nbytes), 3))
    X = rng.random((50, 1)) * rng.uniform(0.3, 1, 129) + 0.12 * rng.normal(size=(50, 129))
    Y = X + 0.1 * rng.normal(size=X.shape)
    seconds = best(lambda: ircor.bootstrap(X, Y, "tauAP_b", resamples=10_000, seed=1, n_jobs=1, progress=False))
    found.append(Target("bootstrap, tauAP_b, 10,000 resamples of 50 x 129: seconds", seconds, 1))
    method = METHODS["tauAP_b"]
    draws = rng.integers(0, 50, (10_000, 50), dtype=np.int32)
    plain = best(lambda: method.formula(totals_of_resamples(X, Y, draws, 1e-9, 1e-9, True, method.sums)))
    found.append(Target("bootstrap, tauAP_b / the coefficients of as many resamples of the topics", seconds / plain, 6))
    population = best(lambda: ircor.bootstrap(X, Y, "tauAP_b", 10_000, 1, 1, target="population", progress=False))
    found.append(Target("the same for the population / as many resamples of the topics", population / plain, 8))
    return found


def grouped(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """So many groups of 10 to 100 rows, one after the other, and two scores for each row."""
    sizes = rng.integers(10, 101, count)
    x = rng.random(sizes.sum())
    return np.repeat(np.arange(count), sizes), x, x + rng.normal(0, 0.3, len(x))


MEMORY_OF_A_CALL = """
import sys
import numpy as np
import ircor
def kilobytes(what):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(what))
name, n = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(1)
x = rng.random(n)
y = rng.random(n)
y += x
before = kilobytes("VmRSS:")
getattr(ircor, name)(x, y)
print((kilobytes("VmHWM:") - before) * 1024 / n)
"""


def memory(n: int) -> list[Target]:
    """Memory beyond the two vectors, in a process of its own, as Linux tells it."""
    found: list[Target] = []
    if not Path("/proc/self/status").exists():
        return found
    for name in ("tau_b", "tauAP_b"):
        command = [sys.executable, "-c", MEMORY_OF_A_CALL, name, str(n)]
        bytes_an_item = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        found.append(Target(f"{name}, bytes an item beyond the input, n = {n:,}", bytes_an_item, 40))
    return found


def scale(rng: np.random.Generator, large: bool) -> str:
    """Time against n, groups and resamples, each beside its first line."""
    lines = []

    def row(what: str, size: int, seconds: float, first: dict[str, tuple[int, float]], extra: str) -> None:
        size_1, seconds_1 = first.setdefault(what, (size, seconds))
        lines.append(f"{what}\t{size:,}\t{seconds / seconds_1:.3g}\t{size / size_1:.3g}\t{extra}")

    first: dict[str, tuple[int, float]] = {}
    for n in [10**4, 10**5, 10**6, 10**7] + ([10**8] if large else []):
        x = rng.random(n)
        y = x + rng.normal(0, 0.3, n)
        sort = min(time_python(lambda x=x: np.argsort(x), 1) for _ in range(3 if n < 10**7 else 1))
        for call in (ircor.tau_b, ircor.tauAP_b):
            seconds = min(time_python(lambda x=x, y=y, call=call: call(x, y), 1) for _ in range(3 if n < 10**7 else 1))
            row(f"{call.__name__}, items", n, seconds, first, f"{seconds / sort:.2g} argsorts")
    for count in (10**4, 10**5, 10**6):
        groups, x, y = grouped(count, rng)
        for jobs in (1, 2):
            call = lambda g=groups, x=x, y=y, j=jobs: ircor.cor_by(g, x, y, n_jobs=j)  # noqa: E731
            seconds = min(time_python(call, 1) for _ in range(3))
            row(
                f"cor_by, groups, {jobs} job{'s' * (jobs > 1)}",
                count,
                seconds,
                first,
                f"{3 * x.nbytes / 1e6:.0f} MB in",
            )
    X = rng.random((50, 1)) * rng.uniform(0.3, 1, 129) + 0.12 * rng.normal(size=(50, 129))
    Y = X + 0.1 * rng.normal(size=X.shape)
    for resamples in (10**3, 10**4, 10**5):
        seconds = time_python(lambda r=resamples: ircor.bootstrap(X, Y, "tauAP_b", r, 1, 1, progress=False), 1)
        row("bootstrap, resamples", resamples, seconds, first, f"{8 * resamples / 1e6:.2g} MB out")
    return "what\tsize\ttimes the first\tsize / first\t\n" + "\n".join(lines)


def organization(rng: np.random.Generator, with_r: bool) -> list[Target]:
    """Reliability and Sensitivity of a long ranking, and how its time grows with documents and with repeated ones."""
    seconds = {}
    for n in (1_000, 10_000, 100_000):
        for relevant in (1_000, n):
            ids = rng.permutation(2 * n).tolist()
            system, gold = ids[:n], Organization.from_ranking(rng.permutation(2 * n)[:relevant].tolist())
            run = lambda system=system, gold=gold: evaluate(  # noqa: E731
                Organization.from_ranking(system), gold, top=30, weight=0.8
            )
            seconds[n, relevant] = min(time_python(run, 1) for _ in range(5))
    ratio = seconds[100_000, 100_000] / seconds[10_000, 10_000] / (10 * 5 / 4)
    found = [
        Target("Reliability and Sensitivity of 100,000 ranked, 1,000 relevant: seconds", seconds[100_000, 1_000], 2),
        Target("Reliability and Sensitivity, growth from 10^4 to 10^5 listed on both sides / n log n", ratio, 2),
    ]
    for repeated in (100, 1_000):
        sides = [overlapping(10_000, repeated, rng) for _ in range(2)]
        seconds[repeated] = min(time_python(lambda s=sides: evaluate(*s, top=30, weight=0.8), 1) for _ in range(3))
    found.append(Target("the same, growth from 100 to 1,000 repeated of 10,000", seconds[1_000] / seconds[100], 15))
    if with_r:
        import rpy2.robjects as ro

        sides = [overlapping(100, 20, rng) for _ in range(2)]
        frames = [
            ro.r["data.frame"](
                doc=ro.IntVector(side.documents), level=ro.IntVector(side.level), cluster=ro.IntVector(side.cluster)
            )
            for side in sides
        ]
        clock = ro.r("function(s, g) system.time(ircorref::rs(s, g, top = 30, weight = 0.8))[['elapsed']]")
        theirs = min(clock(*frames)[0] for _ in range(3))
        ours = min(time_python(lambda: evaluate(*sides, top=30, weight=0.8), 1) for _ in range(3))
        found.append(Target("the same / double sum in R (ircorref), 100 documents, 20 repeated", ours / theirs, 1 / 10))
    return found


def overlapping(documents: int, repeated: int, rng: np.random.Generator) -> Organization:
    """Clusters of about ten on twenty levels; some documents are in two of them."""
    ids = [*range(documents), *range(repeated)]
    cluster = rng.permutation(len(ids)) // 10
    levels: list[list[dict[int, None]]] = [[] for _ in range(20)]
    for k in range(cluster.max() + 1):
        levels[k % 20].append(dict.fromkeys(ids[i] for i in np.flatnonzero(cluster == k)))
    return Organization([[list(members) for members in level] for level in levels])


# Algorithm 2 with algorithm 1, as one writes it in R.
QUADPROG_LOOP = """function(X, resamples) {
    n <- nrow(X)
    m <- ncol(X)
    ridge <- if (m >= n) 1e-5 else 0
    start <- proc.time()[["elapsed"]]
    for (b in seq_len(resamples)) {
        best_first <- order(-colMeans(X[sample(n, n, TRUE), ]))
        delta <- X[, best_first[-m]] - X[, best_first[-1]]
        mu <- colMeans(delta)
        inverse <- solve(cov(delta) + diag(ridge, m - 1))
        theta <- quadprog::solve.QP(inverse, inverse %*% mu, diag(m - 1))$solution
        distance <- sqrt(n * t(theta - mu) %*% inverse %*% (theta - mu))
    }
    proc.time()[["elapsed"]] - start
}"""
