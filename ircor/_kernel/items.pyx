# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""`Items`: rankings of any items, with a whole number, a code, for each item.

What is unusual in any way gives None.  The caller then looks at it item by item, and says what is wrong.
"""

from cpython.long cimport PyLong_CheckExact
from cpython.mem cimport PyMem_RawFree
from cpython.object cimport Py_EQ, PyObject, PyObject_RichCompareBool
from cpython.set cimport PyAnySet_Check, PySet_GET_SIZE
from cpython.unicode cimport PyUnicode_CheckExact
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcmp

from .ranking cimport Ranking, allocate

import numpy as np

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject* text) noexcept
    int PyUnicode_KIND(PyObject* text) noexcept
    void* PyUnicode_DATA(PyObject* text) noexcept

cdef enum:
    # Codes are 32-bit integers.
    MAX_ITEMS = 2147483647


cdef class Items:
    """A ranking of items by their codes, from the top, with ties.

    Parameters
    ----------
    codes : numpy.ndarray of int32
        The codes of the items, 0 or more, each once.  Not checked.
    ranking : Ranking, optional
        Their order and ties.  By default they are in order from the top, without ties.

    Attributes
    ----------
    n : int
        Number of items.
    """

    def __cinit__(self, const int32_t[::1] codes=None, Ranking ranking=None):
        if codes is None:
            # For the functions below, which fill in the rest.
            return
        cdef Py_ssize_t k
        if ranking is not None and ranking.n != codes.shape[0]:
            raise ValueError(f"'ranking' must have {codes.shape[0]} items, not {ranking.n}")
        self.allocate_arrays(codes.shape[0])
        for k in range(self.n):
            self.order[k] = codes[k if ranking is None else ranking.order[k]]
            self.opens[k] = ranking is None or ranking.opens[k]

    cdef int allocate_arrays(self, Py_ssize_t n) except -1:
        if n > MAX_ITEMS:
            raise ValueError(f"a ranking must have at most {MAX_ITEMS} items, not {n}")
        self.n = n
        self.order = <int32_t*> allocate(n, sizeof(int32_t))
        self.opens = <uint8_t*> allocate(n, sizeof(uint8_t))
        return 0

    def __dealloc__(self):
        PyMem_RawFree(self.order)
        PyMem_RawFree(self.opens)

    def __len__(self):
        return self.n

    def __reduce__(self):
        codes, opens = np.empty(self.n, dtype=np.int32), np.empty(self.n, dtype=np.uint8)
        cdef int32_t[::1] code = codes
        cdef uint8_t[::1] open = opens
        cdef Py_ssize_t k
        for k in range(self.n):
            code[k], open[k] = self.order[k], self.opens[k]
        return items_of, (codes, opens)


def items_of(const int32_t[::1] codes not None, const uint8_t[::1] opens not None):
    """Make a ranking from its parts: its codes from the top, and 1 where a tie group starts, else 0."""
    cdef Items items = Items(codes)
    cdef Py_ssize_t k
    if opens.shape[0] != items.n:
        raise ValueError(f"'opens' must have {items.n} items, not {opens.shape[0]}")
    for k in range(items.n):
        items.opens[k] = opens[k]
    return items


cdef class Table:
    """The items that have codes: a hash table with open addressing.

    Python's dict would make an int for each code.
    """

    # The code of an item plus 1, or 0 where a slot is free; the number of slots is a power of 2.
    cdef int32_t* slots
    cdef size_t mask
    # By code: the hash of an item, the item if it is an object, and the last ranking that has it.
    cdef Py_hash_t* hashes
    cdef PyObject** keys
    cdef uint8_t* last
    cdef Py_ssize_t count

    def __cinit__(self, Py_ssize_t most):
        cdef size_t size = 8
        # Slots and codes are 32-bit integers, and there are up to four slots for each item.
        if most > MAX_ITEMS // 4:
            raise ValueError(f"two rankings must have at most {MAX_ITEMS // 4} items together, not {most}")
        while size < 2 * <size_t> most:
            size *= 2
        self.mask = size - 1
        self.slots = <int32_t*> allocate(size, sizeof(int32_t))
        self.hashes = <Py_hash_t*> allocate(most, sizeof(Py_hash_t))
        self.keys = <PyObject**> allocate(most, sizeof(PyObject*))
        self.last = <uint8_t*> allocate(most, 1)

    def __dealloc__(self):
        PyMem_RawFree(self.slots)
        PyMem_RawFree(self.hashes)
        PyMem_RawFree(self.keys)
        PyMem_RawFree(self.last)

    cdef inline size_t first_slot(self, Py_hash_t hash) noexcept nogil:
        # The hashes of integers are the integers themselves; the product mixes their bits.
        cdef uint64_t mixed = <uint64_t> hash * <uint64_t> 0x9E3779B97F4A7C15
        return (mixed ^ (mixed >> 32)) & self.mask

    cdef inline Py_ssize_t entered(self, size_t slot, Py_ssize_t code, Py_hash_t hash, uint8_t ranking) noexcept nogil:
        """The code of an item, a new one if `code` is negative; -1 if the ranking has the item already."""
        if code < 0:
            code = self.count
            self.count += 1
            self.slots[slot] = <int32_t> self.count
            self.hashes[code] = hash
        elif self.last[code] == ranking:
            return -1
        self.last[code] = ranking
        return code

    cdef inline Py_ssize_t code_of_integer(self, int64_t item, uint8_t ranking) noexcept nogil:
        """The code of an integer, or -1 if the ranking has it already."""
        cdef size_t slot = self.first_slot(<Py_hash_t> item)
        cdef Py_ssize_t code
        while True:
            code = self.slots[slot] - 1
            if code < 0 or self.hashes[code] == <Py_hash_t> item:
                return self.entered(slot, code, <Py_hash_t> item, ranking)
            slot = (slot + 1) & self.mask

    cdef inline Py_ssize_t code_of(self, item, uint8_t ranking) except -2:
        """The code of an item, or -1 if the ranking has it already.  The caller keeps the item alive."""
        cdef Py_hash_t hash_of_item = hash(item)
        cdef size_t slot = self.first_slot(hash_of_item)
        cdef Py_ssize_t code
        while True:
            code = self.slots[slot] - 1
            if code < 0:
                code = self.entered(slot, code, hash_of_item, ranking)
                self.keys[code] = <PyObject*> item
                return code
            if self.hashes[code] == hash_of_item and same(self.keys[code], <PyObject*> item):
                return self.entered(slot, code, hash_of_item, ranking)
            slot = (slot + 1) & self.mask


cdef inline bint is_usual(item) noexcept:
    """Whether an item is a str or an int and no subclass."""
    return PyUnicode_CheckExact(item) or PyLong_CheckExact(item)


cdef inline bint is_tie(item) noexcept:
    """Whether an item is a set; the types that are usual are ruled out first, because that takes no call."""
    return not is_usual(item) and PyAnySet_Check(item)


cdef inline bint same(PyObject* one, PyObject* other) except -1:
    """Whether two items are equal, if their hashes are."""
    cdef Py_ssize_t length
    if one == other:
        return True
    if PyUnicode_CheckExact(<object> one) and PyUnicode_CheckExact(<object> other):
        # As Python compares strings, without the calls.
        length = PyUnicode_GET_LENGTH(one)
        if length != PyUnicode_GET_LENGTH(other) or PyUnicode_KIND(one) != PyUnicode_KIND(other):
            return False
        return memcmp(PyUnicode_DATA(one), PyUnicode_DATA(other), length * PyUnicode_KIND(one)) == 0
    return PyObject_RichCompareBool(<object> one, <object> other, Py_EQ)


def coded(tuple x not None, tuple y not None, bint checked):
    """Give codes to the items of two rankings, each a tuple of items and of sets of tied items.

    Parameters
    ----------
    x, y : tuple
    checked : bool
        Whether items of other types than str and int are known to be hashable and not missing.

    Returns
    -------
    tuple or None
        The two rankings as `Items`, and the number of codes.  None if a ranking is empty or repeats an item,
        if a tie is empty or has a tie in it, or if an item is of another type and was not checked.
    """
    cdef Py_ssize_t n = length(x), m = length(y)
    if n == 0 or m == 0:
        return None
    cdef Table table = Table(n + m)
    # Keeps the items of sets alive, which another thread may change.
    cdef list held = []
    cdef Items first = coded_one(x, n, table, 1, checked, held)
    cdef Items second = None if first is None else coded_one(y, m, table, 2, checked, held)
    return None if second is None else (first, second, table.count)


cdef Py_ssize_t length(tuple ranking) except -1:
    """The number of items, or 0 if there is an empty tie."""
    cdef Py_ssize_t n = 0
    for item in ranking:
        if not is_tie(item):
            n += 1
        elif PySet_GET_SIZE(item) == 0:
            return 0
        else:
            n += PySet_GET_SIZE(item)
    return n


cdef Items coded_one(tuple ranking, Py_ssize_t n, Table table, uint8_t number, bint checked, list held):
    cdef Items items = Items.__new__(Items)
    cdef Py_ssize_t k = 0
    items.allocate_arrays(n)
    for item in ranking:
        # A set may have got more items since they were counted.
        if k == n:
            return None
        items.opens[k] = True
        if not is_tie(item):
            if not put(items, k, item, table, number, checked):
                return None
            k += 1
        else:
            tie = tuple(item)
            held.append(tie)
            for tied in tie:
                if k == n or is_tie(tied) or not put(items, k, tied, table, number, checked):
                    return None
                k += 1
    return items if k == n else None


cdef inline bint put(Items items, Py_ssize_t k, item, Table table, uint8_t number, bint checked) except -1:
    """Enter the code of an item; return False if it is repeated, or not checked."""
    cdef Py_ssize_t code
    if not (checked or is_usual(item)):
        return False
    code = table.code_of(item, number)
    items.order[k] = <int32_t> code
    return code >= 0


def coded_integers(const int64_t[::1] x not None, const int64_t[::1] y not None):
    """Give codes to the items of two rankings of integers without ties.

    Returns
    -------
    tuple or None
        As from `coded`.  None if a ranking is empty or repeats an item.
    """
    if x.shape[0] == 0 or y.shape[0] == 0:
        return None
    cdef Table table = Table(x.shape[0] + y.shape[0])
    cdef Items first = Items.__new__(Items), second = Items.__new__(Items)
    cdef int64_t least, most
    cdef size_t codes
    cdef bint good
    first.allocate_arrays(x.shape[0])
    second.allocate_arrays(y.shape[0])
    with nogil:
        least, most = x[0], x[0]
        spread(x, &least, &most)
        spread(y, &least, &most)
        if <uint64_t> most - <uint64_t> least <= table.mask:
            # The integers less the least one are codes, and the slots mark those that a ranking has.
            good = shift_integers(x, first, least, table, 1) and shift_integers(y, second, least, table, 2)
            codes = table.mask + 1
        else:
            good = code_integers(x, first, table, 1) and code_integers(y, second, table, 2)
            codes = table.count
    return (first, second, codes) if good else None


cdef void spread(const int64_t[::1] ranking, int64_t* least, int64_t* most) noexcept nogil:
    """Extend a range to all integers of a ranking."""
    cdef Py_ssize_t k
    for k in range(ranking.shape[0]):
        least[0], most[0] = min(least[0], ranking[k]), max(most[0], ranking[k])


cdef bint shift_integers(
    const int64_t[::1] ranking, Items items, int64_t least, Table table, int32_t number
) noexcept nogil:
    """Fill in the codes of a ranking, its integers less the least one; return False if it repeats an item."""
    cdef Py_ssize_t k
    cdef size_t code
    for k in range(items.n):
        # The mask keeps the slot in the table even if another thread changes the array meanwhile.
        code = <size_t> (<uint64_t> ranking[k] - <uint64_t> least) & table.mask
        if table.slots[code] == number:
            return False
        table.slots[code] = number
        items.order[k] = <int32_t> code
        items.opens[k] = True
    return True


cdef bint code_integers(const int64_t[::1] ranking, Items items, Table table, uint8_t number) noexcept nogil:
    """Fill in the codes of a ranking; return False if it repeats an item."""
    cdef Py_ssize_t k, code
    for k in range(items.n):
        code = table.code_of_integer(ranking[k], number)
        if code < 0:
            return False
        items.order[k] = <int32_t> code
        items.opens[k] = True
    return True
