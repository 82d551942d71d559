"""`ircor.compare`: two tables of scores of the same systems."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor import _scores
from ircor.rank_distance import discriminative_power, drank_test

SHORT = {"resamples": 300, "seed": 7}


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


def test_a_tie_in_a_resample_leaves_the_value_without_an_interval():
    A, B = ircor.sample("map"), ircor.sample("recip_rank")
    rows = ircor.compare(A, B, **SHORT).coefficients.set_index("coefficient")
    assert rows.loc["tau", "value"] == ircor.tau(A.mean(), B.mean())
    assert np.isnan(rows.loc["tau", "low"])
    assert rows.loc["tau", "note"] == "two systems have the same mean in a sample of topics"
    assert rows.loc["tau_b", "low"] < rows.loc["tau_b", "high"]


def test_distance_and_power_are_those_of_rank_distance(found):
    A, B = ircor.sample("map"), ircor.sample("P_10")
    # The means come in tenths of fiftieths, and some are equal but for rounding.
    means = B.mean().round(10)
    expected = drank_test(means, A, **SHORT)
    assert found.distance.statistic == pytest.approx(expected.statistic)
    assert found.distance.pvalue == expected.pvalue
    assert found.discriminative_power == discriminative_power(means, A)


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
    found = ircor.compare(A, B, resamples=10, seed=1)
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
    ircor.compare(ircor.sample("map"), ircor.sample("P_10"), names=("map", "P_10"), resamples=20, seed=1)
    assert checked == ["map", "P_10"]


def test_frames_are_matched_by_name_and_arrays_by_position():
    A, B = ircor.sample("map"), ircor.sample("ndcg")
    expected = ircor.compare(A, B, **SHORT)
    shuffled = B.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=2)
    assert ircor.compare(A, shuffled, **SHORT).as_dict() == expected.as_dict()
    of_arrays = ircor.compare(A.to_numpy(), B.to_numpy(), **SHORT)
    assert of_arrays.distance.statistic == pytest.approx(expected.distance.statistic, rel=1e-12)
    assert of_arrays.systems["system"].iloc[0] == list(A.columns).index("J2")


def test_other_topics_mean_no_intervals_and_a_note():
    scores = ircor.sample("map")
    for A, B in (
        (scores.iloc[:25], scores.iloc[25:]),
        (scores.iloc[:25], scores.iloc[:20]),
        (scores.to_numpy()[:25], scores.to_numpy()[:20]),
    ):
        found = ircor.compare(A, B, **SHORT)
        assert found.notes == ("the two have different topics, so there are no intervals from resampled topics",)
        assert found.coefficients["low"].isna().all()
        assert found.coefficients["note"].tolist() == [""] * 4
        assert "resamples of topics" not in found.conclusion


def test_the_conclusions():
    A = ircor.sample("map")
    same = ircor.compare(A, A, **SHORT).conclusion
    assert same.startswith("B ranks the systems as A does: d_rank = 0.000, p = 1.0000, tau_b = 1.000 (1.000 to 1.000")
    assert same.endswith("and of the pairs of systems that differ significantly it orders 100% alike.")
    alike = ircor.compare(A, ircor.sample("P_10"), **SHORT).conclusion
    assert "B does not differ from A by more than another sample of topics explains: d_rank" in alike
    unlike = ircor.compare(A, ircor.sample("recip_rank"), **SHORT).conclusion
    assert "by more than another sample of topics explains: d_rank" in unlike
    assert "p < 0.0033" in unlike


def test_ties_in_the_conclusion():
    A = ircor.sample("map")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ircor.compare(A, A * 0 + 0.5, **SHORT)
    said = found.conclusion
    assert said.startswith("B contradicts no order of A, but 435 pairs are tied in only one of them")
    assert "tau_b = undefined" in said
    assert "nan" not in said
    flat = ircor.compare(A * 0 + 0.5, A * 0 + 0.5, **SHORT)
    assert "differ significantly" not in flat.conclusion


def test_few_resamples_prove_nothing():
    A, B = ircor.sample("map"), ircor.sample("recip_rank")
    for resamples, significant in ((18, False), (19, True)):
        found = ircor.compare(A, B, resamples=resamples, seed=1)
        assert found.distance.pvalue == 0
        assert ("differently from" in found.conclusion) == significant


def test_the_seed_repeats_it_and_is_reported():
    A, B = ircor.sample("map"), ircor.sample("ndcg")
    drawn = ircor.compare(A, B, resamples=50)
    again = ircor.compare(A, B, resamples=50, seed=drawn.seed, n_jobs=2)
    assert again.as_dict() == drawn.as_dict()
    assert ircor.compare(A, B, resamples=50).seed != drawn.seed


def test_it_prints_shows_and_draws_itself(found):
    text = str(found)
    headings = ["system", "mean map", "mean P_10", "rank map", "rank P_10", "move"]
    assert re.split(" {2,}", text.splitlines()[0]) == headings
    assert text.endswith(found.conclusion)
    assert repr(found) == f"<Comparison of map and P_10: {found.conclusion}>"
    html = found._repr_html_()
    assert html.count("<table>") == 3
    assert "<td>J2</td>" in html
    ax = found.plot()
    assert ax.get_title().replace("\n", " ") == "Places of 30 items by map and by P_10"
    from matplotlib import pyplot as plt

    plt.close(ax.figure)


def test_names_of_systems_are_escaped():
    scores = ircor.sample("map").rename(columns={"A1": "<script>alert(1)</script>"})
    html = ircor.compare(scores, scores, names=("<b>", "&"), resamples=10, seed=1)._repr_html_()
    assert "<script>" not in html
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in html
    assert "mean &lt;b&gt;" in html


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"names": "AB"}, "'names' must be two names"),
        ({"names": ["a", "b", "c"]}, "'names' must be two names"),
        ({"B": ircor.sample("map").drop(columns="A1")}, "'B' does not have the systems 'A1' of 'A'"),
        ({"B": ircor.sample("map").rename(columns={"A1": "X"})}, "'B' does not have the systems 'A1' of 'A'"),
        ({"A": ircor.sample("map")[["A1"]]}, "'A' must have two systems or more, not 1"),
        ({"A": ircor.sample("map").replace(0.5, np.nan).iloc[:1]}, "'A' must have two topics or more, not 1"),
        ({"resamples": 0}, "'resamples' must be 1 or more, not 0"),
    ],
)
def test_bad_input_is_refused(change, words):
    given = {"A": ircor.sample("map"), "B": ircor.sample("map"), "resamples": 10} | change
    with pytest.raises(ValueError, match=words):
        ircor.compare(given.pop("A"), given.pop("B"), **given)
