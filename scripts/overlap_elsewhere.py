"""Rank-biased overlap in other packages: the figures of docs/overlap.md, for those packages that are installed.

In an environment with ircor: `pip install rbo repro_eval`, `pip install --no-deps octis contextualized-topic-models`.
"""

import importlib.metadata
import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

P = 0.9
TEN = list("abcdefghij")
PAIRS: list[tuple[list[Any], list[Any]]] = [
    (TEN, TEN),
    (TEN, list("bacdefghij")),
    (TEN, list("klmnopqrst")),
    (list("bda"), TEN),
    (["a", {"b", "c"}, "d", "e"], ["b", "a", {"c", "d", "e"}]),
]


def one_file(package: str, path: str) -> ModuleType:
    """A file of a package, without what the package imports besides."""
    found = importlib.util.find_spec(package)
    if not found or not found.submodule_search_locations:
        raise ImportError(f"no package {package}")
    spec = importlib.util.spec_from_file_location("one_file", Path(found.submodule_search_locations[0]) / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ours(variant: str, score: str) -> Callable[[list[Any], list[Any]], float]:
    from ircor.overlap import rbo

    return lambda x, y: rbo(x, y, P, variant)[score]


def of_rbo(**options: Any) -> Callable[[list[Any], list[Any]], float]:
    from rbo import RankingSimilarity

    if not options:
        return lambda x, y: RankingSimilarity(x, y).rbo_ext(p=P)
    return lambda x, y: RankingSimilarity(x, y).rbo(**options)


def of_repro_eval() -> Callable[[list[Any], list[Any]], float]:
    from repro_eval.measure.document_order import RBO

    def run(ranking: list[Any]) -> dict[str, dict[str, float]]:
        groups = [entry if isinstance(entry, set) else {entry} for entry in ranking]
        return {"q": {str(item): -float(k) for k, tied in enumerate(groups) for item in tied}}

    return lambda x, y: RBO(run(x), run(y), p=P, depth=1000, pbar=False, per_topic=False)


def of_topics(package: str, path: str, score: str) -> Callable[[list[Any], list[Any]], float]:
    module = one_file(package, path)
    return lambda x, y: getattr(module.rbo(x, y, P), score)


OCTIS = "octis", "evaluation_metrics/rbo.py"
CONTEXTUALIZED = "contextualized_topic_models", "evaluation/rbo/rbo.py"

# The package, what is called, and how.
CALLS: list[tuple[str, str, Callable[[], Callable[[list[Any], list[Any]], float]]]] = [
    *(("ircor", f'`ext`, `ties="{v}"`', lambda v=v: ours(v, "ext")) for v in "wab"),
    ("ircor", '`min`, `ties="a"`', lambda: ours("a", "min")),
    ("rbo", "`rbo_ext(p=0.9)`", lambda: of_rbo()),
    ("rbo", "`rbo(p=0.9)`", lambda: of_rbo(p=P)),
    ("rbo", "`rbo(p=0.9, ext=True)`", lambda: of_rbo(p=P, ext=True)),
    ("rbo", "`rbo()`", lambda: of_rbo(p=1.0)),
    ("repro_eval", "`RBO`, depth 1,000", of_repro_eval),
    ("octis", "`rbo(...).ext`", lambda: of_topics(*OCTIS, "ext")),
    ("octis", "`rbo(...).min`", lambda: of_topics(*OCTIS, "min")),
    ("contextualized-topic-models", "`rbo(...).ext`", lambda: of_topics(*CONTEXTUALIZED, "ext")),
    ("contextualized-topic-models", "`rbo(...).min`", lambda: of_topics(*CONTEXTUALIZED, "min")),
]


def cell(call: Callable[[list[Any], list[Any]], float], x: list[Any], y: list[Any]) -> str:
    try:
        return f"{call(x, y):.4f}"
    except TypeError:
        return "refused"


def differences(make: Callable[[], Callable[[list[Any], list[Any]], float]], score: str) -> dict[str, float]:
    """The largest difference from ours in 1,500 random pairs without ties, by whether their lengths are equal."""
    call, mine, draw = make(), ours("a", score), random.Random(1)
    found = {"equal lengths": 0.0, "different lengths": 0.0}
    for k in range(1_500):
        n = draw.randint(1, 15)
        m = n if k % 2 else draw.choice([length for length in range(1, 16) if length != n])
        x, y = draw.sample(range(20), n), draw.sample(range(20), m)
        kind = "equal lengths" if n == m else "different lengths"
        found[kind] = max(found[kind], abs(call(x, y) - mine(x, y)))
    return found


def main() -> None:
    found = []
    for package, what, make in CALLS:
        try:
            call, version = make(), importlib.metadata.version(package)
        except (ImportError, importlib.metadata.PackageNotFoundError) as error:
            print(f"without {package}: {error}", file=sys.stderr)
            continue
        name = "ircor" if package == "ircor" else f"{package} {version}"
        found.append((package, what, make))
        print(f"| {name}, {what} | {' | '.join(cell(call, x, y) for x, y in PAIRS)} |")
    for package, what, make in found:
        if package != "ircor":
            score = "min" if "min" in what or package == "repro_eval" else "ext"
            print(package, what, "from", score, differences(make, score))


if __name__ == "__main__":
    main()
