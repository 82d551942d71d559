"""The measures of ir_measures, by names such as "nDCG(dcg='exp-log2')@10".

They are read without the parser of ir_measures, which uses parts of Python that Python 3.12 warns of and Python 3.14 no
longer has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from .._core.errors import InvalidTypeError, InvalidValueError, must_be
from .._core.text import listed
from .._extras import extra
from ._measures import did_you_mean, nearest_measures

KINDS = {int: "a whole number", float: "a number with a decimal point", bool: "True or False", str: "text in quotes"}
"""The values of parameters, in messages."""


def measure_named(name: str, registry: Mapping[str, Any]) -> Any:
    """The measure of this name among those of ir_measures, with its parameters, whether or not it can have them.

    A name is written as a Python expression: the measure, parameters in parentheses, "@" and a cutoff.
    """
    try:
        body = ast.parse(name.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two for thousands of parentheses
        raise not_written_so(name, registry) from None
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise not_written_so(name, registry)
    node, cutoff, given = body[0].value, None, {}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        cutoff = parameter_value(node.right, name)
        node = node.left
    if isinstance(node, ast.Call):
        if node.args or any(one.arg is None for one in node.keywords):
            raise unreadable(name, "its parameters must have names, as in 'AP(rel=2)'")
        given = without_repeats(name, [(one.arg, parameter_value(one.value, name)) for one in node.keywords])
        node = node.func
    if not isinstance(node, ast.Name):
        raise not_written_so(name, registry)
    if node.id not in registry:
        raise unknown_measure(name, registry)
    measure = registry[node.id]
    if cutoff is not None:
        given = without_repeats(name, [*given.items(), (measure.AT_PARAM, cutoff)])
    for parameter in given:
        refuse_unknown_parameter(parameter, measure, name)
    return measure(**given)


def parameter_value(node: ast.expr, name: str) -> Any:
    """The value of a parameter: a number, text, True, False, None, or a dict of these."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex, str, type(None))):
        return node.value
    if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        keys = [parameter_value(key, name) for key in node.keys if key is not None]
        return without_repeats(name, list(zip(keys, (parameter_value(value, name) for value in node.values))))
    what = ast.get_source_segment(name.strip(), node)
    values = "values are numbers without a sign, text in quotes, True and False"
    raise unreadable(name, f"{what!r} is not a value; {values}")


def without_repeats(name: str, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """The dict of these keys and values; Python would take the last value of a repeated key."""
    for k, (key, _) in enumerate(pairs):
        if any(key == before for before, _ in pairs[:k]):
            raise unreadable(name, f"it has {key!r} twice")
    return dict(pairs)


def unreadable(name: str, why: str) -> InvalidValueError:
    return InvalidValueError(None, f"cannot read the measure {name!r}", why)


def not_written_so(name: str, registry: Iterable[str]) -> InvalidValueError:
    """The error for a name that is not written as names are."""
    # A name with a number is usually one with a cutoff.
    parts = re.search(r"([^\W\d]\w*?)[\W_]*([0-9]{1,9})?\W*$", re.sub(r"\(.*\)", "", name))
    near = nearest_measures(parts[1], registry)[:1] if parts else []
    cutoff = f"@{parts[2]}" if parts and parts[2] and int(parts[2]) else ""
    meant = f"; did you mean {near[0] + cutoff!r}?" if near else ""
    return unreadable(name, f"measures are written as nDCG@10, AP or AP(rel=2){meant}")


def unknown_measure(name: str, names: Iterable[str]) -> InvalidValueError:
    """The error for a name that ir_measures does not have; trec_eval's names are answered with those of ir_measures."""
    cutoff = re.search(r"[@_.]([0-9]+)$", name)
    meant = did_you_mean(name, [*names, *(f"{one}@{cutoff[1]}" for one in names if cutoff)])
    examples = "'nDCG@10', 'AP', 'P@10', 'RR', 'Judged@10' and others"
    return InvalidValueError(None, f"ir_measures has no measure {name!r}{meant or f', but {examples}'}")


def refuse_unknown_parameter(parameter: str, measure: Any, name: str) -> None:
    """Raise if the measure does not take this parameter."""
    from difflib import get_close_matches

    supported = measure.SUPPORTED_PARAMS
    if parameter not in supported:
        near = get_close_matches(parameter, supported, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        has = f"the parameters {listed(supported)}" if supported else "no parameters"
        what = f"the measure {name!r} has {parameter!r}, which {measure.NAME} does not take"
        raise InvalidValueError(None, f"{what}{meant or f': it has {has}'}")


def refuse_parameters(measure: Any, name: str) -> None:
    """Raise if the measure lacks a parameter, or has one that it does not take or a value that it cannot have."""
    for parameter in measure.params:
        refuse_unknown_parameter(parameter, measure, name)
    for parameter, kind in measure.SUPPORTED_PARAMS.items():
        if parameter not in measure.params:
            if kind.required:
                example = f"{measure.NAME}@10" if parameter == measure.AT_PARAM else f"{measure.NAME}({parameter}=...)"
                raise InvalidValueError(None, f"the measure {name!r} lacks its {parameter}: {example!r}, for instance")
        elif not kind.validate(value := measure.params[parameter]):
            must = KINDS.get(kind.dtype, f"a {getattr(kind.dtype, '__name__', 'value')}")
            if isinstance(value, kind.dtype or object):
                must = " or ".join(map(repr, kind.choices))
            raise wrong_parameter(parameter, name, f"be {must}, not {value!r}")


def wrong_parameter(parameter: str, name: str, must: str) -> InvalidValueError:
    return InvalidValueError(None, f"the {parameter} of the measure {name!r} must {must}")


PURPOSE = "scoring runs"

PACKAGES = ("ir_measures", "pytrec_eval-terrier")
"""The packages that compute the scores, for reports."""

# trec_eval counts the documents of each grade up to the highest one.  With a grade of a million, it does not come to an
# end; beyond 32 bits, all scores are 0.
LARGEST_GRADE = 1000

LARGEST_CUTOFF = 10**9


class OfIrMeasures(Protocol):
    """A measure of ir_measures."""

    @property
    def NAME(self) -> str: ...

    @property
    def params(self) -> Mapping[str, object]: ...


Measures: TypeAlias = "str | OfIrMeasures | Iterable[str | OfIrMeasures]"
"""One measure or several, by their names in ir_measures, or its measures."""


def measures_of(measures: Measures) -> dict[str, Any]:
    """The measures of ir_measures by the names that were given; each is known, given once, and has right parameters."""
    library = extra("ir_measures", PURPOSE)
    kinds = str, library.Measure
    given = [measures] if isinstance(measures, kinds) or not isinstance(measures, Iterable) else list(measures)
    if not all(isinstance(one, kinds) for one in given):
        raise InvalidTypeError("measures", must_be("names of measures, such as 'nDCG@10' or 'AP'", measures))
    if not given:
        raise InvalidValueError("measures", "must name a measure, such as 'nDCG@10' or 'AP'")
    by_name: dict[str, Any] = {}
    for one in given:
        measure = parsed(one, library)
        if str(measure) in map(str, by_name.values()):
            raise InvalidValueError("measures", f"has {str(measure)!r} twice")
        by_name[str(one)] = measure
    return by_name


def parsed(given: Any, library: Any) -> Any:
    """The measure of this name, if its parameters can be computed with."""
    name = str(given)
    measure = measure_named(given, library.measures.registry) if isinstance(given, str) else given
    refuse_cutoff(measure, name)
    refuse_parameters(measure, name)
    measure.validate_params()
    if not 1 <= least_grade(measure) <= LARGEST_GRADE:
        raise wrong_parameter("least relevant grade", name, f"be from 1 to {LARGEST_GRADE}")
    recall = measure.params.get("recall", 0)
    if not 0 <= recall <= 1:
        raise wrong_parameter("recall", name, "be from 0 to 1")
    if round(recall, 2) != recall:
        raise wrong_parameter("recall", name, "have two decimals at most, as in trec_eval")
    if measure.NAME == "SetF" and not re.fullmatch(r"[0-9]+\.[0-9]+", str(measure.params.get("beta", 1.0))):
        raise wrong_parameter("beta", name, "be a plain decimal number, 0.0001 or more, or 0")
    for pair in measure.params.get("gains", {}).items():
        if any(type(one) is not int or abs(one) > LARGEST_GRADE for one in pair):
            bounds = f"both from -{LARGEST_GRADE} to {LARGEST_GRADE}"
            raise wrong_parameter("gains", name, f"be whole numbers for grades, {bounds}")
    return measure


def refuse_cutoff(measure: Any, name: str) -> None:
    """Raise if the cutoff is not a whole number from 1 up: trec_eval ends the whole process at a cutoff of 0."""
    cutoff = measure.params.get("cutoff")
    if "cutoff" in measure.SUPPORTED_PARAMS and cutoff is not None:
        if isinstance(cutoff, bool) or not isinstance(cutoff, int) or cutoff < 1:
            raise wrong_parameter("cutoff", name, "be a whole number, 1 or more")
        if cutoff > LARGEST_CUTOFF:
            raise wrong_parameter("cutoff", name, f"be {LARGEST_CUTOFF:,} or less")


def least_grade(measure: Any) -> int:
    """The lowest grade that is relevant to a measure."""
    return int(measure.params.get("rel", 1))
