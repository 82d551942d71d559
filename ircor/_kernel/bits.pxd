# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernels for the instructions of this processor, and what the batches use of the bits of rankings."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t

from .ranking cimport Ranking


cdef extern from "counting.h" nogil:
    enum:
        PADDING
        MOST_COMPARED

    ctypedef struct short_counts:
        double[MOST_COMPARED] c
        double[MOST_COMPARED] x_divisors
        double[MOST_COMPARED] y_divisors
        uint8_t[MOST_COMPARED] x_places
        uint8_t[MOST_COMPARED] y_places
        int64_t concordant
        int64_t tied_pairs
        int64_t x_untied_pairs
        int64_t y_untied_pairs
        int64_t x_top
        int64_t y_top

    ctypedef struct counting_kernels:
        const char* name
        int most_in_bits
        int most_compared
        void (*pair_bits)(const int16_t* places, size_t n, uint64_t* later_ahead, uint64_t* tied) noexcept nogil
        int64_t (*differing)(const uint64_t* a, const uint64_t* b, size_t words) noexcept nogil
        int64_t (*differing_untied)(
            const uint64_t* a, const uint64_t* b, const uint64_t* tied, size_t words
        ) noexcept nogil
        int64_t (*differing_both)(
            const uint64_t* a,
            const uint64_t* b,
            const uint64_t* tied_a,
            const uint64_t* tied_b,
            size_t words,
            int64_t* tied,
        ) noexcept nogil
        void (*common)(const uint64_t* a, const uint64_t* b, size_t n, double* c) noexcept nogil
        double (*sum_of_quotients)(const double* c, const double* divisors, size_t n) noexcept nogil
        double (*sum_of_products)(const double* c, const double* factors, size_t n) noexcept nogil
        void (*compare_short)(const double* x, const double* y, size_t n, short_counts* found) noexcept nogil


# The kernels in use; up to how many items rankings are compared as bits; up to how many all pairs of items are compared.
cdef const counting_kernels* kernels
cdef int most_in_bits
cdef int most_compared


cdef class PairBits:
    # The number of words for each ranking.
    cdef readonly Py_ssize_t words
    # For each ranking, the two strings of bits of `pair_bits`; the second is NULL if there are no ties.
    cdef Py_ssize_t count
    cdef uint64_t** ahead
    cdef uint64_t** tied

    cdef int64_t discordant(self, Py_ssize_t i, PairBits other, Py_ssize_t j, int64_t* tied) noexcept nogil


cdef class AheadBits:
    cdef Py_ssize_t n
    # The number of items rounded up to PADDING, and the number of words for each ranking.
    cdef Py_ssize_t padded
    cdef readonly Py_ssize_t words
    cdef Py_ssize_t count
    # Kept, since `orders` and `opens` point into them.
    cdef list rankings
    # For each ranking, the bits as `common` takes them; the number of items ahead of each item, or 1; and, if they are
    # needed, the factors of `sum_permuted`.
    cdef uint64_t* rows
    cdef double* divisors
    cdef double* factors
    # Where the order and the tie groups of each ranking are, for `sum_permuted`; NULL if it has no ties.
    cdef const int32_t** orders
    cdef const uint8_t** opens

    cdef void fill(self, Py_ssize_t column, Ranking ranking, uint64_t* ahead) noexcept
    cdef void fill_factors(self, double* factors, Ranking ranking) noexcept nogil
    cdef double sum_of_quotients(self, Py_ssize_t column, const double* c) noexcept nogil
    cdef double sum_permuted(self, Py_ssize_t column, const double* c) noexcept nogil
