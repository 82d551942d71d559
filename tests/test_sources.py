"""One way in: every function that takes scores takes them in all forms, and means the same by each."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ircor
from ircor import averages, comparison, organization, plots, reliability
from ircor.rank_distance import DrankNull, discriminative_power, drank, drank_test

SCORES = ircor.sample()[["map", "P_10"]].iloc[:16, list(range(10)) + list(range(30, 40))]
TOPICS, SYSTEMS = list(SCORES.index), list(SCORES["map"].columns)


def wide(measure, called="map"):
    table = SCORES[measure].copy()
    table.attrs["measure"] = called
    return table


def long(measures):
    parts = [SCORES[name].rename_axis("topic").rename_axis(columns="system").stack().rename(name) for name in measures]
    return pd.concat(parts, axis=1).rename_axis(columns="measure").stack().rename("value").reset_index()


def nested(measures):
    return {
        system: {
            topic: {measure: float(SCORES[measure].loc[topic, system]) for measure in measures} for topic in TOPICS
        }
        for system in SYSTEMS
    }


def tidy(measures):
    return long(measures).pivot(index=["topic", "system"], columns="measure", values="value")[measures]


def a_folder(measures, folder):
    for system in SYSTEMS:
        lines = [f"{m}\t{t}\t{float(SCORES[m].loc[t, system])!r}\n" for t in TOPICS for m in measures]
        (folder / f"{system}.eval").write_text("".join(lines))
    return folder


def a_file(measures, folder):
    long(measures).to_csv(folder / "long.csv", index=False)
    return str(folder / "long.csv")


def a_json(measures, folder):
    (folder / "scores.json").write_text(json.dumps(nested(measures)))
    return folder / "scores.json"


FORMS = {
    "long": lambda measures, folder: long(measures),
    "long, some rows": lambda measures, folder: long(["map", "P_10"]).query("measure in @measures"),
    "Polars": lambda measures, folder: pl.from_pandas(long(measures)),
    "Arrow": lambda measures, folder: pa.Table.from_pandas(long(measures)),
    "tidy": lambda measures, folder: tidy(measures).reset_index(),
    "two levels of rows": lambda measures, folder: tidy(measures),
    "mapping": lambda measures, folder: nested(measures),
    "file": a_file,
    "JSON": a_json,
    "folder": a_folder,
    "files": lambda measures, folder: sorted(map(str, a_folder(measures, folder).iterdir())),
}

OF_ONE = {
    "bootstrap": lambda X: ircor.bootstrap(X, wide("P_10"), resamples=200, seed=1),
    "bootstrap, second": lambda X: ircor.bootstrap(wide("map"), X, resamples=200, seed=1),
    "compare": lambda X: ircor.compare(X, wide("P_10"), resamples=200, seed=1),
    "compare, second": lambda X: ircor.compare(wide("P_10"), X, resamples=200, seed=1),
    "expected": lambda X: reliability.expected(X),
    "topics_needed": lambda X: reliability.topics_needed(X, resamples=100, seed=1),
    "expected_curve": lambda X: reliability.expected_curve(X, [10, 20]).tolist(),
    "generalizability": lambda X: reliability.generalizability(X),
    "summary": lambda X: reliability.summary(X, resamples=100, seed=1),
    "drank": lambda X: drank(X, wide("P_10")),
    "drank, ranking": lambda X: drank(wide("P_10"), X),
    "drank_test": lambda X: drank_test(X, wide("P_10"), resamples=100, seed=1),
    "drank_test, ranking": lambda X: drank_test(wide("P_10"), X, resamples=100, seed=1),
    "DrankNull": lambda X: DrankNull(X, resamples=100, seed=1),
    "discriminative_power": lambda X: discriminative_power(X, wide("P_10")),
    "compare_means": lambda X: comparison.compare_means(X),
    "gmean": lambda X: averages.gmean(X),
    "transformed_mean": lambda X: averages.transformed_mean(X, "log", eps=0.01),
    "robustness_to_transform": lambda X: averages.robustness_to_transform(X),
    "judges": lambda X: ircor.judges(None, X, {"judge": wide("P_10")}, name="truth", resamples=200, seed=1),
    "judges, judge": lambda X: ircor.judges(None, wide("P_10"), {"judge": X}, resamples=200, seed=1),
}

OF_SEVERAL = {
    "compare": lambda X: ircor.compare(X, measures=["map", "P_10"], resamples=200, seed=1),
    "tabulate": lambda X: comparison.tabulate(X),
    "strictness": lambda X: organization.strictness(X),
    "robustness": lambda X: organization.robustness(X),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("function", OF_ONE)
def test_scores_in_any_form(function, form, tmp_path):
    assert words(OF_ONE[function](FORMS[form](["map"], tmp_path))) == words(OF_ONE[function](wide("map")))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("function", OF_SEVERAL)
def test_several_measures_in_any_form(function, form, tmp_path):
    found = OF_SEVERAL[function](FORMS[form](["map", "P_10"], tmp_path))
    assert words(found) == words(OF_SEVERAL[function](SCORES))


def words(result):
    """The result as text."""
    return str(result)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("function", [name for name in OF_ONE if not name.startswith("judges")])
def test_several_measures_are_refused_where_one_is_needed(function, form, tmp_path):
    with pytest.raises(ValueError, match=r"has several measures, (map, P_10|P_10, map): choose one, such as .*read_sc"):
        OF_ONE[function](FORMS[form](["map", "P_10"], tmp_path))


MEANS = wide("P_10").mean().to_dict()


@pytest.mark.parametrize("function", ["bootstrap", "compare", "expected", "drank", "DrankNull", "compare_means"])
def test_numbers_without_topics_are_refused_where_topics_are_needed(function):
    with pytest.raises(
        (ValueError, TypeError), match="one number for each system, and no scores by topic|comes second"
    ):
        OF_ONE[function](MEANS)


def test_a_ranking_is_a_mapping_of_systems_to_numbers():
    backwards = dict(reversed(MEANS.items()))
    assert drank(wide("map"), backwards) == drank(wide("map"), wide("P_10"))
    assert discriminative_power(wide("map"), backwards) == discriminative_power(wide("map"), wide("P_10"))
    of_mapping, of_series = (plots.moves(one, MEANS) for one in (backwards, wide("P_10").mean()[::-1]))
    found, expected = ([label.get_text() for label in ax.get_xticklabels()] for ax in (of_mapping, of_series))
    assert len(set(found)) > 1
    assert found == expected
    with pytest.raises(ValueError, match="'y' does not have the systems"):
        drank(wide("map"), dict(list(MEANS.items())[1:]))


def test_missing_scores_name_the_reader_that_has_the_option():
    scores = nested(["map"])
    del scores["A1"]["401"]
    with pytest.raises(ValueError, match="no map for topic 401; .*these are options of ircor.trec.read_scores"):
        reliability.expected(scores)


def test_two_measures_of_two_sources(tmp_path):
    one, other = nested(["map", "P_10"]), a_file(["map", "P_10"], tmp_path)
    expected = ircor.compare(wide("map"), wide("P_10"), names=["map", "P_10"], resamples=200, seed=1)
    assert str(ircor.compare(one, other, measures=["map", "P_10"], resamples=200, seed=1)) == str(expected)
    same = ircor.compare(one, other, measures="map", resamples=200, seed=1)
    assert same.names == ("A", "B")
    assert (same.systems["move"] == 0).all()
    with pytest.raises(ValueError, match="'measures' must be one or two, that of A and that of B, not 3"):
        ircor.compare(one, other, measures=["map", "P_10", "ndcg"])


def test_three_measures():
    scores = ircor.sample()
    found = ircor.compare(scores, measures=["map", "recip_rank", "ndcg"], resamples=200, seed=1)
    assert [pair.names for pair in found.pairs] == [("map", "recip_rank"), ("map", "ndcg"), ("recip_rank", "ndcg")]
    for a, b in (("map", "ndcg"), ("recip_rank", "ndcg")):
        alone = ircor.compare(scores[a], scores[b], names=(a, b), resamples=200, seed=1)
        assert str(found.pair(a, b)) == str(alone)
    np.testing.assert_array_equal(
        found.table.coefficients, comparison.tabulate(scores[["map", "recip_rank", "ndcg"]]).coefficients
    )
    assert "ndcg does not rank the systems differently from map" in str(found)
    record = found.as_dict()
    assert [pair["conclusion"] for pair in record["pairs"]] == [pair.conclusion for pair in found.pairs]
    with pytest.raises(ValueError, match="no comparison of ndcg and map: there are those of map and recip_rank"):
        found.pair("ndcg", "map")
    named = ircor.compare(scores, measures=["map", "ndcg", "P_10"], names=["x", "y", "z"], resamples=200, seed=1)
    assert [pair.names for pair in named.pairs] == [("x", "y"), ("x", "z"), ("y", "z")]


@pytest.mark.parametrize(
    ("A", "options", "said"),
    [
        (SCORES["map"].copy(), {}, "nothing to compare 'A' with: it does not name its measures"),
        (wide("map"), {}, "nothing to compare 'A' with: it has map: choose two of its measures"),
        (ircor.sample(), {}, "nothing to compare 'A' with: it has map, P_10, ndcg, recip_rank: choose two"),
        (ircor.sample(), {"measures": "map"}, "nothing to compare 'A' with: it has map"),
        (ircor.sample(), {"measures": ["map", "mpa"]}, "no values of the measure 'mpa' in 'A'; did you mean 'map'"),
        (SCORES, {"names": ["a", "b", "c"]}, "'names' must have one name for each of the 2 rankings, not a, b, c"),
        (SCORES, {"measures": 3}, "'measures' must be the name of a measure, or a list of names"),
    ],
)
def test_nothing_to_compare(A, options, said):
    with pytest.raises((ValueError, TypeError), match=said):
        ircor.compare(A, **options)
