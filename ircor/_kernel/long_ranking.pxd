# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the other kernels use of `LongRanking`, the limit of lengths, and the search for near neighbours."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t


cdef struct Range:
    # Of the keys of all values but missing ones: the least, the greatest, the bits that any has, the bits that all have.
    uint64_t least
    uint64_t greatest
    uint64_t any
    uint64_t all
    Py_ssize_t missing


cdef class LongRanking:
    # Number of items.
    cdef readonly Py_ssize_t n
    # Number of missing values.
    cdef readonly Py_ssize_t missing
    # Number of pairs of tied items.
    cdef readonly int64_t tied_pairs
    # Size of the first tie group, t_1.
    cdef readonly Py_ssize_t top
    # The ranking of x if this is one of y after x, else None.
    cdef readonly LongRanking after
    # order[k] is the item at position k, counted from the top; opens[k] is True if a tie group starts there.  In a ranking
    # after x, order[k] is the item's position in x.
    cdef int32_t* order
    cdef uint8_t* opens
    # Whether there may be neighbours that differ by NEAREST units in the last place or less.
    cdef bint near
    # Memory of the sort: one key for each value, what they have in common, and the last bits of the keys.
    cdef uint64_t* keys
    cdef Range range
    cdef uint32_t* rest

    cdef int fill_keys(self, values, bint decreasing) except -1
    cdef int sort(self, bint floating) except -1
    cdef int sort_few(self, int same, uint64_t near) except -1
    cdef int sort_packed(self, int same, uint64_t greatest, uint64_t near) except -1
    cdef int put_in_order(self, int item_bits, int rest_bits, uint64_t near) except -1 nogil
    cdef int sort_missing(self, int item_bits) except -1
    cdef void forget_items(self) noexcept nogil


cdef int check_length(Py_ssize_t n) except -1
cdef near_neighbours(
    const int32_t* order,
    const int32_t* through,
    Py_ssize_t n,
    Py_ssize_t missing,
    const double[:] values,
    double near,
)
