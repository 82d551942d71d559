# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A sort for short rankings: unsigned 64-bit keys, each of which carries the index of its item.

Rankings in information retrieval are short, often 10 to 100 items, and resampling ranks thousands of them.  At that
size, ranking with NumPy takes about 5 microseconds, most of them for the calls of argsort, take and the comparison of
neighbours.  Ranking with this sort takes about 1 microsecond.  C's qsort would need a callback for every comparison.

This sort is inlined where it is used, runs without the GIL, and is branch-free: on items in random order the branches
would be unpredictable.

It is a merge sort.  A sorting network sorts runs of up to 8 keys, and all runs that are merged have the same length, so
the inner loop needs no bounds check.  The index of the item is part of the key, so the sort is stable.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy


cdef inline void exchange(uint64_t* keys, int i, int j) noexcept nogil:
    """Put the smaller key first.  Written so that compilers emit conditional moves instead of a branch."""
    cdef uint64_t a = keys[i], b = keys[j]
    keys[i] = a if a < b else b
    keys[j] = b if a < b else a


cdef inline void sort_up_to_eight(uint64_t* keys, Py_ssize_t size) noexcept nogil:
    """Sort up to 8 keys by a sorting network of 19 exchanges; the unused inputs get the largest key."""
    cdef uint64_t[8] k
    cdef Py_ssize_t i
    for i in range(8):
        k[i] = keys[i] if i < size else ~<uint64_t> 0
    exchange(k, 0, 2); exchange(k, 1, 3); exchange(k, 4, 6); exchange(k, 5, 7)
    exchange(k, 0, 4); exchange(k, 1, 5); exchange(k, 2, 6); exchange(k, 3, 7)
    exchange(k, 0, 1); exchange(k, 2, 3); exchange(k, 4, 5); exchange(k, 6, 7)
    exchange(k, 2, 4); exchange(k, 3, 5); exchange(k, 1, 4); exchange(k, 3, 6)
    exchange(k, 1, 2); exchange(k, 3, 4); exchange(k, 5, 6)
    for i in range(8):
        if i < size:
            keys[i] = k[i]


cdef inline void merge_equal(const uint64_t* keys, uint64_t* out, Py_ssize_t size) noexcept nogil:
    """Merge two adjacent sorted runs of `size` keys each.

    The loop fills `out` from both ends.  Each end takes exactly `size` keys, so neither can run past its input, and the
    two chains of dependent loads overlap in the processor.
    """
    cdef Py_ssize_t left = 0, right = size, left_end = size - 1, right_end = 2 * size - 1, k
    cdef uint64_t a, b, take
    for k in range(size):
        a, b = keys[left], keys[right]
        take = b < a
        out[k] = a ^ ((a ^ b) & (0 - take))
        right += take
        left += 1 - take
        a, b = keys[left_end], keys[right_end]
        take = b < a
        out[2 * size - 1 - k] = b ^ ((a ^ b) & (0 - take))
        left_end -= take
        right_end -= 1 - take


cdef inline uint64_t* sort_keys(uint64_t* keys, uint64_t* scratch, Py_ssize_t n) noexcept nogil:
    """Sort n keys; return the sorted array, which is either `keys` or `scratch`.

    More than 8 keys are padded with the largest key to a power of two of runs, each of 5 to 8 keys.  Both arrays must
    have room for the padded length: the next power of two is enough, and so is 2 n.
    """
    cdef Py_ssize_t runs = 1, size, padded, k
    cdef uint64_t* other
    while 8 * runs < n:
        runs *= 2
    size = (n + runs - 1) // runs
    padded = runs * size
    for k in range(n, padded):
        keys[k] = ~<uint64_t> 0
    for k in range(runs):
        sort_up_to_eight(keys + k * size, size)
    while runs > 1:
        runs //= 2
        for k in range(runs):
            merge_equal(keys + 2 * k * size, scratch + 2 * k * size, size)
        other = keys
        keys = scratch
        scratch = other
        size *= 2
    return keys


cdef inline uint64_t key_of_double(double value, uint64_t flip) noexcept nogil:
    """Map a double to an integer in the same order; NaN becomes the largest integer.

    The bits of non-negative doubles are in order already, as integers; those of negative doubles are in reverse order.
    `flip` is 0 for increasing order; with all bits set, it reverses the order of all values but NaN.
    """
    cdef uint64_t bits, missing = value != value
    value += 0.0  # -0.0 becomes 0.0, so that both zeros have the same key
    memcpy(&bits, &value, sizeof(double))
    bits ^= (0 - (bits >> 63)) | <uint64_t> 1 << 63
    return (bits ^ flip) | (0 - missing)
