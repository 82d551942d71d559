# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The greatest statistic of some pairs of systems, for each resample of the topics."""

from libc.stdint cimport int32_t

import numpy as np

cdef extern from "greatest.h" nogil:
    const size_t RESAMPLES
    void weighted_sums(
        const float* rows, const float* weights, size_t count, size_t topics, size_t resamples, float* out)
    void greatest_squares(
        const float* squares, const float* weights, const float* shifts, const int32_t* first, const int32_t* second,
        const float* scale, size_t pairs, size_t topics, size_t resamples, float* greatest)

ROUNDED_UP_TO = RESAMPLES
"""The number of resamples must be a multiple of this."""


def sums_of(const float[:, ::1] rows not None, const float[:, ::1] weights not None):
    """Return the matrix product: `rows` is any number by topics, `weights` topics by resamples."""
    cdef Py_ssize_t count = rows.shape[0], topics = rows.shape[1], resamples = weights.shape[1]
    if weights.shape[0] != topics or resamples % RESAMPLES:
        raise ValueError("the arrays do not fit each other")
    sums = np.zeros((count, resamples), np.float32)
    cdef float[:, ::1] out = sums
    if count and resamples and topics:
        with nogil:
            weighted_sums(&rows[0, 0], &weights[0, 0], count, topics, resamples, &out[0, 0])
    return sums


def greatest_of(
    const float[:, ::1] squares not None,
    const float[:, ::1] weights not None,
    const float[:, ::1] shifts not None,
    const int32_t[::1] first not None,
    const int32_t[::1] second not None,
    const float[::1] scale not None,
):
    """Return for each resample the greatest of ((shift of `first` - shift of `second`) scale)^2 / (squares weights).

    `squares` is pairs by topics, `weights` topics by resamples, `shifts` systems by resamples.
    """
    cdef Py_ssize_t pairs = squares.shape[0], topics = squares.shape[1], resamples = weights.shape[1]
    if weights.shape[0] != topics or shifts.shape[1] != resamples or resamples % RESAMPLES:
        raise ValueError("the arrays do not fit each other")
    if first.shape[0] != pairs or second.shape[0] != pairs or scale.shape[0] != pairs:
        raise ValueError("'first', 'second' and 'scale' must have a number for each pair")
    if pairs and not (
        0 <= np.min(first) and np.max(first) < shifts.shape[0] and 0 <= np.min(second)
        and np.max(second) < shifts.shape[0]
    ):
        raise ValueError("'first' and 'second' must be systems")
    greatest = np.zeros(resamples, np.float32)
    cdef float[::1] out = greatest
    if pairs and resamples and topics:
        with nogil:
            greatest_squares(
                &squares[0, 0], &weights[0, 0], &shifts[0, 0], &first[0], &second[0], &scale[0], pairs, topics,
                resamples, &out[0])
    return greatest
