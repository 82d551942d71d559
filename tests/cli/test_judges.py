"""`ircor judges`, and `--qrels` of the other commands."""

import json

import pytest

import ircor
from ircor.trec import score

JUDGES = ("--judge", "judges/noisy.qrels", "--judge", "judges/partial.qrels")
QUICK = ("--resamples", "99")


def test_judges(answer, run):
    arguments = ("judges", "runs", "--truth", "qrels.txt", *JUDGES, "-m", "nDCG@10", "-m", "AP", *QUICK)
    found = answer(*arguments, "--top", "5", "--method", "tauAP_b")
    known = ircor.judges(
        "runs",
        "qrels.txt",
        ["judges/noisy.qrels", "judges/partial.qrels"],
        ["nDCG@10", "AP"],
        top=5,
        methods=["tauAP_b"],
        resamples=99,
        seed=1,
    )
    assert found["coefficients"] == known.view.table("coefficients").records()
    assert found["verdicts"] == list(known.verdicts)
    assert {"tests", "pairs", "differences", "labels", "favours", "systems", "confusion", "bias"} < set(found)
    shown = run(*arguments)
    assert shown.stdout.splitlines()[0] == "judge\tmeasure\tcoefficient\tvalue\tlow\thigh"
    assert shown.stdout.splitlines()[-1].startswith("By nDCG@10 (tau_b 0.867, ")
    assert (shown.returncode, shown.stderr) == (0, "")


def test_leaderboards(run, folder):
    (folder / "people.tot").write_text("a GRADE all 3\nb GRADE all 2\nc GRADE all 1\n")
    (folder / "model.txt").write_text("a 0.1\nb 0.3\nc 0.2\n")
    done = run("judges", "--truth", "people.tot", "--judge", "model.txt", "--method", "tau")
    assert done.stdout.splitlines() == [
        "judge\tmeasure\tcoefficient\tvalue",
        "model\tGRADE\ttau\t-0.3333",
        "",
        "judge\tmeasure\tlargest drop\tranks lost\tlargest move\tranks moved\tsame of the best",
        "model\tGRADE\ta\t2\ta\t-2\t0%",
        "",
        "By GRADE, tau between people and model is -0.333 over 3 systems. Without topics, there is no interval and no "
        "test.",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["runs", "--truth", "qrels.txt", *JUDGES], "--measure must name a measure, such as 'nDCG@10' or 'AP'"),
        (["runs", "--truth", "qrels.txt", *JUDGES, "-m", "map"], "ir_measures has no measure 'map'; did you mean 'AP'"),
        (["runs", "--truth", "qrels.txt", *JUDGES, "-m", "AP", "--top", "99"], "--top must be at most the number of"),
        (["runs", "--truth", "runs/A1.run", *JUDGES, "-m", "AP"], "runs/A1.run:1: expected 4 fields (topic iteration"),
        (["runs", "--truth", "qrels.txt", "--judge", "none", "-m", "AP"], "none: No such file or directory"),
        (
            ["runs", "--truth", "qrels.txt", "--judge", "qrels.txt", "-m", "AP"],
            "the truth and the judges must be different",
        ),
        (["runs", "--truth", "qrels.txt", *JUDGES, "-m", "AP", "--plot", "a.png"], "--plot draws one judge under one"),
    ],
)
def test_refusals(run, arguments, said):
    done = run("judges", *arguments, *QUICK)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"ircor: {said}")


def test_a_picture(run, folder):
    arguments = ("judges", "runs", "--truth", "qrels.txt", *JUDGES[:2], "-m", "AP", *QUICK)
    assert run(*arguments, "--plot", "a.svg", "--label", "people", "--label", "model").returncode == 0
    assert "people" in (folder / "a.svg").read_text()


# --qrels


def test_every_command_takes_runs(answer, run):
    scores = score("runs", "qrels.txt", ["AP", "P@10"])
    noisy = score("runs", "judges/noisy.qrels", "AP")
    runs = ("runs", "--qrels", "qrels.txt")
    found = answer("gmap", *runs, "-m", "AP")
    assert {row["system"]: row["mean"] for row in found["systems"]} == pytest.approx(scores["AP"].mean().to_dict())
    for arguments, A, B, names in (
        ((*runs, "-m", "AP", "-m", "P@10"), scores["AP"], scores["P@10"], ("AP", "P@10")),
        (
            (*runs, "--qrels", "judges/noisy.qrels", "-m", "AP"),
            scores["AP"],
            noisy,
            ("qrels.txt", "judges/noisy.qrels"),
        ),
    ):
        for command in ("compare", "drank"):
            found = answer(command, *arguments, *QUICK)
            assert (found["a"], found["b"]) == names
        known = ircor.compare(A, B, names=names, resamples=99, seed=1).as_dict()
        assert answer("compare", *arguments, *QUICK)["coefficients"] == known["coefficients"]
    both = answer("compare", "runs", "runs/*.run", "--qrels", "qrels.txt", "-m", "AP", *QUICK)
    assert (both["a"], both["b"], both["coefficients"][1]["value"]) == ("runs", "runs/*.run", 1)
    table = answer("table", *runs, "-m", "AP", "-m", "P@10")
    assert table["names"] == ["AP", "P@10"]
    table = answer("table", *runs, "--qrels", "judges/noisy.qrels", "-m", "AP")
    assert table["names"] == ["qrels.txt", "judges/noisy.qrels"]
    assert table["table"][0][1] == pytest.approx(ircor.tau_b(scores["AP"].mean(), noisy.mean()))
    table = answer("table", *runs, "--qrels", "judges/noisy.qrels", "-m", "AP", "-m", "P@10")
    assert table["names"] == ["AP, qrels.txt", "P@10, qrels.txt", "AP, judges/noisy.qrels", "P@10, judges/noisy.qrels"]


@pytest.mark.parametrize(
    "judges",
    [
        ["--judge", "judges/noisy.qrels", "judges/partial.qrels"],
        ["--judge", "judges/*.qrels"],
        ["--judge", "judges"],
        ["--judge", "judges/noisy.qrels", "--judge", "judges/*l.qrels"],
    ],
)
def test_all_files_after_judge_are_judges(answer, judges):
    arguments = ("--truth", "qrels.txt", "-m", "AP", *QUICK)
    found = answer("judges", "runs", *arguments, *judges)
    assert found | {"command": ""} == answer("judges", "runs", *JUDGES, *arguments) | {"command": ""}


@pytest.mark.parametrize("runs", ["runs", "runs/A1.run", "runs/*.run"])
def test_runs_after_judge_are_not_taken_for_judges(run, runs):
    done = run("judges", "--truth", "qrels.txt", "-m", "AP", "--judge", "judges/noisy.qrels", runs)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ircor: {runs} was taken for a judge, and has runs: name the runs before --judge\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "runs", "--qrels", "qrels.txt", "-m", "AP"], "there is nothing to compare with: name a second"),
        (
            ["compare", "eval"],
            "there is nothing to compare with: choose two measures, such as --measure map --measure P_10",
        ),
        (["compare", "runs", "runs", "--qrels", "qrels.txt"], "--qrels needs a measure: --measure nDCG@10"),
        (
            ["compare", "sample:map", "runs", "--qrels", "qrels.txt", "-m", "AP"],
            "the sample data are scores, and --qrels",
        ),
        (
            ["gmap", "runs", "--qrels", "qrels.txt", "--qrels", "qrels.txt", "-m", "AP"],
            "--qrels can be given only once",
        ),
        (
            ["gmap", "runs", "--qrels", "qrels.txt", "-m", "AP", "--systems", "rows"],
            "--systems is for tables of scores",
        ),
        (["table", "runs", "--qrels", "qrels.txt", "-m", "AP"], "there is only one ranking, and nothing to compare"),
        (["table", "runs", "--qrels", "qrels.txt", "-m", "AP", "-m", "AP"], "--measure has AP, AP: the same twice"),
        (["gmap", "eval", "--qrels", "qrels.txt", "-m", "AP"], "eval/A1.eval:1: expected 6 fields (topic Q0 doc rank"),
    ],
)
def test_refusals_of_qrels(run, arguments, said):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ircor: {said}")


def test_measures_of_each_side(run, folder):
    (folder / "people.csv").write_text("system,f1,coverage\na,1,3\nb,2,1\nc,3,2\n")
    (folder / "model.csv").write_text("system,grade,umbrela\na,1,1\nb,2,3\nc,3,2\n")
    sources = ["--truth", "people.csv", "--judge", "model.csv", "--json"]
    found = json.loads(run("judges", *sources).stdout)
    assert found["measures"] == ["f1 vs grade", "f1 vs umbrela", "coverage vs grade", "coverage vs umbrela"]
    chosen = ["--truth-measure", "f1", "--judge-measure", "umbrela", "--method", "spearman", "--method", "tau_eq"]
    found = json.loads(run("judges", *sources, *chosen).stdout)
    rows = [(row["truth_measure"], row["judge_measure"], row["coefficient"]) for row in found["coefficients"]]
    assert rows == [("f1", "umbrela", "spearman"), ("f1", "umbrela", "tau_eq")]
    refused = run("judges", *sources, "--measure", "f1", "--truth-measure", "f1")
    assert "--measure cannot be given together with --truth-measure" in refused.stderr
