# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The quadratic program of the rank distance: the point closest to the systems' means that has a given order.

For systems in a given order, let mu be the differences between the means of neighbours, and S the covariance matrix of
these differences.  The closest point theta >= 0 minimises (theta - mu)' S^-1 (theta - mu).  The dual problem needs no
inverse: minimise 1/2 l'Sl + mu'l over l >= 0.  Then theta = mu + S l, and the squared distance is l'Sl.  For every pair
of neighbours, l or theta is 0.

The solver is the active-set method of Lawson and Hanson (1974).  The active set is the set of pairs with theta = 0: at
the closest point, their systems are equal.  It starts empty; each step adds the pair that violates theta >= 0 most, and
drops the pairs whose multiplier l would become negative.  A Cholesky factor of S on the active set is updated at each
step instead of being computed anew.

S may be singular, as it is if two systems have the same scores.  Then theta - mu is in the range of S, the distance is
the same l'Sl, and a pair k can depend on the active ones: there is a direction d with d_k = 1 and S d = 0, whose other
entries are on the active set.  Along d neither theta nor l'Sl changes, and the dual objective falls by |mu'd| a unit.
So the multipliers move along d until one becomes 0, and k takes the place of its pair.  If none falls, the dual has no
minimum, no point has this order, and the distance is infinite.

`scipy.optimize.nnls` solves the same problem, given a Cholesky factor of all of S, and serves as the oracle of the
tests.  The bootstrap solves thousands of problems, most of them with few active pairs.  This solver factorises S on the
active set only and runs without the GIL; with 10 to 100 systems it takes 5 to 20 times less time.
"""

from libc.math cimport INFINITY, NAN, fabs, rint, sqrt
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy, memmove, memset

import numpy as np

# Rounding error of a sum whose exact value is 0, relative to its terms.
cdef double ROUNDING = 1e-12
# Rounding error of a variance whose exact value is 0, relative to the variances that it is computed from.
cdef double SINGULAR = 1e-14
# A variance below this share of those that it is computed from is computed again, more exactly.
cdef double SMALL = 1e-6
# Rounding error of an entry of d whose exact value is 0, relative to the largest.
cdef double ZERO_ENTRY = 1e-8
# What `solve_order` returns instead of a squared distance.
cdef double NOT_CONVERGED = -1
# What `enter` returns.
ctypedef const double* Row

cdef int ENTERED = 0, REDUNDANT = 1, INFEASIBLE = 2


cdef inline double dot(const double* a, const double* b, Py_ssize_t n) noexcept nogil:
    """Return the dot product; four partial sums, so that additions do not have to wait for each other."""
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
    """a += factor * b"""
    cdef Py_ssize_t k
    for k in range(n):
        a[k] += factor * b[k]


cdef inline void add_four(double* a, const double* factors, const Row* b, Py_ssize_t n) noexcept nogil:
    """a += factors[0] * b[0], then the next three: as `add_multiple` four times, in the time of two."""
    cdef double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3]
    cdef const double* b0 = b[0]
    cdef const double* b1 = b[1]
    cdef const double* b2 = b[2]
    cdef const double* b3 = b[3]
    cdef Py_ssize_t k
    for k in range(n):
        a[k] = (((a[k] + f0 * b0[k]) + f1 * b1[k]) + f2 * b2[k]) + f3 * b3[k]


cdef inline double lowest(const double* a, const double* b, Py_ssize_t n) noexcept nogil:
    """Return the lowest a[k] * b[k], or 0 if none is below 0; four partial minima, as in `dot`."""
    cdef double m0 = 0, m1 = 0, m2 = 0, m3 = 0, product
    cdef Py_ssize_t k = 0
    while k + 4 <= n:
        product = a[k] * b[k]
        m0 = product if product < m0 else m0
        product = a[k + 1] * b[k + 1]
        m1 = product if product < m1 else m1
        product = a[k + 2] * b[k + 2]
        m2 = product if product < m2 else m2
        product = a[k + 3] * b[k + 3]
        m3 = product if product < m3 else m3
        k += 4
    while k < n:
        product = a[k] * b[k]
        m0 = product if product < m0 else m0
        k += 1
    m0 = m1 if m1 < m0 else m0
    m2 = m3 if m3 < m2 else m2
    return m2 if m2 < m0 else m0


def products(const double[:, ::1] A not None, const double[:, ::1] B=None):
    """Return A B', the products of the rows of A with the rows of B, by default with those of A.

    This is without BLAS, whose threads can take 100 times as long on a busy machine.
    """
    cdef Py_ssize_t m = A.shape[0], n = A.shape[1], k = m if B is None else B.shape[0], i, j
    if B is not None and B.shape[1] != n:
        raise ValueError(f"the rows of 'A' and 'B' must have the same length, not {n} and {B.shape[1]}")
    out = np.zeros((m, k))
    cdef double[:, ::1] P = out
    if n > 0:
        with nogil:
            for i in range(m):
                if B is None:
                    for j in range(i + 1):
                        P[i, j] = P[j, i] = dot(&A[i, 0], &A[j, 0], n)
                else:
                    for j in range(k):
                        P[i, j] = dot(&A[i, 0], &B[j, 0], n)
    return out


cdef class Closest:
    """Find the points closest to the systems' means that have a given order.

    One object solves any number of orders; it keeps the scratch memory, so each thread needs an object of its own.

    Parameters
    ----------
    means : numpy.ndarray of float
        The mean score of each system.
    covariance : numpy.ndarray of float
        The covariance matrix of the systems' scores.
    ridge : float
        Added to the variances of the differences, the diagonal of S.
    noise : float
        The variance of a difference that rounding errors of the scores can cause.  Variances up to it count as 0.
    tied : float
        Differences between means up to it count as 0 where S is singular.

    Raises ValueError if there are fewer than two systems, or if the covariance matrix has another shape.
    """

    cdef const double[::1] means
    cdef const double[:, ::1] covariance
    cdef double ridge, noise, tied
    cdef Py_ssize_t m
    cdef const int32_t* order
    # For each pair of neighbours.  `scale` is the size by which rounding errors are judged: the standard deviation that
    # the difference would have if the scores were uncorrelated.  `blocked` pairs violate theta >= 0 by rounding only.
    cdef double[::1] mu, l, theta, scale, inverse_scale
    cdef uint8_t[::1] is_active, blocked
    # The rows of S of the pairs that have been in the active set, and scratch memory for those of two systems.
    cdef double[:, ::1] S
    cdef double[::1] upper, lower
    # For each of the `count` active pairs: its index, U of S = U'U, z of U'z = -mu, and the solution of U l = z.
    cdef Py_ssize_t count
    cdef int32_t[::1] active
    cdef double[:, ::1] U
    cdef double[::1] z, solution
    # Where S is singular: d on the active set, the same as weights of the systems, and what counts as a mean of 0.
    cdef double[::1] direction, weight
    cdef double zero_mean

    def __cinit__(self, const double[::1] means not None, const double[:, ::1] covariance not None, double ridge,
                  double noise=0, double tied=0):
        cdef Py_ssize_t m = means.shape[0]
        if m < 2:
            raise ValueError(f"'means' must have two systems or more, not {m}")
        if covariance.shape[0] != m or covariance.shape[1] != m:
            raise ValueError(f"'covariance' must be {m} by {m}, not {covariance.shape[0]} by {covariance.shape[1]}")
        self.means, self.covariance, self.m = means, covariance, m
        self.ridge, self.noise, self.tied = ridge, noise, tied
        self.S, self.U = np.zeros((m, m)), np.zeros((m, m))
        self.mu, self.l, self.theta, self.scale = np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m)
        self.inverse_scale, self.upper, self.lower = np.zeros(m), np.zeros(m), np.zeros(m)
        self.z, self.solution, self.direction, self.weight = np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m)
        self.is_active, self.blocked = np.zeros(m, dtype=np.uint8), np.zeros(m, dtype=np.uint8)
        self.active = np.zeros(m, dtype=np.int32)

    def point(self, const int32_t[::1] order not None):
        """Find the closest point for one order of the systems.

        Parameters
        ----------
        order : numpy.ndarray of int32
            The indices of the systems, best first.

        Returns
        -------
        squared : float
            The squared distance, l'Sl; infinity if no point has this order.
        theta : numpy.ndarray of float
            By how much each system but the last is ahead of the next at the closest point; nan if there is none.
        l : numpy.ndarray of float
            The multipliers; 0 if there is no such point.

        Raises ValueError if `order` is not a permutation of the systems.
        """
        self.check_order(order)
        cdef double squared
        with nogil:
            squared = self.solve_order(&order[0])
        check(squared)
        return squared, np.array(self.theta[:self.m - 1]), np.array(self.l[:self.m - 1])

    def resampled(self, const double[:, ::1] X not None, const int32_t[:, ::1] draws not None,
                  const int32_t[::1] order not None, double unit):
        """Find the squared distances of the orders by the systems' sums over resampled topics.

        Parameters
        ----------
        X : numpy.ndarray of float
            Scores, topics by systems.
        draws : numpy.ndarray of int32
            Resamples by topics: the rows of X in each resample.
        order : numpy.ndarray of int32
            The indices of the systems, best first.  Systems with equal sums are taken in this order.
        unit : float
            Sums are rounded to multiples of this, so that rounding errors do not decide between equal sums.

        Returns
        -------
        numpy.ndarray of float

        Raises ValueError if `order` is not a permutation of the systems, if X does not have these systems, or if
        `draws` has other numbers than rows of X.
        """
        self.check_order(order)
        if X.shape[1] != self.m:
            raise ValueError(f"'X' must have {self.m} systems, not {X.shape[1]}")
        if draws.size > 0 and not 0 <= np.min(draws) <= np.max(draws) < X.shape[0]:
            raise ValueError(f"'draws' must be row numbers of 'X', from 0 to {X.shape[0] - 1}")
        cdef Py_ssize_t resamples = draws.shape[0], b, t, i, j
        out = np.empty(resamples)
        cdef double[::1] squared = out, sums = np.empty(self.m)
        cdef int32_t[::1] by_sums = np.empty(self.m, dtype=np.int32)
        cdef int32_t system
        cdef double worst = 0
        cdef double[4] ones = [1, 1, 1, 1]
        cdef Row[4] rows
        with nogil:
            for b in range(resamples):
                memset(&sums[0], 0, self.m * sizeof(double))
                for t in range(draws.shape[1]):
                    rows[t & 3] = &X[draws[b, t], 0]
                    if t & 3 == 3:
                        add_four(&sums[0], ones, rows, self.m)
                for t in range(draws.shape[1] & 3):
                    add_multiple(&sums[0], 1, rows[t], self.m)
                for i in range(self.m):
                    sums[i] = rint(sums[i] / unit)
                # Insertion sort: it is stable, and fast because the sums are nearly in the order of the true means.
                for i in range(self.m):
                    system = order[i]
                    j = i
                    while j > 0 and sums[by_sums[j - 1]] < sums[system]:
                        by_sums[j] = by_sums[j - 1]
                        j -= 1
                    by_sums[j] = system
                squared[b] = self.solve_order(&by_sums[0])
                worst = min(worst, squared[b])
        check(worst)
        return out

    cdef int check_order(self, order) except -1:
        if not np.array_equal(np.sort(order), np.arange(self.m)):
            raise ValueError(f"'order' must have each of the {self.m} systems once")
        return 0

    cdef double solve_order(self, const int32_t* order) noexcept nogil:
        """Find `theta` and `l`; return l'Sl, infinity if no point has this order, or -1 if it does not converge."""
        cdef Py_ssize_t pairs = self.m - 1, rounds = 10 * self.m + 100, k
        cdef int outcome
        self.set_problem(order)
        for _ in range(rounds):
            k = self.most_violated()
            if k < 0:
                # With U'z = -mu = S l on the active set, z = U l and l'Sl = z'z.
                return dot(&self.z[0], &self.z[0], self.count)
            outcome = self.enter(k)
            if outcome == INFEASIBLE:
                for k in range(pairs):
                    self.theta[k], self.l[k] = NAN, 0
                return INFINITY
            if outcome == REDUNDANT:
                self.blocked[k] = True
                continue
            self.solve()
            if self.l[k] == 0 and not self.solution[self.count - 1] > 0:
                # In exact arithmetic the new multiplier is positive, so only a rounding error made theta negative.
                self.remove(self.count - 1)
                self.blocked[k] = True
                continue
            while not self.advance():
                self.solve()
            memset(&self.blocked[0], 0, pairs)
        return NOT_CONVERGED

    cdef void set_problem(self, const int32_t* order) noexcept nogil:
        """Fill `mu` and `scale` for this order; empty the active set."""
        cdef Py_ssize_t pairs = self.m - 1, a
        cdef int32_t i, next_i
        self.order = order
        for a in range(pairs):
            i, next_i = order[a], order[a + 1]
            self.mu[a] = self.means[i] - self.means[next_i]
            self.scale[a] = sqrt((self.covariance[i, i] + self.covariance[next_i, next_i]) + self.ridge)
            self.inverse_scale[a] = 1 / self.scale[a]
        memset(&self.l[0], 0, self.m * sizeof(double))
        memset(&self.is_active[0], 0, self.m)
        memset(&self.blocked[0], 0, self.m)
        self.count = 0

    cdef void set_row(self, Py_ssize_t k) noexcept nogil:
        """Fill row k of S."""
        cdef const double* row = &self.covariance[self.order[k], 0]
        cdef const double* next_row = &self.covariance[self.order[k + 1], 0]
        cdef double* upper = &self.upper[0]
        cdef double* lower = &self.lower[0]
        cdef double* S = &self.S[k, 0]
        cdef Py_ssize_t pairs = self.m - 1, a
        for a in range(self.m):
            upper[a], lower[a] = row[self.order[a]], next_row[self.order[a]]
        # The order of the subtractions makes S symmetric to the last bit.
        for a in range(k):
            S[a] = (upper[a] - upper[a + 1]) - (lower[a] - lower[a + 1])
        for a in range(k, pairs):
            S[a] = (upper[a] - lower[a]) - (upper[a + 1] - lower[a + 1])
        S[k] += self.ridge

    cdef Py_ssize_t most_violated(self) noexcept nogil:
        """Compute theta = mu + S l; return the pair with the lowest theta / scale below 0, or -1 if there is none."""
        cdef Py_ssize_t pairs = self.m - 1, a, k, found = -1
        cdef double size = 0, least = 0, near
        cdef double* theta = &self.theta[0]
        cdef const double* scale = &self.scale[0]
        cdef double[4] factors
        cdef Row[4] rows
        memcpy(theta, &self.mu[0], pairs * sizeof(double))
        for a in range(self.count):
            k = self.active[a]
            size += self.l[k] * scale[k]
            factors[a & 3], rows[a & 3] = self.l[k], &self.S[k, 0]
            if a & 3 == 3:
                add_four(theta, factors, rows, pairs)
        for a in range(self.count & 3):
            add_multiple(theta, factors[a], rows[a], pairs)
        # Few are close to the lowest, and the first loop does not branch.
        near = lowest(theta, &self.inverse_scale[0], pairs) * (1 - 1e-9)
        for k in range(pairs):
            if theta[k] * self.inverse_scale[k] <= near:
                self.compare(k, size, &found, &least)
        if found < 0:
            # The lowest are 0 but for rounding, or blocked.
            for k in range(pairs):
                self.compare(k, size, &found, &least)
        if found < 0:
            for k in range(pairs):
                if theta[k] < 0 or self.is_zero(k, size):
                    theta[k] = 0
        return found

    cdef inline void compare(self, Py_ssize_t k, double size, Py_ssize_t* found, double* least) noexcept nogil:
        """Make k the `found` pair if its theta / scale is below `least`."""
        if self.theta[k] < least[0] * self.scale[k] and not self.blocked[k] and not self.is_zero(k, size):
            least[0] = self.theta[k] / self.scale[k]
            found[0] = k

    cdef inline bint is_zero(self, Py_ssize_t k, double size) noexcept nogil:
        """Whether theta_k is 0 but for rounding; `size` is the sum of the multipliers times their scales."""
        return self.is_active[k] or fabs(self.theta[k]) <= ROUNDING * (fabs(self.mu[k]) + self.scale[k] * size)

    cdef int enter(self, Py_ssize_t k) noexcept nogil:
        """Add pair k to the active set, in the place of others if it depends on them.

        Return ENTERED; REDUNDANT if theta_k is 0 wherever theta is 0 on the active set; or INFEASIBLE if theta_k is
        negative wherever theta >= 0 on the active set.
        """
        cdef Py_ssize_t a, first
        cdef double step, here, mean, largest
        self.set_row(k)
        while not self.append(k):
            mean, largest = self.mu[k], self.scale[k]
            for a in range(self.count):
                mean += self.direction[a] * self.mu[self.active[a]]
                largest = max(largest, fabs(self.direction[a]) * self.scale[self.active[a]])
            if not mean < -self.zero_mean:
                return REDUNDANT
            first, step = -1, 0
            for a in range(self.count):
                if self.direction[a] * self.scale[self.active[a]] < -ZERO_ENTRY * largest:
                    here = -self.l[self.active[a]] / self.direction[a]
                    if first < 0 or here < step:
                        step, first = here, a
            if first < 0:
                return INFEASIBLE
            for a in range(self.count):
                self.l[self.active[a]] = max(0, self.l[self.active[a]] + step * self.direction[a])
            self.l[k] += step
            self.remove(first)
        return ENTERED

    cdef bint append(self, Py_ssize_t k) noexcept nogil:
        """Add pair k to the active set; return False and set `direction` if that makes S singular."""
        cdef Py_ssize_t p = self.count, a, b
        cdef double left
        cdef const double* row = &self.S[k, 0]
        # The new last column u of U solves U'u = s; `solution` is scratch memory for u.
        cdef double* u = &self.solution[0]
        cdef double[4] factors
        cdef Row[4] rows
        for a in range(p):
            u[a] = row[self.active[a]]
        for a in range(p):
            u[a] /= self.U[a, a]
            self.U[a, p] = u[a]
            factors[a & 3], rows[a & 3] = -u[a], &self.U[a, 0]
            if a & 3 < 3:
                # The next columns at once, those after the next four together.
                for b in range(a + 1, min(a | 3, p - 1) + 1):
                    u[b] += factors[a & 3] * rows[a & 3][b]
            elif a + 1 < p:
                for b in range(4):
                    rows[b] += a + 1
                add_four(&u[a + 1], factors, rows, p - a - 1)
        left = row[k] - dot(u, u, p)
        if not left > SMALL * self.scale[k] * self.scale[k] + self.noise:
            left = self.left_over(k)
            if left == 0:
                return False
        self.U[p, p] = sqrt(left)
        self.z[p] = (-self.mu[k] - dot(u, &self.z[0], p)) / self.U[p, p]
        self.active[p] = <int32_t> k
        self.is_active[k] = True
        self.count += 1
        return True

    cdef double left_over(self, Py_ssize_t k) noexcept nogil:
        """The variance of pair k that the active pairs do not explain; exactly 0 if it is lost in rounding.

        With u in the last column of U, the entries of d on the active set solve U d = -u.  The variance is d'Sd, or
        w'Cw with the covariance C and the weights w of the systems.  In w what cancels between neighbours has
        cancelled, and an error of d counts only by its square.
        """
        cdef Py_ssize_t p = self.count, a, i, j
        cdef double variance = self.ridge, terms = 0, squares = 0, limit
        for i in range(self.m):
            self.weight[i] = 0
        self.weight[k], self.weight[k + 1] = 1, -1
        for a in range(p - 1, -1, -1):
            self.direction[a] = -(
                self.U[a, p] + (dot(&self.U[a, a + 1], &self.direction[a + 1], p - a - 1) if a + 1 < p else 0)
            ) / self.U[a, a]
            variance += self.ridge * self.direction[a] * self.direction[a]
            self.weight[self.active[a]] += self.direction[a]
            self.weight[self.active[a] + 1] -= self.direction[a]
        for i in range(self.m):
            if self.weight[i] != 0:
                for j in range(self.m):
                    variance += self.weight[i] * self.weight[j] * self.covariance[self.order[i], self.order[j]]
                squares += self.weight[i] * self.weight[i]
                terms += self.weight[i] * self.weight[i] * self.covariance[self.order[i], self.order[i]]
        limit = SINGULAR * terms + self.noise * squares / 2
        # If the variance counts as 0, so does a mean that is no larger than its standard deviation may be.
        self.zero_mean = sqrt(limit) + self.tied * sqrt(squares)
        return variance if variance > limit else 0

    cdef void remove(self, Py_ssize_t j) noexcept nogil:
        """Drop the j-th active pair: delete its column of U, and make U triangular again by Givens rotations."""
        cdef Py_ssize_t p = self.count, a, b
        cdef double x, y, cosine, sine, length
        cdef double* upper
        cdef double* lower
        self.is_active[self.active[j]] = False
        self.l[self.active[j]] = 0
        for b in range(j, p - 1):
            self.active[b] = self.active[b + 1]
        for a in range(p):
            memmove(&self.U[a, 0] + j, &self.U[a, 0] + j + 1, (p - 1 - j) * sizeof(double))
        for a in range(j, p - 1):
            upper, lower = &self.U[a, 0], &self.U[a + 1, 0]
            length = sqrt(upper[a] * upper[a] + lower[a] * lower[a])
            cosine, sine = upper[a] / length, lower[a] / length
            for b in range(a, p - 1):
                x, y = upper[b], lower[b]
                upper[b] = cosine * x + sine * y
                lower[b] = cosine * y - sine * x
            x, y = self.z[a], self.z[a + 1]
            self.z[a] = cosine * x + sine * y
            self.z[a + 1] = cosine * y - sine * x
        self.count -= 1

    cdef void solve(self) noexcept nogil:
        """Solve U l = z by back substitution: the l for which theta is 0 on the active set, stored in `solution`."""
        cdef Py_ssize_t p = self.count, a
        cdef double* solution = &self.solution[0]
        cdef const double* row
        for a in range(p - 1, -1, -1):
            row = &self.U[a, 0]
            solution[a] = (self.z[a] - dot(row + a + 1, solution + a + 1, p - a - 1)) / row[a]

    cdef bint advance(self) noexcept nogil:
        """Move l towards `solution` until a multiplier becomes 0 and drop that pair; return True if none does."""
        cdef Py_ssize_t a, k, first = -1
        cdef double step = 1, here
        for a in range(self.count):
            k = self.active[a]
            if self.solution[a] <= 0:
                here = self.l[k] / (self.l[k] - self.solution[a]) if self.l[k] > 0 else 0
                if first < 0 or here < step:
                    step, first = here, a
        for a in range(self.count):
            k = self.active[a]
            self.l[k] += step * (self.solution[a] - self.l[k])
        if first >= 0:
            self.remove(first)
        return first < 0


def squared_distances(
    const double[:, ::1] means not None,
    const double[:, :, ::1] covariances not None,
    double ridge,
    const double[::1] noise not None,
    const double[::1] tied not None,
    const int32_t[:, ::1] orders not None,
):
    """Find the squared distances of orders from tables, one order for each: `Closest.point` for many tables.

    Parameters
    ----------
    means, covariances : numpy.ndarray of float
        As for `Closest`, with one more dimension.
    ridge : float
        As for `Closest`.
    noise, tied : numpy.ndarray of float
        As for `Closest`, for each table.
    orders : numpy.ndarray of int32
        The indices of the systems, best first.  Not checked.

    Raises ValueError if the arrays are of different tables.
    """
    cdef Py_ssize_t count = means.shape[0], k
    if not count == covariances.shape[0] == noise.shape[0] == tied.shape[0] == orders.shape[0]:
        raise ValueError("'means', 'covariances', 'noise', 'tied' and 'orders' must be of the same number of tables")
    if orders.shape[1] != means.shape[1]:
        raise ValueError(f"'orders' must be of {means.shape[1]} systems, not {orders.shape[1]}")
    out = np.empty(count)
    if count == 0:
        return out
    cdef double[::1] squared = out
    cdef double worst = 0
    cdef Closest closest = Closest(means[0], covariances[0], ridge)
    with nogil:
        for k in range(count):
            closest.means, closest.covariance = means[k], covariances[k]
            closest.noise, closest.tied = noise[k], tied[k]
            squared[k] = closest.solve_order(&orders[k, 0])
            worst = min(worst, squared[k])
    check(worst)
    return out


cdef int check(double squared) except -1:
    """Raise the error that a negative squared distance stands for."""
    if squared < 0:
        raise ArithmeticError("the active-set method did not converge: please report the data")
    return 0
