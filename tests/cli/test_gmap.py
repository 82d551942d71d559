"""`ircor gmap`."""

import pytest

import ircor
from ircor.averages import gmean


def test_gmap(answer, run):
    scores = ircor.sample("map")
    for arguments in (
        ["sample:map"],
        ["eval", "--measure", "map"],
        ["eval/A1.eval", "eval/B1.eval", "--measure", "map"],
    ):
        found = answer("gmap", *arguments, "--zeros", "trec_eval", "--eps", "0.001")
        assert (found["eps"], found["zeros"]) == (0.001, "trec_eval")
        for row in found["systems"]:
            assert row["mean"] == pytest.approx(scores[row["system"]].mean())
            assert row["gmean"] == pytest.approx(gmean(scores[row["system"]], zeros="trec_eval", eps=0.001))
    assert len(found["systems"]) == 2
    lines = run("gmap", "sample:map").stdout.splitlines()
    assert lines[0] == "system\tmean\tgeometric mean\trank by mean\trank by geometric mean"
    assert lines[-1].startswith("The two means order ")


def test_tables_of_different_systems_are_put_together(answer, run, folder):
    scores = ircor.sample("map")
    scores[["A1", "A2"]].to_csv(folder / "first.csv")
    scores[["B1"]].to_csv(folder / "second.csv")
    assert len(answer("gmap", "first.csv", "second.csv")["systems"]) == 3
    same = run("gmap", "first.csv", "first.csv")
    assert same.stderr == "ircor: first.csv:2: system 'A1' for topic '401' is repeated\n"
    scores[["B1"]].iloc[1:].to_csv(folder / "second.csv")
    other = run("gmap", "first.csv", "second.csv")
    assert (other.returncode, other.stdout) == (2, "")


def test_one_system_has_no_coefficient(answer, run, folder):
    ircor.sample("map")[["A1"]].to_csv(folder / "one.csv")
    assert answer("gmap", "one.csv")["tauAP_b"] is None
    assert len(run("gmap", "one.csv").stdout.splitlines()) == 2


def test_missing_scores_are_noted(run, folder):
    text = ircor.sample("map").to_csv().splitlines()
    text[3] = text[3].rpartition(",")[0] + ","
    (folder / "holes.csv").write_text("\n".join(text) + "\n")
    ircor.sample("map")[["A1"]].rename(columns={"A1": "other"}).to_csv(folder / "other.csv")
    for files in (["holes.csv"], ["holes.csv", "other.csv"]):
        done = run("gmap", *files, "--missing", "zero")
        assert done.returncode == 0
        assert done.stderr.startswith(f"ircor: {', '.join(files)}: system 'J3' has no value")
        assert len(done.stderr.splitlines()) == 1
