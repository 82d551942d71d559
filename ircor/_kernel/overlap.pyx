# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""Rank-biased overlap of two rankings with ties, in time proportional to their lengths.

At any depth, at most one tie group of each ranking is cut: the items above it have all of their weight, those below it
none.  So the overlap at a depth follows from four counts, which are whole numbers: the items that are whole in both
rankings, those that are whole in one and in the cut group of the other, and those in the cut groups of both.  An item
enters a cut group once and becomes whole once.
"""

from cpython.mem cimport PyMem_RawFree
from libc.math cimport fabs, log1p, pow, sqrt
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset

from .items cimport Items
from .long_ranking cimport LongRanking
from .ranking cimport Accumulator, Ranking, add, allocate

import numpy as np

from .items import coded, coded_integers

cdef enum:
    # How far an item is in a ranking.
    CUT = 1
    WHOLE = 2
    # So many depths are a block.  Between blocks, powers of p are computed anew, and sums are compensated.
    STEPS = 32
    # So many bytes of memory are set to 0 in the time that it takes to set those of one item.
    BYTES_PER_ITEM = 16
    # More rounds than any continued fraction of `tail` needs.
    MOST_ROUNDS = 100000


cdef struct Walk:
    # A ranking up to some depth: the items that are whole, and those of the group that is cut, from its first to its
    # last place, or none.
    View ranking
    Py_ssize_t whole
    Py_ssize_t cut
    # The bits of this ranking in the states of items, and those of the other ranking.
    int shift
    int other

cdef struct Sum:
    # A sum over depths: that of all blocks, and that of the present block, which is added up as it comes.
    Accumulator whole
    double block


cdef struct Counts:
    # Items in both rankings: both[i][j] are i in x and j in y, where i and j are CUT or WHOLE.
    int64_t both[3][3]


cdef inline void close_block(Sum* sum) noexcept nogil:
    add(&sum.whole, sum.block)
    sum.block = 0


cdef inline void start(Walk* walk, View ranking, int shift) noexcept nogil:
    walk.ranking = ranking
    walk.whole = walk.cut = 0
    walk.shift, walk.other = shift, 2 - shift


cdef inline void enter(
    Walk* walk, Py_ssize_t first, Py_ssize_t end, int before, int now, uint8_t* state, Counts* counts
) noexcept nogil:
    """Change how far the items at some places are in this ranking."""
    cdef Py_ssize_t k
    cdef int theirs
    cdef uint8_t* item
    for k in range(first, end):
        item = &state[walk.ranking.order[k]]
        theirs = item[0] >> walk.other & 3
        # Items that are not in both rankings so far are not counted.
        if theirs:
            if walk.shift == 0:
                counts.both[before][theirs] -= 1
                counts.both[now][theirs] += 1
            else:
                counts.both[theirs][before] -= 1
                counts.both[theirs][now] += 1
        item[0] = <uint8_t> (item[0] ^ ((before ^ now) << walk.shift))


cdef inline void go_to(Walk* walk, Py_ssize_t depth, uint8_t* state, Counts* counts) noexcept nogil:
    """Go on from the depth before to this depth, which is not beyond the end."""
    cdef Py_ssize_t end
    if walk.cut == 0:
        end = depth
        while end < walk.ranking.n and not walk.ranking.opens[end]:
            end += 1
        if end == depth:
            enter(walk, depth - 1, depth, 0, WHOLE, state, counts)
            walk.whole = depth
        else:
            enter(walk, depth - 1, end, 0, CUT, state, counts)
            walk.cut = end - walk.whole
    elif depth == walk.whole + walk.cut:
        enter(walk, walk.whole, depth, CUT, WHOLE, state, counts)
        walk.whole, walk.cut = depth, 0


cdef inline double share(Walk* walk, Py_ssize_t depth, Ties ties) noexcept nogil:
    """The weight of an item in the group that is cut."""
    if walk.cut == 0:
        return 0
    return 1 if ties == TIES_W else <double> (depth - walk.whole) / <double> walk.cut


cdef inline double common(Counts* counts, double x_share, double y_share) noexcept nogil:
    """X_d, the sum of the products of weights."""
    if x_share == 0 and y_share == 0:
        # No group is cut.
        return counts.both[WHOLE][WHOLE]
    return (
        counts.both[WHOLE][WHOLE]
        + counts.both[CUT][WHOLE] * x_share
        + counts.both[WHOLE][CUT] * y_share
        + counts.both[CUT][CUT] * (x_share * y_share)
    )


cdef inline double size(Walk* walk, double cut_share, Py_ssize_t depth, Ties ties) noexcept nogil:
    """The size of a ranking at a depth: the sum of weights, or of their squares for b."""
    if ties == TIES_A:
        return depth
    if ties == TIES_W:
        return walk.whole + walk.cut
    return walk.whole + walk.cut * (cut_share * cut_share)


cdef inline double mean_size(double one, double other, Ties ties) noexcept nogil:
    """The denominator of the agreement; the root of a square is exact."""
    if ties == TIES_W:
        return (one + other) / 2
    return sqrt(one * other) if ties == TIES_B else one


cdef double tail(double p, Py_ssize_t l) noexcept nogil:
    """(1 - p) / p times the sum of p^d / d over d > l.

    The sum is an incomplete beta function, B(p; l + 1, 0): its continued fraction converges fast where the logarithm
    minus the first l terms would cancel, and the other way round.
    """
    cdef double a = l + 1, c = 1, d = 0, h = 1, power = 1, step = 0, term
    cdef Py_ssize_t m
    cdef Accumulator sum = Accumulator(0, 0)
    if p >= (a + 1) / (a + 2):
        add(&sum, -log1p(-p))
        for m in range(1, l + 1):
            power = pow(p, <double> m) if m % STEPS == 0 else power * p
            add(&sum, -power / m)
        return (1 - p) / p * (sum.total + sum.lost)
    # Lentz's algorithm.
    for m in range(MOST_ROUNDS):
        for term in (-(a + m) * (a + m) * p / ((a + 2 * m) * (a + 2 * m + 1)),
                     -<double> (m + 1) * (m + 1) * p / ((a + 2 * m + 1) * (a + 2 * m + 2))):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            step = c * d
            h *= step
        if fabs(step - 1) < 3e-16:
            break
    return (1 - p) * pow(p, <double> l) / a / h


cdef Scores overlap(View x, View y, uint8_t* state, Py_ssize_t codes, double p, Ties ties) noexcept nogil:
    """The scores of two rankings.

    `state` has a byte for each of the codes that items can have, all of them 0, and is left like that.
    """
    cdef Walk S, L
    cdef Counts counts
    # The sums of agreements times weights, and the sum of the weights alone: it is 1, and divides out rounding errors.
    cdef Sum ext, low, high, weights
    cdef Py_ssize_t s, l, f, d, k, u_whole, u_cut
    cdef double power = 1, weight, s_share, l_share, agreement = 0, X_d, denominator
    cdef Scores found
    memset(&counts, 0, sizeof(Counts))
    memset(&ext, 0, sizeof(Sum))
    memset(&weights, 0, sizeof(Sum))
    start(&S, x if x.n < y.n else y, 0)
    start(&L, y if x.n < y.n else x, 2)
    s, l = S.ranking.n, L.ranking.n
    for d in range(1, s + 1):
        go_to(&S, d, state, &counts)
        go_to(&L, d, state, &counts)
        s_share, l_share = share(&S, d, ties), share(&L, d, ties)
        denominator = mean_size(size(&S, s_share, d, ties), size(&L, l_share, d, ties), ties)
        agreement = min(common(&counts, s_share, l_share) / denominator, 1)
        weight = (1 - p) * power
        ext.block += agreement * weight
        weights.block += weight
        power *= p
        if d % STEPS == 0:
            power = pow(p, <double> d)
            close_block(&ext)
            close_block(&weights)
    low = high = ext
    for d in range(s + 1, l + 1):
        go_to(&L, d, state, &counts)
        l_share = share(&L, d, ties)
        X_d = common(&counts, 0, l_share)
        # Of the items that S does not have: those that are whole, and those that are cut.
        u_whole, u_cut = L.whole - counts.both[WHOLE][WHOLE], L.cut - counts.both[WHOLE][CUT]
        k = d - s
        weight = (1 - p) * power
        denominator = mean_size(d, size(&L, l_share, d, ties), ties)
        low.block += X_d / denominator * weight
        high.block += (X_d + min(k, u_whole) + l_share * min(max(k - u_whole, 0), u_cut)) / denominator * weight
        # The agreement is still that at depth s.
        ext.block += (X_d + k * agreement * ((u_whole + l_share * u_cut) / (u_whole + u_cut))) / denominator * weight
        weights.block += weight
        power *= p
        if d % STEPS == 0:
            power = pow(p, <double> d)
            close_block(&low)
            close_block(&high)
            close_block(&ext)
            close_block(&weights)
    # All items of both rankings are whole: those in common.
    k = counts.both[WHOLE][WHOLE]
    low.block += k * tail(p, l)
    ext.block += (k + (l - s) * agreement) / l * power
    found.ext = quotient(ext, weights, power)
    found.min = quotient(low, weights, power)
    f = l + s - k
    for d in range(l + 1, f + 1):
        weight = (1 - p) * power
        high.block += (2 - <double> f / d) * weight
        weights.block += weight
        power *= p
        if d % STEPS == 0:
            power = pow(p, <double> d)
            close_block(&high)
            close_block(&weights)
    high.block += power
    found.max = quotient(high, weights, power)
    if codes <= BYTES_PER_ITEM * (s + l):
        memset(state, 0, codes)
    else:
        for k in range(s):
            state[S.ranking.order[k]] = 0
        for k in range(l):
            state[L.ranking.order[k]] = 0
    return found


cdef inline double quotient(Sum sum, Sum weights, double rest) noexcept nogil:
    """A sum of agreements times weights over the sum of all weights, of which `rest` is that beyond the last depth."""
    weights.block += rest
    close_block(&sum)
    close_block(&weights)
    return min((sum.whole.total + sum.whole.lost) / (weights.whole.total + weights.whole.lost), 1)


cdef inline View view_of_ranking(Ranking ranking) noexcept nogil:
    return View(ranking.order, ranking.opens, ranking.n)


cdef double overlap_of(Ranking x, Ranking y, uint8_t* state, double p, Ties ties) noexcept nogil:
    """The extrapolated overlap, ext, of two rankings of the same items; `state` is as for `overlap`."""
    return overlap(view_of_ranking(x), view_of_ranking(y), state, x.n, p, ties).ext


cdef View view_of(ranking) except *:
    """The items of a `Ranking`, a `LongRanking` or of `Items`, which the caller must keep alive."""
    cdef View view
    cdef LongRanking long_ranking
    if isinstance(ranking, Ranking):
        view = view_of_ranking(<Ranking> ranking)
    elif isinstance(ranking, LongRanking):
        long_ranking = ranking
        if long_ranking.order == NULL or long_ranking.opens == NULL or long_ranking.after is not None:
            raise ValueError("two rankings, one after the other, share their items and have no overlap")
        view.order, view.opens, view.n = long_ranking.order, long_ranking.opens, long_ranking.n
    else:
        view.order, view.opens, view.n = (<Items?> ranking).order, (<Items> ranking).opens, (<Items> ranking).n
    return view


def overlaps_of_pairs(
    list x not None, list y not None, const Py_ssize_t[:, ::1] pairs, Py_ssize_t codes, double p, int ties
):
    """Compute rank-biased overlaps of pairs of rankings.

    Parameters
    ----------
    x, y : list of Ranking, LongRanking or Items
        Rankings without missing values.
    pairs : numpy.ndarray of intp
        A row for each pair: the positions of its rankings in x and y.  Not checked.
    codes : int
        More than the greatest code of an item.  Not checked.
    p : float
        Between 0 and 1.  Not checked.
    ties : int
        0, 1 and 2 for the treatments w, a and b.

    Returns
    -------
    numpy.ndarray
        A row for each pair: ext, min and max.
    """
    cdef Py_ssize_t count = pairs.shape[0], k
    out = np.empty((count, 3))
    cdef double[:, ::1] scores = out
    cdef Scores found
    cdef View one, other
    cdef uint8_t* state = <uint8_t*> allocate(codes, 1)
    try:
        for k in range(count):
            one, other = view_of(x[pairs[k, 0]]), view_of(y[pairs[k, 1]])
            with nogil:
                found = overlap(one, other, state, codes, p, <Ties> ties)
            scores[k, 0], scores[k, 1], scores[k, 2] = found.ext, found.min, found.max
    finally:
        PyMem_RawFree(state)
    return out


def overlaps_of_lists(list x not None, list y not None, double p, int ties, bint checked):
    """Compute rank-biased overlaps of pairs of rankings: two lists or tuples, or two arrays of 64-bit integers.

    Parameters
    ----------
    x, y : list
        The rankings, as for `coded` and `coded_integers`.
    p, ties
        As for `overlaps_of_pairs`.
    checked : bool
        As for `coded`.

    Returns
    -------
    scores : numpy.ndarray
        A row for each pair: ext, min and max.
    done : int
        The number of pairs before the first that `coded` or `coded_integers` does not take.
    """
    cdef Py_ssize_t count = len(x), k
    out = np.empty((count, 3))
    cdef double[:, ::1] scores = out
    cdef Scores found
    cdef View one, other
    cdef Py_ssize_t codes, room = 0
    cdef uint8_t* state = NULL
    if len(y) != count:
        raise ValueError(f"'x' and 'y' must be of the same length, but they have {count} and {len(y)} rankings")
    try:
        for k in range(count):
            if isinstance(x[k], (list, tuple)):
                # Copies, which no other thread can change.
                pair = coded(tuple(x[k]), tuple(y[k]), checked)
            else:
                pair = coded_integers(x[k], y[k])
            if pair is None:
                return out, k
            first, second, codes = pair
            if codes > room:
                PyMem_RawFree(state)
                state = NULL
                state = <uint8_t*> allocate(codes, 1)
                room = codes
            one, other = view_of(first), view_of(second)
            with nogil:
                found = overlap(one, other, state, codes, p, <Ties> ties)
            scores[k, 0], scores[k, 1], scores[k, 2] = found.ext, found.min, found.max
    finally:
        PyMem_RawFree(state)
    return out, count
