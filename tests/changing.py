"""What functions return for an array that another thread writes to all the while; also run as a script, under
AddressSanitizer.

python changing.py SECONDS
"""

import sys
import threading
import time
from functools import partial

import numpy as np

import ircor
from ircor.overlap import rbo, rbo_scores
from ircor.rank_distance import DrankNull, drank

LENGTHS = (40, 200, 5_000, 200_000)
# Long vectors of doubles, with whole numbers too wide for the sort of short ones, of few values, and of other types.
TYPES = ("doubles", "integers", "few", "wide", "near", "float32", "longdouble")


def random_values(kind, n, rng):
    if kind == "integers":
        return rng.integers(-(2**63), 2**63 - 1, n, dtype=np.int64)
    if kind == "few":
        return rng.integers(0, 5, n)
    if kind == "wide":
        return np.exp(rng.normal(0, 100, n)) * rng.choice([-1, 1], n)
    if kind == "near":
        return 1 + rng.integers(0, 100, n) * 2.0**-52
    if kind == "doubles":
        values = rng.random(n)
        values[rng.random(n) < 1e-5] = np.nan
        return values
    return rng.random(n).astype(kind)


def found_while_writing(array, states, calls, seconds):
    """What the calls return or raise while another thread writes the states to the array, and how often it wrote."""
    done, turns = threading.Event(), 0

    def write():
        nonlocal turns
        while not done.is_set():
            array[:] = states[turns % len(states)]
            turns += 1
            time.sleep(0)  # otherwise the reader waits for the GIL most of the time

    writer = threading.Thread(target=write)
    writer.start()
    found = []
    try:
        end = time.monotonic() + seconds
        while not found or time.monotonic() < end:
            for call in calls:
                try:
                    found.append(call())
                except ValueError as error:
                    found.append(error)
    finally:
        done.set()
        writer.join()
    return found, turns


def coefficients_while_writing(n, kind, seconds):
    """tau_b, tauAP and tauAP_b of an array that changes."""
    rng = np.random.default_rng(n)
    states = [random_values(kind, n, rng) for _ in range(3)]
    x, y = states[0].copy(), random_values(kind, n, rng)
    states = [*states, *(state[::-1] for state in states)]
    functions = (ircor.tau_b, ircor.tauAP_b, ircor.tauAP)
    calls = [partial(function, a, b) for function in functions for a, b in ((x, y), (y, x), (x, x))]
    return found_while_writing(x, states, calls, seconds)


def of_long_columns(rng):
    X = rng.random((5_000, 3))
    states = [rng.random(X.shape) for _ in range(3)]
    return X, states, [partial(ircor.cor, X, method=method) for method in ("tau_b", "tauAP_b")]


def of_short_columns(rng):
    X = rng.integers(0, 9, (50, 12)).astype(float)
    states = [rng.integers(0, 9, X.shape) for _ in range(3)]
    return X, states, [partial(ircor.cor, X, method=method) for method in ("tau_b", "tauAP_b")]


def of_scores_in_groups(rng):
    n = 20_000
    x, y = rng.random((2, n))
    calls = [partial(ircor.cor_by, np.arange(n) // size, x, y, method) for size in (20, 6_000) for method in METHODS]
    return x, [rng.random(n), np.arange(n) / n, rng.integers(0, 5, n)], calls


def of_groups(rng):
    """Numbers of groups between other limits each time, few of them and many."""
    n = 80_000
    groups = rng.integers(0, 100, n)
    x, y = rng.random((2, n))
    states = [groups.copy(), rng.integers(-n // 2, n // 2, n), rng.integers(-n, 10, n), np.arange(n) // 20]
    return groups, states, [partial(ircor.cor_by, groups, x, y)]


def of_lists(rng):
    import pyarrow as pa

    n = 20_000
    x, y = rng.random((2, n))
    offsets = pa.array(np.arange(0, n + 1, 50))
    columns = [
        pa.LargeListArray.from_arrays(offsets, pa.Array.from_buffers(pa.float64(), n, [None, pa.py_buffer(values)]))
        for values in (x, y)
    ]
    states = [rng.random(n), np.arange(n) / n, rng.integers(0, 5, n)]
    return x, states, [partial(ircor.cor_lists, *columns, method) for method in METHODS]


def of_permutations(rng):
    x, y = rng.random((2, 3_000))
    y[::100] = np.nan
    states = [rng.random(3_000), rng.integers(0, 5, 3_000), np.where(rng.random(3_000) < 0.3, np.nan, 1)]
    calls = [partial(ircor.permutation_test, *pair, "tauAP_b", resamples=20, seed=1) for pair in ((x, y), (y, x))]
    return x, states, calls


def of_tables(rng):
    X = rng.random((20, 10))
    calls = [
        partial(ircor.bootstrap, X, X[:, ::-1], resamples=50, seed=1),
        partial(drank, X, X[0]),
        lambda: DrankNull(X, resamples=20, seed=1).test(X[0]),
    ]
    return X, [rng.random(X.shape) for _ in range(3)], calls


def of_items(rng):
    """Orders of integers that are near to each other, and of others."""
    n = 3_000
    x, y = np.arange(n), np.arange(n)
    states = [rng.permutation(n), rng.permutation(n) - n, rng.integers(-(2**62), 2**62, n), rng.integers(0, 9, n)]
    return x, states, [partial(rbo, *pair, 0.9) for pair in ((x, y), (y, x), (x, x))]


def of_scores_of_items(rng):
    x, y = rng.random((2, 20_000))
    states = [rng.random(len(x)), rng.integers(0, 5, len(x)), np.sort(y)]
    return x, states, [partial(rbo_scores, *pair, 0.9) for pair in ((x, y), (x[::-1], y))]


METHODS = ("tau_b", "tauAP", "tauAP_b")
OTHERS = (
    of_long_columns,
    of_short_columns,
    of_scores_in_groups,
    of_groups,
    of_lists,
    of_permutations,
    of_tables,
    of_items,
    of_scores_of_items,
)


def others_while_writing(others, seconds):
    """What other functions return or raise for an array that changes."""
    return found_while_writing(*others(np.random.default_rng(1)), seconds)


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    for n in LENGTHS:
        for kind in TYPES:
            found, turns = coefficients_while_writing(n, kind, float(sys.argv[1]))
            numbers = [value for value in found if not isinstance(value, ValueError)]
            if not all(-1 <= value <= 1 or value != value for value in numbers):
                sys.exit(f"{n} {kind}: {numbers}")
            print(n, kind, len(numbers), len(found) - len(numbers), turns, flush=True)
    for others in OTHERS:
        found, turns = others_while_writing(others, float(sys.argv[1]))
        errors = sum(isinstance(value, Exception) for value in found)
        print(others.__name__, len(found) - errors, errors, turns, flush=True)
    print(ircor.__file__)
