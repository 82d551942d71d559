"""Reports to hand on: a result in one HTML file.

The file needs nothing else: its style, its charts and the few lines that sort its tables are in it, and it loads
nothing from anywhere.  It is light or dark as the reader's system is, and can be printed.  The same result gives the
same file.

`ircor compare --html report.html` and `ircor judges --html report.html` write one.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version

from .._core.files import is_special, whole_file
from .._core.results import Result
from ..comparison import Comparison
from ..judging import JudgesResult
from . import _compare, _judges
from ._page import Page as Page, Section, closing, sortable

__all__ = ["html", "save"]

ENDINGS = (".html", ".htm")
"""How the names of reports end."""


def html(result: Result, *, title: str | None = None, command: str | None = None, packages: Sequence[str] = ()) -> str:
    """Write a report about a result: its verdict, tables and charts, the method, and what repeats it.

    Parameters
    ----------
    result : Result
        That of `ircor.compare` or `ircor.judges`; of another one, all tables and sentences are shown.
    title : str, optional
        The title of the report; by default it says what was compared.
    command : str, optional
        The command that makes the report again, to be shown in it.
    packages : sequence of str
        The names of further packages that the numbers come from: their versions are shown with those of ircor, Python,
        NumPy and SciPy.

    Returns
    -------
    str
        A whole HTML document.  All text in it is escaped.

    Examples
    --------
    >>> import ircor
    >>> AP, P10 = ircor.sample("map"), ircor.sample("P_10")
    >>> result = ircor.compare(AP, P10, names=("map", "P_10"), resamples=300, seed=1)
    >>> text = ircor.report.html(result, title="Is P@10 enough?")
    >>> "<h1>Is P@10 enough?</h1>" in text, result.conclusion in text
    (True, True)
    >>> ircor.report.html(result, title="Is P@10 enough?") == text
    True
    """
    if isinstance(result, Comparison):
        page = _compare.comparison_page(result, title)
    elif isinstance(result, JudgesResult):
        page = _judges.page(result, title)
    else:
        page = plain_page(result, title)
    return page.with_sections(closing(result, command, page.settings, versions(result, packages))).html()


def versions(result: Result, packages: Sequence[str] = ()) -> dict[str, str]:
    """The versions of all that the numbers come from."""
    used = result.packages if isinstance(result, JudgesResult) else ()
    names = dict.fromkeys(("ircor", "numpy", "scipy", *used, *packages))
    return {"Python": platform.python_version()} | {name: version(name) for name in names}


def save(
    result: Result,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    command: str | None = None,
    packages: Sequence[str] = (),
    force: bool = False,
) -> None:
    """Write a report to a file, whole or not at all: `html`.

    Parameters
    ----------
    result, title, command, packages
        As for `html`.
    path : path
        The file; its name ends in .html or .htm.
    force : bool
        Whether a file that ircor did not write is replaced too.

    Raises
    ------
    ValueError
        If the file has another ending.
    FileExistsError
        If the file exists, and ircor did not write it.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import ircor
    >>> result = ircor.compare(ircor.sample("map"), ircor.sample("P_10"), resamples=300, seed=1)
    >>> ircor.report.save(result, "report.html")                                                        # doctest: +SKIP
    """
    if not os.fspath(path).lower().endswith(ENDINGS) and not is_special(path):
        raise ValueError(f"the name of a report must end in .html or .htm, and {os.fspath(path)!r} does not")
    with whole_file(path, "html", force=force) as file:
        file.write(html(result, title=title, command=command, packages=packages))


def plain_page(result: Result, title: str | None) -> Page:
    """A report about any result: its sentences and its tables."""
    tables = [table for table in result.tables() if table.rows]
    sections = [Section(table.key.replace("_", " "), [sortable(table, table.key)]) for table in tables]
    return Page(title or type(result).__name__, "", result.sentences(), sections)
