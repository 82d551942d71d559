"""`ircor compare`: sources, names, and that it shows what `ircor.compare` finds."""

import json
from html import escape
from importlib.metadata import version

import pytest
from calls import replace_run

import ircor

QUICK = ["--resamples", "300"]


def test_compare_shows_what_the_function_finds(answer):
    found = answer("compare", "sample:map", "sample:P_10", *QUICK, "--seed", "7")
    names = ("sample:map", "sample:P_10")
    expected = ircor.compare(ircor.sample("map"), ircor.sample("P_10"), names=names, resamples=300, seed=7)
    assert (found["a"], found["b"], found["seed"], found["resamples"]) == (*names, 7, 300)
    assert found["conclusion"] == expected.conclusion
    assert found["significant_pairs"]["in_same_order"] == expected.significant.share_in_same_order
    assert found["d_rank"]["statistic"] == expected.distance.statistic
    assert [tuple(row.values()) for row in found["systems"]] == [
        tuple(row.values()) for row in expected.as_dict()["systems"]
    ]


def test_folders_patterns_and_tables_say_the_same(answer, folder):
    for measure in ("map", "P_10"):
        ircor.sample(measure).to_csv(folder / f"{measure}.csv")
    expected = answer("compare", "sample:map", "sample:P_10", *QUICK)
    for arguments in (
        ["eval", "eval/*.eval", "--measure", "map", "--measure", "P_10"],
        ["map.csv", "P_10.csv"],
        ["map.csv", "sample:P_10"],
    ):
        found = answer("compare", *arguments, *QUICK)
        assert found["coefficients"] == expected["coefficients"]
        assert found["d_rank"] == expected["d_rank"]


def test_the_names_of_the_two_sides(answer):
    one = answer("compare", "eval", "eval", "--measure", "map", "--measure", "P_10", "--resamples", "10")
    assert (one["a"], one["b"]) == ("map", "P_10")
    same = answer("compare", "eval", "eval", "--measure", "map", "--resamples", "10")
    assert (same["a"], same["b"]) == ("eval (a)", "eval (b)")
    two = answer("compare", "eval", "sample", "--measure", "map", "--resamples", "10")
    assert (two["a"], two["b"]) == ("eval", "sample")


def test_other_topics_are_noted(run, folder):
    scores = ircor.sample("map")
    scores.iloc[:25].to_csv(folder / "first.csv")
    scores.iloc[25:].to_csv(folder / "second.csv")
    done = run("compare", "first.csv", "second.csv", *QUICK)
    assert done.returncode == 0
    assert done.stderr == "ircor: the two have different topics, so they are taken for two separate samples of topics\n"
    assert "its mean over samples of 25 and 25 topics is between" in done.stdout.splitlines()[-3]


def test_the_target_of_the_intervals(answer, run):
    found = {
        target: answer("compare", "sample:map", "sample:P_10", *QUICK, "--target", target)
        for target in ("expected", "sample", "population")
    }
    default = answer("compare", "sample:map", "sample:P_10", *QUICK)
    assert default | {"command": ""} == found["expected"] | {"command": ""}
    for target, one in found.items():
        expected = ircor.bootstrap(ircor.sample("map"), ircor.sample("P_10"), resamples=300, seed=1, target=target)
        row = next(row for row in one["coefficients"] if row["coefficient"] == "tau_b")
        assert (one["target"], row["low"], row["high"]) == (target, expected.low, expected.high)
    assert run("compare", "sample:map", "sample:P_10", "--target", "mean").returncode == 2


def holes(folder):
    """The sample's map without the score of J3 for topic 403."""
    text = ircor.sample("map").to_csv().splitlines()
    text[3] = text[3].rpartition(",")[0] + ","
    (folder / "holes.csv").write_text("\n".join(text) + "\n")
    return ircor.sample("map")


@pytest.mark.parametrize("order", [["holes.csv", "sample:map"], ["sample:map", "holes.csv"]])
def test_a_topic_dropped_on_one_side_is_dropped_on_both(run, folder, order):
    expected = holes(folder).drop("403").mean()
    done = run("compare", *order, *QUICK, "--missing", "drop", "--csv")
    lines = ["ircor: holes.csv: system 'J3' has no value for topic 403: 1 topic dropped"]
    lines += ["ircor: only sample:map has the topic 403: dropped"]
    assert sorted(done.stderr.splitlines()) == sorted(lines)
    rows = [line.split(",") for line in done.stdout.splitlines()[1:]]
    assert all(float(row[1]) == float(row[2]) == pytest.approx(expected[row[0]]) for row in rows)


def test_a_missing_score_taken_for_0_is_noted_once(run, folder):
    scores = holes(folder)
    scores.loc["403", "J3"] = 0
    done = run("compare", "holes.csv", "holes.csv", *QUICK, "--missing", "zero", "--csv")
    assert done.stderr.startswith("ircor: holes.csv: system 'J3' has no value for")
    assert len(done.stderr.splitlines()) == 1
    row = next(line.split(",") for line in done.stdout.splitlines() if line.startswith("J3,"))
    assert float(row[1]) == pytest.approx(scores["J3"].mean())


def test_the_screen(run):
    lines = run("compare", "sample:map", "sample:P_10", *QUICK).stdout.splitlines()
    assert lines[0].split("\t") == [
        "system",
        "mean sample:map",
        "mean sample:P_10",
        "rank sample:map",
        "rank sample:P_10",
        "move",
    ]
    moved = next(line.split("\t") for line in lines if line.startswith("H2\t"))
    assert moved[5] == "+6"
    header = lines.index("d_rank\tp-value\tshrinkage\tsignificant pairs\tin the same order\tsoft accuracy")
    assert lines[header + 1].split("\t")[2:] == ["0.3108", "255", "1.0000", "0.9540"]


def test_the_report(run, folder):
    arguments = ["compare", "sample:map", "sample:P_10", *QUICK, "--html", "my report.html"]
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    # The tables are on the screen too, as with a picture.
    assert done.stdout == run(*arguments[:-2]).stdout
    text = (folder / "my report.html").read_text()
    found = ircor.compare(
        ircor.sample("map"), ircor.sample("P_10"), names=("sample:map", "sample:P_10"), resamples=300, seed=1
    )
    command = "ircor compare sample:map sample:P_10 --resamples 300 --html 'my report.html'"
    assert text == ircor.report.html(found, command=command)
    # A report is overwritten, and the same command writes the same bytes.
    assert run(*arguments).returncode == 0
    assert (folder / "my report.html").read_text() == text
    assert run(*arguments[:-1], "R.HTM").returncode == 0


def test_json_says_what_the_report_says_of_its_origin(run, folder):
    arguments = ["compare", "sample:map", "sample:P_10", *QUICK, "--json", "a.json", "--html", "a b.html"]
    assert run(*arguments).returncode == 0
    data = json.loads((folder / "a.json").read_text())
    text = (folder / "a b.html").read_text()
    assert data["command"] == "ircor compare sample:map sample:P_10 --resamples 300 --json a.json --html 'a b.html'"
    assert f"<code>{escape(data['command'])}</code>" in text
    assert data["versions"]["numpy"] == version("numpy")
    assert f"Made with {', '.join(f'{name} {number}' for name, number in data['versions'].items())}." in text


def test_the_title_of_the_report(run, folder):
    arguments = ["compare", "sample:map", "sample:P_10", *QUICK, "--title", "My <title>"]
    assert run(*arguments, "--html", "a.html").returncode == 0
    assert "<h1>My &lt;title&gt;</h1>" in (folder / "a.html").read_text()
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ircor: --title is for the picture or the report: name its file with --plot or --html\n"
    # The other words are for a picture only.
    done = run(*arguments[:-2], "--html", "a.html", "--x-label", "x")
    assert done.stderr == "ircor: --x-label is for the picture: name its file with --plot\n"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("mine.html", "mine.html exists and was not written by ircor; use --force to replace it"),
        ("a.csv", "the file of --html must end in .html or .htm, and a.csv does not"),
        ("-", "the file of --html must end in .html or .htm, and - does not"),
        ("none/a.html", "none/a.html: there is no folder "),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_before_the_work(run, folder, monkeypatch, target, words):
    replace_run(monkeypatch, "compare", lambda options: pytest.fail("the work was begun"))
    (folder / "mine.html").write_text("<!doctype html><title>Mine</title>")
    done = run("compare", "sample:map", "sample:P_10", "--html", target)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert (folder / "mine.html").read_text() == "<!doctype html><title>Mine</title>"


def test_rank_biased_overlap(answer, run):
    arguments = ["compare", "sample:map", "sample:recip_rank", "--resamples", "100"]
    plain, found = answer(*arguments), answer(*arguments, "--p", "0.9", "--ties", "b")
    assert found["coefficients"][:-1] == plain["coefficients"]
    row = found["coefficients"][-1]
    assert (row["coefficient"], row["note"]) == ("rbo", "p = 0.9, ties b")
    expected = ircor.bootstrap(ircor.sample("map"), ircor.sample("recip_rank"), "rbo", 100, 1, p=0.9, ties="b")
    assert [row[key] for key in ("value", "low", "high")] == pytest.approx(
        [expected.statistic, expected.low, expected.high]
    )
    done = run(*arguments, "--ties", "w")
    assert (done.returncode, done.stderr) == (
        2,
        "ircor: --ties needs a value of --p: both are for rank-biased overlap\n",
    )


@pytest.mark.parametrize("source", ["eval", "sample", "long.csv", "eval/*.eval"])
def test_two_measures_of_one_source(answer, folder, source):
    long = ircor.sample().stack(["measure", "system"]).rename("value").reset_index()
    long.to_csv(folder / "long.csv", index=False)
    expected = ircor.compare(ircor.sample("P_10"), ircor.sample("map"), resamples=300, seed=1)
    found = answer("compare", source, "-m", "P_10", "-m", "map", *QUICK)
    assert (found["a"], found["b"]) == ("P_10", "map")
    assert found["d_rank"]["statistic"] == expected.distance.statistic
    drank = answer("drank", source, "-m", "P_10", "-m", "map", *QUICK)
    assert drank == answer("drank", "sample:P_10", "sample:map", *QUICK) | {"a": "P_10", "b": "map"}


@pytest.mark.parametrize("command", ["compare", "drank"])
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["eval"], "choose two measures, such as --measure map --measure P_10, or name a second source"),
        (["sample"], "choose two measures, such as --measure map --measure P_10, or name a second source"),
        (["eval"], "; the measures in eval are map, P_10, ndcg, recip_rank\n"),
        (["eval", "-m", "ndcg"], "such as --measure ndcg --measure map,"),
        (["eval", "-m", "P_10", "-m", "P_10"], "such as --measure P_10 --measure map,"),
        (["eval", "-m", "MRR"], "there are no values of the measure 'MRR' in eval"),
        (["eval", "-m", "map", "-m", "P@10"], "the measure 'P@10' in eval; did you mean 'P_10'?"),
        (["sample:map"], "there is nothing to compare with: name a second source\n"),
        (["sample:map", "-m", "map", "-m", "P_10"], "--measure names 'map' and 'P_10'"),
        (["runs", "-m", "AP", "-m", "P@10"], "runs: runs have no scores without relevance judgments: give them with"),
        (["runs"], "give them with --qrels FILE\n"),
        (["runs", "sample:map"], "give them with --qrels FILE\n"),
        (["runs/A1.run"], "give them with --qrels FILE\n"),
    ],
)
def test_one_source_that_cannot_be_compared(run, command, arguments, said):
    done = run(command, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize("arguments", [["table", "runs"], ["table", "runs/A1.run", "runs/A2.run"], ["gmap", "runs"]])
def test_runs_without_judgments(run, arguments):
    assert run(*arguments).stderr.endswith("give them with --qrels FILE\n")


def test_the_screen_needs_no_json(run, monkeypatch):
    def fail(result):
        raise AssertionError("JSON was made")

    monkeypatch.setattr(ircor.comparison.Comparison, "as_dict", fail)
    assert run("compare", "sample:map", "sample:P_10", *QUICK).returncode == 0
    with pytest.raises(AssertionError, match="JSON was made"):
        run("compare", "sample:map", "sample:P_10", *QUICK, "--json")
