"""Random calls of functions beyond the six coefficients, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .. import _coefficients, averages, judging, organization, overlap, rank_distance, reliability
from .._core.types import Array
from .._core.work import in_parallel
from ..organization import Organization
from ._agreement import Agreement
from ._base import DRAWS, NUMBERS, number_calls, random_calls, recorded_calls, rounding_calls
from ._calls import Call, compare_call
from ._cases import generators, random_case
from ._comparison import started
from ._oracles import RPackage, r_version_of


def reliability_calls(seed: int, count: int) -> Iterator[Call]:
    """The reliability of a table of scores, in one of eight with a fault that both languages refuse.

    The reference integrates over the true difference, which takes long: the curve has few systems.  The estimator RES
    depends on each language's random numbers.
    """
    for k, rng in generators(seed, range(count)):
        X, where = random_scores(rng)
        variance, topics = float(X.var()), [int(10 ** rng.uniform(0, 3)) for _ in range(rng.integers(1, 4))]
        named = {"method": str(rng.choice(["tau", "tauAP"])), "estimator": str(rng.choice(["ML", "MSQD"]))}
        if k % 8 == 7:
            X, topics, named, where = spoiled_scores(rng, X, topics, named)
        elif rng.random() < 0.2:
            named = {}
        by = {name: value for name, value in named.items() if name == "estimator"}
        yield Call(reliability, "expected", "expected", (X,), named, where, unit=1)
        yield Call(reliability, "expected", "wrong_order", (X,), by, where, unit=1, parts=("chances",))
        few = X[:, -5:], np.array(topics)
        yield Call(reliability, "expected_curve", "expected_curve", few, {}, where, tolerance=1e-9, unit=1)
        general = partial(Call, reliability, "generalizability", where=where, tolerance=1e-11)
        yield general("variance_components", (X,), unit=variance, parts=("components",))
        yield general("generalizability", (X, topics[0]), unit=1, parts=("e_rho2.value", "phi.value"))


def places_calls(seed: int, count: int) -> Iterator[Call]:
    """The sets of places by the same random weights of topics, in one of eight with a fault."""
    for k, rng in generators(seed, range(count)):
        X, where = random_scores(rng)
        X = X[:60, :8]
        method, n = str(rng.choice(["bootstrap", "normal"])), len(X)
        named = {"method": method, "kind": str(rng.choice(["simultaneous", "single_step", "marginal"]))}
        drawn = rng.multinomial(n, np.full(n, 1 / n), 199) if method == "bootstrap" else rng.normal(size=(199, n))
        # As the kernel has them.
        draws = drawn.astype(np.float32).astype(np.float64)
        if k % 8 == 7:
            where = str(rng.choice(["one system", "a missing score", "an unknown kind", "a topic too many"]))
            X = X[:, :1] if where == "one system" else X
            named = named | {"kind": "both"} if where == "an unknown kind" else named
            draws = draws[:, 1:] if where == "a topic too many" else draws
            if where == "a missing score":
                X[0, 0] = np.nan
        level = float(rng.choice([0.8, 0.9, 0.95]))
        yield Call(reliability, "place_sets", "place_sets", (X, draws, level), named, where)


def random_scores(rng: np.random.Generator) -> tuple[Array, str]:
    """Draw scores, topics by systems, and the name of their kind."""
    kinds = ["apart", "alike", "tied", "the same twice", "the same mean", "constantly apart", "one constant"]
    kind = str(rng.choice(kinds))
    # Above 250 topics, ML has no correction.
    n = int(rng.integers(3, 60) if rng.random() < 0.8 else rng.integers(246, 256))
    m = int(rng.integers(3 if kind in ("tied", "the same twice") else 2, 16))
    spread = 1e-2 if kind == "alike" else 0.2
    systems = rng.choice([0, 0.5, 2]) * rng.random(m)
    X = rng.choice([0, 1]) * rng.random((n, 1)) + spread * (systems + rng.random((n, m)))
    if kind == "tied":
        # With all scores rounded, b of the curve could be 0 but for rounding, and the curve goes with its root.
        X[:, :-1] = np.round(X[:, :-1], int(rng.integers(1, 3)))
    if kind == "the same twice":
        X[:, -1] = X[:, -2]
    if kind == "the same mean":
        X[:, -1] = X[::-1, -2]
    if kind == "constantly apart":
        X[:, -1] = X[:, -2] + 0.1
    if kind == "one constant":
        X[:, -1] = 0.5
    scale = float(rng.choice([1, 1, 1e-6, 1e6]))
    return X * scale, f"{kind}, {n} topics, {m} systems, times {scale:g}"


def spoiled_scores(
    rng: np.random.Generator, X: Array, topics: list[int], named: dict[str, str]
) -> tuple[Array, list[int], dict[str, str], str]:
    """The same arguments with a fault that both languages refuse, and its name."""
    fault = str(rng.choice(["two topics", "one system", "a missing score", "all the same", "unknown options"]))
    if fault == "two topics":
        X = X[:2]
    elif fault == "one system":
        X = X[:, -1:]
    elif fault == "a missing score":
        X[rng.integers(len(X)), -1] = rng.choice([np.nan, np.inf, -np.inf])
    elif fault == "all the same":
        X[:] = X[:, :1]
    else:
        topics = [int(rng.integers(-2, 1))]
        named = named | [{"method": "tau_b"}, {"estimator": "SD"}][rng.integers(2)]
    return X, topics, named, fault


@dataclass(frozen=True)
class Subject:
    """Functions that are compared together; call it to compare them.

    Its calls are generated from a seed and a count.  R itself has the functions, or the reference package, which may
    need another R package.
    """

    functions: tuple[str, ...]
    calls: Callable[[int, int], Iterator[Call]]
    count: int
    in_base_r: bool = False
    needs: str = ""

    def __call__(self, agreement: Agreement, oracle: RPackage, seed: int, count: int | None = None) -> None:
        """Compare the functions on random calls, and enter the comparisons."""
        for call in self.calls(seed, self.count if count is None else count):
            compare_call(agreement, oracle.package, call)

    def obstacle(self, oracle: RPackage) -> str:
        """Why the functions cannot be compared with this oracle, or ""."""
        if not self.in_base_r and oracle.kind != "reference":
            return f"the package {oracle.package} does not have them; the reference does"
        return f"R has no package {self.needs}" if self.needs and not r_version_of(self.needs) else ""


def compare_recorded(agreement: Agreement) -> None:
    """Compare the functions of base R with the record of its answers."""
    for call in recorded_calls():
        compare_call(agreement, "base", call)


def run_beyond(agreement: Agreement, oracle: RPackage, seed: int, n_jobs: int = 1) -> None:
    """Compare the functions beyond the six coefficients, and add them to the result.

    Parameters
    ----------
    agreement : Agreement
        From `run`.  Functions that this oracle cannot answer are listed in its notes.
    oracle : RPackage
        From `find_oracle`.
    seed : int
        The seed of the random calls.
    n_jobs : int
        The number of processes, each with an R of its own; -1 for all processors.
    """
    skipped: dict[str, list[str]] = {}
    compared = []
    for subject in SUBJECTS:
        if obstacle := subject.obstacle(oracle):
            skipped.setdefault(obstacle, []).extend(subject.functions)
        else:
            compared.append(subject)
    for part in in_parallel(partial(compare_subject, oracle, seed), compared, n_jobs, False, backend="loky"):
        agreement.add(part)
    agreement.note_gaps(skipped)


def compare_subject(oracle: RPackage, seed: int, subject: Subject) -> Agreement:
    """The comparison of one subject, in the R of this process."""
    oracle.attach()
    part = started(oracle, subject.functions)
    subject(part, oracle, seed)
    return part


def drank_calls(seed: int, count: int) -> Iterator[Call]:
    """The rank distance; the reference solves the primal problem with quadprog, which is less exact near 0.

    Without a ridge the covariance is singular if systems depend on others, and the distance may be infinite.
    """
    for k, rng in generators(seed, range(count)):
        y, X, where = random_problem(rng)
        named = {} if k % 2 else {"ridge": float(rng.choice([0, 1e-5, 1e-3]))}
        # By name, because Python takes the scores first and the reference, like the paper, the ranking.
        yield Call(rank_distance, "drank", "drank", (), {"X": X, "y": y, **named}, where, tolerance=1e-8)


def random_problem(rng: np.random.Generator) -> tuple[Array, Array, str]:
    """Draw a ranking of systems, their scores, topics by systems, and the name of the kind of scores."""
    n, m = int(rng.integers(3, 60)), int(rng.integers(2, 40))
    kind = str(
        rng.choice(["apart", "alike", "the same twice", "constantly apart", "mixed", "two systems", "ties in y"])
    )
    m = 2 if kind == "two systems" else m
    topics = rng.random((n, 1))
    spread = 1e-3 if kind == "alike" else 0.2
    X = topics * rng.uniform(0.5, 1, m if kind != "alike" else 1) + spread * rng.normal(size=(n, m))
    if kind == "the same twice":
        X[:, m - 1] = X[:, 0]
    if kind == "constantly apart":
        X[:, m - 1] = X[:, 0] + 0.25
    if kind == "mixed":
        X[:, m - 1] = 0.5 * (X[:, 0] + X[:, m // 2])
    y = X.mean(axis=0) + rng.choice([0.1, 1, 10]) * X.std() * rng.normal(size=m) / np.sqrt(n)
    if rng.random() < 0.3:
        # Such an order is at a finite distance, even if systems depend on others.
        y = X[rng.integers(0, n, n)].mean(axis=0)
    if kind == "ties in y":
        y = np.round(y, 2)
    return y, X, f"{kind}, {n} topics, {m} systems"


def averages_calls(seed: int, count: int) -> Iterator[Call]:
    """The averages over topics; R's formulas lose digits of values below 0.001."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        values = rng.random(int(rng.integers(1, 200))) ** rng.choice([1, 3, 20])
        values[rng.random(len(values)) < rng.choice([0, 0.1])] = rng.choice([0, 1])
        eps, zeros = 10.0 ** -int(rng.integers(3, 8)), ("add", "floor", "trec_eval")[k % 3]
        n = int(rng.integers(1, 500))
        retrieved = int(rng.integers(0, n + 1))
        ranks = np.sort(rng.choice(retrieved, int(rng.integers(0, min(retrieved, 20) + 1)), replace=False)) + 1
        relevant = len(ranks)
        if n > retrieved:
            relevant = max(1, relevant + int(rng.integers(0, min(n - retrieved, 20) + 1)))
        inverse, rest = bool(k % 2), ("last", "random")[k % 2]
        transform = ("identity", "log", "logit", "probit", "rank")[k % 5]
        yield Call(averages, "gmean", "gmean_ap", (values,), {"eps": eps, "zeros": zeros})
        yield Call(averages, "mean_log", "mean_log", (values,), {"eps": eps, "zeros": zeros})
        # Near 1, R's probit has no more digits than the value itself.
        named = {"inverse": inverse, "eps": eps}
        yield Call(averages, "transformed_mean", "transformed_mean", (values, transform), named, tolerance=1e-9)
        yield Call(averages, "mean_logit", "mean_logit", (values,), named)
        if relevant:
            counts = {"retrieved": retrieved, "rest": rest}
            yield Call(averages, "ap_floor", "ap_floor", (ranks, relevant, n), counts)


def organization_calls(seed: int, count: int) -> Iterator[Call]:
    """Reliability and Sensitivity, and BCubed; the reference computes the double sums of the paper."""
    for k, rng in generators(seed, range(count)):
        system, gold = map(Organization, random_organizations(rng))
        options: dict[str, Any] = {"collection": "closed"}
        if k % 3:
            options = {"top": int(rng.integers(1, 40)), "weight": float(rng.uniform(0.05, 0.95))}
        where = f"{len(system)} and {len(gold)} occurrences, {'open' if k % 3 else 'closed'}"
        yield Call(organization, "evaluate", "rs", (system, gold), options, where, unit=1)
        yield Call(organization, "bcubed", "bcubed", (system, gold), {}, where, unit=1)


def random_organizations(rng: np.random.Generator) -> tuple[list[Any], list[Any]]:
    """Draw the levels of a system and a gold standard: overlapping or not, similar or not, sometimes empty."""
    documents = [f"d{k}" for k in range(int(rng.integers(1, 25)))]

    def overlapping() -> list[Any]:
        return [
            [
                rng.choice(documents, int(rng.integers(0, min(6, len(documents)) + 1)), replace=False).tolist()
                for _ in range(rng.integers(0, 4))
            ]
            for _ in range(rng.integers(0, 5))
        ]

    def once() -> list[Any]:
        listed = [document for document in documents if rng.random() < 0.8]
        places = [(int(rng.integers(4)), int(rng.integers(3))) for _ in listed]
        return [
            [[d for d, place in zip(listed, places) if place == (level, cluster)] for cluster in range(3)]
            for level in range(4)
        ]

    system, gold = (overlapping() if rng.random() < 0.6 else once() for _ in range(2))
    if rng.random() < 0.2:
        system = gold[::-1] if rng.random() < 0.5 else gold[1:]
    return system, gold


def measures_calls(seed: int, count: int) -> Iterator[Call]:
    """The strictness and the robustness of measures."""
    for _, rng in generators(seed, range(count)):
        scores = np.round(rng.random(rng.integers(2, 12, 3)), int(rng.integers(1, 4)))
        # Two systems are apart, or the correlation of a measure that ties all systems would be undefined.
        scores[0], scores[-1] = -1, 2
        where = ", ".join(map(str, scores.shape))
        for name in ("strictness", "robustness"):
            yield Call(organization, name, name, (scores,), {}, where, unit=1)


def overlap_calls(seed: int, count: int) -> Iterator[Call]:
    """Rank-biased overlap; the reference sums over all items and depths.  One call of `rbo` in eight is refused.

    The residual is a difference of two numbers up to 1, so that it has no more digits than these.
    """
    for k, rng in generators(seed, range(count)):
        x, y, where = random_pair(rng)
        p = random_persistence(rng)
        named: dict[str, Any] = {"ties": str(rng.choice(["w", "a", "b"]))} if rng.random() < 0.9 else {}
        if rng.random() < 0.2:
            named["score"] = rng.permutation(["ext", "min", "max", "res"])[: rng.integers(1, 5)].tolist()
        if k % 8 == 7:
            x, y, p, where = spoiled(rng, x, y, p)
        yield Call(overlap, "rbo", "rbo", (x, y, p), named, f"{where}, p = {p:.3g}", unit=0.01)
        case, p = random_case(rng), random_persistence(rng)
        named = named | {"decreasing": case.decreasing}
        where = f"{case.name}, p = {p:.3g}"
        yield Call(overlap, "rbo_scores", "rbo_scores", (case.x, case.y, p), named, where, unit=0.01)


def random_persistence(rng: np.random.Generator) -> float:
    """Draw p: anywhere between 0 and 1, or near one of them."""
    small = float(10.0 ** rng.uniform(-15, -1))
    return [float(rng.uniform(0.01, 0.99)), small, 1 - small][rng.integers(3)]


def random_pair(rng: np.random.Generator) -> tuple[list[Any], list[Any], str]:
    """Draw two rankings that have much, little or nothing in common, and the name of the kind of pair."""
    kind = str(rng.choice(["overlapping", "disjoint", "the same items", "the same", "a beginning", "one item"]))
    n, m = (int(10 ** rng.uniform(0, 1.8)) for _ in range(2))
    # From few items or many, so that the rankings share most of theirs or hardly any.
    listed = rng.permutation([f"i{k}" for k in range(int(max(n, m) * rng.uniform(1, 3)))]).tolist()
    share = [float(rng.choice([0, 0.2, 0.6, 1])) for _ in range(2)]
    x = tied(rng, listed[:n], share[0])
    if kind == "the same":
        return x, x, f"{kind}, {n} items"
    if kind == "the same items":
        y = tied(rng, rng.permutation(listed[:n]).tolist(), share[1])
    elif kind == "a beginning":
        y = x[: rng.integers(1, len(x) + 1)]
    elif kind == "one item":
        y = [str(rng.choice(listed))]
    elif kind == "disjoint":
        y = tied(rng, [f"j{k}" for k in range(m)], share[1])
    else:
        y = tied(rng, rng.permutation(listed)[:m].tolist(), share[1])
    if rng.random() < 0.5:
        x, y = y, x
    return x, y, f"{kind}, {len(items_in(x))} and {len(items_in(y))} items"


def tied(rng: np.random.Generator, items: list[str], share: float) -> list[Any]:
    """A ranking of the items in which this share of them is tied with the one before."""
    groups: list[list[str]] = []
    for item in items:
        if groups and rng.random() < share:
            groups[-1].append(item)
        else:
            groups.append([item])
    return [set(group) if len(group) > 1 else group[0] for group in groups]


def items_in(ranking: list[Any]) -> list[str]:
    """The items of a ranking, those of a tie in alphabetical order."""
    return [item for group in ranking for item in (sorted(group) if isinstance(group, set) else [group])]


def spoiled(rng: np.random.Generator, x: list[Any], y: list[Any], p: float) -> tuple[list[Any], list[Any], float, str]:
    """The same arguments with a fault that both languages refuse, and its name."""
    fault = str(rng.choice(["x is empty", "y is empty", "an item twice in x", "an item twice in y", "p out of range"]))
    twice = str(rng.choice(items_in(x)))
    if fault == "x is empty":
        x = []
    elif fault == "y is empty":
        y = []
    elif fault == "an item twice in x":
        x = [*x, twice if rng.random() < 0.5 else {"other", twice}]
    elif fault == "an item twice in y":
        y = [twice, *y, {"other", twice}]
    else:
        p = float(rng.choice([0, 1, -p, 1 + p, np.nan, np.inf]))
    return x, y, p, fault


def ties_calls(seed: int, count: int) -> Iterator[Call]:
    """Ties as an answer; the reference counts pair by pair."""
    for _, rng in generators(seed, range(count)):
        case = random_case(rng)
        epsilon = float(rng.choice([0, 0, 0.1, 0.5, 1, 3]))
        for name in ("tau_eq", "acc_eq"):
            yield Call(
                _coefficients, name, name, (case.x, case.y, epsilon), {}, f"{case.name}, epsilon = {epsilon:g}", unit=1
            )
        rows, items = int(rng.integers(1, 5)), int(rng.integers(2, 7))
        truth = rng.integers(0, 4, (rows, items)).astype(np.float64)
        estimate = np.round(truth + rng.normal(size=truth.shape), int(rng.integers(0, 3)))
        where = f"{rows} rows, {items} items"
        crossed, parts = {"cross_fit": False}, ("value", "at_zero")
        yield Call(judging, "calibrate", "calibrate", (truth, estimate), crossed, where, unit=1, parts=parts)
        X = rng.random((int(rng.integers(3, 30)), int(rng.integers(2, 6))))
        name, both = "soft_pairwise_accuracy", (X, X + rng.normal(size=X.shape))
        yield Call(judging, name, name, both, {"test": "t"}, f"{len(X)} items, {X.shape[1]} systems", unit=1)


SUBJECTS = (
    Subject(("r_round", "r_rank"), rounding_calls, 100_000, in_base_r=True),
    Subject(("drank",), drank_calls, 500, needs="quadprog"),
    Subject(("gmean", "mean_log", "transformed_mean", "mean_logit", "ap_floor"), averages_calls, 500),
    Subject(("evaluate", "bcubed"), organization_calls, 300),
    Subject(("strictness", "robustness"), measures_calls, 30),
    Subject(("rbo", "rbo_scores"), overlap_calls, 500),
    Subject(("tau_eq", "acc_eq", "calibrate", "soft_pairwise_accuracy"), ties_calls, 300),
    Subject(("expected", "expected_curve", "generalizability"), reliability_calls, 200),
    Subject(("place_sets",), places_calls, 200),
    Subject(NUMBERS, number_calls, 300, in_base_r=True),
    Subject(DRAWS, random_calls, 1000, in_base_r=True),
)
