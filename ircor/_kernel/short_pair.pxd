# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the batches use to compare all pairs of items of two short rankings."""

from .bits cimport short_pair, short_ranking
from .ranking cimport Ranking

cdef enum:
    # The arrays of a `short_ranking`, each of `padded` numbers of 8 bytes.
    ARRAYS = 3


cdef Py_ssize_t padded(Py_ssize_t n) noexcept nogil
cdef void use_memory(short_ranking* ranking, void* memory, Py_ssize_t room) noexcept nogil
cdef bint load(short_ranking* ranking, const double* values, Py_ssize_t n, bint decreasing) noexcept nogil
cdef double sum_above(const double* c, const double* divisors, Py_ssize_t n) noexcept nogil
cdef double sum_permuted(const short_pair* pair, Py_ssize_t n) noexcept nogil
cdef double sum_within(const short_ranking* ranking, Py_ssize_t n) noexcept nogil
cdef Py_ssize_t near_ties(Ranking ranking, const double* values) noexcept nogil
cdef Py_ssize_t near_ties_compared(const short_ranking* ranking, Py_ssize_t n) noexcept nogil
cdef bint are_apart(const short_ranking* ranking, Py_ssize_t n, double noise) noexcept nogil
