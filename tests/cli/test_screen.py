"""Every command in real terminals of 40, 80 and 120 columns: all that a pipe gets can be read from the screen."""

import random
import subprocess
from functools import cache

import pytest
from calls import COMMAND
from screens import blocks_in, cells_wide, screen_of

from ircor.show.terminal import shortened_names

pytest.importorskip("pty")

WIDTHS = (40, 80, 120)
QUICK = ["--resamples", "100"]
EVERY = {
    "cor": ["cor", "scores.csv", "--x", "map", "--y", "P_10", "--intervals"],
    "compare": ["compare", "sample:map", "sample:P_10", *QUICK],
    "table": ["table", "sample", "--drank"],
    "drank": ["drank", "sample:map", "sample:P_10", *QUICK],
    "reliability": ["reliability", "sample:map", *QUICK],
    "rbo": ["rbo", "runs/A1.run", "runs/B1.run", "--p", "0.9"],
    "rs": ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8"],
    "gmap": ["gmap", "sample:map"],
    "reproduce": ["reproduce"],
    "crosscheck": ["crosscheck", "--oracle", "record", "--functions", "tau_b", "tauAP_b"],
}


@cache
def piped(folder, *arguments):
    """The tables that a command prints into a pipe, each as its headings and rows, and the sentences."""
    done = subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    tables, before = [], ""
    for line in done.stdout.splitlines():
        if "\t" in line and "\t" in before:
            tables[-1].append(line.split("\t"))
        elif "\t" in line:
            tables.append([line.split("\t")])
        before = line
    sentences = [line for line in done.stdout.splitlines() if line and "\t" not in line]
    return tables, sentences + done.stderr.splitlines()


@pytest.mark.parametrize(
    ("name", "width"),
    [
        pytest.param(name, width, marks=() if name in ("compare", "table") else pytest.mark.slow)
        for name in EVERY
        for width in WIDTHS
    ],
)
def test_all_that_a_pipe_gets_is_on_the_screen(sample_files, name, width):
    tables, sentences = piped(sample_files, *EVERY[name])
    lines = screen_of(*EVERY[name], width=width, cwd=sample_files)
    assert all(cells_wide(line) <= width for line in lines)
    assert not any("…" in line for line in lines)
    words = " ".join(lines).split()
    for sentence in sentences:
        if "a second" not in sentence:  # the speed, which differs
            said = sentence.split()
            assert any(words[k : k + len(said)] == said for k in range(len(words))), sentence
    shown = {heading: [] for table in tables for heading in table[0]}
    for headings, rows in blocks_in(lines):
        for k, heading in enumerate(headings):
            if heading in shown and [row[k] for row in rows] not in shown[heading]:
                shown[heading].append([row[k] for row in rows])
    for headings, *rows in tables:
        for k, heading in enumerate(headings):
            if heading == "source":  # the titles of the tables of `reproduce`
                assert all(any(row[k] in line for line in lines) for row in rows)
                continue
            cells = [row[k] for row in rows]
            together = [cell for block in shown[heading] for cell in block]
            if name == "reproduce":  # separate tables, with prose that is broken between words
                assert {word for cell in together for word in cell.split()} == set(" ".join(cells).split()), heading
            else:
                assert cells in shown[heading], heading


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """27 measures of 130 systems, in a folder of trec_eval output, with names of 60 characters, some of them wide."""
    folder = tmp_path_factory.mktemp("wide")
    draw = random.Random(1)
    measures = [*(f"measure_{k:02}" for k in range(24)), "m" * 28 + "_x_" + "m" * 29, "指標" * 15, "P_10"]
    systems = [f"run-{k:03}-" + "abcdefghij" * 5 + "yz" for k in range(128)] + ["系统" * 15 + "1", "系统" * 15 + "2"]
    assert max(map(cells_wide, systems)) == 61
    with open(folder / "long.csv", "w", encoding="utf-8") as file:
        file.write("system,topic,measure,value\n")
        for system in systems:
            for topic in ("1", "2", "3"):
                file.writelines(f"{system},{topic},{measure},{draw.random():.4f}\n" for measure in measures)
    with open(folder / "scores.csv", "w", encoding="utf-8") as file:
        file.write("system," + ",".join(measures) + "\n")
        file.writelines(",".join([s, *(f"{draw.random():.4f}" for _ in measures)]) + "\n" for s in systems)
    return folder, measures, systems


@pytest.mark.parametrize("by_variable", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
def test_27_measures(wide, width, by_variable):
    folder, measures, _ = wide
    ((headings, *rows),), _ = piped(folder, "table", "long.csv")
    assert headings[1:] == measures
    lines = screen_of("table", "long.csv", width=width, cwd=folder, by_variable=by_variable)
    assert all(cells_wide(line) <= width for line in lines)
    read = {}
    for found, block in blocks_in(lines):
        names = [row[0] for row in block]
        # One name and one number fit side by side in 80 columns and more.
        assert names == (measures if width >= 80 else shortened_names(measures, max(map(cells_wide, names))))
        read |= {heading: [row[k] for row in block] for k, heading in enumerate(found) if k}
    assert list(read) == shortened_names(measures, width)
    assert list(read.values()) == [list(column) for column in zip(*rows)][1:]


@pytest.mark.parametrize("width", WIDTHS)
def test_130_systems_with_long_names(wide, width):
    folder, _, systems = wide
    arguments = ["compare", "long.csv", "long.csv", "--measure", "measure_00", "--measure", "P_10", "--resamples", "50"]
    tables, _ = piped(folder, *arguments)
    lines = screen_of(*arguments, width=width, cwd=folder)
    assert all(cells_wide(line) <= width for line in lines if line not in systems)
    order = [row[0] for row in tables[0][1:]]
    assert sorted(order) == sorted(systems)
    read = {}
    for headings, rows in blocks_in(lines):
        if headings[0] == "system":
            names = [row[0] for row in rows]
            assert len(set(names)) == 130
            assert names == (order if width >= 80 else shortened_names(order, max(map(cells_wide, names))))
            read |= {heading: [row[k] for row in rows] for k, heading in enumerate(headings) if k}
    assert read == {heading: [row[k] for row in tables[0][1:]] for k, heading in enumerate(tables[0][0]) if k}


@pytest.mark.parametrize("width", WIDTHS)
def test_swaps_of_long_names(wide, width):
    folder, measures, _ = wide
    arguments = ["cor", "scores.csv", "--x", measures[0], "--y", measures[-3]]
    tables, _ = piped(folder, *arguments)
    lines = screen_of(*arguments, width=width, cwd=folder)
    assert all(cells_wide(line) <= width for line in lines if " " in line)
    blocks = [block for block in blocks_in(lines) if "coefficient" not in block[0]]
    costs = next([row[k] for row in rows] for found, rows in blocks for k, h in enumerate(found) if h == "cost")
    assert costs == [row[2] for row in tables[1][1:]]
    first = [row[0] for row in blocks[0][1]]
    assert first == shortened_names([row[0] for row in tables[1][1:]], max(map(cells_wide, first)))


def test_a_message_is_broken_between_words(folder):
    lines = screen_of("compare", "sample", "sample", width=40, cwd=folder, status=2)
    assert " ".join(lines) == (
        "ircor: sample has several measures, choose one with --measure: map, P_10, ndcg, recip_rank"
    )
    assert max(map(len, lines)) <= 40
