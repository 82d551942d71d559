"""Names of measures, beside the parser of ir_measures where that one works."""

import random
import sys
import warnings

import ir_measures
import pytest

from ircor.scoring import measures_of
from ircor.trec import score

RUNS = {"one": {"401": {"a": 3.5, "b": 2.0}}, "two": {"401": {"b": 9.0}}}
QRELS = {"401": {"a": 0, "b": 1}}
REGISTRY = ir_measures.measures.registry

VALUES = {
    int: (1, 2, 7, 100),
    float: (0.5, 0.8, 1.0),
    bool: (True, False),
    dict: ({1: 2}, {0: 0, 1: 3, 2: 7}, {}),
    str: ("log2", "exp-log2"),
}
DAMAGE = "()@=,.'\"_- 0159abPrel{}:;#*\n"

# Their parser takes what these say; some of it can be read in two ways, the rest cannot be computed.
OURS_ALONE = (
    " twice",
    "must be a whole number, 1 or more",
    "least relevant grade",
    "must have two decimals",
    "must be ",
)

needs_their_parser = pytest.mark.skipif(sys.version_info >= (3, 14), reason="ir_measures has no parser for this Python")


def theirs(name):
    """What ir_measures reads, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ir_measures.parse_measure(name.strip())
        found.validate_params()
    except Exception:  # its parser and its measures raise many kinds
        return None
    return found


def ours(name):
    """What is read here, and the message of the error."""
    try:
        (found,) = measures_of([name]).values()
    except ValueError as error:
        return None, str(error)
    return found, ""


def same(one, other):
    return type(one) is type(other) and one.params == other.params


def generated(rng):
    """A name with some of the parameters of its measure, written in one of several ways."""
    name = rng.choice(list(REGISTRY))
    measure = REGISTRY[name]
    given = {}
    for parameter, kind in measure.SUPPORTED_PARAMS.items():
        if kind.required or rng.random() < 0.4:
            given[parameter] = rng.choice(VALUES[kind.dtype])
    cutoff = given.pop(measure.AT_PARAM, None) if rng.random() < 0.8 else None
    blank = rng.choice(["", "", " "])
    inside = f",{blank}".join(f"{key}{blank}={blank}{value!r}" for key, value in given.items())
    called = f"{name}({inside})" if inside or rng.random() < 0.1 else name
    return called if cutoff is None else f"{called}{blank}@{blank}{cutoff}"


@needs_their_parser
def test_names_are_read_as_ir_measures_reads_them():
    rng, read = random.Random(5), 0
    for _ in range(1000):
        name = generated(rng)
        found, why = ours(name)
        wanted = theirs(name)
        if found is None:
            assert wanted is None or any(words in why for words in OURS_ALONE), (name, why)
        else:
            assert same(found, wanted), name
            read += 1
    assert read > 700


@needs_their_parser
def test_damaged_names_are_refused_as_ir_measures_refuses_them():
    rng, refused = random.Random(6), 0
    for _ in range(2000):
        letters = list(generated(rng))
        for _ in range(rng.randint(1, 2)):
            k = rng.randrange(len(letters) + 1)
            letters[k : k + rng.randint(0, 2)] = rng.choices(DAMAGE, k=rng.randint(0, 2))
        name = "".join(letters)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's own, of numbers that touch words
            found, why = ours(name)
        wanted = theirs(name)
        if found is None:
            refused += 1
            assert wanted is None or any(words in why for words in OURS_ALONE), (name, why)
            assert repr(name) in why
        else:
            assert same(found, wanted), name
    assert refused > 500


def test_every_measure_is_read_from_its_own_name():
    rng = random.Random(7)
    for name, measure in REGISTRY.items():
        for _ in range(20):
            given = {
                parameter: rng.choice([value for value in VALUES[kind.dtype] if kind.validate(value)])
                for parameter, kind in measure.SUPPORTED_PARAMS.items()
                if kind.required or rng.random() < 0.5
            }
            wanted = measure(**given)
            found, why = ours(str(wanted))
            assert found == wanted, (name, given, why)


@pytest.mark.parametrize(
    "name",
    [
        "(AP)",
        "AP()",
        "AP;",
        "nDCG @ 0x0a",
        "P@1_0",
        "P(\nrel=2\n)@5",
        "nDCG(dcg='exp-' 'log2')@5",
        "\u03b1_nDCG@5",
        "AP@None",
    ],
)
def test_unusual_names(name):
    found, why = ours(name)
    assert found is not None, why
    if sys.version_info < (3, 14):
        assert same(found, theirs(name))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("AP(2)", "its parameters must have names, as in 'AP.rel=2.'"),
        ("AP(**{'rel': 2})", "its parameters must have names"),
        ("AP(rel=2, rel=3)", "^cannot read the measure .* it has 'rel' twice"),
        ("P(cutoff=5)@10", "it has 'cutoff' twice"),
        ("nDCG(gains={1: 2, 1: 3})", "it has 1 twice"),
        ("nDCG(gains={1: -2})", "'-2' is not a value; values are numbers without a sign"),
        ("nDCG(gains={1: 2000})", "must be whole numbers for grades, both from -1000 to 1000"),
        ("nDCG(gains={1: 2.5})", "must be whole numbers"),
        ("AP(rell=2)", "^the measure 'AP.rell=2.' has 'rell', which AP does not take; did you mean 'rel'"),
        ("AP(self=2)", "has 'self', which AP does not take"),
        ("AP(rel=2.0)", "^the rel of the measure 'AP.rel=2.0.' must be a whole number, not 2.0"),
        ("AP(rel=None)", "must be a whole number, not None"),
        ("AP(rel=b'2')", "is not a value"),
        ("SetF(beta=2)", "^the beta of the measure 'SetF.beta=2.' must be a number with a decimal point, not 2"),
        ("SetF(beta=1e-7)", "must be a plain decimal number"),
        ("Bpref(rel=1000000000)", "must be from 1 to 1000"),
        ("P@10000000000", "must be 1,000,000,000 or less"),
        ("IPrec@0.123", "must have two decimals at most"),
        ("nDCG(dcg='log3')@5", "^the dcg of the measure .* must be 'log2' or 'exp-log2', not 'log3'"),
        ("NERR8@10", "^the measure 'NERR8@10' lacks its max_rel: 'NERR8.max_rel=...."),
        ("nDCG_10", "^ir_measures has no measure 'nDCG_10'; did you mean 'nDCG@10'"),
        ("nDCG@10)", "^cannot read the measure 'nDCG@10.': measures are written as .*; did you mean 'nDCG@10'"),
        ("nDCG 10", "did you mean 'nDCG@10'"),
        ("nDCG@@5", "did you mean 'nDCG@5'"),
        ("nDCG@k", "'k' is not a value"),
        ("AP@5@10", "^cannot read"),
        ("AP@5(rel=2)", "^cannot read"),
        ("AP; RR", "^cannot read"),
        ("x = AP", "^cannot read"),
        ("AP\0", "^cannot read"),
        ("(" * 10000 + "AP", "^cannot read"),
        ("P@" + "9" * 5000, "cannot read"),
    ],
)
def test_the_message_says_what_is_wrong(name, message):
    with pytest.raises(ValueError, match=message):
        measures_of([name])


def test_the_parser_of_ir_measures_is_not_used(monkeypatch):
    """It does not work from Python 3.14 on, where `ast.Num` is gone."""
    from ir_measures import util

    monkeypatch.setattr(util, "ast", None)
    for name in ("parse_measure", "parse_trec_measure"):
        monkeypatch.delattr(util, name)
        monkeypatch.delattr(ir_measures, name)
    measures = ["nDCG@10", "AP(rel=1)", "RR@10", "Judged@10", "nDCG(dcg='exp-log2')@10", "Compat(p=0.8)", "IPrec@0.5"]
    assert score(RUNS, QRELS, measures)["nDCG@10"].loc["401"].tolist() == [pytest.approx(0.6309, abs=1e-4), 1]
