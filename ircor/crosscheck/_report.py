"""The outcome of a cross-check: what was compared for each function, and what differed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

from .._methods import METHODS
from .._result import Column, Result, Table


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
        What kind of case it is.
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

    def __str__(self) -> str:
        case = f" ({self.case})" if self.case else ""
        return (
            f"{self.function} disagrees{case}: Python {self.python}, R {self.r}\n"
            f"R:      {self.r_call}\n"
            f"Python: {self.python_call}"
        )


TALLY = (
    Column("function"),
    Column("cases"),
    Column("refusals", "refusals\nthat agree"),
    Column("allowed", "differ on\npurpose"),
    Column("largest_difference", "largest\ndifference", "{:.2g}".format),
    Column("where", text=lambda where: where or "-", prose=True),
    Column("disagreements", "disagree"),
    Column("tolerance", text="{:g}".format),
)


VERDICTS = {True: "Python and R agree", False: "Python and R DISAGREE"}


@dataclass(eq=False)
class Agreement(Result):
    """The outcome of a cross-check.

    Attributes
    ----------
    oracle : {"original", "reference", "record"}
        What Python was compared with.
    oracle_version, r_version, rpy2_version, python_version, numpy_version, ircor_version : str
        The version of rpy2 is "" where R was not called.
    tolerance : float
        The largest absolute difference of two values of a coefficient that agree.
    seed : int or None
        The seed of the random cases.
    functions : dict of str to Tally
        What was compared, by function.
    signatures : list of str
        The functions whose arguments or defaults differ between the languages, and how.
    disagreements : list of Disagreement
        One example for each function that disagrees.
    package : str
        The name of the R package.
    reasons : dict of str to int
        The cases on which Python differs on purpose, by reason.
    notes : list of str
        What was not compared, and why.
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
        return VERDICTS[self.agrees]

    @property
    def comparisons_per_second(self) -> float:
        """How many answers of the six coefficients were compared in a second; nan if it was not measured."""
        compared = sum(tally.cases for name, tally in self.functions.items() if name in METHODS)
        return compared / self.seconds if self.seconds else float("nan")

    def heading(self) -> list[str]:
        """The two sides, the settings and the speed, in two or three lines."""
        rpy2 = f", rpy2 {self.rpy2_version}" if self.rpy2_version else ""
        seed = "" if self.seed is None else f", seed {self.seed}"
        lines = [
            f"{self.oracle}: {self.package} {self.oracle_version}, {self.r_version}{rpy2}",
            f"Python {self.python_version}, NumPy {self.numpy_version}, ircor {self.ircor_version}, "
            f"tolerance {self.tolerance:g}{seed}",
        ]
        if self.seconds:
            lines.append(f"{self.comparisons_per_second:.0f} comparisons of the six coefficients a second")
        return lines

    def tables(self) -> list[Table]:
        """One table: the tally of each function."""
        rows = [(name, *asdict(tally).values()) for name, tally in self.functions.items()]
        return [Table("functions", TALLY, rows)]

    def sentences(self) -> list[str]:
        """Each signature that differs, and each example of a disagreement with the calls to paste."""
        return [*(f"signatures differ: {text}" for text in self.signatures), *map(str, self.disagreements)]

    def __str__(self) -> str:
        parts = ["\n".join(self.heading()), super().__str__(), self.verdict]
        return "\n\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        above, below = (
            "\n".join(f"<p>{escape(line)}</p>" for line in lines) for lines in (self.heading(), [self.verdict])
        )
        return "\n".join([above, super()._repr_html_(), below])

    def as_dict(self) -> dict[str, Any]:
        """The settings, the tallies, the differences, what was not compared, and whether they agree."""
        fields = asdict(self)
        del fields["package"], fields["seconds"]
        return fields | {"agrees": self.agrees}

    def as_json(self) -> str:
        """`as_dict` as JSON text."""
        return json.dumps(self.as_dict(), indent=1, allow_nan=False)

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

    def add(self, part: Agreement) -> None:
        """Add the counts of other cases of the same comparison, which come after those that were added before."""
        for name, tally in part.functions.items():
            total = self.functions.setdefault(name, Tally(tolerance=tally.tolerance))
            if not total.disagreements:
                self.disagreements += [found for found in part.disagreements if found.function == name]
            total.cases += tally.cases
            total.refusals += tally.refusals
            total.allowed += tally.allowed
            total.disagreements += tally.disagreements
            self.agree(name, tally.largest_difference, tally.where)
        for reason, count in part.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count

    def agree(self, function: str, difference: float, where: str) -> None:
        """Note the difference of two values that agree, if it is the largest of its function."""
        tally = self.functions[function]
        if difference > tally.largest_difference:
            tally.largest_difference, tally.where = difference, where
