"""The record: the answers of ircor 1.0 under R 4.2.2, which is installed with the package."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ._cases import Answer, Case
from ._shipped import shipped

if TYPE_CHECKING:
    import numpy.typing as npt


class Record:
    """The recorded answers, as an oracle that knows its own cases only.

    Attributes
    ----------
    cases : list of Case
        The random rankings of random.jsonl and the calls of edges.jsonl whose arguments are numeric vectors.
    others : list of str
        The other cases of edges.jsonl, which have arguments of other types.
    note : str
        Why the record was taken instead of R, or "".
    """

    kind = "record"
    package = "ircor"
    version = "1.0"
    r_version = "R version 4.2.2, when the record was made"
    rpy2_version = ""

    def __init__(self, note: str = "") -> None:
        self.note = note
        self.cases: list[Case] = []
        self.others: list[str] = []
        self.known: dict[tuple[Case, str], Answer] = {}
        for line in record_lines("random.jsonl"):
            x, y = (np.array(line[v], dtype=np.float64) for v in "xy")
            self.add(Case(x, y, line["decreasing"], f"record {line['id']}"), line["answers"])
        self.add_edges()

    def add_edges(self) -> None:
        """Add the calls of edges.jsonl on numeric vectors: a line is the answer of one function to a case."""
        by_case: dict[tuple[str, bool], dict[str, dict[str, Any]]] = {}
        for line in record_lines("edges.jsonl"):
            # A function without the argument `decreasing` answers the same in both directions.
            for decreasing in (True, False) if line["decreasing"] is None else (line["decreasing"],):
                by_case.setdefault((line["case"], decreasing), {})[line["function"]] = line
        for (kind, decreasing), answers in by_case.items():
            x, y = (numeric_vector_of(answers["tau"][v]) for v in "xy")
            if x is not None and y is not None:
                self.add(Case(x, y, decreasing, f"record {kind}"), answers)
            elif kind not in self.others:
                self.others.append(kind)

    def add(self, case: Case, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Add a case with its answers by function."""
        self.cases.append(case)
        for name, answer in answers.items():
            self.known[case, name] = recorded_answer(answer)

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        """The recorded answers of a function to these cases of the record."""
        return [self.known[case, function] for case in cases]

    def arguments(self, function: str) -> dict[str, str] | None:
        """None: the record has no signatures."""
        return None


def recorded_answer(answer: Mapping[str, Any]) -> Answer:
    """The answer in one line of the record; an empty vector counts as NA."""
    if "error" in answer:
        return Answer(error=answer["error"])
    return Answer(number(answer.get("value", "NA")))


def number(value: float | str) -> float:
    """A recorded number; the record has "NA", "NaN", "Inf" and "-Inf" as strings."""
    return nan if value == "NA" else float(value)


def numeric_vector_of(vector: Mapping[str, Any]) -> npt.NDArray[Any] | None:
    """A recorded R value as an array, or None if it is not a numeric vector in R.

    A vector may have names, but no dimensions or other attributes.
    """
    if vector["type"] not in ("double", "integer") or "dim" in vector or "attributes" in vector:
        return None
    if vector["type"] == "integer":
        return np.array(vector["values"], dtype=np.int32)
    return np.array([number(value) for value in vector["values"]], dtype=np.float64)


def record_lines(name: str) -> list[dict[str, Any]]:
    """The lines of one file of the record."""
    with open(shipped("record", "tests/data") / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
