"""The commands for one's own data, run on real files in a folder, in a pipe and in a terminal."""

import csv
import io
import json
import re
import signal
import subprocess
import time

import numpy as np
import pandas as pd
import pytest
from calls import COMMAND
from test_cli import run_in_terminal

import ircor
from ircor import averages, rank_distance
from ircor._sample import write_sample
from ircor.organization import evaluate_runs

QUICK = ["--resamples", "300"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_sample(folder)
    return folder


@pytest.fixture
def run(folder):
    def run(*arguments):
        return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False)

    return run


def answer(done):
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def blocks(text):
    """The tables of plain output: lists of rows."""
    return [[line.split("\t") for line in block.splitlines()] for block in text.strip().split("\n\n")]


# cor


def test_cor(run, folder):
    frame = pd.read_csv(folder / "scores.csv", index_col="system")
    found = answer(run("cor", "scores.csv", "--x", "map", "--y", "P_10", "--json"))
    values = {row["coefficient"]: row["value"] for row in found["coefficients"]}
    assert values["tau"] is None
    assert values["tauAP"] is None
    for name in ("tau_a", "tau_b", "tauAP_a", "tauAP_b"):
        assert values[name] == getattr(ircor, name)(frame["map"], frame["P_10"])
    assert {row["coefficient"]: row["note"] for row in found["coefficients"]}["tau"] == "'y' contains ties"
    assert found["advice"].startswith("P_10 has ties: tau_a and tauAP_a if map is the truth")
    worst = found["costly"][0]
    i, j = worst["above in map"], worst["above in P_10"]
    assert frame.loc[i, "map"] > frame.loc[j, "map"]
    assert frame.loc[i, "P_10"] < frame.loc[j, "P_10"]
    assert [row["cost"] for row in found["costly"]] == sorted((row["cost"] for row in found["costly"]), reverse=True)


def test_cor_with_intervals_and_p_values(run, folder):
    frame = pd.read_csv(folder / "scores.csv")
    found = answer(
        run("cor", "scores.csv", "--x", "map", "--y", "ndcg", "--bootstrap", "400", "--permutations", "199", "--json")
    )
    rows = {row["coefficient"]: row for row in found["coefficients"]}
    assert rows["tau_b"]["low"] < rows["tau_b"]["value"] < rows["tau_b"]["high"]
    expected = ircor.permutation_test(frame["map"], frame["ndcg"], "tauAP_b", resamples=199, seed=1).pvalue
    assert rows["tauAP_b"]["p-value"] == expected == 2 / 200
    # Resampled items are tied with themselves, which these refuse.
    assert rows["tau_a"]["low"] is None


def test_cor_of_ranks(run, folder):
    ranks = "item,first,second\na,1,2\nb,2,1\nc,3,4\nd,4,3\n"
    (folder / "ranks.csv").write_text(ranks)
    found = answer(run("cor", "ranks.csv", "--x", "first", "--y", "second", "--increasing", "--json"))
    values = {row["coefficient"]: row["value"] for row in found["coefficients"]}
    assert values["tauAP"] == ircor.tauAP([1, 2, 3, 4], [2, 1, 4, 3], decreasing=False)
    assert (
        found["advice"]
        == "No ties: tau, or tauAP if errors at the top should cost more; tauAP takes first for the truth."
    )
    (folder / "ties.csv").write_text("x,y\n1,1\n1,2\n2,2\n")
    found = answer(run("cor", "ties.csv", "--x", "x", "--y", "y", "--json"))
    assert found["advice"].startswith("Both have ties: tau_b")


def test_what_is_undefined_is_said_to_be(run, folder):
    (folder / "flat.csv").write_text("x,y\n1,5\n2,5\n3,5\n")
    arguments = ["cor", "flat.csv", "--x", "x", "--y", "y"]
    rows = {row[0]: row for row in blocks(run(*arguments).stdout)[0]}
    assert rows["tau_b"][1] == rows["tauAP_b"][1] == "undefined"
    assert rows["tau_a"][1] == "0.0000"
    found = answer(run(*arguments, "--json"))
    assert {row["coefficient"]: row["value"] for row in found["coefficients"]}["tau_b"] is None


# compare


def test_compare(run):
    A, B = ircor.sample("map"), ircor.sample("P_10")
    found = answer(run("compare", "sample:map", "sample:P_10", *QUICK, "--seed", "7", "--json"))
    rows = {row["coefficient"]: row for row in found["coefficients"]}
    interval = ircor.bootstrap(A, B, "tauAP_b", resamples=300, seed=7)
    assert rows["tauAP_b"]["value"] == pytest.approx(interval.statistic)
    assert (rows["tauAP_b"]["low"], rows["tauAP_b"]["high"]) == pytest.approx((interval.low, interval.high))
    assert (rows["tau"]["value"], rows["tau"]["note"]) == (None, "two systems have the same mean")
    # Means in tenths, of which some are equal but for rounding.
    means = B.mean().round(10)
    test = rank_distance.drank_test(means, A, resamples=300, seed=7)
    assert found["d_rank"]["statistic"] == pytest.approx(test.statistic)
    assert found["d_rank"]["pvalue"] == test.pvalue
    assert found["discriminative_power"] == rank_distance.discriminative_power(means, A)
    best = found["systems"][0]
    assert best["system"] == "J2"
    assert best["mean_a"] == pytest.approx(A["J2"].mean())
    assert best["mean_b"] == pytest.approx(B["J2"].mean())
    assert (best["rank_a"], best["rank_b"], best["move"]) == (1, 1, 0)
    moved = next(row for row in found["systems"] if row["system"] == "H2")
    assert moved["move"] == moved["rank_a"] - moved["rank_b"] == 6
    assert f"tau_b = {rows['tau_b']['value']:.3f}" in found["conclusion"]


def test_compare_says_the_same_of_folders_patterns_and_tables(run, folder):
    for measure in ("map", "P_10"):
        ircor.sample(measure).to_csv(folder / f"{measure}.csv")
    expected = answer(run("compare", "sample:map", "sample:P_10", *QUICK, "--json"))
    for arguments in (
        ["eval", "eval/*.eval", "--measure", "map", "--measure", "P_10"],
        ["map.csv", "P_10.csv"],
        ["map.csv", "sample:P_10"],
    ):
        found = answer(run("compare", *arguments, *QUICK, "--json"))
        assert found["coefficients"] == expected["coefficients"]
        assert found["d_rank"] == expected["d_rank"]


def test_the_three_conclusions(run):
    same = answer(run("compare", "sample:map", "sample:map", *QUICK, "--json"))
    assert same["conclusion"].startswith(
        "sample:map (b) ranks the systems as sample:map (a) does: d_rank = 0.000, p = 1.0000, tau_b = 1"
    )
    alike = answer(run("compare", "sample:map", "sample:P_10", *QUICK, "--json"))
    assert "not more unlike sample:map than another sample of topics could" in alike["conclusion"]
    unlike = answer(run("compare", "sample:map", "sample:recip_rank", *QUICK, "--json"))
    assert "by more than another sample of topics would: d_rank" in unlike["conclusion"]
    assert "p < 0.00333333" in unlike["conclusion"]


def test_collections_with_other_topics(run, folder):
    scores = ircor.sample("map")
    scores.iloc[:25].to_csv(folder / "first.csv")
    scores.iloc[25:].to_csv(folder / "second.csv")
    done = run("compare", "first.csv", "second.csv", *QUICK)
    assert done.returncode == 0
    assert done.stderr == "ircor: the two have different topics, so there are no intervals from resampled topics\n"
    assert "interval" not in done.stdout.splitlines()[-1]


# table, drank, rs, gmap


def test_table(run, folder):
    scores = ircor.sample()
    means = pd.DataFrame({measure: scores[measure].mean() for measure in ("map", "P_10", "ndcg", "recip_rank")})
    expected = ircor.cor(means.round(10), method="tauAP_b").to_numpy()
    for source in (["sample"], ["eval"], ["sample:map", "sample:P_10", "sample:ndcg", "sample:recip_rank"]):
        found = answer(run("table", *source, "--method", "tauAP_b", "--json"))
        assert found["names"] == ["map", "P_10", "ndcg", "recip_rank"]
        np.testing.assert_allclose(found["table"], expected, atol=1e-12)
    found = answer(run("table", "sample", "--method", "tauAP_b", "--drank", "--json"))["table"]
    assert found[2][0] == pytest.approx(rank_distance.drank(scores["ndcg"].mean(), scores["map"]))
    assert found[0][2] == pytest.approx(expected[0, 2])
    of_items = answer(run("table", "scores.csv", "--json"))
    frame = pd.read_csv(folder / "scores.csv", index_col="system")
    np.testing.assert_allclose(of_items["table"], ircor.cor(frame), atol=1e-12)
    two = answer(run("table", "scores.csv", "--measure", "ndcg", "--measure", "map", "--json"))
    assert two["names"] == ["ndcg", "map"]


def test_a_long_table(run, folder):
    long = ircor.sample().stack(["measure", "system"], future_stack=True).rename("value").reset_index()
    long.to_csv(folder / "long.csv", index=False)
    found = answer(run("table", "long.csv", "--json"))
    assert found["table"] == answer(run("table", "sample", "--json"))["table"]


def test_drank(run):
    A, B = ircor.sample("map"), ircor.sample("recip_rank")
    found = answer(run("drank", "sample:map", "sample:recip_rank", *QUICK, "--ridge", "0.001", "--json"))
    expected = rank_distance.drank_test(B.mean(), A, resamples=300, seed=1, ridge=0.001)
    assert found["statistic"] == pytest.approx(expected.statistic)
    assert (found["pvalue"], found["ridge"], found["resamples"]) == (expected.pvalue, 0.001, 300)
    assert found["order"] == list(expected.order)
    assert found["made_equal"] == [list(pair) for pair in expected.equalised]


def test_rs(run, folder):
    arguments = ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8"]
    for more, options in (
        (["--binary"], {"graded": False}),
        (["--min-relevance", "2"], {"min_relevance": 2}),
        ([], {}),
    ):
        found = json.loads(run(*arguments, *more, "--json").stdout)
        expected = evaluate_runs(folder / "runs/A1.run", folder / "qrels.txt", top=30, weight=0.8, **options)
        assert found["mean"] == expected.mean._asdict()
        assert found["topics"]["401"] == expected.topics["401"]._asdict()
    lines = (folder / "runs/A1.run").read_text().splitlines(keepends=True)
    (folder / "part.run").write_text("".join(line.replace("450 Q0", "999 Q0") for line in lines))
    done = run("rs", "part.run", "qrels.txt", "--top", "30", "--weight", "0.8")
    assert done.stderr == (
        "ircor: 1 topics are not in the run and score 0: 450\n"
        "ircor: 1 topics of the run are not judged and are left out: 999\n"
    )
    assert done.stdout.splitlines()[-1].startswith("mean\t")


def test_gmap(run, folder):
    scores = ircor.sample("map")
    for arguments in (
        ["sample:map"],
        ["eval", "--measure", "map"],
        ["eval/A1.eval", "eval/B1.eval", "--measure", "map"],
    ):
        found = answer(run("gmap", *arguments, "--zeros", "trec_eval", "--json"))
        for row in found["systems"]:
            assert row["mean"] == pytest.approx(scores[row["system"]].mean())
            assert row["gmean"] == pytest.approx(averages.gmean(scores[row["system"]], zeros="trec_eval"))
    assert len(found["systems"]) == 2


# Everywhere


EVERY = {
    "cor": ["cor", "scores.csv", "--x", "map", "--y", "P_10"],
    "compare": ["compare", "sample:map", "sample:P_10", *QUICK],
    "table": ["table", "sample", "--drank"],
    "drank": ["drank", "sample:map", "sample:P_10", *QUICK],
    "rs": ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8"],
    "gmap": ["gmap", "sample:map"],
}


@pytest.mark.parametrize("name", EVERY)
def test_json_and_csv_to_standard_output_and_to_files(run, folder, name):
    to_json, to_csv = f"{name}-out.json", f"{name}-out.csv"
    printed = run(*EVERY[name], "--json", "--csv", to_csv)
    first = (folder / to_csv).read_text()
    # What the command wrote itself, it writes again.
    done = run(*EVERY[name], "--json", to_json, "--csv", to_csv)
    assert (printed.returncode, done.returncode) == (0, 0)
    assert (folder / to_json).read_text() == printed.stdout
    assert (folder / to_csv).read_text() == first
    rows = list(csv.DictReader(io.StringIO(first)))
    first = blocks(done.stdout)[0]
    assert list(rows[0]) == first[0]
    assert len(rows) == len(first) - 1


def test_two_forms_cannot_both_be_printed(run):
    both = run("table", "scores.csv", "--json", "--csv")
    assert (both.returncode, both.stdout) == (2, "")
    assert "cannot both go to standard output" in both.stderr
    assert run("table", "scores.csv", "--csv").stdout.startswith("tau_b,map,P_10")


@pytest.mark.parametrize("name", EVERY)
def test_tables_in_a_terminal_are_aligned_and_fit(folder, name, monkeypatch):
    monkeypatch.chdir(folder)
    shown, status = run_in_terminal(*EVERY[name], columns=100)
    assert status == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "\t" not in plain
    assert "…" not in plain
    assert "Traceback" not in plain


@pytest.mark.parametrize("name", ["compare", "drank"])
def test_the_same_whatever_the_jobs(run, name):
    assert run(*EVERY[name], "--jobs", "2", "--json").stdout == run(*EVERY[name], "--json").stdout


@pytest.mark.parametrize("name", EVERY)
def test_pictures(run, folder, name):
    ending, begins, drawn = {
        "cor": ("svg", b"<?xml", b"<!-- P_10 -->"),
        "compare": ("svg", b"<?xml", b"<!-- sample:P_10 -->"),
        "table": ("svg", b"<?xml", b"<!-- recip_rank -->"),
        "drank": ("svg", b"<?xml", b"<!-- "),
        "rs": ("pdf", b"%PDF", b""),
        "gmap": ("png", b"\x89PNG", b""),
    }[name]
    done = run(*EVERY[name], "--plot", f"out.{ending}")
    assert (done.returncode, done.stderr) == (0, "")
    content = (folder / f"out.{ending}").read_bytes()
    assert content.startswith(begins)
    assert drawn in content


def test_a_picture_of_another_kind_is_refused(run):
    done = run("table", "scores.csv", "--plot", "out.jpg")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ircor: the file of --plot must end in .png or .svg or .pdf, and out.jpg does not\n"


@pytest.mark.parametrize("name", [*EVERY, "sample", "reproduce", "crosscheck"])
def test_help_has_an_example(run, name):
    shown = run(name, "--help").stdout
    assert f"example: ircor {name}" in " ".join(shown.split())


def test_reproduce_as_csv(run):
    rows = list(csv.DictReader(io.StringIO(run("reproduce", "--csv").stdout)))
    assert {row["verdict"] for row in rows} == {"agrees", "known misprint", "not reproduced"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cor", "none.csv", "--x", "a", "--y", "b"], "No such file or directory: 'none.csv'"),
        (
            ["cor", "scores.csv", "--x", "map", "--y", "bpref"],
            "scores.csv has no column 'bpref' of numbers: it has map",
        ),
        (["cor", "gap.csv", "--x", "a", "--y", "b"], "gap.csv: column 'b' has no value for two"),
        (["compare", "eval", "sample:map"], "eval has several measures, of which one must be chosen: map, P_10"),
        (["compare", "eval/A1.eval", "sample:map", "--measure", "map"], "does not have the systems A2, A3"),
        (["compare", "sample:map", "sample:AP"], "'measure' must be one of"),
        (["compare", "bad.txt", "sample:map"], "bad.txt:1: 2 fields, where there should be 3"),
        (["compare", "topics.csv", "topics.csv"], "system 'b' has no value for the topics two"),
        (["compare", "sample:map", "sample:map", "--measure", "P_10"], "sample:map names its measure already"),
        (["compare", "scores.csv", "scores.csv"], "scores.csv:1: not topics by systems, nor the columns"),
        (["gmap", "scores.csv"], "scores.csv:1: not topics by systems, nor the columns"),
        (["table", "topics.csv"], "topics.csv is topics by systems, of one measure"),
        (["table", "sample:map", "sample:map"], "a file is named twice"),
        (["table", "typo.csv"], "typo.csv:3: 'O.3' in column 'b', which has numbers elsewhere"),
        (
            ["gmap", "--measure", "map", "--json", "eval/A1.eval", "eval/A2.eval"],
            "the file of --json must end in .json",
        ),
        (["table", "--csv", "scores.csv", "sample"], "scores.csv is there already and has something else in it"),
        (["compare", "eval", "eval", *["--measure", "map"] * 3], "--measure can be given twice at the most"),
        (["table", "scores.csv", "--drank"], "--drank needs scores by topic"),
        (["table", "sample:map"], "sample:map has one measure only, and nothing to compare it with"),
        (["table", "sample", "--measure", "bpref"], "there is no 'bpref', only map, P_10, ndcg, recip_rank"),
        (
            ["table", "sample:map", "topics.csv", "--missing", "zero"],
            "topics.csv does not have the same systems as sample:map",
        ),
        (["table", "gap.csv"], "gap.csv: column 'b' has no value for two"),
        (
            ["rs", "qrels.txt", "qrels.txt", "--top", "30", "--weight", "0.8"],
            "qrels.txt:1: 4 fields, where there should be 6",
        ),
        (
            ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "1.5"],
            "'weight' must be between 0 and 1, not 1.5",
        ),
        (["gmap", "sample:map", "--eps", "0"], "'eps' must be"),
        (["gmap", "sample"], "sample has several measures"),
        (["drank", "sample:map", "sample:P_10", "--ridge", "-1"], "'ridge' must be a number from 0 up"),
        (["sample", "scores.csv/inside"], "scores.csv"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(run, folder, arguments, words):
    (folder / "gap.csv").write_text("item,a,b\none,1,2\ntwo,2,\n")
    (folder / "topics.csv").write_text("topic,a,b\none,1,2\ntwo,2,\n")
    (folder / "bad.txt").write_text("map 0.5\n")
    (folder / "typo.csv").write_text("item,a,b\none,1,2\ntwo,2,O.3\n")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("ircor: ")
    assert words in done.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("arguments", [["--jobs", "0"], ["--seed", "-1"], ["--resamples", "0"]])
def test_bad_numbers_are_bad_usage(run, arguments):
    done = run("compare", "sample:map", "sample:P_10", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"argument {arguments[0]}: invalid" in done.stderr


def test_an_interrupt_is_no_traceback(folder):
    command = [*COMMAND, "compare", "sample:map", "sample:ndcg", "--resamples", "100000000"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "ircor: interrupted\n")


def test_files_of_one_name_in_several_folders(run, folder):
    for year, measure in (("2005", "map"), ("2006", "ndcg")):
        (folder / year).mkdir()
        ircor.sample(measure).to_csv(folder / year / "scores.csv")
    found = answer(run("table", "2005/scores.csv", "2006/scores.csv", "sample:P_10", "--json"))
    assert found["names"] == ["2005/scores.csv", "2006/scores.csv", "P_10"]


def test_missing_scores_are_told_of(run, folder):
    scores = ircor.sample("map")
    text = scores.to_csv().splitlines()
    text[3] = text[3].rpartition(",")[0] + ","
    (folder / "holes.csv").write_text("\n".join(text) + "\n")
    done = run("compare", "holes.csv", "sample:map", *QUICK, "--missing", "drop", "--json")
    assert done.stderr == "ircor: system 'J3' has no value for the topics 403: these topics are dropped\n"
    # The topic is dropped from both, so that the means are over the same ones, and the intervals stay.
    found = json.loads(done.stdout)
    expected = scores.drop("403").mean()
    assert all(row["mean_a"] == pytest.approx(expected[row["system"]]) for row in found["systems"])
    assert found["coefficients"][1]["low"] == 1
    done = run("gmap", "holes.csv", "--missing", "zero")
    assert done.stderr == "ircor: system 'J3' has no value for the topics 403: taken for 0\n"


def test_what_ties_do_to_the_conclusion(run, folder):
    flat = ircor.sample("map") * 0 + 0.5
    flat.to_csv(folder / "even.csv")
    found = answer(run("compare", "sample:map", "even.csv", *QUICK, "--json"))["conclusion"]
    assert found.startswith("even.csv contradicts no order of sample:map, but 435 pairs are tied in one of them only")
    assert "tau_b = undefined" in found
    assert "nan" not in found


def test_few_resamples_prove_nothing(run):
    found = answer(run("compare", "sample:map", "sample:recip_rank", "--resamples", "10", "--json"))
    assert found["d_rank"]["pvalue"] == 0
    assert "not more unlike" in found["conclusion"]
    assert "p < 0.1" in found["conclusion"]


def test_the_sample_as_files(run, folder):
    done = run("sample", "again")
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "again/eval/A1.eval").read_text() == (folder / "eval/A1.eval").read_text()
    assert len(list((folder / "again/runs").iterdir())) == 30
