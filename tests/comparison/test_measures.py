"""`tabulate`: all measures against each other."""

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.comparison import tabulate
from ircor.rank_distance import drank

MEASURES = ["map", "P_10", "ndcg", "recip_rank"]


def test_a_frame_of_measures_and_a_mapping_say_the_same():
    scores = ircor.sample()
    means = pd.DataFrame({measure: scores[measure].mean() for measure in MEASURES})
    expected = ircor.cor(means.round(10), method="tauAP_b")
    shuffled = {name: scores[name].sample(frac=1, axis=1, random_state=k) for k, name in enumerate(MEASURES)}
    for given in (scores, {name: scores[name] for name in MEASURES}, shuffled):
        found = tabulate(given, "tauAP_b")
        assert found.method == "tauAP_b"
        assert list(found.coefficients.columns) == MEASURES
        np.testing.assert_allclose(found.coefficients, expected, atol=1e-12)
        assert found.distances is None
        assert found.sentences() == []


def test_distances_stand_below_the_diagonal():
    scores = ircor.sample()
    found = tabulate(scores, "tau_b", drank=True)
    assert found.distances.loc["ndcg", "map"] == drank(scores["map"], scores["ndcg"])
    assert np.isnan(found.distances.to_numpy()[np.triu_indices(4)]).all()
    cells = np.array(found.as_dict()["table"])
    np.testing.assert_array_equal(cells[np.triu_indices(4)], found.coefficients.to_numpy()[np.triu_indices(4)])
    np.testing.assert_array_equal(cells[np.tril_indices(4, -1)], found.distances.to_numpy()[np.tril_indices(4, -1)])


def test_items_by_rankings():
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 2, 4, 3]})
    found = tabulate(frame, "tauAP", decreasing=False)
    assert found.coefficients.loc["a", "b"] == ircor.tauAP(frame["a"], frame["b"], decreasing=False)
    assert found.as_dict()["names"] == ["a", "b"]


NO_RANKING = "flat has the same mean for all systems, which is no ranking: its coefficients and distances are undefined"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_measure_that_is_the_same_for_all_systems_has_no_distance(place):
    scores = {name: ircor.sample(name) for name in ("map", "ndcg")}
    # The scores differ, and so do the means by rounding, as those of 0.1, 0.2 and 0.3 in another order.
    topics = np.resize([0.1, 0.2, 0.3], 48)
    columns = [np.roll(topics, k) if k % 2 else topics for k in range(30)]
    flat = pd.DataFrame(np.transpose(columns), columns=scores["map"].columns)
    names = [*scores]
    names.insert(place, "flat")
    found = tabulate({name: scores.get(name, flat) for name in names}, "tau_b", drank=True)
    assert found.unranked == ("flat",)
    assert found.other_topics == (("map", "ndcg") if place == 0 else ("flat",))
    assert found.notes[-1] == NO_RANKING
    # It also has 48 topics, and the others 50.
    assert {note.endswith("have different topics") for note in found.notes[:-1]} == {True}
    assert found.distances.loc["ndcg", "map"] == drank(scores["map"], scores["ndcg"])
    assert np.isnan(found.distances["flat"]).all()
    assert np.isnan(found.distances.loc["flat"]).all()
    # R's rule: a coefficient is undefined where all items are tied.
    assert np.isnan(found.coefficients["flat"]).all()
    assert np.isnan(found.coefficients.loc["flat"]).all()
    assert found.coefficients.loc["map", "ndcg"] == tabulate(scores).coefficients.loc["map", "ndcg"]
    assert np.isnan(found.cells).sum() == 5
    text = str(found)
    assert text.count("undefined") == 5 + 1
    assert text.endswith(f"Note: {NO_RANKING}")
    assert found._repr_html_().count("<td>undefined</td>") == 5
    assert f"<p>Note: {NO_RANKING}</p>" in found._repr_html_()
    assert tabulate({"map": scores["map"], "flat": flat}).notes[-1] == NO_RANKING


def test_one_different_mean_is_a_ranking():
    table = ircor.sample("map")
    almost = table * 0
    almost.iloc[0, -1] = 1.0
    found = tabulate({"map": table, "almost": almost}, drank=True)
    assert found.notes == ()
    assert found.distances.loc["almost", "map"] == drank(table, almost)


def test_notes_are_kept_once():
    scores = {name: ircor.sample(name) for name in ("map", "ndcg")}
    for table in scores.values():
        table.attrs["missing"] = "a note"
    assert tabulate(scores).notes == ("a note",)


def test_it_shows_and_draws_itself():
    found = tabulate(ircor.sample(), "tau_b")
    assert repr(found) == "<MeasureTable of tau_b between map, P_10, ndcg, recip_rank>"
    assert "<th>recip_rank</th>" in found._repr_html_()
    assert str(found).splitlines()[0].split() == ["tau_b", *MEASURES]
    ax = found.plot()
    assert "tau_b of each pair" in ax.get_title()
    from matplotlib import pyplot as plt

    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ({}, {}, "'scores' has no measures"),
        ({"map": ircor.sample("map")}, {}, "there is only one ranking"),
        (pd.DataFrame({"a": [1, 2]}), {}, "there is only one ranking"),
        (pd.DataFrame({"a": [1, 2], "b": [1, 2]}), {"drank": True}, "rank distances need scores by topic"),
        (ircor.sample(), {"method": "spearman"}, "'method' must be one of tau, "),
        (
            {"map": ircor.sample("map"), "x": ircor.sample("map").drop(columns="A1")},
            {},
            "'x' does not have the systems 'A1' of 'map'",
        ),
    ],
)
def test_bad_input_is_refused(scores, options, words):
    with pytest.raises(ValueError, match=words):
        tabulate(scores, **options)


def test_distances_are_the_same_whatever_the_jobs_and_their_progress_is_told():
    told = []
    one = tabulate(ircor.sample(), drank=True, progress=lambda *steps: told.append(steps))
    assert told == [(done, 6) for done in range(1, 7)]
    two = tabulate(ircor.sample(), drank=True, n_jobs=2)
    pd.testing.assert_frame_equal(one.distances, two.distances)
