# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""An exact sum, tie groups, and the sums over C_i and over tie groups that several classes have."""

from libc.stdint cimport int32_t, int64_t, uint8_t


cdef struct Accumulator:
    # Neumaier's compensated sum: its error does not grow with the number of terms.
    double total
    double lost


cdef inline void add(Accumulator* sum, double term) noexcept nogil:
    """Add a term; `lost` collects the digits that rounding removes from `total`."""
    cdef double total = sum.total + term
    if abs(sum.total) >= abs(term):
        sum.lost += (sum.total - total) + term
    else:
        sum.lost += (term - total) + sum.total
    sum.total = total


cdef inline Py_ssize_t end_of_group(const uint8_t* opens, Py_ssize_t n, Py_ssize_t start) noexcept nogil:
    """Return the position after the last item of the tie group that starts at `start`."""
    cdef Py_ssize_t end = start + 1
    while end < n and not opens[end]:
        end += 1
    return end


cdef inline double within(const uint8_t* opens, Py_ssize_t n) noexcept nogil:
    """Return the sum of 1/2 sum_k k / (p + k - 1), k = 1 .. t - 1, over all tie groups."""
    cdef Accumulator sum = Accumulator(0, 0)
    cdef Py_ssize_t start = 0, end, k
    while start < n:
        end = end_of_group(opens, n, start)
        for k in range(1, end - start):
            add(&sum, <double> k / <double> (start + k))
        start = end
    return (sum.total + sum.lost) / 2


# For the functions below, the items are in y's order and, within y's tie groups, in x's order.  ahead[k] is C_i of the
# k-th item, x_place[k] its place in x, and y_opens[k] is True if a tie group of y starts with it.


cdef inline void count_pairs_of(
    const int32_t* ahead, const int32_t* x_place, const uint8_t* y_opens, Py_ssize_t n, int64_t* concordant, int64_t* tied
) noexcept nogil:
    """Find the numbers of concordant pairs and of pairs tied in both, whose items are neighbours in this order."""
    cdef Py_ssize_t k, first = 0
    cdef int64_t concordant_pairs = 0, tied_pairs = 0
    for k in range(n):
        concordant_pairs += ahead[k]
        if y_opens[k] or x_place[k] != x_place[k - 1]:
            first = k
        tied_pairs += k - first
    concordant[0], tied[0] = concordant_pairs, tied_pairs


cdef inline double above_in_x(const int32_t* ahead, const int32_t* x_place, Py_ssize_t n) noexcept nogil:
    """Return the sum of C_i / (p_i - 1), p in x, over the items that have others ahead of them in x."""
    cdef Accumulator sum = Accumulator(0, 0)
    cdef Py_ssize_t k
    for k in range(n):
        if x_place[k] > 0:
            add(&sum, <double> ahead[k] / <double> x_place[k])
    return sum.total + sum.lost


cdef inline double above_in_y(const int32_t* ahead, const uint8_t* y_opens, Py_ssize_t n) noexcept nogil:
    """Return the sum of C_i / (p_i - 1), p in y, over the items that have others ahead of them in y."""
    cdef Accumulator sum = Accumulator(0, 0)
    cdef Py_ssize_t k, start = 0
    for k in range(n):
        if y_opens[k]:
            start = k
        if start > 0:
            add(&sum, <double> ahead[k] / <double> start)
    return sum.total + sum.lost


cdef inline double above_in_y_permuted(
    const int32_t* ahead, const uint8_t* y_opens, Py_ssize_t n, Py_ssize_t y_top
) noexcept nogil:
    """Return the sum of C_i sum_k 1 / (t_i (p_i + k - 2)), k = 1 .. t_i, p and t in y; y_top items have none ahead."""
    cdef Accumulator sum = Accumulator(0, 0), inverse
    cdef Py_ssize_t start = y_top, end, k
    cdef int64_t group
    while start < n:
        end = end_of_group(y_opens, n, start)
        inverse = Accumulator(0, 0)
        group = 0
        for k in range(start, end):
            add(&inverse, 1 / <double> k)
            group += ahead[k]
        add(&sum, <double> group * (inverse.total + inverse.lost) / <double> (end - start))
        start = end
    return sum.total + sum.lost
