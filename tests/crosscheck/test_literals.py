"""Values as one types them in Python and in R."""

import numpy as np
import pytest

from ircor.crosscheck._cases import python_literal, r_literal
from ircor.crosscheck._oracles import to_r

VALUES = [
    (None, "None", "NA"),
    (True, "True", "TRUE"),
    (False, "False", "FALSE"),
    (3, "3", "3"),
    (0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"),
    (float("nan"), 'float("nan")', "NaN"),
    (float("inf"), 'float("inf")', "Inf"),
    (-float("inf"), 'float("-inf")', "-Inf"),
    (np.float64(0.5), "0.5", "0.5"),
    ("keep", "'keep'", '"keep"'),
    ('say "no"', "'say \"no\"'", '"say \\"no\\""'),
    (["a", "b"], "['a', 'b']", 'c("a", "b")'),
    ([], "[]", "character(0)"),
    (("a", ["c", "b"]), None, 'list("a", c("c", "b"))'),
    ((), None, "list()"),
    (np.array([]), "[]", "numeric(0)"),
    (np.array([], dtype=np.int32), "[]", "integer(0)"),
    (np.array([1.5, -np.inf]), '[1.5, float("-inf")]', "c(1.5, -Inf)"),
    (np.array([1, 2], dtype=np.int32), "[1, 2]", "c(1L, 2L)"),
    (np.array([1, 2], dtype=np.int64), "[1, 2]", "c(1, 2)"),
    (np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), None, "array(c(1.0, 4.0, 2.0, 5.0, 3.0, 6.0), c(2, 3))"),
    ({"doc": ["a"], "level": np.array([0], dtype=np.int32)}, None, 'data.frame(doc = c("a"), level = c(0L))'),
]


@pytest.mark.parametrize(("value", "python", "r"), VALUES)
def test_literals(value, python, r):
    assert r_literal(value) == r
    if python is not None:
        assert python_literal(value) == python
        np.testing.assert_array_equal(eval(python, {"float": float}), value)


def test_a_table_as_nested_lists():
    assert python_literal(np.array([[1.0, np.nan], [2.0, 3.0]])) == '[[1.0, float("nan")], [2.0, 3.0]]'


def test_a_set_is_written_in_order():
    assert python_literal(["z", {"b", "a", "c"}]) == "['z', {'a', 'b', 'c'}]"


@pytest.mark.r
@pytest.mark.parametrize(("value", "r"), [(value, r) for value, _, r in VALUES])
def test_the_text_and_the_value_are_the_same_in_r(value, r):
    import rpy2.robjects as ro

    assert ro.r("identical")(to_r(value), ro.r(r))[0]
