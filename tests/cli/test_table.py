"""`ircor table`: measures of one source, several sources, and columns of a table of items."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.rank_distance import drank

MEASURES = ["map", "P_10", "ndcg", "recip_rank"]


def test_measures_of_a_source_and_of_several(answer):
    scores = ircor.sample()
    means = pd.DataFrame({measure: scores[measure].mean() for measure in MEASURES})
    expected = ircor.cor(means.round(10), method="tauAP_b").to_numpy()
    for source in (["sample"], ["eval"], [f"sample:{measure}" for measure in MEASURES]):
        found = answer("table", *source, "--method", "tauAP_b")
        assert (found["method"], found["names"]) == ("tauAP_b", MEASURES)
        np.testing.assert_allclose(found["table"], expected, atol=1e-12)


def test_rank_distances_below_the_diagonal(answer, run):
    scores = ircor.sample()
    plain = answer("table", "sample", "--method", "tauAP_b")["table"]
    found = answer("table", "sample", "--method", "tauAP_b", "--drank")["table"]
    assert found[2][0] == pytest.approx(drank(scores["map"], scores["ndcg"].mean()))
    assert found[3][1] == pytest.approx(drank(scores["P_10"], scores["recip_rank"].mean()))
    upper = np.triu_indices(4)
    np.testing.assert_array_equal(np.array(found)[upper], np.array(plain)[upper])
    last = run("table", "sample", "--method", "tauAP_b", "--drank").stdout.splitlines()[-1]
    assert last == "Below the diagonal: rank distances of the row from the column; above: tauAP_b."


def test_columns_of_items(answer, folder):
    of_items = answer("table", "scores.csv")
    frame = pd.read_csv(folder / "scores.csv", index_col="system")
    np.testing.assert_allclose(of_items["table"], ircor.cor(frame), atol=1e-12)
    two = answer("table", "scores.csv", "--measure", "ndcg", "--measure", "map")
    assert two["names"] == ["ndcg", "map"]


def test_ranks_have_the_least_value_on_top(answer, folder):
    (folder / "ranks.csv").write_text("item,one,two\na,1,1\nb,2,2\nc,3,4\nd,4,3\n")
    up, down = (
        answer("table", "ranks.csv", "--method", "tauAP", *more)["table"][0][1] for more in (["--increasing"], [])
    )
    x, y = [1, 2, 3, 4], [1, 2, 4, 3]
    assert up == pytest.approx(ircor.tauAP(x, y, decreasing=False))
    assert down == pytest.approx(ircor.tauAP(x, y))
    assert up != down


def test_rank_biased_overlap(answer, run, folder):
    frame = pd.read_csv(folder / "scores.csv", index_col="system")
    found = answer("table", "scores.csv", "--method", "rbo", "--p", "0.8", "--ties", "b")
    np.testing.assert_allclose(found["table"], ircor.cor(frame, method="rbo", p=0.8, ties="b"), atol=1e-12)
    assert (found["method"], found["p"], found["ties"]) == ("rbo", 0.8, "b")
    shown = run("table", "sample", "--method", "rbo", "--p", "0.9").stdout
    assert shown.startswith("rbo")
    assert "rbo: rank-biased overlap, p = 0.9, ties a." in shown.splitlines()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--method", "rbo"], "--p is required for --method rbo: a number between 0 and 1"),
        (["--method", "rbo", "--ties", "a"], "--p is required for --method rbo"),
        (["--method", "rbo", "--p", "1"], "--p must be between 0 and 1, not 1.0"),
        (["--method", "rbo", "--p", "0.9", "--ties", "x"], "argument --ties: invalid choice: 'x'"),
        (["--p", "0.9"], "--p is for --method rbo, not for 'tau_b'"),
        (["--ties", "a"], "--ties is for --method rbo, not for 'tau_b'"),
    ],
)
def test_the_options_of_rank_biased_overlap(run, options, words):
    done = run("table", "sample", *options)
    assert done.returncode == 2
    assert words in done.stderr


def test_a_long_table(answer, folder):
    long = ircor.sample().stack(["measure", "system"], future_stack=True).rename("value").reset_index()
    long.to_csv(folder / "long.csv", index=False)
    assert answer("table", "long.csv")["table"] == answer("table", "sample")["table"]
    assert answer("table", "long.csv", "--measure", "ndcg", "--measure", "map")["names"] == ["ndcg", "map"]


def test_missing_scores_are_noted(run, folder):
    long = ircor.sample().stack(["measure", "system"], future_stack=True).rename("value").reset_index()
    long.iloc[1:].to_csv(folder / "long.csv", index=False)
    done = run("table", "long.csv", "--missing", "zero")
    assert done.returncode == 0
    assert done.stderr.startswith("ircor: long.csv: system 'A1' has no ")
    assert len(done.stderr.splitlines()) == 1


def test_files_of_one_name_in_several_folders(answer, folder):
    for year, measure in (("2005", "map"), ("2006", "ndcg")):
        (folder / year).mkdir()
        ircor.sample(measure).to_csv(folder / year / "scores.csv")
    found = answer("table", "2005/scores.csv", "2006/scores.csv", "sample:P_10")
    assert found["names"] == ["2005/scores.csv", "2006/scores.csv", "P_10"]


def test_a_measure_that_is_the_same_for_all_systems(run, folder):
    (ircor.sample("map") * 0 + 0.5).to_csv(folder / "flat.csv")
    arguments = ["table", "sample:map", "flat.csv", "sample:ndcg", "--drank"]
    note = "ircor: flat has the same mean for all systems, which is no ranking: its coefficients and distances are "
    shown = run(*arguments)
    assert (shown.returncode, shown.stderr) == (0, f"{note}undefined\n")
    assert [line.split("\t")[1:] for line in shown.stdout.splitlines()[1:4]] == [
        ["1.0000", "undefined", "0.9448"],
        ["undefined", "undefined", "undefined"],
        ["1.6957", "undefined", "1.0000"],
    ]
    done = run(*arguments, "--json")
    assert done.stderr == shown.stderr
    table = json.loads(done.stdout)["table"]
    assert [[cell is None for cell in row] for row in table] == [[False, True, False], [True] * 3, [False, True, False]]
    done = run(*arguments, "--csv")
    assert done.stderr == shown.stderr
    table = pd.read_csv(io.StringIO(done.stdout), index_col=0)
    assert table.isna().to_numpy().tolist() == [[False, True, False], [True] * 3, [False, True, False]]


def test_missing_values_of_items(run, answer, folder):
    (folder / "gaps.csv").write_text("item,a,b,c\nA,1,1,2\nB,2,,1\nC,3,2,3\nD,4,3,5\n")
    done = run("table", "gaps.csv")
    assert done.returncode == 2
    assert done.stderr == (
        "ircor: gaps.csv: column 'b' has no value for B: --nan-policy omit leaves out the items with a missing value, "
        "and --nan-policy propagate gives nan\n"
    )
    frame = pd.read_csv(folder / "gaps.csv", index_col="item")
    for policy in ("omit", "propagate"):
        found = answer("table", "gaps.csv", "--nan-policy", policy)["table"]
        expected = ircor.cor(frame, nan_policy=policy)
        np.testing.assert_allclose(np.array(found, dtype=float), expected)
    with pytest.raises(ValueError, match=r"^'b' has a missing value in row 2 \(index 'B'\): nan_policy="):
        ircor.comparison.tabulate(frame)


def test_a_file_of_means_that_differ_by_rounding_only(run, answer, folder):
    scores = ircor.sample()
    scores.mean().unstack("measure").to_csv(folder / "means.csv")
    done = run("table", "means.csv", "--json")
    assert done.returncode == 0
    assert done.stderr == "ircor: 1 pair of values of P_10 differs by rounding only, and is a tie\n"
    found, by_topic = json.loads(done.stdout), answer("table", "sample")
    order = [found["names"].index(name) for name in by_topic["names"]]
    assert np.array(found["table"])[np.ix_(order, order)].tolist() == by_topic["table"]
    done = run("table", "means.csv", "--method", "tau", "--measure", "P_10", "--measure", "map")
    assert done.returncode == 2
    assert "'P_10' contains ties." in done.stderr
