"""ircor places."""

import csv
import io
import json

import pytest

import ircor

QUICK = ("--resamples", "999")


@pytest.fixture
def answer(run):
    """The JSON of a command that may have notes."""

    def answer(*arguments):
        done = run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answer


def test_the_screen_the_csv_and_the_json(run, answer):
    known = ircor.places(ircor.sample("map"), top=10, resamples=999, seed=1, name="sample:map")
    done = run("places", "sample:map", "--top", "10", *QUICK)
    lines = done.stdout.splitlines()
    assert lines[1:31] == ["\t".join(line) for line in known.tables()[0].lines()[1:]]
    assert lines[-1] == known.sentences()[0]
    assert "Surely among the first 10: J2, J3, J1" in lines[-1]
    assert done.stderr.splitlines() == [f"ircor: {note}" for note in known.notes]
    data = answer("places", "sample:map", "--top", "10", *QUICK)
    assert data["could_be_first"] == list(known.could_be_first)
    assert (data["surely_top"], data["level"], data["topics"]) == (list(known.surely_top(10)), 0.95, 50)
    assert [row["letters"] for row in data["places"]][:2] == ["a", "a"]
    rows = list(csv.DictReader(io.StringIO(run("places", "sample:map", "--csv", *QUICK).stdout)))
    assert [int(row["places to"]) for row in rows] == [row.high for row in known.rows]


def test_options_reach_the_function(answer):
    marginal = answer("places", "sample:P_10", "--kind", "marginal", "--level", "0.8", "--method", "normal", *QUICK)
    known = ircor.places(ircor.sample("P_10"), 0.8, "marginal", "normal", resamples=999, seed=1)
    assert [row["low"] for row in marginal["places"]] == [row.low for row in known.rows]
    assert (marginal["kind"], marginal["method"]) == ("marginal", "normal")


@pytest.fixture
def board(folder):
    (folder / "board.csv").write_text("system,mean,other,stderr\na,0.52,1,0.03\nb,0.47,2,0.03\nc,0.31,3,0.04\n")
    return "board.csv"


def test_a_leaderboard_with_standard_errors(run, answer, board):
    found = answer("places", board, "--se", "stderr", "-m", "mean", *QUICK)
    assert [(row["system"], row["low"], row["high"]) for row in found["places"]] == [
        ("a", 1, 2),
        ("b", 1, 2),
        ("c", 3, 3),
    ]
    assert found["topics"] is None
    several = run("places", board, "--se", "stderr")
    assert several.returncode == 2
    assert "several measures, choose one with --measure" in several.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("board.csv", "-m", "mean"), "can be a leaderboard, which has no topics: name its column of standard errors"),
        (("sample:map", "--se", "stderr"), "--se is for a leaderboard"),
        (("sample:map", "--top", "30"), "--top must be less than the number of systems, 30, not 30"),
        (
            ("board.csv", "-m", "mean", "--se", "stderr", "--method", "bootstrap"),
            "--method must be 'normal' without topics",
        ),
        (("board.csv", "-m", "mean", "--se", "error"), "there are no values of the measure 'error'"),
        (("nothing.csv",), "nothing.csv: No such file"),
    ],
)
def test_what_is_refused(run, board, arguments, message):
    done = run("places", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_papers_reports_and_pictures(run, folder):
    done = run(
        "places", "sample:map", *QUICK, "--latex", "a.tex", "--markdown", "a.md", "--html", "a.html", "--plot", "a.svg"
    )
    assert done.returncode == 0, done.stderr
    tex = (folder / "a.tex").read_text()
    assert tex.startswith("% Written by ircor\n\\begin{table}\n\\caption{")
    assert r"1 & J2 & 0.5809 & 1 & 6 & 1 & a \\" in tex
    assert r"With 95\% confidence" in tex
    assert "| 1 | J2 | 0.5809 | 1 | 6 | 1 | a |" in (folder / "a.md").read_text()
    assert "could be the first" in (folder / "a.html").read_text()
    assert "set of places, 95%" in (folder / "a.svg").read_text()
    # Files of its own are replaced, others are not.
    assert run("places", "sample:map", *QUICK, "--latex", "a.tex").returncode == 0
    (folder / "b.tex").write_text("mine")
    assert run("places", "sample:map", *QUICK, "--latex", "b.tex").returncode == 2
