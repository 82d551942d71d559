"""Missing values in tables, groups and lists: against the single functions without the items that miss a value."""

from decimal import Decimal
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet  # which makes pa.parquet
import pytest
from calls import FUNCTIONS, REFUSING
from scipy import stats

import ircor
from ircor import cor, cor_by, cor_lists, cor_parquet
from ircor._core import rounding
from ircor._core.methods import any_method_of
from ircor.tables import _columns, _groups

NAN = float("nan")
POLICIES = ["raise", "omit", "propagate"]
METHODS = [*REFUSING, "rbo"]


def options(method):
    return {"method": method, **({"p": 0.8} if method == "rbo" else {})}


def single(method, x, y, policy, least=2):
    """The coefficient of two vectors of floats after the policy, by the function for two vectors."""
    kept = ~(np.isnan(x) | np.isnan(y))
    if (policy == "propagate" and not kept.all()) or kept.sum() < least:
        return NAN
    assert policy != "raise" or kept.all()
    function = FUNCTIONS[method] if method in FUNCTIONS else any_method_of("rbo", 0.8, None)
    return function(np.asarray(x)[kept], np.asarray(y)[kept])


def drawn(rng, method, rows, columns=1):
    """Random values, with ties where a coefficient takes them."""
    untied = REFUSING.get(method, "")
    return rng.random((rows, columns)) if untied else rng.integers(0, 6, (rows, columns)) / 4


@pytest.fixture(params=METHODS)
def method(request):
    return request.param


@pytest.fixture
def frame(rng, method):
    """Complete columns, columns that miss items of their own, two that miss the same, and one without any."""
    X = drawn(rng, method, 40, 9)
    X[:, 1:5][rng.random((40, 4)) < 0.2] = NAN
    X[[3, 30], 5:7] = NAN
    X[:-1, 7] = NAN
    return pd.DataFrame(X, columns=list("abcdefghi"))


FORMS = {
    "array": lambda frame: frame.to_numpy(),
    "masked": lambda frame: np.ma.masked_invalid(frame.to_numpy()),
    "rows": lambda frame: frame.to_numpy().tolist(),
    "pandas": lambda frame: frame,
    "pandas' own types": lambda frame: frame.astype("Float64"),
    "Polars": lambda frame: pl.DataFrame({name: frame[name].to_list() for name in frame}),
    "Polars with nulls": lambda frame: pl.DataFrame({name: pl.Series(frame[name]).fill_nan(None) for name in frame}),
    "Arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


def expected_table(frame, other, method, policy):
    return np.array([[single(method, frame[i], other[j], policy) for j in other] for i in frame])


@pytest.mark.parametrize("form", FORMS)
def test_cor_leaves_out_items_by_pairs(frame, method, form):
    table, reverse = FORMS[form](frame), frame.iloc[:, ::-1]
    for policy in ("omit", "propagate"):
        expected = expected_table(frame, frame, method, policy)
        np.testing.assert_allclose(cor(table, **options(method), nan_policy=policy), expected, rtol=0, atol=1e-14)
        found = cor(table, FORMS[form](reverse), **options(method), nan_policy=policy, n_jobs=2)
        np.testing.assert_allclose(found, expected_table(frame, reverse, method, policy), rtol=0, atol=1e-14)
    with pytest.raises(ircor.InvalidValueError, match="has a missing value in row"):
        cor(table, **options(method))
    complete = frame[["a", "i"]]
    for policy in POLICIES:
        found = np.asarray(cor(FORMS[form](complete), **options(method), nan_policy=policy))
        np.testing.assert_array_equal(found, expected_table(complete, complete, method, "raise"))


def test_cor_against_pandas_and_scipy(rng):
    X = pd.DataFrame(rng.random((60, 8)))
    X = X.mask(rng.random(X.shape) < 0.3)
    pd.testing.assert_frame_equal(cor(X, nan_policy="omit"), X.corr(method="kendall"))
    pd.testing.assert_frame_equal(cor(X, method="tau", nan_policy="omit"), X.corr(method="kendall"))
    tied = X.round(1)
    found = cor(tied, nan_policy="omit")
    for i, j in product(X, repeat=2):
        assert found.loc[i, j] == pytest.approx(stats.kendalltau(tied[i], tied[j], nan_policy="omit").statistic)


@pytest.mark.parametrize("together", [1, 2, 64])
def test_columns_that_miss_the_same_items_are_cut_into_parts(rng, method, together, monkeypatch):
    many = pd.DataFrame(drawn(rng, method, 40, 7))
    many.iloc[2::7] = NAN
    expected = cor(many, **options(method), nan_policy="omit")
    monkeypatch.setattr(_columns, "PAIRS_TOGETHER", together)
    monkeypatch.setattr(_columns, "pairs_per_task", lambda items: 1)
    np.testing.assert_array_equal(cor(many, **options(method), nan_policy="omit"), expected)
    np.testing.assert_allclose(expected, expected_table(many, many, method, "omit"), rtol=0, atol=1e-14)


@pytest.mark.parametrize("least", [1, 2, 100])
def test_pairs_are_ranked_together_or_one_by_one(frame, method, least, monkeypatch):
    reverse, wide = frame.iloc[:, ::-1], frame.astype(np.longdouble)
    expected = [expected_table(frame, other, method, "omit") for other in (frame, reverse)]
    monkeypatch.setattr(_columns, "LEAST_TOGETHER", least)
    for largest in (10, 4096):
        monkeypatch.setattr(_columns, "LARGEST_IN_BATCH", largest)
        for own in (frame, wide):
            for other, values in zip((None, reverse), expected):
                found = cor(own, other, **options(method), nan_policy="omit")
                np.testing.assert_allclose(found, values, rtol=0, atol=1e-14)


def test_what_cor_says_of_a_missing_value():
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [1, NAN, NAN]}, index=["s1", "s2", "s3"])
    remedy = ': nan_policy="omit" leaves out the items with a missing value, and nan_policy="propagate" gives nan'
    for table, words in [
        (frame, "'b' has a missing value in row 2 (index 's2')"),
        (frame.reset_index(drop=True), "'b' has a missing value in row 2 (index 1)"),
        (frame.to_numpy(), "'column 1 of X' has a missing value in row 2"),
        (pa.Table.from_pandas(frame, preserve_index=False), "'b' has a missing value in row 2"),
    ]:
        for call in (lambda t=table: cor(t), lambda t=table: cor(t, np.ones((3, 1)))):
            with pytest.raises(ircor.InvalidValueError) as caught:
                call()
            assert str(caught.value) == words + remedy
    with pytest.raises(ValueError, match="^'b' has a missing value in row 2"):
        cor(frame[["a"]], frame)
    for function in (cor, lambda X, **more: cor_by([1, 1, 1], X["a"], X["b"], **more)):
        with pytest.raises(ValueError, match="^'nan_policy' must be one of raise, omit, propagate, not 'drop'$"):
            function(frame, nan_policy="drop")


def test_ties_are_refused_among_the_items_that_are_left(monkeypatch):
    frame = pd.DataFrame({"tied": [1.0, 1, 2, 3], "first": [NAN, 1, 2, 3], "last": [1, 2, 3, NAN]})
    assert cor(frame[["tied"]], frame[["first"]], "tau", nan_policy="omit").iloc[0, 0] == 1
    assert np.isnan(cor(frame[["tied"]], frame[["first"]], "tau", nan_policy="propagate").iloc[0, 0])
    assert cor(frame[["first"]], frame[["tied"]], "tauAP", nan_policy="omit").iloc[0, 0] == 1
    for x, y in (("tied", "last"), ("last", "tied"), ("tied", "tied")):
        with pytest.raises(ircor.TiesError, match="'tied' contains ties"):
            cor(frame[[x]], frame[[y]], "tau", nan_policy="omit")
    with pytest.raises(ircor.TiesError, match="'tied' contains ties"):
        cor(frame.mask(frame == 3), method="tauAP_a", nan_policy="omit")
    # What R prints alike, in a table that is too long for means.
    monkeypatch.setattr(rounding, "MOST_MEANS", 3)
    alike = pd.DataFrame({"x": [1.0, 2, 3, NAN], "alike": [0.3, 0.1 + 0.2, NAN, 1]})
    with pytest.raises(ircor.TiesError, match="^'alike' contains ties. R prints"):
        cor(alike[["x"]], alike[["alike"]], "tau", nan_policy="omit")
    # Columns with missing values are compared with nothing, and refused for nothing.
    gaps = frame.mask(frame == 2)
    assert cor(gaps, method="tau", nan_policy="propagate").isna().all(axis=None)


def test_no_items_are_left():
    frame = pd.DataFrame({"a": [1.0, 2, NAN, NAN], "b": [NAN, NAN, 1, 2], "c": [NAN] * 4, "d": [1.0, 3, 2, NAN]})
    expected = [[1, NAN, NAN, 1], [NAN, 1, NAN, NAN], [NAN] * 4, [1, NAN, NAN, 1]]
    np.testing.assert_array_equal(cor(frame, method="tau", nan_policy="omit"), expected)
    assert cor(np.empty((5, 0)), nan_policy="omit").shape == (0, 0)
    assert cor(frame, np.empty((4, 0)), nan_policy="omit").shape == (4, 0)


# Groups


@pytest.fixture
def groups(rng, method, monkeypatch):
    """Groups of 1 to 40 rows in no order; some with missing values, one of nothing else, and large ones."""
    monkeypatch.setattr(_groups, "LARGEST_IN_BATCH", 30)
    g = rng.permutation(np.repeat(np.arange(60), [*range(1, 41), *[5] * 20]))
    x, y = drawn(rng, method, 2 * len(g)).reshape(2, -1)
    for values in (x, y):
        values[(rng.random(len(g)) < 0.15) & (g % 3 > 0)] = NAN
    x[g == 50] = y[g == 52] = NAN
    return pd.DataFrame({"g": g, "x": x, "y": y})


def expected_groups(groups, method, policy, least=2):
    parts = dict(iter(groups.groupby("g")))
    return {g: single(method, rows["x"], rows["y"], policy, least) for g, rows in parts.items()}


KEYS = {
    "integers": lambda g: g,
    "far integers": lambda g: g * 10**9,
    "strings": lambda g: np.array([f"{k:03}" for k in g]),
    "objects": lambda g: pd.Series([(int(k),) for k in g]),
}


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("in_order", [True, False])
def test_cor_by_leaves_out_items_of_groups(groups, method, keys, in_order):
    rows = groups.sort_values("g", kind="stable") if in_order else groups
    labels = KEYS[keys](rows["g"].to_numpy())
    for policy, least in product(["omit", "propagate"], [2, 4]):
        expected = expected_groups(groups, method, policy, least)
        for n_jobs in (1, 2):
            found = cor_by(
                labels, rows["x"].to_numpy(), rows["y"].to_numpy(), **options(method), min_items=least,
                nan_policy=policy, n_jobs=n_jobs,
            )  # fmt: skip
            assert len(found) == 60
            np.testing.assert_allclose(found.sort_index(), list(expected.values()), rtol=0, atol=1e-14)
        sizes = groups.dropna().groupby("g").size().reindex(range(60), fill_value=0)
        sizes = sizes if policy == "omit" else groups.groupby("g").size()
        assert found.attrs == {"groups": 60, "too_few_items": (sizes < least).sum()}
    complete = rows[rows["g"] % 3 == 0]
    for policy in POLICIES:
        found = cor_by("g", "x", "y", data=complete, **options(method), nan_policy=policy)
        expected = expected_groups(complete, method, "raise")
        np.testing.assert_allclose(found, list(expected.values()), rtol=0, atol=1e-14)


VECTORS = {
    "masked": lambda x: np.ma.masked_invalid(x),
    "list": lambda x: x.tolist(),
    "pandas": lambda x: pd.Series(x),
    "pandas' own type": lambda x: pd.Series(x).astype("Float64"),
    "Polars": lambda x: pl.Series(x).fill_nan(None),
    "wide": lambda x: x.astype(np.longdouble),
    "narrow": lambda x: x.astype(np.float32),
}


@pytest.mark.parametrize("kind", VECTORS)
def test_missing_values_of_every_kind(groups, method, kind):
    x, y = (VECTORS[kind](groups[name].to_numpy()) for name in "xy")
    for policy in ("omit", "propagate"):
        expected = expected_groups(groups, method, policy)
        found = cor_by(groups["g"].to_numpy(), x, y, **options(method), nan_policy=policy)
        np.testing.assert_allclose(found, list(expected.values()), rtol=0, atol=1e-14)
    with pytest.raises(ValueError, match="has a missing value in row"):
        cor_by(groups["g"].to_numpy(), x, y, **options(method))


@pytest.mark.parametrize("keys", [["b", "a", "b", "a"], [7, 4, 7, 4], [1, 1, 2, 2], ["a", "a", "b", "b"]])
def test_what_cor_by_says_of_a_missing_value(keys):
    x, y = [1.0, 2, 3, NAN], [1.0, 2, NAN, 4]
    remedy = ': nan_policy="omit" leaves out the items with a missing value, and nan_policy="propagate" gives nan'
    with pytest.raises(ircor.InvalidValueError) as caught:
        cor_by(np.array(keys), x, y)
    assert str(caught.value) == f"'y' has a missing value in row 3 of group {keys[2]!r}{remedy}"
    frame = pd.DataFrame({"g": keys, "one": x, "other": y}, index=list("pqrs"))
    with pytest.raises(ircor.InvalidValueError) as caught:
        cor_by("g", "other", "one", data=frame)
    assert str(caught.value) == f"'other' has a missing value in row 3 (index 'r') of group {keys[2]!r}{remedy}"
    # Whatever its group would be without it.
    with pytest.raises(ValueError, match="'y' has a missing value in row 3"):
        cor_by(np.array(keys), x, y, min_items=3)


def test_ties_are_refused_in_what_is_left_of_a_group():
    x, y = [1.0, 1, 2, 5, 5, 6], [NAN, 1, 2, 1, 2, 3]
    assert cor_by([1, 1, 1], x[:3], y[:3], "tau", nan_policy="omit")[1] == 1
    with pytest.raises(ValueError, match="^group 2: 'x' contains ties"):
        cor_by([1, 1, 1, 2, 2, 2], x, y, "tau", nan_policy="omit")
    assert cor_by([2, 2, 2], x[3:], [NAN, 1, 2], "tau", nan_policy="propagate").isna().all()
    # Ties of a wide float are looked for in the rows as given.
    wide = np.array([0.3, 0.1 + 0.2, 1, NAN], dtype=np.longdouble)
    with pytest.raises(ValueError, match="^group 1: 'x' contains ties. R prints"):
        cor_by([1] * 4, wide, [1, 2, 3, 4], "tau", nan_policy="omit")
    assert cor_by([1] * 4, wide, [NAN, 2, 3, 4], "tau", nan_policy="omit")[1] == 1


# Lists and batches


def as_lists(groups, name, of_type=None):
    """A list for each group, in order, with nulls and NaN in turn; one more that is null, and one that is empty."""
    values = [
        [(None if k % 2 else NAN) if value != value else value for k, value in enumerate(rows[name])]
        for _, rows in groups.groupby("g")
    ]
    return pa.array([*values, None, []], type=of_type)


def test_cor_lists_leaves_out_items_of_lists(groups, method):
    x, y = as_lists(groups, "x"), as_lists(groups, "y")
    for policy in ("omit", "propagate"):
        expected = [*expected_groups(groups, method, policy).values(), NAN, NAN]
        for one, other in ((x, y), (pl.from_arrow(x), pl.from_arrow(y))):
            found = cor_lists(one, other, **options(method), nan_policy=policy)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)
    with pytest.raises(ValueError, match=r"has a missing value in item \d+ of row \d+, with x = "):
        cor_lists(x, y, **options(method))


def test_decimals_and_integers_with_nulls():
    x = pa.array([[Decimal("0.1"), None, Decimal("0.3"), Decimal("0.2")]])
    y = pa.array([[2**60, 1, 2**60 + 1, None]])
    assert cor_lists(x, y, "tau", nan_policy="omit").tolist() == [1]
    assert np.isnan(cor_lists(x, y, "tau", nan_policy="propagate")).all()
    with pytest.raises(ircor.InvalidValueError) as caught:
        cor_lists(x, y, "tau")
    assert str(caught.value).startswith(
        "'x' has a missing value in item 2 of row 1, with x = [0.1, None, 0.3, 0.2] and "
        "y = [1152921504606846976, 1, 1152921504606846977, None]: nan_policy="
    )
    with pytest.raises(
        ValueError, match=r"^'y' has a missing value in item 2 of row 3, with x = \[4, 5\] and y = \[3, None\]"
    ):
        cor_lists(pa.array([[1, 2, 3], [], [4, 5]]), pa.array([[1, 2, 3], [], [3, None]]))
    # A list beside one that is null is not looked at.
    assert np.isnan(cor_lists(pa.array([None, [1]]), pa.array([[1, None], [2]]), "tau")).all()


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_cor_parquet_leaves_out_items_of_groups(groups, method, batch, tmp_path):
    rows = pa.Table.from_pandas(groups.sort_values("g", kind="stable"), preserve_index=False)
    pa.parquet.write_table(rows, tmp_path / "rows.parquet")
    for policy in ("omit", "propagate"):
        expected = list(expected_groups(groups, method, policy).values())
        for source in (rows.to_batches(max_chunksize=batch), tmp_path / "rows.parquet"):
            found = cor_parquet(source, "g", "x", "y", **options(method), nan_policy=policy).read_all()
            assert found["g"].to_pylist() == list(range(60))
            assert found[method].null_count == np.isnan(expected).sum()
            np.testing.assert_allclose(found[method].to_numpy(), expected, rtol=0, atol=1e-14)
    with pytest.raises(ValueError, match="has a missing value in row"):
        cor_parquet(rows.to_batches(max_chunksize=batch), "g", "x", "y", **options(method)).read_all()


def test_the_row_of_a_missing_value_counts_over_all_batches():
    rows = pa.table({"q": ["a", "a", "b", "b", "b"], "one": [1, 2, 3, 4, 5], "other": [1.0, 2, 3, 4, None]})
    for size in (1, 2, 3, 5):
        reader = cor_parquet(rows.to_batches(max_chunksize=size), "q", "one", "other")
        with pytest.raises(ValueError, match="^'other' has a missing value in row 5 of group 'b': nan_policy="):
            reader.read_all()
    with pytest.raises(ValueError, match="'nan_policy' must be one of"):
        cor_parquet(rows.to_batches(), "q", "one", "other", nan_policy=None)


def test_no_missing_values_no_copies(rng):
    """Without missing values, the groups are not copied to look for them."""
    rows = _groups.GroupedRows.of(np.arange(5).repeat(4), *rng.random((2, 20)))
    method = any_method_of("tau", None, None)
    seen = []
    without = _groups.GroupedRows.without_missing
    try:
        _groups.GroupedRows.without_missing = lambda *given, **more: seen.append(given) or without(*given, **more)
        for policy in POLICIES:
            _groups.group_coefficients(method, True, 2, rows, (rows.x, rows.y), 1, policy)
    finally:
        _groups.GroupedRows.without_missing = without
    assert seen == []
