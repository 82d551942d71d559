# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A ranking of items, each of which is a whole number."""

from libc.stdint cimport int32_t, uint8_t


cdef class Items:
    # Number of items.
    cdef readonly Py_ssize_t n
    # order[k] is the item at position k, counted from the top; opens[k] is True if a tie group starts there.
    cdef int32_t* order
    cdef uint8_t* opens

    cdef int allocate_arrays(self, Py_ssize_t n) except -1
