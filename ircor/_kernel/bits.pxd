# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernels for the instructions of this processor, and what the batches use of the bits of rankings."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from .ranking cimport Ranking


cdef extern from "counting.h" nogil:
    enum:
        PADDING
        MOST_SUMMED
        MOST_COMPARED

    ctypedef struct short_ranking:
        const double* values
        uint64_t* places
        double* divisors
        int64_t untied_pairs
        int64_t top

    ctypedef struct short_pair:
        short_ranking x
        short_ranking y
        double* c
        int64_t concordant
        int64_t tied_pairs

    ctypedef struct counting_kernels:
        const char* name
        int pairs_up_to
        int ahead_up_to
        int compared_up_to
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
        void (*common)(
            const uint64_t* a, const uint64_t* b, size_t items, size_t width, double* c
        ) noexcept nogil
        void (*add_quotients)(const double* c, const double* divisors, size_t items, double* sums) noexcept nogil
        void (*add_shares)(
            const double* c, const double* divisors, const double* inverses, size_t items, double* sums
        ) noexcept nogil
        void (*add_products)(const double* c, const double* factors, size_t items, double* sums) noexcept nogil
        void (*compare_short)(short_pair* pair, size_t n) noexcept nogil
        void (*count_ahead)(
            const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* filled, int32_t* ahead
        ) noexcept nogil
        void (*count_ahead_from_below)(
            const int32_t* seat, const int32_t* x_place, const uint8_t* y_opens, size_t n, void* memory, int32_t* ahead
        ) noexcept nogil
        void (*count_shuffled)(
            const int32_t* items,
            const int32_t* places,
            const uint8_t* y_opens,
            size_t n,
            int32_t* x_place,
            int32_t* ahead,
        ) noexcept nogil


# The kernels in use.
cdef const counting_kernels* kernels


cdef class PairBits:
    # The number of items, and the number of words for each ranking.
    cdef Py_ssize_t n
    cdef readonly Py_ssize_t words
    # For each ranking, the two bits of each pair of items; the second is NULL if there are no ties.
    cdef Py_ssize_t count
    cdef uint64_t** ahead
    cdef uint64_t** tied

    cdef void fill(self, Ranking ranking, uint64_t* ahead, uint64_t* tied, uint64_t* passed) noexcept nogil
    cdef int64_t discordant(
        self, Py_ssize_t i, PairBits other, Py_ssize_t j, Py_ssize_t first, Py_ssize_t words, int64_t* tied
    ) noexcept nogil


cdef class AheadBits:
    # The number of items, and the same rounded up to PADDING; the number of words for each item and for each ranking.
    cdef Py_ssize_t n
    cdef Py_ssize_t padded
    cdef Py_ssize_t width
    cdef readonly Py_ssize_t words
    cdef Py_ssize_t count
    # Kept, since `orders` and `opens` point into them.
    cdef list rankings
    # For each ranking, the bits as `common` takes them; the number of items ahead of each item, or 1, and the inverse; and,
    # if they are needed, the factors of `sum_permuted`.
    cdef uint64_t* rows
    cdef double* divisors
    cdef double* inverses
    cdef double* factors
    # Where the order and the tie groups of each ranking are, for `sum_permuted`; NULL if it has no ties.
    cdef const int32_t** orders
    cdef const uint8_t** opens

    cdef void fill(self, Py_ssize_t column, Ranking ranking, uint64_t* ahead) noexcept
    cdef void fill_factors(self, double* factors, Ranking ranking) noexcept nogil
    cdef void add_shares(
        self, Py_ssize_t column, Py_ssize_t first, Py_ssize_t items, const double* c, double* sums
    ) noexcept nogil
    cdef double sum_permuted(self, Py_ssize_t column, const double* c) noexcept nogil
