"""Running times of the six coefficients beside others', side by side in one run, as ratios."""

import argparse
import json
import math
import platform
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import scipy
from scipy.stats import kendalltau

import ircor
from ircor._files import whole_file
from ircor.organization import Organization, evaluate
from ircor.rank_distance import DrankNull

SIX = (ircor.tau, ircor.tau_a, ircor.tau_b, ircor.tauAP, ircor.tauAP_a, ircor.tauAP_b)
LENGTHS = [10, 50, 1_000, 100_000, 1_000_000]
LARGE = [10_000_000]

# Quadratic ones stop where a call would take minutes.
LONGEST = {"R cor(method = 'kendall')": 1_000, "R plain loops (ircorref)": 1_000}


@dataclass(frozen=True)
class Timing:
    contender: str
    n: int
    ties: bool
    seconds: float


@dataclass(frozen=True)
class Target:
    what: str
    ratio: float
    limit: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.limit


def vectors(n: int, ties: bool, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Two correlated rankings; with ties, about a hundred distinct values each, as in scores of two decimals."""
    x = rng.permutation(n).astype(float)
    y = x + rng.normal(0, n / 3, n)
    return (
        {"x": x, "y": y, "x_tied": np.floor(x * 100 / n), "y_tied": np.floor(y * 100 / n)} if ties else {"x": x, "y": y}
    )


def contenders(n: int, ties: bool, rng: np.random.Generator, with_r: bool) -> dict[str, Callable[[int], float]]:
    """For each contender, a function that calls it so many times and returns the seconds."""
    v = vectors(n, ties, rng)
    if ties:
        untied, x, y = v["x"], v["x_tied"], v["y_tied"]
        calls = {
            "tau_a": lambda: ircor.tau_a(untied, y),
            "tau_b": lambda: ircor.tau_b(x, y),
            "tauAP_a": lambda: ircor.tauAP_a(untied, y),
            "tauAP_b": lambda: ircor.tauAP_b(x, y),
        }
    else:
        x, y = v["x"], v["y"]
        calls = {function.__name__: lambda f=function: f(x, y) for function in SIX}
    frame = pd.DataFrame({"x": x, "y": y})
    calls |= {
        "numpy.argsort": lambda: np.argsort(x),
        "scipy.stats.kendalltau": lambda: kendalltau(x, y),
        "pandas corr(method='kendall')": lambda: frame["x"].corr(frame["y"], method="kendall"),
    }
    timed = {name: lambda times, call=call: time_python(call, times) for name, call in calls.items()}
    if with_r:
        timed |= r_contenders(x, y)
    return {name: call for name, call in timed.items() if n <= LONGEST.get(name, n)}


def time_python(call: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        call()
    return time.perf_counter() - start


def r_contenders(x: np.ndarray, y: np.ndarray) -> dict[str, Callable[[int], float]]:
    """R's own clock around R's own loop: nothing of what it costs to come from Python counts."""
    import rpy2.robjects as ro

    clock = ro.r(
        """function(call, x, y, times) {
            start <- proc.time()[["elapsed"]]
            for (i in seq_len(times)) call(x, y)
            proc.time()[["elapsed"]] - start
        }"""
    )
    rx, ry = ro.FloatVector(x), ro.FloatVector(y)
    calls = {
        "R cor(method = 'kendall')": ro.r("function(x, y) stats::cor(x, y, method = 'kendall')"),
        "R pcaPP::cor.fk": ro.r("function(x, y) pcaPP::cor.fk(x, y)"),
        "R plain loops (ircorref)": ro.r("ircorref::tau_b"),
    }
    return {name: lambda times, call=call: clock(call, rx, ry, times)[0] for name, call in calls.items()}


def measure(n: int, ties: bool, rng: np.random.Generator, rounds: int, with_r: bool) -> list[Timing]:
    """The best of several rounds, in each of which every contender has its turn."""
    timed = contenders(n, ties, rng, with_r)
    best = dict.fromkeys(timed, math.inf)
    times = {}
    for name, call in timed.items():
        times[name] = 1
        # R's clock ticks in milliseconds, so its turns have to last.
        enough = 0.1 if name.startswith("R ") else 0.01
        while (seconds := call(times[name])) < enough:
            times[name] *= max(2, min(100, int(enough / max(seconds, 1e-9))))
    for _ in range(rounds):
        for name, call in timed.items():
            best[name] = min(best[name], call(times[name]) / times[name])
    return [Timing(name, n, ties, seconds) for name, seconds in best.items()]


def import_ratio(rounds: int = 15) -> float:
    """The time of importing NumPy and ircor against that of importing NumPy, less what an empty Python takes."""
    best = {}
    for _ in range(rounds):
        for code in ("", "import numpy", "import numpy, ircor"):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            best[code] = min(best.get(code, math.inf), time.perf_counter() - start)
    return (best["import numpy, ircor"] - best[""]) / (best["import numpy"] - best[""])


def targets(timings: list[Timing]) -> list[Target]:
    seconds = {(t.contender, t.n, t.ties): t.seconds for t in timings}
    found = [Target("import ircor and numpy / import numpy", import_ratio(), 1.5)]
    for ties in (False, True):
        said = " with ties" if ties else ""
        for name in (function.__name__ for function in SIX):
            if (name, 50, ties) in seconds:
                ratio = seconds[name, 50, ties] / seconds["scipy.stats.kendalltau", 50, ties]
                found.append(Target(f"{name} / kendalltau, n = 50{said}", ratio, 1 / 30))
        n = 1_000_000
        tau_b = seconds["tau_b", n, ties]
        found += [
            Target(f"tau_b / kendalltau, n = 10^6{said}", tau_b / seconds["scipy.stats.kendalltau", n, ties], 0.5),
            Target(f"tau_b / argsort, n = 10^6{said}", tau_b / seconds["numpy.argsort", n, ties], 5),
            Target(f"tauAP_b / tau_b, n = 10^6{said}", seconds["tauAP_b", n, ties] / tau_b, 1.5),
        ]
        for name in ("tau_b", "tauAP_a", "tauAP_b"):
            growth = seconds[name, n, ties] / seconds[name, n // 10, ties]
            found.append(Target(f"{name}, growth from 10^5 to 10^6 / n log n{said}", growth / (10 * 6 / 5), 1.5))
    # With ties, x has none for tauAP_a and tau_a, and some for tau_b, which is less to sort.
    for name, ties in (("tau_b", False), ("tau_a", True)):
        ratio = seconds["tauAP_a", n, ties] / seconds[name, n, ties]
        found.append(Target(f"tauAP_a / {name}, n = 10^6{' with ties' if ties else ''}", ratio, 1.5))
    return found


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


def table(timings: list[Timing], ties: bool) -> str:
    """Times as multiples of tau_b's at the same length."""
    frame = pd.DataFrame([asdict(t) for t in timings if t.ties == ties])
    frame = frame.pivot(index="contender", columns="n", values="seconds").loc[frame["contender"].unique()]
    ratios = (frame / frame.loc["tau_b"]).map(lambda ratio: "" if math.isnan(ratio) else f"{ratio:.3g}")
    ratios.columns = [f"{n:,}" for n in ratios.columns]
    ratios.index.name = None
    return ratios.to_string()


def picture(timings: list[Timing], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 5), sharey=True, layout="constrained")
    # One look a contender, the same in both panels: full lines for ours, and no two alike in grey either.
    names = list(dict.fromkeys(t.contender for t in timings))
    for ax, ties in zip(axes, (False, True)):
        for k, name in enumerate(names):
            points = [(t.n, t.seconds) for t in timings if t.contender == name and t.ties == ties]
            line = "-" if hasattr(ircor, name) else "--"
            ax.loglog(
                *zip(*points), label=name, color=f"C{k % 10}", marker="osD^v<>Pp*hX"[k], markersize=4, linestyle=line
            )
        ax.set(title="many ties" if ties else "no ties", xlabel="items, n")
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("seconds a call")
    axes[0].legend(fontsize=7)
    with whole_file(path, binary=True) as file:
        figure.savefig(file, dpi=150)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also n = 10,000,000, and 100,000,000 in part")
    parser.add_argument(
        "--rounds", type=int, default=7, help="turns that each contender has; the best counts (default: 7)"
    )
    parser.add_argument("--seed", type=int, default=2017)
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder for bench.json and bench.png")
    parser.add_argument("--check", action="store_true", help="exit status 1 if a target is missed")
    options = parser.parse_args()

    rng = np.random.default_rng(options.seed)
    machine = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    machine |= {"pandas": pd.__version__, "ircor": ircor.__version__, "processor": platform.machine()}
    try:
        import rpy2.robjects as ro

        machine["R"] = ro.r("R.version.string")[0]
    except (ImportError, OSError, ValueError) as error:
        print(f"without R: {error}", file=sys.stderr)
    timings: list[Timing] = []
    for ties in (False, True):
        for n in LENGTHS + (LARGE if options.large else []):
            print(f"n = {n:,}, {'many' if ties else 'no'} ties", file=sys.stderr)
            timings += measure(n, ties, rng, options.rounds if n < 10**7 else 3, "R" in machine)
    reached = targets(timings) + rank_distance(rng, "R" in machine) + organization(rng, "R" in machine)
    reached += whole_tables(rng) + memory(100_000_000 if options.large else 10_000_000)
    growth = scale(rng, options.large)

    options.output.mkdir(parents=True, exist_ok=True)
    report = {"machine": machine, "timings": [asdict(t) for t in timings], "targets": [asdict(t) for t in reached]}
    with whole_file(options.output / "bench.json") as file:
        json.dump(report, file, indent=1)
    picture(timings, options.output / "bench.png")
    print(", ".join(f"{name} {version}" for name, version in machine.items()))
    for ties in (False, True):
        print(f"\n{'Many ties' if ties else 'No ties'}: time of one call, tau_b = 1, by n\n{table(timings, ties)}")
    print(f"\nGrowth\n{growth}")
    print("\nTargets")
    for target in reached:
        print(f"{'met   ' if target.met else 'MISSED'}  {target.ratio:8.3f} <= {target.limit:6.3f}  {target.what}")
    return int(options.check and not all(target.met for target in reached))


if __name__ == "__main__":
    sys.exit(main())
