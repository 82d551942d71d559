# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: freethreading_compatible=True
"""Documents and their numbers by topic, from the bytes of a run or of judgments: the time goes into making the objects.

A text that is unusual in any way gives None.  It is then read line by line, which says what is wrong and where.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.dict cimport PyDict_SetItem, PyDict_Size
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport isfinite

from .fields cimport ZERO, Field, after_blanks, after_field, real, same

cdef enum:
    MOST_FIELDS = 6
    # A whole number of so many digits, with its sign, fits into 64 bits.
    WHOLE_DIGITS = 18


cdef const char *split(const char *at, Field *fields, int count) noexcept:
    """Find the fields of a line that ends with a newline; return where the next line begins, or NULL."""
    cdef int k
    for k in range(count):
        at = after_blanks(at)
        fields[k].start = at
        at = after_field(at)
        fields[k].length = at - fields[k].start
        if fields[k].length == 0:
            return NULL
    at = after_blanks(at)
    return at + 1 if at[0] == b"\n" else NULL


cdef inline bint is_whole(Field *field) noexcept:
    """Whether a field is a whole number of at most 18 digits, with or without a sign."""
    cdef Py_ssize_t k, first = field.start[0] == b"-" or field.start[0] == b"+"
    if not first < field.length <= first + WHOLE_DIGITS:
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
