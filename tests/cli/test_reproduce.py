"""`ircor reproduce`."""

import csv
import io
import json
from dataclasses import replace

from ircor import published
from ircor.published import _papers as _report


def test_every_printed_figure_agrees_or_has_a_reason(run):
    done = run("reproduce")
    header, *lines = done.stdout.splitlines()
    assert header.split("\t") == ["source", "where", "what", "printed", "computed", "verdict"]
    verdicts = [line.split("\t")[-1] for line in lines]
    assert len(lines) == len(published.figures()) > 150
    assert {verdict.partition(":")[0] for verdict in verdicts} == {"agrees", "known misprint", "not reproduced"}
    assert done.returncode == 0
    assert (
        done.stderr
        == f"{verdicts.count('agrees')} figures agree, 3 are known misprints, 5 are not reproduced, 0 DIFFER\n"
    )


def test_json(run):
    done = run("reproduce", "--json")
    rows = json.loads(done.stdout)["figures"]
    assert len(rows) == len(published.figures())
    assert all(row["verdict"] == "agrees" or row["reason"] for row in rows)
    assert [row["computed"] for row in rows if row["printed"] == "undefined"] == [None, None]
    assert (done.returncode, done.stderr) == (0, "")


def test_csv(run):
    rows = list(csv.DictReader(io.StringIO(run("reproduce", "--csv").stdout)))
    assert list(rows[0]) == ["source", "where", "what", "printed", "computed", "verdict", "reason"]
    assert {row["verdict"] for row in rows} == {"agrees", "known misprint", "not reproduced"}


def test_a_figure_that_differs_makes_the_exit_status_1(run, monkeypatch):
    figures = published.figures()
    figures[0] = replace(figures[0], computed=0.66)
    figures[1] = replace(figures[1], computed=0.5, misprint="a digit is lost")
    monkeypatch.setattr(_report, "figures", lambda: figures)
    done = run("reproduce")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1].endswith("0.6\t0.66\tDIFFERS")
    assert done.stdout.splitlines()[2].endswith("0.32\t0.5\tknown misprint: a digit is lost")
    assert done.stderr == f"{len(figures) - 10} figures agree, 4 are known misprints, 5 are not reproduced, 1 DIFFER\n"
    done = run("reproduce", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["figures"][1]["reason"] == "a digit is lost"


def test_a_folder_with_other_data(run, tmp_path):
    done = run("reproduce", "--data", str(tmp_path))
    assert done.returncode == 2
    assert "robust04-map.csv" in done.stderr
