# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The lines of evaluation output as arrays: a code for each name, and a number; and such arrays as a table.

What is unusual in any way gives None.  It is then read line by line, which says what is wrong and where.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.list cimport PyList_GET_SIZE
from cpython.mem cimport PyMem_RawFree, PyMem_RawRealloc
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.math cimport INFINITY, NAN, isfinite, isnan
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcmp, memset

from .fields cimport Field, after_blanks, after_field, is_part, real, same

import numpy as np

cdef enum:
    # A line has at most so many names.
    MOST_NAMES = 3
    NO_CODE = -1
    FIRST_ROOM = 256
    MOST_ROOM = 536870912
    # A table is made if at least one in so many cells has a number, or if it is small.
    SPARSE = 4
    SMALL = 4096


cdef struct Name:
    Field field
    Py_ssize_t span  # its length with the blanks after it, where it was read last


cdef struct Names:
    # Different names in the order in which they were first read; the code of a name is its number from 0.
    Name *known
    int32_t *after   # for each code, the one that last followed it and was another
    int32_t *slots   # codes by the hash of the name
    uint32_t room    # for how many names; there are twice as many slots
    int32_t count
    int32_t last     # the code that was read last
    int32_t average  # the code of the name "all"


cdef int reserve(Names *names, uint32_t room) except -1:
    """Make room for so many names, a power of two."""
    cdef int32_t code
    cdef size_t slots = 2 * <size_t> room
    names.known = <Name*> reallocated(names.known, room * sizeof(Name))
    names.after = <int32_t*> reallocated(names.after, room * sizeof(int32_t))
    names.slots = <int32_t*> reallocated(names.slots, slots * sizeof(int32_t))
    names.room = room
    memset(names.slots, 0xff, slots * sizeof(int32_t))
    for code in range(names.count):
        names.slots[slot_of(names, &names.known[code].field)] = code
    return 0


cdef void *reallocated(void *block, size_t size) except NULL:
    # A block that cannot be enlarged stays where it is, and is freed with the others.
    cdef void *larger = PyMem_RawRealloc(block, size)
    if larger is NULL:
        raise MemoryError(f"cannot allocate {size} bytes")
    return larger


cdef uint32_t slot_of(const Names *names, const Field *name) noexcept:
    """The slot that has the code of a name, or the empty one for it."""
    cdef uint32_t hashed = 2166136261u
    cdef uint32_t last = 2 * names.room - 1
    cdef uint32_t slot
    cdef Py_ssize_t k
    for k in range(name.length):
        hashed = (hashed ^ <unsigned char> name.start[k]) * 16777619u
    slot = (hashed ^ (hashed >> 15)) & last
    while names.slots[slot] != NO_CODE and not same(&names.known[names.slots[slot]].field, name):
        slot = (slot + 1) & last
    return slot


cdef int32_t code_of(Names *names, const Field *name) except NO_CODE:
    """The code of a name, a new one if it was not there before."""
    cdef uint32_t slot = slot_of(names, name)
    if names.slots[slot] == NO_CODE:
        if <uint32_t> names.count == names.room:
            if names.room == MOST_ROOM:
                raise MemoryError("there are too many names")
            reserve(names, 2 * names.room)
            slot = slot_of(names, name)
        names.slots[slot] = names.count
        names.known[names.count].field = name[0]
        names.after[names.count] = NO_CODE
        if name.length == 3 and memcmp(name.start, b"all", 3) == 0:
            names.average = names.count
        names.count += 1
    return names.slots[slot]


cdef inline const char *after_known(const Names *names, int32_t code, const char *at, const char *end) noexcept:
    """Where the next field begins if the name of this code, if it is one, is here, with as many blanks; NULL if not."""
    if code == NO_CODE:
        return NULL
    cdef Py_ssize_t span = names.known[code].span
    if end - at > span and is_part(at[span]) and memcmp(at, names.known[code].field.start, span) == 0:
        return at + span
    return NULL


cdef inline const char *after_name(Names *names, const char *at, const char *end) except? NULL:
    """Set `last` to the code of the name that is here, and return where the next field begins; NULL if there is none.

    Most lines have the name of the line above, or the one that followed it when it was there before.  Only a name that
    is neither is looked up.
    """
    cdef Name name
    cdef int32_t code
    cdef const char *next = after_known(names, names.last, at, end)
    if next is not NULL:
        return next
    code = NO_CODE if names.last == NO_CODE else names.after[names.last]
    next = after_known(names, code, at, end)
    if next is NULL:
        name.field.start, name.field.length = at, after_field(at) - at
        next = after_blanks(at + name.field.length)
        name.span = next - at
        if name.field.length in (0, name.span):
            return NULL
        code = code_of(names, &name.field)
        names.known[code] = name
        if names.last not in (NO_CODE, code):
            names.after[names.last] = code
    names.last = code
    return next


cdef inline str text(const Field *field):
    return PyUnicode_DecodeASCII(field.start, field.length, NULL)


cdef Py_ssize_t lines_of(const char *at, const char *end) noexcept:
    """How many lines end between two places; compilers make vector instructions of this loop."""
    cdef Py_ssize_t k, found = 0
    for k in range(end - at):
        found += at[k] == b"\n"
    return found


def parsed(bytes data, int count):
    """The columns of lines with some names and a value each, separated by blanks; None if any line is not like this.

    Parameters
    ----------
    data : bytes
        ASCII text.  The last line ends with a newline.
    count : int
        How many names a line has, 1 to 3.

    Returns
    -------
    tuple or None
        The names in each column, as a list in the order of the lines; an array with a row for each column, which has
        their codes in the lines whose value is a number; the numbers; and the other lines: those with the name "all",
        which are averages, and those whose value is not a number.  Each of these is a tuple of its number from 1, its
        names and the text of its value.
    """
    if not data.endswith(b"\n") or not data.isascii() or not 1 <= count <= MOST_NAMES:
        return None
    cdef const char *at = PyBytes_AS_STRING(data)
    cdef const char *end = at + PyBytes_GET_SIZE(data)
    cdef Py_ssize_t most = lines_of(at, end)
    cdef Py_ssize_t line = 0, n = 0
    cdef Names[MOST_NAMES] names
    cdef Field field
    cdef int k
    cdef bint is_average
    cdef double number
    cdef list found = [[] for _ in range(count)]
    cdef list others = []
    cdef tuple own
    codes, numbers = np.empty((count, most), dtype=np.int32), np.empty(most)
    cdef int32_t[:, ::1] code = codes
    cdef double[::1] value = numbers
    memset(names, 0, sizeof(names))
    try:
        for k in range(count):
            names[k].last = names[k].average = NO_CODE
            reserve(&names[k], FIRST_ROOM)
        while at < end:
            line += 1
            is_average = False
            at = after_blanks(at)
            for k in range(count):
                at = after_name(&names[k], at, end)
                if at is NULL:
                    return None
                if names[k].count > PyList_GET_SIZE(found[k]):
                    found[k].append(text(&names[k].known[names[k].last].field))
                is_average |= names[k].last == names[k].average
            field.start = at
            at = after_field(at)
            field.length = at - field.start
            at = after_blanks(at)
            if field.length == 0 or at[0] != b"\n":
                return None
            at += 1
            number = INFINITY
            if not is_average:
                try:
                    number = real(&field)
                except ValueError:
                    pass
            if isfinite(number):
                for k in range(count):
                    code[k, n] = names[k].last
                value[n] = number
                n += 1
            else:
                own = tuple([found[k][names[k].last] for k in range(count)])
                others.append((line, *own, text(&field)))
    finally:
        for k in range(count):
            PyMem_RawFree(names[k].known)
            PyMem_RawFree(names[k].after)
            PyMem_RawFree(names[k].slots)
    return found, codes[:, :n], numbers[:n], others


def pivoted(const int32_t[::1] rows, const int32_t[::1] columns, const double[::1] values, int n_rows, int n_columns):
    """Values by two codes as a table; None if two of them have the same codes, or if most of the table is empty.

    Parameters
    ----------
    rows, columns : numpy.ndarray of int32
        The codes of each value, from 0.
    values : numpy.ndarray
        No value is NaN.
    n_rows, n_columns : int
        How many codes there can be.

    Returns
    -------
    tuple or None
        The table, with NaN where there is no value, and the codes of its rows and of its columns: both are in the order
        in which they first appear.
    """
    cdef Py_ssize_t k
    cdef int32_t row, column
    cdef Py_ssize_t n = values.shape[0]
    cdef int32_t most_rows = 0, most_columns = 0
    # Where each code is in the table, and the codes in the order of the table.
    cdef int32_t[::1] row_of = np.empty(n_rows, dtype=np.int32), column_of = np.empty(n_columns, dtype=np.int32)
    found_rows, found_columns = np.empty(n_rows, dtype=np.int32), np.empty(n_columns, dtype=np.int32)
    cdef int32_t[::1] found_row = found_rows, found_column = found_columns
    row_of[:] = NO_CODE
    column_of[:] = NO_CODE
    for k in range(n):
        if row_of[rows[k]] == NO_CODE:
            found_row[most_rows] = rows[k]
            row_of[rows[k]] = most_rows
            most_rows += 1
        if column_of[columns[k]] == NO_CODE:
            found_column[most_columns] = columns[k]
            column_of[columns[k]] = most_columns
            most_columns += 1
    if <Py_ssize_t> most_rows * most_columns > SPARSE * n + SMALL:
        return None
    table = np.empty((most_rows, most_columns))
    cdef double[:, ::1] cell = table
    cell[:] = NAN
    for k in range(n):
        row, column = row_of[rows[k]], column_of[columns[k]]
        if not isnan(cell[row, column]):
            return None
        cell[row, column] = values[k]
    return table, found_rows[:most_rows], found_columns[:most_columns]
