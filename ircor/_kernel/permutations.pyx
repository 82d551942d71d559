# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The `Totals` of one ranking and permutations of another: given permutations, or random ones that are drawn here."""

from cpython.mem cimport PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from .batches cimport Totals
from .bits cimport kernels
from .dominance cimport Dominance
from .philox cimport Stream, draws_of_word, shuffle, start
from .ranking cimport Ranking, allocate, group_end

import numpy as np

cdef extern from "wide_count.h" nogil:
    const size_t ONE_NODE


def totals_of_permutations(
    Ranking x not None, Ranking y not None, const int32_t[:, ::1] permutations, sums
):
    """Compute the `Totals` of x and permutations of y.

    Parameters
    ----------
    x, y : Ranking
        Rankings of the same items.
    permutations : numpy.ndarray of int32
        A row for each permutation: in y, item i gets the value of item permutations[k, i].  Not checked.
    sums
        As for `Totals`.

    Raises
    ------
    ValueError
        If the rankings and the permutations have different numbers of items, or `sums` has an overlap.
    """
    cdef Py_ssize_t count = permutations.shape[0], n = x.n, k, i
    cdef int32_t place, last
    if y.n != n or permutations.shape[1] != n:
        raise ValueError(
            "'x', 'y' and 'permutations' must have the same items, but they have "
            f"{n}, {y.n} and {permutations.shape[1]} items"
        )
    cdef Totals totals = totals_without_overlaps(count, sums)
    # The places of the copy are overwritten.  Its tie groups are the same in every permutation.
    cdef Dominance d = Dominance(x, y.copy())
    with nogil:
        for k in range(count):
            # Missing values are ranked last in order of position, wherever the permutation puts them.
            last = <int32_t> (n - y.missing)
            for i in range(n):
                place = y.place[permutations[k, i]]
                if place >= n - y.missing:
                    place = last
                    last += 1
                d.y.place[i] = place
            d.count()
            totals.set_entry(k, d)
    return totals


cdef Totals totals_without_overlaps(Py_ssize_t count, sums):
    """Return empty `Totals`, or raise ValueError if `sums` has an overlap."""
    cdef Totals totals = Totals(count, sums)
    if totals.p.shape[0]:
        raise ValueError("there is no rank-biased overlap of permutations: they have places, and no order")
    return totals


cdef int check_key(const uint64_t[::1] key) except -1:
    if key.shape[0] != 2:
        raise ValueError(f"'key' must be two words, not {key.shape[0]}")
    return 0


cdef class Shuffles:
    """Random permutations of a ranking y, and the `Dominance` of x and each of them.

    `totals_of_shuffles` says what they are.  Here, an item is its position in x's order.
    """

    cdef Ranking x
    cdef Ranking y
    cdef Dominance d
    cdef Stream stream
    cdef int together
    # The items sorted by y and then by position, and after a shuffle.
    cdef int32_t* by_y
    cdef int32_t* shuffled
    # For each item, the number of items ahead of it in x; for each position after a shuffle, that in y.
    cdef int32_t* x_place
    cdef int32_t* y_place
    # Scratch memory.
    cdef int32_t* found

    def __cinit__(self, Ranking x not None, Ranking y not None, const uint64_t[::1] key not None):
        cdef Py_ssize_t n = x.n, k, x_first = 0, y_first = 0
        check_key(key)
        # The places of the copy are overwritten.  Its tie groups are the same in every permutation.
        self.x, self.y = x, y.copy()
        self.d = Dominance(self.x, self.y)
        self.stream.key[0], self.stream.key[1] = key[0], key[1]
        self.together = draws_of_word(n)
        self.by_y = <int32_t*> allocate(n, sizeof(int32_t))
        self.shuffled = <int32_t*> allocate(n, sizeof(int32_t))
        self.x_place = <int32_t*> allocate(n, sizeof(int32_t))
        self.y_place = <int32_t*> allocate(n, sizeof(int32_t))
        self.found = <int32_t*> allocate(n, sizeof(int32_t))
        for k in range(n):
            if x.opens[k]:
                x_first = k
            if y.opens[k]:
                y_first = k
            self.x_place[k], self.y_place[k] = <int32_t> x_first, <int32_t> y_first
            self.shuffled[x.order[k]] = <int32_t> k
        # Not y.order: which of y's tied items comes first there depends on the sort.
        for k in range(n):
            self.by_y[y.place[k] + self.found[y.place[k]]] = self.shuffled[k]
            self.found[y.place[k]] += 1

    def __dealloc__(self):
        PyMem_RawFree(self.by_y)
        PyMem_RawFree(self.shuffled)
        PyMem_RawFree(self.x_place)
        PyMem_RawFree(self.y_place)
        PyMem_RawFree(self.found)

    cdef void draw(self, uint64_t number) noexcept nogil:
        """Set `shuffled` to the permutation of this number, and count for it."""
        cdef Py_ssize_t n = self.x.n, k
        memcpy(self.shuffled, self.by_y, n * sizeof(int32_t))
        start(&self.stream, number)
        shuffle(&self.stream, self.shuffled, n, self.together)
        if self.y.missing > 1:
            self.sort_missing()
        if n < <Py_ssize_t> ONE_NODE:
            kernels.count_shuffled(self.shuffled, self.x_place, self.y.opens, n, self.d.x_place, self.d.ahead)
            self.d.concordant = 0
            for k in range(n):
                self.d.concordant += self.d.ahead[k]
            self.d.tied_pairs = self.pairs_tied_in_both()
            return
        for k in range(n):
            self.y.place[self.x.order[self.shuffled[k]]] = self.y_place[k]
        self.d.count()

    cdef void sort_missing(self) noexcept nogil:
        """Bring the items whose values are missing into the order of their positions in the vectors."""
        cdef Py_ssize_t n = self.x.n, ranked = n - self.y.missing, k
        memset(self.found, 0, n * sizeof(int32_t))
        # `found` has the position in x's order, plus 1, of each missing item of the vectors.
        for k in range(ranked, n):
            self.found[self.x.order[self.shuffled[k]]] = self.shuffled[k] + 1
        for k in range(n):
            if self.found[k]:
                self.shuffled[ranked] = self.found[k] - 1
                ranked += 1

    cdef int64_t pairs_tied_in_both(self) noexcept nogil:
        """Return the number of pairs of items that are tied in both rankings."""
        cdef Py_ssize_t begin = 0, end, k
        cdef int64_t pairs = 0
        if self.x.tied_pairs == 0 or self.y.tied_pairs == 0:
            return 0
        memset(self.found, 0, self.x.n * sizeof(int32_t))
        while begin < self.x.n:
            end = group_end(self.y, begin)
            if end - begin > 1:
                for k in range(begin, end):
                    pairs += self.found[self.d.x_place[k]]
                    self.found[self.d.x_place[k]] += 1
                for k in range(begin, end):
                    self.found[self.d.x_place[k]] = 0
            begin = end
        return pairs


def random_orders(Py_ssize_t n, const uint64_t[::1] key not None, Py_ssize_t first, Py_ssize_t last):
    """Return random orders of n items: an array with a row for each number from `first` up to, not including, `last`.

    Order k is drawn from stream k of the key, which is two words.  It depends on n, the key and k alone.

    Raises
    ------
    ValueError
        If `key` is not two words.
    """
    check_key(key)
    orders = np.empty((last - first, n), dtype=np.int32)
    orders[:] = np.arange(n, dtype=np.int32)
    cdef int32_t[:, ::1] order = orders
    cdef Stream stream
    cdef int together = draws_of_word(n)
    cdef Py_ssize_t k
    stream.key[0], stream.key[1] = key[0], key[1]
    with nogil:
        for k in range(last - first):
            start(&stream, first + k)
            shuffle(&stream, &order[k, 0], n, together)
    return orders


def totals_of_shuffles(
    Ranking x not None, Ranking y not None, const uint64_t[::1] key, Py_ssize_t first, Py_ssize_t last, sums
):
    """Compute the `Totals` of x and random permutations of y.

    Permutation k brings the items, sorted by y and then by position, into order k of `random_orders`.  From the top,
    y's values go to them in this order.  Missing values are ranked last in order of position, whichever items get them.

    Parameters
    ----------
    x, y : Ranking
        Rankings of the same items.
    key : numpy.ndarray of uint64
        Two words, from which all permutations follow.
    first, last : int
        The number of the first permutation, and that after the last.
    sums
        As for `Totals`.

    Raises
    ------
    ValueError
        If the rankings have different numbers of items, `key` is not two words, or `sums` has an overlap.
    """
    cdef Py_ssize_t k
    cdef Totals totals = totals_without_overlaps(last - first, sums)
    cdef Shuffles shuffles = Shuffles(x, y, key)
    with nogil:
        for k in range(last - first):
            shuffles.draw(first + k)
            totals.set_entry(k, shuffles.d)
    return totals
