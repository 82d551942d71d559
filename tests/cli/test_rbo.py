"""`ircor rbo`."""

import csv
import io
import json
from math import log

import pytest

from ircor.overlap import rbo_runs, rbo_table

PAIR = ["rbo", "runs/A1.run", "runs/B1.run", "--p", "0.9"]


def test_two_runs(run, folder):
    for more, options in (
        ([], {}),
        (["--ties", "trec_eval", "--depth", "7"], {"ties": "trec_eval", "depth": 7}),
        (["--score", "min", "--level", "0.8"], {"score": "min", "level": 0.8}),
    ):
        found = json.loads(run(*PAIR, *more, "--json").stdout)
        expected = rbo_runs(folder / "runs/A1.run", folder / "runs/B1.run", 0.9, **options)
        assert (found["mean"], found["low"], found["high"]) == (expected.mean, *expected.interval)
        assert found["topics"]["401"] == expected.scores.loc["401"].to_dict()
        assert found["names"] == ["A1", "B1"]


def test_a_folder_a_pattern_and_three_runs_make_a_table(run, folder):
    expected = rbo_table("runs/A*.run", 0.9, depth=5)
    for sources in (["runs/A*.run"], ["runs/A1.run", "runs/A2.run", "runs/A3.run"]):
        found = json.loads(run("rbo", *sources, "--p", "0.9", "--depth", "5", "--jobs", "2", "--json").stdout)
        assert found["names"] == ["A1", "A2", "A3"]
        assert found["table"] == expected.overlaps.to_numpy().tolist()
        assert found["residuals"] == expected.residuals.to_numpy().tolist()
    two = folder / "two"
    two.mkdir()
    for name in ("A1", "A2"):
        (two / f"{name}.run").symlink_to(folder / f"runs/{name}.run")
    # Two runs in a folder make a table, as any number does.
    rows = list(csv.DictReader(io.StringIO(run("rbo", "two", "--p", "0.9", "--depth", "5", "--csv").stdout)))
    assert [row["RBO"] for row in rows] == ["A1", "A2"]
    assert float(rows[0]["A2"]) == expected.overlaps.loc["A1", "A2"]


def test_the_least_the_median_and_the_greatest_overlap(run, folder):
    arguments = ("rbo", "runs/[AB]*.run", "--p", "0.9", "--depth", "10")
    table = rbo_table("runs/[AB]*.run", 0.9, depth=10).overlaps
    pairs = sorted((table.loc[a, b], f"{a} and {b}") for a in table for b in table if a < b)
    (least, few), (greatest, many) = pairs[0], pairs[-1]
    sentence = f"The overlaps of the 15 pairs of runs are between {least:.4f} ({few}) and {greatest:.4f}"
    text = run(*arguments).stdout
    assert sentence in text
    # A1 and A2, and A2 and A3, have nearly the same.
    assert f"({many}), median {pairs[7][0]:.4f}." in text
    found = json.loads(run(*arguments, "--json").stdout)
    assert (found["least"]["overlap"], found["median"], found["greatest"]["overlap"]) == (
        least,
        pairs[7][0],
        greatest,
    )


def test_pairs_with_the_same_overlap_are_counted(run, folder):
    for name in "xyz":
        (folder / f"{name}.run").write_text(f"1 Q0 d1 1 2 {name}\n1 Q0 d2 2 1 {name}\n")
    (folder / "w.run").write_text("1 Q0 d8 1 2 w\n1 Q0 d9 2 1 w\n")
    text = run("rbo", "w.run", "x.run", "y.run", "z.run", "--p", "0.9").stdout
    assert "between 0.0000 (w and x, and 2 other pairs) and 1.0000 (x and y, and 2 other pairs), median 0.5000." in text


def test_missing_topics(run, folder):
    lines = (folder / "runs/A1.run").read_text().splitlines(keepends=True)
    (folder / "part.run").write_text("".join(line.replace(" A1", " part") for line in lines if line[:3] != "450"))
    done = run("rbo", "part.run", "runs/B1.run", "--p", "0.9")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "ircor: part has no documents for the topic 450; --missing drop leaves out the topics that one of two runs "
        "does not have, and --missing zero counts their overlap as 0\n"
    )
    for missing, count in (("drop", 49), ("zero", 50)):
        done = run("rbo", "part.run", "runs/B1.run", "--p", "0.9", "--missing", missing)
        assert done.returncode == 0
        assert f"over {count} topics" in done.stdout
        assert "topic 450: " in done.stderr


def weight(d, p):
    """The share of the first d ranks, equation (21) of Webber et al."""
    rest = log(1 / (1 - p)) - sum(p**i / i for i in range(1, d))
    return 1 - p ** (d - 1) + (1 - p) / p * d * rest


def test_p_is_needed_and_the_message_says_how_to_choose_it(run):
    done = run("rbo", "runs/A1.run", "runs/B1.run")
    assert (done.returncode, done.stdout) == (2, "")
    said = "0.8, 0.9 and 0.98 give the first 5, 10 and 50 ranks 85 to 86 % of the weight"
    assert done.stderr == f"ircor: --p is required: the persistence, between 0 and 1: {said}\n"
    shares = [weight(*one) for one in ((5, 0.8), (10, 0.9), (50, 0.98))]
    assert {round(100 * share) for share in shares} == {85, 86}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["runs/A1.run", "qrels.txt", "--p", "0.9"], "qrels.txt:1: expected 6 fields"),
        (["runs/A1.run", "empty.run", "--p", "0.9"], "the run empty.run has no documents"),
        (["runs/A1.run", "runs/A1.run", "--p", "0.9"], "runs/A1.run is named twice"),
        (["runs/A1.run", "link.run", "--p", "0.9"], "runs/A1.run and link.run are the same file, which is named twice"),
        (["runs/A1.run", "runs", "--p", "0.9"], "runs/A1.run is named twice"),
        (["runs/A1.run", "--p", "0.9"], "runs/A1.run is one run only: name a second one"),
        (["runs/A1.run", "no.run", "--p", "0.9"], "no.run: No such file"),
        (["runs/A1.run", "scores.csv", "--p", "0.9"], "scores.csv:1: expected 6 fields"),
        (["runs/A1.run", "runs/B1.run", "--p", "1"], "--p must be between 0 and 1, not 1.0"),
        (["runs/A1.run", "runs/B1.run", "--p", "0.9", "--level", "95"], "--level must be between 0 and 1, not 95.0"),
        (["runs/A*.run", "--p", "0.9", "--level", "0.9"], "--level is for the interval of two runs"),
        (["eval", "--p", "0.9"], "if this is not a run, a pattern such as"),
        (["runs/A1.run", "other.run", "--p", "0.9"], "A1 and other have no topic in common: A1 has '401'"),
    ],
)
def test_what_is_refused(run, folder, arguments, message):
    (folder / "empty.run").write_text("")
    (folder / "link.run").symlink_to(folder / "runs/A1.run")
    (folder / "other.run").write_text("1 Q0 d 1 1 other\n")
    done = run("rbo", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_run_from_standard_input(run_process, folder):
    text = (folder / "runs/B1.run").read_text()
    done = run_process("rbo", "runs/A1.run", "-", "--p", "0.9", "--json", input=text)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["mean"] == rbo_runs(folder / "runs/A1.run", folder / "runs/B1.run", 0.9).mean
