"""Coefficients of an array that another thread writes to all the while; also run as a script, under AddressSanitizer.

python changing.py SECONDS
"""

import sys
import threading
import time

import numpy as np

import ircor

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


def coefficients_while_writing(n, kind, seconds):
    """What tau_b, tauAP and tauAP_b return or raise meanwhile, and how often the other thread wrote."""
    rng = np.random.default_rng(n)
    states = [random_values(kind, n, rng) for _ in range(3)]
    x, y = states[0].copy(), random_values(kind, n, rng)
    done, turns = threading.Event(), 0

    def write():
        nonlocal turns
        while not done.is_set():
            x[:] = states[turns % 3] if turns % 2 else states[turns % 3][::-1]
            turns += 1

    writer = threading.Thread(target=write)
    writer.start()
    found = []
    try:
        end = time.monotonic() + seconds
        while not found or time.monotonic() < end:
            for function in (ircor.tau_b, ircor.tauAP_b, ircor.tauAP):
                for a, b in ((x, y), (y, x), (x, x)):
                    try:
                        found.append(function(a, b))
                    except ValueError as error:
                        found.append(error)
    finally:
        done.set()
        writer.join()
    return found, turns


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
    print(ircor.__file__)
