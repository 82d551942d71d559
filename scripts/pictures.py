"""Draw the pictures of the guide from the sample data, and those of the page on coverage from its measurements."""

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import coverage_pictures
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import ircor
from ircor import plots
from ircor.averages import gmean
from ircor.data._sample import write_sample
from ircor.judging import calibrate
from ircor.overlap import rbo_runs
from ircor.rank_distance import DrankNull
from ircor.reliability import topics_needed

mpl.use("Agg")

SCORES = ircor.sample()
AP = SCORES["map"]
# Rounded, so that means that differ only by a rounding error are tied.
MEANS = SCORES.mean().round(12).unstack("measure")[["map", "P_10", "ndcg", "recip_rank"]]


def null() -> Any:
    distribution = DrankNull(AP, resamples=1000, seed=1)
    return plots.null(distribution, distribution.test(MEANS["recip_rank"]).statistic)


def thresholds() -> Any:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, (40, 8))
    return calibrate(truth, truth + rng.normal(0, 0.5, truth.shape)).plot()


def overlap() -> Any:
    with TemporaryDirectory() as folder:
        write_sample(folder)
        return rbo_runs(f"{folder}/runs/A1.run", f"{folder}/runs/A2.run", 0.9, depth=10).plot()


PICTURES: dict[str, Callable[[], Any]] = {
    "ties": lambda: plots.tie_effect(MEANS["map"], MEANS["recip_rank"], decimals=5),
    "table": lambda: plots.table(ircor.cor(MEANS, method="tauAP_b"), method="tauAP_b"),
    "slope": lambda: plots.slope(MEANS["map"], MEANS["P_10"], labels=("map", "P_10")),
    "null": null,
    "overlap": overlap,
    "curve": lambda: topics_needed(AP, 0.9, seed=1).plot(name="map"),
    "places": lambda: ircor.places(AP, seed=1, name="map").plot(),
    "thresholds": thresholds,
    "means": lambda: plots.moves(AP.mean(), gmean(AP), labels=("mean", "geometric mean")),
}


def save(pictures: dict[str, Callable[[], Any]], folder: Path) -> None:
    """Draw the pictures into files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in pictures.items():
        ax = draw()
        plots.save(ax, folder / f"{name}.svg", force=True)
        plt.close(ax.figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).resolve().parents[1] / "docs" / "pictures"
    parser.add_argument(
        "folder", nargs="?", type=Path, default=default, help="the output folder (default: docs/pictures)"
    )
    save({**PICTURES, **coverage_pictures.PICTURES}, parser.parse_args().folder)


if __name__ == "__main__":
    main()
