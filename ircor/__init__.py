"""Rank correlation for information retrieval: the coefficients of R's ircor, in Python."""

from typing import TYPE_CHECKING, Any

from ._coefficients import acc_eq, kendall_tau, tau, tau_a, tau_b, tau_eq, tauAP, tauAP_a, tauAP_b
from ._core.checks import CoverageWarning, MissingValueWarning, PairingWarning
from ._core.errors import InvalidTypeError, InvalidValueError, TiesError
from ._core.rounding import RoundingWarning

if TYPE_CHECKING:
    from .comparison import compare, correlate
    from .data import sample
    from .judging import judges, soft_pairwise_accuracy
    from .reliability import places
    from .tables import bootstrap, cor, cor_by, cor_lists, cor_parquet, permutation_test

__all__ = [
    "tau",
    "tau_a",
    "tau_b",
    "tauAP",
    "tauAP_a",
    "tauAP_b",
    "kendall_tau",
    "tau_eq",
    "acc_eq",
    "cor",
    "cor_by",
    "cor_lists",
    "cor_parquet",
    "bootstrap",
    "permutation_test",
    "compare",
    "correlate",
    "judges",
    "places",
    "soft_pairwise_accuracy",
    "sample",
    "InvalidTypeError",
    "InvalidValueError",
    "TiesError",
    "CoverageWarning",
    "MissingValueWarning",
    "PairingWarning",
    "RoundingWarning",
]

MODULES = {
    "averages",
    "comparison",
    "crosscheck",
    "duckdb",
    "judging",
    "organization",
    "overlap",
    "plots",
    "polars",
    "published",
    "rank_distance",
    "rbase",
    "reliability",
    "report",
    "tables",
    "trec",
}

# Functions that are loaded with their modules when they are first used, so that `import ircor` stays quick.
LAZY = {
    "bootstrap": "tables",
    "compare": "comparison",
    "cor": "tables",
    "cor_by": "tables",
    "cor_lists": "tables",
    "cor_parquet": "tables",
    "correlate": "comparison",
    "judges": "judging",
    "permutation_test": "tables",
    "places": "reliability",
    "sample": "data",
    "soft_pairwise_accuracy": "judging",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("ircor")
    from importlib import import_module

    if name in MODULES:
        return import_module(f".{name}", __name__)
    if name in LAZY:
        return getattr(import_module(f".{LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *MODULES})
