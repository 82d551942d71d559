# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""Short rankings as bits, to count many pairs of items with one instruction.

`PairBits` has two bits for each pair of items: whether the later item is ahead, and whether they are tied.  Two rankings
disagree where the first bits differ and neither pair is tied.  `AheadBits` has one bit for each item and each other item:
whether the other is ahead.  C_i is the number of bits that the rows of item i have in common.

The functions that count are in counting_kernels.h, compiled for several sets of instructions.  All give the same numbers.
"""

from cpython.mem cimport PyMem_RawFree
from libc.string cimport memcpy, memset

from .ranking cimport Accumulator, Ranking, add, allocate, group_end

cdef extern from "counting_sets.h" nogil:
    const counting_kernels** usable_kernels()

cdef enum:
    # The sums of quotients are exact for so many items, and places fit into 16 bits.
    LIMIT = 2048

kernels = usable_kernels()[0]
most_in_bits = kernels.most_in_bits
most_compared = kernels.most_compared


def instructions():
    """Return the names of the sets of instructions that this processor has kernels for, the fastest first."""
    cdef const counting_kernels** usable = usable_kernels()
    names = []
    while usable[len(names)] != NULL:
        names.append(usable[len(names)].name.decode())
    return names


def use_instructions(name):
    """Use the kernels for one set of instructions in all threads, for tests and measurements; return the last name.

    Raises
    ------
    ValueError
        If `name` is not among `instructions()`.
    """
    global kernels, most_in_bits, most_compared
    if name not in (names := instructions()):
        raise ValueError(f"this processor has kernels for {', '.join(names)}, not for {name!r}")
    before = kernels.name.decode()
    kernels = usable_kernels()[names.index(name)]
    most_in_bits = kernels.most_in_bits
    most_compared = kernels.most_compared
    return before


def set_limits(int bits, int compared):
    """Use bits, and comparisons of all pairs, for so many items and fewer, in all threads; return the last limits.

    For tests and measurements: `use_instructions` sets the limits that were measured.
    """
    global most_in_bits, most_compared
    if not (0 <= bits <= LIMIT and 0 <= compared <= MOST_COMPARED):
        raise ValueError(f"the limits must be from 0 to {LIMIT} and to {MOST_COMPARED}, not {bits} and {compared}")
    before = most_in_bits, most_compared
    most_in_bits, most_compared = bits, compared
    return before


cdef class PairBits:
    """The bits of each pair of items, for several rankings of the same items.

    Parameters
    ----------
    rankings : list of Ranking
        Rankings of the same items, at most LIMIT.  Their numbers of items are not checked.
    """

    def __cinit__(self, list rankings not None):
        cdef Py_ssize_t n = len(rankings[0]), k, i
        cdef Ranking ranking
        # Rows of whole bytes; and the last of them is written as a word.
        cdef Py_ssize_t size = ((n + 7) // 8 * ((n - 1) // 2) + (n + 15) // 16 + 7) // 8 + 1
        self.words = (size + PADDING - 1) // PADDING * PADDING
        self.count = len(rankings)
        self.ahead = <uint64_t**> allocate(self.count, sizeof(uint64_t*))
        self.tied = <uint64_t**> allocate(self.count, sizeof(uint64_t*))
        cdef int16_t* places = <int16_t*> allocate(2 * n + 64, sizeof(int16_t))
        try:
            for k in range(self.count):
                ranking = rankings[k]
                self.ahead[k] = <uint64_t*> allocate(self.words, sizeof(uint64_t))
                if ranking.tied_pairs > 0:
                    self.tied[k] = <uint64_t*> allocate(self.words, sizeof(uint64_t))
                with nogil:
                    for i in range(n):
                        places[i] = places[n + i] = <int16_t> ranking.place[i]
                    kernels.pair_bits(places, n, self.ahead[k], self.tied[k])
        finally:
            PyMem_RawFree(places)

    def __dealloc__(self):
        cdef Py_ssize_t k
        for k in range(self.count):
            if self.ahead != NULL:
                PyMem_RawFree(self.ahead[k])
            if self.tied != NULL:
                PyMem_RawFree(self.tied[k])
        PyMem_RawFree(self.ahead)
        PyMem_RawFree(self.tied)

    cdef int64_t discordant(self, Py_ssize_t i, PairBits other, Py_ssize_t j, int64_t* tied) noexcept nogil:
        """Return the number of pairs in opposite orders in ranking i and in ranking j of the other object.

        If both have ties, `tied` becomes the number of pairs that are tied in either.
        """
        cdef const uint64_t* a = self.ahead[i]
        cdef const uint64_t* b = other.ahead[j]
        cdef const uint64_t* tied_a = self.tied[i]
        cdef const uint64_t* tied_b = other.tied[j]
        if tied_a != NULL and tied_b != NULL:
            return kernels.differing_both(a, b, tied_a, tied_b, self.words, tied)
        if tied_a == NULL and tied_b == NULL:
            return kernels.differing(a, b, self.words)
        return kernels.differing_untied(a, b, tied_b if tied_a == NULL else tied_a, self.words)


cdef class AheadBits:
    """The bits of the items ahead of each item, for several rankings of the same items, and what C_i is divided by.

    Parameters
    ----------
    rankings : list of Ranking
        Rankings of the same items, at most LIMIT.  Their numbers of items are not checked.
    permuted : bool
        Whether `sum_permuted` will be called.
    """

    def __cinit__(self, list rankings not None, bint permuted):
        cdef Py_ssize_t n = len(rankings[0]), k
        self.n = n
        self.padded = (n + PADDING - 1) // PADDING * PADDING
        self.words = (n + 63) // 64 * self.padded
        self.count = len(rankings)
        self.rankings = rankings
        self.rows = <uint64_t*> allocate(self.count * self.words, sizeof(uint64_t))
        self.divisors = <double*> allocate(self.count * self.padded, sizeof(double))
        if permuted:
            self.factors = <double*> allocate(self.count * self.padded, sizeof(double))
            self.orders = <const int32_t**> allocate(self.count, sizeof(int32_t*))
            self.opens = <const uint8_t**> allocate(self.count, sizeof(uint8_t*))
        cdef uint64_t* ahead = <uint64_t*> allocate((n + 63) // 64, sizeof(uint64_t))
        for k in range(self.count):
            self.fill(k, rankings[k], ahead)
        PyMem_RawFree(ahead)

    def __dealloc__(self):
        PyMem_RawFree(self.rows)
        PyMem_RawFree(self.divisors)
        PyMem_RawFree(self.factors)
        PyMem_RawFree(self.orders)
        PyMem_RawFree(self.opens)

    cdef void fill(self, Py_ssize_t column, Ranking ranking, uint64_t* ahead) noexcept:
        """Fill the arrays of one ranking, from the top; `ahead` has a bit for each item that was passed."""
        cdef Py_ssize_t width = (self.n + 63) // 64, start = 0, end, k, w
        cdef uint64_t* rows = self.rows + column * self.words
        cdef double* divisors = self.divisors + column * self.padded
        cdef int32_t item
        memset(ahead, 0, width * sizeof(uint64_t))
        for k in range(self.padded):
            divisors[k] = 1
        while start < self.n:
            end = group_end(ranking, start)
            for k in range(start, end):
                item = ranking.order[k]
                for w in range(width):
                    rows[w * self.padded + item] = ahead[w]
                if start > 0:
                    divisors[item] = <double> start
            for k in range(start, end):
                item = ranking.order[k]
                ahead[item >> 6] |= <uint64_t> 1 << (item & 63)
            start = end
        if self.factors != NULL:
            self.fill_factors(self.factors + column * self.padded, ranking)
            if ranking.tied_pairs > 0:
                self.orders[column], self.opens[column] = ranking.order, ranking.opens

    cdef void fill_factors(self, double* factors, Ranking ranking) noexcept nogil:
        """The sum of 1 / k over the positions of each tie group, at the group's place; for each item if none is tied."""
        cdef Py_ssize_t start = ranking.top, end, k
        cdef Accumulator inverse
        while start < self.n:
            end = group_end(ranking, start)
            inverse = Accumulator(0, 0)
            for k in range(start, end):
                add(&inverse, 1 / <double> k)
            factors[ranking.order[start] if ranking.tied_pairs == 0 else start] = inverse.total + inverse.lost
            start = end

    cdef double sum_of_quotients(self, Py_ssize_t column, const double* c) noexcept nogil:
        """Return the sum of C_i over the number of items ahead of i in one ranking: `Dominance.c_above_in_y`."""
        return kernels.sum_of_quotients(c, self.divisors + column * self.padded, self.padded)

    cdef double sum_permuted(self, Py_ssize_t column, const double* c) noexcept nogil:
        """Return the mean of that sum over all orders of tied items: `Dominance.c_above_in_y_permuted`."""
        cdef const double* factors = self.factors + column * self.padded
        cdef const int32_t* order = self.orders[column]
        cdef const uint8_t* opens = self.opens[column]
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t start = 0, k = 0
        cdef double group
        if opens == NULL:
            return kernels.sum_of_products(c, factors, self.padded)
        while start < self.n:
            group = 0
            while True:
                group += c[order[k]]
                k += 1
                if k == self.n or opens[k]:
                    break
            if start > 0:
                add(&sum, group * factors[start] / <double> (k - start))
            start = k
        return sum.total + sum.lost
