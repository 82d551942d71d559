# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The `Totals` of every ranking of one list with every ranking of another: the pairs of columns of two tables."""

from cpython.mem cimport PyMem_RawFree
from libc.stdint cimport int64_t

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
from .bits cimport MOST_SUMMED, PADDING, AheadBits, PairBits, kernels
from .dominance cimport Dominance
from .ranking cimport Ranking, allocate

import numpy as np

cdef enum:
    # The bits of several rankings are compared in parts of so many words, and so many words of them at a time: they stay
    # in the first-level cache while one ranking after the other is compared with them.
    WORDS_OF_PART = 256
    WORDS_IN_CACHE = 2048


def totals_of_columns(list x not None, list y not None, sums, bint half=False, bits=None):
    """Compute the `Totals` of every x with every y.

    Parameters
    ----------
    x, y : list of Ranking
        Rankings of the same items.
    sums
        As for `Totals`.
    half : bool
        Whether to compare x[i] with y[i] and the y after it only.
    bits : bool, optional
        Whether to compare rankings as bits, which gives the same numbers; by default, where it is faster.

    Returns
    -------
    Totals
        The entries of x[0] with each y come first, in the order of y.

    Raises
    ------
    ValueError
        If the rankings have different numbers of items, or `half` is True and x and y differ in length, or `bits` is
        True and the rankings are too long for bits or an overlap is to be computed.
    """
    if len(lengths := {len(ranking) for ranking in x + y}) > 1:
        raise ValueError(f"all rankings must have the same items, but they have {sorted(lengths)} items")
    if half and len(x) != len(y):
        raise ValueError(f"half of the pairs of {len(x)} and {len(y)} rankings is not defined")
    cdef Py_ssize_t count = len(x) * (len(x) + 1) // 2 if half else len(x) * len(y)
    cdef Totals totals = Totals(count, sums)
    if not count:
        return totals
    if bits and (len(x[0]) > MOST_SUMMED or totals.p.shape[0]):
        raise ValueError(f"there are no bits for more than {MOST_SUMMED} items, and none for an overlap")
    if bits_pay(totals, len(x[0]), len(x) + (0 if half else len(y)), count) if bits is None else bits:
        fill_sides(totals, x, y, half)
        if totals.pairs:
            count_pair_bits(totals, x, y, half)
        if totals.above_in_x or totals.above_in_y or totals.permuted:
            count_ahead_bits(totals, x, y, half)
    else:
        count_one_by_one(totals, x, y, half)
    return totals


cdef bint bits_pay(Totals totals, Py_ssize_t n, Py_ssize_t rankings, Py_ssize_t count):
    """Whether bits are faster for so many pairs of so many rankings.

    The time to make the bits grows with n, against the time to sort and count; it must be shared by enough pairs.
    """
    if totals.p.shape[0]:
        return False
    if totals.pairs and (n > kernels.pairs_up_to or 80 * count < rankings * n):
        return False
    sums = totals.above_in_x or totals.above_in_y or totals.permuted
    return not sums or (n <= kernels.ahead_up_to and 40 * count >= rankings * n)


cdef inline Py_ssize_t entry(Py_ssize_t i, Py_ssize_t j, Py_ssize_t columns, bint half) noexcept nogil:
    """The number of the entry of x[i] and y[j]; `columns` is the length of y."""
    return i * columns + j - (i * (i + 1) // 2 if half else 0)


cdef int count_one_by_one(Totals totals, list x, list y, bint half) except -1:
    """Fill the totals from the `Dominance` of each pair."""
    cdef Ranking nothing = Ranking(np.empty(0))
    cdef Dominance d = Dominance(nothing, nothing)
    cdef Py_ssize_t n = len(x[0]), i, j, k = 0
    d.allocate_arrays(n, True, True)
    totals.reserve(n)
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
            put(totals, X_MISSING, k, ranking.missing)
            put(totals, X_TIED_PAIRS, k, ranking.tied_pairs)
            put(totals, X_TOP, k, ranking.top)
    for j in range(columns):
        ranking = y[j]
        within = ranking.sum_within() if totals.permuted else 0
        for i in range(j + 1 if half else len(x)):
            k = entry(i, j, columns, half)
            put(totals, Y_MISSING, k, ranking.missing)
            put(totals, Y_TIED_PAIRS, k, ranking.tied_pairs)
            put(totals, Y_TOP, k, ranking.top)
            if within > 0:
                totals.sum[WITHIN_Y, k] = within
    return 0


cdef inline void put(Totals totals, Py_ssize_t row, Py_ssize_t k, int64_t value) noexcept nogil:
    """Set an entry that is 0 already.  The system provides zeroed memory only when it is written to."""
    if value != 0:
        totals.integer[row, k] = value


cdef int count_pair_bits(Totals totals, list x, list y, bint half) except -1:
    """Set `concordant` and `tied_pairs`, from the numbers of pairs in opposite orders and of pairs tied in either."""
    cdef PairBits a = PairBits(x), b = a if x is y else PairBits(y)
    cdef Py_ssize_t rows = len(x), columns = len(y), first = 0, start, words, i, j, k
    cdef Py_ssize_t most = max(1, WORDS_IN_CACHE // min(b.words, WORDS_OF_PART))
    cdef int64_t pairs = len(x[0]) * (len(x[0]) - 1) // 2, tied_x, tied_y, tied
    with nogil:
        while first < columns:
            start = 0
            # TIED_PAIRS is the number of pairs tied in either, and CONCORDANT that of discordant pairs, until all are counted.
            while start < b.words:
                words = min(b.words - start, WORDS_OF_PART)
                for i in range(rows):
                    for j in range(max(first, i) if half else first, min(first + most, columns)):
                        k = entry(i, j, columns, half)
                        tied = 0
                        totals.integer[CONCORDANT, k] += a.discordant(i, b, j, start, words, &tied)
                        totals.integer[TIED_PAIRS, k] += tied
                start += words
            first += most
        for k in range(totals.integer.shape[1]):
            tied_x, tied_y = totals.integer[X_TIED_PAIRS, k], totals.integer[Y_TIED_PAIRS, k]
            tied = totals.integer[TIED_PAIRS, k] if tied_x and tied_y else tied_x + tied_y
            totals.integer[CONCORDANT, k] = pairs - tied - totals.integer[CONCORDANT, k]
            totals.integer[TIED_PAIRS, k] = tied_x + tied_y - tied
    return 0


cdef int count_ahead_bits(Totals totals, list x, list y, bint half) except -1:
    """Set the sums, from C_i of each item."""
    cdef AheadBits b = AheadBits(y, totals.permuted), a = b if x is y else AheadBits(x, False)
    cdef Py_ssize_t rows = len(x), columns = len(y), first = 0, start, items, i, j, k
    # The mean over all orders of ties needs C_i of all items at once.
    cdef Py_ssize_t part = b.padded if totals.permuted else max(PADDING, WORDS_OF_PART // b.width // PADDING * PADDING)
    cdef Py_ssize_t most = max(1, WORDS_IN_CACHE // (min(b.padded, part) * b.width))
    cdef double* c = <double*> allocate(b.padded, sizeof(double))
    # The upper and the lower sums over x and over y, for each pair of rankings.
    cdef double[:, ::1] sums = np.zeros((totals.integer.shape[1], 4))
    with nogil:
        while first < columns:
            start = 0
            while start < b.padded:
                items = min(b.padded - start, part)
                for i in range(rows):
                    for j in range(max(first, i) if half else first, min(first + most, columns)):
                        k = entry(i, j, columns, half)
                        kernels.common(
                            a.rows + i * a.words + start * a.width,
                            b.rows + j * b.words + start * b.width,
                            items,
                            b.width,
                            c,
                        )
                        if totals.above_in_x:
                            a.add_shares(i, start, items, c, &sums[k, 0])
                        if totals.above_in_y:
                            b.add_shares(j, start, items, c, &sums[k, 2])
                        if totals.permuted:
                            totals.sum[ABOVE_IN_Y_PERMUTED, k] = b.sum_permuted(j, c)
                start += items
            first += most
        for k in range(sums.shape[0]):
            totals.sum[ABOVE_IN_X, k] = sums[k, 0] + sums[k, 1]
            totals.sum[ABOVE_IN_Y, k] = sums[k, 2] + sums[k, 3]
    PyMem_RawFree(c)
    return 0
