# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What other kernels use of the overlap: a ranking of items by their codes, and the scores of a pair."""

from libc.stdint cimport int32_t, uint8_t

from .ranking cimport Ranking

cdef enum Ties:
    TIES_W
    TIES_A
    TIES_B

cdef struct View:
    # Items from the top, as whole numbers from 0, and whether a tie group starts at each.
    const int32_t* order
    const uint8_t* opens
    Py_ssize_t n

cdef struct Scores:
    double ext
    double min
    double max


cdef Scores overlap(View x, View y, uint8_t* state, Py_ssize_t codes, double p, Ties ties) noexcept nogil
cdef double overlap_of(Ranking x, Ranking y, uint8_t* state, double p, Ties ties) noexcept nogil
