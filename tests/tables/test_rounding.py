"""Means that differ by rounding only: one decision, whatever they are given to."""

import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from calls import FUNCTIONS, REFUSING

import ircor
from ircor import cor, plots
from ircor._core import rounding
from ircor._core.methods import any_method_of
from ircor._core.rounding import EQUAL_MEANS, tie_means
from ircor.comparison import tabulate
from ircor.rank_distance import discriminative_power, drank, drank_test
from ircor.trec import read_leaderboard

mpl.use("Agg")

BELOW = 0.2539999999999999
ROUNDED = pd.DataFrame(
    {"good": [0.5, 0.1, 0.3, 0.2], "P_10": [0.254, BELOW, 0.7, 0.1]}, index=pd.Index(list("ABCD"), name="system")
)


def quiet(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ircor.RoundingWarning)
        return function(*arguments, **options)


def exact(function, *arguments, **options):
    """The result of a call that does not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return function(*arguments, **options)


# The rule


def test_the_rule():
    close = 1 - EQUAL_MEANS
    for size in (1, 2.0**-600, 2.0**600, -1):
        values = np.array([1.0, close, 0, np.nan, 2.0**-41, np.nextafter(close, 0), -np.inf, np.inf, np.inf]) * size
        tied = tie_means(values)
        assert tied[0] == tied[1] == tied[5]
        assert tied[2] == tied[4]
        assert tied[0] != tied[2]
        assert np.isnan(tied[3])
        np.testing.assert_array_equal(tied[6:], values[6:])
    values = np.array([1.0, 1 - 2 * EQUAL_MEANS, np.nextafter(1 - 2 * EQUAL_MEANS, 0) - EQUAL_MEANS])
    assert len(set(tie_means(values))) == 3
    assert tie_means(np.empty(0)).size == 0
    assert np.isnan(tie_means(np.full(3, np.nan))).all()


def test_a_value_that_is_missing_is_not_the_largest():
    values = np.array([np.nan, 0.254, BELOW])
    np.testing.assert_array_equal(tie_means(values), [np.nan, BELOW, BELOW])


# cor


def noisy(rng, shape, decimals=2):
    """Values that are often equal but for rounding, with a few missing and infinite ones."""
    values = rng.random(shape).round(decimals) * (1 + 1e-15 * rng.integers(-2, 3, shape))
    values[rng.random(shape) < 0.02] = np.inf
    values[rng.random(shape) < 0.02] = -np.inf
    return values


@pytest.mark.parametrize("method", [*REFUSING, "rbo"])
@pytest.mark.parametrize("decreasing", [True, False])
def test_cor_ties_means(rng, method, decreasing):
    X, Y = noisy(rng, (60, 4)), noisy(rng, (60, 3))
    if method in REFUSING and "x" in REFUSING[method]:
        X = rng.random((60, 4))
    if method in REFUSING and "y" in REFUSING[method]:
        Y = rng.random((60, 3))
    one = any_method_of(method, 0.9 if method == "rbo" else None, None)
    options = {"method": method, "decreasing": decreasing, **({"p": 0.9} if method == "rbo" else {})}
    expected = [[one(tie_means(x), tie_means(y), decreasing) for y in Y.T] for x in X.T]
    for n_jobs in (1, 2):
        np.testing.assert_array_equal(quiet(cor, X, Y, n_jobs=n_jobs, **options), expected)
    gaps = Y.copy()
    gaps[rng.random(Y.shape) < 0.1] = np.nan
    kept = ~np.isnan(gaps)
    expected = [
        [one(tie_means(x)[k], tie_means(y)[k], decreasing) for y, k in zip(gaps.T, kept.T)]
        for x in X.T
    ]  # fmt: skip
    np.testing.assert_array_equal(quiet(cor, X, gaps, nan_policy="omit", **options), expected)


def test_values_of_every_type():
    for kind in (np.float64, np.longdouble, "Float64"):
        frame = ROUNDED.astype(kind)
        with pytest.warns(ircor.RoundingWarning, match="^1 pair of values of P_10 "):
            assert cor(frame).loc["good", "P_10"] == ircor.tau_b(ROUNDED["good"], [2, 2, 3, 1])
    for table in (pl.DataFrame(ROUNDED.to_dict("list")), pa.table(ROUNDED.to_dict("list")), ROUNDED.to_numpy()):
        with pytest.warns(ircor.RoundingWarning):
            assert np.asarray(cor(table))[0, 1] == ircor.tau_b(ROUNDED["good"], [2, 2, 3, 1])
    # The differences of integers are no rounding, and floats of 32 bits are not as close.
    for least in (2**50, 2**60):
        large = np.array([[least, 1], [least + 1, 2], [least + 2, 3]])
        assert exact(cor, large, method="tau")[0, 1] == 1
    narrow = np.array([[1, 2], [np.nextafter(np.float32(1), 0), 1]], dtype=np.float32)
    assert exact(cor, narrow, method="tau")[0, 1] == 1


def test_the_size_is_that_of_the_column():
    x = np.array([1.0, 2.0, 3.0])
    tiny = np.array([1e-20, 2e-20, 3e-20])
    assert exact(cor, np.column_stack([x, tiny]), method="tau")[0, 1] == 1
    both = np.column_stack([np.r_[x, 4], np.r_[tiny, 1]])
    with pytest.warns(ircor.RoundingWarning, match="^3 pairs of values of column 1 of X differ"):
        assert cor(both)[0, 1] == ircor.tau_b([1, 2, 3, 4], [1, 1, 1, 2])
    below = np.array([1.0, 0, 2.0**-40, 2.0**-39 + 2.0**-60])
    with pytest.warns(ircor.RoundingWarning, match="^1 pair "):
        cor(np.column_stack([below, [1, 2, 3, 4]]))


def test_the_warning_is_one():
    frame = pd.DataFrame(dict.fromkeys("abcdefg", ROUNDED["P_10"])).assign(good=ROUNDED["good"])
    for call, words in [
        (lambda: cor(ROUNDED), "1 pair of values of P_10 differs by rounding only, and is a tie"),
        (lambda: cor(frame), "7 pairs of values of a, b, c, d, e and 2 more differ by rounding only, and are ties"),
        (lambda: cor(ROUNDED, frame[["a"]]), "2 pairs of values of P_10, a differ by rounding only, and are ties"),
        (lambda: cor(ROUNDED, ROUNDED), "2 pairs of values of P_10 differ by rounding only, and are ties"),
    ]:
        with pytest.warns(ircor.RoundingWarning) as caught:
            call()
        assert [str(one.message) for one in caught] == [
            f"{words}. To compare exactly, call the function of two vectors, such as tau_b(x, y), or give ranks."
        ]
    with pytest.warns(ircor.RoundingWarning) as caught:
        cor(ROUNDED)
    assert caught[0].filename == __file__
    assert exact(cor, ROUNDED.rank()).loc["good", "P_10"] == ircor.tau_b(ROUNDED["good"], ROUNDED["P_10"])


def test_ties_by_rounding_are_refused_as_ties():
    words = r"^'P_10' contains ties. .* 1 pair of values of P_10 differs by rounding only, and is a tie\.$"
    with pytest.raises(ircor.TiesError, match=words):
        cor(ROUNDED, method="tau")
    with pytest.raises(ircor.TiesError, match=words):
        cor(ROUNDED[["good"]].mask(ROUNDED == 0.2), ROUNDED[["P_10"]], method="tauAP", nan_policy="omit")
    assert exact(cor, ROUNDED[["good"]], method="tau").iloc[0, 0] == 1


def test_columns_longer_than_tables_of_means_compare_exactly(monkeypatch):
    monkeypatch.setattr(rounding, "MOST_MEANS", 3)
    assert exact(cor, ROUNDED).loc["good", "P_10"] == ircor.tau_b(ROUNDED["good"], ROUNDED["P_10"])
    monkeypatch.setattr(rounding, "MOST_MEANS", 4)
    with pytest.warns(ircor.RoundingWarning):
        cor(ROUNDED)


# Every way to give means


@pytest.fixture(scope="module")
def scores():
    """Two measures of the sample data; the means of two systems by P_10 differ by rounding only."""
    scores = ircor.sample()[["map", "P_10"]]
    means = np.sort(scores["P_10"].mean())
    assert ((np.diff(means) > 0) & (np.diff(means) < 1e-15)).sum() == 1
    return scores


@pytest.fixture(scope="module")
def expected(scores):
    """The coefficient by topic, where means are compared as means."""
    found = tabulate(scores).coefficients.loc["map", "P_10"]
    assert found != ircor.tau_b(scores["map"].mean(), scores["P_10"].mean())
    return found


def means_of(scores):
    return scores.mean().unstack("measure")[["map", "P_10"]]


def test_means_in_tables(scores, expected, tmp_path):
    means = means_of(scores)
    means.to_csv(tmp_path / "means.csv")
    read = read_leaderboard(tmp_path / "means.csv")
    for table in (means, read, means.to_numpy()):
        with pytest.warns(ircor.RoundingWarning):
            assert np.asarray(cor(table))[0, 1] == expected
    for table in (means, read):
        found = exact(tabulate, table)
        assert found.coefficients.iloc[0, 1] == expected
        assert (found.rounded.names, found.rounded.pairs) == (("P_10",), 1)
        assert list(found.notes) == ["1 pair of values of P_10 differs by rounding only, and is a tie"]
    assert exact(tabulate, scores).notes == ()
    assert exact(tabulate, scores).rounded is None


def test_judges_on_means(scores, expected, tmp_path):
    means = means_of(scores)
    means[["map"]].to_csv(tmp_path / "truth.csv")
    means[["P_10"]].set_axis(["map"], axis=1).to_csv(tmp_path / "judge.csv")
    by_topic = ircor.judges(None, scores["map"], {"judge": scores["P_10"]}, resamples=50, seed=1)
    of_means = ircor.judges(None, means["map"], {"judge": means["P_10"].rename("map")})
    of_files = ircor.judges(None, tmp_path / "truth.csv", [tmp_path / "judge.csv"])
    for judged in (by_topic, of_means, of_files):
        coefficients = judged.coefficients.set_index("coefficient")["value"]
        assert coefficients["tau_b"] == expected


def test_means_given_to_the_rank_distance(scores):
    X, Y, means = scores["map"], scores["P_10"], means_of(scores)["P_10"]
    for given in (means, means.to_numpy()):
        assert drank(X, given) == drank(X, Y)
        assert discriminative_power(X, given) == discriminative_power(X, Y)
        assert (
            drank_test(X, given, resamples=200, seed=1).statistic == drank_test(X, Y, resamples=200, seed=1).statistic
        )


def test_means_in_pictures(scores):
    X, Y, means = scores["map"], scores["P_10"], means_of(scores)
    drawn = plots.moves(Y, X), plots.moves(means["P_10"], means["map"]), plots.moves(Y.mean().to_numpy(), X.mean())
    assert len({ax.get_title() for ax in drawn}) == 1
    titles = {tuple(tick.get_text() for tick in ax.get_xticklabels()) for ax in drawn}
    assert len(titles) == 1
    assert all("ties side by side" in ax.get_xlabel() for ax in drawn)


def test_scores_of_items_compare_exactly():
    x, y = ROUNDED["good"].to_numpy(), ROUNDED["P_10"].to_numpy()
    tiny = np.array([1e-20, 3e-20, 1.0, 2e-20])
    for one in (y, tiny):
        for name, function in FUNCTIONS.items():
            if name in ("tau", "tauAP") and one is y:
                continue  # R prints what differs by so little alike
            expected = function(x, one)
            assert exact(ircor.cor_by, [1] * 4, x, one, name)[1] == expected
            lists = pa.array([x.tolist()]), pa.array([one.tolist()])
            assert exact(ircor.cor_lists, *lists, name)[0] == expected
            rows = pa.table({"g": [1] * 4, "x": x, "y": one})
            assert exact(ircor.cor_parquet(rows.to_batches(), "g", "x", "y", name).read_all)[name].to_pylist() == [
                expected
            ]
            frame = pl.DataFrame({"x": x, "y": one})
            assert exact(frame.select, getattr(ircor.polars, name)("x", "y")).item() == expected
