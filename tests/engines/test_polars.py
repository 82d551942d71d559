"""ircor.polars in Polars: against cor_by on the same rows."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import ircor

engine = ircor.polars


def frame_of(rows, **columns):
    return pl.DataFrame({"g": rows.g, "a": rows.x, "b": rows.y, **columns})


def by_group(found, name):
    return found.sort("g")[name].to_numpy()


GROUPINGS = {
    "agg": lambda frame, made: frame.group_by("g").agg(made),
    "agg in order": lambda frame, made: frame.group_by("g", maintain_order=True).agg(made, pl.col("a").sum()),
    "agg of sorted groups": lambda frame, made: frame.sort("g", maintain_order=True).group_by("g").agg(made),
    "lazy": lambda frame, made: frame.lazy().group_by("g").agg(made).collect(),
    "streaming": lambda frame, made: frame.lazy().group_by("g").agg(made).collect(engine="streaming"),
    "in memory": lambda frame, made: frame.lazy().group_by("g").agg(made).collect(engine="in-memory"),
    "over": lambda frame, made: frame.select("g", made.over("g")).unique(),
    "filter before": lambda frame, made: frame.lazy().filter(pl.col("g") >= 0).group_by("g").agg(made).collect(),
    "expression": lambda frame, made: frame.group_by("g").agg((2 * made - made).alias(made.meta.output_name())),
}


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_groups_are_those_of_cor_by(name, grouping, grouped):
    rows = grouped(name)
    found = GROUPINGS[grouping](frame_of(rows), getattr(engine, name)("a", "b"))
    np.testing.assert_array_equal(by_group(found, name), rows.expected)
    assert found.schema[name] == pl.Float64


def test_lists_of_each_row(name, grouped):
    rows = grouped(name)
    made = getattr(engine, name)("a", "b", lists=True)
    for lists in (frame := frame_of(rows).group_by("g").agg("a", "b")), frame.lazy():
        found = lists.with_columns(made).lazy().collect()
        np.testing.assert_array_equal(by_group(found, name), rows.expected)
    nulls = pl.DataFrame({"a": [[1, 2], None, [], [1, 2]], "b": [[2, 1], [1, 2], [], None]})
    assert nulls.select(made).to_series().to_list() == [-1, None, None, None]
    # A filter on what is computed, and on other columns, before or after.
    kept = lists.filter(made > 0.1).select("g").collect()["g"].sort()
    np.testing.assert_array_equal(kept, np.flatnonzero(rows.expected > 0.1))
    some = lists.with_columns(made).filter(pl.col("g") < 20).collect()
    np.testing.assert_array_equal(by_group(some, name), rows.expected[:20])


@pytest.mark.parametrize("by", ["in-memory", "streaming"])
def test_a_whole_frame(name, function, rng, by):
    """Of more rows than a streaming engine hands over at once."""
    x, y = rng.permutation(200_000), rng.permutation(200_000)
    frame = pl.DataFrame({"a": x, "b": y, "g": x % 3}).lazy()
    made, expected = getattr(engine, name)("a", "b"), function(x, y)
    assert frame.select(made).collect(engine=by).item() == expected
    beside = frame.with_columns(made).filter(pl.col("g") == 1).head(3).collect(engine=by)
    assert beside[name].to_list() == [expected] * 3
    here = x % 3 == 1
    assert frame.filter(pl.col("g") == 1).select(made).collect(engine=by).item() == function(x[here], y[here])


def test_either_direction_and_few_rows(grouped):
    rows = grouped("tauAP")
    for name, options in (("tauAP", {"decreasing": False}), ("tauAP", {"min_items": 12}), ("tau", {"min_items": 3})):
        made = getattr(engine, name)("a", "b", **options)
        expected = ircor.cor_by(rows.g, rows.x, rows.y, name, **options)
        np.testing.assert_array_equal(by_group(frame_of(rows).group_by("g").agg(made), name), expected)
    for few in (pl.DataFrame({"a": [], "b": []}), pl.DataFrame({"a": [1], "b": [2]})):
        assert few.select(engine.tau("a", "b")).item() is None
    assert frame_of(rows).clear().group_by("g").agg(engine.tau("a", "b")).shape == (0, 2)


def test_other_expressions(rng):
    frame = pl.DataFrame(
        {"g": rng.integers(0, 9, 200), "a": rng.random(200, np.float32), "b": rng.integers(0, 99, 200)}
    )
    found = frame.group_by("g").agg(
        engine.tau_b(-pl.col("a"), pl.col("b").cast(pl.Int8)).alias("moved"),
        engine.tau_b("a", "b"),
        engine.tau_b(pl.col("a").filter(pl.col("b") > 50), pl.col("b").filter(pl.col("b") > 50)).alias("some"),
    )
    for g, moved, whole, some in found.iter_rows():
        own = frame.filter(pl.col("g") == g)
        assert whole == -moved == ircor.tau_b(own["a"], own["b"])
        rest = own.filter(pl.col("b") > 50)
        assert some == ircor.tau_b(rest["a"], rest["b"])
    windows = pl.DataFrame({"t": range(10), "a": range(10), "b": [1, 2, 3, 2, 1, 0, 5, 6, 7, 8]})
    rolled = windows.rolling("t", period="4i").agg(engine.tau_b("a", "b"))["tau_b"].to_list()
    assert rolled[1:] == [ircor.tau_b(*windows[max(0, k - 3) : k + 1][["a", "b"]]) for k in range(1, 10)]


def test_missing_values_are_nulls_and_nan():
    nan = float("nan")
    frame = pl.DataFrame({"g": [1, 1, 1, 2, 2, 2], "a": [3, 1, 2, 1, 2, None], "b": [0.5, nan, 0.1, 3, 2, 1]})
    for name in engine.__all__:
        function = getattr(engine, name)
        found = frame.group_by("g").agg(function("a", "b", nan_policy="omit"))
        assert by_group(found, name).tolist() == [1, 0 if name == "acc_eq" else -1]
        found = frame.group_by("g").agg(function("a", "b", nan_policy="propagate"))
        assert found[name].to_list() == [None, None]
    with pytest.raises(ValueError, match="'nan_policy' must be one of raise, omit, propagate, not None"):
        engine.tau("a", "b", nan_policy=None)
    with pytest.raises(Exception, match=r"'x' has a missing value in item 3 of .* x = \[1, 2, None\] and y = \[3.0"):
        frame.filter(pl.col("g") == 2).select(engine.tau_b("a", "b"))


@pytest.mark.parametrize("by", ["in-memory", "streaming"])
def test_what_is_refused_is_an_error_of_the_query(by):
    frame = pl.DataFrame({"g": [1, 1, 2, 2], "a": [1, 2, 4, 4], "b": [1, 2, 1, 2], "s": list("abcd")}).lazy()
    lists = frame.group_by("g").agg(pl.all())
    for made, words in [
        (frame.group_by("g").agg(engine.tau("a", "b")), r"x = \[4, 4\] and y = \[1, 2\]: 'x' contains ties"),
        (
            frame.group_by("g").agg(engine.tau("a", pl.col("b").head(1))),
            "must be of the same length, but they have 2 and 1",
        ),
        (frame.group_by("g").agg(engine.tau("a", "s")), "'y' must be an Arrow column of lists of numbers, .*string"),
        (
            lists.select(engine.tau("b", "a")),
            r"'x' holds lists: tau\(..., lists=True\) is the coefficient of the lists",
        ),
        (frame.select(engine.tau("a", "b", lists=True)), "'x' must be an Arrow column of lists .* type int64"),
        (lists.select(engine.tau("a", "b", lists=True)), "'x' contains ties"),
    ]:
        with pytest.raises(Exception, match=words):
            made.collect(engine=by)


def test_what_is_refused_before_a_query():
    for wrong, words in [
        (lambda: engine.tau(1, "b"), "'x' must be the name of a column or an expression of Polars, not 1"),
        (
            lambda: engine.tau("a", pl.Series([1])),
            "'y' must be the name of a column or an expression of Polars, not a Series",
        ),
        (lambda: engine.tau("a", "b", min_items=2.5), "'min_items' must be a whole number"),
        (lambda: engine.tau("a", "b", lists="a"), "'lists' must be"),
        (lambda: engine.tauAP("a", "b", "up"), "'decreasing'"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            wrong()


def test_all_groups_are_one_batch(monkeypatch, rng):
    calls = []
    monkeypatch.setattr(
        engine, "of_batch", lambda *arguments: calls.append(1) or ircor.tables._streams.of_batch(*arguments)
    )
    frame = pl.DataFrame({"g": rng.integers(0, 1000, 5000), "a": rng.random(5000), "b": rng.random(5000)})
    frame.group_by("g").agg(engine.tau_b("a", "b"))
    frame.select(engine.tau_b("a", "b").over("g"))
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.modules['polars'] = None", "ircor.polars needs polars: "),
        ("import polars; polars.__version__ = '1.35.2'", "ircor.polars needs Polars 1.36 or newer, not 1.35.2: "),
    ],
)
def test_polars_is_needed_and_not_an_old_one(code, said):
    command = [sys.executable, "-c", f"{code}; import ircor; ircor.tau_b; ircor.polars"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert said in last
    assert last.endswith("-m pip install 'ircor[polars]'")
