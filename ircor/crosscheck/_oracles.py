"""What Python is compared with: the original R package, the reference in R, or the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .._options import one_of
from ._bridge import RPackage, RUnavailableError, r_version_of, reference_package
from ._cases import Answer, Case
from ._record import Record

ORACLES = ("auto", "original", "reference", "record")
"""The choices of `find_oracle`."""


class Oracle(Protocol):
    """Something that knows the right answers.

    Attributes
    ----------
    kind : {"original", "reference", "record"}
    package, version, r_version, rpy2_version : str
        The R package and its version, and the versions of R and rpy2, "" if R is not called.
    note : str
        Why another oracle was not taken, or "".
    """

    kind: str
    package: str
    version: str
    r_version: str
    rpy2_version: str
    note: str

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        """The answer of a function to each case."""

    def arguments(self, function: str) -> dict[str, str] | None:
        """The arguments of a function, each with its default as R writes it; None if unknown."""


def find_oracle(kind: str = "auto") -> Oracle:
    """Find what to compare with.

    Parameters
    ----------
    kind : {"auto", "original", "reference", "record"}
        The R package ircor; the reference package ircorref, which is installed with this package; the record of the
        answers of ircor 1.0, which needs no R; or the first of these that is available.

    Returns
    -------
    Oracle

    Raises
    ------
    RUnavailableError
        If the oracle is not available.  "auto" never raises it: without R it returns the record.

    Examples
    --------
    >>> find_oracle("record").version
    '1.0'
    """
    one_of(kind, "oracle", ORACLES)
    if kind == "record":
        return Record()
    try:
        if kind != "reference" and r_version_of("ircor"):
            return RPackage("original", "ircor")
        if kind == "original":
            raise RUnavailableError("R has no package ircor: install it in R with install.packages('ircor')")
        return RPackage("reference", reference_package())
    except RUnavailableError as error:
        if kind != "auto":
            raise
        return Record(f"{error}; compared with the record only")
