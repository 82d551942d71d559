"""Random calls of the functions of `ircor.reliability`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import reliability
from ._calls import Call

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


def reliability_calls(seed: int, count: int) -> Iterator[Call]:
    """The reliability of a table of scores, in one of eight with a fault that both languages refuse.

    The reference integrates over the true difference, which takes long: the curve has few systems.  The estimator RES
    depends on each language's random numbers.
    """
    for k in range(count):
        rng = np.random.default_rng([seed, k])
        X, where = random_scores(rng)
        variance, topics = float(X.var()), [int(10 ** rng.uniform(0, 3)) for _ in range(rng.integers(1, 4))]
        named = {"method": str(rng.choice(["tau", "tauAP"])), "estimator": str(rng.choice(["ML", "MSQD"]))}
        if k % 8 == 7:
            X, topics, named, where = spoiled_scores(rng, X, topics, named)
        elif rng.random() < 0.2:
            named = {}
        by = {name: value for name, value in named.items() if name == "estimator"}
        yield Call(reliability, "expected", "expected", (X,), named, where, unit=1)
        yield Call(reliability, "expected", "wrong_order", (X,), by, where, unit=1, parts=("chances",))
        few = X[:, -5:], np.array(topics)
        yield Call(reliability, "expected_curve", "expected_curve", few, {}, where, tolerance=1e-9, unit=1)
        general = partial(Call, reliability, "generalizability", where=where, tolerance=1e-11)
        yield general("variance_components", (X,), unit=variance, parts=("components",))
        yield general("generalizability", (X, topics[0]), unit=1, parts=("e_rho2.value", "phi.value"))


def random_scores(rng: np.random.Generator) -> tuple[Array, str]:
    """Draw scores, topics by systems, and the name of their kind."""
    kinds = ["apart", "alike", "tied", "the same twice", "the same mean", "constantly apart", "one constant"]
    kind = str(rng.choice(kinds))
    # Above 250 topics, ML has no correction.
    n = int(rng.integers(3, 60) if rng.random() < 0.8 else rng.integers(246, 256))
    m = int(rng.integers(3 if kind in ("tied", "the same twice") else 2, 16))
    spread = 1e-2 if kind == "alike" else 0.2
    systems = rng.choice([0, 0.5, 2]) * rng.random(m)
    X = rng.choice([0, 1]) * rng.random((n, 1)) + spread * (systems + rng.random((n, m)))
    if kind == "tied":
        # With all scores rounded, b of the curve could be 0 but for rounding, and the curve goes with its root.
        X[:, :-1] = np.round(X[:, :-1], int(rng.integers(1, 3)))
    if kind == "the same twice":
        X[:, -1] = X[:, -2]
    if kind == "the same mean":
        X[:, -1] = X[::-1, -2]
    if kind == "constantly apart":
        X[:, -1] = X[:, -2] + 0.1
    if kind == "one constant":
        X[:, -1] = 0.5
    scale = float(rng.choice([1, 1, 1e-6, 1e6]))
    return X * scale, f"{kind}, {n} topics, {m} systems, times {scale:g}"


def spoiled_scores(
    rng: np.random.Generator, X: Array, topics: list[int], named: dict[str, str]
) -> tuple[Array, list[int], dict[str, str], str]:
    """The same arguments with a fault that both languages refuse, and its name."""
    fault = str(rng.choice(["two topics", "one system", "a missing score", "all the same", "unknown options"]))
    if fault == "two topics":
        X = X[:2]
    elif fault == "one system":
        X = X[:, -1:]
    elif fault == "a missing score":
        X[rng.integers(len(X)), -1] = rng.choice([np.nan, np.inf, -np.inf])
    elif fault == "all the same":
        X[:] = X[:, :1]
    else:
        topics = [int(rng.integers(-2, 1))]
        named = named | [{"method": "tau_b"}, {"estimator": "SD"}][rng.integers(2)]
    return X, topics, named, fault
