# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The one kernel under the coefficients: who stands ahead of whom in both rankings.

`Ranking` orders one vector once: every item's place and tie group.  `Dominance` takes two rankings of the same items and
counts, for every item i, the items that stand strictly ahead of i in both, C_i.  The six coefficients are sums over C_i,
and `dominance_sums` is the same count with a weight for each item.  The `totals_of_...` functions do this for many pairs
of rankings in one call: pairs of columns, groups of rows, permutations, resamples.

Places count from 0 here: `place` is the number of items strictly ahead, the papers' p - 1.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

ctypedef fused number:
    double
    int64_t

ctypedef fused index:
    int32_t
    Py_ssize_t

# Below these lengths a sort of our own beats NumPy's argsort, and a plain loop the Fenwick tree: what counts there is the
# call's overhead.
cdef enum:
    SHORT_SORT = 1024
    SHORT_COUNT = 24
    LONGEST = 2147483647

cdef uint64_t LAST = ~<uint64_t> 0

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


cdef inline void exchange(uint64_t* keys, int i, int j) noexcept nogil:
    """The smaller one first, without a branch, which could not be foretold."""
    cdef uint64_t a = keys[i], b = keys[j]
    keys[i] = a if a < b else b
    keys[j] = b if a < b else a


cdef inline void sort_up_to_eight(uint64_t* keys, Py_ssize_t size) noexcept nogil:
    """A sorting network of 19 comparisons, with the last keys filled up."""
    cdef uint64_t[8] k
    cdef Py_ssize_t i
    for i in range(8):
        k[i] = keys[i] if i < size else LAST
    exchange(k, 0, 2); exchange(k, 1, 3); exchange(k, 4, 6); exchange(k, 5, 7)
    exchange(k, 0, 4); exchange(k, 1, 5); exchange(k, 2, 6); exchange(k, 3, 7)
    exchange(k, 0, 1); exchange(k, 2, 3); exchange(k, 4, 5); exchange(k, 6, 7)
    exchange(k, 2, 4); exchange(k, 3, 5); exchange(k, 1, 4); exchange(k, 3, 6)
    exchange(k, 1, 2); exchange(k, 3, 4); exchange(k, 5, 6)
    for i in range(8):
        if i < size:
            keys[i] = k[i]


cdef inline void merge_equal(const uint64_t* keys, uint64_t* out, Py_ssize_t size) noexcept nogil:
    """Merge two runs of one size that stand side by side, from both ends at once: the middle is never passed."""
    cdef Py_ssize_t left = 0, right = size, left_end = size - 1, right_end = 2 * size - 1, k
    cdef uint64_t a, b, take
    for k in range(size):
        a, b = keys[left], keys[right]
        take = b < a
        out[k] = a ^ ((a ^ b) & (0 - take))
        right += take
        left += 1 - take
        a, b = keys[left_end], keys[right_end]
        take = b < a
        out[2 * size - 1 - k] = b ^ ((a ^ b) & (0 - take))
        left_end -= take
        right_end -= 1 - take


cdef uint64_t* sort_keys(uint64_t* keys, uint64_t* spare, Py_ssize_t n) noexcept nogil:
    """Sort n keys; return where they are: in `keys` or in `spare`.

    The keys are filled up to 5 to 8 times a power of two, so that all runs that are merged are of one size.  Both places
    must have room for that: for 2 n + 8, or for the next power of two.
    """
    cdef Py_ssize_t runs = 1, size, filled, k
    cdef uint64_t* other
    while 8 * runs < n:
        runs *= 2
    size = (n + runs - 1) // runs
    filled = runs * size
    for k in range(n, filled):
        keys[k] = LAST
    for k in range(runs):
        sort_up_to_eight(keys + k * size, size)
    while runs > 1:
        runs //= 2
        for k in range(runs):
            merge_equal(keys + 2 * k * size, spare + 2 * k * size, size)
        other = keys
        keys = spare
        spare = other
        size *= 2
    return keys


cdef inline uint64_t key_of_double(double value, uint64_t flip) noexcept nogil:
    """A whole number that is in order as the values are, or in reverse with all bits flipped; missing ones last."""
    cdef uint64_t bits, missing = value != value
    value += 0.0  # There is one zero.
    memcpy(&bits, &value, sizeof(double))
    bits ^= (0 - (bits >> 63)) | <uint64_t> 1 << 63
    return (bits ^ flip) | (0 - missing)


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

    def __cinit__(self, values=None, bint decreasing=False):
        cdef Py_ssize_t n = 0 if values is None else values.shape[0]
        if n > LONGEST:
            raise ValueError(f"a ranking may have {LONGEST} items at the most, not {n}")
        self.n = n
        if n == 0:
            self.hold(0)
        elif n <= SHORT_SORT and values.dtype is FLOAT64:
            self.rank_short_doubles(values, decreasing)
        elif n > SHORT_SORT or values.dtype is not INT64 or not self.rank_short_integers(values, decreasing):
            self.rank_long(values, decreasing)

    cdef int hold(self, Py_ssize_t n) except -1:
        self.order = <int32_t*> allocate(n, sizeof(int32_t))
        self.place = <int32_t*> allocate(n, sizeof(int32_t))
        self.opens = <uint8_t*> allocate(n, sizeof(uint8_t))
        return 0

    cdef int rank_short_doubles(self, const double[:] values, bint decreasing) except -1:
        cdef uint64_t[2 * SHORT_SORT] keys
        cdef Py_ssize_t size = sizeof(double), stride = values.strides[0] // size
        if values.strides[0] % size:
            # A field of a record, which doubles cannot be counted off to.
            values, stride = np.array(values), 1
        self.hold(self.n)
        self.rank_doubles(&values[0], stride, self.n, decreasing, 0, keys, keys + SHORT_SORT)
        return 0

    cdef void rank_doubles(
        self,
        const double* values,
        Py_ssize_t stride,
        Py_ssize_t n,
        bint decreasing,
        double noise,
        uint64_t* keys,
        uint64_t* spare,
    ) noexcept nogil:
        """Rank anew, within the memory that is held; values no further than `noise` from their neighbours are tied.

        Each key carries its item in its last bits.  Where that hides a difference, the values themselves are compared.
        """
        cdef Py_ssize_t k, missing = 0
        cdef uint64_t low = 1, flip = LAST if decreasing else 0
        cdef double value
        while low < <uint64_t> n:
            low *= 2
        low -= 1
        for k in range(n):
            value = values[k * stride]
            missing += value != value
            keys[k] = key_of_double(value, flip) & ~low | <uint64_t> k
        keys = sort_keys(keys, spare, n)
        for k in range(n):
            self.order[k] = <int32_t> (keys[k] & low)
        self.n = n
        self.missing = missing
        if not self.find_double_places(values, stride, decreasing, noise):
            self.order_exactly(values, stride, decreasing)
            self.find_double_places(values, stride, decreasing, noise)
        self.top = self.group_end(0) if n > 0 else 0

    cdef bint find_double_places(
        self, const double* values, Py_ssize_t stride, bint decreasing, double noise
    ) noexcept nogil:
        """Places from the order; return whether it is one."""
        cdef const int32_t* order = self.order
        cdef int32_t* place = self.place
        cdef uint8_t* opens = self.opens
        cdef Py_ssize_t k, start = 0, n = self.n
        cdef int64_t tied_pairs = 0
        cdef double value, before = 0, step
        cdef bint in_order = True, new
        for k in range(n):
            value = values[order[k] * stride]
            step = before - value if decreasing else value - before
            # Next to an infinity or a missing value a step may be no number.
            new = k == 0 or not fabs(step) <= noise and value != before
            in_order &= k == 0 or not step < 0
            before = value
            opens[k] = new
            start = k if new else start
            place[order[k]] = <int32_t> start
            tied_pairs += k - start
        self.tied_pairs = tied_pairs
        return in_order

    cdef void order_exactly(self, const double* values, Py_ssize_t stride, bint decreasing) noexcept nogil:
        """Sort by insertion, as the items are nearly in order."""
        cdef Py_ssize_t n = self.n - self.missing, k, j
        cdef int32_t item
        cdef double value, before
        for k in range(1, n):
            item = self.order[k]
            value = values[item * stride]
            j = k
            while j > 0:
                before = values[self.order[j - 1] * stride]
                if not (value > before if decreasing else value < before):
                    break
                self.order[j] = self.order[j - 1]
                j -= 1
            self.order[j] = item

    cdef bint rank_short_integers(self, const int64_t[:] values, bint decreasing) except -1:
        """Rank, unless the values are too far apart to leave room for the items in the keys."""
        cdef uint64_t[2 * SHORT_SORT] keys
        cdef uint64_t* sorted_keys
        cdef uint8_t[SHORT_SORT] steps
        cdef int32_t[SHORT_SORT] items
        cdef int64_t least = values[0], most = values[0]
        cdef Py_ssize_t k
        for k in range(self.n):
            least = min(least, values[k])
            most = max(most, values[k])
        if (<uint64_t> most - <uint64_t> least) >> 53:
            return False
        for k in range(self.n):
            keys[k] = (<uint64_t> values[k] - <uint64_t> least) * SHORT_SORT + <uint64_t> k
        sorted_keys = sort_keys(keys, keys + SHORT_SORT, self.n)
        for k in range(self.n):
            items[k] = <int32_t> (sorted_keys[k] % SHORT_SORT)
            if k > 0:
                steps[k - 1] = sorted_keys[k] // SHORT_SORT != sorted_keys[k - 1] // SHORT_SORT
        self.hold(self.n)
        self.find_places(items, steps, decreasing)
        return True

    cdef int rank_long(self, values, bint decreasing) except -1:
        sorted_items = values.argsort()
        in_order = values.take(sorted_items)
        if np.isnan(in_order[self.n - 1:]).any():
            self.missing = np.count_nonzero(in_order != in_order)
            sorted_items[self.n - self.missing:].sort()
        changes = in_order[1:] != in_order[:self.n - 1]
        del in_order
        cdef const Py_ssize_t[::1] upwards = sorted_items
        cdef const uint8_t[::1] steps = changes.view(np.uint8)
        self.hold(self.n)
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

    def __reduce__(self):
        opens = np.empty(self.n, dtype=np.uint8)
        cdef uint8_t[::1] copy = opens
        cdef Py_ssize_t k
        for k in range(self.n):
            copy[k] = self.opens[k]
        return ranking_of, (self.items(), opens, self.missing)

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
        with nogil:
            sum = self.sum_within()
        return sum

    cdef double sum_within(self) noexcept nogil:
        cdef Accumulator sum = Accumulator(0, 0)
        cdef Py_ssize_t start = 0, end, k
        while start < self.n:
            end = self.group_end(start)
            for k in range(1, end - start):
                add(&sum, <double> k / <double> (start + k))
            start = end
        return (sum.total + sum.lost) / 2


def ranking_of(const int32_t[::1] items, const uint8_t[::1] opens, Py_ssize_t missing):
    """The ranking with these items from the top down, a flag where a tie group opens, and so many missing at the end."""
    cdef Ranking ranking = Ranking()
    cdef Py_ssize_t n = items.shape[0], k, start = 0
    PyMem_RawFree(ranking.order)
    PyMem_RawFree(ranking.place)
    PyMem_RawFree(ranking.opens)
    ranking.hold(n)
    for k in range(n):
        if opens[k]:
            start = k
        ranking.order[k] = items[k]
        ranking.opens[k] = opens[k]
        ranking.place[items[k]] = <int32_t> start
        ranking.tied_pairs += k - start
    ranking.n = n
    ranking.missing = missing
    ranking.top = ranking.group_end(0) if n > 0 else 0
    return ranking


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
    # What dealing and counting take for a while; the last two for ties in y and in x only.
    cdef uint64_t* bits
    cdef int32_t* tree
    cdef int32_t* dealt
    cdef int32_t* taken

    def __cinit__(self, Ranking x not None, Ranking y not None):
        if x.n != y.n:
            raise ValueError(f"the rankings have {x.n} and {y.n} items")
        self.x = x
        self.y = y
        self.hold(x.n, x.tied_pairs > 0, y.tied_pairs > 0)
        with nogil:
            self.count()

    cdef int hold(self, Py_ssize_t n, bint ties_in_x, bint ties_in_y) except -1:
        self.ahead = <int32_t*> allocate(n, sizeof(int32_t))
        self.x_place = <int32_t*> allocate(n, sizeof(int32_t))
        if n > SHORT_COUNT:
            self.bits = <uint64_t*> allocate(n // 64 + 1, sizeof(uint64_t))
            self.tree = <int32_t*> allocate(n // 64 + 2, sizeof(int32_t))
            if ties_in_x:
                self.taken = <int32_t*> allocate(n, sizeof(int32_t))
        if ties_in_y:
            self.dealt = <int32_t*> allocate(n, sizeof(int32_t))
        return 0

    def __dealloc__(self):
        PyMem_RawFree(self.ahead)
        PyMem_RawFree(self.x_place)
        PyMem_RawFree(self.bits)
        PyMem_RawFree(self.tree)
        PyMem_RawFree(self.taken)
        PyMem_RawFree(self.dealt)

    cdef void count(self) noexcept nogil:
        """Count for the rankings as they are now, within the memory that is held."""
        self.deal(NULL)
        if self.x.n <= SHORT_COUNT:
            self.count_pairs()
        else:
            self.count_with_tree()
        self.add_up()

    cdef void deal(self, int32_t* items) noexcept nogil:
        """Deal the items out to y's tie groups in x's order; note their places in x, or the items themselves if asked to."""
        cdef const int32_t* order = self.x.order
        cdef const uint8_t* opens = self.x.opens
        cdef const int32_t* y_place = self.y.place
        cdef Py_ssize_t n = self.x.n, k, start = 0
        cdef int32_t seat
        cdef bint ties = self.y.tied_pairs > 0
        if ties:
            memset(self.dealt, 0, n * sizeof(int32_t))
        for k in range(n):
            if opens[k]:
                start = k
            seat = y_place[order[k]]
            if ties:
                self.dealt[seat] += 1
                seat += self.dealt[seat] - 1
            if items == NULL:
                self.x_place[seat] = <int32_t> start
            else:
                items[seat] = order[k]

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

    cdef void count_with_tree(self) noexcept nogil:
        """Go down y one tie group at a time, with a bit set for every item met so far, by its place in x.

        The items met ahead of a place are the bits before it: those in its own word, and those in the words before, which
        a Fenwick tree counts.  Items tied in x share a place and take the bits after it in turn.
        """
        cdef Py_ssize_t n = self.x.n, words = n // 64 + 1, start = 0, end, k, node
        cdef int32_t place, bit, size, count = 0
        cdef bint ties = self.x.tied_pairs > 0
        cdef uint64_t* bits = self.bits
        cdef int32_t* tree = self.tree
        cdef int32_t* taken = self.taken
        cdef int32_t* ahead = self.ahead
        cdef const int32_t* x_place = self.x_place
        memset(bits, 0, words * sizeof(uint64_t))
        memset(tree, 0, (words + 1) * sizeof(int32_t))
        if ties:
            memset(taken, 0, n * sizeof(int32_t))
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
            end = self.y.group_end(start)
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
                    place += taken[place]
                bit = place & 63
                # As many of the items tied here in both rankings as fit into the word.
                size = 1
                while k + size < end and bit + size < 64 and x_place[k + size] == x_place[k]:
                    size += 1
                if ties:
                    taken[x_place[k]] += size
                bits[place >> 6] |= (LAST >> (64 - size)) << bit
                node = (place >> 6) + 1
                while node <= words:
                    tree[node] += size
                    node += node & -node
                k += size
            start = end

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
            with nogil:
                self.deal(&item[0])
                for k in range(self.x.n):
                    c[item[k]] = self.ahead[k]
        return out

    def c_above_in_x(self):
        """Share of the items ahead in x that are ahead in y too, summed over the items: the sum of C_i / (p_i - 1), p in x."""
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
        """Share of the items ahead in y that are ahead in x too, summed over the items: the sum of C_i / (p_i - 1), p in y."""
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
        """Like `c_above_in_y`, averaged over the orders of y's ties: the sum of C_i sum_k 1 / (t_i (p_i + k - 2)), k = 1 .. t_i.

        The sum over all items of term I of Urbano and Marrero, equation (6).
        """
        with nogil:
            sum = self.sum_above_in_y_permuted()
        return sum

    cdef double sum_above_in_y_permuted(self) noexcept nogil:
        cdef Accumulator sum = Accumulator(0, 0), inverse
        cdef Py_ssize_t start = self.y.top, end, k
        cdef int64_t group
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


cdef class Totals:
    """What `Ranking` and `Dominance` say of a pair of rankings, for many pairs: an array of each, with an entry a pair.

    Parameters
    ----------
    count : int
        The number of pairs.
    method : str
        The name of the coefficient, which says what sums it takes.
    """

    cdef readonly object integers
    """The rows n; concordant and tied_pairs of both; missing, tied_pairs, top and near-ties of x; and of y."""
    cdef readonly object sums
    """The rows c_above_in_x, c_above_in_y, c_above_in_y_permuted and c_within of y."""
    cdef int64_t[:, ::1] integer
    cdef double[:, ::1] sum
    cdef bint above_in_x
    cdef bint above_in_y
    cdef bint permuted
    cdef bint near_ties

    def __cinit__(self, Py_ssize_t count, str method not None):
        self.integers = np.zeros((11, count), dtype=np.int64)
        self.sums = np.zeros((4, count), dtype=np.float64)
        self.integer = self.integers
        self.sum = self.sums
        self.above_in_x = method == "tauAP_b"
        self.above_in_y = method in ("tauAP", "tauAP_b")
        self.permuted = method == "tauAP_a"
        self.near_ties = method not in ("tau_b", "tauAP_b")

    def put(self, Py_ssize_t k, Dominance d not None):
        """Enter one pair."""
        with nogil:
            self.enter(k, d)

    cdef void enter(self, Py_ssize_t k, Dominance d) noexcept nogil:
        self.integer[0, k] = d.x.n
        self.integer[1, k] = d.concordant
        self.integer[2, k] = d.tied_pairs
        self.integer[3, k] = d.x.missing
        self.integer[4, k] = d.x.tied_pairs
        self.integer[5, k] = d.x.top
        self.integer[7, k] = d.y.missing
        self.integer[8, k] = d.y.tied_pairs
        self.integer[9, k] = d.y.top
        if self.above_in_x:
            self.sum[0, k] = d.sum_above_in_x()
        if self.above_in_y:
            self.sum[1, k] = d.sum_above_in_y()
        if self.permuted:
            self.sum[2, k] = d.sum_above_in_y_permuted()
            self.sum[3, k] = d.y.sum_within()


cdef class Workspace:
    """Memory to rank and count in, again and again, for up to so many items."""

    cdef Ranking x
    cdef Ranking y
    cdef Dominance d
    cdef uint64_t* keys
    cdef uint64_t* spare

    def __cinit__(self, Py_ssize_t most):
        self.x, self.y = Ranking(np.zeros(most)), Ranking(np.zeros(most))
        self.d = Dominance(self.x, self.y)
        self.keys = <uint64_t*> allocate(2 * most + 8, sizeof(uint64_t))
        self.spare = <uint64_t*> allocate(2 * most + 8, sizeof(uint64_t))

    def __dealloc__(self):
        PyMem_RawFree(self.keys)
        PyMem_RawFree(self.spare)


def totals_of_pairs(list x not None, list y not None, const Py_ssize_t[:, ::1] pairs, str method not None):
    """`Totals` of the pairs of rankings x[i] and y[j], all of the same items."""
    cdef Py_ssize_t count = pairs.shape[0], k
    cdef Totals totals = Totals(count, method)
    cdef Dominance d = None
    if len({len(ranking) for ranking in x + y}) > 1:
        raise ValueError("the rankings are not all of the same number of items")
    for k in range(count):
        if d is None:
            tied = Ranking(np.zeros(len(x[pairs[k, 0]]), dtype=np.int8))
            d = Dominance(tied, tied)
        d.x, d.y = x[pairs[k, 0]], y[pairs[k, 1]]
        with nogil:
            d.count()
            totals.enter(k, d)
    return totals


def totals_of_groups(
    const double[::1] x,
    const double[::1] y,
    const Py_ssize_t[::1] ends,
    bint decreasing,
    Py_ssize_t least,
    Py_ssize_t most,
    str method not None,
):
    """`Totals` of the groups of items that end there, one after the other; those not of `least` to `most` items are left.

    Their entries are 0.  Near-ties are neighbours so close that R may print them alike.
    """
    cdef Py_ssize_t count = ends.shape[0], k, start = 0, n
    cdef Totals totals = Totals(count, method)
    cdef Workspace work = Workspace(most)
    with nogil:
        for k in range(count):
            n = ends[k] - start
            if least <= n <= most:
                work.x.rank_doubles(&x[start], 1, n, decreasing, 0, work.keys, work.spare)
                work.y.rank_doubles(&y[start], 1, n, decreasing, 0, work.keys, work.spare)
                work.d.count()
                totals.enter(k, work.d)
                if totals.near_ties:
                    totals.integer[6, k] = near_ties(work.x, &x[start])
                    totals.integer[10, k] = near_ties(work.y, &y[start])
            start = ends[k]
    return totals


cdef Py_ssize_t near_ties(Ranking ranking, const double* values) noexcept nogil:
    cdef Py_ssize_t k, found = 0
    cdef double value, before
    for k in range(1, ranking.n):
        value, before = values[ranking.order[k]], values[ranking.order[k - 1]]
        found += value != before and fabs(value - before) <= 1e-13 * fabs(value)
    return found


def totals_of_permutations(
    Ranking x not None, Ranking y not None, const int32_t[:, ::1] permutations, str method not None
):
    """`Totals` of x and y, where in y item i takes the value of item permutations[k, i].

    Missing values have no place to take: wherever they come to stand, they are last in order of position.
    """
    cdef Py_ssize_t count = permutations.shape[0], n = x.n, k, i
    cdef int32_t place, last
    if y.n != n or permutations.shape[1] != n:
        raise ValueError(f"the rankings have {n} and {y.n} items, and {permutations.shape[1]} are permuted")
    cdef Totals totals = Totals(count, method)
    cdef Dominance d = Dominance(x, ranking_of(*y.__reduce__()[1]))
    with nogil:
        for k in range(count):
            last = <int32_t> (n - y.missing)
            for i in range(n):
                place = y.place[permutations[k, i]]
                if place >= n - y.missing:
                    place = last
                    last += 1
                d.y.place[i] = place
            d.count()
            totals.enter(k, d)
    return totals


def totals_of_resamples(
    const double[:, ::1] X,
    const double[:, ::1] Y,
    const int32_t[:, ::1] draws,
    double x_noise,
    double y_noise,
    bint decreasing,
    str method not None,
):
    """`Totals` of the rankings of the columns of X and Y by their sums over the rows that each line of `draws` names.

    Sums no further apart than the noise are tied.
    """
    cdef Py_ssize_t count = draws.shape[0], m = X.shape[1], k
    cdef Totals totals = Totals(count, method)
    cdef Workspace work = Workspace(m)
    cdef double[::1] sums = np.empty(m)
    with nogil:
        for k in range(count):
            add_rows(X, draws[k], sums)
            work.x.rank_doubles(&sums[0], 1, m, decreasing, x_noise, work.keys, work.spare)
            add_rows(Y, draws[k], sums)
            work.y.rank_doubles(&sums[0], 1, m, decreasing, y_noise, work.keys, work.spare)
            work.d.count()
            totals.enter(k, work.d)
    return totals


cdef void add_rows(const double[:, ::1] table, const int32_t[::1] rows, double[::1] sums) noexcept nogil:
    cdef Py_ssize_t m = table.shape[1], i, j
    cdef const double* row
    cdef double* sum = &sums[0]
    memset(sum, 0, m * sizeof(double))
    for i in range(rows.shape[0]):
        row = &table[rows[i], 0]
        for j in range(m):
            sum[j] += row[j]


def gather_groups(const Py_ssize_t[::1] code, Py_ssize_t count, const double[::1] x, const double[::1] y):
    """x and y with the items of each group side by side, in their order, and where the groups end."""
    cdef Py_ssize_t n = code.shape[0], k, seat
    if x.shape[0] != n or y.shape[0] != n:
        raise ValueError(f"{n} items have a group, and there are {x.shape[0]} and {y.shape[0]}")
    ends, x_out, y_out = np.zeros(count, dtype=np.intp), np.empty(n), np.empty(n)
    cdef Py_ssize_t[::1] end = ends
    cdef double[::1] to_x = x_out, to_y = y_out
    with nogil:
        for k in range(n):
            end[code[k]] += 1
        # Where the groups begin; and, once all their items are seated, where they end.
        seat = 0
        for k in range(count):
            seat += end[k]
            end[k] = seat - end[k]
        for k in range(n):
            seat = end[code[k]]
            end[code[k]] += 1
            to_x[seat] = x[k]
            to_y[seat] = y[k]
    return x_out, y_out, ends
