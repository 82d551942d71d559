from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from calls import REFUSING

from ircor import cor_by


@pytest.fixture
def grouped(rng):
    """A function that makes groups of 1 to 130 rows that a coefficient takes, in no order, and what `cor_by` says.

    x and y are of few values where ties are allowed.  Groups have numbers from 0 in the order of their first rows.
    """

    def make(name, groups=150):
        sizes = np.concatenate([rng.integers(1, 25, groups), [63, 64, 65, 130]])
        g = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
        _, first, g = np.unique(g, return_index=True, return_inverse=True)
        g = np.argsort(np.argsort(first))[g]
        x, y = (rng.random(len(g)) if side in REFUSING[name] else rng.integers(0, 9, len(g)) / 8 for side in "xy")
        return SimpleNamespace(g=g, x=x, y=y, expected=cor_by(g, x, y, name).to_numpy())

    return make


@pytest.fixture
def lists():
    """A function that makes a column of lists, one for each group, of the values of its rows in their order."""

    def make(g, values, kind=pa.large_list):
        order = np.argsort(g, kind="stable")
        offsets = np.append(0, np.cumsum(np.bincount(g)))
        values = pa.array(values[order])
        class_of = {pa.list_: pa.ListArray, pa.large_list: pa.LargeListArray}[kind]
        width = {pa.list_: pa.int32(), pa.large_list: pa.int64()}[kind]
        return class_of.from_arrays(pa.array(offsets, width), values)

    return make
