"""How judges of relevance are shown: their rankings, their labels and their favour."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Literal

import numpy as np

from .._core.errors import InvalidValueError
from .._core.text import counted, coverage_clause, join_and, listed, p_equals, p_value, percent
from ..judging import Agreement, Bias, Coefficient, Coefficients, InputNote, JudgedRanking, JudgesResult, SystemBias
from .compare import TESTS, coefficient_sentence, leaderboard_clause, verdict_clause
from .places import change_columns, change_rows
from .tables import Column, Table, View, attributes, general, signed, yes_or_no


@dataclass(frozen=True)
class GradeRow:
    """How often the judge gave each grade to the documents with one grade in the truth."""

    grade: float
    counts: list[int]


@dataclass(frozen=True)
class TopicRow:
    """The agreement on one topic."""

    judge: str
    topic: Hashable
    both: int
    coefficients: Coefficients


class AgreementView(View[Agreement]):
    """The view of the agreement of two judges on the grades of documents."""

    def tables(self) -> list[Table]:
        """A row for all pairs, the confusion matrix, and a row for each topic."""
        result = self.result
        truth, judge = result.names
        keys = [Column(key, key.replace("_", "\n"), of=f"coefficients.{key}") for key in Coefficients._fields]
        coverage = ("only_truth", "only_judge", "share_of_truth", "share_of_judge")
        summary = [
            Column("both", "documents", of="coverage.both"),
            *keys,
            *(Column(key, only="data", of=f"coverage.{key}") for key in coverage),
            *(column for key in result.limits for column in limits(key, "data")),
        ]
        matrix = [Column("grade", truth, grade_text)]
        for k, text in enumerate(map(grade_text, result.grades)):
            matrix.append(Column(text, f"{judge}\n{text}", of=f"counts.{k}"))
        by_topic = [Column("topic", text=str), Column("both", "documents"), *keys]
        return [
            Table("summary", summary, [result]),
            Table("confusion", matrix, list(map(GradeRow, result.grades, result.confusion.tolist()))),
            Table("topics", by_topic, topic_rows(result)),
        ]

    def sentences(self) -> list[str]:
        """How much was compared, what came out, and why something is undefined."""
        result = self.result
        truth, judge = result.names
        coverage, values = result.coverage, result.coefficients
        if not coverage.both:
            return [f"{truth} and {judge} have judged no document in common, so their agreement is undefined."]
        compared = (
            f"{truth} and {judge} have both judged {counted(coverage.both, 'document')}: "
            f"{percent(coverage.share_of_truth)} of those of {truth} and {percent(coverage.share_of_judge)} of those "
            f"of {judge}. They gave {percent(values.agreement)} of them the same grade."
        )
        if same := self.without_distinctions():
            why = "so kappa and alpha are undefined: who gives one grade only makes no distinctions to agree on."
            return [f"{compared} {' and '.join(same)}, {why}"]
        kappa, quadratic = (interval_over_topics(*result.limits[key], result.level) for key in KAPPAS)
        return [
            f"{compared} Cohen's kappa is {values.kappa:.3f}{kappa}, and with quadratic weights "
            f"{values.kappa_quadratic:.3f}{quadratic}."
        ]

    def without_distinctions(self) -> list[str]:
        """Who gave every document the same grade, and which."""
        return [
            f"{name} gave all of them the grade {grade_text(given[0])}"
            for name, given in zip(self.result.names, grades_given(self.result))
            if len(given) == 1
        ]

    @property
    def notes(self) -> Sequence[str]:
        result = self.result
        used = [topic for topic, (number, _) in result.topics.items() if number]
        empty = [topic for topic, (number, _) in result.topics.items() if not number]
        undefined = [topic for topic in used if isnan(result.topics[topic][1].kappa)]
        notes = notes_on_topics(result.only, result.names)
        if empty:
            notes.append(f"{counted(len(empty), 'topic')} without a document that both judged: {listed(empty)}")
        if undefined:
            notes.append(
                f"kappa and alpha are undefined for {counted(len(undefined), 'topic')}, in which one of the two gave "
                f"all documents the same grade: {listed(undefined)}"
            )
        notes += other_scale(grades_given(result), result.names)
        if isnan(result.coefficients.kappa):
            return notes
        if len(used) < result.least_topics:
            needed = f"they need {result.least_topics} topics or more, and there are {len(used)}"
            notes.append(f"no intervals for kappa: {needed}")
        elif any(isnan(result.limits[key][0]) for key in KAPPAS):
            notes.append("no interval for kappa: it is the same, or undefined, without one of the topics")
        return notes

    def record(self) -> dict[str, Any]:
        """The names, the level, and the records of all tables."""
        named = dict(zip(SIDES, self.result.names))
        return {**named, "level": self.result.level, **super().record(), "notes": list(self.notes)}


def topic_rows(result: Agreement) -> list[TopicRow]:
    return [TopicRow(result.names[1], topic, both, values) for topic, (both, values) in result.topics.items()]


def limits(key: str, only: Literal["", "data"] = "") -> list[Column]:
    """The columns of the ends of an interval."""
    return [Column(f"{key}_{end}", end, only=only, of=f"limits.{key}.{k}") for k, end in enumerate(("low", "high"))]


def grades_given(result: Agreement) -> list[list[float]]:
    """The grades that each of the two gave to documents that both judged, increasing."""
    sums = result.confusion.sum(axis=1), result.confusion.sum(axis=0)
    return [[result.grades[k] for k in np.flatnonzero(given)] for given in sums]


def grade_text(grade: float) -> str:
    """A grade as people write it: 2 rather than 2.0."""
    return str(int(grade)) if grade == int(grade) else str(grade)


def notes_on_topics(only: Sequence[Sequence[Hashable]], names: Sequence[str]) -> list[str]:
    """A note for the topics that only one of the two has."""
    return [
        f"{counted(len(topics), 'topic')} only in {name}: {listed(topics)}"
        for name, topics in zip(names, only)
        if topics
    ]


def other_scale(given: Sequence[Sequence[float]], names: Sequence[str]) -> list[str]:
    """A note if one of the two gave grades beyond those of the other: a grade may then mean different things."""
    truth, judge = given
    if not truth or not judge or (truth[0], truth[-1]) == (judge[0], judge[-1]):
        return []
    ranges = (f"{name} from {grade_text(side[0])} to {grade_text(side[-1])}" for name, side in zip(names, given))
    return [f"the grades of documents that both judged differ in range, {' and '.join(ranges)}: is it the same scale?"]


def interval_over_topics(low: float, high: float, level: float) -> str:
    """An interval in brackets; nothing if there is none."""
    return "" if isnan(low) else f" ({100 * level:g}% confidence interval over topics: {low:.3f} to {high:.3f})"


def exact_p(share: float) -> str:
    """A p-value of a t test, which has no resamples to be the limit of what it can tell."""
    return "< 1e-300" if share == 0 else p_value(share, 1)


@dataclass(frozen=True)
class SystemRow:
    """How a judge grades the documents of a system."""

    judge: str
    system: Hashable
    bias: SystemBias


class BiasView(View[Bias]):
    """The view of how a judge grades what systems find."""

    def tables(self) -> list[Table]:
        """A row for each system, and a row for all."""
        truth, judge = self.result.names
        columns = [
            Column("system", text=str),
            *bias_columns(Column("truth", f"mean\n{truth}"), Column("judge", f"mean\n{judge}")),
        ]
        summary = [*LENIENCY, *map(Column, ("topics", "judged", "retrieved"))]
        return [Table("systems", columns, system_rows(self.result)), Table("summary", summary, [self.result])]

    def sentences(self) -> list[str]:
        """How much was compared, whether the judge is lenient, and whether it favours systems."""
        result = self.result
        truth, judge = result.names
        depth = counted(result.depth, "document")
        if not result.judged:
            return [
                f"{truth} and {judge} have both judged none of the first {depth} of the systems, so nothing can be "
                "said of leniency and favour."
            ]
        value, low, high = result.leniency
        return [
            f"Of the first {depth} of {counted(len(result.systems), 'system')}, {truth} and {judge} have both judged "
            f"{percent(result.judged / result.retrieved)}, over {counted(result.topics, 'topic')}. On average, the "
            f"grade by {judge} minus that by {truth} is {value:.3f}{interval_over_topics(low, high, result.level)}. "
            f"{self.favours()}"
        ]

    def favours(self) -> str:
        """Which systems are favoured, or that none can be told: a sentence."""
        result = self.result
        truth, judge = result.names
        if isnan(result.pvalue):
            return f"Whether {judge} favours a system is undefined: {self.undefined()}."
        flagged = (("favours", result.favoured), ("disfavours", result.disfavoured))
        parts = [f"{verb} {listed(systems)}" for verb, systems in flagged if systems]
        if not parts:
            return f"{judge} favours no system significantly (smallest adjusted {p_equals(result.pvalue, 1)})."
        return f"Among documents with the same grade in {truth}, {judge} {' and '.join(parts)}."

    def undefined(self) -> str:
        """Why no system has a favour, or ""."""
        result = self.result
        if result.no_favour is None:
            return ""
        constant = next((name for name, given in zip(result.names, result.grades) if len(given) == 1), "")
        return {
            "nothing judged": "no document of a system was judged by both",
            "one grade": f"{constant} gave all documents the same grade",
            "one system": "it is relative to other systems, and there is only one",
            "same documents": "all systems have the same first documents; with a smaller depth, they may differ",
            "few topics": f"it needs {result.least_topics} topics or more",
        }[result.no_favour]

    @property
    def notes(self) -> Sequence[str]:
        result = self.result
        notes = notes_on_topics(result.only, result.names)
        if result.unjudged:
            left_out = f"{counted(len(result.unjudged), 'topic')} of the runs not judged by both, left out"
            notes.append(f"{left_out}: {listed(result.unjudged)}")
        notes += other_scale(result.grades, result.names)
        if result.missing:
            missing = listed(f"{system} ({number})" for system, number in result.missing.items())
            notes.append(f"topics left out for a system because both judged none of its first documents: {missing}")
        if result.few:
            notes.append(f"no favour for fewer than {result.least_topics} topics: {listed(result.few)}")
        return notes

    def record(self) -> dict[str, Any]:
        """The names, the options, and the records of all tables."""
        result = self.result
        truth, judge = result.names
        named = {"truth": truth, "judge": judge, "depth": result.depth, "level": result.level}
        flagged = {"pvalue": result.pvalue, "favoured": result.favoured, "disfavoured": result.disfavoured}
        return {**named, **super().record(), **flagged, "notes": list(self.notes)}


def system_rows(result: Bias) -> list[SystemRow]:
    return [SystemRow(result.names[1], system, bias) for system, bias in result.systems.items()]


def bias_columns(truth: Column, judge: Column) -> list[Column]:
    """The columns of numbers about a system, with those of the mean grades as they are called."""
    return [
        Column("topics", of="bias.topics"),
        replace(truth, of="bias.truth"),
        replace(judge, of="bias.judge"),
        *(Column(key, of=f"bias.{key}") for key in ("difference", "favour", "low", "high")),
        Column("reverse", only="data", of="bias.reverse"),
        Column("pvalue", "p-value", exact_p, of="bias.pvalue"),
    ]


LENIENCY = [Column(key, of=f"leniency.{k}") for k, key in enumerate(("leniency", "low", "high"))]


@dataclass(frozen=True)
class GradesRow:
    """How many documents have one grade by the truth and one by the judge."""

    judge: str
    truth_grade: float
    judge_grade: float
    count: int


class JudgesResultView(View[JudgesResult]):
    """The view of judges compared with the truth."""

    def tables(self) -> list[Table]:
        result = self.result
        return judge_tables(
            coefficients=[row for ranking in result.rankings for row in ranking.coefficients],
            tests=result.rankings,
            pairs=[ranking for ranking in result.rankings if ranking.pairs],
            differences=[row for one in result.by_measure for row in one.differences],
            labels=list(result.agreements.values()),
            favours=list(result.biases.values()),
        )

    def details(self) -> list[Table]:
        result = self.result
        rankings = [ranking for one in result.by_measure for ranking in one.rankings]
        return judge_tables(
            systems=[row for ranking in rankings for row in ranking.systems],
            places=change_rows((one.measure, one.judge, one.changes) for one in rankings),
            flips=[row for ranking in rankings for row in ranking.flips],
            confusion=[
                GradesRow(judge, grade, other, count)
                for judge, labels in result.agreements.items()
                for grade, counts in zip(labels.grades, labels.confusion.tolist())
                for other, count in zip(labels.grades, counts)
            ],
            labels_by_topic=[row for labels in result.agreements.values() for row in topic_rows(labels)],
            bias=[row for bias in result.biases.values() for row in system_rows(bias)],
        )

    def sentences(self) -> list[str]:
        """The verdict on each judge: the tables have what the findings say in words."""
        return [self.judge_verdict(judge) for judge in self.result.judges]

    def judge_verdict(self, judge: str) -> str:
        """By which measures a judge ranks the systems otherwise, and whom it favours."""
        result = self.result
        rankings = [ranking for ranking in result.rankings if ranking.judge == judge]
        clauses: dict[str, list[str]] = {}
        for ranking in rankings:
            clauses.setdefault(self.clause(ranking), []).append(self.with_coefficient(ranking))
        sentences = [f"By {join_and(names)}, {clause}." for clause, names in clauses.items()]
        if any(ranking.verdict.kind == "no topics" for ranking in rankings):
            sentences.append("Without topics, there is no interval and no test.")
        untold = [ranking.measure for ranking in rankings if ranking.pairs and not ranking.pairs.significant]
        if untold:
            sentences.append(
                f"No two systems differ significantly by {join_and(untold)} under {result.truth} itself, so these "
                "topics can tell little about any judge."
            )
        sentences += [
            f"{ranking.measure}: {ranking.changes.sentences()[0]}"
            for ranking in rankings
            if ranking.changes and ranking.changes.sure
        ]
        if judge in result.biases:
            sentences.append(BiasView(result.biases[judge]).favours())
        return " ".join(sentences)

    def clause(self, ranking: JudgedRanking) -> str:
        verdict, one = ranking.verdict, ranking.coefficients[0]
        if verdict.kind == "no topics":
            value = undefined_text(one) or one.value
            return leaderboard_clause(verdict, one.method, value, ranking.scores.m)
        return verdict_clause(verdict)

    def with_coefficient(self, ranking: JudgedRanking) -> str:
        """The measure, with the first coefficient and its interval."""
        one = ranking.coefficients[0]
        if isnan(one.value) or one.low is None:
            return ranking.measure
        interval = "" if isnan(one.low) else f", {one.low:.3f} to {one.high:.3f}"
        return f"{ranking.measure} ({one.method} {one.value:.3f}{interval})"

    def findings(self) -> list[str]:
        """The sentences on each judge and measure, and on the labels of each judge."""
        result = self.result
        findings = [self.finding(ranking) for ranking in result.rankings] if result.has_topics else []
        for judge, bias in result.biases.items():
            findings += [*result.agreements[judge].sentences(), *bias.sentences()]
        return findings

    def finding(self, ranking: JudgedRanking) -> str:
        """The verdict of the test, the coefficient with its interval, and the significant pairs: a sentence each."""
        result, one, verdict = self.result, ranking.coefficients[0], ranking.verdict
        if verdict.kind == "no ranking":
            nothing = "There is nothing to compare, and no coefficient."
            return f"{ranking.measure}: {verdict_clause(verdict)}. {nothing}"
        coefficient = f"{one.method} is undefined: {undefined_text(one)}."
        if not one.undefined:
            coefficient = coefficient_sentence(
                one.method, one.value, one.low, one.high, verdict.topics, True, result.target, result.level
            )
        clause = verdict_clause(verdict, verdict.distance)
        moves = "" if ranking.changes is None else f" {ranking.changes.sentences()[0]}"
        return f"{ranking.measure}: {clause}. {coefficient} {self.significant(ranking)}{moves}"

    def significant(self, ranking: JudgedRanking) -> str:
        """How many of the significant pairs the judge finds: a sentence."""
        truth, judge, pairs, test = self.result.truth, ranking.judge, ranking.pairs, TESTS[self.result.test]
        assert pairs is not None
        if not pairs.significant:
            alone = f"; {judge} finds {pairs.extra}" if pairs.extra else ""
            return f"No pair of systems differs significantly under {truth} ({test}){alone}."
        many = "pair of systems that differs" if pairs.significant == 1 else "pairs of systems that differ"
        return (
            f"Of the {pairs.significant} {many} significantly under {truth} ({test}), {judge} finds {pairs.found}, "
            f"misses {pairs.missed} and reverses {pairs.reversed}; it finds {pairs.extra} that {truth} does not."
        )

    @property
    def notes(self) -> Sequence[str]:
        """Those on the input, the caveats of intervals and tests, and the notes on labels and bias."""
        result = self.result
        notes = list(map(input_sentence, result.input_notes))
        caveats: dict[str, list[str]] = {}
        for one in result.by_measure:
            if any(ranking.moves for ranking in one.rankings):
                for caveat in one.caveats:
                    caveats.setdefault(coverage_clause(caveat.reason, caveat.least), []).append(one.measure)
            if one.significance and one.significance.least > one.significance.alpha:
                notes.append(
                    f"{one.measure}: with {one.truth.n} topics, the randomisation test can find no difference "
                    "significant"
                )
        notes += [f"{join_and(measures)}: {caveat}" for caveat, measures in caveats.items()]
        for judge in result.agreements:
            parts = (*result.agreements[judge].notes, *result.biases[judge].notes)
            notes += [f"{judge}: {note}" for note in parts]
        return list(dict.fromkeys(notes))

    def record(self) -> dict[str, Any]:
        result = self.result
        return {
            "truth": result.truth,
            "judges": list(result.judges),
            "measures": list(result.measures),
            "topics": result.topics,
            "methods": list(result.methods),
            **attributes(result, "top overlap depth target level test alpha"),
            **{table.key: table.records() for table in (*self.tables(), *self.details())},
            "verdicts": self.sentences(),
            "findings": self.findings(),
            "notes": list(self.notes),
            **attributes(result, "seed resamples test_resamples"),
        }

    def plot(
        self,
        ax: Any = None,
        *,
        judge: str | None = None,
        measure: str | None = None,
        labels: Sequence[str] | None = None,
        **options: Any,
    ) -> Any:
        from ..plots import slope

        result = self.result
        one = result.by_measure[index_of_name(measure, result.measures, "measure")]
        ranking = one.rankings[index_of_name(judge, one.compared.judges, "judge")]
        called = labels or (result.truth, ranking.judge)
        return slope(one.truth.means, ranking.scores.means, names=one.truth.systems, labels=called, ax=ax)


def input_sentence(note: InputNote) -> str:
    """A note on the scores of the truth or of a judge, in words."""
    side, names = note.side, listed(note.names)
    if note.kind == "reader":
        return note.text
    if note.kind == "beside scores":
        left = f"{side}: ranks, errors, counts and the like were left out, unless chosen as measures: {names}"
        return "; ".join(filter(None, (note.text, left)))
    if note.kind == "no measure":
        return f"{side} does not name its measure: taken for {names}, as in {note.other}"
    if note.kind == "same measure":
        name, other_name = note.names
        return f"{name} of {side} is taken for {other_name} of {note.other}, by their names in tools"
    if note.kind == "other measures":
        return f"no judge has the measures of {side}, {names}: each is compared with each measure of a judge"
    if note.what == "measures":
        return f"{side} alone has {names}: left out"
    many = counted(len(note.names), note.what.removesuffix("s"))
    done = f"does not have {many}: left out for all" if note.kind == "lacking" else f"alone has {many}: left out"
    return f"{side} {done} ({names})"


def undefined_text(one: Coefficient) -> str:
    """Why a coefficient has no value, or ""."""
    why = one.undefined
    if why is None:
        return ""
    if why.refuses_ties:
        return f"the {why.side} gives two systems the same mean, and {why.refuses_ties} is not defined for ties"
    which = "all systems" if why.systems is None else f"the best {why.systems} systems"
    return f"the {why.side} gives {which} the same mean"


def index_of_name(given: str | None, names: Sequence[str], what: str) -> int:
    """The index of the name that is meant; without one, of the only name."""
    if given is None and len(names) == 1:
        return 0
    if given is None or given not in names:
        raise InvalidValueError(what, f"must be one of {listed(names)}, not {given!r}")
    return names.index(given)


def or_blank(text: Callable[[Any], str]) -> Callable[[Any], str]:
    """A text of a cell that is empty for None."""
    return lambda value: "" if value is None else text(value)


SIDES = "truth", "judge"
KAPPAS = "kappa", "kappa_quadratic"
JUDGE = Column("judge", of="names.1")
MEASURE = [Column("measure"), *(Column(f"{s}_measure", only="data", of=f"compared.{s}_measure") for s in SIDES)]
JUDGE_AND_MEASURE = [Column("judge"), *MEASURE]
BY_MEASURE = [Column("measure"), Column("judge")]
METHOD, TOP = Column("coefficient", of="method"), Column("top", text=general)
INTERVAL = [Column("low"), Column("high"), Column("note", prose=True, of=undefined_text)]

COLUMNS: dict[str, list[Column]] = {
    "coefficients": [*JUDGE_AND_MEASURE, METHOD, TOP, Column("value"), *INTERVAL],
    "tests": [
        *JUDGE_AND_MEASURE,
        Column("d_rank", of="verdict.distance.statistic"),
        Column("pvalue", "p-value", or_blank(lambda p: p_value(p, 1)), of="verdict.distance.pvalue"),
        Column(
            "drop_system", "largest\ndrop", of=lambda row: row.moves and (listed(row.moves.drop_systems, 3) or None)
        ),
        Column("drop", "ranks\nlost", general, of="moves.drop"),
        Column(
            "move_system", "largest\nmove", of=lambda row: row.moves and (listed(row.moves.move_systems, 3) or None)
        ),
        Column("move", "ranks\nmoved", or_blank(signed), of="moves.move"),
        Column("overlap", "same of\nthe best", or_blank(percent), of="moves.overlap"),
        Column("best", only="data", of="moves.best"),
    ],
    "pairs": [
        *JUDGE_AND_MEASURE,
        Column("significant", "significant\nby truth", of="pairs.significant"),
        *(Column(key, of=f"pairs.{key}") for key in ("found", "missed", "reversed")),
        Column("missed_opposite", "missed in\nother order", of="pairs.missed_opposite"),
        Column("extra", of="pairs.extra"),
        Column("soft_accuracy", only="data"),
    ],
    "differences": [
        Column("judge"),
        Column("other", "minus"),
        *MEASURE,
        METHOD,
        TOP,
        Column("difference", of="value"),
        *INTERVAL,
    ],
    "labels": [
        JUDGE,
        Column("both", "documents", of="coverage.both"),
        Column("share_of_truth", "of the\ntruth", percent, of="coverage.share_of_truth"),
        Column("agreement", "same\ngrade", of="coefficients.agreement"),
        Column("kappa", of="coefficients.kappa"),
        *limits("kappa"),
        Column("kappa_linear", only="data", of="coefficients.kappa_linear"),
        Column("kappa_quadratic", "quadratic\nweights", of="coefficients.kappa_quadratic"),
        *limits("kappa_quadratic", "data"),
        Column("alpha_ordinal", "ordinal\nalpha", of="coefficients.alpha_ordinal"),
        *(
            Column(key, only="data", of=f"coefficients.{key}")
            for key in ("alpha_nominal", "alpha_interval", "ac1", "ac2")
        ),
        *(column for key in ("alpha_ordinal", "ac1", "ac2") for column in limits(key, "data")),
        *(Column(key, only="data", of=f"coverage.{key}") for key in ("only_truth", "only_judge", "share_of_judge")),
    ],
    "favours": [
        JUDGE,
        *LENIENCY,
        Column("pvalue", "least\np-value", exact_p),
        Column("favoured", text=listed, prose=True),
        Column("disfavoured", text=listed, prose=True),
        *(Column(key, only="data") for key in ("depth", "judged", "retrieved")),
    ],
    "systems": [
        *BY_MEASURE,
        Column("system", text=str),
        *(Column(f"mean_{side}", f"mean\n{side}") for side in SIDES),
        *(Column(f"rank_{side}", f"rank\n{side}", general) for side in SIDES),
        Column("move", text=or_blank(signed)),
    ],
    "places": [*BY_MEASURE, *change_columns("truth", "judge", "change.")],
    "flips": [
        *BY_MEASURE,
        Column("better", "better under\nthe truth", str),
        Column("worse", text=str),
        Column("significant", "significant\nunder the judge", yes_or_no),
    ],
    "confusion": [
        Column("judge"),
        *(Column(f"{side}_grade", f"grade of\nthe {side}", general) for side in SIDES),
        Column("count", "documents"),
    ],
    "labels_by_topic": [
        Column("judge"),
        Column("topic", text=str),
        Column("both", "documents"),
        Column("agreement", "same\ngrade", of="coefficients.agreement"),
        Column("kappa", of="coefficients.kappa"),
        *(Column(f"kappa_{k}", f"{k}\nweights", of=f"coefficients.kappa_{k}") for k in ("linear", "quadratic")),
        *(
            Column(f"alpha_{kind}", f"{kind}\nalpha", of=f"coefficients.alpha_{kind}")
            for kind in ("nominal", "ordinal", "interval")
        ),
    ],
    "bias": [
        Column("judge"),
        Column("system", text=str),
        *bias_columns(
            Column("grade_truth", "mean grade\nof the truth"), Column("grade_judge", "mean grade\nof the judge")
        ),
    ],
}
"""The columns of each table."""

LABEL_COLUMNS = {
    "coefficients": 4,
    "differences": 5,
    "systems": 3,
    "places": 3,
    "flips": 4,
    "labels": 1,
    "favours": 1,
    "confusion": 3,
}
"""How many of them say what a row is about, if not two."""

MAY_BE_EMPTY = {"top", "note", "disfavoured", "low", "high", "d_rank", "pvalue"}
"""Columns that people do not see if there is nothing in them."""


def judge_tables(**rows: Sequence[Any]) -> list[Table]:
    """The tables that have rows, in which people do not see columns that are empty."""
    return [judge_table(key, of_table, COLUMNS[key]) for key, of_table in rows.items() if of_table]


def judge_table(key: str, rows: Sequence[Any], columns: Sequence[Column]) -> Table:
    def is_empty(column: Column) -> bool:
        return column.key in MAY_BE_EMPTY and all(column.cell(row) in (None, "", []) for row in rows)

    shown = [replace(column, only="data") if is_empty(column) else column for column in columns]
    return Table(key, shown, rows, names=LABEL_COLUMNS.get(key, 2))
