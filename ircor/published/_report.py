"""The figures of all sources."""

from __future__ import annotations

import os

from ._amigo import amigo_2013
from ._carterette import carterette_2009, carterette_2009_robust
from ._corsi import corsi_2024
from ._figure import Figure, Figures
from ._r_package import r_package
from ._urbano import urbano_2017


def figures() -> list[Figure]:
    """Recompute every printed figure.

    Examples
    --------
    >>> first = figures()[0]
    >>> first.where, first.what, first.printed, first.computed, first.verdict
    ('section 2', 'tau', '0.6', 0.6, 'agrees')
    """
    return [*urbano_2017(), *r_package(), *carterette_2009(), *amigo_2013(), *corsi_2024()]


def figures_from(folder: str | os.PathLike[str]) -> list[Figure]:
    """Recompute the printed figures that need other scores than those in the papers.

    Parameters
    ----------
    folder : path
        Has the scores of the 110 runs of the TREC 2004 Robust track on 249 topics, as tables for `trec.read_table`:
        robust04-map.csv with average precision, and robust04-P_10.csv with precision at 10.

    Raises
    ------
    FileNotFoundError, FormatError
        If a table is missing or malformed.
    ValueError
        If a table has other numbers of topics and systems than the paper.
    """
    return list(carterette_2009_robust(folder))


def report(data: str | os.PathLike[str] | None = None) -> Figures:
    """Recompute every printed figure; return them as one result.

    Parameters
    ----------
    data : path, optional
        The folder for `figures_from`.  By default, only figures that need no other data are computed.

    Examples
    --------
    >>> report().sentences()
    ['185 figures agree, 3 are known misprints, 5 are not reproduced, 0 DIFFER']
    """
    return Figures((*figures(), *(() if data is None else figures_from(data))))
