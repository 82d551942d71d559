"""Rank-biased overlap by its definition: sums over all items at all depths, in exact fractions."""

from __future__ import annotations

import random
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction


def defined_rbo(x: list, y: list, p: float, ties: str) -> dict[str, float]:
    """ext, min, max and res of two rankings, in which a tie is a set."""
    spans = spans_of(x), spans_of(y)
    S, L = spans if len(spans[0]) < len(spans[1]) else spans[::-1]
    s, l = len(S), len(L)  # noqa: E741
    only_in_L = [item for item in L if item not in S]
    p = Fraction(p)
    ext = low = high = Fraction(0)
    for d in range(1, l + 1):
        of_L = {item: weight(L[item], d, ties) for item in L}
        if d <= s:
            of_S = {item: weight(S[item], d, ties) for item in S}
            common = sum(of_S[item] * of_L.get(item, 0) for item in S)
            at_s = common / denominator(of_S.values(), of_L.values(), d, ties)
            ext, low, high = (total + at_s * p**d for total in (ext, low, high))
            continue
        common = sum(of_L.get(item, 0) for item in S)
        # S has ended, and is taken for a ranking without ties.
        below = denominator([1] * d, of_L.values(), d, ties)
        best = sum(of_L[item] for item in only_in_L[: d - s])
        reached = [of_L[item] for item in only_in_L if of_L[item] > 0]
        low += common / below * p**d
        high += (common + best) / below * p**d
        ext += (common + (d - s) * at_s * sum(reached) / len(reached)) / below * p**d
    common = len(S.keys() & L.keys())
    f = l + s - common
    low += common * (minus_log(1 - p) - sum(p**d / d for d in range(1, l + 1)))
    high += sum(Fraction(2 * d - f, d) * p**d for d in range(l + 1, f + 1)) + p ** (f + 1) / (1 - p)
    ext += (common + (l - s) * at_s) / l * p ** (l + 1) / (1 - p)
    scores = {"ext": ext, "min": low, "max": high, "res": high - low}
    return {name: float((1 - p) / p * value) for name, value in scores.items()}


def spans_of(ranking: list) -> dict[object, tuple[int, int]]:
    """The first and the last rank of each item's tie group, in the order of the ranking."""
    spans: dict[object, tuple[int, int]] = {}
    for entry in ranking:
        tied = entry if isinstance(entry, (set, frozenset)) else [entry]
        first = len(spans) + 1
        spans |= dict.fromkeys(tied, (first, first + len(tied) - 1))
    return spans


def weight(span: tuple[int, int], d: int, ties: str) -> Fraction:
    """What an item contributes to the first d ranks."""
    first, last = span
    if d < first:
        return Fraction(0)
    return Fraction(1) if ties == "w" or d >= last else Fraction(d - first + 1, last - first + 1)


def denominator(of_S: Iterable[Fraction], of_L: Iterable[Fraction], d: int, ties: str) -> Fraction:
    if ties == "w":
        return Fraction(sum(of_S) + sum(of_L)) / 2
    return Fraction(d) if ties == "a" else root(sum(c**2 for c in of_S) * sum(c**2 for c in of_L))


def root(square: Fraction) -> Fraction:
    """The square root to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        square = Fraction(square)
        return Fraction((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


def minus_log(value: Fraction) -> Fraction:
    """-ln to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return Fraction(-(Decimal(value.numerator) / Decimal(value.denominator)).ln())


def random_ranking(rng: random.Random, items: Iterable[object]) -> list:
    """The items in random order, with none, few, many or only ties."""
    left = list(items)
    rng.shuffle(left)
    tying = rng.choice([0, 0.2, 0.6, 1])
    ranking = []
    while left:
        size = 1
        while size < len(left) and rng.random() < tying:
            size += 1
        tied, left = left[:size], left[size:]
        ranking.append(tied[0] if size == 1 else set(tied))
    return ranking


def random_pair(rng: random.Random, most: int = 12) -> tuple[list, list]:
    """Two rankings of some of up to `most` items; sometimes the same, disjoint, or one a prefix of the other."""
    items = range(rng.randint(1, most))
    x, y = (random_ranking(rng, rng.sample(items, rng.randint(1, len(items)))) for _ in range(2))
    kind = rng.random()
    if kind < 0.1:
        y = list(x)
    elif kind < 0.2:
        y = random_ranking(rng, range(most, most + len(items)))
    elif kind < 0.3:
        y = x[: rng.randint(1, len(x))]
    return x, y
