# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The fields of a line, separated by blanks as TREC's tools separate them, and the numbers in them."""

from cpython.object cimport PyObject
from libc.math cimport INFINITY
from libc.string cimport memcmp

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *text, char **end, PyObject *overflow) except? -1.0

cdef extern from *:
    """
    static const double POWERS[] = {1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    """
    const double[16] POWERS

cdef enum:
    ZERO = 48
    # Whole numbers of so many digits are exact as doubles, and so are these powers of ten.
    EXACT_DIGITS = 15


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


cdef inline double real(const Field *field) except? -1.0:
    """The number in a field, correctly rounded; infinite, or ValueError, if it is none."""
    cdef long long digits = 0
    cdef int count = 0, decimals = 0
    cdef bint point = False
    cdef Py_ssize_t k, first = field.start[0] == b"-" or field.start[0] == b"+"
    cdef char c
    cdef char *stop
    cdef double value
    for k in range(first, field.length):
        c = field.start[k]
        if b"0" <= c <= b"9":
            digits = 10 * digits + (c - ZERO)
            count += 1
            decimals += point
        elif c == b"." and not point:
            point = True
        else:
            break
        if count > EXACT_DIGITS:
            break
    else:
        if count:
            # The quotient of two numbers that are exact is rounded correctly.
            value = digits / POWERS[decimals]
            return -value if field.start[0] == b"-" else value
    # The conversion accepts words such as "nan", too.
    for k in range(field.length):
        c = field.start[k]
        if not (b"0" <= c <= b"9" or c == b"." or c == b"-" or c == b"+" or c == b"e" or c == b"E"):
            return INFINITY
    value = PyOS_string_to_double(field.start, &stop, NULL)
    return value if stop == field.start + field.length else INFINITY
