"""Options that may be followed by a file or by a source, and how arguments are said."""

import json

import pytest

import ircor
from ircor import cli


def parsed(*arguments):
    return vars(cli.parser().parse_args(list(arguments)))


@pytest.mark.parametrize(
    ("arguments", "files", "json_file", "csv_file"),
    [
        (["--json", "a.eval", "b.eval"], ["a.eval", "b.eval"], "-", None),
        (["--csv", "a.eval", "b.eval"], ["a.eval", "b.eval"], None, "-"),
        (["a.eval", "--json", "b.eval"], ["a.eval", "b.eval"], "-", None),
        (["a.eval", "--json"], ["a.eval"], "-", None),
        (["a.eval", "--json", "out.json"], ["a.eval"], "out.json", None),
        (["--json", "out.json", "a.eval"], ["a.eval"], "out.json", None),
        (["--json", "OUT.JSON", "a.eval"], ["a.eval"], "OUT.JSON", None),
        (["--json=out.json", "a.eval"], ["a.eval"], "out.json", None),
        (["--js", "a.eval"], ["a.eval"], "-", None),
        (["--js=out.json", "a.eval"], ["a.eval"], "out.json", None),
        (["--json", "--csv", "out.csv", "a.eval"], ["a.eval"], "-", "out.csv"),
        (["--json", "-", "a.eval"], ["-", "a.eval"], "-", None),
        (["--json", "a*.eval"], ["a*.eval"], "-", None),
        (["--json", "sample:map", "sample:P_10"], ["sample:map", "sample:P_10"], "-", None),
        (["--json", "--", "a.eval"], ["a.eval"], "-", None),
        (["--", "--json", "a.eval"], ["--json", "a.eval"], None, None),
        (["--csv", "x.tsv", "a.csv"], ["x.tsv", "a.csv"], None, "-"),
    ],
)
def test_what_follows_is_a_file_to_write_only_if_it_ends_so(
    tmp_path, monkeypatch, arguments, files, json_file, csv_file
):
    monkeypatch.chdir(tmp_path)
    for name in ("a.eval", "b.eval", "x.tsv", "a.csv"):
        (tmp_path / name).touch()
    found = parsed("table", *arguments)
    assert (found["files"], found["json"], found["csv"]) == (files, json_file, csv_file)


def test_other_options_can_still_be_abbreviated():
    options = parsed("rs", "a.run", "qrels", "--m", "2", "--top", "3", "--weight", "0.5")
    assert (options["min_relevance"], options["top"]) == (2, 3)


def test_markdown_and_json_of_the_cross_check():
    options = parsed("crosscheck", "--markdown", "page.md", "--json")
    assert (options["markdown"], options["json"]) == ("page.md", "-")


def test_a_source_after_json_is_read(run):
    done = run("gmap", "--measure", "map", "--json", "eval/A1.eval", "eval/A2.eval")
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["system"] for row in json.loads(done.stdout)["systems"]] == ["A1", "A2"]


def test_a_table_after_csv_is_refused_with_both_readings(run, folder):
    done = run("table", "--csv", "scores.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert "; scores.csv was taken for the file that --csv writes; to read it, put --csv last" in done.stderr
    first = (folder / "scores.csv").read_text()
    done = run("table", "--csv", "scores.csv", "sample")
    assert "scores.csv exists and cannot show that ircor wrote it" in done.stderr
    assert done.stderr.endswith("; use --force to replace it; to read it, put --csv last\n")
    assert (folder / "scores.csv").read_text() == first
    assert run("table", "scores.csv", "--csv").stdout.startswith("tau_b,map,P_10")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "eval", "--mesure", "map"], "unrecognized arguments: --mesure map; did you mean --measure?\n"),
        (["compare", "eval", "eval", "--mesure=map"], "arguments: --mesure=map; did you mean --measure?\n"),
        (["gmap", "sample:map", "--jsn"], "arguments: --jsn; did you mean --json?\n"),
        (["rs", "a", "b", "--tpo", "3", "--wieght", "1"], "; did you mean --top and --weight?\n"),
        (["judges", "runs", "--thruth", "qrels.txt", "--judge", "x"], "--thruth qrels.txt; did you mean --truth?\n"),
        (["gmap", "sample:map", "--zzzzz"], "arguments: --zzzzz\n"),
        (["gmap", "--", "--jsn"], "--jsn: No such file or directory\n"),
        (["compre", "eval"], "there is no command 'compre'; did you mean compare?\n"),
        (["compre"], "there is no command 'compre'; did you mean compare?\n"),
        (
            ["qqqq"],
            "there is no command 'qqqq': choose from cor, compare, judges, table, drank, ",
        ),
    ],
)
def test_a_misspelled_word_is_answered_with_the_nearest(run, arguments, said):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_the_usage_is_that_of_the_command_with_the_unknown_option(run):
    assert run("gmap", "sample:map", "--jsn").stderr.startswith("usage: ircor gmap ")


def test_help_says_when_a_file_is_written(run):
    shown = " ".join(run("table", "--help").stdout.split())
    assert "--json [FILE.json]" in shown
    assert "what follows is the file only if it ends in .json" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "a.csv", "a.csv"], "a.csv: system 'a' has no value for topic one; --missing zero counts"),
        (["gmap", "sample:P_10", "--zeros", "strict"], "sample:P_10 must be positive with --zeros strict: 0.0 for"),
        (["gmap", "negative.csv"], "negative.csv must not be negative: -1.0 for topic 'one' and system 'scores'"),
        (["table", "one.csv"], "one.csv must have two items or more, not 1"),
        (["cor", "one.csv", "--x", "y", "--y", "x"], "one.csv must have two items or more, not 1"),
        (["table", "ties.csv", "--method", "tau_a"], "'x' contains ties. The variants _a (ties in the second ranking)"),
        (["cor", "ties.csv", "--x", "x", "--y", "y", "--intervals", "--bootstrap", "9"], "--intervals and --bootstrap"),
        (["drank", "sample:map", "negative.csv"], "negative.csv does not have the systems 'A1', 'A2'"),
        (
            ["rs", "runs/A1.run", "other.txt", "--top", "9", "--weight", "0.5"],
            "no topic of runs/A1.run is in other.txt",
        ),
        (
            ["table", "runs", "--qrels", "qrels.txt", "-m", "P@10", "-m", "Precision@10"],
            "--measure has 'P@10' twice",
        ),
        (["rs", "runs/A1.run", "empty.txt", "--top", "9", "--weight", "0.5"], "empty.txt has no topics"),
    ],
)
def test_messages_are_in_the_words_of_the_command(run, folder, arguments, said):
    (folder / "a.csv").write_text("topic,a,b\none,,2\ntwo,3,4\n")
    (folder / "negative.csv").write_text("topic,scores,b\none,-1,2\ntwo,3,4\n")
    (folder / "one.csv").write_text("item,x,y\np,1,2\n")
    (folder / "ties.csv").write_text("item,x,y\np,1,2\nq,1,1\nr,2,3\n")
    (folder / "other.txt").write_text("999 0 d1 1\n")
    (folder / "empty.txt").write_text("")
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ircor: {said}")


def test_notes_name_the_columns(answer):
    found = answer("cor", "scores.csv", "--x", "map", "--y", "P_10")
    notes = {row["coefficient"]: row["note"] for row in found["coefficients"]}
    assert notes["tau"] == "P_10 contains ties"
    assert ircor.correlate([1, 2], [3, 3]).coefficients["note"][0] == "'y' contains ties"


def test_a_table_called_like_an_option_is_not_taken_for_it(run, folder):
    for name in ("level", "seed"):
        (folder / name).write_text("topic,a,b\none,1,2\n")
    done = run("compare", "level", "seed")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ircor: 'level' must have two topics or more")
