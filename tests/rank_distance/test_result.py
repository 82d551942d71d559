"""How the result of the test is printed, shown in a notebook, and written as data."""

import numpy as np
import pandas as pd

from ircor.published._papers import SCORES
from ircor.rank_distance import DrankNull, DrankResult, drank, drank_test

AP = SCORES["AP"]
P10 = SCORES["P10"].mean(axis=0)


def test_the_result_names_the_systems():
    X = pd.DataFrame(AP, columns=list("ABC"), index=[701, 702, 703, 704])
    y = pd.Series({"C": 0.7, "A": 0.5, "B": 0.75})
    result = drank_test(X, y, null="resample", seed=2)
    assert result.statistic == drank(AP, P10)
    assert result.order == ("B", "C", "A")
    assert result.equalised == (("B", "C"),)
    assert result.theta[0] == 0
    assert round(result.theta[1], 3) == 0.322  # section 3.1
    assert result.pvalue == DrankNull(X, null="resample", seed=2).pvalue(result.statistic)
    assert (result.resamples, result.ridge) == (10_000, 0)
    assert str(result).splitlines()[0].startswith("rank distance 0.6508, p = 0.2")
    assert str(result).splitlines()[1] == "made equal: B = C"
    assert result.seed == 2
    reverse = drank_test(X, [3, 2, 1], null="resample", seed=2, resamples=100)
    assert str(reverse) == "rank distance 4.883, p = 0.0099 (null: 100 resamples of the topics)\nmade equal: A = B = C"
    assert str(drank_test(X, [1, 2, 3], null="resample", seed=2, resamples=100)).splitlines()[1:] == [
        "made equal: none"
    ]


def result_of(**changes):
    fields = {
        "statistic": 0.65,
        "pvalue": 0.2,
        "order": ("B", "C", "A", "E", "D"),
        "theta": np.zeros(4),
        "equalised": (("B", "C"), ("E", "D")),
        "null": "resample",
        "topics": 4,
        "resamples": 1000,
        "ridge": 1e-5,
        "shrinkage": 0.0,
        "seed": 7,
    }
    return DrankResult(**fields | changes)


def test_chains_of_equal_systems_are_joined():
    assert str(result_of()).splitlines() == [
        "rank distance 0.65, p = 0.2000 (null: 1000 resamples of the topics, ridge 1e-05)",
        "made equal: B = C, E = D",
    ]
    assert str(result_of(null="two-sample", ridge=0.0, shrinkage=0.1234)).splitlines()[0] == (
        "rank distance 0.65, p = 0.2000 (null: 1000 pairs of samples of topics, shrinkage 0.12)"
    )
    chain = result_of(equalised=(("B", "C"), ("C", "A"), ("E", "D")))
    assert str(chain).endswith("made equal: B = C = A, E = D")


def test_tables_for_the_screen():
    test, equal = result_of(pvalue=0.0).tables()
    assert (test.key, equal.key) == ("test", "made_equal")
    assert test.shown() == [
        {
            "d_rank": "0.6500",
            "p-value": "< 0.001",
            "null": "resample",
            "resamples": "1000",
            "ridge": "1e-05",
            "shrinkage": "0.0000",
        }
    ]
    assert equal.shown() == [{"made equal": "B", "and": "C"}, {"made equal": "E", "and": "D"}]
    assert test.records() == [
        {"statistic": 0.65, "pvalue": 0.0, "null": "resample", "resamples": 1000, "ridge": 1e-5, "shrinkage": 0.0}
    ]
    assert equal.records() == [{"better": "B", "worse": "C"}, {"better": "E", "worse": "D"}]
    assert result_of().tables()[0].shown()[0]["p-value"] == "0.2000"
    (test,) = result_of(equalised=(), ridge=0.0).tables()
    assert test.shown()[0]["ridge"] == "0"


def test_all_of_it_as_data():
    assert result_of().as_dict() == {
        "statistic": 0.65,
        "pvalue": 0.2,
        "null": "resample",
        "topics": 4,
        "resamples": 1000,
        "ridge": 1e-5,
        "shrinkage": 0.0,
        "order": ("B", "C", "A", "E", "D"),
        "made_equal": (("B", "C"), ("E", "D")),
        "seed": 7,
    }


def test_it_can_be_shown_in_a_notebook():
    html = result_of(equalised=(("<B>", "C"),))._repr_html_()
    assert "<td>&lt;B&gt;</td><td>C</td>" in html
    assert "<p>rank distance 0.65, p = 0.2000 (null: 1000 resamples of the topics, ridge 1e-05)</p>" in html
    assert "theta" not in repr(result_of())


def test_results_are_compared_by_identity():
    # Their arrays have no truth value.
    result = result_of()
    assert result == result
    assert len({result, result_of()}) == 2
