"""Running times of the six coefficients beside others', side by side in one run, as ratios."""

import argparse
import json
import math
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import scipy
from bench_judges import judges
from bench_overlap import overlap
from bench_reliability import reliability
from bench_subjects import Target, memory, organization, rank_distance, scale, time_python, whole_tables
from scipy.stats import kendalltau

import ircor
from ircor._files import whole_file

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
    reached += (
        judges(rng)
        + overlap(rng)
        + reliability(rng)
        + whole_tables(rng)
        + memory(100_000_000 if options.large else 10_000_000)
    )
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
