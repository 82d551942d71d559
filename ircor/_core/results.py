"""The base of all results: numbers and names, which the floor above shows as tables, sentences, JSON and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

    from ..show import View
    from ..show.tables import Table


def view_of(result: Any) -> View[Any]:
    """How a result is shown: its tables and sentences, its record for JSON, and its picture."""
    from ..show import view_of

    return view_of(result)


class Result:
    """A result that can be printed, and shown in a notebook.

    Attributes
    ----------
    notes : sequence of str
        What a reader should know about the data; a command writes them to standard error.
    """

    @cached_property
    def notes(self) -> Sequence[str]:
        return self.view.notes

    @property
    def view(self) -> View[Any]:
        """How the result is shown: its tables and sentences, its record for JSON, and its picture."""
        return view_of(self)

    def tables(self) -> list[Table]:
        """The numbers as tables; the first is what CSV has."""
        return self.view.tables()

    def sentences(self) -> list[str]:
        """The meaning of the numbers, in words."""
        return self.view.sentences()

    def as_dict(self) -> dict[str, Any]:
        """All of the result for JSON."""
        return self.view.record()

    def frame(self, key: str) -> pandas.DataFrame:
        """The table of this name as a DataFrame."""
        return self.view.table(key).frame()

    def __str__(self) -> str:
        return self.view.text()

    def _repr_html_(self) -> str:
        return self.view.html()
