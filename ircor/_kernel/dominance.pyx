# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""`Dominance`: the number C_i of items strictly ahead of item i in both of two rankings, and the sums over it.

The six coefficients are sums over C_i.  `dominance_sums` is the same count with a weight for each item.
"""

from cpython.mem cimport PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from .overlap cimport Ties, overlap_of
from .ranking cimport Accumulator, Ranking, add, allocate, group_end

import numpy as np

cdef enum:
    # Up to this length the plain loop over pairs is faster than the Fenwick tree.
    SHORT_COUNT = 24


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
        self.allocate_arrays()
        with nogil:
            self.count()

    cdef int allocate_arrays(self) except -1:
        cdef Py_ssize_t n = self.x.n
        self.ahead = <int32_t*> allocate(n, sizeof(int32_t))
        self.x_place = <int32_t*> allocate(n, sizeof(int32_t))
        if n > SHORT_COUNT:
            self.bits = <uint64_t*> allocate(n // 64 + 1, sizeof(uint64_t))
            self.tree = <int32_t*> allocate(n // 64 + 2, sizeof(int32_t))
            if self.x.tied_pairs > 0:
                self.used = <int32_t*> allocate(n, sizeof(int32_t))
        if self.y.tied_pairs > 0:
            self.filled = <int32_t*> allocate(n, sizeof(int32_t))
        return 0

    def __dealloc__(self):
        PyMem_RawFree(self.ahead)
        PyMem_RawFree(self.x_place)
        PyMem_RawFree(self.bits)
        PyMem_RawFree(self.tree)
        PyMem_RawFree(self.used)
        PyMem_RawFree(self.filled)

    cdef void count(self) noexcept nogil:
        """Compute everything for the current state of the rankings, in the memory that is allocated already."""
        self.merge_orders(NULL, self.filled)
        if self.x.n <= SHORT_COUNT:
            self.count_pairs()
        else:
            self.count_with_tree()
        self.sum_counts()

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

    cdef void count_with_tree(self) noexcept nogil:
        """Find C_i in O(n log n), with a bit set and a Fenwick tree over the places in x.

        The loop visits y's tie groups from the top.  After each group it sets one bit for each of the group's items, at
        the item's place in x.  So C_i is the number of bits set before the place of item i when the loop reaches i's
        tie group: those in the same word, counted by `bits_set`, and those in the words before, counted by the tree.

        A Fenwick tree alone would do.  With 64 places to a word it has 64 times fewer nodes: six fewer levels to climb,
        and for 100,000 items bits and tree together fit into the first-level cache.

        Items tied in x have the same place.  They set the bit of that place and the bits that follow, one each; `used`
        counts how many of them are set.
        """
        cdef Py_ssize_t n = self.x.n, words = n // 64 + 1, start = 0, end, k, node
        cdef int32_t place, bit, size, count = 0
        cdef bint ties = self.x.tied_pairs > 0
        cdef uint64_t* bits = self.bits
        cdef int32_t* tree = self.tree
        cdef int32_t* used = self.used
        cdef int32_t* ahead = self.ahead
        cdef const int32_t* x_place = self.x_place
        memset(bits, 0, words * sizeof(uint64_t))
        memset(tree, 0, (words + 1) * sizeof(int32_t))
        if ties:
            memset(used, 0, n * sizeof(int32_t))
        if not ties and self.y.tied_pairs == 0:
            for k in range(n):
                place = x_place[k]
                node = place >> 6
                count = bits_set(bits[node] & ((<uint64_t> 1 << (place & 63)) - 1))
                bits[node] |= <uint64_t> 1 << (place & 63)
                while node > 0:
                    count += tree[node]
                    node &= node - 1
                ahead[k] = count
                node = (place >> 6) + 1
                while node <= words:
                    tree[node] += 1
                    node += node & -node
            return
        while start < n:
            end = group_end(self.y, start)
            for k in range(start, end):
                place = x_place[k]
                if k == start or place != x_place[k - 1]:
                    node = place >> 6
                    count = bits_set(bits[node] & ((<uint64_t> 1 << (place & 63)) - 1))
                    while node > 0:
                        count += tree[node]
                        node &= node - 1
                ahead[k] = count
            k = start
            while k < end:
                place = x_place[k]
                if ties:
                    place += used[place]
                bit = place & 63
                # Items tied in both rankings set their bits together, as many as fit into the word.
                size = 1
                while k + size < end and bit + size < 64 and x_place[k + size] == x_place[k]:
                    size += 1
                if ties:
                    used[x_place[k]] += size
                bits[place >> 6] |= (~<uint64_t> 0 >> (64 - size)) << bit
                node = (place >> 6) + 1
                while node <= words:
                    tree[node] += size
                    node += node & -node
                k += size
            start = end

    cdef void sum_counts(self) noexcept nogil:
        """Set `concordant` and `tied_pairs`; items tied in both rankings are neighbours in the order of `x_place`."""
        cdef int64_t concordant = 0, tied_pairs = 0
        cdef Py_ssize_t k, first = 0
        for k in range(self.x.n):
            concordant += self.ahead[k]
            if self.y.opens[k] or self.x_place[k] != self.x_place[k - 1]:
                first = k
            tied_pairs += k - first
        self.concordant = concordant
        self.tied_pairs = tied_pairs

    @property
    def discordant(self):
        """Number of pairs of items that the rankings order in opposite ways."""
        tied = self.x.tied_pairs + self.y.tied_pairs - self.tied_pairs
        return self.x.total_pairs - tied - self.concordant

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
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t k
        for k in range(self.x.n):
            if self.x_place[k] > 0:
                add(&sum, <double> self.ahead[k] / <double> self.x_place[k])
        return sum.total + sum.lost

    def c_above_in_y(self):
        """Return the sum of C_i / (p_i - 1), p in y: of the items ahead of i in y, the share that is ahead in x too.

        Items of the first tie group have nothing ahead of them and are left out.
        """
        with nogil:
            sum = self.sum_above_in_y()
        return sum

    cdef double sum_above_in_y(self) noexcept nogil:
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t k, start = 0
        for k in range(self.y.n):
            if self.y.opens[k]:
                start = k
            if start > 0:
                add(&sum, <double> self.ahead[k] / <double> start)
        return sum.total + sum.lost

    def c_above_in_y_permuted(self):
        """Return the sum of C_i sum_k 1 / (t_i (p_i + k - 2)), k = 1 .. t_i, p and t in y.

        This is the mean of `c_above_in_y` over all orders of y's tied items: the sum over all items of term I of Urbano
        and Marrero, equation (6).
        """
        with nogil:
            sum = self.sum_above_in_y_permuted()
        return sum

    cdef double sum_above_in_y_permuted(self) noexcept nogil:
        cdef Accumulator sum = Accumulator(0, 0), inverse
        cdef Py_ssize_t start = self.y.top, end, k
        cdef int64_t group
        while start < self.y.n:
            end = group_end(self.y, start)
            inverse = Accumulator(0, 0)
            group = 0
            for k in range(start, end):
                add(&inverse, 1 / <double> k)
                group += self.ahead[k]
            add(&sum, <double> group * (inverse.total + inverse.lost) / <double> (end - start))
            start = end
        return sum.total + sum.lost

    def overlap(self, double p, int ties):
        """Return the rank-biased overlap, ext of `overlaps_of_pairs`; p and ties are as there."""
        cdef uint8_t* state = <uint8_t*> allocate(self.x.n, 1)
        with nogil:
            found = overlap_of(self.x, self.y, state, p, <Ties> ties)
        PyMem_RawFree(state)
        return found


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
