# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The quadratic program under the rank distance: the point nearest to the means that keeps a given order.

Systems in a given order have mean differences mu between neighbours, and these have the covariance matrix S, each entry
of it four entries of the systems' own covariance matrix.  The nearest point theta >= 0 to mu, by S^-1, needs no inverse:
its dual is to minimise 1/2 l'Sl + mu'l over l >= 0, and then theta = mu + Sl, at a squared distance of l'Sl.  For every
pair of neighbours either l or theta is 0.  The pairs with theta = 0, made equal, are found one by one: the active set
method of Lawson and Hanson (1974), with a Cholesky factor of S among those pairs that grows and shrinks with them.
"""

from libc.math cimport fabs, rint, sqrt
from libc.stdint cimport int32_t, uint8_t

import numpy as np

# What rounding makes of a sum that should be 0, as a share of its terms.
cdef double ROUNDING = 1e-12
# What rounding leaves of a variance that should be 0, as a share of the variances that it came from.
cdef double SINGULAR = 1e-14


cdef double dot(const double* a, const double* b, Py_ssize_t n) noexcept nogil:
    """Four sums side by side, as a processor does not wait for one to end before the next begins."""
    cdef double s0 = 0, s1 = 0, s2 = 0, s3 = 0
    cdef Py_ssize_t k = 0
    while k + 4 <= n:
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
        k += 4
    while k < n:
        s0 += a[k] * b[k]
        k += 1
    return (s0 + s1) + (s2 + s3)


cdef void add_multiple(double* a, double factor, const double* b, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(n):
        a[k] += factor * b[k]


cdef class Closest:
    """The nearest points to the means of some systems, for as many orders of the systems as one likes.

    Parameters
    ----------
    means : numpy.ndarray
        One mean a system.
    covariance : numpy.ndarray
        Systems by systems.
    ridge : float
        Added to the variances of the differences.
    noise : float
        A variance that rounding alone can make in the scores.
    """

    cdef const double[::1] means
    cdef const double[:, ::1] covariance
    cdef double ridge, noise
    cdef Py_ssize_t m
    # By pair of neighbours.  `refused` are pairs whose turn has come and that rounding keeps from being made equal.
    cdef double[:, ::1] S
    cdef double[::1] mu, l, theta, deviation
    cdef uint8_t[::1] held, refused
    # By pair made equal, of which there are `count`: which it is, U of S = U'U, z of U'z = -mu, and U^-1 z.
    cdef Py_ssize_t count
    cdef int32_t[::1] equal
    cdef double[:, ::1] U
    cdef double[::1] z, solution

    def __cinit__(self, const double[::1] means not None, const double[:, ::1] covariance not None, double ridge,
                  double noise=0):
        cdef Py_ssize_t m = means.shape[0]
        if m < 2 or covariance.shape[0] != m or covariance.shape[1] != m:
            raise ValueError(f"{m} means and a covariance matrix of {covariance.shape[0]} by {covariance.shape[1]}")
        self.means, self.covariance, self.ridge, self.noise, self.m = means, covariance, ridge, noise, m
        self.S, self.U = np.zeros((m, m)), np.zeros((m, m))
        self.mu, self.l, self.theta, self.deviation = np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m)
        self.z, self.solution = np.zeros(m), np.zeros(m)
        self.held, self.refused = np.zeros(m, dtype=np.uint8), np.zeros(m, dtype=np.uint8)
        self.equal = np.zeros(m, dtype=np.int32)

    def point(self, const int32_t[::1] order not None):
        """The squared distance l'Sl, theta and l of the nearest point that keeps this order of the systems, best first."""
        self.check_order(order)
        cdef double squared
        with nogil:
            squared = self.nearest(&order[0])
        check(squared)
        return squared, np.array(self.theta[:self.m - 1]), np.array(self.l[:self.m - 1])

    def resampled(self, const double[:, ::1] X not None, const int32_t[:, ::1] draws not None,
                  const int32_t[::1] order not None, double unit):
        """The squared distances of the orders by the means over resampled topics.

        Parameters
        ----------
        X : numpy.ndarray
            Topics by systems.
        draws : numpy.ndarray of int32
            Resamples by topics: which rows of X each resample has.
        order : numpy.ndarray of int32
            The systems in the order that decides between systems with equal means.
        unit : float
            Sums that differ by less than about this are equal.
        """
        self.check_order(order)
        if X.shape[1] != self.m or draws.size > 0 and not 0 <= np.min(draws) <= np.max(draws) < X.shape[0]:
            raise ValueError(f"draws that are not of the rows of a table of {X.shape[0]} by {X.shape[1]}")
        cdef Py_ssize_t resamples = draws.shape[0], b, t, i, j
        out = np.empty(resamples)
        cdef double[::1] squared = out, sums = np.empty(self.m)
        cdef int32_t[::1] by_sums = np.empty(self.m, dtype=np.int32)
        cdef int32_t system
        cdef double worst = 0
        with nogil:
            for b in range(resamples):
                for i in range(self.m):
                    sums[i] = 0
                for t in range(draws.shape[1]):
                    add_multiple(&sums[0], 1, &X[draws[b, t], 0], self.m)
                for i in range(self.m):
                    sums[i] = rint(sums[i] / unit)
                # The order is nearly that of the true means, so that little has to move; and it stays among equals.
                for i in range(self.m):
                    system = order[i]
                    j = i
                    while j > 0 and sums[by_sums[j - 1]] < sums[system]:
                        by_sums[j] = by_sums[j - 1]
                        j -= 1
                    by_sums[j] = system
                squared[b] = self.nearest(&by_sums[0])
                worst = min(worst, squared[b])
        check(worst)
        return out

    def check_order(self, order):
        if not np.array_equal(np.sort(order), np.arange(self.m)):
            raise ValueError(f"an order that does not have each of the {self.m} systems once")

    cdef double nearest(self, const int32_t* order) noexcept nogil:
        """Find `theta` and `l`; return l'Sl, or -1 if S is singular, or -2 if there is no end to it."""
        cdef Py_ssize_t pairs = self.m - 1, rounds = 10 * self.m + 100, k
        self.lay_out(order)
        self.count = 0
        for _ in range(rounds):
            k = self.most_negative()
            if k < 0:
                return dot(&self.z[0], &self.z[0], self.count)
            if not self.append(k):
                return -1
            self.solve()
            if not self.solution[self.count - 1] > 0:
                # Rounding alone made it negative.
                self.remove(self.count - 1)
                self.refused[k] = True
                continue
            while not self.advance():
                self.solve()
            for k in range(pairs):
                self.refused[k] = False
        return -2

    cdef void lay_out(self, const int32_t* order) noexcept nogil:
        """mu and S in this order, and no pair made equal yet."""
        cdef Py_ssize_t pairs = self.m - 1, a, b
        cdef int32_t i, next_i
        cdef const double* row
        cdef const double* next_row
        for a in range(pairs):
            i, next_i = order[a], order[a + 1]
            row, next_row = &self.covariance[i, 0], &self.covariance[next_i, 0]
            self.mu[a] = self.means[i] - self.means[next_i]
            for b in range(a, pairs):
                self.S[a, b] = (row[order[b]] - next_row[order[b]]) - (row[order[b + 1]] - next_row[order[b + 1]])
            self.deviation[a] = row[i] + next_row[next_i]
        for a in range(pairs):
            for b in range(a):
                self.S[a, b] = self.S[b, a]
            self.S[a, a] += self.ridge
            # The size that rounding in the variance goes by.
            self.deviation[a] = sqrt(self.deviation[a] + self.ridge)
            self.l[a] = 0
            self.held[a] = False
            self.refused[a] = False

    cdef Py_ssize_t most_negative(self) noexcept nogil:
        """Find theta = mu + S l; return the pair with the most negative one, by its standard deviation, or -1."""
        cdef Py_ssize_t pairs = self.m - 1, k, a, found = -1
        cdef double size = 0, least = 0
        for k in range(pairs):
            self.theta[k] = self.mu[k]
        for a in range(self.count):
            k = self.equal[a]
            add_multiple(&self.theta[0], self.l[k], &self.S[k, 0], pairs)
            size += self.l[k] * self.deviation[k]
        for k in range(pairs):
            if self.held[k]:
                self.theta[k] = 0
            elif self.theta[k] < -ROUNDING * (fabs(self.mu[k]) + self.deviation[k] * size):
                if not self.refused[k] and self.theta[k] < least * self.deviation[k]:
                    least = self.theta[k] / self.deviation[k]
                    found = k
            else:
                self.theta[k] = max(self.theta[k], 0)
        return found

    cdef bint append(self, Py_ssize_t k) noexcept nogil:
        """Make one more pair equal; False if S is singular among the pairs then."""
        cdef Py_ssize_t p = self.count, a
        cdef double left
        # A new last column of U, from U'u = s, kept in `solution` on the way.
        for a in range(p):
            self.solution[a] = self.S[k, self.equal[a]]
        for a in range(p):
            self.solution[a] /= self.U[a, a]
            if a + 1 < p:
                add_multiple(&self.solution[a + 1], -self.solution[a], &self.U[a, a + 1], p - a - 1)
            self.U[a, p] = self.solution[a]
        left = self.S[k, k] - dot(&self.solution[0], &self.solution[0], p)
        if not left > SINGULAR * self.deviation[k] * self.deviation[k] + self.noise:
            return False
        self.U[p, p] = sqrt(left)
        self.z[p] = (-self.mu[k] - dot(&self.solution[0], &self.z[0], p)) / self.U[p, p]
        self.equal[p] = <int32_t> k
        self.held[k] = True
        self.count += 1
        return True

    cdef void remove(self, Py_ssize_t j) noexcept nogil:
        """Let go of the j-th pair made equal: drop its column of U, and rotate rows until U is triangular again."""
        cdef Py_ssize_t p = self.count, a, b
        cdef double x, y, cosine, sine, length
        self.held[self.equal[j]] = False
        self.l[self.equal[j]] = 0
        for b in range(j, p - 1):
            self.equal[b] = self.equal[b + 1]
            for a in range(b + 2):
                self.U[a, b] = self.U[a, b + 1]
        for a in range(j, p - 1):
            length = sqrt(self.U[a, a] * self.U[a, a] + self.U[a + 1, a] * self.U[a + 1, a])
            cosine, sine = self.U[a, a] / length, self.U[a + 1, a] / length
            for b in range(a, p - 1):
                x, y = self.U[a, b], self.U[a + 1, b]
                self.U[a, b] = cosine * x + sine * y
                self.U[a + 1, b] = cosine * y - sine * x
            x, y = self.z[a], self.z[a + 1]
            self.z[a] = cosine * x + sine * y
            self.z[a + 1] = cosine * y - sine * x
        self.count -= 1

    cdef void solve(self) noexcept nogil:
        """The l that makes just these pairs equal, into `solution`: U l = z."""
        cdef Py_ssize_t p = self.count, a
        for a in range(p - 1, -1, -1):
            self.solution[a] = (
                self.z[a] - (dot(&self.U[a, a + 1], &self.solution[a + 1], p - a - 1) if a + 1 < p else 0)
            ) / self.U[a, a]

    cdef bint advance(self) noexcept nogil:
        """Go from l towards the solution as far as l stays positive; let go of the pairs where it ends; True if it is reached."""
        cdef Py_ssize_t a, k, first = -1
        cdef double step = 1, here
        for a in range(self.count):
            k = self.equal[a]
            if self.solution[a] <= 0:
                here = self.l[k] / (self.l[k] - self.solution[a])
                if first < 0 or here < step:
                    step, first = here, a
        for a in range(self.count):
            k = self.equal[a]
            self.l[k] += step * (self.solution[a] - self.l[k])
        if first >= 0:
            self.remove(first)
        return first < 0


def check(double squared):
    """Raise an error that says why there is no squared distance."""
    if squared == -1:
        raise ValueError("the covariance matrix of the differences is singular: a positive 'ridge' is needed")
    if squared < 0:
        raise ArithmeticError("the nearest point was not found: please report the data")
