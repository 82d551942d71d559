"""Data to draw, and what the tests read from the plots."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import scipy.stats

TRUTH = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
ESTIMATE = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]


def tied(rng, n, groups=4):
    return rng.integers(0, groups, n).astype(float)


def places(values, decreasing=True, method="average"):
    return scipy.stats.rankdata(-np.asarray(values) if decreasing else values, method=method)


def movers(left, right, count):
    """The items that moved the farthest: as many groups of equal moves as reach `count`, or one fewer if too many."""
    found = []
    for far in sorted({abs(a - b) for a, b in zip(left, right)} - {0}, reverse=True):
        group = [k for k in range(len(left)) if abs(left[k] - right[k]) == far]
        if len(found) >= count or len(found + group) > max(count, 2 * count):
            break
        found += sorted(group, key=lambda k: (min(left[k], right[k]), left[k]))
    return found


NAMES = ["uogTrBaseL17o-rerank-monoT5-3B", "BM25+$RM3$", "input.h2oloo-run_1", "réseau-naïf-Ωμέγα", "a"]


def made_up(n, seed=0):
    """Two measures of n systems with names of all kinds."""
    rng = np.random.default_rng(seed)
    x = pd.Series(np.sort(rng.beta(2, 4, n))[::-1], index=[f"{NAMES[k % 5]}-{k}" for k in range(n)])
    return x, x + rng.normal(0, 0.05, n)


def all_costs(x, y, decreasing=True):
    """The cost of each swap as a fraction, from the definition."""
    p_x, p_y = (places(values, decreasing, "min").astype(int).tolist() for values in (x, y))
    return {
        (i, j): Fraction(1, p_y[i] - 1) + Fraction(1, p_x[j] - 1)
        for i, j in permutations(range(len(x)), 2)
        if p_x[i] < p_x[j] and p_y[j] < p_y[i]
    }


def texts(ticks):
    return [tick.get_text() for tick in ticks]


def legend(ax):
    return texts(ax.get_legend().get_texts())


def boxes(texts_drawn, renderer):
    return [text.get_window_extent(renderer) for text in texts_drawn if text.get_visible() and text.get_text().strip()]


def assert_nothing_overlaps(figure, texts_drawn):
    figure.canvas.draw()
    found = boxes(texts_drawn, figure.canvas.get_renderer())
    for one, other in combinations(found, 2):
        width = min(one.x1, other.x1) - max(one.x0, other.x0)
        height = min(one.y1, other.y1) - max(one.y0, other.y0)
        assert min(width, height) < 1.5, (one, other)
