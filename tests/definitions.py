"""The coefficients, Reliability and Sensitivity by their definitions, pair by pair, in exact arithmetic.  Slow."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, groupby, permutations, product


def sign(a, b):
    return (a < b) - (a > b)


def ahead(values, i, j, decreasing):
    """Whether j is strictly ahead of i."""
    return values[j] > values[i] if decreasing else values[j] < values[i]


def tau_a(x, y):
    """Equation (4), which is (1) if there are no ties."""
    pairs = list(combinations(range(len(x)), 2))
    return Fraction(sum(sign(x[i], x[j]) * sign(y[i], y[j]) for i, j in pairs), len(pairs))


def tau_b(x, y):
    """Equation (9) as a Decimal of 40 digits; None if undefined."""
    pairs = list(combinations(range(len(x)), 2))
    s = sum(sign(x[i], x[j]) * sign(y[i], y[j]) for i, j in pairs)
    expected = [sum(v[i] != v[j] for i, j in pairs) for v in (x, y)]
    if 0 in expected:
        return None
    with localcontext() as context:
        context.prec = 40
        return Decimal(s) / Decimal(expected[0] * expected[1]).sqrt()


def places(y, decreasing):
    """p_i and t_i of every item."""
    n = range(len(y))
    return [1 + sum(ahead(y, i, j, decreasing) for j in n) for i in n], [sum(y[i] == y[j] for j in n) for i in n]


def concordant_above(x, y, i, decreasing):
    """Equation (5)."""
    return sum(ahead(x, i, j, decreasing) and ahead(y, i, j, decreasing) for j in range(len(x)))


def tauAP_a(x, y, decreasing=True):
    """Equation (8), which is (3) if there are no ties."""
    n = len(x)
    p, t = places(y, decreasing)
    total = Fraction(0)
    for i in range(n):
        if p[i] > 1:
            inverse = sum(Fraction(1, t[i] * (p[i] + k - 2)) for k in range(1, t[i] + 1))
            total += concordant_above(x, y, i, decreasing) * inverse
        total += Fraction(1, 2 * t[i]) * sum(Fraction(k, p[i] + k - 1) for k in range(1, t[i]))
    return Fraction(2, n - 1) * total - 1


def tauAP_ties(x, y, decreasing=True):
    """Equation (10); None if undefined."""
    p, _ = places(y, decreasing)
    below = [i for i in range(len(y)) if p[i] > 1]
    if not below:
        return None
    total = sum(Fraction(concordant_above(x, y, i, decreasing), p[i] - 1) for i in below)
    return Fraction(2, len(below)) * total - 1


def tauAP_b(x, y, decreasing=True):
    """Equation (11); None if undefined."""
    both = tauAP_ties(x, y, decreasing), tauAP_ties(y, x, decreasing)
    return None if None in both else sum(both) / 2


def weak_orders(n):
    """All rankings of n items, with and without ties, as dense ranks from 0."""
    return [r for r in product(range(n), repeat=n) if set(r) == set(range(max(r) + 1))]


def orders_of_ties(y):
    """All ways to break the ties of y, as rankings without ties."""
    groups = [list(g) for _, g in groupby(sorted(range(len(y)), key=lambda i: y[i]), key=lambda i: y[i])]
    for orders in product(*(permutations(group) for group in groups)):
        items = [i for group in orders for i in group]
        yield [items.index(i) for i in range(len(y))]


def occurrences(levels):
    """(document, level, cluster) of every occurrence."""
    return [(d, i, (i, k)) for i, level in enumerate(levels) for k, cluster in enumerate(level) for d in cluster]


def weights(X, c):
    """Equation (2) for every occurrence, and the weight of the tail.  If c is None, equal weights and no tail."""
    if c is None:
        return [Fraction(1, len(X))] * len(X), Fraction(0)
    w = []
    for _, level, _ in X:
        above, equal = sum(other < level for _, other, _ in X), sum(other == level for _, other, _ in X)
        w.append(c / equal * (1 / (c + above) - 1 / (c + above + equal)))
    return w, c / (c + len(X))


def priority_reliability(system, gold, c=None):
    """The double sum over priority relations of Amigo et al. (2013), section 3.3."""
    X, G = occurrences(system), occurrences(gold)
    w, tail = weights(X, c)

    def above(side, d, e):
        return sum(a[1] < b[1] for a in side for b in side if a[0] == d and b[0] == e)

    def times(side, d):
        return sum(one[0] == d for one in side)

    total = Fraction(0)
    for (d, level, _), w_d in zip(X, w):
        W = 1 - sum(w_e for (_, other, _), w_e in zip(X, w) if other == level)
        for (e, other, _), w_e in zip(X, w):
            if level != other:
                relation = (d, e) if level < other else (e, d)
                r_X, r_G = above(X, *relation), above(G, *relation)
                total += Fraction(min(r_G, r_X), r_X) * w_d * w_e / W
        if tail:
            P = Fraction(min(times(G, d), times(X, d)), times(X, d))
            total += P * w_d * tail * (1 / W + 1 / (1 - tail))
    return total


def clustering_reliability(system, gold, c=None):
    """The double sum over clustering relations of Amigo et al. (2013), section 3.3."""
    X, G = occurrences(system), occurrences(gold)
    w, tail = weights(X, c)

    def together(side, d, e):
        return sum(a[2] == b[2] for a in side for b in side if a[0] == d and b[0] == e)

    total = tail
    for (d, _, cluster), w_d in zip(X, w):
        W = sum(w_e for (_, _, other), w_e in zip(X, w) if other == cluster)
        for (e, _, other), w_e in zip(X, w):
            if cluster == other:
                r_X, r_G = together(X, d, e), together(G, d, e)
                total += Fraction(min(r_G, r_X), r_X) * w_d * w_e / W
    return total


def expected_tau(P):
    """Urbano and Marrero (2016): P[i][j] is the chance that i, ahead of j, is behind it in truth; None is left out."""
    m = len(P)
    pairs = [P[i][j] for i, j in combinations(range(m), 2) if P[i][j] is not None]
    return 1 - 2 * sum(pairs) / (m * (m - 1) / 2)


def expected_tauAP(P):
    """The same for tauAP, with the places from 1 as in the paper."""
    m, total = len(P), 0
    for j in range(2, m + 1):
        above = [P[i - 1][j - 1] for i in range(1, j) if P[i - 1][j - 1] is not None]
        total += sum(above) / (j - 1)
    return 1 - 2 / (m - 1) * total
