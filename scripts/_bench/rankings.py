"""The rankings that the subjects share, and the calls of others for a pair of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

import ircor

from .clock import Clocked
from .run import Run

SIX = (ircor.tau_b, ircor.tau, ircor.tau_a, ircor.tauAP, ircor.tauAP_a, ircor.tauAP_b)
QUADRATIC = 1_000
"""Where plain loops over all pairs stop: a call would take minutes."""
SCIPY = "`scipy.stats.kendalltau`"


def pair(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two correlated rankings."""
    x = rng.permutation(n).astype(float)
    return x, x + rng.normal(0, n / 3, n)


def tied(values: np.ndarray) -> np.ndarray:
    """About a hundred distinct values, as in scores of two decimals; fewer of a short ranking."""
    return np.floor(values * min(100, len(values) // 3) / len(values))


def ours(x: np.ndarray, y: np.ndarray) -> dict[str, Callable[[], float]]:
    """The six, or with ties those that allow them: tau_a and tauAP_a in y alone."""
    if len(np.unique(x)) == len(x):
        return {function.__name__: lambda f=function: f(x, y) for function in SIX}
    untied = np.argsort(np.argsort(x, kind="stable")).astype(float)
    return {
        "tau_b": lambda: ircor.tau_b(x, y),
        "tau_a": lambda: ircor.tau_a(untied, y),
        "tauAP_a": lambda: ircor.tauAP_a(untied, y),
        "tauAP_b": lambda: ircor.tauAP_b(x, y),
    }


def others(x: np.ndarray, y: np.ndarray, run: Run) -> dict[str, Callable[[], object] | Clocked]:
    """Everybody else's Kendall tau_b of a pair, and one sort."""
    from scipy.stats import kendalltau

    calls: dict[str, Callable[[], object] | Clocked] = {
        "`numpy.argsort`, once": lambda: np.argsort(x),
        SCIPY: lambda: kendalltau(x, y),
    }
    if pandas := run.peer("pandas"):
        a, b = pandas.Series(x), pandas.Series(y)
        calls['pandas, `Series.corr(method="kendall")`'] = lambda: a.corr(b, method="kendall")
    if run.peer("wdm", "pyvinecopulib"):
        wdm = wdm_function()
        calls["wdm, in pyvinecopulib"] = lambda: wdm(x, y, "kendall")
    if (polars := run.peer("polars")) and (polars_ds := run.peer("polars_ds")):
        frame = polars.DataFrame({"x": x, "y": y})
        calls["polars_ds, `kendall_tau`"] = lambda: frame.select(polars_ds.kendall_tau("x", "y"))
    return calls | in_r(x, y, run)


def wdm_function() -> Callable[..., float]:
    """Newer versions have it in utils and warn where it was."""
    import pyvinecopulib

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(getattr(pyvinecopulib, "utils", None), "wdm", None) or pyvinecopulib.wdm


def in_r(x: np.ndarray, y: np.ndarray, run: Run) -> dict[str, Clocked]:
    r = run.r()
    if r is None:
        return {}
    r.take({"x": x, "y": y})
    calls = {}
    if run.r("pcaPP"):
        calls["R, `pcaPP::cor.fk`"] = r.clocked("pcaPP::cor.fk(x, y)")
    if len(x) <= QUADRATIC:
        calls['R, `cor(method = "kendall")`'] = r.clocked('cor(x, y, method = "kendall")')
        if run.r("ircorref"):
            calls["R, plain loops"] = r.clocked("ircorref::tau_b(x, y)")
    return calls
