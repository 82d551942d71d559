"""R's random numbers: Mersenne Twister, normal numbers by inversion, and `sample`."""

from __future__ import annotations

from math import ceil, log, log2
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from .._core.errors import InvalidValueError
from .._core.options import flag, one_of, real_number, whole_number
from .._core.types import Array, Floats, Groups, Vector
from .._core.vectors import numeric_vector

if TYPE_CHECKING:
    import numpy.typing as npt

SampleKind = Literal["Rejection", "Rounding"]

WORDS = 624
"""The words of the state of the Mersenne Twister."""

KINDS: dict[int, SampleKind] = {10403: "Rejection", 403: "Rounding"}
"""The first number of .Random.seed, with the kinds that it stands for."""

LARGEST = 2**31 - 1
"""The greatest integer of R; the least is its opposite."""

LEAST_UNIFORM = 0.5 * 2.328306437080797e-10
"""In place of 0."""

NORMAL_STEPS = 134217728
"""The first of the two uniform numbers of a normal one counts in steps of 2^-27."""

COARSE_STEPS = 33554432
"""Rounding takes the first of two uniform numbers in steps of 2^-25 for more than `LARGEST` values."""

HASHED = 10_000_000
"""From more values than this R samples half of them or fewer by drawing again what was drawn already."""

WALKER = 200
"""With more values than this that are not rare, R samples with replacement by Walker's alias method."""


def scrambled() -> npt.NDArray[np.uint32]:
    """The factors and the summands by which a seed becomes the state: s -> 69069 s + 1, again and again."""
    factor, summand, steps = 1, 0, []
    for _ in range(50 + 1 + WORDS):
        factor, summand = factor * 69069 % 2**32, (summand * 69069 + 1) % 2**32
        steps.append((factor, summand))
    return np.array(np.transpose(steps[-WORDS:]), dtype=np.uint32)


FACTORS, SUMMANDS = scrambled()


class RRandom:
    """The random numbers that R draws after ``set.seed(seed)``.

    Each method draws what R's function of this name draws, to the last bit, and goes on from there.  Only R's default
    kinds are there, and the kind of `sample` before R 3.6.

    Parameters
    ----------
    seed : int
        As for R's `set.seed`.
    kind : {"Mersenne-Twister"}
    normal_kind : {"Inversion"}
    sample_kind : {"Rejection", "Rounding"}
        How `sample` draws: the second one is that of R before 3.6.0, ``RNGkind(sample.kind = "Rounding")``.

    References
    ----------
    M. Matsumoto and T. Nishimura (1998). Mersenne Twister. ACM TOMACS 8(1), 3-30.
    M. J. Wichura (1988). Algorithm AS 241: The Percentage Points of the Normal Distribution. Applied Statistics 37(3),
    477-484.
    R's help page Random.

    Examples
    --------
    >>> random = RRandom(1)
    >>> random.sample(10, 3).tolist(), random.runif(1).item()
    ([9, 4, 7], 0.9082077899947762)
    >>> RRandom(1, sample_kind="Rounding").sample(10, 3).tolist()
    [3, 4, 5]
    """

    _start: dict[str, Any]
    _used: int
    _bits: Any

    def __init__(
        self,
        seed: int,
        kind: Literal["Mersenne-Twister"] = "Mersenne-Twister",
        normal_kind: Literal["Inversion"] = "Inversion",
        sample_kind: SampleKind = "Rejection",
    ) -> None:
        seed = whole_number(seed, "seed", -LARGEST)
        if seed > LARGEST:
            raise InvalidValueError("seed", f"must be {LARGEST} or less, as in R, not {seed}")
        one_of(kind, "kind", ["Mersenne-Twister"])
        one_of(normal_kind, "normal_kind", ["Inversion"])
        self.sample_kind = one_of(sample_kind, "sample_kind", get_args(SampleKind))
        self._start_at(FACTORS * np.uint32(seed % 2**32) + SUMMANDS, WORDS)

    @classmethod
    def from_state(cls, state: Vector) -> RRandom:
        """Go on from a state that R saved: the 626 integers of ``.Random.seed``.

        Examples
        --------
        >>> random = RRandom(1)
        >>> random.runif(5).tolist() == RRandom.from_state(RRandom(1).state).runif(5).tolist()
        True
        """
        words = numeric_vector(state, "state").astype(np.int64)
        if len(words) != WORDS + 2 or int(words[0]) not in KINDS or not 1 <= words[1] <= WORDS:
            known = " or ".join(map(str, KINDS))
            raise InvalidValueError(
                "state", f"must be R's .Random.seed of the Mersenne Twister: 626 integers, the first {known}"
            )
        random = cls(0, sample_kind=KINDS[int(words[0])])
        random._start_at((words[2:] % 2**32).astype(np.uint32), int(words[1]))
        return random

    @property
    def state(self) -> npt.NDArray[np.int32]:
        """The state as R's ``.Random.seed`` has it."""
        bits: Any = np.random.MT19937(0)
        bits.state = self._start
        bits.random_raw(self._used, output=False)
        self._start, self._used = bits.state, 0
        (code,) = (code for code, kind in KINDS.items() if kind == self.sample_kind)
        now = self._start["state"]
        return np.concatenate([[code, now["pos"]], now["key"].astype(np.int64)]).astype(np.uint32).view(np.int32)

    def runif(self, n: int, min: float = 0, max: float = 1) -> Floats:
        """Uniform random numbers between two bounds, as R's `runif`."""
        n, least, greatest = whole_number(n, "n", 0), real_number(min, "min"), real_number(max, "max")
        if not (-np.inf < least <= greatest < np.inf):
            raise InvalidValueError(None, f"min and max must be finite, and min not above max: {min}, {max}")
        return np.full(n, least) if least == greatest else least + (greatest - least) * self._uniforms(n)

    def rnorm(self, n: int, mean: float = 0, sd: float = 1) -> Floats:
        """Normal random numbers, as R's `rnorm`."""
        n, mean, sd = whole_number(n, "n", 0), real_number(mean, "mean"), real_number(sd, "sd")
        if not (np.isfinite(mean) and 0 <= sd < np.inf):
            raise InvalidValueError(None, f"mean and sd must be finite, and sd not negative: {mean}, {sd}")
        if sd == 0:
            return np.full(n, mean)
        first, second = self._uniforms(2 * n).reshape(n, 2).T
        return mean + sd * normal_quantile((np.floor(NORMAL_STEPS * first) + second) / NORMAL_STEPS)

    def sample(
        self, x: int | Groups, size: int | None = None, replace: bool = False, prob: Vector | None = None
    ) -> Array:
        """A random sample, or a random order, as R's `sample`.

        Parameters
        ----------
        x : int or sequence
            What to draw from; an integer stands for 1 to x, as in R, so subtract 1 from the sample to index an array.
        size : int, optional
            The size of the sample; by default as many as there are.
        replace : bool
            Whether the same can be drawn again.
        prob : numeric vector, optional
            The weights of the values; they need not sum to 1.

        Returns
        -------
        numpy.ndarray

        Raises
        ------
        ValueError
            If the sample is larger than x without replacement, or if x is a vector of one number from 1 up, which R
            takes for 1 to x.
        """
        if isinstance(x, (int, np.integer)) and not isinstance(x, bool):
            n, values = whole_number(x, "x"), None
        else:
            values = np.asarray(x)
            n = len(values) if values.ndim == 1 else -1
            if n < 0 or (n == 1 and values.dtype.kind in "iuf" and values[0] >= 1):
                raise InvalidValueError(
                    "x", "must be an integer or a vector; one number in a vector is 1 to this number in R"
                )
        k = n if size is None else whole_number(size, "size", 0)
        if not flag(replace, "replace") and k > n:
            raise InvalidValueError("size", f"is {k}, and x has {n}", "replace=True draws with replacement")
        if n == 0 and k:
            raise InvalidValueError("x", "is empty")
        drawn: Array = self._uniformly(n, k, replace) if prob is None else self._weighted(n, k, replace, prob)
        return drawn if values is None else values[drawn - 1]

    def _start_at(self, key: npt.NDArray[np.uint32], position: int) -> None:
        # The state from which `_used` words were taken, and the next words, which were drawn ahead.
        self._start = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}
        self._used = 0
        self._bits = np.random.MT19937(0)
        self._bits.state = self._start
        self._ahead: npt.NDArray[np.uint64] = np.empty(0, dtype=np.uint64)

    def _look(self, n: int) -> npt.NDArray[np.uint64]:
        """The next n words of 32 bits, which are not taken yet."""
        if len(self._ahead) < n:
            more: npt.NDArray[np.uint64] = self._bits.random_raw(max(n - len(self._ahead), 128))
            self._ahead = np.concatenate([self._ahead, more])
        return self._ahead[:n]

    def _take(self, n: int) -> npt.NDArray[np.uint64]:
        """The next n words."""
        words = self._look(n)
        self._ahead = self._ahead[n:]
        self._used += n
        return words

    def _uniforms(self, n: int) -> Floats:
        """Uniform numbers between 0 and 1, both excluded."""
        words = self._take(n)
        return np.where(words == 0, LEAST_UNIFORM, words * 2.0**-32)

    def _uniformly(self, n: int, k: int, replace: bool) -> npt.NDArray[np.int64]:
        """A sample of k of the numbers 1 to n."""
        if replace or k < 2:
            return self._indices(n, k) + 1
        if n > HASHED and k <= n / 2:
            seen = dict.fromkeys(self._indices(n, k).tolist())
            while len(seen) < k:
                seen |= dict.fromkeys(self._indices(n, k - len(seen)).tolist())
            return np.array(list(seen), dtype=np.int64) + 1
        left = list(range(1, n + 1))
        drawn = []
        for j in self._falling_indices(n, k):
            drawn.append(left[j])
            last = left.pop()
            if j < len(left):
                left[j] = last
        return np.array(drawn, dtype=np.int64)

    def _indices(self, n: int, k: int) -> npt.NDArray[np.int64]:
        """k numbers from 0 to n - 1."""
        if self.sample_kind == "Rounding":
            return np.floor(float(n) * self._shares(n, k)).astype(np.int64)
        drawn, words = [np.empty(0, dtype=np.int64)], words_for(n)
        while k:
            tries = int(1.05 * k * 2.0 ** bits_for(n) / n) + 10
            values = masked(self._look(tries * words), n)
            accepted = np.flatnonzero(values < n)[:k]
            # Up to the last one that is needed.
            self._take(words * (int(accepted[-1]) + 1 if len(accepted) == k else tries))
            drawn.append(values[accepted])
            k -= len(accepted)
        return np.concatenate(drawn)

    def _falling_indices(self, n: int, k: int) -> list[int]:
        """k numbers: the first from 0 to n - 1, the next from 0 to n - 2, and so on."""
        if self.sample_kind == "Rounding":
            shares = self._shares(n, k)
            return [int(j) for j in np.floor(np.arange(n, n - k, -1.0) * shares)]
        drawn: list[int] = []
        while len(drawn) < k:
            words = words_for(n)
            # As long as there are as many bits.
            fewer = 2 ** (bits_for(n) - 1) if n > 1 else 0
            left = min(k - len(drawn), n - int(fewer))
            tries = 2 * left + 10
            used = 0
            for value in masked(self._look(tries * words), n).tolist():
                used += 1
                if value < n:
                    drawn.append(value)
                    n, left = n - 1, left - 1
                    if not left:
                        break
            self._take(used * words)
        return drawn

    def _shares(self, n: int, k: int) -> Floats:
        """The uniform numbers of k draws by rounding."""
        if n <= LARGEST:
            return self._uniforms(k)
        first, second = self._uniforms(2 * k).reshape(k, 2).T
        return np.asarray((np.floor(COARSE_STEPS * first) + second) / COARSE_STEPS)

    def _weighted(self, n: int, k: int, replace: bool, prob: Vector) -> npt.NDArray[np.int64]:
        """A sample of k of the numbers 1 to n with these weights."""
        p = numeric_vector(prob, "prob").astype(np.float64)
        if len(p) != n:
            raise InvalidValueError("prob", f"must have a weight for each of the {n} values, not {len(p)}")
        if not (np.isfinite(p).all() and (p >= 0).all()):
            raise InvalidValueError("prob", "must be numbers from 0 up, none of them missing or infinite")
        positive = np.count_nonzero(p)
        if not positive or (not replace and k > positive):
            raise InvalidValueError("prob", f"has too few positive weights: {positive}")
        p = p / np.cumsum(p)[-1]
        if replace and np.count_nonzero(n * p > 0.1) > WALKER:
            return self._by_alias(p, k)
        p, order = falling(p)
        if replace:
            return order[np.minimum(np.searchsorted(np.cumsum(p), self._uniforms(k)), n - 1)]
        drawn, mass = [], 1.0
        for share in self._uniforms(k).tolist():
            j = min(int(np.searchsorted(np.cumsum(p[:-1]), mass * share)), len(p) - 1)
            drawn.append(order[j])
            mass -= float(p[j])
            p, order = np.delete(p, j), np.delete(order, j)
        return np.array(drawn, dtype=np.int64)

    def _by_alias(self, p: Floats, k: int) -> npt.NDArray[np.int64]:
        """A sample with replacement by Walker's alias method."""
        n = len(p)
        q: list[float] = (p * n).tolist()
        small = [i for i in range(n) if q[i] < 1]
        # Those of 1 and more are taken from the last to the first, and become small when they have given enough.
        order, large = small + [i for i in reversed(range(n)) if q[i] >= 1], len(small)
        alias = list(range(n))
        if 0 < large < n:
            for step in range(n - 1):
                i, j = order[step], order[large]
                alias[i] = j
                q[j] += q[i] - 1
                if q[j] < 1:
                    large += 1
                if large >= n:
                    break
        if self.sample_kind == "Rounding":
            at = self._uniforms(k) * n
            column = at.astype(np.int64)
        else:
            column = np.empty(k, dtype=np.int64)
            at = np.empty(k)
            for draw in range(k):
                column[draw] = self._indices(n, 1)[0]
                at[draw] = column[draw] + self._uniforms(1)[0]
        own = at < (np.array(q) + np.arange(n))[column]
        return np.where(own, column, np.array(alias)[column]) + 1


def bits_for(n: int) -> int:
    """The bits of a number below n."""
    return ceil(log2(n))


def words_for(n: int) -> int:
    """How many words R draws for them: 16 bits of each, and one word at least."""
    return bits_for(n) // 16 + 1


def masked(words: npt.NDArray[np.uint64], n: int) -> npt.NDArray[np.int64]:
    """The numbers that R makes of its words before it rejects those from n up."""
    pieces = (words >> np.uint64(16)).reshape(-1, words_for(n))
    values = pieces[:, 0]
    for k in range(1, pieces.shape[1]):
        values = values * np.uint64(65536) + pieces[:, k]
    return np.asarray(values & np.uint64(2 ** bits_for(n) - 1)).astype(np.int64)


def falling(p: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The weights from the greatest down, and their numbers from 1, with ties in the order of R's heap sort."""
    heap = list(zip(p.tolist(), range(1, len(p) + 1)))

    def sift(top: int, end: int) -> None:
        """Let the element at the top sink below its smaller children."""
        moved = heap[top]
        while (child := 2 * top + 1) < end:
            if child + 1 < end and heap[child][0] > heap[child + 1][0]:
                child += 1
            if not moved[0] > heap[child][0]:
                break
            heap[top] = heap[child]
            top = child
        heap[top] = moved

    for top in reversed(range(len(heap) // 2)):
        sift(top, len(heap))
    for end in range(len(heap) - 1, 0, -1):
        heap[0], heap[end] = heap[end], heap[0]
        sift(0, end)
    weights, order = zip(*heap)
    return np.array(weights), np.array(order, dtype=np.int64)


# The coefficients of AS 241 in falling powers, numerator and denominator: for the middle, and for the two tails.
MIDDLE = (
    (
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ),
    (
        5226.495278852854561,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ),
)
TAIL = (
    (
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ),
    (
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ),
)
FAR_TAIL = (
    (
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ),
    (
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ),
)


def normal_quantile(p: Floats) -> Floats:
    """The quantiles of the standard normal distribution by AS 241, operation by operation as in R."""
    q = p - 0.5
    middle = np.abs(q) <= 0.425
    r = 0.180625 - q * q
    result = q * polynomial(MIDDLE[0], r) / polynomial(MIDDLE[1], r)
    in_tail = np.flatnonzero(~middle)
    p, q = p[in_tail], q[in_tail]
    # The logarithm of C's library, which R takes; that of NumPy may differ in the last bit.
    r = np.sqrt([-log(value) for value in np.where(q < 0, p, 0.5 - p + 0.5).tolist()])
    near, far = (polynomial(of[0], r - by) / polynomial(of[1], r - by) for of, by in ((TAIL, 1.6), (FAR_TAIL, 5)))
    result[in_tail] = np.where(q < 0, -1, 1) * np.where(r <= 5, near, far)
    return result


def polynomial(coefficients: tuple[float, ...], r: Floats) -> Floats:
    """The value of a polynomial by Horner's rule."""
    value = np.full(np.shape(r), coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * r + coefficient
    return value
