# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""`Ranking`: the items of one vector in order, with the place and the tie group of each item.

Places count from 0 in the kernel: `place` is the number of items strictly ahead, the papers' p - 1.

Short vectors of doubles and of 64-bit integers are sorted by `short_sort.pxd`, all others by `LongRanking`, but floats of
more than 64 bits by NumPy's argsort.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.math cimport fabs, isinf
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from .long_ranking cimport LongRanking, check_length, near_neighbours
from .short_sort cimport key_of_double, sort_keys
from .sums cimport within

import numpy as np

from .long_ranking import can_rank

ctypedef fused index:
    int32_t
    Py_ssize_t

cdef enum:
    # Up to this length, which must be a power of two, `short_sort` is faster than `LongRanking`.
    SHORT_SORT = 1024
    # Wide floats are compared in blocks, to save memory.
    BLOCK = 65536

cdef object FLOAT64 = np.dtype(np.float64)
cdef object INT64 = np.dtype(np.int64)


cdef void* allocate(size_t count, size_t size) except NULL:
    """Return zeroed memory for `count` elements, to be freed by `PyMem_RawFree`; raise MemoryError if there is none.

    The extra element keeps the result from being NULL when `count` is 0.
    """
    cdef void* block = PyMem_RawCalloc(count + 1, size)
    if block == NULL:
        raise MemoryError(f"cannot allocate {count} elements of {size} bytes")
    return block


cdef class Ranking:
    """The items of one vector in order from the top, with ties.

    Parameters
    ----------
    values : numpy.ndarray
        One-dimensional, of any integer or real floating-point type.  Values are compared in that type.  NaN is a
        missing value: missing values are ranked last, untied, in order of position.
    decreasing : bool
        Whether the greatest value is at the top.

    Attributes
    ----------
    n : int
        Number of items.
    missing : int
        Number of missing values.
    tied_pairs : int
        Number of pairs of tied items.
    top : int
        Size of the first tie group, t_1.

    Examples
    --------
    >>> ranking = Ranking(np.array([0.2, 0.9, 0.2, 0.5]), decreasing=True)
    >>> ranking.items(), ranking.places()
    (array([1, 3, 0, 2], dtype=int32), array([2, 0, 2, 1], dtype=int32))
    >>> ranking.tied_pairs, ranking.top
    (1, 1)
    """

    def __cinit__(self, values=None, bint decreasing=False):
        if values is None:
            # For `copy` and `ranking_of`, which fill in the attributes.
            return
        cdef Py_ssize_t n = values.shape[0]
        check_length(n)
        self.n = n
        if n == 0:
            self.allocate_arrays()
        elif n <= SHORT_SORT and values.dtype is FLOAT64:
            self.rank_short_doubles(values, decreasing)
        elif n > SHORT_SORT or values.dtype is not INT64 or not self.rank_short_integers(values, decreasing):
            self.rank_long(values, decreasing)

    cdef int allocate_arrays(self) except -1:
        self.order = <int32_t*> allocate(self.n, sizeof(int32_t))
        self.place = <int32_t*> allocate(self.n, sizeof(int32_t))
        self.opens = <uint8_t*> allocate(self.n, sizeof(uint8_t))
        return 0

    cdef int rank_short_doubles(self, const double[:] values, bint decreasing) except -1:
        cdef uint64_t[2 * SHORT_SORT] keys
        # A copy, so that the ranking is that of one vector even if another thread writes to the array meanwhile.
        cdef double[SHORT_SORT] copy
        cdef const char* item = <const char*> &values[0]
        cdef Py_ssize_t k
        for k in range(self.n):
            # Not an assignment: in a field of a structured array doubles may start at any byte.
            memcpy(&copy[k], item + k * values.strides[0], sizeof(double))
        self.allocate_arrays()
        self.rank_doubles(copy, self.n, decreasing, 0, keys, keys + SHORT_SORT)
        return 0

    cdef void rank_doubles(
        self,
        const double* values,
        Py_ssize_t n,
        bint decreasing,
        double noise,
        uint64_t* keys,
        uint64_t* scratch,
    ) noexcept nogil:
        """Rank n doubles in the arrays of this object, which must have room for them.

        Neighbours in the order that differ by at most `noise` are tied.  `keys` and `scratch` are used by `sort_keys`.

        Each key holds the leading bits of the value and, in its last bits, the index of the item.  Values that differ
        only in the bits that the index replaces can come out in the wrong order; `find_double_places` notices that.
        """
        cdef Py_ssize_t k, missing = 0
        cdef uint64_t low = 1, flip = ~<uint64_t> 0 if decreasing else 0
        cdef double value
        while low < <uint64_t> n:
            low *= 2
        low -= 1
        for k in range(n):
            value = values[k]
            missing += value != value
            keys[k] = key_of_double(value, flip) & ~low | <uint64_t> k
        keys = sort_keys(keys, scratch, n)
        for k in range(n):
            self.order[k] = <int32_t> (keys[k] & low)
        self.n = n
        self.missing = missing
        if not self.find_double_places(values, decreasing, noise):
            self.insertion_sort(values, decreasing)
            self.find_double_places(values, decreasing, noise)
        self.top = group_end(self, 0) if n > 0 else 0

    cdef bint find_double_places(self, const double* values, bint decreasing, double noise) noexcept nogil:
        """Fill `place`, `opens` and `tied_pairs` from `order`; return False if the order is not sorted."""
        cdef const int32_t* order = self.order
        cdef int32_t* place = self.place
        cdef uint8_t* opens = self.opens
        cdef Py_ssize_t k, start = 0, n = self.n
        cdef int64_t tied_pairs = 0
        cdef double value, before = 0, step
        cdef bint in_order = True, new
        for k in range(n):
            value = values[order[k]]
            step = before - value if decreasing else value - before
            # The step is NaN between equal infinities and next to a missing value: hence the second condition.
            new = k == 0 or not fabs(step) <= noise and value != before
            in_order &= k == 0 or not step < 0
            before = value
            opens[k] = new
            start = k if new else start
            place[order[k]] = <int32_t> start
            tied_pairs += k - start
        self.tied_pairs = tied_pairs
        return in_order

    cdef void insertion_sort(self, const double* values, bint decreasing) noexcept nogil:
        """Sort `order` by the exact values; fast because the order is nearly sorted."""
        cdef Py_ssize_t n = self.n - self.missing, k, j
        cdef int32_t item
        cdef double value, before
        for k in range(1, n):
            item = self.order[k]
            value = values[item]
            j = k
            while j > 0:
                before = values[self.order[j - 1]]
                if not (value > before if decreasing else value < before):
                    break
                self.order[j] = self.order[j - 1]
                j -= 1
            self.order[j] = item

    cdef bint rank_short_integers(self, const int64_t[:] values, bint decreasing) except -1:
        """Rank the values; return False, with nothing done, if their range leaves no bits for the items in the keys."""
        cdef uint64_t[2 * SHORT_SORT] keys
        cdef uint64_t* sorted_keys
        cdef uint8_t[SHORT_SORT] steps
        cdef int32_t[SHORT_SORT] items
        # A copy, as of doubles.
        cdef int64_t[SHORT_SORT] copy
        cdef const char* item = <const char*> &values[0]
        cdef Py_ssize_t k
        for k in range(self.n):
            memcpy(&copy[k], item + k * values.strides[0], sizeof(int64_t))
        cdef int64_t least = copy[0], most = copy[0]
        for k in range(self.n):
            least = min(least, copy[k])
            most = max(most, copy[k])
        if (<uint64_t> most - <uint64_t> least) >> 53:
            return False
        for k in range(self.n):
            keys[k] = (<uint64_t> copy[k] - <uint64_t> least) * SHORT_SORT + <uint64_t> k
        sorted_keys = sort_keys(keys, keys + SHORT_SORT, self.n)
        for k in range(self.n):
            items[k] = <int32_t> (sorted_keys[k] % SHORT_SORT)
            if k > 0:
                steps[k - 1] = sorted_keys[k] // SHORT_SORT != sorted_keys[k - 1] // SHORT_SORT
        self.allocate_arrays()
        find_places(self, items, steps, decreasing)
        return True

    cdef int rank_long(self, values, bint decreasing) except -1:
        """Rank values of any type and length."""
        cdef LongRanking ranking
        cdef Py_ssize_t k, start = 0
        if not can_rank(values):
            return self.rank_wide_floats(values, decreasing)
        ranking = LongRanking(values, decreasing)
        self.missing, self.tied_pairs, self.top = ranking.missing, ranking.tied_pairs, ranking.top
        self.order, ranking.order = ranking.order, NULL
        self.opens, ranking.opens = ranking.opens, NULL
        self.place = <int32_t*> allocate(self.n, sizeof(int32_t))
        with nogil:
            for k in range(self.n):
                if self.opens[k]:
                    start = k
                self.place[self.order[k]] = <int32_t> start
        return 0

    cdef int rank_wide_floats(self, values, bint decreasing) except -1:
        """Rank floats of more than 64 bits, with NumPy's argsort."""
        # A copy, so that the ranking is that of one vector even if another thread writes to the array meanwhile.
        values = values.copy()
        sorted_items = values.argsort()
        if np.isnan(values[sorted_items[self.n - 1:]]).any():
            self.missing = np.count_nonzero(np.isnan(values))
            sorted_items[self.n - self.missing:].sort()
        changes = np.empty(self.n - 1, dtype=bool)
        for start in range(0, self.n - 1, BLOCK):
            in_order = values.take(sorted_items[start:start + BLOCK + 1])
            changes[start:start + BLOCK] = in_order[1:] != in_order[:len(in_order) - 1]
        del values  # freed early: it is larger than all else
        cdef const Py_ssize_t[::1] upwards = sorted_items
        cdef const uint8_t[::1] steps = changes.view(np.uint8)
        self.allocate_arrays()
        with nogil:
            find_places(self, &upwards[0], &steps[0] if self.n > 1 else NULL, decreasing)
        return 0

    def __dealloc__(self):
        PyMem_RawFree(self.order)
        PyMem_RawFree(self.place)
        PyMem_RawFree(self.opens)

    def __len__(self):
        return self.n

    cdef Ranking copy(self):
        cdef Ranking other = Ranking.__new__(Ranking)
        other.n, other.missing, other.tied_pairs, other.top = self.n, self.missing, self.tied_pairs, self.top
        other.allocate_arrays()
        memcpy(other.order, self.order, self.n * sizeof(int32_t))
        memcpy(other.place, self.place, self.n * sizeof(int32_t))
        memcpy(other.opens, self.opens, self.n * sizeof(uint8_t))
        return other

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
        """Return the number of items strictly ahead of each item, p - 1, in the order of the vector."""
        out = np.empty(self.n, dtype=np.int32)
        cdef int32_t[::1] place = out
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                place[i] = self.place[i]
        return out

    def items(self):
        """Return the indices of the items in the vector, from the top of the ranking to its bottom."""
        out = np.empty(self.n, dtype=np.int32)
        cdef int32_t[::1] item = out
        cdef Py_ssize_t k
        with nogil:
            for k in range(self.n):
                item[k] = self.order[k]
        return out

    def near_neighbours(self, const double[:] values not None, double near):
        """Return the pairs of neighbours whose difference is at most `near`, relative to the lesser magnitude.

        Parameters
        ----------
        values : numpy.ndarray of float
            The values of the items as doubles.
        near : float

        Returns
        -------
        numpy.ndarray of float
            A row for each pair, from the top of the ranking to its bottom, with the value nearer to the top first.

        Examples
        --------
        >>> values = np.array([0.3, 0.5, 0.1 + 0.2])
        >>> Ranking(values).near_neighbours(values, 1e-15).tolist()
        [[0.3, 0.30000000000000004]]
        """
        return near_neighbours(self.order, NULL, self.n, self.missing, values, near)

    def close_neighbours(self, const double[:] values not None, double share):
        """Return the number of neighbours that differ, but by at most this share of the largest finite magnitude.

        Parameters
        ----------
        values : numpy.ndarray of float
            The values of the items as doubles.
        share : float

        Examples
        --------
        >>> values = np.array([0.3, 0.5, 0.1 + 0.2, 0.3, 1e-20, 0])
        >>> Ranking(values).close_neighbours(values, 1e-15)
        2
        """
        if values.shape[0] != self.n:
            raise ValueError(f"'values' must have {self.n} items, not {values.shape[0]}")
        cdef Py_ssize_t k, first = 0, last = self.n - self.missing - 1, count = 0
        cdef double one, other = 0, noise
        with nogil:
            # The largest magnitude is at one of the ends.
            while first <= last and isinf(values[self.order[first]]):
                first += 1
            while first <= last and isinf(values[self.order[last]]):
                last -= 1
            if first < last:
                noise = share * max(fabs(values[self.order[first]]), fabs(values[self.order[last]]))
                for k in range(first, last + 1):
                    one, other = other, values[self.order[k]]
                    count += k > first and one != other and fabs(one - other) <= noise
        return count

    def group_sizes(self):
        """Return the size of each item's tie group, t, in the order of the vector."""
        out = np.empty(self.n, dtype=np.int32)
        cdef int32_t[::1] t = out
        cdef Py_ssize_t start = 0, end, k
        with nogil:
            while start < self.n:
                end = group_end(self, start)
                for k in range(start, end):
                    t[self.order[k]] = <int32_t> (end - start)
                start = end
        return out

    def c_within(self):
        """Return the sum of 1/2 sum_k k / (p + k - 1), k = 1 .. t - 1, over all tie groups.

        These are the concordant pairs expected within tie groups, weighted by position: term II of Urbano and Marrero,
        equation (7).
        """
        with nogil:
            sum = self.sum_within()
        return sum

    cdef double sum_within(self) noexcept nogil:
        return within(self.opens, self.n)


cdef void find_places(Ranking ranking, const index* upwards, const uint8_t* steps, bint decreasing) noexcept nogil:
    """Fill the arrays of a ranking whose `n` and `missing` are set.

    `upwards` are the items by increasing value, missing ones last.  steps[k] is 1 if the values at positions k and
    k + 1 of that order differ, else 0.
    """
    cdef Py_ssize_t n = ranking.n, observed = n - ranking.missing, k, j, start = 0
    cdef int64_t tied_pairs = 0
    cdef int32_t item
    for k in range(n):
        if k >= observed:
            j = k
            ranking.opens[k] = True
        elif decreasing:
            j = observed - 1 - k
            ranking.opens[k] = k == 0 or steps[j]
        else:
            j = k
            ranking.opens[k] = k == 0 or steps[k - 1]
        if ranking.opens[k]:
            start = k
        item = <int32_t> upwards[j]
        ranking.order[k] = item
        ranking.place[item] = <int32_t> start
        tied_pairs += k - start
    ranking.tied_pairs = tied_pairs
    ranking.top = group_end(ranking, 0) if n > 0 else 0


def ranking_of(const int32_t[::1] items, const uint8_t[::1] opens, Py_ssize_t missing):
    """Make a ranking from its parts; used by pickle.

    Parameters
    ----------
    items : numpy.ndarray of int32
        The items from top to bottom, missing ones last.
    opens : numpy.ndarray of uint8
        1 at each position where a tie group starts, else 0.
    missing : int
        Number of missing values.
    """
    cdef Ranking ranking = Ranking.__new__(Ranking)
    ranking.n = items.shape[0]
    ranking.missing = missing
    ranking.allocate_arrays()
    if ranking.n > 0:
        find_places(ranking, &items[0], &opens[0] + 1, False)
    return ranking
