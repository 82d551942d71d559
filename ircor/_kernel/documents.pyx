# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: freethreading_compatible=True
"""Documents and their numbers by topic, from the bytes of a run or of judgments: the time goes into making the objects.

A text that is unusual in any way gives None.  It is then read line by line, which says what is wrong and where.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.dict cimport PyDict_SetItem, PyDict_Size
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport INFINITY, isfinite
from libc.string cimport memcmp

cdef extern from "Python.h":
    double PyOS_string_to_double(const char *text, char **end, PyObject *overflow) except? -1.0

cdef enum:
    MOST_FIELDS = 6
    # A whole number of so many digits fits into 64 bits.
    MOST_DIGITS = 18
    ZERO = 48
    # Whole numbers of so many digits are exact as doubles, and so are these powers of ten.
    EXACT_DIGITS = 15

cdef double[16] POWERS
POWERS[:] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]


cdef struct Field:
    const char *start
    Py_ssize_t length


cdef enum:
    # What a byte is to `split`.
    PART
    BLANK
    END_OF_LINE
    CONTROL

cdef unsigned char[256] KIND
cdef int byte
for byte in range(256):
    KIND[byte] = CONTROL if byte < 32 else PART
KIND[32] = KIND[9] = KIND[13] = BLANK
KIND[10] = END_OF_LINE


cdef const char *split(const char *at, Field *fields, int count) noexcept:
    """Find the fields of a line that ends with a newline; return where the next line begins, or NULL."""
    cdef int k
    for k in range(count):
        while KIND[<unsigned char>at[0]] == BLANK:
            at += 1
        fields[k].start = at
        while KIND[<unsigned char>at[0]] == PART:
            at += 1
        fields[k].length = at - fields[k].start
        if fields[k].length == 0 or KIND[<unsigned char>at[0]] == CONTROL:
            return NULL
    while KIND[<unsigned char>at[0]] == BLANK:
        at += 1
    return at + 1 if KIND[<unsigned char>at[0]] == END_OF_LINE else NULL


cdef inline bint same(Field *one, Field *other) noexcept:
    return one.length == other.length and memcmp(one.start, other.start, one.length) == 0


cdef inline bint is_whole(Field *field) noexcept:
    """Whether a field is a whole number of at most 18 digits, with or without a sign."""
    cdef Py_ssize_t k, first = field.start[0] == b"-" or field.start[0] == b"+"
    if not first < field.length <= first + MOST_DIGITS:
        return False
    for k in range(first, field.length):
        if not b"0" <= field.start[k] <= b"9":
            return False
    return True


cdef inline long long whole(Field *field) noexcept:
    cdef long long value = 0
    cdef Py_ssize_t k, first = field.start[0] == b"-" or field.start[0] == b"+"
    for k in range(first, field.length):
        value = 10 * value + (field.start[k] - ZERO)
    return -value if field.start[0] == b"-" else value


cdef double real(Field *field) except? -1.0:
    """The number in a field, correctly rounded; infinite if it is none."""
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


cdef inline str text(Field *field):
    return PyUnicode_DecodeUTF8(field.start, field.length, NULL)


def parsed(bytes data, bint is_run, bint rows):
    """{topic: {doc: score}} of a run, or {topic: {doc: grade}} of judgments, and more; None if anything is unusual.

    Parameters
    ----------
    data : bytes
        Lines of topic, Q0, document, rank, score and name of the run, or of topic, iteration, document and relevance.
    is_run : bool
    rows : bool
        Whether to return the columns of the lines too.

    Returns
    -------
    tuple or None
        {topic: {doc: number}}; the name of the run, or ""; the number of lines whose score is higher than that of the
        line before, in the same topic, although their rank is lower; and the topics, documents, ranks and numbers in
        the order of the lines, each a list, which is empty without `rows` and where there are no ranks.
    """
    cdef const char *at = PyBytes_AS_STRING(data)
    cdef const char *end = at + PyBytes_GET_SIZE(data)
    cdef Field fields[MOST_FIELDS]
    cdef Field topic_field, name_field
    cdef Py_ssize_t size = 0
    cdef double value = 0, before = 0
    cdef long long rank = 0, rank_before = 0
    cdef Py_ssize_t risen = 0
    cdef dict found = {}, documents = None
    cdef list topics = [], docs = [], ranks = [], numbers = []
    cdef str topic = "", name = ""
    cdef object doc, number
    if at == end or (end - 1)[0] != b"\n":
        return None
    topic_field.start = name_field.start = at
    topic_field.length = name_field.length = 0
    try:
        while at < end:
            at = split(at, fields, 6 if is_run else 4)
            if at is NULL:
                return None
            if is_run:
                if documents is None:
                    name_field, name = fields[5], text(&fields[5])
                if not (same(&fields[5], &name_field) and is_whole(&fields[3])):
                    return None
                value = real(&fields[4])
                if not isfinite(value):
                    return None
                number = value
                rank = whole(&fields[3])
                if value > before and rank > rank_before and same(&fields[0], &topic_field):
                    risen += 1
                before, rank_before = value, rank
            else:
                if not is_whole(&fields[3]):
                    return None
                number = whole(&fields[3])
            if not same(&fields[0], &topic_field):
                topic_field, topic = fields[0], text(&fields[0])
                documents = found.setdefault(topic, {})
                size = PyDict_Size(documents)
            doc = text(&fields[2])
            PyDict_SetItem(documents, doc, number)
            size += 1
            if PyDict_Size(documents) != size:
                return None  # the document is repeated
            if rows:
                topics.append(topic)
                docs.append(doc)
                numbers.append(number)
                if is_run:
                    ranks.append(rank)
    except ValueError:  # not UTF-8, or not a number
        return None
    return found, name, risen, topics, docs, ranks, numbers
