"""Measure how often intervals of rank-biased overlap hold what they are for, on the collections of coverage_study."""

import argparse
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from coverage_study import DOCS, Apart, Setting, coverage, coverage_apart, measure

OVERLAPS, OVERLAPS_APART = "coverage-overlap.csv", "coverage-overlap-separate.csv"

# From the top two systems to all of them: for 0.5 the first two have nearly 90 % of the weight, for 0.98 about 14 %.
STATISTICS = ("rbo 0.5", "rbo 0.8", "rbo 0.9", "rbo 0.98")
# The last of these pairs is the one for which the population's intervals of other coefficients fail.
MEASURES = [
    ("model", "AP", "P 0.8"),
    ("families", "map", "ndcg"),
    ("tight", "map", "recip_rank"),
    ("wide", "P_10", "recip_rank"),
]
SIZES = [(20, 25), (60, 25), (20, 50), (60, 50)]


def overlap_settings() -> Iterable[Setting]:
    for systems, topics in SIZES:
        for collection, x, y in MEASURES:
            yield Setting("overlap", collection, x, y, systems, topics, STATISTICS)


def overlaps_apart() -> Iterable[Apart]:
    """Two tables with different topics, for p = 0.9."""
    for topics, others, systems in ((25, 25, 20), (50, 50, 60)):
        yield Apart("families", "map", "map", systems, topics, others)
        yield Apart("model", "AP", "P 0.8", systems, topics, others)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=200, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the tables are written (default: docs)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    apart = partial(coverage_apart, name="rbo 0.9")
    measure(apart, list(overlaps_apart()), options.replicates, options.jobs, options.folder / OVERLAPS_APART)
    measure(coverage, list(overlap_settings()), options.replicates, options.jobs, options.folder / OVERLAPS)
    if options.folder == DOCS:
        from coverage_pictures import draw

        draw()


if __name__ == "__main__":
    # Imported by its name, this module can be found by the other processes.
    from coverage_overlap import main as study

    study()
