# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The call of a coefficient: two arrays, checked, ranked and counted in one step.

`pair_of` takes what is usual and returns the counts, or None for anything else: another type, a missing value, a tie where
none is allowed.  The caller then goes the way that knows R's refusals and warnings.

Up to `compared_up_to` of the kernels items every item is compared with every other, which needs no sort.  Longer vectors are ranked.
"""

from cpython.buffer cimport PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_RawFree
from libc.math cimport NAN, fabs
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from .bits cimport MOST_COMPARED, PADDING, kernels, short_pair, short_ranking
from .dominance cimport Dominance
from .ranking cimport Accumulator, Ranking, add, allocate

import numpy as np

cdef enum:
    # Up to so many items the values are copied to the stack.
    MOST_COPIED = 1024

cdef object NDARRAY = np.ndarray
cdef object FLOAT64 = np.dtype(np.float64)
cdef object INT64 = np.dtype(np.int64)

# Whole numbers up to here are doubles.
cdef int64_t EXACT_IN_DOUBLE = 1 << 53

# How close two values are if R, which prints 15 digits, may print them alike.
cdef double NEAR = 1e-13


cdef Py_ssize_t padded(Py_ssize_t n) noexcept nogil:
    """The room that each array of a `short_ranking` needs for n items."""
    return (n + PADDING - 1) // PADDING * PADDING


cdef void use_memory(short_ranking* ranking, void* memory, Py_ssize_t room) noexcept nogil:
    """Let the ARRAYS of a ranking be in this memory, each with room for so many numbers."""
    ranking.values = <double*> memory
    ranking.divisors = <double*> memory + room
    ranking.places = <uint64_t*> memory + 2 * room


cdef bint load(short_ranking* ranking, const double* values, Py_ssize_t n, bint decreasing) noexcept nogil:
    """Copy values for `compare_short`; return False if one is missing."""
    cdef double* copy = <double*> ranking.values
    cdef Py_ssize_t k
    cdef double value
    cdef bint missing = False
    for k in range(n):
        value = values[k]
        missing |= value != value
        copy[k] = -value if decreasing else value
    for k in range(n, padded(n)):
        copy[k] = NAN
    return not missing


cdef Py_ssize_t near_ties(Ranking ranking, const double* values) noexcept nogil:
    """Count neighbours in the order that differ by at most 1e-13 of the value; R, which prints 15 digits, may print
    them alike.

    The count can be too high, as for an infinity after a finite value, but not too low: callers check what it finds.
    """
    cdef Py_ssize_t k, found = 0
    for k in range(1, ranking.n):
        found += are_near(values[ranking.order[k]], values[ranking.order[k - 1]])
    return found


cdef Py_ssize_t near_ties_compared(const short_ranking* ranking, Py_ssize_t n) noexcept nogil:
    """The same for a ranking that was compared."""
    cdef double[MOST_COMPARED] in_order
    cdef Py_ssize_t k, found = 0
    put_in_order(ranking, n, in_order)
    for k in range(1, n):
        found += are_near(in_order[k], in_order[k - 1])
    return found


cdef bint are_apart(const short_ranking* ranking, Py_ssize_t n, double noise) noexcept nogil:
    """Whether all values of a ranking that was compared differ by more than `noise`."""
    cdef double[MOST_COMPARED] in_order
    cdef Py_ssize_t k
    cdef bint apart = True
    put_in_order(ranking, n, in_order)
    for k in range(1, n):
        apart &= in_order[k] - in_order[k - 1] > noise
    return apart


cdef void put_in_order(const short_ranking* ranking, Py_ssize_t n, double* in_order) noexcept nogil:
    """Set `in_order` to the values from the top."""
    cdef uint8_t[MOST_COMPARED] filled
    cdef uint64_t place
    cdef Py_ssize_t k
    memset(filled, 0, n)
    for k in range(n):
        place = ranking.places[k]
        in_order[place + filled[place]] = ranking.values[k]
        filled[place] += 1


cdef inline bint are_near(double value, double before) noexcept nogil:
    return value != before and fabs(value - before) <= NEAR * fabs(value)


cdef double sum_above(const double* c, const double* divisors, Py_ssize_t n) noexcept nogil:
    """`Dominance.c_above_in_x` or `c_above_in_y`, as the divisors say."""
    cdef double[2] sums = [0, 0]
    kernels.add_quotients(c, divisors, n, sums)
    return sums[0] + sums[1]


cdef double sum_permuted(const short_pair* pair, Py_ssize_t n) noexcept nogil:
    """`Dominance.c_above_in_y_permuted`: the same terms in the same order."""
    cdef double[MOST_COMPARED] group
    cdef Py_ssize_t[MOST_COMPARED] size
    cdef Accumulator sum = Accumulator(0, 0), inverse
    cdef Py_ssize_t start, k
    memset(group, 0, n * sizeof(double))
    count_groups(&pair.y, n, size)
    for k in range(n):
        group[pair.y.places[k]] += pair.c[k]
    start = pair.y.top
    while start < n:
        inverse = Accumulator(0, 0)
        for k in range(start, start + size[start]):
            add(&inverse, 1 / <double> k)
        add(&sum, group[start] * (inverse.total + inverse.lost) / <double> size[start])
        start += size[start]
    return sum.total + sum.lost


cdef double sum_within(const short_ranking* ranking, Py_ssize_t n) noexcept nogil:
    """`Ranking.c_within`: the same terms in the same order."""
    cdef Py_ssize_t[MOST_COMPARED] size
    cdef Accumulator sum = Accumulator(0, 0)
    cdef Py_ssize_t start = 0, k
    count_groups(ranking, n, size)
    while start < n:
        for k in range(1, size[start]):
            add(&sum, <double> k / <double> (start + k))
        start += size[start]
    return (sum.total + sum.lost) / 2


cdef void count_groups(const short_ranking* ranking, Py_ssize_t n, Py_ssize_t* size) noexcept nogil:
    """Set size[place] to the number of items at each place."""
    cdef Py_ssize_t k
    memset(size, 0, n * sizeof(Py_ssize_t))
    for k in range(n):
        size[ranking.places[k]] += 1


cdef class ShortRanking:
    """The attributes of `Ranking` that formulas use, for one side of a `ShortPair`."""

    cdef readonly Py_ssize_t n
    cdef short_ranking own
    cdef void* memory

    def __dealloc__(self):
        PyMem_RawFree(self.memory)

    @property
    def tied_pairs(self):
        """`Ranking.tied_pairs`."""
        return self.n * (self.n - 1) // 2 - self.own.untied_pairs

    @property
    def top(self):
        """`Ranking.top`."""
        return self.own.top

    @property
    def total_pairs(self):
        """Number of pairs of items, n(n - 1)/2."""
        return self.n * (self.n - 1) // 2

    def c_within(self):
        """Return `Ranking.c_within`."""
        return sum_within(&self.own, self.n)


cdef class ShortPair:
    """The attributes of `Dominance` that formulas use, for two short rankings of which all pairs of items were compared."""

    cdef readonly ShortRanking x
    cdef readonly ShortRanking y
    # Its arrays are those of x and y, but for `c`.
    cdef short_pair own

    def __dealloc__(self):
        PyMem_RawFree(self.own.c)

    @property
    def concordant(self):
        """`Dominance.concordant`."""
        return self.own.concordant

    @property
    def tied_pairs(self):
        """`Dominance.tied_pairs`."""
        return self.own.tied_pairs

    @property
    def discordant(self):
        """`Dominance.discordant`."""
        cdef int64_t untied = self.own.x.untied_pairs + self.own.y.untied_pairs - self.x.n * (self.x.n - 1) // 2
        return untied + self.own.tied_pairs - self.own.concordant

    def c_above_in_x(self):
        """Return `Dominance.c_above_in_x`."""
        return sum_above(self.own.c, self.own.x.divisors, self.x.n)

    def c_above_in_y(self):
        """Return `Dominance.c_above_in_y`."""
        return sum_above(self.own.c, self.own.y.divisors, self.x.n)

    def c_above_in_y_permuted(self):
        """Return `Dominance.c_above_in_y_permuted`."""
        return sum_permuted(&self.own, self.x.n)


cdef object array_of(object vector):
    """The array of a Series of doubles or 64-bit integers, with NaN for what is missing; anything else as it is."""
    if type(vector) is NDARRAY or type(vector).__name__ != "Series":
        return vector
    # Any class can have this name, and none of the attributes.
    dtype = getattr(vector, "dtype", None)
    if dtype is FLOAT64 or dtype is INT64:  # pandas
        # `to_numpy` takes as long as the rest of a call.  What it returns is kept in `_values`, as of pandas 2.1 to 3.1.
        return getattr(vector, "_values", vector)
    name = type(dtype).__name__
    return vector.to_numpy() if name == "Float64" or name == "Int64" else vector  # Polars


cdef Py_ssize_t copied(object vector, double* values) except -2:
    """Copy the numbers of an array, at most MOST_COPIED; return their number, or -1 for any other object.

    Each number is read once, so that all that follows is for one vector even if another thread writes to the array.
    """
    cdef Py_buffer view
    cdef const char* item
    cdef Py_ssize_t k, n = -1
    cdef int64_t whole
    vector = array_of(vector)
    if type(vector) is not NDARRAY:
        return -1
    dtype = vector.dtype
    if dtype is not FLOAT64 and dtype is not INT64:
        return -1
    PyObject_GetBuffer(vector, &view, PyBUF_STRIDED_RO)
    if view.ndim == 1 and view.shape[0] <= MOST_COPIED:
        n = view.shape[0]
        item = <const char*> view.buf
        # Not assignments: in a field of a structured array numbers may start at any byte.
        if dtype is INT64:
            for k in range(n):
                memcpy(&whole, item + k * view.strides[0], sizeof(int64_t))
                values[k] = <double> whole
                if not -EXACT_IN_DOUBLE <= whole <= EXACT_IN_DOUBLE:
                    n = -1
                    break
        elif view.strides[0] == sizeof(double):
            memcpy(values, item, n * sizeof(double))
        else:
            for k in range(n):
                memcpy(&values[k], item + k * view.strides[0], sizeof(double))
    PyBuffer_Release(&view)
    return n


def pair_of(object x, object y, bint decreasing, bint x_untied, bint y_untied):
    """Rank and count two arrays.

    Parameters
    ----------
    x, y : object
    decreasing : bool
        Whether the greatest value is at the top.
    x_untied, y_untied : bool
        Whether x and y must not have ties.

    Returns
    -------
    ShortPair, Dominance or None
        None unless x and y are one-dimensional arrays of float64, or of int64 that doubles hold, or Series of these,
        of the same length from 2 to 1,024, without missing values, and without ties where none is allowed.  Values that
        R may print alike count as ties there.
    """
    cdef double[MOST_COPIED] x_values, y_values
    cdef Py_ssize_t n = copied(x, x_values)
    if n < 2 or copied(y, y_values) != n:
        return None
    if n <= kernels.compared_up_to:
        return compared(x_values, y_values, n, decreasing, x_untied, y_untied)
    return ranked(x_values, y_values, n, decreasing, x_untied, y_untied)


cdef object compared(
    const double* x, const double* y, Py_ssize_t n, bint decreasing, bint x_untied, bint y_untied
):
    cdef ShortPair pair = ShortPair.__new__(ShortPair)
    cdef int64_t total = n * (n - 1) // 2
    pair.x, pair.y = short_ranking_of(n), short_ranking_of(n)
    if not load(&pair.x.own, x, n, decreasing) or not load(&pair.y.own, y, n, decreasing):
        return None
    pair.own.x, pair.own.y = pair.x.own, pair.y.own
    pair.own.c = <double*> allocate(padded(n), sizeof(double))
    kernels.compare_short(&pair.own, n)
    if x_untied and (pair.own.x.untied_pairs < total or near_ties_compared(&pair.own.x, n)):
        return None
    if y_untied and (pair.own.y.untied_pairs < total or near_ties_compared(&pair.own.y, n)):
        return None
    pair.x.own, pair.y.own = pair.own.x, pair.own.y
    return pair


cdef ShortRanking short_ranking_of(Py_ssize_t n):
    cdef ShortRanking ranking = ShortRanking.__new__(ShortRanking)
    ranking.n = n
    ranking.memory = allocate(ARRAYS * padded(n), sizeof(double))
    use_memory(&ranking.own, ranking.memory, padded(n))
    return ranking


cdef object ranked(
    const double* x, const double* y, Py_ssize_t n, bint decreasing, bint x_untied, bint y_untied
):
    cdef Ranking x_ranking = ranking_of(x, n, decreasing), y_ranking = ranking_of(y, n, decreasing)
    if x_ranking.missing or y_ranking.missing:
        return None
    if x_untied and (x_ranking.tied_pairs or near_ties(x_ranking, x)):
        return None
    if y_untied and (y_ranking.tied_pairs or near_ties(y_ranking, y)):
        return None
    return Dominance(x_ranking, y_ranking)


cdef Ranking ranking_of(const double* values, Py_ssize_t n, bint decreasing):
    cdef uint64_t[2 * MOST_COPIED] keys
    cdef Ranking ranking = Ranking.__new__(Ranking)
    ranking.n = n
    ranking.allocate_arrays()
    ranking.rank_doubles(values, n, decreasing, 0, keys, keys + MOST_COPIED)
    return ranking
