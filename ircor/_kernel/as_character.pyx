# cython: language_level=3, boundscheck=False, cdivision=True
"""R's as.character for doubles, which decides what R's ircor takes for a tie.

The functions of R's ircor that refuse ties compare as.character(x).  It prints at most 15 significant digits without
trailing zeros, in fixed or scientific notation: the shorter of the two, or fixed if both have the same length.  This is
the rule of R 4.2, the version under which the record of ircor 1.0 was made.

Like R, this code finds the number of digits in long double arithmetic and prints them with C's printf.  So a number
half-way between two decimals may print differently on machines with a different long double, in R as well as here.
"""

from libc.math cimport fabs, floor, isinf, isnan, log10
from libc.stdio cimport snprintf
from libc.string cimport memmove, strchr, strcmp, strcpy, strlen

cdef extern from "<math.h>" nogil:
    long double powl(long double, long double)
    long double rintl(long double)

cdef enum:
    DIGITS = 15
    WIDTH = 64

# Numbers are printed only if their relative difference is at most this: those that print alike differ by about one unit
# of the 15th digit or less.
cdef double NEAR = 2e-14


cdef inline long double power_of_ten(int exponent) noexcept nogil:
    return powl(10, exponent)


cdef void significant(double value, int* exponent, int* digits) noexcept nogil:
    """Round |value| to 15 significant digits; find its decimal exponent and the number of digits before trailing zeros.

    R scales by a table of powers of ten, stored as doubles, up to 10^27, and by powl beyond it.  The last bit of the
    result decides how many digits a number half-way between two decimals gets, so this does the same.
    """
    cdef double magnitude = fabs(value)
    cdef int unit = <int> floor(log10(magnitude)) - (DIGITS - 1)
    cdef long double scaled = magnitude
    if abs(unit) > 27:
        scaled /= power_of_ten(unit)
    elif unit < 0:
        scaled *= <double> power_of_ten(-unit)
    else:
        scaled /= <double> power_of_ten(unit)
    if scaled < power_of_ten(DIGITS - 1):
        scaled *= 10
        unit -= 1
    cdef long long decimal = <long long> rintl(scaled)
    exponent[0] = unit + DIGITS - 1
    digits[0] = DIGITS
    while digits[0] > 1 and decimal % 10 == 0:
        decimal //= 10
        digits[0] -= 1
    # Rounding 9.99... up gives one more digit, which is a zero.
    if decimal >= 10 and digits[0] == 1:
        exponent[0] += 1


cdef void drop_trailing_zeros(char* text) noexcept nogil:
    """Remove trailing zeros of the fraction, and the point if nothing follows it, in fixed or scientific notation."""
    cdef char* point = strchr(text, c'.')
    if point == NULL:
        return
    cdef char* tail = strchr(point, c'e')
    if tail == NULL:
        tail = point + strlen(point)
    cdef char* end = tail
    while end[-1] == c'0':
        end -= 1
    if end[-1] == c'.':
        end -= 1
    memmove(end, tail, strlen(tail) + 1)


cdef void print_number(double value, char* text) noexcept nogil:
    """Write the value to `text`, which must have room for WIDTH characters."""
    cdef int exponent, digits, left, right, fixed, scientific
    if isnan(value):
        strcpy(text, b"NaN")
        return
    if isinf(value):
        strcpy(text, b"Inf" if value > 0 else b"-Inf")
        return
    if value == 0:
        strcpy(text, b"0")
        return
    significant(value, &exponent, &digits)
    left = exponent + 1 if exponent >= 0 else 1
    right = max(0, digits - exponent - 1)
    fixed = left + (right + 1 if right > 0 else 0)
    scientific = (digits + 1 if digits > 1 else 1) + (5 if abs(exponent) >= 100 else 4)
    if fixed <= scientific:
        snprintf(text, WIDTH, b"%.*f", right, value)
    else:
        snprintf(text, WIDTH, b"%.*e", digits - 1, value)
    drop_trailing_zeros(text)


def as_character(double value):
    """Return the text that R's as.character gives for a double.

    Examples
    --------
    >>> as_character(0.1 + 0.2), as_character(1e15 + 1), as_character(123456.0)
    ('0.3', '1e+15', '123456')
    """
    cdef char[WIDTH] text
    print_number(value, text)
    return text.decode("ascii")


def first_printed_alike(const double[:] values not None, const int[:] order not None):
    """Find the first two neighbours in sorted order that R prints alike.

    Parameters
    ----------
    values : numpy.ndarray of float
        Without NaN.
    order : numpy.ndarray of int32
        The indices that sort the values, in increasing or decreasing order.  Sorting makes numbers that print alike
        neighbours.

    Returns
    -------
    int
        The position in `order` of the second of the two, or 0 if no two neighbours print alike.
    """
    cdef char[WIDTH] one, other
    cdef Py_ssize_t k, found = 0
    cdef double a, b
    with nogil:
        for k in range(1, order.shape[0]):
            a = values[order[k - 1]]
            b = values[order[k]]
            if a == b:
                found = k
            elif fabs(a - b) <= NEAR * max(fabs(a), fabs(b)):
                print_number(a, one)
                print_number(b, other)
                if strcmp(one, other) == 0:
                    found = k
            if found:
                break
    return found
