"""One call in both languages, and the comparison of its outcomes."""

from types import ModuleType

import numpy as np
import pytest

from ircor import averages, organization, overlap, rbase, reliability
from ircor.crosscheck import Record, _calls, run
from ircor.crosscheck._calls import Call, compare_call, compared_outcomes
from ircor.organization import Organization

GMEAN = Call(averages, "gmean", "gmean_ap", (np.array([0.5, 0.25]),), {"eps": 1e-5, "zeros": "floor"}, "two topics")
RANK = Call(rbase, "r_rank", "base::rank", (np.array([3.0, 1.0, 1.0]),), {"ties_method": "min", "na_last": None})


def test_texts():
    assert GMEAN.texts("ircorref") == (
        "ircor.averages.gmean([0.5, 0.25], eps=1e-05, zeros='floor')",
        'ircorref::gmean_ap(c(0.5, 0.25), eps = 1e-05, zeros = "floor")',
    )
    # Base R writes dots for underscores.
    assert RANK.texts("ircorref") == (
        "ircor.rbase.r_rank([3.0, 1.0, 1.0], ties_method='min', na_last=None)",
        'base::rank(c(3.0, 1.0, 1.0), ties.method = "min", na.last = NA)',
    )


def test_an_organization_is_a_data_frame_in_r():
    system, empty = Organization([[["a", "b"], ["c"]], [["d"]]]), Organization([])
    python, r = Call(organization, "bcubed", "bcubed", (system, empty)).texts("ircorref")
    assert python == (
        "ircor.organization.bcubed(ircor.organization.Organization([[['a', 'b'], ['c']], [['d']]]), "
        "ircor.organization.Organization([]))"
    )
    assert r == (
        'ircorref::bcubed(data.frame(doc = c("a", "b", "c", "d"), level = c(0L, 0L, 0L, 1L), '
        "cluster = c(0L, 0L, 1L, 2L)), "
        "data.frame(doc = character(0), level = integer(0), cluster = integer(0)))"
    )


RBO = Call(overlap, "rbo", "rbo", (["a", {"c", "b"}], ["b"], 0.5), {"ties": "w", "score": ["res", "ext"]})


def test_a_ranking_is_a_list_in_r():
    assert RBO.texts("ircorref") == (
        "ircor.overlap.rbo(['a', {'b', 'c'}], ['b'], 0.5, ties='w', score=['res', 'ext'])",
        'ircorref::rbo(list("a", c("b", "c")), list("b"), 0.5, ties = "w", score = c("res", "ext"))',
    )


@pytest.mark.r
def test_the_scores_of_a_mapping_are_compared_in_its_order(reference):
    expected = overlap.rbo(["a", {"b", "c"}], ["b"], 0.5, ties="w")
    assert RBO.in_python() == pytest.approx([expected["res"], expected["ext"]])
    assert RBO.in_r("ircorref") == pytest.approx([expected["res"], expected["ext"]])


SCORES = np.array([[3.0, 5.0], [5.0, 5.0], [-2.0, 2.0]])


def test_parts_of_a_result():
    found = reliability.generalizability(SCORES, 12)
    one = Call(reliability, "generalizability", "variance_components", (SCORES,), parts=("components",))
    assert one.in_python().tolist() == [*found.components]
    assert one.texts("ircorref") == (
        "operator.attrgetter('components')(ircor.reliability.generalizability([[3.0, 5.0], [5.0, 5.0], [-2.0, 2.0]]))",
        "ircorref::variance_components(array(c(3.0, 5.0, -2.0, 5.0, 5.0, 2.0), c(3, 2)))",
    )
    two = Call(reliability, "generalizability", "generalizability", (SCORES, 12), parts=("e_rho2.value", "phi.value"))
    assert two.in_python().tolist() == [found.e_rho2.value, found.phi.value]
    assert two.texts("p")[0].startswith("operator.attrgetter('e_rho2.value', 'phi.value')(ircor.reliability.")
    refused = Call(reliability, "generalizability", "generalizability", (SCORES, 0), parts=("phi.value",))
    assert refused.in_python() == "'topics' must be 1 or more, not 0"


def test_in_python():
    assert GMEAN.in_python() == pytest.approx([np.sqrt(0.125)])
    assert RANK.in_python().dtype == np.float64
    refused = Call(averages, "gmean", "gmean_ap", (np.array([0.0]),), {"zeros": "strict"}).in_python()
    assert isinstance(refused, str)
    wrong_type = Call(averages, "gmean", "gmean_ap", (np.array(["text"]),)).in_python()
    assert isinstance(wrong_type, str)


@pytest.mark.r
def test_in_r(reference):
    assert GMEAN.in_r("ircorref") == pytest.approx([np.sqrt(0.125)])
    assert RANK.in_r("ircorref").tolist() == [3, 1, 1]
    refused = Call(averages, "gmean", "gmean_ap", (np.array([0.0]),), {"zeros": "strict"})
    assert refused.in_r("ircorref") == "'values' must be positive"


def values(*numbers):
    return np.array(numbers, dtype=np.float64)


CLOSE = Call(averages, "gmean", "gmean_ap", (), tolerance=0.25)
EXACT = Call(rbase, "r_round", "base::round", (values(1),), tolerance=0)


@pytest.mark.parametrize(
    ("ours", "theirs", "wrong", "difference"),
    [
        (values(1), values(1), 0, 0),
        (values(5), values(4), 0, 0.25),
        (values(5.01), values(4), 1, 0.2525),
        (values(3), values(4), 0, 0.25),
        (values(-4), values(4), 1, 2),
        (values(5, 9), values(4, 9), 0, 0.25),
        (values(1e-4), values(2e-4), 0, 0.1),  # relative to 0.001
        (values(5e-4), values(1e-4), 1, 0.4),
        (values(np.nan), values(np.nan), 0, 0),
        (values(np.inf), values(np.inf), 0, 0),
        (values(), values(), 0, 0),
        (values(1), values(1, 1), 1, 0),
        ("refused", "stopped", 0, 0),
        ("refused", values(1), 1, 0),
        (values(1), "stopped", 1, 0),
    ],
)
def test_relative_differences(ours, theirs, wrong, difference):
    assert compared_outcomes(CLOSE, ours, theirs) == (wrong, pytest.approx(difference))


@pytest.mark.parametrize(("ours", "theirs"), [(np.nan, 1), (1, np.nan), (np.inf, 1), (1, np.inf), (-np.inf, np.inf)])
def test_numbers_that_are_not_finite_in_one_language_only(ours, theirs):
    assert compared_outcomes(CLOSE, values(2, ours), values(2, theirs))[0] == 1


def test_bit_for_bit():
    ours = values(0.0, 1, np.nan, np.inf, 0.3, 2)
    assert compared_outcomes(EXACT, ours, ours.copy()) == (0, 0.0)
    assert compared_outcomes(EXACT, ours, values(-0.0, 1, np.nan, np.inf, 0.1 + 0.2, np.nan)) == (3, 0.0)
    assert compared_outcomes(EXACT, values(1), values(1, 2)) == (1, 0.0)


@pytest.fixture
def module():
    """A module with a function to break."""
    made = ModuleType("made")
    made.f = lambda x, *rest: np.asarray(x) * 2
    return made


@pytest.fixture
def compared(monkeypatch, module):
    """Compare a call with an R that answers as a Python function does."""

    def compare(r, *calls):
        monkeypatch.setattr(_calls, "call_r", lambda package, name, given, named: np.ravel(r(*given)).astype(float))
        agreement = run(Record(), [], {})
        for call in calls:
            compare_call(agreement, "pack", call)
        return agreement

    return compare


def test_a_comparison_is_entered(compared, module):
    calls = [Call(module, "f", "g", (x,), where=f"x = {x}") for x in (1.0, 2.0, 3.0)]
    tally = compared(lambda x: 2 * x * (1 + (x == 2) * 1e-13), *calls).functions["f"]
    assert (tally.cases, tally.refusals, tally.disagreements, tally.where) == (3, 0, 0, "x = 2.0")
    assert tally.largest_difference == pytest.approx(1e-13, rel=0.01)


def test_one_example_is_kept(compared, module):
    calls = [Call(module, "f", "g", (x,), where=f"x = {x}") for x in (1.0, 2.0, 3.0)]
    found = compared(lambda x: 2 * x + (x > 1), *calls)
    assert not found.agrees
    assert found.functions["f"].disagreements == 2
    (example,) = found.disagreements
    assert (example.case, example.python, example.r) == ("x = 2.0", "[4.0]", "[5.0]")
    assert (example.python_call, example.r_call) == ("made.f(2.0)", "pack::g(2.0)")


def test_exact_numbers_are_counted_and_shrunk(compared, module):
    x = np.arange(100.0)
    found = compared(
        lambda x, *rest: 2 * np.asarray(x) + (x == 7) + (x == 8), Call(module, "f", "g", (x, 3), tolerance=0)
    )
    assert (found.functions["f"].cases, found.functions["f"].disagreements) == (100, 2)
    (example,) = found.disagreements
    assert example.python_call.count(",") <= 2
    assert "7.0" in example.r_call or "8.0" in example.r_call
    assert example.r_call.endswith(", 3)")


def test_a_refusal_by_one_language_is_shown(compared, module):
    def refuse(x):
        raise ValueError("no")

    module.f = refuse
    (example,) = compared(lambda x: x, Call(module, "f", "g", (1.0,))).disagreements
    assert (example.python, example.r) == ("refused: no", "[1.0]")


def test_refusals_by_both_languages_are_counted(compared, module, monkeypatch):
    def refuse(*arguments):
        raise TypeError("no")

    def stop(*arguments):
        raise _calls.RError("stopped")

    module.f = refuse
    agreement = compared(lambda x: x)
    monkeypatch.setattr(_calls, "call_r", stop)
    compare_call(agreement, "pack", Call(module, "f", "g", (1.0,)))
    assert agreement.agrees
    assert agreement.functions["f"].refusals == 1
