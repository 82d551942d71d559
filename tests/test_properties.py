"""What must hold for all rankings."""

import pytest
from calls import FUNCTIONS, REFUSING
from hypothesis import given
from hypothesis import strategies as st

import ircor

LENGTHS = st.integers(2, 300)
NUMBERS = st.integers(-1000, 1000)


@st.composite
def rankings(draw, untied=""):
    """Two vectors of one length, with ties in those that `untied` does not name."""
    n = draw(LENGTHS)
    vectors = []
    for name in "xy":
        if name in untied:
            vectors.append(draw(st.permutations(range(n))))
        else:
            vectors.append(
                draw(st.lists(NUMBERS if draw(st.booleans()) else st.integers(0, 4), min_size=n, max_size=n))
            )
    return vectors


close = pytest.approx


@given(rankings("xy"))
def test_without_ties_the_variants_reduce_to_tau_and_tauAP(vectors):
    x, y = vectors
    assert ircor.tau_a(x, y) == ircor.tau(x, y)
    assert ircor.tau_b(x, y) == close(ircor.tau(x, y), abs=1e-14)
    for decreasing in (True, False):
        tauAP = ircor.tauAP(x, y, decreasing)
        assert ircor.tauAP_a(x, y, decreasing) == close(tauAP, abs=1e-14)
        assert ircor.tauAP_b(x, y, decreasing) == close((tauAP + ircor.tauAP(y, x, decreasing)) / 2, abs=1e-14)


@given(rankings("xy"))
def test_tau_is_symmetric(vectors):
    x, y = vectors
    assert ircor.tau(x, y) == ircor.tau(y, x)


@given(rankings())
def test_tau_b_and_tauAP_b_are_symmetric(vectors):
    x, y = vectors
    assert ircor.tau_b(x, y) == close(ircor.tau_b(y, x), abs=1e-15, nan_ok=True)
    assert ircor.tauAP_b(x, y) == close(ircor.tauAP_b(y, x), abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_only_the_order_of_the_values_counts(name, data):
    x, y = data.draw(rankings(REFUSING[name]))
    expected = FUNCTIONS[name](x, y)
    assert FUNCTIONS[name]([v**3 for v in x], [2.0 * v - 7 for v in y]) == close(expected, abs=0, nan_ok=True)


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_the_order_of_the_items_does_not_count(name, data):
    x, y = data.draw(rankings(REFUSING[name]))
    items = data.draw(st.permutations(range(len(x))))
    expected = FUNCTIONS[name](x, y)
    assert FUNCTIONS[name]([x[i] for i in items], [y[i] for i in items]) == close(expected, abs=1e-13, nan_ok=True)


@pytest.mark.parametrize("name", ["tauAP", "tauAP_a", "tauAP_b"])
@given(data=st.data())
def test_increasing_is_decreasing_on_the_negated_values(name, data):
    x, y = data.draw(rankings(REFUSING[name]))
    expected = FUNCTIONS[name](x, y, decreasing=True)
    assert FUNCTIONS[name]([-v for v in x], [-v for v in y], decreasing=False) == close(expected, abs=0, nan_ok=True)


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_a_ranking_agrees_with_itself_and_not_with_its_reverse(name, data):
    x = data.draw(st.permutations(range(data.draw(LENGTHS))))
    assert FUNCTIONS[name](x, x) == 1
    assert FUNCTIONS[name](x, [-v for v in x]) == -1


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_no_coefficient_leaves_its_range(name, data):
    value = FUNCTIONS[name](*data.draw(rankings(REFUSING[name])))
    assert value != value or -1 <= value <= 1
