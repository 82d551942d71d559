"""`ircor cor`, on a table of items."""

import pandas as pd
import pytest

import ircor
from ircor.overlap import rbo_scores


def test_cor(answer, folder):
    frame = pd.read_csv(folder / "scores.csv", index_col="system")
    found = answer("cor", "scores.csv", "--x", "map", "--y", "P_10")
    values = {row["coefficient"]: row["value"] for row in found["coefficients"]}
    assert values["tau"] is None
    assert values["tauAP"] is None
    for name in ("tau_a", "tau_b", "tauAP_a", "tauAP_b"):
        assert values[name] == getattr(ircor, name)(frame["map"], frame["P_10"])
    assert {row["coefficient"]: row["note"] for row in found["coefficients"]}["tau"] == "P_10 contains ties"
    assert (found["x"], found["y"], found["items"]) == ("map", "P_10", 30)
    assert found["advice"].startswith("P_10 has ties: tau_a and tauAP_a if map is the truth")
    worst = found["costly"][0]
    i, j = worst["above in map"], worst["above in P_10"]
    assert frame.loc[i, "map"] > frame.loc[j, "map"]
    assert frame.loc[i, "P_10"] < frame.loc[j, "P_10"]
    assert len(found["costly"]) == 5
    assert [row["cost"] for row in found["costly"]] == sorted((row["cost"] for row in found["costly"]), reverse=True)


def test_intervals_and_p_values(answer, folder):
    frame = pd.read_csv(folder / "scores.csv")
    found = answer("cor", "scores.csv", "--x", "map", "--y", "ndcg", "--intervals", "--permutations", "199")
    rows = {row["coefficient"]: row for row in found["coefficients"]}
    assert list(rows["tau"]) == ["coefficient", "value", "low", "high", "p-value", "note"]
    assert rows["tau_b"]["low"] < rows["tau_b"]["value"] < rows["tau_b"]["high"]
    expected = ircor.permutation_test(frame["map"], frame["ndcg"], "tauAP_b", resamples=199, seed=1).pvalue
    assert rows["tauAP_b"]["p-value"] == expected == 2 / 200
    library = ircor.correlate(frame["map"], frame["ndcg"], intervals=True).as_dict()["coefficients"]
    for row in library:
        assert [rows[row["coefficient"]][key] for key in ("low", "high")] == [row["low"], row["high"]]


def test_the_seed_and_the_jobs(answer, folder):
    rows = "".join(f"{i},{i * 7 % 15}\n" for i in range(15))
    (folder / "shuffled.csv").write_text("x,y\n" + rows)
    arguments = ["cor", "shuffled.csv", "--x", "x", "--y", "y", "--intervals", "--permutations", "99"]
    first = answer(*arguments)
    assert answer(*arguments, "--jobs", "2") == first
    assert answer(*arguments, "--seed", "5") != first


def test_the_bootstrap(answer, folder):
    frame = pd.read_csv(folder / "scores.csv")
    found = answer("cor", "scores.csv", "--x", "map", "--y", "ndcg", "--bootstrap", "200")
    expected = (
        ircor.correlate(frame["map"], frame["ndcg"], labels=("map", "ndcg"), bootstrap=200, seed=1)
        .view.table("coefficients")
        .records()
    )
    assert found["coefficients"] == expected
    assert {row["coefficient"] for row in expected if row["low"] is not None} == {"tau_b", "tauAP_b"}


def test_ranks(answer, folder):
    (folder / "ranks.csv").write_text("item,first,second\na,1,2\nb,2,1\nc,3,4\nd,4,3\n")
    arguments = ["cor", "ranks.csv", "--x", "first", "--y", "second"]
    found = answer(*arguments, "--increasing", "--permutations", "99")
    rows = {row["coefficient"]: row for row in found["coefficients"]}
    x, y = [1, 2, 3, 4], [2, 1, 4, 3]
    assert rows["tauAP"]["value"] == ircor.tauAP(x, y, decreasing=False)
    assert rows["tauAP"]["p-value"] == ircor.permutation_test(x, y, "tauAP", resamples=99, decreasing=False).pvalue
    assert found["costly"][0] == {"above in first": "a", "above in second": "b", "cost": 2.0}
    assert answer(*arguments)["costly"][0] == {"above in first": "d", "above in second": "c", "cost": 2.0}
    assert (
        found["advice"]
        == "No ties: tau, or tauAP if errors at the top should cost more; tauAP takes first for the truth."
    )


def test_undefined_is_a_word_on_the_screen_and_null_in_json(run, answer, folder):
    (folder / "flat.csv").write_text("x,y\n1,5\n2,5\n3,5\n")
    arguments = ["cor", "flat.csv", "--x", "x", "--y", "y"]
    rows = {line.split("\t")[0]: line.split("\t") for line in run(*arguments).stdout.splitlines() if "\t" in line}
    assert rows["tau_b"][1] == rows["tauAP_b"][1] == "undefined"
    assert rows["tau_a"][1] == "0.0000"
    assert rows["tau"][1:] == ["", "'y' contains ties"]
    found = answer(*arguments)
    assert {row["coefficient"]: row["value"] for row in found["coefficients"]}["tau_b"] is None
    assert found["costly"] == []


def test_rank_biased_overlap(answer, run, folder):
    frame = pd.read_csv(folder / "scores.csv")
    found = answer("cor", "scores.csv", "--x", "map", "--y", "P_10", "--p", "0.8", "--ties", "w")
    assert found["coefficients"][-1] == {
        "coefficient": "rbo",
        "value": pytest.approx(rbo_scores(frame["map"], frame["P_10"], 0.8, "w").ext),
        "note": "p = 0.8, ties w",
    }
    done = run("cor", "scores.csv", "--x", "map", "--y", "P_10", "--ties", "w")
    assert (done.returncode, done.stderr) == (
        2,
        "ircor: --ties needs a value of --p: both are for rank-biased overlap\n",
    )
