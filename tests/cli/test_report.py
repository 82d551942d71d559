"""The one way out: standard output, files, pictures, and a terminal, for every command."""

import csv
import io
import json
import os
import re
import sys
from dataclasses import dataclass
from importlib.metadata import version

import pytest
from calls import replace_run

from ircor._core.results import Result
from ircor.cli._output import Outcome, as_csv, as_json, in_colour, show
from ircor.show.tables import Column, Table, View

QUICK = ["--resamples", "300"]
EVERY = {
    "cor": ["cor", "scores.csv", "--x", "map", "--y", "P_10"],
    "compare": ["compare", "sample:map", "sample:P_10", *QUICK],
    "table": ["table", "sample", "--drank"],
    "drank": ["drank", "sample:map", "sample:P_10", *QUICK],
    "reliability": ["reliability", "sample:map", *QUICK],
    "rbo": ["rbo", "runs/A1.run", "runs/B1.run", "--p", "0.9"],
    "rs": ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8"],
    "gmap": ["gmap", "sample:map"],
    "reproduce": ["reproduce"],
    "crosscheck": ["crosscheck", "--oracle", "record", "--functions", "tau_b"],
}
PICTURES = {
    "cor": ("svg", b"<?xml", b">P_10<"),
    "compare": ("svg", b"<?xml", b">sample:P_10<"),
    "table": ("svg", b"<?xml", b">recip_rank<"),
    "drank": ("svg", b"<?xml", b">rank distance from sample:map, d_rank<"),
    "reliability": ("svg", b"<?xml", b">number of topics<"),
    "rbo": ("svg", b"<?xml", b">RBO of A1 and B1<"),
    "rs": ("pdf", b"%PDF", b""),
    "gmap": ("png", b"\x89PNG", b""),
}


def first_table(text):
    """The first table of plain output: the lines with tabs up to a line without."""
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if "\t" in line)
    end = next((k for k in range(start, len(lines)) if "\t" not in lines[k]), len(lines))
    return [line.split("\t") for line in lines[start:end]]


def found_in(text):
    """The content of JSON without the command, which names the files and options."""
    data = json.loads(text)
    return {key: value for key, value in data.items() if key != "command"} if isinstance(data, dict) else data


@pytest.mark.parametrize("name", EVERY)
def test_json_and_csv_to_standard_output_and_to_files(run, folder, name):
    printed = run(*EVERY[name], "--json", "--csv", "out.csv")
    first = (folder / "out.csv").read_text()
    done = run(*EVERY[name], "--json", "out.json", "--csv", "again.csv")
    assert (printed.returncode, done.returncode) == (0, 0)
    assert found_in((folder / "out.json").read_text()) == found_in(printed.stdout)
    assert found_in(printed.stdout)
    assert (folder / "again.csv").read_text() == first
    rows = list(csv.DictReader(io.StringIO(first)))
    shown = first_table(done.stdout)
    assert set(shown[0]) <= set(rows[0])
    assert len(rows) == len(shown) - 1


def test_two_forms_cannot_both_be_printed(run):
    both = run("table", "scores.csv", "--json", "--csv")
    assert (both.returncode, both.stdout) == (2, "")
    assert "cannot all go to standard output" in both.stderr
    assert run("table", "scores.csv", "--csv").stdout.startswith("tau_b,map,P_10")


@pytest.mark.parametrize(
    ("option", "target", "words"),
    [
        ("--plot", "out.jpg", "the file of --plot must end in .png or .svg or .pdf, and out.jpg does not"),
        ("--json", "out.csv", "the file of --json must end in .json, and out.csv does not"),
        ("--csv", "none/out.csv", "none/out.csv: there is no folder "),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_the_work(run, monkeypatch, option, target, words):
    replace_run(monkeypatch, "table", lambda options: pytest.fail("the work was begun"))
    done = run("table", "scores.csv", option, target)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_an_ending_in_capitals_is_an_ending(run, folder):
    assert run("gmap", "sample:map", "--json", "OUT.JSON", "--plot", "OUT.PNG").returncode == 0
    assert (folder / "OUT.PNG").read_bytes().startswith(b"\x89PNG")


def test_a_file_with_other_content_is_not_overwritten(run, folder):
    (folder / "mine.csv").write_text("topic,a,b\n")
    done = run("table", "sample", "--csv", "mine.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "ircor: mine.csv exists and cannot show that ircor wrote it; use --force to replace it; "
        "to read it, put --csv last\n"
    )
    assert (folder / "mine.csv").read_text() == "topic,a,b\n"
    (folder / "mine.csv").write_text("")
    assert run("table", "sample", "--csv", "mine.csv").returncode == 0


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(run, folder, name):
    ending, begins, drawn = PICTURES[name]
    done = run(*EVERY[name], "--plot", f"out.{ending}")
    assert (done.returncode, done.stderr) == (0, "")
    content = (folder / f"out.{ending}").read_bytes()
    assert content.startswith(begins)
    assert drawn in content


@pytest.mark.parametrize("name", EVERY)
def test_tables_in_a_terminal_are_aligned_and_fit(run, monkeypatch, name):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    done = run(*EVERY[name])
    assert done.returncode == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    assert "\t" not in plain
    assert "…" not in plain
    assert "─" in plain
    table = [line for line in plain.splitlines() if "  " in line]
    assert max(map(len, table)) <= 100


@pytest.mark.parametrize("name", ["compare", "drank", "reliability"])
def test_the_same_whatever_the_jobs(run, name):
    one, two = (run(*EVERY[name], *jobs, "--json").stdout for jobs in ([], ["--jobs", "2"]))
    assert found_in(one) == found_in(two)


@dataclass(frozen=True)
class Row:
    name: str
    value: float | None = None
    kind: str = ""
    said: str = ""


class Shown(Result):
    """A result with a view of its own."""

    def __init__(self, kind):
        self.kind = kind

    @property
    def view(self):
        return self.kind(self)


class SmallView(View):
    notes = ("note",)

    def tables(self):
        columns = [
            Column("name"),
            Column("value"),
            Column("kind", only="data"),
            Column("said", "kind: why", only="screen"),
        ]
        return [Table("rows", columns, [Row("a,b", 0.5, "k", "k: w"), Row("c", None, "l", "l")], group="name")]

    def sentences(self):
        return ["Done."]


def small():
    return Shown(SmallView)


def options(**given):
    from argparse import Namespace

    return Namespace(**given)


def test_screen_and_data_have_their_own_columns(capsys):
    status = show(Outcome(small(), heading=["head"], closing="closing", status=1), options(json=None))
    out, err = capsys.readouterr()
    assert status == 1
    assert out == "head\nname\tvalue\tkind: why\na,b\t0.5000\tk: w\nc\t\tl\n\nDone.\n"
    assert err == "ircor: note\nclosing\n"
    assert as_csv(Outcome(small())) == 'name,value,kind\n"a,b",0.5,k\nc,,l\n'
    assert json.loads(as_json(Outcome(small()))) == {
        "ircor": version("ircor"),
        "rows": [{"name": "a,b", "value": 0.5, "kind": "k"}, {"name": "c", "value": None, "kind": "l"}],
    }
    assert show(Outcome(small(), closing="closing"), options(json="-")) == 0
    out, err = capsys.readouterr()
    assert (out, err) == (as_json(Outcome(small())), "ircor: note\n")


def test_a_column_to_group_by_makes_titles_in_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    show(Outcome(small()), options())
    out = capsys.readouterr().out
    assert out.count("kind: why") == 2
    assert "name" not in out
    assert os.linesep + "Done." in out


def test_only_a_figure_that_differs_is_red(monkeypatch, capsys):
    class VerdictsView(View):
        def tables(self):
            return [Table("rows", [Column("name", "verdict")], [Row("agrees"), Row("DIFFERS")])]

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show(Outcome(Shown(VerdictsView)), options())
    out = capsys.readouterr().out
    assert re.search(r"\x1b\[1;31mDIFFERS", out)
    assert not re.search(r"\x1b\[1;31m *agrees", out)


@pytest.mark.parametrize("name", EVERY)
def test_csv_has_the_numbers_of_the_first_table_unrounded(run, name):
    rows = list(csv.DictReader(io.StringIO(run(*EVERY[name], "--csv").stdout)))
    shown = first_table(run(*EVERY[name]).stdout)
    for k, heading in enumerate(shown[0]):
        for row, cells in zip(rows, shown[1:]):
            if heading == "verdict":  # with its reason on the screen
                assert cells[k].startswith(row[heading])
            elif re.fullmatch(r"[-+]?[0-9.]+(e-[0-9]+)?", cells[k]):
                assert float(row[heading]) == pytest.approx(float(cells[k]), abs=5.1e-5, rel=0.06)
            elif cells[k] not in ("undefined", "-"):
                assert row[heading] == cells[k]


def test_the_p_value_in_csv_is_that_of_json(run, answer):
    (row,) = csv.DictReader(io.StringIO(run(*EVERY["drank"], "--csv").stdout))
    found = answer(*EVERY["drank"])
    assert (float(row["d_rank"]), float(row["p-value"])) == (found["statistic"], found["pvalue"])


def test_two_columns_of_one_name_are_both_shown(run, folder):
    (folder / "same.csv").write_text("item,tau_b,other\np,1,2\nq,2,1\nr,3,3\n")
    lines = [line.split("\t") for line in run("table", "same.csv").stdout.splitlines()]
    assert lines[0] == ["tau_b", "tau_b", "other"]
    assert lines[1][:2] == ["tau_b", "1.0000"]


def test_a_terminal_without_the_characters_gets_others(run, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("ircor.cli._output.can_show", lambda characters: False)
    shown = run("table", "sample").stdout
    assert shown.isascii()
    assert "\n----" in shown


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colour_if_it_is_not_wanted(monkeypatch, variable, value):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert in_colour("x  DIFFERS") == "x  \x1b[1;31mDIFFERS\x1b[0m"
    assert in_colour("DIFFERS: reason, 3 DIFFER") == "DIFFERS: reason, 3 DIFFER"
    monkeypatch.setenv(variable, value)
    assert in_colour("x  DIFFERS") == "x  DIFFERS"
