"""The options of functions and commands: each is declared once, with its check, its default and its help.

A check returns the value in Python's own type, or raises an error that names the argument.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from .errors import InvalidTypeError, InvalidValueError, must_be, shown
from .types import AnyMethodName, CoefficientName, JudgeMethodName, Ties

# What R's `if` accepts as text.
FLAG_WORDS = dict.fromkeys(("TRUE", "True", "true", "T"), True) | dict.fromkeys(("FALSE", "False", "false", "F"), False)


def one_of(value: Any, name: str, choices: Iterable[str]) -> str:
    """Return the choice that the value is equal to."""
    allowed = list(choices)
    # Compared only if it is a string: a table compares with a string cell by cell.
    if isinstance(value, str) and value in allowed:
        return allowed[allowed.index(value)]
    raise InvalidValueError(name, must_be(f"one of {', '.join(allowed)}", value))


def whole_number(value: Any, name: str, least: float = 1) -> int:
    """Return the value as an int if it is an integer of any type, `least` or more."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise InvalidTypeError(name, must_be("a whole number", value))
    if value < least:
        raise InvalidValueError(name, f"must be {least} or more, not {value}")
    return int(value)


NO_LEAST = -inf
"""As `least` of `whole_number`: no lower bound."""


def real_number(value: Any, name: str) -> float:
    """Return the value as a float if it is a number; nan and infinity are numbers here."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InvalidTypeError(name, must_be("a number", value))
    try:
        return float(value)
    except OverflowError:
        raise InvalidValueError(name, "is too large") from None


def fraction(value: Any, name: str) -> float:
    """Return the value as a float if it is between 0 and 1, both excluded."""
    number = real_number(value, name)
    if not 0 < number < 1:
        raise InvalidValueError(name, f"must be between 0 and 1, not {value!r}")
    return number


def as_flag(value: object) -> bool | None:
    """Return what R's `if` takes the value for, or None where R stops."""
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, numbers.Number):
        try:
            return bool(value) if value == value else None
        except ArithmeticError:  # a signalling NaN
            return None
    return FLAG_WORDS.get(value) if isinstance(value, str) else None


def flag(value: object, name: str) -> bool:
    """Return the value as a bool, by R's rules."""
    if (taken := as_flag(value)) is None:
        raise InvalidTypeError(
            name, f"must be True or False, or a number or word that R takes for them: {shown(value)}"
        )
    return taken


@dataclass(frozen=True)
class Option:
    """An option of a function and of its command."""

    name: str
    """The argument in Python."""
    kind: type
    """The type that the text of the command line is made into: int, float, str, or bool for a switch."""
    default: Any
    """The value if it is not given; None stands for no value, and ... for an option that must be given."""
    help: str
    """Its description, as the docstring and the help of the command have it."""
    check: Callable[[Any, str], Any]
    """Takes the value and the name; returns the value, or raises an error."""
    choices: tuple[str, ...] = ()
    """The words that it can be, if it is one of some."""
    alias: str = ""
    """The name on the command line where it is another one, without hyphens at the front."""
    metavar: str | None = None
    """The name of the value in the help of the command."""
    several: bool = False
    """Whether it is a list, which the command takes as the option given several times."""
    command_default: Any = None
    """The default of the command where it is another one; None stands for the same as in Python."""
    command_help: str = ""
    """The help of the command where it is another one: a switch names the state that is not the default."""

    def checked(self, value: Any) -> Any:
        """The value in Python's own type; None only if that is the default."""
        return None if value is None and self.default is None else self.check(value, self.name)

    @property
    def long(self) -> str:
        """The option of the command."""
        return f"--{(self.alias or self.name).replace('_', '-')}"


def checked_by_function(value: Any, name: str) -> Any:
    """The check of an option that the function itself checks, with other arguments."""
    return value


def choice(name: str, words: Any, default: str | None, help: str, **more: Any) -> Option:
    """An option that is one of some words: a Literal type, or a sequence of words."""
    choices = tuple(get_args(words) or words)
    return Option(name, str, default, help, partial(one_of, choices=choices), choices, **more)


def count(name: str, default: Any, help: str, least: int = 1, **more: Any) -> Option:
    """An option that is a whole number, `least` or more."""
    return Option(name, int, default, help, partial(whole_number, least=least), **more)


def switch(name: str, default: bool, help: str, **more: Any) -> Option:
    """An option that is on or off; the command names the state that is not the default."""
    return Option(name, bool, default, help, flag, **more)


def small_difference(value: Any, name: str) -> float:
    """Return the value as a float if it is 0 or more and less than 1."""
    number = real_number(value, name)
    if not 0 <= number < 1:
        raise InvalidValueError(name, f"must be 0 or more and less than 1, not {value!r}")
    return number


LEAST_POSITIVE = 1e-300
"""The least number with an accurate reciprocal, about."""


def positive_number(value: Any, name: str) -> float:
    """Return the value as a float if it is a positive number with an accurate reciprocal."""
    number = real_number(value, name)
    if not LEAST_POSITIVE <= number < inf:
        raise InvalidValueError(name, must_be(f"a positive number, from {LEAST_POSITIVE:g} up", value))
    return number


def threshold(value: Any, name: str) -> float:
    """Return the value as a float if it is a number from 0 up."""
    number = real_number(value, name)
    if not 0 <= number < inf:
        raise InvalidValueError(name, must_be("a number from 0 up", value))
    return number


def different_names(value: Any, name: str) -> tuple[str, ...]:
    """Return two names or more, all different, none of them empty."""
    names = [] if isinstance(value, str) or not isinstance(value, Iterable) else list(map(str, value))
    if len(names) < 2:
        raise InvalidValueError(name, must_be("two names or more, one for each ranking", value))
    if len(set(names)) < len(names) or not all(names):
        raise InvalidValueError(name, f"must be different names, not {' and '.join(map(repr, names))}")
    return tuple(names)


def two_names(value: Any, name: str) -> tuple[str, str]:
    """Return two different names that are not empty."""
    names = different_names(value, name)
    if len(names) > 2:
        raise InvalidValueError(name, must_be("two names, one for each side", value))
    return names[0], names[1]


def ridge(value: Any, name: str) -> Any:
    """Return the value if it is a number from 0 up, or the word "shrinkage"."""
    if isinstance(value, str) and value == "shrinkage":
        return value
    if isinstance(value, str) or not 0 <= (number := real_number(value, name)) < inf:
        raise InvalidValueError(name, f"must be a number from 0 up or 'shrinkage', not {value!r}")
    return number


def jobs(value: Any, name: str) -> int:
    """Return the number of processors, -1 for all."""
    if not (number := whole_number(value, name, NO_LEAST)):
        raise InvalidValueError(name, "must not be 0; -1 stands for all processors")
    return number


F = TypeVar("F", bound=Callable[..., Any])


def takes(*options: Option) -> Callable[[F], F]:
    """Say which options a function has, in the order of its parameters: its command has the same."""

    def marked(function: F) -> F:
        function.options = options  # type: ignore[attr-defined]
        return function

    return marked


Missing = Literal["error", "zero", "drop"]
"""The treatment of the topics that a system has no score for."""

NanPolicy = Literal["raise", "omit", "propagate"]
"""The treatment of missing values, in SciPy's words."""

Systems = Literal["rows", "columns"]
"""Where the systems of a table are."""

Standardization = Literal["z", "N", "U", "E"]
"""How scores are standardized."""

Target = Literal["expected", "sample", "population"]
"""The purpose of an interval."""

TARGET = choice(
    "target",
    Target,
    "expected",
    "what the intervals are for",
    command_help="what the intervals are for: the mean of the coefficient over samples of as many topics, another "
    "sample of as many topics, or the population, the true means over all topics",
)
LEVEL = Option("level", float, 0.95, "the level of the intervals", fraction)
ALPHA = Option("alpha", float, 0.05, "the familywise error rate of these tests", fraction)
RESAMPLES = count("resamples", 10_000, "the number of simulated samples of topics")
SEED = count("seed", None, "the seed of the random numbers, 0 or more", least=0, command_default=1)
N_JOBS = Option(
    "n_jobs", int, None, "the number of processors to use, -1 for all", jobs, alias="jobs", command_default=1
)
MISSING = choice(
    "missing", Missing, "error", "if a system has no score for a topic: refuse, take it for 0, or drop the topic"
)
NAN_POLICY = choice(
    "nan_policy",
    NanPolicy,
    "raise",
    "if a value is missing: raise an error, omit the item, or propagate it, which gives nan",
    command_help="if a value is missing in a table of items: raise an error, omit the item, or propagate it, which "
    "gives no coefficient",
)
SYSTEMS = choice(
    "systems", Systems, None, "where the systems are in a table of topics and systems, if the names in it do not say it"
)
STANDARDIZE = choice(
    "standardize",
    Standardization,
    None,
    "standardize the scores topic by topic by the systems of the same table, with the mean and the standard deviation "
    "(z), or by the normal (N), the uniform (U) or the empirical (E) distribution function",
)
DECREASING = switch(
    "decreasing",
    True,
    "whether the item with the greatest value is at the top",
    alias="increasing",
    command_help="the least value is at the top: for ranks",
)
P = Option("p", float, None, "add rank-biased overlap with this persistence, between 0 and 1", fraction)
TIES = choice(
    "ties",
    Ties,
    None,
    "the treatment of ties in rank-biased overlap",
    command_help="the treatment of ties in rank-biased overlap (default: a)",
)

# Of the studies and subjects

SignificanceTest = Literal["maximum", "t", "randomisation", "tukey"]
Zeros = Literal["add", "floor", "trec_eval", "strict"]
Null = Literal["two-sample", "resample"]
OverlapScore = Literal["ext", "min", "max", "res"]
RunTies = Literal["w", "a", "b", "trec_eval"]
DocumentTies = Literal["level", "trec_eval"]
ReliabilityMethod = Literal["tau", "tauAP"]
PlacesMethod = Literal["bootstrap", "normal"]
PlacesKind = Literal["simultaneous", "single_step", "marginal"]

METHODS_SHOWN = Option(
    "methods",
    str,
    ("tau_b", "tauAP_b"),
    "the coefficients; the first is in the sentences",
    checked_by_function,
    get_args(JudgeMethodName),
    alias="method",
    metavar="NAME",
    several=True,
    command_help=f"a coefficient of {', '.join(get_args(JudgeMethodName))}; given again, another one; the first is in "
    "the sentences",
)
MEASURES = Option(
    "measures",
    str,
    None,
    'the measures, by their names in ir_measures, such as "nDCG@10" and "AP"; without runs, those of the scores, by '
    "default all",
    checked_by_function,
    alias="measure",
    metavar="NAME",
    several=True,
)
TRUTH_MEASURES = replace(
    MEASURES,
    name="truth_measures",
    help="the measures of the truth, if the judges have others: each is compared with each of a judge",
    alias="truth-measure",
)
JUDGE_MEASURES = replace(
    MEASURES,
    name="judge_measures",
    help="the measures of the judges, if the truth has others: each is compared with each of the truth",
    alias="judge-measure",
)
NAMES = Option(
    "names",
    str,
    None,
    "the names of the rankings, in tables and in the conclusion; by default the measures, or A and B",
    different_names,
    alias="name",
    several=True,
    command_default=(),
    command_help="the name of the first, given again that of the second, and so on; by default those of the sources",
)
SIDE_NAMES = replace(NAMES, default=("truth", "judge"), help="the names of the truth and of the judge", check=two_names)
RUN_NAMES = replace(NAMES, command_default=None, help="the names of the runs in the result", check=two_names)
TRUTH_NAME = Option("name", str, None, "the name of the truth; by default that of its file", checked_by_function)
TOP = count(
    "top",
    None,
    "also compute the coefficients among this many systems, the best by the truth",
    command_help="also compute the coefficients among this many systems, the best by the truth; those tied with the "
    "last of these are included",
    least=2,
    metavar="K",
)
DEPTH = count(
    "depth",
    10,
    "the number of first documents of each run and topic that `bias` looks at",
    command_help="the number of first documents of each run that show whether a judge favours a system",
    metavar="N",
)
TEST = choice(
    "test",
    SignificanceTest,
    "maximum",
    "how significant differences between systems are found: the greatest studentized difference in resamples of the "
    "topics, paired t tests or paired randomisation tests with Holm's correction, or Tukey's HSD with topics as blocks",
)
METHOD = choice(
    "method",
    AnyMethodName,
    "tau_b",
    "the coefficient, or rbo for rank-biased overlap",
)
METHODS_COMPARED = replace(
    METHODS_SHOWN,
    default=("tau", "tau_b", "tauAP", "tauAP_b"),
    help="the coefficients; tau_b is always among them",
    choices=get_args(CoefficientName),
    command_help=f"a coefficient of {', '.join(get_args(CoefficientName))}; given again, another one; tau_b is always "
    "among them",
)
METHODS_OF_SEGMENTS = replace(METHODS_COMPARED, default=("acc_eq",), help="the coefficients")
EPSILON = Option("epsilon", float, 0.0, "the threshold of ties of tau_eq and acc_eq", threshold)
DRANK = switch("drank", False, "add the rank distance of each measure from each before it")
ITEM_LEVEL: float = LEVEL.default
"""The level of the intervals over items, for which there is no option."""

INTERVALS = switch(
    "intervals",
    False,
    f"add a {100 * ITEM_LEVEL:g} % interval for the coefficient in the population that the items are a sample of",
)
BOOTSTRAP = count(
    "bootstrap",
    None,
    f"add instead the {100 * ITEM_LEVEL:g} % percentile interval over this many resamples of the items",
    metavar="N",
)
PERMUTATIONS = count("permutations", None, "add two-sided p-values from this many permutations", metavar="N")
NULL = choice(
    "null",
    Null,
    "two-sample",
    "which distances the rank distance is compared with",
    command_help="what the distance is compared with. two-sample: the rankings by another sample of topics. resample: "
    "those by resamples of the same topics, the test of the paper; it tests whether the ranking could be by a resample "
    "of these topics, and rejects rankings by other topics, such as the other half of a collection, far too often",
)
RIDGE = Option(
    "ridge",
    float,
    None,
    "added to the variances, or 'shrinkage' of the covariances; by default as the rank distance needs it",
    ridge,
)
GOAL = Option("goal", float, 0.9, "the expected coefficient to reach", fraction)
RELIABILITY_METHOD = choice("method", ReliabilityMethod, "tau", "the coefficient")
NAME = Option("name", str, "", "the name of the scores, in sentences and pictures", checked_by_function)
DRAWS = count("resamples", 1000, "the number of draws of true means for the intervals")
PERSISTENCE = Option(
    "p",
    float,
    ...,
    "the persistence, between 0 and 1: 0.8, 0.9 and 0.98 give the first 5, 10 and 50 ranks 85 to 86 % of the weight",
    fraction,
)
SETS_LEVEL = replace(LEVEL, help="the level of the sets of places")
PLACES_KIND = choice(
    "kind",
    PlacesKind,
    "simultaneous",
    "whether the sets hold for all systems at once, by a step-down (simultaneous) or in a single step, or for each "
    "system by itself (marginal)",
)
PLACES_METHOD = choice(
    "method",
    PlacesMethod,
    None,
    "where the distribution of the greatest difference comes from: a bootstrap of topics, the default with scores by "
    "topic, or the normal limit of the paper, the only one without topics",
)
PLACES_TOP = count("top", None, "also say which systems are surely among this many at the top", metavar="K")
SETS_RESAMPLES = count("resamples", 10_000, "the number of random draws")
RUN_TIES = choice(
    "ties",
    RunTies,
    "a",
    "documents with equal scores: equal (w), in an unknown order (a), the same, corrected for what ties hide (b), or "
    "in trec_eval's order",
)
MEAN_LEVEL = replace(LEVEL, help="the confidence of the interval for the mean")
RUN_MISSING = replace(
    MISSING,
    help="how to handle topics that only one run has documents for: raise an error, leave them out, or count all four "
    "scores as 0",
)
RUN_DEPTH = count("depth", None, "only the first DEPTH documents of each ranking count")
SCORE = choice(
    "score", OverlapScore, "ext", "the overlap: extrapolated, the least or the greatest possible, or the residual"
)
TOP_DOCUMENTS = count("top", ..., "the first TOP documents carry the share WEIGHT of the score")
WEIGHT = Option("weight", float, ..., "the share of the score, between 0 and 1, that these documents carry", fraction)
MIN_RELEVANCE = Option("min_relevance", float, 1, "the lowest grade that counts as relevant", real_number)
GRADED = switch(
    "graded",
    True,
    "whether documents with higher grades are on higher levels",
    alias="binary",
    command_help="all relevant documents are on one level, whatever their grades",
)
DOCUMENT_TIES = choice(
    "ties",
    DocumentTies,
    "level",
    'documents with the same score share a "level", or they are ranked by their ids in reverse alphabetical order, as '
    '"trec_eval" ranks them',
)
EPS = Option("eps", float, 1e-5, "the small number of the rules add, floor and trec_eval", positive_number)
ZEROS = choice("zeros", Zeros, "add", "the rule for zeros")
CASES = count("cases", 10_000, "the number of random cases")
CASES_SEED = count("seed", 2017, "the seed of the random cases", least=0)
ORACLE = choice("oracle", ("auto", "original", "reference", "record"), "auto", "what to compare with")
TOLERANCE = Option(
    "tolerance",
    float,
    1e-12,
    "the largest absolute difference of two values of a coefficient that agree",
    small_difference,
)
PROCESSES = replace(N_JOBS, default=1, help="the number of processes, each with an R of its own, -1 for all processors")
