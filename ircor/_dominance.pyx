# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The one kernel under the coefficients: who stands ahead of whom in both rankings.

`Ranking` orders one vector once: every item's place and tie group.  `Dominance` takes two rankings of the same items and
counts, for every item i, the items that stand strictly ahead of i in both, C_i.  The six coefficients are sums over C_i,
and `dominance_sums` is the same count with a weight for each item.

Places count from 0 here: `place` is the number of items strictly ahead, the papers' p - 1.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

import numpy as np

ctypedef fused number:
    double
    int64_t

ctypedef fused index:
    int32_t
    Py_ssize_t

# Below these lengths a plain loop beats NumPy's argsort and the Fenwick tree: what counts there is the call's overhead.
cdef enum:
    SHORT_SORT = 64
    SHORT_COUNT = 192
    LONGEST = 2147483647

cdef object FLOAT64 = np.dtype(np.float64)
cdef object INT64 = np.dtype(np.int64)


cdef void* allocate(size_t count, size_t size) except NULL:
    """Memory set to zero, or a MemoryError; never NULL, also for nothing at all."""
    cdef void* block = PyMem_RawCalloc(count + 1, size)
    if block == NULL:
        raise MemoryError(f"no memory for {count} items of {size} bytes")
    return block


cdef inline int32_t bits_set(uint64_t word) noexcept nogil:
    """The number of bits set: sums over pairs, then fours, then bytes of bits, all at once."""
    word -= (word >> 1) & 0x5555555555555555u
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu
    return <int32_t> ((word * 0x0101010101010101u) >> 56)


cdef struct Accumulator:
    # Neumaier's compensated sum: the error does not grow with the number of terms.
    double total
    double lost


cdef inline void add(Accumulator* sum, double term) noexcept nogil:
    cdef double total = sum.total + term
    if abs(sum.total) >= abs(term):
        sum.lost += (sum.total - total) + term
    else:
        sum.lost += (term - total) + sum.total
    sum.total = total


cdef Py_ssize_t insertion_sort(const number[:] values, number* keys, int32_t* order) noexcept nogil:
    """Write the items by increasing value into `order`, and their values into `keys`; return how many are not missing.

    The missing ones come last, in order of position.
    """
    cdef Py_ssize_t n = values.shape[0], observed = 0, i, k
    cdef number value
    for i in range(n):
        value = values[i]
        if value == value:
            k = observed
            while k > 0 and keys[k - 1] > value:
                keys[k] = keys[k - 1]
                order[k] = order[k - 1]
                k -= 1
            keys[k] = value
            order[k] = <int32_t> i
            observed += 1
    k = observed
    for i in range(n):
        if values[i] != values[i]:
            keys[k] = values[i]
            order[k] = <int32_t> i
            k += 1
    return observed


cdef class Ranking:
    """The items of one vector from the top down, with ties.

    Parameters
    ----------
    values : numpy.ndarray
        One dimension, any integer or real float type; compared in that type.  NaN is a missing value: such items stand
        last, each on its own, in order of position.
    decreasing : bool
        Whether the greatest value stands on top.
    """

    cdef readonly Py_ssize_t n
    """Number of items."""
    cdef readonly Py_ssize_t missing
    """Number of missing values."""
    cdef readonly int64_t tied_pairs
    """Number of pairs of items tied with each other."""
    cdef readonly Py_ssize_t top
    """Size of the tie group on top, t_1."""
    cdef int32_t* order
    cdef int32_t* place
    cdef uint8_t* opens

    def __cinit__(self, values, bint decreasing=False):
        cdef Py_ssize_t n = values.shape[0]
        if n > LONGEST:
            raise ValueError(f"a ranking may have {LONGEST} items at the most, not {n}")
        self.n = n
        if n <= SHORT_SORT and values.dtype is FLOAT64:
            self.rank_short[double](values, decreasing)
        elif n <= SHORT_SORT and values.dtype is INT64:
            self.rank_short[int64_t](values, decreasing)
        else:
            self.rank_long(values, decreasing)

    cdef int hold(self) except -1:
        self.order = <int32_t*> allocate(self.n, sizeof(int32_t))
        self.place = <int32_t*> allocate(self.n, sizeof(int32_t))
        self.opens = <uint8_t*> allocate(self.n, sizeof(uint8_t))
        return 0

    cdef int rank_short(self, const number[:] values, bint decreasing) except -1:
        cdef number[SHORT_SORT] keys
        cdef int32_t[SHORT_SORT] upwards
        cdef uint8_t[SHORT_SORT] steps
        cdef Py_ssize_t k
        self.missing = self.n - insertion_sort(values, keys, upwards)
        for k in range(1, self.n):
            steps[k - 1] = keys[k] != keys[k - 1]
        self.hold()
        self.find_places(upwards, steps, decreasing)
        return 0

    cdef int rank_long(self, values, bint decreasing) except -1:
        sorted_items = values.argsort()
        in_order = values.take(sorted_items)
        if np.isnan(in_order[max(self.n - 1, 0):]).any():
            self.missing = np.count_nonzero(in_order != in_order)
            sorted_items[self.n - self.missing:].sort()
        changes = in_order[1:] != in_order[:max(self.n - 1, 0)]
        del in_order
        cdef const Py_ssize_t[::1] upwards = sorted_items
        cdef const uint8_t[::1] steps = changes.view(np.uint8)
        self.hold()
        if self.n > 0:
            with nogil:
                self.find_places(&upwards[0], &steps[0] if self.n > 1 else NULL, decreasing)
        return 0

    cdef void find_places(self, const index* upwards, const uint8_t* steps, bint decreasing) noexcept nogil:
        """Order and places from the items by increasing value, and where in that order the value changes."""
        cdef Py_ssize_t n = self.n, observed = n - self.missing, k, j, start = 0
        cdef int64_t tied_pairs = 0
        cdef int32_t item
        for k in range(n):
            if k >= observed:
                j = k
                self.opens[k] = True
            elif decreasing:
                j = observed - 1 - k
                self.opens[k] = k == 0 or steps[j]
            else:
                j = k
                self.opens[k] = k == 0 or steps[k - 1]
            if self.opens[k]:
                start = k
            item = <int32_t> upwards[j]
            self.order[k] = item
            self.place[item] = <int32_t> start
            tied_pairs += k - start
        self.tied_pairs = tied_pairs
        self.top = self.group_end(0) if n > 0 else 0

    cdef inline Py_ssize_t group_end(self, Py_ssize_t start) noexcept nogil:
        """Where the tie group that opens at `start` ends."""
        cdef Py_ssize_t end = start + 1
        while end < self.n and not self.opens[end]:
            end += 1
        return end

    def __dealloc__(self):
        PyMem_RawFree(self.order)
        PyMem_RawFree(self.place)
        PyMem_RawFree(self.opens)

    def __len__(self):
        return self.n

    @property
    def total_pairs(self):
        """Number of pairs of items, n(n - 1)/2."""
        return self.n * (self.n - 1) // 2

    def places(self):
        """Number of items strictly ahead of each item, p - 1, in the vector's own order."""
        out = np.empty(self.n, dtype=np.int32)
        cdef int32_t[::1] place = out
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                place[i] = self.place[i]
        return out

    def items(self):
        """The positions in the vector of the items, from the top down."""
        out = np.empty(self.n, dtype=np.int32)
        cdef int32_t[::1] item = out
        cdef Py_ssize_t k
        with nogil:
            for k in range(self.n):
                item[k] = self.order[k]
        return out

    def group_sizes(self):
        """Size of each item's tie group, t, in the vector's own order."""
        out = np.empty(self.n, dtype=np.int32)
        cdef int32_t[::1] t = out
        cdef Py_ssize_t start = 0, end, k
        with nogil:
            while start < self.n:
                end = self.group_end(start)
                for k in range(start, end):
                    t[self.order[k]] = <int32_t> (end - start)
                start = end
        return out

    def c_within(self):
        """Concordant pairs expected within the tie groups, weighted by position: 1/2 sum_k k / (p + k - 1), k = 1 .. t - 1.

        The sum over all groups of term II of Urbano and Marrero, equation (7).
        """
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t start = 0, end, k
        with nogil:
            while start < self.n:
                end = self.group_end(start)
                for k in range(1, end - start):
                    add(&sum, <double> k / <double> (start + k))
                start = end
        return (sum.total + sum.lost) / 2


cdef class Dominance:
    """For every item i, the number C_i of items strictly ahead of i in both rankings, and the sums over it.

    Parameters
    ----------
    x, y : Ranking
        Two rankings of the same items, with the top at the same end.
    """

    cdef readonly Ranking x
    cdef readonly Ranking y
    cdef readonly int64_t concordant
    """Number of pairs of items that both rankings order the same way: the sum of C_i."""
    cdef readonly int64_t tied_pairs
    """Number of pairs of items tied in both rankings at once."""
    # The items in y's order, and by x within y's tie groups: C_i and the place in x of each.
    cdef int32_t* ahead
    cdef int32_t* x_place

    def __cinit__(self, Ranking x not None, Ranking y not None):
        if x.n != y.n:
            raise ValueError(f"the rankings have {x.n} and {y.n} items")
        self.x = x
        self.y = y
        self.ahead = <int32_t*> allocate(x.n, sizeof(int32_t))
        self.x_place = <int32_t*> allocate(x.n, sizeof(int32_t))
        self.deal(NULL)
        if x.n <= SHORT_COUNT:
            self.count_pairs()
        else:
            self.count_with_tree()
        with nogil:
            self.add_up()

    cdef int deal(self, int32_t* items) except -1:
        """Deal the items out to y's tie groups in x's order; note their places in x, or the items themselves if asked to."""
        cdef Ranking x = self.x, y = self.y
        cdef Py_ssize_t k, start = 0
        cdef int32_t seat
        cdef int32_t* dealt = <int32_t*> allocate(x.n, sizeof(int32_t)) if y.tied_pairs > 0 else NULL
        with nogil:
            for k in range(x.n):
                if x.opens[k]:
                    start = k
                seat = y.place[x.order[k]]
                if dealt != NULL:
                    dealt[seat] += 1
                    seat += dealt[seat] - 1
                if items == NULL:
                    self.x_place[seat] = <int32_t> start
                else:
                    items[seat] = x.order[k]
        PyMem_RawFree(dealt)
        return 0

    cdef void count_pairs(self) noexcept nogil:
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

    cdef int count_with_tree(self) except -1:
        """Go down y one tie group at a time, with a bit set for every item met so far, by its place in x.

        The items met ahead of a place are the bits before it: those in its own word, and those in the words before, which
        a Fenwick tree counts.  Items tied in x share a place and take the bits after it in turn.
        """
        cdef Py_ssize_t n = self.x.n, words = n // 64 + 1, start = 0, end, k, j, node, word
        cdef int32_t place, bit, size
        cdef size_t for_ties = n if self.x.tied_pairs > 0 else 0
        cdef uint64_t* bits = <uint64_t*> allocate(12 * words + 4 + 4 * for_ties, 1)
        cdef int32_t* tree = <int32_t*> (bits + words)
        cdef int32_t* taken = tree + words + 1 if for_ties else NULL
        with nogil:
            while start < n:
                end = self.y.group_end(start)
                for k in range(start, end):
                    place = self.x_place[k]
                    if k > start and place == self.x_place[k - 1]:
                        self.ahead[k] = self.ahead[k - 1]
                        continue
                    node = place >> 6
                    self.ahead[k] = bits_set(bits[node] & ((<uint64_t> 1 << (place & 63)) - 1))
                    while node > 0:
                        self.ahead[k] += tree[node]
                        node &= node - 1
                k = start
                while k < end:
                    place = self.x_place[k]
                    if taken != NULL:
                        place += taken[place]
                    bit = place & 63
                    # As many of the items tied here in both rankings as fit into the word.
                    size = 1
                    while k + size < end and bit + size < 64 and self.x_place[k + size] == self.x_place[k]:
                        size += 1
                    if taken != NULL:
                        taken[self.x_place[k]] += size
                    bits[place >> 6] |= (~<uint64_t> 0 >> (64 - size)) << bit
                    node = (place >> 6) + 1
                    while node <= words:
                        tree[node] += size
                        node += node & -node
                    k += size
                start = end
        PyMem_RawFree(bits)
        return 0

    cdef void add_up(self) noexcept nogil:
        cdef int64_t concordant = 0, tied_pairs = 0
        cdef Py_ssize_t k, first = 0
        for k in range(self.x.n):
            concordant += self.ahead[k]
            if self.y.opens[k] or self.x_place[k] != self.x_place[k - 1]:
                first = k
            tied_pairs += k - first
        self.concordant = concordant
        self.tied_pairs = tied_pairs

    def __dealloc__(self):
        PyMem_RawFree(self.ahead)
        PyMem_RawFree(self.x_place)

    @property
    def discordant(self):
        """Number of pairs of items that the rankings order in opposite ways."""
        tied = self.x.tied_pairs + self.y.tied_pairs - self.tied_pairs
        return self.x.total_pairs - tied - self.concordant

    def counts(self):
        """C_i of every item, in the vectors' own order."""
        items = np.empty(self.x.n, dtype=np.int32)
        out = np.empty(self.x.n, dtype=np.int32)
        cdef int32_t[::1] item = items, c = out
        cdef Py_ssize_t k
        if self.x.n > 0:
            self.deal(&item[0])
        with nogil:
            for k in range(self.x.n):
                c[item[k]] = self.ahead[k]
        return out

    def c_above_in_x(self):
        """Share of the items ahead in x that are ahead in y too, summed over the items: the sum of C_i / (p_i - 1), p in x."""
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t k
        with nogil:
            for k in range(self.x.n):
                if self.x_place[k] > 0:
                    add(&sum, <double> self.ahead[k] / <double> self.x_place[k])
        return sum.total + sum.lost

    def c_above_in_y(self):
        """Share of the items ahead in y that are ahead in x too, summed over the items: the sum of C_i / (p_i - 1), p in y."""
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t k, start = 0
        with nogil:
            for k in range(self.y.n):
                if self.y.opens[k]:
                    start = k
                if start > 0:
                    add(&sum, <double> self.ahead[k] / <double> start)
        return sum.total + sum.lost

    def c_above_in_y_permuted(self):
        """Like `c_above_in_y`, averaged over the orders of y's ties: the sum of C_i sum_k 1 / (t_i (p_i + k - 2)), k = 1 .. t_i.

        The sum over all items of term I of Urbano and Marrero, equation (6).
        """
        cdef Accumulator sum = Accumulator(0, 0), inverse
        cdef Py_ssize_t start, end, k
        cdef int64_t group
        with nogil:
            start = self.y.top
            while start < self.y.n:
                end = self.y.group_end(start)
                inverse = Accumulator(0, 0)
                group = 0
                for k in range(start, end):
                    add(&inverse, 1 / <double> k)
                    group += self.ahead[k]
                add(&sum, <double> group * (inverse.total + inverse.lost) / <double> (end - start))
                start = end
        return sum.total + sum.lost


def dominance_sums(Ranking x not None, Ranking y not None, const double[:] weights not None):
    """For every item i, the sum of the weights of the items strictly ahead of i in both rankings.

    Parameters
    ----------
    x, y : Ranking
        Two rankings of the same items, with the top at the same end.
    weights : numpy.ndarray of float
        One weight an item, in the vectors' own order.

    Returns
    -------
    numpy.ndarray of float
        The sums, in the vectors' own order.
    """
    cdef Py_ssize_t n = x.n, start = 0, end, k, node
    if y.n != n or weights.shape[0] != n:
        raise ValueError(f"the rankings have {n} and {y.n} items, and there are {weights.shape[0]} weights")
    out = np.empty(n, dtype=np.float64)
    cdef double[::1] sums = out
    cdef double* tree = <double*> allocate(n, sizeof(double))
    cdef double sum
    with nogil:
        while start < n:
            end = y.group_end(start)
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
