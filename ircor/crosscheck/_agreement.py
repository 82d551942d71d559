"""The outcome of a cross-check: what was compared for each function, and what differed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from .._core.methods import METHODS
from .._core.results import Result


@dataclass
class Tally:
    """The counts of one function.

    Attributes
    ----------
    cases : int
        The cases compared.
    refusals : int
        The cases that both languages refuse.
    allowed : int
        The cases on which Python differs on purpose.
    largest_difference : float
        The largest difference of two values that agree.
    where : str
        The case that has it.
    disagreements : int
        The cases on which the languages disagree.
    tolerance : float
        The largest difference of two values that agree; 0 if they must agree bit for bit.
    """

    cases: int = 0
    refusals: int = 0
    allowed: int = 0
    largest_difference: float = 0.0
    where: str = ""
    disagreements: int = 0
    tolerance: float = 1e-12


@dataclass(frozen=True)
class Disagreement:
    """A case on which Python and R disagree, made as small as possible.

    Attributes
    ----------
    function : str
        The name of the function in Python.
    case : str
        The kind of the case.
    python, r : str
        The two answers.
    python_call, r_call : str
        The call, to paste into either language.
    """

    function: str
    case: str
    python: str
    r: str
    python_call: str
    r_call: str


@dataclass(eq=False)
class Agreement(Result):
    """The outcome of a cross-check.

    Attributes
    ----------
    oracle : {"original", "reference", "record"}
        The kind of the other side.
    oracle_version, r_version, rpy2_version, python_version, numpy_version, ircor_version : str
        The version of rpy2 is "" where R was not called.
    tolerance : float
        The largest absolute difference of two values of a coefficient that agree.
    seed : int or None
        The seed of the random cases.
    functions : dict of str to Tally
        The counts of each function.
    signatures : list of str
        The functions whose arguments or defaults differ between the languages, and how.
    disagreements : list of Disagreement
        One example for each function that disagrees.
    package : str
        The name of the R package.
    reasons : dict of str to int
        The cases on which Python differs on purpose, by reason.
    notes : list of str
        The functions that were not compared, and why.
    seconds : float
        The time that the comparison of the six coefficients took; 0 if it was not measured.
    """

    oracle: str
    oracle_version: str
    r_version: str
    rpy2_version: str
    python_version: str
    numpy_version: str
    ircor_version: str
    tolerance: float
    seed: int | None = None
    functions: dict[str, Tally] = field(default_factory=dict, repr=False)
    signatures: list[str] = field(default_factory=list, repr=False)
    disagreements: list[Disagreement] = field(default_factory=list, repr=False)
    package: str = field(default="", repr=False)
    reasons: dict[str, int] = field(default_factory=dict, repr=False)
    notes: list[str] = field(default_factory=list, repr=False)
    seconds: float = field(default=0.0, repr=False)

    @property
    def agrees(self) -> bool:
        """Whether all signatures, values and refusals agree."""
        return not self.signatures and not any(tally.disagreements for tally in self.functions.values())

    @property
    def verdict(self) -> str:
        """The outcome in one sentence."""
        return self.view.verdict

    @property
    def comparisons_per_second(self) -> float:
        """How many answers of the six coefficients were compared in a second; nan if it was not measured."""
        compared = sum(tally.cases for name, tally in self.functions.items() if name in METHODS)
        return compared / self.seconds if self.seconds else float("nan")

    def heading(self) -> list[str]:
        """The two sides, the settings and the speed, in two or three lines."""
        return self.view.heading()

    def as_json(self) -> str:
        """`as_dict` as JSON text."""
        return json.dumps(self.as_dict(), indent=1, allow_nan=False)

    def note_gaps(self, gaps: dict[str, list[str]]) -> None:
        """Note the functions that were not compared, by reason."""
        self.notes += [f"not compared: {', '.join(names)} ({reason})" for reason, names in gaps.items() if names]

    def disagree(self, function: str, example: Callable[[], Disagreement], count: int = 1) -> None:
        """Count cases that disagree; the first of a function is kept as its example."""
        tally = self.functions[function]
        if not tally.disagreements:
            self.disagreements.append(example())
        tally.disagreements += count

    def allow(self, function: str, reason: str) -> None:
        """Count a case on which Python differs on purpose."""
        self.functions[function].allowed += 1
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def agree(self, function: str, difference: float, where: str) -> None:
        """Note the difference of two values that agree, if it is the largest of its function."""
        tally = self.functions[function]
        if difference > tally.largest_difference:
            tally.largest_difference, tally.where = difference, where

    def add(self, part: Agreement) -> None:
        """Add the counts of other cases of the same comparison, which come after those that were added before."""
        for name, tally in part.functions.items():
            total = self.functions.setdefault(name, Tally(tolerance=tally.tolerance))
            if not total.disagreements:
                self.disagreements += [example for example in part.disagreements if example.function == name]
            for count in ("cases", "refusals", "allowed", "disagreements"):
                setattr(total, count, getattr(total, count) + getattr(tally, count))
            self.agree(name, tally.largest_difference, tally.where)
        self.reasons = dict(Counter(self.reasons) + Counter(part.reasons))


class AnsweredCall(NamedTuple):
    """A call of a function in R, and the answers of both languages to it."""

    function: str
    call: str
    r: str
    python: str


@dataclass(eq=False)
class Agreements(Result):
    """The outcomes of the cross-check with several oracles.

    Attributes
    ----------
    agreements : list of Agreement
        One for each oracle that is available.
    missing : dict of str to str
        Why the others are not.
    examples : dict of str to list
        For each difference on purpose, the answers of both languages to one call of each function.
    made : datetime.date
    options : str
        The options of the command that repeats it, each after a blank.
    """

    agreements: list[Agreement]
    missing: dict[str, str]
    examples: dict[str, list[AnsweredCall]] = field(repr=False)
    made: date
    options: str = ""

    @property
    def agrees(self) -> bool:
        """Whether Python agrees with all of them."""
        return all(agreement.agrees for agreement in self.agreements)

    @property
    def verdict(self) -> str:
        """The outcome in one sentence."""
        return self.view.verdict

    @property
    def notes(self) -> list[str]:
        """The functions that were not compared, and why."""
        return list(self.view.notes)

    def as_markdown(self) -> str:
        """The page."""
        return self.view.markdown()
