# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What the other kernels use of `Ranking`, and zeroed memory."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from .sums cimport Accumulator, add, end_of_group


cdef void* allocate(size_t count, size_t size) except NULL


cdef class Ranking:
    # Number of items.
    cdef readonly Py_ssize_t n
    # Number of missing values.
    cdef readonly Py_ssize_t missing
    # Number of pairs of tied items.
    cdef readonly int64_t tied_pairs
    # Size of the first tie group, t_1.
    cdef readonly Py_ssize_t top
    # order[k] is the item at position k, counted from the top; opens[k] is True if a tie group starts there.
    cdef int32_t* order
    cdef uint8_t* opens
    # place[i] is the position at which the tie group of item i starts: the number of items strictly ahead of it.
    cdef int32_t* place

    cdef int allocate_arrays(self) except -1
    cdef int rank_short_doubles(self, const double[:] values, bint decreasing) except -1
    cdef bint rank_short_integers(self, const int64_t[:] values, bint decreasing) except -1
    cdef int rank_long(self, values, bint decreasing) except -1
    cdef int rank_wide_floats(self, values, bint decreasing) except -1
    cdef void rank_doubles(
        self,
        const double* values,
        Py_ssize_t n,
        bint decreasing,
        double noise,
        uint64_t* keys,
        uint64_t* scratch,
    ) noexcept nogil
    cdef bint find_double_places(self, const double* values, bint decreasing, double noise) noexcept nogil
    cdef void insertion_sort(self, const double* values, bint decreasing) noexcept nogil
    cdef double sum_within(self) noexcept nogil
    cdef Ranking copy(self)


cdef inline Py_ssize_t group_end(Ranking ranking, Py_ssize_t start) noexcept nogil:
    """Return the position after the last item of the tie group that starts at `start`."""
    return end_of_group(ranking.opens, ranking.n, start)
