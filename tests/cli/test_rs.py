"""`ircor rs`."""

import csv
import io
import json

import pytest

from ircor.organization import evaluate_runs

ARGUMENTS = ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8"]


def test_rs(run, folder):
    for more, options in (
        (["--binary"], {"graded": False}),
        (["--min-relevance", "2"], {"min_relevance": 2}),
        (["--ties", "trec_eval"], {"ties": "trec_eval"}),
        ([], {}),
    ):
        found = json.loads(run(*ARGUMENTS, *more, "--json").stdout)
        expected = evaluate_runs(folder / "runs/A1.run", folder / "qrels.txt", top=30, weight=0.8, **options)
        assert found["mean"] == expected.mean._asdict()
        assert found["topics"]["401"] == expected.topics["401"]._asdict()


@pytest.mark.parametrize("source", ["runs", "runs/*.run"])
def test_the_means_of_many_runs(run, folder, source):
    options = ["--top", "30", "--weight", "0.8"]
    expected = {
        name: evaluate_runs(folder / f"runs/{name}.run", folder / "qrels.txt", top=30, weight=0.8)
        for name in ("A1", "J3")
    }
    done = run("rs", source, "qrels.txt", *options, "--csv")
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    assert (done.returncode, len(rows)) == (0, 30)
    found = json.loads(run("rs", source, "qrels.txt", *options, "--json").stdout)["runs"]
    for name, one in expected.items():
        assert [float(rows[name][key]) for key in ("reliability", "sensitivity", "f")] == list(one.mean)
        assert found[name]["mean"] == one.mean._asdict()
        assert found[name]["topics"]["401"] == one.topics["401"]._asdict()


def test_a_note_names_the_runs_that_it_is_about(run, folder):
    lines = (folder / "runs/A1.run").read_text().splitlines(keepends=True)
    (folder / "some").mkdir()
    (folder / "some/part.run").write_text("".join(line for line in lines if line[:3] != "450"))
    (folder / "some/whole.run").write_text("".join(lines))
    options = ["--top", "30", "--weight", "0.8"]
    done = run("rs", "some", "qrels.txt", *options)
    assert done.stderr == "ircor: part: 1 topic not in the run, scored as 0: 450\n"
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["run", "part", "whole"]
    (folder / "some/other.run").write_text("1 Q0 d1 1 1 other\n")
    assert run("rs", "some", "qrels.txt", *options).stderr.startswith("ircor: some/other.run: no topic of ")
    drawn = run("rs", "runs/[AB]*.run", "qrels.txt", *options, "--plot", "a.svg")
    assert (drawn.returncode, (folder / "a.svg").exists()) == (0, True)


def test_topics_that_are_left_out_are_noted(run, folder):
    lines = (folder / "runs/A1.run").read_text().splitlines(keepends=True)
    (folder / "part.run").write_text("".join(line.replace("450 Q0", "999 Q0") for line in lines))
    done = run("rs", "part.run", "qrels.txt", "--top", "30", "--weight", "0.8")
    assert done.returncode == 0
    first, second = done.stderr.splitlines()
    assert first.startswith("ircor: 1 topic")
    assert first.endswith(": 450")
    assert second.endswith(": 999")
    assert done.stdout.splitlines()[0] == "topic\treliability\tsensitivity\tf"
    assert done.stdout.splitlines()[-1].startswith("mean\t")
