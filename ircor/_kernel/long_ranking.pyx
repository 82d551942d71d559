# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""`LongRanking`: the items of a long vector in order, in little memory.

Each value becomes a key, a whole number of 64 bits in the same order.  What the keys have in common is removed from them:
the least key, and the last bits if they are the same in all keys, as in whole numbers and in numbers of few digits.  The
first bits of what is left are packed with the index of the item into 64 bits, and `numpy.sort`, which uses vector
instructions where the processor has them, sorts these in place.  The bits that did not fit are kept apart.  Packed keys
with the same first bits are neighbours then, and are sorted by the bits kept apart.  If there are few values, as ranks of
judges or percentages, a counting sort is faster.

Every value is read once, into its key.  If another thread writes to the array meanwhile, the ranking is that of a mixture
of old and new values, but it is a ranking.
"""

from cpython.buffer cimport PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.math cimport fabs
from libc.stdint cimport (
    int8_t,
    int16_t,
    int32_t,
    int64_t,
    uint8_t,
    uint16_t,
    uint32_t,
    uint64_t,
)
from libc.string cimport memcpy, memset

from .short_sort cimport key_of_double, sort_keys
from .sums cimport end_of_group, within

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define IRCOR_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define IRCOR_PREFETCH(address) ((void) 0)
    #endif
    """
    void prefetch "IRCOR_PREFETCH"(const void* address) nogil

ctypedef fused signed_number:
    int8_t
    int16_t
    int32_t
    int64_t

ctypedef fused number:
    double
    float
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t

cdef enum:
    # Positions are 32-bit integers.
    MAX_ITEMS = 2147483647
    # With fewer different values possible, they are sorted by counting.
    FEW = 2048
    # How many values ahead memory is asked for.
    AHEAD = 32
    # Longest run that `sort_keys` sorts.
    SHORT_RUN = 1024
    # Doubles whose difference is at most 2e-14 of the lesser are at most 180 units in the last place apart.
    NEAREST = 256

cdef uint64_t MISSING = ~<uint64_t> 0
cdef double NEAR = 2e-14
cdef tuple TYPES = ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1")


cdef int check_length(Py_ssize_t n) except -1:
    if n > MAX_ITEMS:
        raise ValueError(f"'values' must have at most {MAX_ITEMS} items, not {n}")
    return 0


cdef void* memory(size_t count, size_t size) except NULL:
    """Return memory for `count` elements, which is not set to anything; to be freed by `PyMem_RawFree`."""
    cdef void* block = PyMem_RawMalloc(count * size + 1)
    if block == NULL:
        raise MemoryError(f"cannot allocate {count} elements of {size} bytes")
    return block


def can_rank(values):
    """Whether `LongRanking` takes values of this type: all but floats of more than 64 bits.

    Examples
    --------
    >>> can_rank(np.arange(3)), can_rank(np.ones(3, dtype=np.float32)), can_rank(np.ones(3, dtype=complex))
    (True, True, False)
    """
    return values.dtype.kind in "biuf" and values.dtype.itemsize <= 8


cdef class LongRanking:
    """The items of one vector in order from the top, with ties, as in `Ranking`, but without the places of the items.

    Parameters
    ----------
    values : numpy.ndarray
        One-dimensional, of any type that `can_rank` accepts.  NaN is a missing value: missing values are ranked last,
        untied, in order of position.
    decreasing : bool
        Whether the greatest value is at the top.
    after : LongRanking, optional
        The ranking of x if `values` are those of y: the items are then numbered by their positions in x, and sorted by
        x within the tie groups of y, as `LongDominance` needs them.
    forget : bool
        Whether x gives up the memory of its items.  Then no other ranking can be made after it, and neither ranking has
        `near_neighbours`.  If x has ties, it always does.

    Attributes
    ----------
    n, missing, tied_pairs, top, total_pairs
        As in `Ranking`.
    after : LongRanking or None

    Raises
    ------
    TypeError
        If the values are of another type.
    ValueError
        If there are too many values, or if `after` has another number of items, or gave up its items already.

    Examples
    --------
    >>> x = LongRanking(np.array([0.2, 0.9, 0.2, 0.5]), decreasing=True)
    >>> x.tied_pairs, x.top, x.total_pairs
    (1, 1, 6)
    >>> LongRanking(np.array([4, 3, 2, 1]), decreasing=True, after=x).top
    1
    """

    def __cinit__(self, values not None, bint decreasing=False, LongRanking after=None, bint forget=False):
        if not can_rank(values):
            raise TypeError(f"'values' must be numbers of 64 bits or fewer, but they are of type {values.dtype}")
        self.n = values.shape[0]
        check_length(self.n)
        if after is not None and (after.n != self.n or after.order == NULL):
            raise ValueError(f"'after' must be a ranking of {self.n} items that no other was made after")
        self.after = after
        self.fill_keys(values, decreasing)
        if after is not None and after.tied_pairs == 0:
            PyMem_RawFree(after.opens)
            after.opens = NULL
        forget = after is not None and (forget or after.tied_pairs > 0)
        # Missing values are sorted by their positions in y, which the items of x tell.
        if forget and self.missing == 0:
            after.forget_items()
        self.sort(values.dtype.kind == "f")
        if forget:
            after.forget_items()

    def __dealloc__(self):
        PyMem_RawFree(self.keys)
        PyMem_RawFree(self.rest)
        PyMem_RawFree(self.order)
        PyMem_RawFree(self.opens)

    cdef void forget_items(self) noexcept nogil:
        PyMem_RawFree(self.order)
        self.order = NULL

    cdef int fill_keys(self, values, bint decreasing) except -1:
        """Set `keys` to the keys of the values, in the order of `after`, and `missing` to the number of NaN."""
        cdef const int32_t* through = NULL if self.after is None else self.after.order
        cdef uint64_t* keys = <uint64_t*> memory(self.n, sizeof(uint64_t))
        cdef Py_buffer view
        cdef int type_of
        self.keys = keys
        if not values.dtype.isnative:
            values = values.astype(values.dtype.newbyteorder("="))
        if values.dtype.kind == "b":
            values = values.view(np.uint8)
        elif values.dtype == np.float16:
            values = values.astype(np.float32)
        type_of = TYPES.index(f"{values.dtype.kind}{values.dtype.itemsize}")
        PyObject_GetBuffer(values, &view, PyBUF_STRIDED_RO)
        with nogil:
            if type_of == 0:
                read_keys(<double*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 1:
                read_keys(<float*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 2:
                read_keys(<int64_t*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 3:
                read_keys(<int32_t*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 4:
                read_keys(<int16_t*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 5:
                read_keys(<int8_t*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 6:
                read_keys(<uint64_t*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 7:
                read_keys(<uint32_t*> NULL, &view, through, decreasing, keys, &self.range)
            elif type_of == 8:
                read_keys(<uint16_t*> NULL, &view, through, decreasing, keys, &self.range)
            else:
                read_keys(<uint8_t*> NULL, &view, through, decreasing, keys, &self.range)
        PyBuffer_Release(&view)
        self.missing = self.range.missing
        return 0

    cdef int sort(self, bint floating) except -1:
        """Set all attributes but `missing` from the keys, and free these."""
        cdef uint64_t differences = self.range.any ^ self.range.all, greatest = 0, near
        cdef int same = 0
        while differences and not differences >> same & 1:
            same += 1
        if self.missing < self.n:
            greatest = (self.range.greatest - self.range.least) >> same
        near = NEAREST >> same if floating and same < 32 else 0
        if greatest < FEW and self.missing == 0:
            return self.sort_few(same, near)
        return self.sort_packed(same, greatest, near)

    cdef int sort_few(self, int same, uint64_t near) except -1:
        """A counting sort, for values among FEW."""
        cdef Py_ssize_t[FEW] ends
        cdef Py_ssize_t n = self.n, k, value, count, before = -1
        cdef uint64_t least = self.range.least
        cdef const uint64_t* keys = self.keys
        cdef int32_t* order = <int32_t*> memory(n, sizeof(int32_t))
        cdef int64_t tied_pairs = 0
        self.order = order
        memset(ends, 0, sizeof(ends))
        with nogil:
            for k in range(n):
                ends[(keys[k] - least) >> same] += 1
            # `ends` becomes the start of each group; the loop after this advances it by each item, up to the group's end.
            k = 0
            for value in range(FEW):
                count = ends[value]
                ends[value] = k
                k += count
                tied_pairs += count * (count - 1) // 2
                if count > 0:
                    self.near |= before >= 0 and <uint64_t> (value - before) <= near
                    before = value
            for k in range(n):
                value = (keys[k] - least) >> same
                order[ends[value]] = <int32_t> k
                ends[value] += 1
            PyMem_RawFree(self.keys)
            self.keys = NULL
        self.tied_pairs = tied_pairs
        self.opens = <uint8_t*> memory(n, 1)
        memset(self.opens, 0, n)
        for value in range(FEW):
            if ends[value] < n:
                self.opens[ends[value]] = True
        if n > 0:
            self.opens[0] = True
            self.top = ends[0]
        return 0

    cdef int sort_packed(self, int same, uint64_t greatest, uint64_t near) except -1:
        """Sort keys with the index of the item in their last bits."""
        cdef Py_ssize_t n = self.n, k
        cdef uint64_t* keys = self.keys
        cdef uint64_t least = self.range.least, last, value, first, rests
        cdef bint missing = self.missing > 0
        cdef int item_bits = 1, value_bits = 0, rest_bits
        cdef uint32_t word
        while value_bits < 64 and greatest >> value_bits:
            value_bits += 1
        while <Py_ssize_t> 1 << item_bits < n:
            item_bits += 1
        rest_bits = max(0, value_bits + item_bits - 64)
        # Missing values come after the greatest.
        if missing and (greatest >> rest_bits) + 1 >> 64 - item_bits:
            rest_bits += 1
        last = (greatest >> rest_bits) + 1
        if rest_bits > 0:
            self.rest = <uint32_t*> memory(n, sizeof(uint32_t))
        with nogil:
            rests = (<uint64_t> 1 << rest_bits) - 1
            for k in range(n):
                value = (keys[k] - least) >> same
                first = last if missing and keys[k] == MISSING else value >> rest_bits
                if rest_bits > 0:
                    self.rest[k] = <uint32_t> (value & rests)
                keys[k] = first << item_bits | <uint64_t> k
        sort_words(keys, n)
        if self.after is not None and self.missing > 1:
            self.sort_missing(item_bits)
        with nogil:
            self.put_in_order(item_bits, rest_bits, near)
            PyMem_RawFree(self.rest)
            self.rest = NULL
        self.order = <int32_t*> PyMem_RawRealloc(keys, n * sizeof(int32_t) + 1)
        if self.order == NULL:
            raise MemoryError(f"cannot allocate {n} elements of {sizeof(int32_t)} bytes")
        self.keys = NULL
        self.opens = <uint8_t*> memory(n, 1)
        with nogil:
            for k in range(n):
                word = <uint32_t> self.order[k]
                self.opens[k] = word >> 31
                self.order[k] = <int32_t> (word & 0x7FFFFFFF)
            self.top = end_of_group(self.opens, n, 0) if n > 0 else 0
        return 0

    cdef int sort_missing(self, int item_bits) except -1:
        """Sort the missing values of y, the last in the order, by their positions in y instead of those in x."""
        cdef uint64_t* last = self.keys + self.n - self.missing
        cdef uint64_t position
        cdef Py_ssize_t k
        for k in range(self.missing):
            position = last[k] & ((<uint64_t> 1 << item_bits) - 1)
            last[k] = <uint64_t> self.after.order[position] << item_bits | position
        sort_words(last, self.missing)
        return 0

    cdef int put_in_order(self, int item_bits, int rest_bits, uint64_t near) except -1 nogil:
        """Replace the sorted keys by 32 bits for each item: its number, and in the first bit whether a group starts.

        Both are in the same memory, so the numbers are written by `memcpy`, which compilers expect to overlap.  `near` is
        the greatest difference of values that sets the attribute of that name.
        """
        cdef uint64_t* keys = self.keys
        cdef const uint32_t* rest = self.rest
        cdef Py_ssize_t n = self.n, observed = n - self.missing, k = 0, end, start = 0
        cdef uint64_t items = (<uint64_t> 1 << item_bits) - 1, first, first_before = 0, item, before = 0, step
        cdef uint64_t reach = (near >> rest_bits) + 1
        cdef int64_t tied_pairs = 0
        cdef bint new
        while k < observed:
            first = keys[k] >> item_bits
            end = k + 1
            if rest_bits > 0:
                while end < observed and keys[end] >> item_bits == first:
                    end += 1
                if end - k > 1:
                    sort_run(keys + k, end - k, rest, item_bits)
            while k < end:
                item = keys[k] & items
                step = first - first_before
                if rest_bits > 0 and step <= reach and k > 0:
                    step = (step << rest_bits) + rest[item] - rest[before]
                new = k == 0 or step > 0
                self.near |= new and step <= near and k > 0
                if new:
                    start = k
                tied_pairs += k - start
                put(keys, k, item, new)
                first_before, before = first, item
                k += 1
        while k < n:
            put(keys, k, keys[k] & items, True)
            k += 1
        self.tied_pairs = tied_pairs
        return 0

    def __len__(self):
        return self.n

    @property
    def total_pairs(self):
        """Number of pairs of items, n(n - 1)/2."""
        return self.n * (self.n - 1) // 2

    def c_within(self):
        """Return the sum of `Ranking.c_within`."""
        with nogil:
            sum = within(self.opens, self.n) if self.tied_pairs > 0 else 0
        return sum

    def near_neighbours(self, const double[:] values not None, double near):
        """Return what `Ranking.near_neighbours` does.

        Raises
        ------
        ValueError
            If `values` has another number of items, or if x gave up its items and this is a ranking after x or x itself.
        """
        if self.order == NULL or self.after is not None and self.after.order == NULL:
            raise ValueError("the items are not known: x gave up its own")
        if self.tied_pairs == 0 and not self.near and near <= NEAR:
            return np.empty((0, 2))
        cdef const int32_t* through = NULL if self.after is None else self.after.order
        return near_neighbours(self.order, through, self.n, self.missing, values, near)


cdef void read_keys(
    const number* type_of, Py_buffer* view, const int32_t* through, bint decreasing, uint64_t* keys, Range* found
) noexcept nogil:
    """Set keys[k] to the key of the k-th value, or of value through[k]; `type_of` is there for its type."""
    cdef const char* values = <const char*> view.buf
    cdef Py_ssize_t stride = view.strides[0], k
    cdef uint64_t flip = ~<uint64_t> 0 if decreasing else 0, key
    # Missing values have the key with all bits set, which changes neither `least` nor `all`.
    cdef Range range_of = Range(MISSING, 0, 0, ~<uint64_t> 0, 0)
    cdef bint missing = False
    cdef number value
    for k in range(view.shape[0]):
        # Values in another order are fetched one by one; asking for them in time takes a quarter off the time of all.
        if through != NULL and k + AHEAD < view.shape[0]:
            prefetch(values + stride * through[k + AHEAD])
        # Not an assignment: in a field of a structured array values may start at any byte.
        memcpy(&value, values + stride * (k if through == NULL else through[k]), sizeof(number))
        if number is double or number is float:
            key = key_of_double(value, flip)
            missing = key == MISSING
        elif number in signed_number:
            key = <uint64_t> <int64_t> value ^ <uint64_t> 1 << 63 ^ flip
        else:
            key = <uint64_t> value ^ flip
        keys[k] = key
        range_of.missing += missing
        range_of.least = min(range_of.least, key)
        range_of.all &= key
        key = 0 if missing else key
        range_of.greatest = max(range_of.greatest, key)
        range_of.any |= key
    found[0] = range_of


cdef inline void put(uint64_t* keys, Py_ssize_t k, uint64_t item, bint new) noexcept nogil:
    cdef uint32_t word = <uint32_t> (item | <uint64_t> new << 31)
    memcpy(<char*> keys + k * sizeof(uint32_t), &word, sizeof(uint32_t))


cdef int sort_words(uint64_t* words, Py_ssize_t count) except -1 with gil:
    """Sort by NumPy, which releases the GIL."""
    if count > 1:
        np.asarray(<uint64_t[:count]> words).sort()
    return 0


cdef int sort_run(uint64_t* keys, Py_ssize_t count, const uint32_t* rest, int item_bits) except -1 nogil:
    """Sort keys whose first bits are the same by the rest, and make the rest their first bits."""
    cdef uint64_t[2 * SHORT_RUN] short
    cdef uint64_t items = (<uint64_t> 1 << item_bits) - 1
    cdef bint sorted = True
    cdef Py_ssize_t k
    for k in range(count):
        keys[k] = <uint64_t> rest[keys[k] & items] << item_bits | keys[k] & items
        sorted &= k == 0 or keys[k - 1] < keys[k]
    if not sorted and count <= SHORT_RUN:
        memcpy(short, keys, count * sizeof(uint64_t))
        memcpy(keys, sort_keys(short, short + SHORT_RUN, count), count * sizeof(uint64_t))
    elif not sorted:
        sort_words(keys, count)
    return 0


cdef near_neighbours(
    const int32_t* order,
    const int32_t* through,
    Py_ssize_t n,
    Py_ssize_t missing,
    const double[:] values,
    double near,
):
    """Return the pairs of `Ranking.near_neighbours`: of items order[k], or of items through[order[k]]."""
    if values.shape[0] != n:
        raise ValueError(f"'values' must have {n} items, not {values.shape[0]}")
    cdef Py_ssize_t count, found
    with nogil:
        count = find_near_neighbours(order, through, n - missing, values, near, NULL, n)
    out = np.empty((count, 2))
    cdef double[:, ::1] pairs
    if count == 0:
        return out
    pairs = out
    with nogil:
        found = find_near_neighbours(order, through, n - missing, values, near, &pairs[0, 0], count)
    return out[:found]


cdef Py_ssize_t find_near_neighbours(
    const int32_t* order,
    const int32_t* through,
    Py_ssize_t observed,
    const double[:] values,
    double near,
    double* pairs,
    Py_ssize_t most,
) noexcept nogil:
    """Return the number of pairs, and write them to `pairs` unless it is NULL, up to `most` pairs.

    If another thread writes to the values, a second search may find more pairs than the first.
    """
    cdef Py_ssize_t k, count = 0
    cdef double one, other = 0
    for k in range(observed):
        one, other = other, values[order[k] if through == NULL else through[order[k]]]
        if count == most:
            break
        # The difference of equal infinities is NaN.
        if k > 0 and (one == other or fabs(one - other) <= near * min(fabs(one), fabs(other))):
            if pairs != NULL:
                pairs[2 * count], pairs[2 * count + 1] = one, other
            count += 1
    return count
