"""`ircor drank`."""

import pytest

import ircor
from ircor.rank_distance import drank, drank_test


def test_drank(answer, run):
    A, B = ircor.sample("map"), ircor.sample("recip_rank")
    arguments = ["drank", "sample:map", "sample:recip_rank", "--resamples", "300", "--ridge", "0.001"]
    found = answer(*arguments)
    expected = drank_test(A, B.mean(), resamples=300, seed=1, ridge=0.001)
    assert (found["a"], found["b"]) == ("sample:map", "sample:recip_rank")
    assert found["statistic"] == pytest.approx(expected.statistic)
    assert (found["pvalue"], found["ridge"], found["resamples"], found["seed"]) == (expected.pvalue, 0.001, 300, 1)
    assert found["order"] == list(expected.order)
    assert found["made_equal"] == [list(pair) for pair in expected.equalised]
    lines = run(*arguments).stdout.splitlines()
    assert lines[0] == "d_rank\tp-value\tnull\tresamples\tridge\tshrinkage"
    assert lines[1].endswith("\ttwo-sample\t300\t0.001\t0.0000")
    assert lines[3] == "made equal\tand"
    assert len(lines) == 4 + len(found["made_equal"]) + 2
    assert lines[-1].startswith("sample:recip_rank against sample:map: rank distance ")


def test_the_null_of_the_paper(answer):
    found = answer("drank", "sample:map", "sample:recip_rank", "--null", "resample", "--resamples", "300")
    expected = drank_test(ircor.sample("map"), ircor.sample("recip_rank"), null="resample", resamples=300, seed=1)
    assert (found["statistic"], found["pvalue"]) == (pytest.approx(expected.statistic), expected.pvalue)
    assert (found["null"], found["shrinkage"]) == ("resample", 0)
    assert found["statistic"] == pytest.approx(drank(ircor.sample("map"), ircor.sample("recip_rank")))


@pytest.mark.parametrize("option", [(), ("--null", "two-sample")])
def test_another_sample_of_topics(answer, folder, option):
    scores = ircor.sample("map")
    scores.iloc[:20].to_csv(folder / "first.csv")
    scores.iloc[20:].to_csv(folder / "second.csv")
    found = answer("drank", "first.csv", "second.csv", *option, "--resamples", "300")
    expected = drank_test(scores.iloc[:20], scores.iloc[20:], null="two-sample", resamples=300, seed=1)
    assert (found["statistic"], found["pvalue"]) == (pytest.approx(expected.statistic), expected.pvalue)
    assert (found["null"], found["topics"], found["shrinkage"]) == ("two-sample", 30, pytest.approx(expected.shrinkage))


def test_shrinkage_instead_of_a_ridge(answer, run):
    found = answer("drank", "sample:map", "sample:P_10", "--ridge", "shrinkage", "--resamples", "10")
    assert (found["ridge"], found["null"]) == (0, "two-sample")
    assert found["statistic"] == pytest.approx(drank(ircor.sample("map"), ircor.sample("P_10"), ridge="shrinkage"))
    done = run("drank", "sample:map", "sample:P_10", "--ridge", "some")
    assert done.returncode == 2
    assert done.stderr.startswith("ircor: --ridge must be")


def test_an_order_that_is_kept_makes_nothing_equal(run):
    lines = run("drank", "sample:map", "sample:map", "--resamples", "10").stdout.splitlines()
    assert lines[1].split("\t")[0] == "0.0000"
    assert not any(line.startswith("made equal\t") for line in lines)


def test_means_that_differ_by_rounding_are_tied(answer, folder):
    scores = ircor.sample("P_10")
    scores.to_csv(folder / "P_10.csv")
    shuffled = scores.sample(frac=1, random_state=1)
    shuffled.to_csv(folder / "shuffled.csv")
    assert answer("drank", "P_10.csv", "shuffled.csv", "--resamples", "10")["statistic"] == 0


def test_missing_scores_are_noted(run, folder):
    text = ircor.sample("map").to_csv().splitlines()
    text[3] = text[3].rpartition(",")[0] + ","
    (folder / "holes.csv").write_text("\n".join(text) + "\n")
    done = run("drank", "holes.csv", "sample:map", "--resamples", "10", "--missing", "zero")
    assert done.returncode == 0
    assert done.stderr.startswith("ircor: holes.csv: system 'J3' has no value")
