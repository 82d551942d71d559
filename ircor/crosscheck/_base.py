"""Random calls of base R's functions and of its random numbers, which `ircor.rbase` has too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from .. import rbase
from .._core.types import Array
from ._calls import IRCOR, Call, Draw
from ._cases import generators, put, random_case
from ._oracles import record_lines


def rounding_calls(seed: int, count: int) -> Iterator[Call]:
    """R's own round and rank."""
    rng = np.random.default_rng(seed)
    every_digits = range(-8, 17)
    for digits in every_digits:
        values = values_to_round(rng, digits, -(-count // len(every_digits)))
        yield Call(rbase, "r_round", "base::round", (values, digits), tolerance=0)
    items = 0
    while items < count:
        ties_method = str(rng.choice(["average", "first", "last", "max", "min"]))
        na_last = [True, False, "keep", None][rng.integers(4)]
        case = random_case(rng)
        items += len(case.x)
        named = {"ties_method": ties_method, "na_last": na_last}
        yield Call(rbase, "r_rank", "base::rank", (case.x,), named, case.name, tolerance=0)


def values_to_round(rng: np.random.Generator, digits: int, count: int) -> Array:
    """Mostly the doubles nearest to a decimal that ends in 5, and their neighbours; a few zeros, infinities and nan."""
    whole = rng.integers(-(10 ** rng.integers(1, 9, count)), 10 ** rng.integers(1, 9, count))
    half_way = np.array([float(f"{k}5e{-digits - 1}") for k in whole.tolist()])
    kind = rng.random(count)
    values = np.where(kind < 0.6, half_way, np.nextafter(half_way, rng.choice([-np.inf, np.inf], count)))
    values = np.where(kind > 0.8, rng.normal(size=count) * 10.0 ** rng.integers(-12, 20, count), values)
    return put(values, rng.integers(0, count, 5), [np.inf, -np.inf, np.nan, 0.0, -0.0])


NUMBERS = (
    *("r_sum", "r_mean", "r_var", "r_sd", "r_colmeans", "r_rowmeans"),
    *("r_quantile", "r_ecdf", "r_order", "r_cor_test", "kendall_tau"),
)
"""The functions of `number_calls`."""

OWN_R = {
    "r_ecdf": "function(x, q) stats::ecdf(x)(q)",
    # The statistic, the p-value and so on, as far as R has them.
    "r_cor_test": (
        "function(x, y, ...) { t <- stats::cor.test(x, y, ...); "
        "c(t$estimate, t$statistic, t$p.value, c(t$parameter, NaN)[1], c(t$conf.int, NaN, NaN)[1:2]) }"
    ),
    # By the signs of all pairs.
    "kendall_tau": (
        "function(x, y, variant) { s <- sign(outer(x, x, '-')); t <- sign(outer(y, y, '-')); n <- length(x); "
        "u <- sum(s * t); m <- min(length(unique(x)), length(unique(y))); switch(variant, "
        "a = u / (n * (n - 1)), b = u / sqrt(sum(s^2) * sum(t^2)), c = m * u / (n^2 * (m - 1)), "
        "gamma = u / sum(abs(s * t))) }"
    ),
}
"""R's side where it is not one function."""


def number_calls(seed: int, count: int) -> Iterator[Call]:
    """Sums, means, quantiles and tests of vectors with few digits or many, of all sizes, with missing values."""
    for k, rng in generators(seed, range(count)):
        X = random_numbers(rng, k)
        x, na_rm = X[:, 0], bool(rng.integers(2))
        exact = partial(Call, rbase, where=f"{len(X)} by {X.shape[1]}", tolerance=0)
        for name in ("sum", "mean"):
            yield exact(f"r_{name}", f"base::{name}", (x,), {"na_rm": na_rm})
        yield exact("r_mean", "base::mean", (rng.integers(-1000, 1000, len(x)).astype(np.int32),))
        for name in ("var", "sd"):
            yield exact(f"r_{name}", f"stats::{name}", (x,), {"na_rm": na_rm})
        for ours, theirs in (("r_colmeans", "colMeans"), ("r_rowmeans", "rowMeans")):
            yield exact(ours, f"base::{theirs}", (X,), {"na_rm": na_rm})
        # R sorts zeros of both signs in any order.
        probs, type_ = np.append(rng.random(5), np.arange(5) / 4), int(rng.integers(1, 10))
        yield exact("r_quantile", "stats::quantile", (x + 0.0, probs), {"type": type_, "na_rm": True})
        if not np.isnan(x).all():
            yield exact("r_ecdf", OWN_R["r_ecdf"], (x,), at=X[:, -1])
        options = {"decreasing": bool(rng.integers(2)), "na_last": [True, False, None][rng.integers(3)]}
        yield exact("r_order", "base::order", (np.round(x, 1), X[:, -1]), options)
        yield correlation_call(rng, k)
        a, b = rng.integers(0, rng.integers(2, 9), (2, len(x) + 1)).astype(np.float64)
        if min(len(set(a)), len(set(b))) > 1:
            variant = ("a", "b", "c", "gamma")[k % 4]
            yield Call(IRCOR, "kendall_tau", OWN_R["kendall_tau"], (a, b, variant), unit=1)


def random_numbers(rng: np.random.Generator, k: int) -> Array:
    """Draw a table of numbers of one of six kinds."""
    shape = int(rng.integers(1, 60)), int(rng.integers(1, 6))
    X = rng.random(shape)
    kind = k % 6
    if kind == 1:
        return np.round(X, 2)
    if kind == 2:
        return rng.normal(size=shape) * 10.0 ** rng.integers(-20, 20, shape)
    if kind == 3:
        return np.asarray(rng.normal(size=shape) * 10.0 ** rng.choice([-310, 305]))
    if kind > 3:
        X.flat[rng.integers(X.size, size=2)] = np.nan if kind == 4 else rng.choice([np.inf, -np.inf], 2)
    return X


def correlation_call(rng: np.random.Generator, k: int) -> Call:
    """A test of correlation: with ties or without, of few pairs or many."""
    n = int(rng.integers(4, 12) if rng.random() < 0.4 else rng.integers(4, 120))
    x, noise = rng.random((2, n))
    y = rng.choice([1, 0.1, -1]) * x + rng.choice([0.1, 1]) * noise
    if k % 3 == 0:
        x, y = np.round(x, 1), np.round(y, 1)
        # R's coefficient of a constant is undefined.
        x[0], y[-1] = 2, 3
    named: dict[str, Any] = {"method": str(rng.choice(["kendall", "spearman", "pearson"]))}
    named |= {"alternative": str(rng.choice(["two.sided", "less", "greater"])), "continuity": bool(rng.integers(2))}
    if rng.random() < 0.6:
        named["exact"] = bool(rng.integers(2))
    parts = ("estimate", "statistic", "p_value", "parameter", "interval")
    return Call(rbase, "r_cor_test", OWN_R["r_cor_test"], (x, y), named, f"{n} pairs", unit=1, parts=parts)


DRAWS = ("RRandom.runif", "RRandom.rnorm", "RRandom.sample")
"""The methods of `random_calls`."""


def random_calls(seed: int, count: int, size: int = 1000) -> Iterator[Call]:
    """Some random numbers of each kind from each seed, samples with weights, and random ranks."""
    for _, rng in generators(seed, range(count)):
        kind = ("Rejection", "Rounding")[int(rng.integers(2))]
        draw = partial(Draw, rbase, tolerance=0, seed=int(rng.integers(-(2**31) + 1, 2**31)), where=kind, kind=kind)
        yield draw("RRandom.runif", "stats::runif", (size,))
        yield draw("RRandom.rnorm", "stats::rnorm", (size, 1.5, 2.0))
        n = int(10 ** rng.uniform(0, 12))
        yield draw("RRandom.sample", "base::sample", (n, size // 2, True))
        yield draw("RRandom.sample", "base::sample", (size, size // 2))
        # Few of many values, which R samples in another way.
        yield draw("RRandom.sample", "base::sample", (20_000_000 + n % 1000, size // 10))
        weights = np.round(rng.random(int(rng.integers(2, size))), int(rng.integers(1, 4))) + 0.01
        named = {"prob": weights}
        yield draw("RRandom.sample", "base::sample", (len(weights), size // 20, True), named)
        few = int(rng.integers(1, min(100, len(weights))))
        yield draw("RRandom.sample", "base::sample", (len(weights), few), named)
        yield draw("r_rank", "base::rank", (np.round(weights, 1),), {"ties_method": "random"})


RECORD = "base.jsonl"
"""The file of the record that has the answers of base R."""


def calls_to_record() -> Iterator[Call]:
    """A few calls of each function."""
    yield from rounding_calls(1, 200)
    yield from number_calls(1, 14)
    # Two of them with so many weights that R samples in another way.
    yield from random_calls(1, 12, 20)
    yield from list(random_calls(2, 2, 400))[4:6]


def as_line(call: Call, answer: Any) -> str:
    """A line of the record: the call, and R's answer."""
    line: dict[str, Any] = {"function": call.function, "r": call.r, "where": call.where, "tolerance": call.tolerance}
    line |= {"unit": call.unit, "parts": call.parts, "given": list(map(packed, call.given))}
    line |= {"named": {name: packed(value) for name, value in call.named.items()}}
    line |= {"at": None if call.at is None else packed(call.at)}
    if isinstance(call, Draw):
        line |= {"seed": call.seed, "kind": call.kind}
    return json.dumps(line | {"answer": answer if isinstance(answer, str) else packed(answer)})


def packed(value: Any) -> Any:
    """An array as its type, its shape and its values in the order of its rows; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    return {"type": value.dtype.name, "shape": value.shape, "values": value.ravel().tolist()}


def unpacked(value: Any) -> Any:
    """What `packed` was given."""
    if not isinstance(value, dict):
        return value
    return np.array(value["values"], dtype=value["type"]).reshape(value["shape"])


def recorded_calls() -> list[Call]:
    """The calls of the record, with the answers of R."""
    calls = []
    for line in record_lines(RECORD):
        line |= {"given": tuple(map(unpacked, line["given"])), "parts": tuple(line["parts"])}
        line |= {"named": {name: unpacked(value) for name, value in line["named"].items()}}
        line |= {"at": unpacked(line["at"]), "answer": unpacked(line["answer"])}
        module = rbase if line["function"].startswith(("r_", "RRandom")) else IRCOR
        calls.append((Draw if "seed" in line else Call)(module, **line))
    return calls
