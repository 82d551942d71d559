# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The `Totals` of one ranking and permutations of another."""

from libc.stdint cimport int32_t

from .batches cimport Totals
from .dominance cimport Dominance
from .ranking cimport Ranking


def totals_of_permutations(
    Ranking x not None, Ranking y not None, const int32_t[:, ::1] permutations, sums
):
    """Compute the `Totals` of x and permutations of y.

    Parameters
    ----------
    x, y : Ranking
        Rankings of the same items.
    permutations : numpy.ndarray of int32
        A row for each permutation: in y, item i gets the value of item permutations[k, i].  Not checked.
    sums
        As for `Totals`.

    Raises
    ------
    ValueError
        If the rankings and the permutations have different numbers of items, or `sums` has an overlap.
    """
    cdef Py_ssize_t count = permutations.shape[0], n = x.n, k, i
    cdef int32_t place, last
    if y.n != n or permutations.shape[1] != n:
        raise ValueError(
            "'x', 'y' and 'permutations' must have the same items, but they have "
            f"{n}, {y.n} and {permutations.shape[1]} items"
        )
    cdef Totals totals = Totals(count, sums)
    if totals.p.shape[0]:
        raise ValueError("there is no rank-biased overlap of permutations: they have places, and no order")
    # The places of the copy are overwritten.  Its tie groups are the same in every permutation.
    cdef Dominance d = Dominance(x, y.copy())
    with nogil:
        for k in range(count):
            # Missing values are ranked last in order of position, wherever the permutation puts them.
            last = <int32_t> (n - y.missing)
            for i in range(n):
                place = y.place[permutations[k, i]]
                if place >= n - y.missing:
                    place = last
                    last += 1
                d.y.place[i] = place
            d.count()
            totals.set_entry(k, d)
    return totals
