# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The fields of a line, separated by blanks as TREC's tools separate them, and the numbers in them."""

cimport cython
from cpython.object cimport PyObject
from libc.math cimport INFINITY, NAN, fma, isnan
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *text, char **end, PyObject *overflow) except? -1.0

cdef extern from *:
    """
    /* The powers of ten that are doubles. */
    static const double POWERS[] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };
    static const double SLACK = 1.0 / (1LL << 50);
    """
    const double[23] POWERS
    const double SLACK

cdef enum:
    ZERO = 48
    # A whole number of so many digits fits into 64 bits.
    MOST_DIGITS = 19
    MOST_DECIMALS = 22


cdef struct Field:
    const char *start
    Py_ssize_t length


cdef inline bint is_blank(char c) noexcept nogil:
    return c == b" " or c == b"\t" or c == b"\r"


cdef inline bint is_part(char c) noexcept nogil:
    """Whether a byte is part of a field: neither a blank nor the end of a line, nor any other control character."""
    return <unsigned char> c > 32


cdef inline const char *after_blanks(const char *at) noexcept nogil:
    while is_blank(at[0]):
        at += 1
    return at


cdef inline const char *after_field(const char *at) noexcept nogil:
    while is_part(at[0]):
        at += 1
    return at


cdef inline bint same(const Field *one, const Field *other) noexcept nogil:
    return one.length == other.length and memcmp(one.start, other.start, one.length) == 0


@cython.cdivision(True)
cdef inline double decimal(uint64_t digits, int decimals) noexcept nogil:
    """A whole number over a power of ten, correctly rounded; NaN if this does not tell in which direction to round."""
    cdef double power = POWERS[decimals]
    if digits <= <uint64_t> 1 << 53:
        # The quotient of two numbers that are exact is rounded correctly.
        return <int64_t> digits / power
    cdef double high = <double> digits
    cdef double low = <double> <int64_t> (digits - <uint64_t> high)
    cdef double quotient = high / power
    # What the quotient lacks.  The remainder of the first division is exact, and the sum and the second division are
    # rounded by factors of 1 + 2^-53 or less, so the true value is between the two that SLACK gives.
    cdef double rest = (fma(-quotient, power, high) + low) / power
    cdef double least = quotient + rest * (1 - SLACK)
    cdef double most = quotient + rest * (1 + SLACK)
    return least if least == most else NAN


cdef inline double real(const Field *field) except? -1.0:
    """The number in a field, correctly rounded; infinite, or ValueError, if it is none."""
    cdef uint64_t digits = 0
    cdef int count = 0, decimals = 0
    cdef bint point = False, has_digits = False
    cdef Py_ssize_t k, first = field.start[0] == b"-" or field.start[0] == b"+"
    cdef char c
    cdef char *stop
    cdef double value
    for k in range(first, field.length):
        c = field.start[k]
        if b"0" <= c <= b"9":
            has_digits = True
            digits = 10 * digits + (c - ZERO)
            count += digits > 0
            decimals += point
        elif c == b"." and not point:
            point = True
        else:
            break
        if count > MOST_DIGITS or decimals > MOST_DECIMALS:
            break
    else:
        value = decimal(digits, decimals) if has_digits else NAN
        if not isnan(value):
            return -value if field.start[0] == b"-" else value
    # The conversion accepts words such as "nan", too.
    for k in range(field.length):
        c = field.start[k]
        if not (b"0" <= c <= b"9" or c == b"." or c == b"-" or c == b"+" or c == b"e" or c == b"E"):
            return INFINITY
    value = PyOS_string_to_double(field.start, &stop, NULL)
    return value if stop == field.start + field.length else INFINITY
