"""Rankings by several transformations, and the topics that make them differ."""

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.averages import OrderChange, mean_log, robustness_to_transform, transformed_mean
from ircor.data._scores import Scores


@pytest.fixture
def scores(rng):
    values = np.clip(rng.beta(0.7, 1.5, (40, 12)) * rng.uniform(0.6, 1, 12), 0, 1)
    values[rng.random((40, 12)) < 0.05] = 0
    return pd.DataFrame(values, columns=[f"s{k}" for k in range(12)], index=[f"t{k}" for k in range(40)])


@pytest.mark.parametrize("method", ["tau_b", "tauAP_b", "tauAP_a", "tau"])
def test_rankings_and_their_correlations(scores, method):
    report = robustness_to_transform(scores, method=method)
    assert report.transforms == ("identity", "log", "logit", "probit", "rank")
    for k, name in enumerate(report.transforms):
        mean = transformed_mean(scores, name, eps=1e-5)
        np.testing.assert_allclose(report.means[k], mean)
        assert report.rankings[name] == tuple(mean.sort_values(ascending=False).index)
    function = getattr(ircor, method)
    means = [transformed_mean(scores, name, eps=1e-5, inverse=False) for name in report.transforms]
    np.testing.assert_allclose(report.correlations, [[function(x, y) for y in means] for x in means], atol=1e-12)


def test_changes_of_order_and_the_topics_that_decide_them(scores):
    report = robustness_to_transform(scores, ["identity", "log"])
    first, second = scores.mean(), mean_log(scores)
    expected = {(a, b) for a in scores for b in scores if first[a] > first[b] and second[a] < second[b]}
    assert {(change.better, change.worse) for change in report.changes} == expected
    assert len(expected) > 5
    for change in report.changes:
        # Without these topics the order is that of the mean; with the last of them it is not.
        without = mean_log(scores.drop(index=list(change.topics)))
        assert without[change.better] >= without[change.worse]
        with_one = mean_log(scores.drop(index=list(change.topics[:-1])))
        assert with_one[change.better] < with_one[change.worse]


def test_means_that_differ_by_rounding_alone_are_no_change(rng):
    for _ in range(50):
        column = rng.integers(0, 11, 20) / 10
        table = np.column_stack([rng.permutation(column) for _ in range(4)])
        report = robustness_to_transform(table, ["identity", "log", (np.square, np.sqrt)])
        assert report.changes == ()
        assert np.isnan(report.correlations).all()


def test_functions_can_be_compared_too(scores):
    report = robustness_to_transform(scores, ["identity", (lambda x: x**2, np.sqrt), (lambda x: x**3, np.cbrt)])
    assert report.transforms == ("identity", "function 1", "function 2")
    with pytest.raises(TypeError, match="a name or a pair of functions"):
        robustness_to_transform(scores, ["identity", np.log])


def test_it_prints_well(scores):
    text = str(robustness_to_transform(scores, ["identity", "log"], "tau_b"))
    lines = text.splitlines()
    assert lines[0].split() == ["tau_b", "identity", "log"]
    assert lines[1].split()[:2] == ["identity", "1.0000"]
    assert lines[3].startswith("log ranks ")
    assert lines[3].endswith(" of 66 pairs in the opposite order of identity")
    assert " above " in lines[4]
    # Three changes, however many there are.
    assert len(lines) == 7
    assert all(line.startswith("  s") for line in lines[4:])


def test_a_report_as_text_html_and_data(scores):
    report = robustness_to_transform(scores, ["identity", "log", "rank"], "tau_b")
    correlations, changes = report.tables()
    assert [column.heading for column in correlations.columns] == ["tau_b", "identity", "log", "rank"]
    assert correlations.frame().set_index("transform").to_numpy().tolist() == report.correlations.tolist()
    assert len(changes.rows) == len(report.changes)
    first = report.changes[0]
    assert changes.records()[0] == {
        "transform": first.transform,
        "worse": first.worse,
        "better": first.better,
        "topics": first.topics,
    }
    assert list(report.as_dict()) == ["method", "correlations", "changes"]
    assert report.as_dict()["method"] == "tau_b"
    by_log = [change for change in report.changes if change.transform == "log"]
    by_rank = [change for change in report.changes if change.transform == "rank"]
    assert report.sentences() == [
        f"log ranks {len(by_log)} of 66 pairs in the opposite order of identity",
        f"rank ranks {len(by_rank)} of 66 pairs in the opposite order of identity",
    ]
    lines = str(report).splitlines()
    assert lines[5:8] == [f"  {str(change).removeprefix('log ranks ')}" for change in by_log[:3]]
    html = report._repr_html_()
    assert html.count("<table>") == 3
    assert html.count("<tr><td>log</td>") == 4  # one row of correlations and three changes
    assert f"<p>{report.sentences()[1]}</p>" in html
    assert "correlations" not in repr(report)


def test_a_report_without_changes():
    report = robustness_to_transform([[0.1, 0.2], [0.3, 0.4]], ["identity", "log"], "tau")
    assert str(report).splitlines()[-1] == "log ranks 0 of 1 pairs in the opposite order of identity"
    assert report.as_dict()["changes"] == []
    assert report._repr_html_().count("<table>") == 1


def test_a_change_as_text_html_and_data():
    change = OrderChange("A", "<B>", "log", (401, 402))
    assert str(change) == "log ranks <B> above A because of topics 401, 402"
    assert str(OrderChange("A", "B", "log", (401,))) == "log ranks B above A because of topic 401"
    assert "<td>log</td><td>&lt;B&gt;</td><td>A</td><td>401, 402</td>" in change._repr_html_()
    assert change.as_dict() == {"change": [{"transform": "log", "worse": "<B>", "better": "A", "topics": (401, 402)}]}
    assert change == OrderChange("A", "<B>", "log", (401, 402)) != OrderChange("A", "<B>", "log", (401,))


def test_scores_are_not_checked_again(scores, monkeypatch):
    table = Scores.of(scores)
    expected = robustness_to_transform(scores).means
    monkeypatch.setattr("ircor.data._scores.number_table", lambda *_: pytest.fail("checked again"))
    np.testing.assert_array_equal(robustness_to_transform(table).means, expected)


def test_two_systems_with_one_name_and_one_topic_are_allowed():
    report = robustness_to_transform(pd.DataFrame([[0.5, 0.1]], columns=["A", "A"]), ["identity", "log"])
    assert report.rankings == {"identity": ("A", "A"), "log": ("A", "A")}


def test_robustness_refuses_bad_arguments(scores):
    for arguments, words in [
        ((scores["s0"],), "'scores' must have two dimensions"),
        ((scores, pd.Series(["log"])), "'transforms' must be a list of one transformation or more"),
        ((scores, np.array(["log", "identity"])), "'transforms' must be a list of one transformation or more"),
        ((scores, ["log"], scores), "'method' must be one of tau, tau_a"),
        ((scores.replace(0, -1), ["log"]), "'scores' must be positive for the log: -1.0 for topic 't"),
        ((scores, ["log"], "spearman"), "'method' must be one of tau, tau_a"),
        ((scores, []), "one transformation or more"),
        ((scores, "log"), "a list of one transformation or more, not 'log'"),
        ((scores[["s0"]],), "'scores' must have two systems or more, not 1"),
        ((scores, ["log", "log"]), "must be different"),
    ]:
        with pytest.raises(ValueError, match=words):
            robustness_to_transform(*arguments)
