# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""`Dominance`: the number C_i of items strictly ahead of item i in both of two rankings, and the sums over it.

The six coefficients are sums over C_i.  `dominance_sums` is the same count with a weight for each item.
"""

from cpython.mem cimport PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from .bits cimport kernels
from .long_ranking cimport LongRanking
from .overlap cimport Ties, overlap_of
from .ranking cimport Ranking, allocate, group_end
from .sums cimport above_in_x, above_in_y, above_in_y_permuted, count_pairs_of

import numpy as np

cdef enum:
    # Up to this length the plain loop over pairs is faster than counting bits.
    SHORT_COUNT = 24


cdef extern from "wide_count.h" nogil:
    size_t wide_count_bytes(size_t n)
    size_t places_bytes(size_t n)
    void find_places(const uint8_t* opens, size_t n, const int32_t* position, void* memory, int32_t* place)


cdef class Dominance:
    """For every item i, the number C_i of items strictly ahead of i in both rankings, and the sums over C_i.

    Parameters
    ----------
    x, y : Ranking
        Two rankings of the same items, either both decreasing or both increasing.

    Attributes
    ----------
    x, y : Ranking
    concordant : int
        Number of pairs of items that both rankings order the same way: the sum of C_i.
    tied_pairs : int
        Number of pairs of items that are tied in both rankings.

    Raises
    ------
    ValueError
        If the rankings have different numbers of items.

    Examples
    --------
    >>> from ircor._kernel import Ranking
    >>> d = Dominance(Ranking(np.array([1, 2, 3, 4])), Ranking(np.array([1, 3, 3, 2])))
    >>> d.counts()
    array([0, 1, 1, 1], dtype=int32)
    >>> d.concordant, d.discordant, d.tied_pairs
    (3, 2, 0)
    """

    def __cinit__(self, Ranking x not None, Ranking y not None):
        if x.n != y.n:
            raise ValueError(f"'x' and 'y' must rank the same items, but they have {x.n} and {y.n} items")
        self.x = x
        self.y = y
        self.allocate_arrays(x.n, x.tied_pairs > 0, y.tied_pairs > 0)
        with nogil:
            self.count()

    cdef int allocate_arrays(self, Py_ssize_t n, bint x_tied, bint y_tied) except -1:
        """Allocate what n items need, with ties in x and in y, in the place of what there is."""
        self.free_arrays()
        self.ahead = <int32_t*> allocate(n, sizeof(int32_t))
        self.x_place = <int32_t*> allocate(n, sizeof(int32_t))
        if n > SHORT_COUNT:
            if wide_count_bytes(n) > 0:
                self.counters = allocate(wide_count_bytes(n), 1)
            if x_tied:
                self.used = <int32_t*> allocate(n, sizeof(int32_t))
        if y_tied:
            self.filled = <int32_t*> allocate(n, sizeof(int32_t))
        return 0

    cdef void free_arrays(self) noexcept:
        PyMem_RawFree(self.ahead)
        PyMem_RawFree(self.x_place)
        PyMem_RawFree(self.counters)
        PyMem_RawFree(self.used)
        PyMem_RawFree(self.filled)
        self.ahead = self.x_place = self.used = self.filled = NULL
        self.counters = NULL

    def __dealloc__(self):
        self.free_arrays()

    cdef void count(self) noexcept nogil:
        """Compute everything for the current state of the rankings, in the memory that is allocated already."""
        if self.x is self.y:
            self.copy_places()
        else:
            self.merge_orders(NULL, self.filled)
            if self.x.n <= SHORT_COUNT:
                self.count_pairs()
            else:
                self.count_with_bits()
        self.sum_counts()

    cdef void copy_places(self) noexcept nogil:
        """Find C_i of a ranking with itself: all items that are ahead of i."""
        cdef Py_ssize_t k, start = 0
        for k in range(self.x.n):
            if self.x.opens[k]:
                start = k
            self.x_place[k] = self.ahead[k] = <int32_t> start

    cdef void merge_orders(self, int32_t* items, int32_t* filled) noexcept nogil:
        """Sort the items by y and, within y's tie groups, by x: a counting sort of x's order by the places in y.

        Fill `items` with the sorted items, or `x_place` with their places in x if `items` is NULL.  `filled` is scratch
        memory for n items, used if y has ties.
        """
        cdef const int32_t* order = self.x.order
        cdef const uint8_t* opens = self.x.opens
        cdef const int32_t* y_place = self.y.place
        cdef Py_ssize_t n = self.x.n, k, start = 0
        cdef int32_t slot
        cdef bint ties = self.y.tied_pairs > 0
        if ties:
            memset(filled, 0, n * sizeof(int32_t))
        for k in range(n):
            if opens[k]:
                start = k
            slot = y_place[order[k]]
            if ties:
                filled[slot] += 1
                slot += filled[slot] - 1
            if items == NULL:
                self.x_place[slot] = <int32_t> start
            else:
                items[slot] = order[k]

    cdef void count_pairs(self) noexcept nogil:
        """Find C_i by comparing every pair of items."""
        cdef Py_ssize_t k, j, start = 0
        cdef int32_t place, count
        for k in range(self.x.n):
            if self.y.opens[k]:
                start = k
            place = self.x_place[k]
            count = 0
            for j in range(start):
                count += self.x_place[j] < place
            self.ahead[k] = count

    cdef void count_with_bits(self) noexcept nogil:
        """Find C_i by counting bits, as `wide_count.h` explains."""
        cdef Py_ssize_t n = self.x.n
        if self.x.tied_pairs > 0:
            memset(self.used, 0, n * sizeof(int32_t))
            kernels.count_ahead(self.x_place, self.y.opens, n, self.counters, self.used, self.ahead)
        elif self.y.tied_pairs > 0:
            kernels.count_ahead(self.x_place, self.y.opens, n, self.counters, NULL, self.ahead)
        else:
            kernels.count_ahead(self.x_place, NULL, n, self.counters, NULL, self.ahead)

    cdef void sum_counts(self) noexcept nogil:
        """Set `concordant` and `tied_pairs`; items tied in both rankings are neighbours in the order of `x_place`."""
        count_pairs_of(self.ahead, self.x_place, self.y.opens, self.x.n, &self.concordant, &self.tied_pairs)

    @property
    def discordant(self):
        """Number of pairs of items that the rankings order in opposite ways."""
        return discordant(self)

    def counts(self):
        """Return C_i of every item, in the order of the vectors."""
        items = np.empty(self.x.n, dtype=np.int32)
        out = np.empty(self.x.n, dtype=np.int32)
        # Scratch memory of its own, so that several threads can ask the same object.
        cdef int32_t[::1] item = items, c = out, filled = np.empty(self.x.n, dtype=np.int32)
        cdef Py_ssize_t k
        if self.x.n > 0:
            with nogil:
                self.merge_orders(&item[0], &filled[0])
                for k in range(self.x.n):
                    c[item[k]] = self.ahead[k]
        return out

    def c_above_in_x(self):
        """Return the sum of C_i / (p_i - 1), p in x: of the items ahead of i in x, the share that is ahead in y too.

        Items of the first tie group have nothing ahead of them and are left out.
        """
        with nogil:
            sum = self.sum_above_in_x()
        return sum

    cdef double sum_above_in_x(self) noexcept nogil:
        return above_in_x(self.ahead, self.x_place, self.x.n)

    def c_above_in_y(self):
        """Return the sum of C_i / (p_i - 1), p in y: of the items ahead of i in y, the share that is ahead in x too.

        Items of the first tie group have nothing ahead of them and are left out.
        """
        with nogil:
            sum = self.sum_above_in_y()
        return sum

    cdef double sum_above_in_y(self) noexcept nogil:
        return above_in_y(self.ahead, self.y.opens, self.y.n)

    def c_above_in_y_permuted(self):
        """Return the sum of C_i sum_k 1 / (t_i (p_i + k - 2)), k = 1 .. t_i, p and t in y.

        This is the mean of `c_above_in_y` over all orders of y's tied items: the sum over all items of term I of Urbano
        and Marrero, equation (6).
        """
        with nogil:
            sum = self.sum_above_in_y_permuted()
        return sum

    cdef double sum_above_in_y_permuted(self) noexcept nogil:
        return above_in_y_permuted(self.ahead, self.y.opens, self.y.n, self.y.top)

    def overlap(self, double p, int ties):
        """Return the rank-biased overlap, ext of `overlaps_of_pairs`; p and ties are as there."""
        cdef uint8_t* state = <uint8_t*> allocate(self.x.n, 1)
        with nogil:
            found = overlap_of(self.x, self.y, state, p, <Ties> ties)
        PyMem_RawFree(state)
        return found


cdef class LongDominance:
    """The same as `Dominance` for long vectors, in less memory, without the counts of the single items.

    Parameters
    ----------
    x : LongRanking
    y : LongRanking
        A ranking after x.

    Raises
    ------
    ValueError
        If y is not a ranking after x.

    Examples
    --------
    >>> from ircor._kernel import LongRanking
    >>> x = LongRanking(np.array([1, 2, 3, 4]))
    >>> d = LongDominance(x, LongRanking(np.array([1, 3, 3, 2]), after=x))
    >>> d.concordant, d.discordant, d.tied_pairs
    (3, 2, 0)
    """

    cdef readonly LongRanking x
    cdef readonly LongRanking y
    cdef readonly int64_t concordant
    cdef readonly int64_t tied_pairs
    # As in Dominance; x_place is NULL if x has no ties, and its positions are its places.
    cdef int32_t* ahead
    cdef int32_t* x_place

    def __cinit__(self, LongRanking x not None, LongRanking y not None):
        cdef void* memory = NULL
        cdef size_t n = x.n
        if y.after is not x:
            raise ValueError("'y' must be a ranking after 'x'")
        self.x, self.y = x, y
        self.ahead = <int32_t*> allocate(n, sizeof(int32_t))
        if x.tied_pairs > 0:
            self.x_place = <int32_t*> allocate(n, sizeof(int32_t))
        try:
            memory = allocate(max(wide_count_bytes(n), places_bytes(n)), 1)
            with nogil:
                if x.tied_pairs > 0:
                    find_places(x.opens, n, y.order, memory, self.x_place)
                if x.tied_pairs > 0 or y.tied_pairs > 0:
                    kernels.count_ahead_from_below(y.order, self.place_in_x(), y.opens, n, memory, self.ahead)
                else:
                    kernels.count_ahead(y.order, NULL, n, memory, NULL, self.ahead)
                count_pairs_of(self.ahead, self.place_in_x(), y.opens, n, &self.concordant, &self.tied_pairs)
        finally:
            PyMem_RawFree(memory)

    cdef const int32_t* place_in_x(self) noexcept nogil:
        return self.y.order if self.x_place == NULL else self.x_place

    def __dealloc__(self):
        PyMem_RawFree(self.ahead)
        PyMem_RawFree(self.x_place)

    @property
    def discordant(self):
        """As in `Dominance`."""
        return discordant(self)

    def c_above_in_x(self):
        """As in `Dominance`."""
        with nogil:
            sum = above_in_x(self.ahead, self.place_in_x(), self.x.n)
        return sum

    def c_above_in_y(self):
        """As in `Dominance`."""
        with nogil:
            sum = above_in_y(self.ahead, self.y.opens, self.x.n)
        return sum

    def c_above_in_y_permuted(self):
        """As in `Dominance`."""
        with nogil:
            sum = above_in_y_permuted(self.ahead, self.y.opens, self.x.n, self.y.top)
        return sum


def discordant(d):
    """Return the number of pairs of items that the rankings of a `Dominance` or `LongDominance` order in opposite ways."""
    tied = d.x.tied_pairs + d.y.tied_pairs - d.tied_pairs
    return d.x.total_pairs - tied - d.concordant


def dominance_of(x, y):
    """Return the `LongDominance` of two rankings of class `LongRanking`, y after x, or the `Dominance` of others."""
    return LongDominance(x, y) if isinstance(x, LongRanking) else Dominance(x, y)


def dominance_sums(Ranking x not None, Ranking y not None, const double[:] weights not None):
    """For every item i, return the sum of the weights of the items strictly ahead of i in both rankings.

    Parameters
    ----------
    x, y : Ranking
        Two rankings of the same items, either both decreasing or both increasing.
    weights : numpy.ndarray of float
        One weight for each item, in the order of the vectors.

    Returns
    -------
    numpy.ndarray of float
        The sums, in the order of the vectors.

    Raises
    ------
    ValueError
        If the rankings and the weights have different numbers of items.
    """
    cdef Py_ssize_t n = x.n, start = 0, end, k, node
    if y.n != n or weights.shape[0] != n:
        raise ValueError(
            f"'x', 'y' and 'weights' must have the same items, but they have {n}, {y.n} and {weights.shape[0]} items"
        )
    out = np.empty(n, dtype=np.float64)
    cdef double[::1] sums = out
    # A Fenwick tree over the places in x.
    cdef double* tree = <double*> allocate(n, sizeof(double))
    cdef double sum
    with nogil:
        while start < n:
            end = group_end(y, start)
            for k in range(start, end):
                node = x.place[y.order[k]]
                sum = 0
                while node > 0:
                    sum += tree[node]
                    node &= node - 1
                sums[y.order[k]] = sum
            for k in range(start, end):
                node = x.place[y.order[k]] + 1
                while node <= n:
                    tree[node] += weights[y.order[k]]
                    node += node & -node
            start = end
    PyMem_RawFree(tree)
    return out
