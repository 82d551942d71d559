"""The figures of all sources."""

from __future__ import annotations

import os

from ._amigo import amigo_2013
from ._carterette import ROBUST, carterette_2009, carterette_2009_robust
from ._corsi import corsi_2024
from ._figure import Figure, Figures
from ._r_package import r_package
from ._urbano import urbano_2017
from ._urbano_2016 import ADHOC, urbano_2016

# The files that hold the data of other sources, and the figures that they lead to.
DATA = {ROBUST: carterette_2009_robust, (ADHOC,): urbano_2016}


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
        Has tables for `trec.read_table`, of one source or of both:

        - robust04-map.csv and robust04-P_10.csv: average precision and precision at 10 of the 110 runs of the TREC 2004
          Robust track on 249 topics, for Carterette (2009).
        - adhoc6.csv: average precision of 74 ad hoc runs of TREC-6 on 50 topics, as Urbano and Marrero (2016) had it.

    Raises
    ------
    FileNotFoundError, FormatError
        If the folder has none of these tables, or only one of two; or if a table is malformed.
    ValueError
        If a table has other numbers of topics and systems than the paper.
    """
    there = [names for names in DATA if any(os.path.exists(os.path.join(folder, name)) for name in names)]
    if not there:
        wanted = ", ".join(name for names in DATA for name in names)
        raise FileNotFoundError(f"{os.fspath(folder)} has none of the tables that figures need: {wanted}")
    return [figure for names in there for figure in DATA[names](folder)]


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
