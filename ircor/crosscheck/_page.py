"""The cross-check with every oracle that is available, as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from inspect import isfunction
from typing import Any

from .. import averages, comparison, organization, overlap, rank_distance, rbase, reliability, tables
from .._progress import Progress
from .._result import Column, Result, Table
from ._beyond import SUBJECTS
from ._bridge import RUnavailableError
from ._cases import Case
from ._check import check
from ._comparison import FUNCTIONS, ask_python
from ._differences import DIFFERENCES
from ._oracles import Oracle, find_oracle
from ._report import TALLY, VERDICTS, Agreement

MODULES = (comparison, rank_distance, averages, organization, overlap, reliability, rbase)

TITLES = {
    "original": "The original: the R package ircor",
    "reference": "The reference: the same functions in plain R, from the papers' formulas",
    "record": "The record: what ircor 1.0 answered under R 4.2.2",
}

INTRODUCTION = """\
# Agreement with R

Does this package give R's numbers? A command writes this page, and asks both languages for every number in it:

    ircor crosscheck --markdown docs/agreement.md{options}

A case is a random pair of rankings: with or without ties, missing or infinite values, the largest integers, numbers
that differ in the last bit, in both directions. Two values agree if they differ by no more than the tolerance. Two
refusals of the six coefficients agree if Python's begins with R's words. Other functions are compared with those of
base R, where a tolerance of 0 means the same bits, or with the reference; there the difference is relative, and two
refusals agree whatever their words.
"""

DIFFERENCES_ON_PURPOSE = """\
## Differences on purpose

Python differs where R's answer is an accident of its arithmetic, and nowhere else. The cross-check allows a difference
only on these cases, only if R neither returns a number (but the -1 of a function without a pair) nor refuses on
purpose, and only if Python gives the answer that the rule demands: with infinities and large integers, R's own answer
for the ranks of the values. (The record has no answers for these ranks; there it is Python's own.) R's answers below
are those of the R that made this page. Python also warns where R ranks missing values without a word, and returns 1
where R's sum of fractions ends an ulp above it.
"""

EXAMPLES = (
    Column("function"),
    Column("call", "call in R", lambda call: f"`{call}`"),
    Column("r", "R"),
    Column("python", "Python"),
)


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
    examples: dict[str, list[tuple[str, str, str, str]]] = field(repr=False)
    made: date
    options: str = ""

    @property
    def agrees(self) -> bool:
        """Whether Python agrees with all of them."""
        return all(agreement.agrees for agreement in self.agreements)

    @property
    def verdict(self) -> str:
        """The outcome in one sentence."""
        return VERDICTS[self.agrees]

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """What was not compared, and why."""
        unavailable = [f"not compared with the {kind}: {reason}" for kind, reason in self.missing.items()]
        return [*unavailable, *(f"{a.oracle}: {note}" for a in self.agreements for note in a.notes)]

    def tables(self) -> list[Table]:
        """One table: the tally of each function, with each oracle."""
        rows = [(a.oracle, *row) for a in self.agreements for row in a.tables()[0].rows]
        return [Table("functions", (Column("oracle"), *TALLY), rows, group="oracle")]

    def sentences(self) -> list[str]:
        """The disagreements."""
        return [sentence for agreement in self.agreements for sentence in agreement.sentences()]

    def as_dict(self) -> dict[str, Any]:
        """The content of each agreement, and what is missing."""
        return {
            "made": self.made.isoformat(),
            "agreements": [agreement.as_dict() for agreement in self.agreements],
            "missing": self.missing,
        }

    def as_markdown(self) -> str:
        """The page."""
        parts = [INTRODUCTION.format(options=self.options), f"This page was made on {self.made.isoformat()}.\n"]
        for kind, title in TITLES.items():
            parts.append(f"## {title}\n")
            found = [agreement for agreement in self.agreements if agreement.oracle == kind]
            parts += map(section, found)
            if not found:
                parts.append(f"Not compared on the machine that made this page: {self.missing[kind]}.\n")
        return "\n".join([*parts, self.differences(), self.left_out()])

    def differences(self) -> str:
        """The section on the differences on purpose."""
        counts = {d.reason: sum(a.reasons.get(d.reason, 0) for a in self.agreements) for d in DIFFERENCES}
        lines = [DIFFERENCES_ON_PURPOSE]
        for d in DIFFERENCES:
            lines += [f"**In Python, {d.reason}.** In R: {d.in_r}. {counts[d.reason]} of the answers above.", ""]
            lines += [markdown(Table("examples", EXAMPLES, self.examples[d.reason])), ""]
        return "\n".join(lines)

    def left_out(self) -> str:
        """The section on what is not compared with R."""
        names = [f"`ircor.{name}`" for name in without_counterpart()]
        return (
            f"## Not compared with R\n\nThe reference does not have {', '.join(names[:-1])} and {names[-1]}.\n"
            "Other tests compare them with SciPy, scikit-learn, exact fractions, simulations or the papers' figures.\n"
            "It has no readers of files and no pictures either.\n"
        )


def check_all(
    *,
    cases: int = 10_000,
    seed: int = 2017,
    functions: Iterable[str] | None = None,
    tolerance: float = 1e-12,
    n_jobs: int = 1,
    progress: Progress = None,
) -> Agreements:
    """Compare Python with the original, the reference and the record: all of them that are available.

    Parameters
    ----------
    cases, seed, functions, tolerance, n_jobs, progress
        As in `check`.

    Returns
    -------
    Agreements
        Its `as_markdown` is the page docs/agreement.md.

    Examples
    --------
    >>> found = check_all(cases=50, functions=["tau", "tauAP_b"])
    >>> found.agrees
    True
    >>> print(found.as_markdown().splitlines()[0])
    # Agreement with R
    """
    agreements, missing = [], {}
    asked: Oracle | None = None
    for kind in TITLES:
        try:
            agreements.append(
                check(
                    kind,
                    cases=cases,
                    seed=seed,
                    functions=functions,
                    tolerance=tolerance,
                    n_jobs=n_jobs,
                    progress=progress,
                )
            )
        except RUnavailableError as error:
            missing[kind] = str(error)
            continue
        if asked is None and kind != "record":
            asked = find_oracle(kind)
    options = f" --cases {cases} --seed {seed}"
    if functions is not None:
        options += " --functions " + " ".join(agreements[-1].functions)
    examples = {d.reason: answers_to(d.example, asked) for d in DIFFERENCES}
    return Agreements(agreements, missing, examples, date.today(), options)


def answers_to(case: Case, oracle: Oracle | None) -> list[tuple[str, str, str, str]]:
    """The answers of both languages to a case, for each of the six: the function, the call in R, R's and Python's."""
    rows = []
    for name, function in FUNCTIONS.items():
        r = str(oracle.answers(name, [case])[0]) if oracle else "not asked"
        call = case.r_call(name, oracle.package if oracle else "ircor")
        rows.append((name, call, r, str(ask_python(name, function, case))))
    return rows


def section(agreement: Agreement) -> str:
    """The section of one oracle: versions and settings, the tally, and the verdict."""
    heading = [*agreement.heading()[:2], f"{agreement.verdict}."]
    notes = [f"{note[0].upper()}{note[1:]}." for note in agreement.notes]
    listed = [*(f"```text\n{text}\n```" for text in agreement.sentences()), *(f"- {note}" for note in notes)]
    return "\n".join(["\\\n".join(heading), "", *map(markdown, agreement.tables()), "", *listed, ""])


def markdown(table: Table) -> str:
    """A table in Markdown; the text of a cell cannot end it."""
    headings, *rows = table.lines()
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(
        "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in line) + " |" for line in lines
    )


def without_counterpart() -> list[str]:
    """The public functions that compute something and are not compared with R, by their names below `ircor`."""
    compared = {*FUNCTIONS, *(name for subject in SUBJECTS for name in subject.functions)}
    # The functions of `tables` are public as those of `ircor` itself.
    modules = ((tables, ""), *((m, m.__name__.rpartition(".")[2] + ".") for m in MODULES))
    return [
        below + name
        for module, below in modules
        for name in module.__all__
        if isfunction(getattr(module, name)) and name not in compared
    ]
