"""Names of measures, such as "nDCG(dcg='exp-log2')@10", read without the parser of ir_measures.

That parser uses parts of Python that Python 3.12 warns of and Python 3.14 no longer has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .._text import listed
from ._names import nearest_measures

KINDS = {int: "a whole number", float: "a number with a decimal point", bool: "True or False", str: "text in quotes"}
"""What the values of parameters are called."""


def measure_named(name: str, registry: Mapping[str, Any]) -> Any:
    """The measure of this name, with its parameters, whether or not it can have them.

    A name is written as a Python expression: the measure, parameters in parentheses, "@" and a cutoff.

    Parameters
    ----------
    name : str
    registry : mapping
        The measures of ir_measures by name.

    Raises
    ------
    ValueError
        If the name cannot be read, or is not that of a measure.
    """
    try:
        body = ast.parse(name.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two for thousands of parentheses
        raise unreadable(name, registry) from None
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise unreadable(name, registry)
    node, cutoff, given = body[0].value, None, {}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        cutoff = value_of(node.right, name)
        node = node.left
    if isinstance(node, ast.Call):
        if node.args or any(one.arg is None for one in node.keywords):
            raise unreadable(name, registry, "its parameters must have names, as in 'AP(rel=2)'")
        given = without_repeats(name, [(one.arg, value_of(one.value, name)) for one in node.keywords])
        node = node.func
    if not isinstance(node, ast.Name):
        raise unreadable(name, registry)
    if node.id not in registry:
        raise unknown_measure(name, registry)
    measure = registry[node.id]
    if cutoff is not None:
        given = without_repeats(name, [*given.items(), (measure.AT_PARAM, cutoff)])
    for parameter in given:
        refuse_unknown_parameter(parameter, measure, name)
    return measure(**given)


def value_of(node: ast.expr, name: str) -> Any:
    """The value of a parameter: a number, text, True, False, None, or a dict of these."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex, str, type(None))):
        return node.value
    if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        keys = [value_of(key, name) for key in node.keys if key is not None]
        return without_repeats(name, list(zip(keys, (value_of(value, name) for value in node.values))))
    what = ast.get_source_segment(name.strip(), node)
    raise ValueError(
        f"cannot read the measure {name!r}: {what!r} is not a value; values are numbers without a sign, text in "
        "quotes, True and False"
    )


def without_repeats(name: str, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """The dict of these keys and values; Python would take the last value of a repeated key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"cannot read the measure {name!r}: it has {twice!r} twice")
    return found


def unreadable(name: str, registry: Iterable[str], why: str = "") -> ValueError:
    """The error for a name that is not written as names are."""
    # A name with a number is usually one with a cutoff.
    found = re.search(r"([^\W\d]\w*?)[\W_]*([0-9]{1,9})?\W*$", re.sub(r"\(.*\)", "", name))
    near = nearest_measures(found[1], registry)[:1] if found else []
    cutoff = f"@{found[2]}" if found and found[2] and int(found[2]) else ""
    meant = f"; did you mean {near[0] + cutoff!r}?" if near else ""
    how = why or "measures are written as nDCG@10, AP or AP(rel=2)"
    return ValueError(f"cannot read the measure {name!r}: {how}{'' if why else meant}")


def unknown_measure(name: str, names: Iterable[str]) -> ValueError:
    """The error for a name that ir_measures does not have; trec_eval's names are answered with those of ir_measures."""
    cutoff = re.search(r"[@_.]([0-9]+)$", name)
    known = [*names, *(f"{one}@{cutoff[1]}" for one in names if cutoff)]
    nearest = nearest_measures(name, known)
    meant = f"; did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
    examples = listed(map(repr, ("nDCG@10", "AP", "P@10", "RR", "Judged@10")))
    return ValueError(f"ir_measures has no measure {name!r}{meant or f', but {examples} and others'}")


def refuse_unknown_parameter(parameter: str, measure: Any, name: str) -> None:
    """Raise if the measure does not take this parameter."""
    from difflib import get_close_matches

    known = measure.SUPPORTED_PARAMS
    if parameter not in known:
        near = get_close_matches(parameter, known, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        has = f"the parameters {listed(known)}" if known else "no parameters"
        raise ValueError(
            f"the measure {name!r} has {parameter!r}, which {measure.NAME} does not take{meant or f': it has {has}'}"
        )


def refuse_parameters(measure: Any, name: str) -> None:
    """Raise if the measure lacks a parameter, or has one that it does not take or a value that it cannot have."""
    for parameter in measure.params:
        refuse_unknown_parameter(parameter, measure, name)
    for parameter, kind in measure.SUPPORTED_PARAMS.items():
        if parameter not in measure.params:
            if kind.required:
                example = f"{measure.NAME}@10" if parameter == measure.AT_PARAM else f"{measure.NAME}({parameter}=...)"
                raise ValueError(f"the measure {name!r} lacks its {parameter}: {example!r}, for instance")
        elif not kind.validate(value := measure.params[parameter]):
            must = KINDS.get(kind.dtype, f"a {getattr(kind.dtype, '__name__', 'value')}")
            if isinstance(value, kind.dtype or object):
                must = " or ".join(map(repr, kind.choices))
            raise ValueError(f"the {parameter} of the measure {name!r} must be {must}, not {value!r}")
