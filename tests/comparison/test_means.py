"""`compare_means`: the mean and the geometric mean over topics."""

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.averages import gmean
from ircor.comparison import compare_means


def test_means_ranks_and_their_agreement():
    scores = ircor.sample("map")
    found = compare_means(scores, zeros="trec_eval", eps=0.001)
    table = found.systems.set_index("system")
    assert list(table.columns) == ["mean", "gmean", "rank_by_mean", "rank_by_gmean"]
    expected = gmean(scores, zeros="trec_eval", eps=0.001)
    for name in scores.columns:
        assert table.loc[name, "mean"] == pytest.approx(scores[name].mean(), rel=1e-12)
        assert table.loc[name, "gmean"] == pytest.approx(expected[name], rel=1e-12)
    np.testing.assert_array_equal(table["rank_by_mean"], range(1, 31))
    np.testing.assert_array_equal(table["rank_by_gmean"], (-expected).rank()[table.index])
    assert found.tauAP_b == ircor.tauAP_b(scores.mean(), expected)
    swapped = sum(
        (scores.mean()[a] - scores.mean()[b]) * (expected[a] - expected[b]) < 0
        for k, a in enumerate(scores.columns)
        for b in scores.columns[:k]
    )
    assert found.swapped == swapped > 0
    assert found.sentences() == [
        f"The two means order {swapped} of 435 pairs of systems in opposite ways; tauAP_b = {found.tauAP_b:.3f}."
    ]
    assert found.as_dict()["zeros"] == "trec_eval"
    assert found.as_dict()["eps"] == 0.001


def test_means_that_differ_by_rounding_share_a_rank():
    scores = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.0, 0.1, 0.1]})
    found = compare_means(scores)
    assert found.systems["rank_by_mean"].tolist() == [1.5, 1.5, 3]
    assert str(found).splitlines()[1].split()[3] == "1.5"


def test_one_system_and_arrays():
    one = compare_means(np.array([[0.5], [0.25]]))
    assert np.isnan(one.tauAP_b)
    assert one.sentences() == []
    assert one.systems["system"].tolist() == [0]


def test_it_shows_and_draws_itself():
    scores = ircor.sample("map")
    scores.attrs["missing"] = "a note"
    found = compare_means(scores)
    assert found.notes == ("a note",)
    assert repr(found).startswith("<MeansComparison of 30 systems: tauAP_b = 0.")
    assert "<th>geometric mean</th>" in found._repr_html_()
    ax = found.plot()
    assert ax.get_title().replace("\n", " ").startswith("Mean and geometric mean: ")
    from matplotlib import pyplot as plt

    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ([[0.5, -0.1], [0.2, 0.3]], {}, "-0.1"),
        ([[0.5, np.nan]], {}, "missing or infinite"),
        ([[0.5, 0.2]], {"zeros": "none"}, "'zeros' must be one of"),
        ([[0.5, 0.2]], {"eps": 0}, "'eps' must be"),
    ],
)
def test_bad_input_is_refused(scores, options, words):
    with pytest.raises(ValueError, match=words):
        compare_means(scores, **options)
