# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""`Totals`: the counts and sums of many pairs of rankings, computed in one call.

The pairs are groups of rows or resamples; the modules `columns` and `permutations` have others.
One call for many pairs saves the overhead of a Python call for each, reuses the memory, and runs without the GIL.
"""

from cpython.mem cimport PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from .bits cimport MOST_COMPARED, kernels, short_pair
from .dominance cimport Dominance
from .overlap cimport Ties, overlap_of
from .ranking cimport Ranking, allocate
from .short_pair cimport (
    ARRAYS,
    are_apart,
    load,
    near_ties,
    near_ties_compared,
    sum_above,
    sum_permuted,
    sum_within,
    use_memory,
)

import numpy as np


class RankingTotals:
    """The attributes of `Ranking` as arrays, with one entry for each pair of rankings: one side of `Totals`."""

    def __init__(self, n, missing, tied_pairs, top, near_ties, within):
        self.n, self.missing, self.tied_pairs, self.top, self.near_ties = n, missing, tied_pairs, top, near_ties
        self.within = within

    @property
    def total_pairs(self):
        """Number of pairs of items, n(n - 1)/2."""
        return self.n * (self.n - 1) // 2

    def c_within(self):
        """Return `Ranking.c_within` of every pair."""
        return self.within


cdef class Totals:
    """The attributes of `Dominance` as arrays, with one entry for each pair of rankings, so that formulas take either.

    Parameters
    ----------
    count : int
        The number of pairs.
    sums : collection
        What to compute: "pairs" for `concordant` and `tied_pairs`, "above_in_x", "above_in_y", "above_in_y_permuted"
        (which includes y.c_within()), and (p, ties) for a rank-biased overlap as `overlaps_of_pairs` computes it.  The
        others stay 0.

    Attributes
    ----------
    x, y : RankingTotals

    Raises
    ------
    ValueError
        If `sums` has something else.
    """

    def __cinit__(self, Py_ssize_t count, sums):
        known = {"pairs", "above_in_x", "above_in_y", "above_in_y_permuted"}
        pairs = [pair for pair in sums if isinstance(pair, tuple)]
        if unknown := set(sums).difference(known, pairs):
            names = ", ".join(sorted(known))
            raise ValueError(f"'sums' must be among {names} and (p, ties), not {', '.join(map(repr, unknown))}")
        rows = self.found = np.zeros((len(pairs), count))
        self.overlaps = dict(zip(pairs, np.asarray(rows)))
        self.p = np.array([p for p, _ in pairs], dtype=np.float64)
        self.ties = np.array([ties for _, ties in pairs], dtype=np.int32)
        self.integers = np.zeros((INTEGERS, count), dtype=np.int64)
        self.sums = np.zeros((SUMS, count), dtype=np.float64)
        self.integer = self.integers
        self.sum = self.sums
        self.pairs = "pairs" in sums
        self.above_in_x = "above_in_x" in sums
        self.above_in_y = "above_in_y" in sums
        self.permuted = "above_in_y_permuted" in sums
        rows = self.integers
        self.x = RankingTotals(
            rows[N], rows[X_MISSING], rows[X_TIED_PAIRS], rows[X_TOP], rows[X_NEAR_TIES], None
        )
        self.y = RankingTotals(
            rows[N], rows[Y_MISSING], rows[Y_TIED_PAIRS], rows[Y_TOP], rows[Y_NEAR_TIES], self.sums[WITHIN_Y]
        )

    @property
    def concordant(self):
        """`Dominance.concordant` of every pair."""
        return self.integers[CONCORDANT]

    @property
    def tied_pairs(self):
        """`Dominance.tied_pairs` of every pair."""
        return self.integers[TIED_PAIRS]

    @property
    def discordant(self):
        """`Dominance.discordant` of every pair."""
        tied = self.x.tied_pairs + self.y.tied_pairs - self.tied_pairs
        return self.x.total_pairs - tied - self.concordant

    def c_above_in_x(self):
        """Return `Dominance.c_above_in_x` of every pair."""
        return self.sums[ABOVE_IN_X]

    def c_above_in_y(self):
        """Return `Dominance.c_above_in_y` of every pair."""
        return self.sums[ABOVE_IN_Y]

    def c_above_in_y_permuted(self):
        """Return `Dominance.c_above_in_y_permuted` of every pair."""
        return self.sums[ABOVE_IN_Y_PERMUTED]

    def overlap(self, p, ties):
        """Return `Dominance.overlap` of every pair."""
        return self.overlaps[p, ties]

    def __dealloc__(self):
        PyMem_RawFree(self.state)

    cdef int reserve(self, Py_ssize_t most) except -1:
        """Make room for pairs of rankings of up to so many items; needed before `set_entry`."""
        if self.p.shape[0] and most > self.room:
            PyMem_RawFree(self.state)
            self.state, self.room = NULL, 0
            self.state = <uint8_t*> allocate(most, 1)
            self.room = most
        return 0

    def put(self, Py_ssize_t k, Dominance d not None):
        """Set the k-th entry of every array from one pair of rankings."""
        self.reserve(d.x.n)
        with nogil:
            self.set_entry(k, d)

    cdef void set_entry(self, Py_ssize_t k, Dominance d) noexcept nogil:
        cdef Py_ssize_t i
        self.integer[N, k] = d.x.n
        if self.pairs:
            self.integer[CONCORDANT, k] = d.concordant
            self.integer[TIED_PAIRS, k] = d.tied_pairs
        self.integer[X_MISSING, k] = d.x.missing
        self.integer[X_TIED_PAIRS, k] = d.x.tied_pairs
        self.integer[X_TOP, k] = d.x.top
        self.integer[Y_MISSING, k] = d.y.missing
        self.integer[Y_TIED_PAIRS, k] = d.y.tied_pairs
        self.integer[Y_TOP, k] = d.y.top
        if self.above_in_x:
            self.sum[ABOVE_IN_X, k] = d.sum_above_in_x()
        if self.above_in_y:
            self.sum[ABOVE_IN_Y, k] = d.sum_above_in_y()
        if self.permuted:
            self.sum[ABOVE_IN_Y_PERMUTED, k] = d.sum_above_in_y_permuted()
            self.sum[WITHIN_Y, k] = d.y.sum_within()
        for i in range(self.p.shape[0]):
            self.found[i, k] = overlap_of(d.x, d.y, self.state, self.p[i], <Ties> self.ties[i])

    cdef void set_short(self, Py_ssize_t k, const short_pair* pair, Py_ssize_t n) noexcept nogil:
        """Set the k-th entry from two rankings of n items that were compared."""
        cdef int64_t pairs = n * (n - 1) // 2
        self.integer[N, k] = n
        if self.pairs:
            self.integer[CONCORDANT, k] = pair.concordant
            self.integer[TIED_PAIRS, k] = pair.tied_pairs
        self.integer[X_TIED_PAIRS, k] = pairs - pair.x.untied_pairs
        self.integer[X_TOP, k] = pair.x.top
        self.integer[Y_TIED_PAIRS, k] = pairs - pair.y.untied_pairs
        self.integer[Y_TOP, k] = pair.y.top
        if self.above_in_x:
            self.sum[ABOVE_IN_X, k] = sum_above(pair.c, pair.x.divisors, n)
        if self.above_in_y:
            self.sum[ABOVE_IN_Y, k] = sum_above(pair.c, pair.y.divisors, n)
        if self.permuted:
            self.sum[ABOVE_IN_Y_PERMUTED, k] = sum_permuted(pair, n)
            self.sum[WITHIN_Y, k] = sum_within(&pair.y, n)


cdef class Workspace:
    """Scratch memory to compare, or to rank and count, again and again, for up to `most` items.

    The rankings are made from tied values, so that `Dominance` allocates what it needs for ties.
    """

    cdef Ranking x
    cdef Ranking y
    cdef Dominance d
    cdef uint64_t* keys
    cdef uint64_t* scratch
    cdef double* memory
    cdef short_pair pair

    def __cinit__(self, Py_ssize_t most):
        self.x, self.y = Ranking(np.zeros(most)), Ranking(np.zeros(most))
        self.d = Dominance(self.x, self.y)
        self.keys = <uint64_t*> allocate(2 * most, sizeof(uint64_t))
        self.scratch = <uint64_t*> allocate(2 * most, sizeof(uint64_t))
        self.memory = <double*> allocate((2 * ARRAYS + 1) * MOST_COMPARED, sizeof(double))
        use_memory(&self.pair.x, self.memory, MOST_COMPARED)
        use_memory(&self.pair.y, self.memory + ARRAYS * MOST_COMPARED, MOST_COMPARED)
        self.pair.c = self.memory + 2 * ARRAYS * MOST_COMPARED

    def __dealloc__(self):
        PyMem_RawFree(self.keys)
        PyMem_RawFree(self.scratch)
        PyMem_RawFree(self.memory)

    cdef bint compare(self, const double* x, const double* y, Py_ssize_t n, bint decreasing) noexcept nogil:
        """Compare all pairs of items; return False if there are too many items or a value is missing."""
        if n > kernels.compared_up_to or not load(&self.pair.x, x, n, decreasing):
            return False
        if not load(&self.pair.y, y, n, decreasing):
            return False
        kernels.compare_short(&self.pair, n)
        return True


def totals_of_groups(
    const double[::1] x,
    const double[::1] y,
    const Py_ssize_t[::1] ends,
    bint decreasing,
    Py_ssize_t least,
    Py_ssize_t most,
    sums,
    bint count_near_ties,
):
    """Compute the `Totals` of groups of items.

    Parameters
    ----------
    x, y : numpy.ndarray of float
        The values of all groups, one group after the other.
    ends : numpy.ndarray of intp
        The position after the last item of each group.  Not checked.
    decreasing : bool
        Whether the greatest value is at the top.
    least, most : int
        Groups outside [least, most] are skipped; their entries stay 0.
    sums
        As for `Totals`.
    count_near_ties : bool
        Whether to count `near_ties`: neighbours in the order that differ, but so little that R may print them alike.
    """
    cdef Py_ssize_t count = ends.shape[0], k, start = 0, n
    cdef Totals totals = Totals(count, sums)
    cdef Workspace work = Workspace(most)
    # A rank-biased overlap needs the order of the items.
    cdef bint comparable = totals.p.shape[0] == 0
    totals.reserve(most)
    with nogil:
        for k in range(count):
            n = ends[k] - start
            if comparable and least <= n <= most and work.compare(&x[start], &y[start], n, decreasing):
                totals.set_short(k, &work.pair, n)
                if count_near_ties:
                    totals.integer[X_NEAR_TIES, k] = near_ties_compared(&work.pair.x, n)
                    totals.integer[Y_NEAR_TIES, k] = near_ties_compared(&work.pair.y, n)
            elif least <= n <= most:
                work.x.rank_doubles(&x[start], n, decreasing, 0, work.keys, work.scratch)
                work.y.rank_doubles(&y[start], n, decreasing, 0, work.keys, work.scratch)
                work.d.count()
                totals.set_entry(k, work.d)
                if count_near_ties:
                    totals.integer[X_NEAR_TIES, k] = near_ties(work.x, &x[start])
                    totals.integer[Y_NEAR_TIES, k] = near_ties(work.y, &y[start])
            start = ends[k]
    return totals


def totals_of_resamples(
    const double[:, ::1] X,
    const double[:, ::1] Y,
    const int32_t[:, ::1] draws,
    double x_noise,
    double y_noise,
    bint decreasing,
    sums,
):
    """Compute the `Totals` of the rankings of systems by their sums over resampled topics.

    Parameters
    ----------
    X, Y : numpy.ndarray of float
        Scores, topics by systems.
    draws : numpy.ndarray of int32
        Resamples by topics: the rows of X and of Y in each resample.  Not checked.
    x_noise, y_noise : float
        Neighbouring sums that differ by at most this are tied.
    decreasing : bool
        Whether the greatest sum is at the top.
    sums
        As for `Totals`.
    """
    cdef Py_ssize_t count = draws.shape[0], m = X.shape[1], k
    cdef Totals totals = Totals(count, sums)
    cdef Workspace work = Workspace(m)
    # Sums can be compared if no two are tied.  Where many are, as of measures with few values, it is not tried any more.
    cdef Py_ssize_t tries = 0 if totals.p.shape[0] else 8
    totals.reserve(m)
    cdef double[::1] x = np.empty(m), y = np.empty(m)
    with nogil:
        for k in range(count):
            sum_rows(X, draws[k], x)
            sum_rows(Y, draws[k], y)
            if (
                tries > 0
                and work.compare(&x[0], &y[0], m, decreasing)
                and are_apart(&work.pair.x, m, x_noise)
                and are_apart(&work.pair.y, m, y_noise)
            ):
                totals.set_short(k, &work.pair, m)
                tries += 1
            else:
                tries -= 1
                work.x.rank_doubles(&x[0], m, decreasing, x_noise, work.keys, work.scratch)
                work.y.rank_doubles(&y[0], m, decreasing, y_noise, work.keys, work.scratch)
                work.d.count()
                totals.set_entry(k, work.d)
    return totals


cdef void sum_rows(const double[:, ::1] table, const int32_t[::1] rows, double[::1] sums) noexcept nogil:
    """Fill `sums` with the column sums over the given rows of the table."""
    cdef Py_ssize_t m = table.shape[1], i, j
    cdef const double* row
    cdef double* sum = &sums[0]
    memset(sum, 0, m * sizeof(double))
    for i in range(rows.shape[0]):
        row = &table[rows[i], 0]
        for j in range(m):
            sum[j] += row[j]


cdef enum:
    # Rows are moved in two steps from so many groups and rows on: into BUCKETS first, each of which stays in the cache.
    MANY_GROUPS = 8192
    MANY_ROWS = 65536
    BUCKETS = 256


cdef packed struct Row:
    double x
    double y
    # Counted from the first group of the bucket.
    int32_t group


def gather_groups(
    const int64_t[::1] keys, int64_t least, Py_ssize_t count, const double[::1] x, const double[::1] y
):
    """Sort x and y by group, with a counting sort, which is stable.

    Parameters
    ----------
    keys : numpy.ndarray of int64
        The number of each item's group, from `least` to `least` + count - 1.  Items with other numbers are left out.
    least, count : int
        The least number of a group, and how many numbers there are; some may have no items.
    x, y : numpy.ndarray of float

    Returns
    -------
    x, y : numpy.ndarray of float
        The values, one group after the other.
    ends : numpy.ndarray of intp
        The position after the last item of each group.  If another thread changes the keys meanwhile, they may be in no
        order, and the values may be any, but all positions are in x and y.

    Raises
    ------
    ValueError
        If `keys`, x and y have different lengths.
    """
    cdef Py_ssize_t n = keys.shape[0], k, slot, group
    if x.shape[0] != n or y.shape[0] != n:
        raise ValueError(
            f"'keys', 'x' and 'y' must be of the same length, but they have {n}, {x.shape[0]} and {y.shape[0]} items"
        )
    ends, x_out, y_out = np.zeros(count, dtype=np.intp), np.empty(n), np.empty(n)
    cdef Py_ssize_t[::1] end = ends
    cdef double[::1] to_x = x_out, to_y = y_out
    if count >= MANY_GROUPS and n >= MANY_ROWS:
        gather_in_buckets(keys, least, x, y, end, to_x, to_y)
        return x_out, y_out, ends
    with nogil:
        for k in range(n):
            group = group_of(keys[k], least, count)
            if group >= 0:
                end[group] += 1
        starts_of(end, 0, count, 0)
        for k in range(n):
            group = group_of(keys[k], least, count)
            # There is a slot, unless another thread has changed the keys.
            if group >= 0 and end[group] < n:
                slot = end[group]
                end[group] += 1
                to_x[slot] = x[k]
                to_y[slot] = y[k]
    return x_out, y_out, ends


cdef inline Py_ssize_t group_of(int64_t key, int64_t least, Py_ssize_t count) noexcept nogil:
    """The number of the group from 0 on; -1 for other keys."""
    cdef uint64_t group = <uint64_t> key - <uint64_t> least
    return <Py_ssize_t> group if group < <uint64_t> count else -1


cdef inline Py_ssize_t starts_of(
    Py_ssize_t[::1] sizes, Py_ssize_t first, Py_ssize_t last, Py_ssize_t start
) noexcept nogil:
    """Replace the sizes of some groups by where each group starts; return where the last one ends.

    To place the items one by one advances a start up to the end of the group.
    """
    cdef Py_ssize_t group, size
    for group in range(first, last):
        size = sizes[group]
        sizes[group] = start
        start += size
    return start


cdef int gather_in_buckets(
    const int64_t[::1] keys,
    int64_t least,
    const double[::1] x,
    const double[::1] y,
    Py_ssize_t[::1] end,
    double[::1] to_x,
    double[::1] to_y,
) except -1:
    """`gather_groups` in two steps: with many groups, each row of a single step would be written to another page."""
    cdef Py_ssize_t n = keys.shape[0], count = end.shape[0], k, slot, group, bucket, first, last, start = 0, before = 0
    cdef int shift = 0
    while (count - 1) >> shift >= BUCKETS:
        shift += 1
    cdef Py_ssize_t[BUCKETS] place
    # NumPy asks for large pages.
    cdef uint8_t[::1] memory = np.empty(n * sizeof(Row), dtype=np.uint8)
    cdef Row* rows = <Row*> &memory[0]
    # As in `gather_groups`, the checks fail only if another thread has changed the keys.
    with nogil:
        memset(place, 0, sizeof(place))
        for k in range(n):
            group = group_of(keys[k], least, count)
            if group >= 0:
                place[group >> shift] += 1
        for bucket in range(BUCKETS):
            slot = place[bucket]
            place[bucket] = start
            start += slot
        start = 0
        for k in range(n):
            group = group_of(keys[k], least, count)
            bucket = group >> shift
            if group >= 0 and place[bucket] < n:
                slot = place[bucket]
                place[bucket] += 1
                rows[slot] = Row(x[k], y[k], <int32_t> (group - (bucket << shift)))
        for bucket in range(((count - 1) >> shift) + 1):
            first, last = bucket << shift, min((bucket + 1) << shift, count)
            for k in range(before, place[bucket]):
                group = group_of(rows[k].group, 0, last - first)
                if group >= 0:
                    end[first + group] += 1
            start = starts_of(end, first, last, start)
            for k in range(before, place[bucket]):
                group = group_of(rows[k].group, 0, last - first)
                if group >= 0 and end[first + group] < n:
                    slot = end[first + group]
                    end[first + group] += 1
                    to_x[slot] = rows[k].x
                    to_y[slot] = rows[k].y
            before = place[bucket]
    return 0
