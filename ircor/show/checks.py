"""How the cross-check with R, the printed figures and the files of the sample are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

from .._core.text import join_and
from ..crosscheck import DIFFERENCES, Agreement, Agreements, Disagreement, Tally, without_counterpart
from ..data import SampleFiles
from ..published import Figures
from .tables import Column, Table, View, as_markdown, as_paragraphs

VERDICTS = {True: "Python and R agree", False: "Python and R DISAGREE"}

SIDES = {
    "original": "the original",
    "reference": "the reference",
    "record": "the record of the original",
    "own": "your R code",
}

MOST_SHOWN = 20
"""How many values of a vector an example shows."""

VALUE = r'(?:float\("[^"]*"\)|[^,()\[\]{}"]+)'


def verdict_of(agrees: bool, oracles: Iterable[str]) -> str:
    """Whether the languages agree, and what was compared."""
    kinds = list(oracles)
    without = "" if {"original", "own"} & {*kinds} else ", not the original itself"
    return f"{VERDICTS[agrees]} (compared: {join_and(SIDES[kind] for kind in kinds)}{without})"


def shortened(text: str) -> str:
    """A call with the first values only of vectors that are too long to read."""

    def first(match: re.Match[str]) -> str:
        return f"{match[1]}, ... {match[0].count(', ') + 1 - MOST_SHOWN} more"

    return re.sub(rf"({VALUE}(?:, {VALUE}){{{MOST_SHOWN - 1}}})(?:, {VALUE})+", first, text)


@dataclass(frozen=True)
class FunctionCounts:
    """The counts of a function with one oracle."""

    oracle: str
    function: str
    tally: Tally


COUNTS = [
    Column("function"),
    Column("cases", of="tally.cases"),
    Column("refusals", "refusals\nthat agree", of="tally.refusals"),
    Column("allowed", "differ on\npurpose", of="tally.allowed"),
    Column("largest_difference", "largest\ndifference", "{:.2g}".format, of="tally.largest_difference"),
    Column("where", text=lambda where: where or "-", prose=True, of="tally.where"),
    Column("disagreements", "disagree", of="tally.disagreements"),
    Column("tolerance", text="{:g}".format, of="tally.tolerance"),
]


class AgreementView(View[Agreement]):
    """The view of a cross-check with one oracle."""

    @property
    def verdict(self) -> str:
        return verdict_of(self.result.agrees, [self.result.oracle])

    def heading(self) -> list[str]:
        """The two sides, the settings and the speed, in two or three lines."""
        result = self.result
        rpy2 = f", rpy2 {result.rpy2_version}" if result.rpy2_version else ""
        seed = "" if result.seed is None else f", seed {result.seed}"
        lines = [
            f"{result.oracle}: {f'{result.package} {result.oracle_version}'.strip()}, {result.r_version}{rpy2}",
            f"Python {result.python_version}, NumPy {result.numpy_version}, ircor {result.ircor_version}, "
            f"tolerance {result.tolerance:g}{seed}",
        ]
        if result.seconds:
            lines.append(f"{result.comparisons_per_second:.0f} comparisons of the six coefficients a second")
        return lines

    def counts(self) -> list[FunctionCounts]:
        """The counts of each function."""
        return [FunctionCounts(self.result.oracle, name, tally) for name, tally in self.result.functions.items()]

    def tables(self) -> list[Table]:
        return [Table("functions", COUNTS, self.counts())]

    def sentences(self) -> list[str]:
        """Each signature that differs, and each example of a disagreement with the calls to paste."""
        differing = [f"signatures differ: {text}" for text in self.result.signatures]
        return differing + list(map(disagreement_text, self.result.disagreements))

    def record(self) -> dict[str, Any]:
        """The settings, the tallies, the differences, what was not compared, and whether they agree."""
        record = asdict(self.result)
        del record["package"], record["seconds"]
        return record | {"agrees": self.result.agrees}

    def text(self) -> str:
        return "\n\n".join(filter(None, ["\n".join(self.heading()), super().text(), self.verdict]))

    def html(self) -> str:
        return "\n".join([as_paragraphs(self.heading()), super().html(), as_paragraphs([self.verdict])])

    def section(self) -> str:
        """The section of the page: versions and settings, the counts, and the verdict."""
        heading = "\\\n".join([*self.heading()[:2], f"{self.verdict}."])
        examples = [f"```text\n{text}\n```" for text in self.sentences()]
        notes = [f"- {note[0].upper()}{note[1:]}." for note in self.notes]
        return "\n".join([heading, "", *map(as_markdown, self.tables()), "", *examples, *notes, ""])


def disagreement_text(example: Disagreement) -> str:
    """The two answers to a case, and the calls to paste."""
    case = f" ({example.case})" if example.case else ""
    return (
        f"{example.function} disagrees{case}: Python {shortened(example.python)}, R {shortened(example.r)}\n"
        f"R:      {shortened(example.r_call)}\n"
        f"Python: {shortened(example.python_call)}"
    )


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
that differ in the last bit, in both directions. One in 500 has 1,000 items or more. Two values agree if they differ
by no more than the tolerance; that of AP correlation is n^2 2^-53 for n items if that is more, as R's sums are no more
exact. Two refusals of the six coefficients agree if Python's begins with R's words. Long cases, and some others, are
asked again as lists, Series and masked arrays, and with each kernel of this processor. Other functions are compared
with those of base R, where a tolerance of 0 means the same bits, or with the reference; there the difference is
relative, and two refusals agree whatever their words.
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

EXAMPLES = [
    Column("function"),
    Column("call", "call in R", lambda call: f"`{call}`"),
    Column("r", "R"),
    Column("python", "Python"),
]


class AgreementsView(View[Agreements]):
    """The view of the cross-checks with all oracles."""

    @property
    def verdict(self) -> str:
        return verdict_of(self.result.agrees, [one.oracle for one in self.result.agreements])

    @property
    def parts(self) -> list[AgreementView]:
        """The views of the cross-checks."""
        return list(map(AgreementView, self.result.agreements))

    @property
    def notes(self) -> Sequence[str]:
        unavailable = [f"not compared with the {kind}: {reason}" for kind, reason in self.result.missing.items()]
        return unavailable + [f"{part.result.oracle}: {note}" for part in self.parts for note in part.notes]

    def tables(self) -> list[Table]:
        rows = [counts for part in self.parts for counts in part.counts()]
        return [Table("functions", [Column("oracle"), *COUNTS], rows, group="oracle")]

    def sentences(self) -> list[str]:
        return [sentence for part in self.parts for sentence in part.sentences()]

    def record(self) -> dict[str, Any]:
        return {
            "made": self.result.made.isoformat(),
            "agreements": [part.record() for part in self.parts],
            "missing": self.result.missing,
        }

    def markdown(self) -> str:
        """The page."""
        result, sections = self.result, {part.result.oracle: part.section() for part in self.parts}
        blocks = [INTRODUCTION.format(options=result.options), f"This page was made on {result.made.isoformat()}.\n"]
        for kind, title in TITLES.items():
            missing = f"Not compared on the machine that made this page: {result.missing.get(kind)}.\n"
            blocks += [f"## {title}\n", sections.get(kind, missing)]
        return "\n".join([*blocks, self.differences(), self.left_out()])

    def differences(self) -> str:
        """The section on the differences on purpose."""
        lines = [DIFFERENCES_ON_PURPOSE]
        for d in DIFFERENCES:
            count = sum(agreement.reasons.get(d.reason, 0) for agreement in self.result.agreements)
            lines += [f"**In Python, {d.reason}.** In R: {d.in_r}. {count} of the answers above.", ""]
            lines += [as_markdown(Table("examples", EXAMPLES, self.result.examples[d.reason])), ""]
        return "\n".join(lines)

    def left_out(self) -> str:
        """The section on what is not compared with R."""
        *names, last = [f"`ircor.{name}`" for name in without_counterpart()]
        return (
            f"## Not compared with R\n\nThe reference does not have {', '.join(names)} and {last}.\n"
            "Other tests compare them with SciPy, scikit-learn, exact fractions, simulations or the papers' figures.\n"
            "It has no readers of files and no pictures either.\n"
        )


def significant_digits(computed: float | None) -> str:
    return "undefined" if computed is None else f"{computed:.7g}"


FIGURES = [
    Column("source"),
    Column("where", prose=True),
    Column("what", prose=True),
    Column("printed"),
    Column("computed", text=significant_digits, of=lambda figure: None if isnan(figure.computed) else figure.computed),
    Column("verdict", only="data"),
    Column("reason", only="data"),
    Column(
        "verdict_and_reason",
        "verdict",
        only="screen",
        prose=True,
        of=lambda figure: ": ".join(filter(None, [figure.verdict, figure.reason])),
    ),
]


FILES = [
    Column("source"),
    Column("file"),
    Column("values"),
    Column("agree"),
    Column("largest_difference", "largest\ndifference", "{:.2g}".format),
]


class FiguresView(View[Figures]):
    """The view of all figures: a row for each, grouped by source, a row for each file, and how many agree."""

    def tables(self) -> list[Table]:
        files = [Table("files", FILES, self.result.files, group="source")] if self.result.files else []
        return [Table("figures", FIGURES, self.result.figures, group="source", names=2), *files]

    def sentences(self) -> list[str]:
        return [self.verdict]

    @property
    def verdict(self) -> str:
        counts = self.result.counts
        of_figures = (
            f"{counts['agrees']} figures agree, {counts['known misprint']} are known misprints, "
            f"{counts['not reproduced']} are not reproduced, {counts['DIFFERS']} DIFFER"
        )
        if not (files := self.result.files):
            return of_figures
        values, agree = sum(file.values for file in files), sum(file.agree for file in files)
        return f"{of_figures}; of {values} values in {len(files)} files {agree} agree, {values - agree} DIFFER"


class SampleFilesView(View[SampleFiles]):
    """The view of the files of the sample data."""

    def sentences(self) -> list[str]:
        count, folder = len(self.result.files), self.result.folder
        return [f"{count} files in {folder}: eval/, runs/, judges/, qrels.txt and scores.csv"]
