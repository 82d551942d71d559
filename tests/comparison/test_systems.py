"""`ircor.compare`: two tables of scores of the same systems."""

import re
import warnings
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.data import _scores
from ircor.data._scores import Scores
from ircor.rank_distance import drank_test, tied_in_one
from ircor.reliability import topics_needed
from ircor.statistics import significant_pairs
from ircor.tables import bootstrap

SHORT = {"resamples": 300, "seed": 7}


def about_both(found):
    """The notes that are not on the reliability of one side."""
    return [note for note in found.notes if not note.startswith("the reliability of ")]


@pytest.fixture(scope="module")
def found():
    return ircor.compare(ircor.sample("map"), ircor.sample("P_10"), names=("map", "P_10"), **SHORT)


def test_coefficients_are_those_of_the_six_functions_with_the_bootstraps_intervals(found):
    A, B = ircor.sample("map"), ircor.sample("P_10")
    rows = found.coefficients.set_index("coefficient")
    assert list(rows.index) == ["tau", "tau_b", "tauAP", "tauAP_b"]
    for name in ("tau_b", "tauAP_b"):
        expected = ircor.bootstrap(A, B, name, **SHORT)
        assert rows.loc[name, "value"] == expected.statistic
        assert (rows.loc[name, "low"], rows.loc[name, "high"]) == (expected.low, expected.high)
        assert rows.loc[name, "note"] == ""
    for name in ("tau", "tauAP"):
        assert np.isnan(rows.loc[name, "value"])
        assert rows.loc[name, "note"] == "two systems have the same mean"


@pytest.mark.parametrize("target", ["expected", "sample", "population"])
def test_intervals_are_those_of_the_bootstrap_for_each_target(target):
    A, B = ircor.sample("map"), ircor.sample("recip_rank")
    found = ircor.compare(A, B, target=target, level=0.9, **SHORT)
    rows = found.coefficients.set_index("coefficient")
    assert found.target == found.as_dict()["target"] == target
    for name in ("tau", "tau_b", "tauAP", "tauAP_b"):
        assert rows.loc[name, "value"] == pytest.approx(getattr(ircor, name)(A.mean(), B.mean()))
        assert -1 <= rows.loc[name, "low"] < rows.loc[name, "high"] <= 1
        assert rows.loc[name, "note"] == ""
    first = bootstrap(A, B, "tau", target=target, level=0.9, **SHORT)
    assert tuple(rows.loc["tau", ["low", "high"]]) == (first.low, first.high)
    if target != "population":
        # The random numbers of the search are those of the coefficient's place among the others.
        for name in ("tau_b", "tauAP", "tauAP_b"):
            alone = bootstrap(A, B, name, target=target, level=0.9, **SHORT)
            assert tuple(rows.loc[name, ["low", "high"]]) == pytest.approx((alone.low, alone.high), abs=1e-12)


def test_distance_and_power_are_those_of_rank_distance(found):
    A, B = ircor.sample("map"), ircor.sample("P_10")
    # A fifth of the samples, but at least 99.
    expected = drank_test(A, B, null="two-sample", resamples=99, seed=7)
    assert found.distance.as_dict() == expected.as_dict()
    assert (found.distance.null, found.distance.topics, found.distance.resamples) == ("two-sample", 50, 99)
    # The means come in tenths of fiftieths, equal but for rounding.
    tests = significant_pairs(Scores.of(A), seed=7)
    means, others = A.mean().to_numpy(), B.mean().round(10).to_numpy()
    alike = np.sign(means[:, None] - means) == np.sign(others[:, None] - others)
    assert found.significant.significance.pvalues.tolist() == tests.pvalues.tolist()
    assert found.significant.share_in_same_order == alike[tests.signs > 0].mean() == 1
    (row,) = found.tables()[2].records()
    assert row == {
        "d_rank": expected.statistic,
        "p-value": expected.pvalue,
        "shrinkage": expected.shrinkage,
        "significant_pairs": 255,
        "in_same_order": 1.0,
        "soft_accuracy": found.soft_accuracy,
    }
    assert found.as_dict()["significant_pairs"] == {
        "count": 255,
        "in_same_order": 1.0,
        "test": "maximum",
        "alpha": 0.05,
    }
    assert found.as_dict()["d_rank"] == {
        key: expected.as_dict()[key] for key in ("statistic", "pvalue", "null", "shrinkage", "made_equal")
    }


def test_systems_stand_in_the_order_of_the_first(found):
    A, B = ircor.sample("map"), ircor.sample("P_10")
    systems = found.systems
    assert list(systems.columns) == ["system", "mean_a", "mean_b", "rank_a", "rank_b", "move"]
    assert systems["rank_a"].is_monotonic_increasing
    assert systems["system"].iloc[0] == "J2"
    np.testing.assert_allclose(systems["mean_a"], A.mean()[systems["system"]], rtol=1e-12)
    np.testing.assert_allclose(systems["mean_b"], B.mean()[systems["system"]], rtol=1e-12)
    np.testing.assert_array_equal(systems["move"], systems["rank_a"] - systems["rank_b"])
    assert systems.set_index("system").loc["H2", "move"] == 6
    expected = (-B.mean().round(10)).rank()[systems["system"]]
    np.testing.assert_array_equal(systems["rank_b"], expected)


def test_ties_in_the_first_are_listed_by_the_second_then_by_name():
    A = pd.DataFrame([[1, 1, 1, 0], [2, 2, 2, 0]], columns=list("bcad"))
    B = pd.DataFrame([[1, 3, 1, 0], [1, 3, 1, 0]], columns=list("bcad"))
    found = ircor.compare(A, B, resamples=100, seed=1)
    assert found.systems["system"].tolist() == ["c", "a", "b", "d"]
    assert found.systems["rank_a"].tolist() == [2, 2, 2, 4]
    assert found.systems["rank_b"].tolist() == [1, 2.5, 2.5, 4]


def test_scores_are_checked_once_for_each_table(monkeypatch):
    checked = []
    original = _scores.number_table

    def count(X, name):
        checked.append(name)
        return original(X, name)

    monkeypatch.setattr(_scores, "number_table", count)
    ircor.compare(ircor.sample("map"), ircor.sample("P_10"), names=("map", "P_10"), resamples=100, seed=1)
    assert checked == ["map", "P_10"]


def test_frames_are_matched_by_name_and_arrays_by_position():
    A, B = ircor.sample("map"), ircor.sample("ndcg")
    expected = ircor.compare(A, B, **SHORT)
    shuffled = B.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=2)
    assert ircor.compare(A, shuffled, **SHORT).as_dict() == expected.as_dict()
    of_arrays = ircor.compare(A.to_numpy(), B.to_numpy(), **SHORT)
    assert of_arrays.distance.statistic == pytest.approx(expected.distance.statistic, rel=1e-12)
    assert of_arrays.systems["system"].iloc[0] == list(A.columns).index("J2")


def test_other_topics_are_separate_samples():
    scores = ircor.sample("map")
    for A, B in (
        (scores.iloc[:25], scores.iloc[25:]),
        (scores.iloc[:25], scores.iloc[30:]),
        (scores.to_numpy()[:25], scores.to_numpy()[:20]),
    ):
        found = ircor.compare(A, B, **SHORT)
        assert about_both(found) == [
            "the two have different topics, so they are taken for two separate samples of topics"
        ]
        assert (found.coefficients["low"] < found.coefficients["value"]).all()
        assert (found.coefficients["value"] < found.coefficients["high"]).all()
        assert found.coefficients["note"].tolist() == [""] * 4
        assert found.distance.topics == len(B)
        assert f"samples of 25 and {len(B)} topics" in found.conclusion
        assert f"another sample of {len(B)} topics" in found.conclusion
    with pytest.raises(
        ValueError, match="'A' and 'B' have 20 topics in common and 5 not: keep the topics that both have"
    ):
        ircor.compare(scores.iloc[:25], scores.iloc[:20], **SHORT)
    numbers = scores.set_axis(scores.index.astype(int))
    with pytest.raises(
        ValueError, match="the topics of 'A' and 'B' are alike as text, but '401' is not 401: give both"
    ):
        ircor.compare(scores, numbers, **SHORT)
    # Topics of other names are others, even if their scores are the same.
    same = ircor.compare(scores, scores, **SHORT)
    renamed = ircor.compare(scores, scores.rename(index="other {}".format), **SHORT)
    assert same.notes == ()
    assert len(renamed.notes) == 1
    low = [found.coefficients["low"].min() for found in (same, renamed)]
    assert low[0] == 1 > 0.98 > low[1]


def test_the_conclusions():
    A = ircor.sample("map")
    same = ircor.compare(A, A, **SHORT).conclusion
    assert same.startswith("B ranks the systems exactly as A does. tau_b is 1.000; ")
    assert same.endswith("B orders 100% alike.")
    alike = ircor.compare(A, ircor.sample("P_10"), **SHORT)
    assert alike.distance.pvalue > 0.05
    assert "B does not rank the systems differently from A by more than another sample of 50 topics" in alike.conclusion
    unlike = ircor.compare(A, -ircor.sample("recip_rank"), **SHORT)
    assert unlike.distance.pvalue == 1 / 100
    assert "B ranks the systems differently from A, by more than another sample of 50 topics" in unlike.conclusion
    tau_b = alike.coefficients.set_index("coefficient").loc["tau_b"]
    assert f"between {tau_b['low']:.3f} and {tau_b['high']:.3f} (95% confidence interval)" in alike.conclusion


def test_a_table_that_ranks_no_systems():
    A = ircor.sample("map")
    flat = A * 0 + 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for pair, gives in (((A, flat), "B gives"), ((flat, A), "A gives"), ((flat, flat), "A and B give")):
            found = ircor.compare(*pair, **SHORT)
            assert found.conclusion == f"{gives} all systems the same score, which is no ranking."
            assert found.distance is None
            assert found.as_dict()["d_rank"] is None
            assert found.coefficients["value"].isna().all()
            assert found.coefficients["low"].isna().all()
            assert "undefined" in str(found)
            assert "nan" not in str(found)


def test_ties_in_the_conclusion():
    A = ircor.sample("map")
    B = A.copy()
    best, second = A.mean().sort_values().index[[-1, -2]]
    B[second] = B[best]
    found = ircor.compare(A, B, **SHORT)
    assert found.conclusion.startswith(
        "B contradicts no order of A, but 1 pair of systems is tied in only one of them."
    )
    assert found.distance.statistic == 0
    found = ircor.compare(B, A, **SHORT)
    assert found.conclusion.startswith(
        "B contradicts no order of A, but 1 pair of systems is tied in only one of them."
    )


def test_the_fewest_resamples_can_prove_a_difference():
    A, B = ircor.sample("map"), -ircor.sample("recip_rank")
    found = ircor.compare(A, B, resamples=1, seed=1)
    assert (found.distance.resamples, found.distance.pvalue) == (99, 1 / 100)
    assert ircor.compare(A, B, resamples=1000, seed=1).distance.resamples == 200
    assert "B ranks the systems differently from A" in found.conclusion


def test_the_seed_repeats_it_and_is_reported():
    A, B = ircor.sample("map"), ircor.sample("ndcg")
    drawn = ircor.compare(A, B, resamples=100)
    again = ircor.compare(A, B, resamples=100, seed=drawn.seed, n_jobs=2)
    assert again.as_dict() == drawn.as_dict()
    assert ircor.compare(A, B, resamples=100).seed != drawn.seed


def test_it_prints_shows_and_draws_itself(found):
    text = str(found)
    headings = ["system", "mean map", "mean P_10", "rank map", "rank P_10", "move"]
    assert re.split(" {2,}", text.splitlines()[0]) == headings
    assert text.endswith("\n\n".join(found.sentences()))
    assert found.sentences()[0] == found.conclusion
    assert repr(found) == f"<Comparison of map and P_10: {found.conclusion}>"
    html = found._repr_html_()
    assert html.count("<table>") == 4
    assert "<td>J2</td>" in html
    ax = found.plot()
    assert ax.get_title().replace("\n", " ") == "Places of 30 items by map and by P_10"
    from matplotlib import pyplot as plt

    plt.close(ax.figure)


def test_names_of_systems_are_escaped():
    scores = ircor.sample("map").rename(columns={"A1": "<script>alert(1)</script>"})
    html = ircor.compare(scores, scores, names=("<b>", "&"), resamples=100, seed=1)._repr_html_()
    assert "<script>" not in html
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in html
    assert "mean &lt;b&gt;" in html


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"names": "AB"}, "'names' must be two names or more"),
        ({"names": ["a", "b", "c"]}, "'names' must have one name for each of the 2 rankings, not a, b, c"),
        ({"B": ircor.sample("map").drop(columns="A1")}, "'B' does not have the systems 'A1' of 'A'"),
        ({"B": ircor.sample("map").rename(columns={"A1": "X"})}, "'B' does not have the systems 'A1' of 'A'"),
        ({"A": ircor.sample("map")[["A1"]]}, "'A' must have two systems or more, not 1"),
        ({"A": ircor.sample("map").replace(0.5, np.nan).iloc[:1]}, "'A' must have two topics or more, not 1"),
        ({"resamples": 0}, "'resamples' must be 1 or more, not 0"),
        ({"target": "mean"}, "'target' must be one of expected, sample, population, not 'mean'"),
        ({"level": 95}, "'level' must be between 0 and 1, not 95"),
    ],
)
def test_bad_input_is_refused(change, words):
    given = {"A": ircor.sample("map"), "B": ircor.sample("map"), "resamples": 100} | change
    with pytest.raises(ValueError, match=words):
        ircor.compare(given.pop("A"), given.pop("B"), **given)


def test_pairs_that_are_tied_in_both_are_not_counted():
    A = Scores.of([[4, 4, 3, 2, 1], [4, 4, 3, 2, 1]])
    B = Scores.of([[4, 4, 3, 3, 1], [4, 4, 3, 3, 1]])
    assert [tied_in_one(*pair) for pair in ((A, A), (A, B), (B, A), (B, B))] == [0, 1, 1, 0]


@pytest.mark.parametrize(("n", "m", "words"), [(14, 6, "fewer than 15 topics"), (15, 4, "fewer than 5 systems")])
def test_small_tables_are_noted(n, m, words, rng):
    A, B = rng.random((2, n, m))
    (note,) = about_both(ircor.compare(A, B, resamples=10, seed=1))
    assert words in note
    assert about_both(ircor.compare(*rng.random((2, 15, 5)), resamples=10, seed=1)) == []
    # Of two tables with different topics, the smaller one counts.
    apart = about_both(ircor.compare(rng.random((15, m)), rng.random((n, m)), resamples=10, seed=1))
    assert words in apart[0]


@pytest.mark.parametrize(("a", "b"), [("map", "recip_rank"), ("recip_rank", "P_10"), ("map", "map")])
def test_flips_are_significant_and_in_the_opposite_order(a, b):
    A, B = ircor.sample(a), ircor.sample(b)
    of_a, of_b = (significant_pairs(Scores.of(X), seed=1) for X in (A, B))
    expected = {
        (A.columns[x], A.columns[y]): bool(of_b.signs[x, y])
        for x, y in permutations(range(30), 2)
        if of_a.signs[x, y] > 0 and B.iloc[:, x].mean() < B.iloc[:, y].mean()
    }
    found = ircor.compare(A, B, resamples=60, seed=1)
    rows = found.flips
    assert dict(zip(zip(rows["better"], rows["worse"]), rows["significant"])) == expected
    assert bool(expected) == ((a, b) == ("map", "recip_rank"))
    for better, worse, one, other, _ in rows.itertuples(index=False):
        assert one == pytest.approx(A[better].mean() - A[worse].mean())
        assert other == pytest.approx(B[better].mean() - B[worse].mean())
    assert rows["difference_a"].is_monotonic_decreasing
    assert found.as_dict()["flips"] == rows.to_dict("records")


def test_everything_that_a_report_has_is_in_the_data(found):
    data = found.as_dict()
    assert (data["level"], data["topics"], data["notes"]) == (0.95, [50, 50], ())


def test_a_pair_that_is_tied_in_the_second_is_no_flip():
    A = ircor.sample("map")
    B = -A
    best, worst = A.mean().sort_values().index[[-1, 0]]
    flips = ircor.compare(A, B, resamples=60, seed=1).flips
    assert (best, worst) in set(zip(flips["better"], flips["worse"]))
    B[worst] = B[best]
    tied = ircor.compare(A, B, resamples=60, seed=1).flips
    assert (best, worst) not in set(zip(tied["better"], tied["worse"]))


@pytest.mark.parametrize(("resamples", "draws"), [(60, 400), (5999, 599)])
def test_the_reliability_of_both_is_that_of_topics_needed(resamples, draws):
    A, B = ircor.sample("map").iloc[:, :8], ircor.sample("P_10").iloc[:, :8]
    found = ircor.compare(A, B, names=("map", "P_10"), level=0.8, resamples=resamples, seed=7)
    rows = found.reliability
    assert list(rows.columns) == ["source", "topics", "expected", "low", "high"]
    assert rows["source"].tolist() == ["map", "P_10"]
    assert rows["topics"].tolist() == [50, 50]
    for row, side in zip(rows.itertuples(), (A, B)):
        known = topics_needed(side, level=0.8, resamples=draws, seed=7)
        assert (known.resamples, known.seed) == (draws, 7)
        assert (row.expected, row.low, row.high) == tuple(known.own)
    assert found.as_dict()["reliability"] == rows.to_dict("records")
    assert found.tables()[-1].records() == rows.to_dict("records")
    said = found.sentences()[2]
    for row in rows.itertuples():
        assert f"tau {row.expected:.3f} " in said
        assert f"{row.low:.3f} to {row.high:.3f}" in said
    assert said in str(found)


def test_the_reliability_of_separate_samples():
    scores = ircor.sample("map").iloc[:, :8]
    found = ircor.compare(scores.iloc[:20], scores.iloc[20:], **SHORT)
    assert found.reliability["topics"].tolist() == [20, 30]
    assert "A with 20 topics is expected" in found.sentences()[2]
    assert "and B with 30 topics with tau" in found.sentences()[2]


def test_a_table_without_a_ranking_or_with_two_topics_has_no_reliability():
    A = ircor.sample("map").iloc[:, :5]
    flat = A * 0 + np.linspace(0, 1, 50)[:, None]
    for pair, names in (((A, flat), ["A"]), ((flat, A), ["B"]), ((flat, flat), [])):
        found = ircor.compare(*pair, **SHORT)
        assert found.reliability["source"].tolist() == names
        assert len(found.sentences()) == 1 + bool(names)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        few = ircor.compare(A.iloc[:2], A.iloc[:2] ** 2, **SHORT)
        three = ircor.compare(A.iloc[:3], A.iloc[:3] ** 2, **SHORT)
        same_means = ircor.compare([[0, 1], [1, 0], [0, 1], [1, 0]], [[0, 1], [0, 1], [0, 1], [1, 0]], **SHORT)
    assert few.reliability.empty
    assert few.as_dict()["reliability"] == []
    assert len(three.reliability) == len(same_means.reliability) == 2
