# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the other batches use of `Totals`."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from .bits cimport short_pair
from .dominance cimport Dominance


cdef enum:
    # Rows of Totals.integers.
    N
    CONCORDANT
    TIED_PAIRS
    X_MISSING
    X_TIED_PAIRS
    X_TOP
    X_NEAR_TIES
    Y_MISSING
    Y_TIED_PAIRS
    Y_TOP
    Y_NEAR_TIES
    INTEGERS

cdef enum:
    # Rows of Totals.sums.
    ABOVE_IN_X
    ABOVE_IN_Y
    ABOVE_IN_Y_PERMUTED
    WITHIN_Y
    SUMS


cdef class Totals:
    cdef readonly object x
    cdef readonly object y
    cdef object integers
    cdef object sums
    cdef int64_t[:, ::1] integer
    cdef double[:, ::1] sum
    cdef bint pairs
    cdef bint above_in_x
    cdef bint above_in_y
    cdef bint permuted
    # A row for each rank-biased overlap, their p and treatments of ties, and scratch memory for so many items.
    cdef object overlaps
    cdef double[:, ::1] found
    cdef double[::1] p
    cdef int32_t[::1] ties
    cdef uint8_t* state
    cdef Py_ssize_t room

    cdef int reserve(self, Py_ssize_t most) except -1
    cdef void set_entry(self, Py_ssize_t k, Dominance d) noexcept nogil
    cdef void set_short(self, Py_ssize_t k, const short_pair* pair, Py_ssize_t n) noexcept nogil
