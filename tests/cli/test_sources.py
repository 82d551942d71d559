"""What a source is, and that bad input is one line and exit status 2."""

import pytest

from ircor.cli._sources import is_sample, short_name

QUICK = ["--resamples", "300"]


def test_what_a_source_is():
    assert is_sample("sample")
    assert is_sample("sample:map")
    assert not is_sample("samples")
    assert [short_name(name) for name in ("sample:map", "x/y.csv", "eval/")] == ["map", "y", "eval"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cor", "none.csv", "--x", "a", "--y", "b"], "none.csv: No such file or directory"),
        (
            ["cor", "scores.csv", "--x", "map", "--y", "bpref"],
            "scores.csv has no column 'bpref' of numbers: it has map",
        ),
        (["cor", "gap.csv", "--x", "a", "--y", "b"], "gap.csv: column 'b' has no value for two"),
        (["compare", "eval", "sample:map"], "eval has several measures"),
        (
            ["compare", "eval/A1.eval", "eval/A2.eval", "--measure", "map"],
            "'eval/A1.eval' must have two systems or more, not 1",
        ),
        (["compare", "two.csv", "sample:map"], "'two.csv' does not have the systems 'A3', 'B1'"),
        (["compare", "sample:map", "two.csv"], "'two.csv' does not have the systems 'A3', 'B1'"),
        (["drank", "sample:map", "two.csv"], "does not have the systems 'A3', 'B1'"),
        (
            ["compare", "sample:map", "sample:AP"],
            "there are no values of the measure 'AP' in sample:AP; did you mean 'map'? The",
        ),
        (["compare", "bad.txt", "sample:map"], "bad.txt:1: "),
        (["compare", "topics.csv", "topics.csv"], "system 'b' has no value for"),
        (["compare", "sample:map", "sample:map", "--measure", "P_10"], "sample:map names its measure already"),
        (["compare", "scores.csv", "scores.csv"], "scores.csv:1: "),
        (["gmap", "scores.csv"], "scores.csv:1: "),
        (["gmap", "sample", "--measure", "map", "--measure", "P_10"], "--measure can be given only once here"),
        (
            ["gmap", "topics.csv", "--measure", "map"],
            "topics.csv does not name its measure, so --measure map cannot be",
        ),
        (["table", "topics.csv", "--missing", "zero"], "topics.csv has one measure only, and nothing to compare it"),
        (["table", "sample:map", "sample:map"], "a file is named twice"),
        (["table", "sample:map", "sample", *["--measure", "map"] * 2], "--measure can be given only once here"),
        (["table", "typo.csv"], "typo.csv:3: "),
        (["gmap", "sample:map", "--json", "none.txt"], "the file of --json must end in .json, and none.txt does not"),
        (["table", "--csv", "scores.csv", "sample"], "scores.csv exists and cannot show that ircor wrote it"),
        (["compare", "eval", "eval", *["--measure", "map"] * 3], "--measure can be given twice at the most"),
        (["table", "scores.csv", "--drank"], "--drank needs scores by topic"),
        (["table", "scores.csv", "--measure", "map"], "there is only one ranking"),
        (["table", "sample:map"], "sample:map has one measure only, and nothing to compare it with"),
        (
            ["table", "sample", "--measure", "bpref"],
            "there are no values of the measure 'bpref' in sample. The measures are map",
        ),
        (["table", "sample:map", "topics.csv", "--missing", "zero"], "'topics' does not have the systems 'A1'"),
        (["table", "gap.csv"], "gap.csv: column 'b' has no value for two"),
        (["rs", "qrels.txt", "qrels.txt", "--top", "30", "--weight", "0.8"], "qrels.txt:1: expected 6 fields"),
        (
            ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "1.5"],
            "--weight must be between 0 and 1, not 1.5",
        ),
        (["gmap", "sample:map", "--eps", "0"], "--eps must be"),
        (["gmap", "sample"], "sample has several measures"),
        (["sample", "file.txt/inside"], "file.txt"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(run, folder, arguments, words):
    import ircor

    ircor.sample("map")[["A1", "A2"]].to_csv(folder / "two.csv")
    (folder / "gap.csv").write_text("item,a,b\none,1,2\ntwo,2,\n")
    (folder / "topics.csv").write_text("topic,a,b\none,1,2\ntwo,2,\n")
    (folder / "bad.txt").write_text("map 0.5\n")
    (folder / "typo.csv").write_text("item,a,b\none,1,2\ntwo,2,O.3\n")
    (folder / "file.txt").write_text("")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("ircor: ")
    assert words in done.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "number,A1,B2\n401,0.5,0.25\n402,0.75,1\n403,0.5,1\n",
            "the column 'number' can have topics, systems, or items",
        ),
        (",A1,B2\nx,0.5,0.25\ny,0.75,1\nz,0.5,1\n", "the column '' can have topics, systems, or items of any kind"),
        (",A1,B2\n401,0.5,0.25\n402,0.75,1\n", "the column '' can have topics, systems, or items of any kind"),
        (
            "system,401,402,mean\na,0.5,0.25,0.3\nb,0.75,1,0.9\n",
            "the column '401' can be a topic, or one of several rankings",
        ),
        ("system,map,P_10\na,0.5,0.25\nmean,0.75,1\n", "table.csv:3: the row 'mean' has averages: leave it out"),
        ("topic_no,A1,B2\n401,0.5,0.25\n402,0.75,1\n", "table.csv has one measure only"),
    ],
)
def test_a_table_that_may_have_topics_is_not_taken_for_one_of_items(run, folder, text, words):
    (folder / "table.csv").write_text(text)
    done = run("table", "table.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        ",map,P_10\na,0.5,0.25\nb,0.75,1\nc,0.25,0.5\n",
        "system,map,P_10\na,0.5,0.25\nb,0.75,1\nc,0.25,0.5\n",
        "Unnamed: 0,system,map,P_10\n0,a,0.5,0.25\n1,b,0.75,1\n2,c,0.25,0.5\n",
        "map,P_10\n0.5,0.25\n0.75,1\n0.25,0.5\n",
        "docno,map,P_10\n1,0.5,0.25\n2,0.75,1\n3,0.25,0.5\n",
        "id,map,P_10\n1,0.5,0.25\n2,0.75,1\n3,0.25,0.5\n",
    ],
)
def test_tables_of_items(run, folder, text):
    (folder / "table.csv").write_text(text)
    done = run("table", "table.csv")
    assert done.stdout.splitlines()[0] == "tau_b\tmap\tP_10"
    assert done.stdout.splitlines()[1].split("\t")[2] == "0.3333"


def test_different_topics_are_said(run, folder):
    import ircor

    ircor.sample("map").iloc[:40].to_csv(folder / "forty.csv")
    done = run("compare", "sample:map", "forty.csv", *QUICK)
    assert done.returncode == 2
    words = (
        "only sample:map has the topics 441, 442, 443, 444, 445 and 5 more; --missing drop drops what one of them does"
    )
    assert words in done.stderr
    done = run("compare", "sample:map", "forty.csv", *QUICK, "--missing", "drop")
    assert "only sample:map has the topics 441, 442, 443, 444, 445 and 5 more: dropped" in done.stderr
    assert "samples of 40 topics" in done.stdout
    for command in (["drank", "sample:map", "forty.csv", *QUICK], ["table", "sample:map", "forty.csv"]):
        done = run(*command)
        assert done.returncode == 0
        assert "topics" in done.stderr


def test_a_measure_that_ranks_nothing_has_no_distance(run, folder):
    rows = "".join(f"{s},{t},{(k * 7 + t) % 5 / 5},0.5\n" for k, s in enumerate("ABC") for t in (1, 2, 3))
    (folder / "flat.csv").write_text("system,topic,map,P_10\n" + rows)
    done = run("drank", "flat.csv", "flat.csv", "--measure", "map", "--measure", "P_10")
    assert (done.returncode, done.stdout) == (2, "")
    assert "P_10 has the same mean for all systems, which is no ranking: there is no distance" in done.stderr
