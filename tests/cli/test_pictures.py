"""--plot and the words in the picture, for every command that draws one."""

import re
import zlib

import pytest

QUICK = ["--resamples", "20"]
EVERY = {
    "cor": (["cor", "scores.csv", "--x", "map", "--y", "P_10"], 2),
    "compare": (["compare", "sample:map", "sample:P_10", *QUICK], 2),
    "table": (["table", "sample"], 4),
    "drank": (["drank", "sample:map", "sample:P_10", *QUICK], 2),
    "reliability": (["reliability", "sample:map", "--resamples", "80"], 1),
    "rbo": (["rbo", "runs/A1.run", "runs/B1.run", "--p", "0.9"], 2),
    "rs": (["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8"], 2),
    "gmap": (["gmap", "sample:map"], 2),
}


@pytest.fixture(params=EVERY)
def command(request):
    return EVERY[request.param]


def texts(path):
    """The texts of an SVG file, with its lines joined."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))


def test_words_can_be_set(run, folder, command):
    arguments, count = command
    labels = [f"name {k} in $" for k in range(count)]
    words = ["--title", "costs $1 or $2", "--x-label", "across $", "--y-label", "down $"]
    done = run(*arguments, "--plot", "out.svg", *words, *(word for label in labels for word in ("--label", label)))
    assert (done.returncode, done.stderr) == (0, "")
    found = texts(folder / "out.svg")
    assert {"costs $1 or $2", "across $", "down $"} <= set(found)
    for label in labels[1:] if arguments[0] == "drank" else labels:
        assert any(label in text for text in found), label
    # Only the picture has these words.
    assert done.stdout == run(*arguments).stdout


def test_the_label_of_the_reference_of_drank(run, folder):
    arguments, _ = EVERY["drank"]
    assert run(*arguments, "--plot", "out.svg", "--label", "A", "--label", "B").returncode == 0
    found = texts(folder / "out.svg")
    assert "rank distance from A, d_rank" in found
    assert any(text.startswith("B: ") for text in found)


def test_the_number_of_labels_is_checked(run, folder, command):
    arguments, count = command
    given = 2 if count == 1 else 1
    done = run(*arguments, "--plot", "out.svg", *["--label", "one"] * given)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"the picture has {count} label" in done.stderr
    assert f"give --label {count} times, not {given}" in done.stderr
    assert not (folder / "out.svg").exists()


@pytest.mark.parametrize("option", ["--title", "--label", "--x-label", "--y-label"])
def test_words_without_a_picture_are_refused(run, option):
    done = run("gmap", "sample:map", option, "word")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ircor: {option} is for the picture: name its file with --plot\n"


@pytest.mark.parametrize("option", ["--title", "--x-label"])
def test_words_given_twice_are_refused(run, folder, option):
    done = run("gmap", "sample:map", "--plot", "out.svg", option, "one", option, "two")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"error: argument {option}: given twice\n")
    assert not (folder / "out.svg").exists()


def test_both_vertical_axes_of_a_slope_can_be_labelled(run, folder):
    arguments = ["cor", "scores.csv", "--x", "map", "--y", "P_10", "--plot", "out.svg", "--y-label", "one"]
    assert run(*arguments).returncode == 0
    assert texts(folder / "out.svg").count("one") == 2
    assert run(*arguments, "--y-label", "two").returncode == 0
    found = texts(folder / "out.svg")
    assert (found.count("one"), found.count("two")) == (1, 1)
    done = run("gmap", "sample:map", "--plot", "out.svg", "--y-label", "one", "--y-label", "two")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ircor: the picture has one vertical axis: give --y-label once, not 2 times\n"


@pytest.mark.parametrize("name", ["out.png", "OUT.SVG", "out.pdf"])
def test_only_a_picture_of_its_kind_is_overwritten(run, folder, name):
    target = folder / name
    for content in (b"my notes", b"<html>", b"%PDF" if name == "out.png" else b"\x89PNG"):
        target.write_bytes(content)
        # Refused before the run is read, which does not exist.
        done = run("rs", "no.run", "qrels.txt", "--top", "30", "--weight", "0.8", "--plot", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"ircor: {name} exists and was not written by ircor; use --force to replace it\n"
        assert target.read_bytes() == content
    target.write_bytes(b"")
    for _ in range(2):
        assert run("gmap", "sample:map", "--plot", name).returncode == 0
        assert target.stat().st_size > 1000


def test_an_empty_title_is_no_title(run, folder):
    assert run("gmap", "sample:map", "--plot", "out.svg", "--title", "").returncode == 0
    assert not any("of 30 ranks" in text for text in texts(folder / "out.svg"))
    assert run("gmap", "sample:map", "--plot", "out.svg").returncode == 0
    assert "Mean and geometric mean: 22 of 30 ranks differ" in texts(folder / "out.svg")


def test_the_picture_of_rs_is_not_about_ranks(run, folder):
    assert run(*EVERY["rs"][0], "--plot", "out.svg").returncode == 0
    found = texts(folder / "out.svg")
    assert "Reliability and Sensitivity of 50 topics: means 0.13 and 0.86" in " ".join(found)
    assert "rank" not in " ".join(found)


def test_pdf_has_no_fonts_of_type_3(run, folder, command):
    assert run(*command[0], "--plot", "out.pdf").returncode == 0
    content = (folder / "out.pdf").read_bytes()
    for start in re.finditer(rb"stream\r?\n", content):
        try:
            content += zlib.decompressobj().decompress(content[start.end() :])
        except zlib.error:
            continue
    assert b"/Type3" not in content
    assert b"/CIDFontType2" in content
