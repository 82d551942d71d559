"""`ircor reliability`."""

import csv
import io
import json
import re

import pandas as pd
import pytest

import ircor
from ircor.reliability import summary
from ircor.show.tables import plain
from ircor.trec import score

QUICK = ["--resamples", "80"]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--method", "tauAP"], {"method": "tauAP"}),
        (["--goal", "0.8", "--level", "0.5"], {"goal": 0.8, "level": 0.5}),
        (["--seed", "7", "--jobs", "2"], {"seed": 7}),
    ],
)
def test_it_shows_what_the_function_finds(answer, arguments, options):
    found = answer("reliability", "sample:map", *QUICK, *arguments)
    known = summary(ircor.sample("map"), name="sample:map", **{"resamples": 80, "seed": 1} | options).as_dict()
    assert set(found) - set(known) <= {"ircor", "command", "versions"}
    assert {key: found[key] for key in known} == json.loads(json.dumps(plain(known)))


def test_the_number_of_draws(answer):
    default, more = (answer("reliability", "sample:map", *option) for option in ([], ["--resamples", "1000"]))
    assert default["needed"] == more["needed"]
    assert answer("reliability", "sample:map", *QUICK)["needed"]["resamples"] == 80


def test_csv_is_the_curve(run):
    known = summary(ircor.sample("map"), resamples=80, seed=1)
    rows = list(csv.DictReader(io.StringIO(run("reliability", "sample:map", *QUICK, "--csv").stdout)))
    assert list(rows[0]) == ["topics", "expected", "low", "high", "note"]
    assert [int(row["topics"]) for row in rows] == known.needed.curve["topics"].tolist()
    for key in ("expected", "low", "high"):
        assert [float(row[key]) for row in rows] == known.needed.curve[key].tolist()
    assert [row["topics"] for row in rows if row["note"] == "this table"] == ["50"]


def test_the_screen(run):
    done = run("reliability", "sample:map", *QUICK)
    known = summary(ircor.sample("map"), name="sample:map", resamples=80, seed=1)
    lines = done.stdout.splitlines()
    headings = [line.split("\t") for line in lines if re.match("[a-z]+\t", line)]
    titles = [table.lines()[0] for table in known.tables()]
    assert [heading for heading in headings if heading in titles] == titles
    assert [title[0] for title in titles][:2] == ["topics", "estimator"]
    assert "ML\t0.8950\t0.8444" in lines
    assert [line for line in lines if "\t" not in line and line] == known.sentences()
    assert lines[-2].startswith("E rho^2 with 50 topics is ")
    assert lines[-1].startswith("6 of 30 systems could be the first by sample:map: J2, ")


def test_files_folders_and_runs(answer, folder):
    scores = ircor.sample("map")
    scores.to_csv(folder / "map.csv")
    scores.iloc[:, :10].to_csv(folder / "first.csv")
    scores.iloc[:, 10:].to_csv(folder / "second.csv")
    known = answer("reliability", "sample:map", *QUICK)
    for sources, name in (
        (["map.csv"], "map.csv"),
        (["eval", "--measure", "map"], "eval"),
        (["first.csv", "second.csv"], "first.csv, second.csv"),
    ):
        found = answer("reliability", *sources, *QUICK)
        assert found["name"] == name
        assert found["needed"]["needed"] == known["needed"]["needed"]
        values = {row["estimator"]: row["tau"] for row in known["expected"]}
        assert {row["estimator"]: row["tau"] for row in found["expected"]} == pytest.approx(values, abs=0.01)
        places = [[one["names"].index(name) for name in ("J1", "J2")] for one in (found, known)]
        chances = [one["chances"][i][j] for one, (i, j) in zip((found, known), places)]
        assert chances[0] == pytest.approx(chances[1])
    scored = score("runs", "qrels.txt", "AP")
    found = answer("reliability", "runs", "--qrels", "qrels.txt", "-m", "AP", *QUICK)
    assert found["needed"]["curve"] == json.loads(
        json.dumps(plain(summary(scored, resamples=80, seed=1).needed.as_dict()["curve"]))
    )


def test_the_picture(run, folder):
    words = ["--plot", "a.svg", "--title", "costs $5", "--label", "my $1 runs"]
    done = run("reliability", "sample:map", *QUICK, *words)
    assert (done.returncode, done.stderr) == (0, "")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", (folder / "a.svg").read_text(encoding="utf-8"))
    known = summary(ircor.sample("map"), resamples=80, seed=1).needed
    assert "costs $5" in texts
    assert f"my $1 runs, 50 topics: {known.own.value:.2f}" in texts
    assert f"0.9 needs {known.needed} topics ({known.low} to {known.high})" in texts
    assert run("reliability", "sample:map", *QUICK, "--plot", "b.svg").returncode == 0
    assert f">sample:map, 50 topics: {known.own.value:.2f}<" in (folder / "b.svg").read_text(encoding="utf-8")
    # As few draws as there can be.
    assert run("reliability", "sample:map", "--resamples", "1", "--plot", "c.svg").returncode == 0


def test_notes_are_on_standard_error(run, folder):
    scores = ircor.sample("map").iloc[:, :5]
    scores["twin"] = scores.iloc[:, 0]
    text = scores.to_csv().splitlines()
    text[3] = text[3].rpartition(",")[0] + ","
    (folder / "holes.csv").write_text("\n".join(text) + "\n")
    done = run("reliability", "holes.csv", "--missing", "drop", *QUICK)
    assert done.returncode == 0
    missing, equal = done.stderr.splitlines()
    assert missing == "ircor: holes.csv: system 'twin' has no value for topic 403: 1 topic dropped"
    assert equal.startswith("ircor: 1 pair of systems is equal on every topic and left out of the sum")
    assert json.loads(run("reliability", "holes.csv", "--missing", "drop", *QUICK, "--json").stdout)["notes"] == [
        missing.removeprefix("ircor: "),
        equal.removeprefix("ircor: "),
    ]
    assert "With 49 topics" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["two.csv"], "'two.csv' must have 3 topics or more, not 2"),
        (["same.csv"], "all systems of 'same.csv' have the same scores, so there is no ranking"),
        (["eval/A1.eval", "--measure", "map"], "'eval/A1.eval' must have two systems or more, not 1"),
        (["sample:map", "--goal", "2"], "--goal must be between 0 and 1, not 2.0"),
        (["sample:map", "--level", "95"], "--level must be between 0 and 1, not 95.0"),
        (["none.csv"], "none.csv: No such file or directory"),
        (["sample"], "sample has several measures"),
        (["sample:map", "--label", "mine"], "--label is for the picture: name its file with --plot"),
        (
            ["sample:map", "--plot", "a.svg", "--label", "a", "--label", "b"],
            "the picture has 1 label",
        ),
    ],
)
def test_what_is_refused(run, folder, arguments, said):
    pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.1]}, index=["x", "y"]).to_csv(folder / "two.csv", index_label="topic")
    pd.DataFrame({"a": [0.1, 0.2, 0.5], "b": [0.1, 0.2, 0.5]}, index=["x", "y", "z"]).to_csv(
        folder / "same.csv", index_label="topic"
    )
    done = run("reliability", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ircor: {said}")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["--method", "tau_b"], ["--label"], ["--seed"]])
def test_bad_usage(run, arguments):
    done = run("reliability", "sample:map", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"argument {arguments[0]}: " in done.stderr
