# cython: language_level=3, boundscheck=False, cdivision=True
"""What R prints for a number, which decides what R calls a tie.

The functions of R's ircor that refuse ties compare as.character(x): 15 significant digits at the most, no trailing zeros,
in whichever of fixed and scientific notation is not longer, fixed if they are equally long.  This is the rule of R 4.2,
under which the record of ircor 1.0 was made.  R finds the number of digits in long double arithmetic and then lets C
print them, and so does this; the last bit of a number half-way between two decimals can therefore differ between
machines whose long doubles differ, in R as well as here.
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

# Two numbers that print alike differ by at most one unit of the fifteenth digit, 1e-14 of the number.
cdef double NEAR = 1.001e-14


cdef inline long double power_of_ten(int exponent) noexcept nogil:
    return powl(10, exponent)


cdef void significant(double value, int* exponent, int* digits) noexcept nogil:
    """The decimal exponent of |value| rounded to 15 significant digits, and how many of those digits are needed."""
    cdef double magnitude = fabs(value)
    cdef int unit = <int> floor(log10(magnitude)) - (DIGITS - 1)
    cdef long double scaled = magnitude
    # R multiplies or divides by a table of powers of ten, held as doubles, up to 10^27, and beyond it by what powl gives.
    # The last bit of that decides how many digits a number half-way between two decimals gets.
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
    if decimal >= 10 and digits[0] == 1:
        exponent[0] += 1


cdef void drop_trailing_zeros(char* text) noexcept nogil:
    """Strip the zeros that end the fraction, and a point that then stands last, in fixed or scientific notation."""
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
    """What R's as.character prints for a double.

    Examples
    --------
    >>> as_character(0.1 + 0.2), as_character(1e15 + 1), as_character(123456.0)
    ('0.3', '1e+15', '123456')
    """
    cdef char[WIDTH] text
    print_number(value, text)
    return text.decode("ascii")


def first_printed_alike(const double[:] values not None, const int[:] order not None):
    """The first place in the order whose number R prints like the number before it, or 0.

    Parameters
    ----------
    values : numpy.ndarray of float
        Without NaN.
    order : numpy.ndarray of int32
        The positions of the values in increasing or decreasing order: numbers that print alike are neighbours there.
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
