"""`ircor.correlate`: two rankings of the same items."""

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor._core.methods import METHODS
from ircor.comparison._correlate import item_intervals
from ircor.plots import costly_swaps

X, Y = [0.9, 0.7, 0.5, 0.3, 0.1], [0.8, 0.9, 0.4, 0.4, 0.2]
NAMES = list("ABCDE")


def rows_of(found):
    return {row["coefficient"]: row for row in found.as_dict()["coefficients"]}


@pytest.mark.parametrize("decreasing", [True, False])
def test_all_coefficients_that_apply(decreasing):
    found = ircor.correlate(X, Y, decreasing=decreasing)
    rows = rows_of(found)
    assert list(rows) == ["tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b"]
    for name in ("tau_a", "tau_b"):
        assert rows[name] == {"coefficient": name, "value": getattr(ircor, name)(X, Y), "note": ""}
    for name in ("tauAP_a", "tauAP_b"):
        assert rows[name]["value"] == getattr(ircor, name)(X, Y, decreasing=decreasing)
    for name in ("tau", "tauAP"):
        assert rows[name] == {"coefficient": name, "value": None, "note": "'y' contains ties"}
    assert found.items == 5


def test_the_costliest_swaps_have_names():
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 20))
    found = ircor.correlate(x, y, labels=("truth", "guess"))
    expected = costly_swaps(x, y, count=5)
    assert found.costly.to_dict("list") == {
        "above in truth": [f"item {i}" for i, _, _ in expected],
        "above in guess": [f"item {j}" for _, j, _ in expected],
        "cost": [cost for _, _, cost in expected],
    }
    assert ircor.correlate(X, Y, names=NAMES).costly.values.tolist() == [["A", "B", 2.0]]
    series = pd.Series(X, index=NAMES)
    assert ircor.correlate(series, Y).costly.values.tolist() == [["A", "B", 2.0]]
    assert len(ircor.correlate(X, X).tables()) == 1


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([1, 2, 3], [1, 3, 2], "No ties: tau, or tauAP if errors at the top should cost more; tauAP takes x for"),
        ([1, 2, 3], [1, 2, 2], "y has ties: tau_a and tauAP_a if x is the truth"),
        ([1, 2, 2], [1, 2, 3], "x has ties: tau_b, or tauAP_b"),
        ([1, 2, 2], [1, 1, 3], "Both have ties: tau_b, or tauAP_b"),
    ],
)
def test_advice_depends_on_where_the_ties_are(x, y, words):
    assert ircor.correlate(x, y).advice.startswith(words)


def test_intervals_and_p_values():
    rng = np.random.default_rng(2)
    x = rng.random(30)
    y = x + rng.normal(0, 0.2, 30)
    found = rows_of(ircor.correlate(x, y, intervals=True, permutations=199, seed=3))
    assert list(found) == ["tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b"]
    for row in found.values():
        assert list(row) == ["coefficient", "value", "low", "high", "p-value", "note"]
        assert -1 < row["low"] < row["value"] < row["high"] < 1
    assert found["tau_b"]["high"] - found["tau_b"]["low"] < 0.5
    for name, row in found.items():
        assert row["p-value"] == ircor.permutation_test(x, y, name, resamples=199, seed=3).pvalue
    again = rows_of(ircor.correlate(x, y, intervals=True, permutations=199, seed=3, n_jobs=2))
    assert again == found


def test_the_intervals_are_those_of_the_jackknife():
    rng = np.random.default_rng(2)
    x, y = rng.random(12), rng.integers(0, 6, 12)
    found = rows_of(ircor.correlate(x, y, decreasing=False, intervals=True))
    for name in ("tau", "tauAP"):
        assert (found[name]["low"], found[name]["high"], found[name]["note"]) == (None, None, "'y' contains ties")
    for name in ("tau_a", "tau_b", "tauAP_a", "tauAP_b"):
        (expected,) = item_intervals([(METHODS[name], found[name]["value"])], x, y, False, 1).values()
        assert (found[name]["low"], found[name]["high"], found[name]["note"]) == expected
    plain = rows_of(ircor.correlate(x, y, decreasing=False))
    assert {name: row["value"] for name, row in plain.items()} == {name: row["value"] for name, row in found.items()}


def test_all_tied_has_no_interval():
    row = rows_of(ircor.correlate([1, 2, 3], [5, 5, 5], intervals=True))["tau_b"]
    assert all(np.isnan(row[key]) for key in ("value", "low", "high"))


def test_the_bootstrap_gives_percentile_intervals_over_resampled_items():
    rng = np.random.default_rng(2)
    x, y = rng.random((2, 12))
    draws = np.random.default_rng(5).integers(0, 12, (100, 12))
    values = [ircor.tauAP_b(x[draw], y[draw], decreasing=False) for draw in draws]
    found = rows_of(ircor.correlate(x, y, decreasing=False, bootstrap=100, seed=5))
    row = found["tauAP_b"]
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-12)
    assert all(found[name]["low"] is None for name in ("tau", "tau_a", "tauAP", "tauAP_a"))
    assert found == rows_of(ircor.correlate(x, y, decreasing=False, bootstrap=100, seed=5, n_jobs=2))
    row = rows_of(ircor.correlate([1, 2, 3], [5, 5, 5], bootstrap=20, seed=1))["tau_b"]
    assert all(np.isnan(row[key]) for key in ("value", "low", "high"))


def test_it_prints_shows_and_draws_itself():
    found = ircor.correlate(X, Y, names=NAMES, labels=("AP", "P10"), decreasing=False)
    text = str(found)
    assert text.splitlines()[0].split() == ["coefficient", "value", "note"]
    assert text.endswith(found.advice)
    assert repr(found).startswith("<Correlation of AP and P10, 5 items: tau_a = ")
    assert "<td>tau_b</td>" in found._repr_html_()
    ax = found.plot()
    assert ax.get_title() == "Places of 5 items by AP and by P10"
    # The least value is on top.
    assert ax.get_yticklabels()[0].get_text() == "E  1"
    from matplotlib import pyplot as plt

    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("x", "y", "options", "kind", "words"),
    [
        ([1, 2, np.nan], [1, 2, 3], {}, ValueError, "'x' must not have missing values"),
        ([1, 2], [1, 2, 3], {}, ValueError, "'x' and 'y' must be of the same length"),
        ("ab", [1, 2], {}, TypeError, "'x' must be a numeric vector"),
        ([1, 2], [1, 2], {"labels": "ab c"}, ValueError, "'labels' must be two names"),
        ([1, 2], [1, 2], {"names": "abc"}, ValueError, "'names' must have one name for each"),
        ([1, 2], [1, 1], {"intervals": "maybe"}, TypeError, "'intervals' must be True or False"),
        ([1, 2], [1, 1], {"bootstrap": 0}, ValueError, "'bootstrap' must be 1 or more"),
        ([1, 2], [1, 2], {"bootstrap": 9, "intervals": True}, ValueError, "'intervals' and 'bootstrap' are two ways"),
        ([1, 2], [1, 2], {"permutations": 0}, ValueError, "'resamples' must be 1 or more"),
        ([1, 2], [1, 2], {"decreasing": "up"}, TypeError, "'decreasing' must be True or False"),
    ],
)
def test_bad_input_is_refused(x, y, options, kind, words):
    with pytest.raises(kind, match=words):
        ircor.correlate(x, y, **options)


def test_values_that_differ_by_rounding_only_are_ties(tmp_path):
    """Means of the same scores, added in another order, as in a file that pandas writes."""
    x, y = [0.3, 0.1 + 0.2, 0.5, 0.7], [1.0, 2.0, 3.0, 4.0]
    assert x[0] != x[1]
    found, exact = ircor.correlate(x, y, names=NAMES[:4]), ircor.correlate([0.3, 0.3, 0.5, 0.7], y, names=NAMES[:4])
    assert str(found).startswith(str(exact))
    assert found.notes == ("1 pair of values of x differs by rounding only, and is a tie",)
    assert exact.notes == ()
    assert found.tied == (True, False)
    table = ircor.cor(pd.DataFrame({"x": [0.3, 0.3, 0.5, 0.7], "y": y})).loc["x", "y"]
    assert {row.method.name: row.value for row in found.rows}["tau_b"] == table
