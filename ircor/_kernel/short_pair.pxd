# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the batches use to compare all pairs of items of two short rankings."""

from libc.stdint cimport uint8_t

from .bits cimport short_counts
from .ranking cimport Ranking


cdef bint load(const double* values, Py_ssize_t n, bint decreasing, double* padded) noexcept nogil
cdef double sum_above(const double* c, const double* divisors, Py_ssize_t n) noexcept nogil
cdef double sum_permuted(const short_counts* counts, Py_ssize_t n) noexcept nogil
cdef double sum_within(const uint8_t* places, Py_ssize_t n) noexcept nogil
cdef Py_ssize_t near_ties(Ranking ranking, const double* values) noexcept nogil
cdef Py_ssize_t near_ties_compared(const double* values, const uint8_t* places, Py_ssize_t n) noexcept nogil
