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

kernels = usable_kernels()[0]


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
    global kernels
    if name not in (names := instructions()):
        raise ValueError(f"this processor has kernels for {', '.join(names)}, not for {name!r}")
    before = kernels.name.decode()
    kernels = usable_kernels()[names.index(name)]
    return before


cdef inline void set_bit(uint64_t* bits, int32_t item) noexcept nogil:
    bits[item >> 6] |= <uint64_t> 1 << (item & 63)


cdef inline Py_ssize_t row_start(Py_ssize_t item) noexcept nogil:
    """Where the row of an item starts in `PairBits`: row i has a bit for each of the i items before, in whole words."""
    cdef Py_ssize_t before = item - 1, full = before // 64
    return 64 * (full * (full + 1) // 2) + before % 64 * (full + 1) if item > 0 else 0


cdef inline void copy_row(uint64_t* rows, int32_t item, const uint64_t* bits) noexcept nogil:
    """Copy the bits of the items before an item to its row."""
    cdef Py_ssize_t words = (item + 63) // 64
    cdef uint64_t* row = rows + row_start(item)
    memcpy(row, bits, words * sizeof(uint64_t))
    if item & 63:
        row[words - 1] &= (<uint64_t> 1 << (item & 63)) - 1


cdef void fold_rows(uint64_t* rows, Py_ssize_t n) noexcept nogil:
    """Put row n - i, which has n - i bits, behind the i bits of row i: up to 64 items, both fit into one word.

    The words of the first n // 2 rows then have all bits.
    """
    cdef Py_ssize_t i
    for i in range(1, (n + 1) // 2):
        rows[i - 1] |= rows[n - i - 1] << i
        rows[n - i - 1] = 0


cdef inline Py_ssize_t padded(Py_ssize_t words) noexcept nogil:
    """Round up to a multiple of PADDING, and to one at least."""
    return (max(words, 1) + PADDING - 1) // PADDING * PADDING


cdef class PairBits:
    """The bits of each pair of items, for several rankings of the same items.

    Parameters
    ----------
    rankings : list of Ranking
        Rankings of the same items, at most MOST_SUMMED.  Their numbers of items are not checked.
    """

    def __cinit__(self, list rankings not None):
        cdef Py_ssize_t k
        cdef Ranking ranking
        self.n = len(rankings[0])
        cdef Py_ssize_t unfolded = padded(row_start(self.n))
        self.words = unfolded if self.n > 64 else padded(self.n // 2)
        self.count = len(rankings)
        self.ahead = <uint64_t**> allocate(self.count, sizeof(uint64_t*))
        self.tied = <uint64_t**> allocate(self.count, sizeof(uint64_t*))
        # The bits of the items ahead, and those of the items of a tie group.
        cdef uint64_t* passed = <uint64_t*> allocate(2 * (self.n // 64 + 1), sizeof(uint64_t))
        try:
            for k in range(self.count):
                ranking = rankings[k]
                self.ahead[k] = <uint64_t*> allocate(unfolded, sizeof(uint64_t))
                if ranking.tied_pairs > 0:
                    self.tied[k] = <uint64_t*> allocate(unfolded, sizeof(uint64_t))
                with nogil:
                    self.fill(ranking, self.ahead[k], self.tied[k], passed)
        finally:
            PyMem_RawFree(passed)

    def __dealloc__(self):
        cdef Py_ssize_t k
        for k in range(self.count):
            if self.ahead != NULL:
                PyMem_RawFree(self.ahead[k])
            if self.tied != NULL:
                PyMem_RawFree(self.tied[k])
        PyMem_RawFree(self.ahead)
        PyMem_RawFree(self.tied)

    cdef void fill(self, Ranking ranking, uint64_t* ahead, uint64_t* tied, uint64_t* passed) noexcept nogil:
        """Fill the arrays of one ranking, from the top."""
        cdef Py_ssize_t words = self.n // 64 + 1, start = 0, end, k
        cdef uint64_t* group = passed + words
        cdef const int32_t* order = ranking.order
        memset(passed, 0, 2 * words * sizeof(uint64_t))
        while start < self.n:
            end = group_end(ranking, start)
            for k in range(start, end):
                copy_row(ahead, order[k], passed)
            if end - start > 1:
                for k in range(start, end):
                    set_bit(group, order[k])
                for k in range(start, end):
                    copy_row(tied, order[k], group)
                for k in range(start, end):
                    group[order[k] >> 6] = 0
            for k in range(start, end):
                set_bit(passed, order[k])
            start = end
        if self.n <= 64:
            fold_rows(ahead, self.n)
            if tied != NULL:
                fold_rows(tied, self.n)

    cdef int64_t discordant(
        self, Py_ssize_t i, PairBits other, Py_ssize_t j, Py_ssize_t first, Py_ssize_t words, int64_t* tied
    ) noexcept nogil:
        """Return the number of pairs in opposite orders in ranking i and in ranking j of the other object.

        Only the pairs in `words` words from the `first` on are counted.  If both rankings have ties, `tied` becomes the
        number of these pairs that are tied in either.
        """
        cdef const uint64_t* a = self.ahead[i] + first
        cdef const uint64_t* b = other.ahead[j] + first
        cdef const uint64_t* tied_a = self.tied[i]
        cdef const uint64_t* tied_b = other.tied[j]
        if tied_a != NULL and tied_b != NULL:
            return kernels.differing_both(a, b, tied_a + first, tied_b + first, words, tied)
        if tied_a == NULL and tied_b == NULL:
            return kernels.differing(a, b, words)
        return kernels.differing_untied(a, b, (tied_b if tied_a == NULL else tied_a) + first, words)


cdef class AheadBits:
    """The bits of the items ahead of each item, for several rankings of the same items, and what C_i is divided by.

    Parameters
    ----------
    rankings : list of Ranking
        Rankings of the same items, at most MOST_SUMMED.  Their numbers of items are not checked.
    permuted : bool
        Whether `sum_permuted` will be called.
    """

    def __cinit__(self, list rankings not None, bint permuted):
        cdef Py_ssize_t n = len(rankings[0]), k
        self.n = n
        self.padded = padded(n)
        self.width = max(1, (n + 63) // 64)
        self.words = self.width * self.padded
        self.count = len(rankings)
        self.rankings = rankings
        self.rows = <uint64_t*> allocate(self.count * self.words, sizeof(uint64_t))
        self.divisors = <double*> allocate(self.count * self.padded, sizeof(double))
        self.inverses = <double*> allocate(self.count * self.padded, sizeof(double))
        if permuted:
            self.factors = <double*> allocate(self.count * self.padded, sizeof(double))
            self.orders = <const int32_t**> allocate(self.count, sizeof(int32_t*))
            self.opens = <const uint8_t**> allocate(self.count, sizeof(uint8_t*))
        cdef uint64_t* ahead = <uint64_t*> allocate(self.width, sizeof(uint64_t))
        for k in range(self.count):
            self.fill(k, rankings[k], ahead)
        PyMem_RawFree(ahead)

    def __dealloc__(self):
        PyMem_RawFree(self.rows)
        PyMem_RawFree(self.divisors)
        PyMem_RawFree(self.inverses)
        PyMem_RawFree(self.factors)
        PyMem_RawFree(self.orders)
        PyMem_RawFree(self.opens)

    cdef void fill(self, Py_ssize_t column, Ranking ranking, uint64_t* ahead) noexcept:
        """Fill the arrays of one ranking, from the top; `ahead` has a bit for each item that was passed."""
        cdef Py_ssize_t start = 0, end, k, w
        cdef uint64_t* rows = self.rows + column * self.words
        cdef uint64_t* row
        cdef double* divisors = self.divisors + column * self.padded
        cdef int32_t item
        memset(ahead, 0, self.width * sizeof(uint64_t))
        for k in range(self.padded):
            divisors[k] = 1
        while start < self.n:
            end = group_end(ranking, start)
            for k in range(start, end):
                item = ranking.order[k]
                row = rows + item // PADDING * PADDING * self.width + item % PADDING
                for w in range(self.width):
                    row[w * PADDING] = ahead[w]
                if start > 0:
                    divisors[item] = <double> start
            for k in range(start, end):
                set_bit(ahead, ranking.order[k])
            start = end
        for k in range(self.padded):
            self.inverses[column * self.padded + k] = 1 / divisors[k]
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

    cdef void add_shares(
        self, Py_ssize_t column, Py_ssize_t first, Py_ssize_t items, const double* c, double* sums
    ) noexcept nogil:
        """Add C_i over the number of items ahead of i in one ranking, for some items: a part of `Dominance.c_above_in_y`.
        """
        first += column * self.padded
        kernels.add_shares(c, self.divisors + first, self.inverses + first, items, sums)

    cdef double sum_permuted(self, Py_ssize_t column, const double* c) noexcept nogil:
        """Return the mean of `Dominance.c_above_in_y` over all orders of tied items."""
        cdef const double* factors = self.factors + column * self.padded
        cdef const int32_t* order = self.orders[column]
        cdef const uint8_t* opens = self.opens[column]
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t start = 0, k = 0
        cdef double group
        cdef double[2] sums = [0, 0]
        if opens == NULL:
            kernels.add_products(c, factors, self.padded, sums)
            return sums[0] + sums[1]
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
