"""Rank correlation for information retrieval: the coefficients of R's ircor, in Python."""

from typing import TYPE_CHECKING, Any

from ._check import MissingValueWarning
from ._tau import tau, tau_a, tau_b
from ._tau_ap import tauAP, tauAP_a, tauAP_b

if TYPE_CHECKING:
    from ._sample import sample
    from .tables import bootstrap, cor, cor_by, permutation_test

__all__ = [
    "tau",
    "tau_a",
    "tau_b",
    "tauAP",
    "tauAP_a",
    "tauAP_b",
    "cor",
    "cor_by",
    "bootstrap",
    "permutation_test",
    "sample",
    "MissingValueWarning",
]

MODULES = {"averages", "crosscheck", "organization", "plots", "published", "rank_distance", "rbase", "tables", "trec"}


def __getattr__(name: str) -> Any:
    # What is not needed at once is loaded when it is first asked for.
    if name == "__version__":
        from importlib.metadata import version

        return version("ircor")
    from importlib import import_module

    if name in MODULES:
        return import_module(f".{name}", __name__)
    if name in __all__:
        return getattr(import_module("._sample" if name == "sample" else ".tables", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *MODULES})
