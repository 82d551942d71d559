# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the batches use of `Dominance`."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from .ranking cimport Ranking


cdef class Dominance:
    cdef readonly Ranking x
    cdef readonly Ranking y
    # Number of pairs of items that both rankings order the same way: the sum of C_i.
    cdef readonly int64_t concordant
    # Number of pairs of items that are tied in both rankings.
    cdef readonly int64_t tied_pairs
    # C_i and the place in x of each item.  The items are in y's order and, within y's tie groups, in x's order.
    cdef int32_t* ahead
    cdef int32_t* x_place
    # Scratch memory.  `counters` is allocated if `wide_count.h` needs it, `used` for more than SHORT_COUNT items if x has
    # ties, `filled` if y has ties.
    cdef void* counters
    cdef int32_t* used
    cdef int32_t* filled

    cdef int allocate_arrays(self, Py_ssize_t n, bint x_tied, bint y_tied) except -1
    cdef void free_arrays(self) noexcept
    cdef void count(self) noexcept nogil
    cdef void merge_orders(self, int32_t* items, int32_t* filled) noexcept nogil
    cdef void copy_places(self) noexcept nogil
    cdef void count_pairs(self) noexcept nogil
    cdef void count_with_bits(self) noexcept nogil
    cdef void sum_counts(self) noexcept nogil
    cdef double sum_above_in_x(self) noexcept nogil
    cdef double sum_above_in_y(self) noexcept nogil
    cdef double sum_above_in_y_permuted(self) noexcept nogil
