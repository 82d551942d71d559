# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The `Totals` of every ranking of one list with every ranking of another: the pairs of columns of two tables."""

from cpython.mem cimport PyMem_RawFree
from libc.stdint cimport int8_t, int64_t

from .batches cimport (
    ABOVE_IN_X,
    ABOVE_IN_Y,
    ABOVE_IN_Y_PERMUTED,
    CONCORDANT,
    N,
    TIED_PAIRS,
    WITHIN_Y,
    X_MISSING,
    X_TIED_PAIRS,
    X_TOP,
    Y_MISSING,
    Y_TIED_PAIRS,
    Y_TOP,
    Totals,
)
from .bits cimport AheadBits, PairBits, kernels, most_in_bits
from .dominance cimport Dominance
from .ranking cimport Ranking, allocate

import numpy as np

cdef enum:
    # Words of the bits of several rankings that are compared with one ranking after the other: they stay in the cache.
    WORDS_IN_CACHE = 32768


def totals_of_columns(list x not None, list y not None, sums, bint half=False):
    """Compute the `Totals` of every x with every y.

    Parameters
    ----------
    x, y : list of Ranking
        Rankings of the same items.
    sums
        As for `Totals`.
    half : bool
        Whether to compare x[i] with y[i] and the y after it only.

    Returns
    -------
    Totals
        The entries of x[0] with each y come first, in the order of y.

    Raises
    ------
    ValueError
        If the rankings have different numbers of items, or `half` is True and x and y differ in length.
    """
    if len(lengths := {len(ranking) for ranking in x + y}) > 1:
        raise ValueError(f"all rankings must have the same items, but they have {sorted(lengths)} items")
    if half and len(x) != len(y):
        raise ValueError(f"half of the pairs of {len(x)} and {len(y)} rankings is not defined")
    cdef Py_ssize_t count = len(x) * (len(x) + 1) // 2 if half else len(x) * len(y)
    cdef Totals totals = Totals(count, sums)
    if count:
        # Bits pay if a ranking is used several times; there are none for a rank-biased overlap.
        if len(x[0]) <= most_in_bits and count >= 2 * (len(x) + len(y)) and not totals.p.shape[0]:
            fill_sides(totals, x, y, half)
            if totals.pairs:
                count_pair_bits(totals, x, y, half)
            if totals.above_in_x or totals.above_in_y or totals.permuted:
                count_ahead_bits(totals, x, y, half)
        else:
            count_one_by_one(totals, x, y, half)
    return totals


cdef inline Py_ssize_t entry(Py_ssize_t i, Py_ssize_t j, Py_ssize_t columns, bint half) noexcept nogil:
    """The number of the entry of x[i] and y[j]; `columns` is the length of y."""
    return i * columns + j - (i * (i + 1) // 2 if half else 0)


cdef int count_one_by_one(Totals totals, list x, list y, bint half) except -1:
    """Fill the totals from the `Dominance` of each pair."""
    # Made from tied values, so that memory for ties is allocated.
    cdef Ranking tied = Ranking(np.zeros(len(x[0]), dtype=np.int8))
    cdef Dominance d = Dominance(tied, tied)
    cdef Py_ssize_t i, j, k = 0
    totals.reserve(d.x.n)
    for i in range(len(x)):
        for j in range(i if half else 0, len(y)):
            d.x, d.y = x[i], y[j]
            with nogil:
                d.count()
                totals.set_entry(k, d)
            k += 1
    return 0


cdef int fill_sides(Totals totals, list x, list y, bint half) except -1:
    """Set the entries that depend on one of the two rankings."""
    cdef Py_ssize_t i, j, k, columns = len(y)
    cdef Ranking ranking
    cdef double within
    for i in range(len(x)):
        ranking = x[i]
        for j in range(i if half else 0, columns):
            k = entry(i, j, columns, half)
            totals.integer[N, k] = ranking.n
            totals.integer[X_MISSING, k] = ranking.missing
            totals.integer[X_TIED_PAIRS, k] = ranking.tied_pairs
            totals.integer[X_TOP, k] = ranking.top
    for j in range(columns):
        ranking = y[j]
        within = ranking.sum_within() if totals.permuted else 0
        for i in range(j + 1 if half else len(x)):
            k = entry(i, j, columns, half)
            totals.integer[Y_MISSING, k] = ranking.missing
            totals.integer[Y_TIED_PAIRS, k] = ranking.tied_pairs
            totals.integer[Y_TOP, k] = ranking.top
            totals.sum[WITHIN_Y, k] = within
    return 0


cdef int count_pair_bits(Totals totals, list x, list y, bint half) except -1:
    """Set `concordant` and `tied_pairs`, from the numbers of pairs in opposite orders and of pairs tied in either."""
    cdef PairBits a = PairBits(x), b = a if x is y else PairBits(y)
    cdef Py_ssize_t rows = len(x), columns = len(y), most = max(1, WORDS_IN_CACHE // (2 * b.words)), first = 0, i, j, k
    cdef int64_t n = len(x[0]), discordant, tied_x, tied_y, tied
    with nogil:
        while first < columns:
            for i in range(rows):
                for j in range(max(first, i) if half else first, min(first + most, columns)):
                    k = entry(i, j, columns, half)
                    tied_x, tied_y = totals.integer[X_TIED_PAIRS, k], totals.integer[Y_TIED_PAIRS, k]
                    # Right unless both have ties.
                    tied = tied_x + tied_y
                    discordant = a.discordant(i, b, j, &tied)
                    totals.integer[CONCORDANT, k] = n * (n - 1) // 2 - tied - discordant
                    totals.integer[TIED_PAIRS, k] = tied_x + tied_y - tied
            first += most
    return 0


cdef int count_ahead_bits(Totals totals, list x, list y, bint half) except -1:
    """Set the sums, from C_i of each item."""
    cdef AheadBits a = AheadBits(x, False), b = AheadBits(y, totals.permuted)
    cdef Py_ssize_t rows = len(x), columns = len(y), most = max(1, WORDS_IN_CACHE // b.words), n = b.n, first = 0, i, j, k
    cdef double* c = <double*> allocate(b.padded, sizeof(double))
    with nogil:
        while first < columns:
            for i in range(rows):
                for j in range(max(first, i) if half else first, min(first + most, columns)):
                    k = entry(i, j, columns, half)
                    kernels.common(a.rows + i * a.words, b.rows + j * b.words, n, c)
                    if totals.above_in_x:
                        totals.sum[ABOVE_IN_X, k] = a.sum_of_quotients(i, c)
                    if totals.above_in_y:
                        totals.sum[ABOVE_IN_Y, k] = b.sum_of_quotients(j, c)
                    if totals.permuted:
                        totals.sum[ABOVE_IN_Y_PERMUTED, k] = b.sum_permuted(j, c)
            first += most
    PyMem_RawFree(c)
    return 0
