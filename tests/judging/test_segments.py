"""Judges of single answers: the coefficients of groups, intervals by leaving items out, and the permutation test."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ircor
from ircor.judging import segments
from ircor.judging._segments import permutation_pvalue

ITEMS, SYSTEMS = 12, 5


@pytest.fixture
def answers(rng):
    truth = rng.integers(0, 4, (ITEMS, SYSTEMS))
    columns = {
        "item": np.repeat([f"q{k}" for k in range(ITEMS)], SYSTEMS),
        "system": np.tile(list("ABCDE"), ITEMS),
        "truth": truth.ravel(),
        "good": np.round(truth + rng.normal(0, 0.5, truth.shape), 1).ravel(),
        "bad": rng.integers(0, 4, truth.size),
    }
    return pd.DataFrame(columns)


def row(result, judge, by, method="acc_eq"):
    (found,) = [one for one in result.values if (one.judge, one.by, one.method) == (judge, by, method)]
    return found


@pytest.mark.parametrize(("method", "epsilon"), [("acc_eq", 0.0), ("acc_eq", 0.3), ("tau_b", 0.0), ("tau_eq", 0.2)])
def test_values_are_those_of_the_groups(answers, method, epsilon):
    result = segments(answers, methods=[method], epsilon=epsilon, seed=1)
    function = getattr(ircor, method)
    options = {"epsilon": epsilon} if method.endswith("eq") else {}

    def of(part, judge):
        return function(part["truth"], part[judge], **options)

    for judge in ("good", "bad"):
        for by in ("item", "system"):
            values = [of(part, judge) for _, part in answers.groupby(by)]
            assert row(result, judge, by, method).value == pytest.approx(np.nanmean(values), abs=1e-12)
            assert row(result, judge, by, method).groups == np.count_nonzero(~np.isnan(values))
        assert row(result, judge, "all", method).value == pytest.approx(of(answers, judge), abs=1e-12)
    assert (result.items, result.systems, result.answers) == (ITEMS, SYSTEMS, ITEMS * SYSTEMS)


def test_intervals(answers):
    result = segments(answers, level=0.9, seed=1)
    by_item = [ircor.acc_eq(part["truth"], part["good"]) for _, part in answers.groupby("item")]
    low, high = stats.t.interval(0.9, ITEMS - 1, np.mean(by_item), stats.sem(by_item))
    found = row(result, "good", "item")
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)
    without = [answers[answers["item"] != item] for item in answers["item"].unique()]
    values = [np.mean([ircor.acc_eq(p["truth"], p["good"]) for _, p in part.groupby("system")]) for part in without]
    error = np.sqrt((ITEMS - 1) / ITEMS * ((values - np.mean(values)) ** 2).sum())
    found = row(result, "good", "system")
    width = stats.t.ppf(0.95, ITEMS - 1) * error
    assert (found.low, found.high) == pytest.approx((found.value - width, found.value + width), abs=1e-12)
    few = segments(answers[answers["item"].isin(["q0", "q1", "q2", "q3"])], seed=1)
    assert np.isnan([one.low for one in few.values]).all()


def test_differences_and_ranks(answers):
    result = segments(answers, seed=1)
    one, other = (
        np.array([ircor.acc_eq(part["truth"], part[judge]) for _, part in answers.groupby("item")])
        for judge in ("good", "bad")
    )
    found = result.differing[0]
    assert (found.judge, found.other, found.by) == ("good", "bad", "item")
    assert found.value == pytest.approx((one - other).mean(), abs=1e-12)
    sums = [abs(np.dot(signs, one - other)) for signs in product((1, -1), repeat=ITEMS)]
    assert found.pvalue == pytest.approx(np.mean(np.array(sums) >= sums[0] - 1e-9), abs=1e-12)
    assert {(r.judge, r.rank) for r in result.values if r.by == "item"} == {("good", 1), ("bad", 2)}
    assert [r.pvalue for r in result.differing[1:]] == [None, None]
    assert result.differing[1].value == row(result, "good", "system").value - row(result, "bad", "system").value
    three = answers.assign(copy=answers["good"])
    tested = [r for r in segments(three, seed=1).differing if r.by == "item"]
    assert [(r.judge, r.other) for r in tested] == [("good", "bad"), ("good", "copy"), ("bad", "copy")]
    # Holm: the least of three counts three times, and judges that are the same have p = 1.
    assert tested[0].pvalue == pytest.approx(min(1, 3 * found.pvalue), abs=1e-12)
    assert tested[1].pvalue == 1


def test_many_permutations_are_drawn():
    rng = np.random.default_rng(1)
    differences = rng.normal(0.3, 1, 40)
    p = permutation_pvalue(differences, 9999, np.random.default_rng(2))
    assert p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, abs=0.02)
    assert permutation_pvalue(differences * 0, 99, rng) == 1
    assert permutation_pvalue(np.ones(40), 99, rng) == 0.01


def test_undefined_groups_are_left_out(answers):
    constant = answers.assign(same=1.0)
    result = segments(constant, judges=["good", "same"], methods=["tau_b"], seed=1)
    assert row(result, "same", "item", "tau_b").groups == 0
    assert np.isnan(row(result, "same", "all", "tau_b").value)
    assert np.isnan(result.differing[0].value)
    assert result.differing[0].pvalue == 1
    tied = row(segments(constant, judges=["same"], seed=1), "same", "all").value
    assert tied == ircor.acc_eq(answers["truth"], np.ones(len(answers)))


def test_files_and_columns(answers, tmp_path):
    expected = segments(answers, seed=1).as_dict()
    for name, write in (
        ("a.csv", answers.to_csv),
        ("a.tsv", lambda path, index: answers.to_csv(path, sep="\t", index=index)),
        ("a.parquet", answers.to_parquet),
    ):
        write(tmp_path / name, index=False)
        assert segments(tmp_path / name, seed=1).as_dict() == expected
    other = answers.rename(columns={"item": "seg", "system": "mt", "truth": "mqm"}).assign(note="x")
    found = segments(other, "mqm", item="seg", system="mt", seed=1)
    assert found.coefficients.equals(segments(answers, seed=1).coefficients)


def test_refusals(answers):
    for table, options, message in (
        (answers, {"truth": "mqm"}, "'answers' has no column 'mqm'"),
        (answers, {"judges": ["truth"]}, "'judges' must be different columns, none of them the truth"),
        (answers[["item", "system", "truth"]], {}, "'judges' has no judges"),
        (pd.concat([answers, answers[:1]]), {}, "has two rows of item 'q0', system 'A'"),
        (answers.assign(good=np.nan), {}, "'answers' has a missing value in good, row 1"),
        (answers, {"epsilon": -1}, "'epsilon' must be a number from 0 up"),
        (answers, {"methods": ["pearson"]}, "'methods' must be one of tau"),
        (answers, {"methods": ["tau"]}, "contains ties"),
    ):
        with pytest.raises(ValueError, match=message):
            segments(table, **options)
    with pytest.raises(TypeError, match="must have numbers in the column 'note'"):
        segments(answers.assign(note="x"), judges=["note"])
    with pytest.raises(TypeError, match="'answers' must be a table with a row for each answer"):
        segments([1, 2])


def test_words(answers):
    text = str(segments(answers, seed=1))
    assert "60 answers of 5 systems to 12 items, by truth and 2 judges." in text
    assert "By acc_eq within items, no judge is significantly better than good." in text
    assert "within systems" in text
    alone = segments(answers, judges=["good"], seed=1)
    assert alone.sentences() == ["60 answers of 5 systems to 12 items, by truth and 1 judge."]
    assert alone.coefficients["rank"].tolist() == [None] * 3
    same = segments(answers.assign(bad=answers["good"]), seed=1)
    assert same.sentences()[1] == "By acc_eq within items, no judge is significantly better than another."
