"""Time and memory of ircor beside others', side by side in one run, as ratios.

All calls take turns: A B A B ...  A ratio is that of the processor times; that of the elapsed times is beside it.
One thread is used, unless a line says otherwise.  The exit status is 1 if a target is missed, if a ratio is worse than
in the last run of the history, or if a subject failed; 2 if the arguments or the history cannot be used.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from _bench import history, page
from _bench.figures import Figure

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / "scale.md"]
KEPT = ROOT / "docs" / "scale.jsonl"
SUBJECTS = (
    "loading",
    "call",
    "columns",
    "long",
    "groups",
    "engines",
    "resampling",
    "reader",
    "judges",
    "overlap",
    "reliability",
    "organization",
)
THREADS = (
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only",
        action="append",
        choices=SUBJECTS,
        metavar="SUBJECT",
        help=f"one of {', '.join(SUBJECTS)}; may be repeated",
    )
    parser.add_argument(
        "--quick", action="store_true", help="small sizes: it shows that everything runs, and no targets"
    )
    parser.add_argument("--large", action="store_true", help="also a pair of 100,000,000")
    parser.add_argument(
        "--history", type=Path, metavar="FILE", help="compare with the runs in this file, and add this one"
    )
    parser.add_argument(
        "--factor", type=float, default=1.25, help="how many times worse than before is reported (default: 1.25)"
    )
    pages = "docs/scale.md"
    kept = f"add this run to docs/scale.jsonl, and rewrite the tables of {pages} from it"
    parser.add_argument("--docs", action="store_true", help=kept)
    parser.add_argument(
        "--page", action="store_true", help=f"only rewrite the tables of {pages} from the last such run"
    )
    parser.add_argument("--seed", type=int, default=2017)
    options = parser.parse_args()
    partial = options.only or options.quick or options.large
    if (options.docs or options.page) and (partial or options.history):
        parser.error("--docs and --page are of a whole run: without --only, --quick, --large and --history")
    if options.docs and options.page:
        parser.error("--page measures nothing: without --docs")
    if not options.factor > 1:
        parser.error("--factor must be greater than 1")
    if options.docs or options.page:
        options.history = KEPT
    return options


def main() -> int:
    options = arguments()
    # Before NumPy and the others are loaded.
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        before = history.runs_of(options.history) if options.history else []
        if options.page:
            page.write(PAGES, page.last_of(before, str(KEPT)))
            return 0
        if options.docs:  # what is wrong with the pages is said before the run, and not after it
            for path in PAGES:
                page.tables_of(path.read_text(encoding="utf-8"), str(path))
    except (OSError, ValueError) as error:
        print(f"scripts/bench: {error}", file=sys.stderr)
        return 2
    from _bench import peers
    from _bench.run import Run

    start = time.monotonic()
    with peers.r_process() as r:
        run = Run(options.quick, options.large, options.seed, r)
        failed = measured(run, options.only or SUBJECTS)
    record = described(run, options, whole=not failed)
    slower = list(history.slowdowns(run.figures, before, record, options.factor))
    missed = show_targets(run.figures) if not options.quick else 0
    if slower:
        print(f"\nWorse than before, by more than {options.factor:g} times\n  " + "\n  ".join(slower))
    print(f"\n{page.environment(record)} {time.monotonic() - start:.0f} s")
    if options.history and record["figures"]:
        history.append(options.history, record)
    if options.docs and not failed:
        page.write(PAGES, record)
    if failed:
        print(f"not whole: {', '.join(failed)}")
    return int(bool(failed or slower or missed))


def measured(run: Any, subjects: Iterable[str]) -> list[str]:
    """Measure and show one subject after the other.  Ctrl-C leaves the rest of one out, twice the rest of the run."""
    failed = []
    for name in subjects:
        print(f"\n{name}", flush=True)
        start = time.monotonic()
        try:
            for figure in importlib.import_module(f"_bench.{name}").measure(run):
                run.figures.append(figure)
                print(f"  {line(figure, run.quick)}", flush=True)
        except KeyboardInterrupt:
            failed.append(name)
            print("  the rest is left out; press Ctrl-C again to end the run", flush=True)
            try:
                time.sleep(2)
            except KeyboardInterrupt:
                break
        except Exception:
            failed.append(name)
            traceback.print_exc()
        print(f"  {time.monotonic() - start:.0f} s", flush=True)
    return failed


def line(figure: Figure, quick: bool) -> str:
    said = f"{figure.value:9.3g}"
    said += "          " if figure.wall is None else f"{figure.wall:9.3g} "
    said += f" {figure.what}"
    if figure.met is not None and not quick:
        said += f"  ({figure.target}: {'reached' if figure.met else 'MISSED'})"
    return said


def show_targets(figures: list[Figure]) -> int:
    """List what has a target, and return how many are missed."""
    aimed = [figure for figure in figures if figure.met is not None]
    print("\nTargets: of processor time, of elapsed time, target")
    for figure in sorted(aimed, key=lambda figure: bool(figure.met)):
        elapsed = "" if figure.wall is None else f"{figure.wall:.3g}"
        state = "reached" if figure.met else "MISSED"
        print(f"  {state:8}{figure.value:9.3g}{elapsed:>9}  {figure.target:15} {figure.what}")
    missed = sum(not figure.met for figure in aimed)
    print(f"{len(aimed) - missed} of {len(aimed)} reached")
    return missed


def described(run: Any, options: argparse.Namespace, whole: bool) -> dict[str, Any]:
    """The run as a line of the history."""
    import numpy
    import scipy

    import ircor

    versions = {"Python": platform.python_version(), "numpy": numpy.__version__, "scipy": scipy.__version__}
    versions |= run.versions
    if run.r_process is not None:
        versions["R"] = run.r_process.version
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit(),
        "ircor": ircor.__version__,
        "machine": f"{platform.system()}, {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "quick": options.quick,
        "docs": options.docs and whole,
        "versions": versions,
        "without": run.without,
        "figures": history.nested(run.figures),
    }


def commit() -> str:
    """The commit, with a plus if files differ from it."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def processor() -> str:
    """The name of the processor, where the system tells."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
