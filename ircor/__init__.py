"""Rank correlation for information retrieval: the coefficients of R's ircor, in Python."""

from typing import Any

from ._check import MissingValueWarning
from ._tau import tau, tau_a, tau_b
from ._tau_ap import tauAP, tauAP_a, tauAP_b

__all__ = ["tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b", "MissingValueWarning"]


def __getattr__(name: str) -> Any:
    # What is not needed at once is loaded when it is first asked for.
    if name == "__version__":
        from importlib.metadata import version

        return version("ircor")
    if name in ("averages", "crosscheck", "organization", "published", "rank_distance", "rbase", "trec"):
        from importlib import import_module

        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
