"""How ircor knows the files that it wrote, and what its functions do about others."""

import os

import pytest
from matplotlib import pyplot as plt

import ircor
from ircor import plots, report
from ircor._core import files as _files
from ircor.data._sample import write_sample
from ircor.rank_distance import DrankNull


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A function that writes a file of each kind that has a mark, by the functions that users call."""
    scores = ircor.sample("map")
    found = ircor.compare(scores, ircor.sample("P_10"), resamples=50)
    null = DrankNull(scores, resamples=50)
    ax = plots.slope([3, 2, 1], [2, 3, 1])

    def make(path, **options):
        ending = path.suffix
        if ending == ".html":
            report.save(found, path, **options)
        elif ending == ".npz":
            null.save(path, **options)
        else:
            plots.save(ax, path, **options)

    make.figure = ax.figure
    yield make
    plt.close(ax.figure)


@pytest.mark.parametrize("ending", ["html", "npz", "svg", "png", "pdf"])
def test_functions_know_their_own_files(made, tmp_path, ending):
    path = tmp_path / f"mine.{ending}"
    for _ in range(2):
        made(path)
    first = path.read_bytes()
    for content in (b"mine", b"<!doctype html>\n<title>mine</title>", b"%PDF-1.4", b"PK\3\4", b"<?xml ?>", b"\x89PNG"):
        path.write_bytes(content)
        with pytest.raises(FileExistsError, match="use force=True to replace it"):
            made(path)
        assert path.read_bytes() == content
    made(path, force=True)
    assert path.stat().st_size == len(first)


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "npz"])
def test_files_of_the_same_libraries_are_not_taken_for_ours(made, tmp_path, ending):
    path = tmp_path / f"mine.{ending}"
    if ending == "npz":
        import numpy as np

        np.savez(path, mine=np.zeros(3))
    else:
        made.figure.savefig(path)
    with pytest.raises(FileExistsError):
        made(path)


def test_a_paper_with_one_of_our_pictures_is_not_ours(made, tmp_path):
    """pdfTeX keeps the information about an included picture."""
    made(tmp_path / "picture.pdf")
    content = (tmp_path / "picture.pdf").read_bytes()
    assert content.count(b"/Creator (ircor)") == 1
    paper = tmp_path / "paper.pdf"
    trailer = b"\n99 0 obj\n<< /Creator (TeX) >>\nendobj\ntrailer\n<< /Info 99 0 R >>\n%%EOF\n"
    paper.write_bytes(content + trailer)
    with pytest.raises(FileExistsError):
        made(paper)


def test_a_report_is_html(tmp_path):
    found = ircor.compare(ircor.sample("map"), ircor.sample("P_10"), resamples=50)
    for name in ("x.md", "x.pdf", "x", "-"):
        with pytest.raises(ValueError, match=r"must end in \.html or \.htm, and '.*' does not"):
            report.save(found, tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_the_sample_is_written_all_or_nothing(tmp_path):
    paths = write_sample(tmp_path)
    before = {path: os.stat(path).st_mtime_ns for path in paths}
    write_sample(tmp_path)
    assert {path: os.stat(path).st_mtime_ns for path in paths} == before
    (tmp_path / "scores.csv").write_text("mine")
    (tmp_path / "qrels.txt").unlink()
    with pytest.raises(FileExistsError, match=r"scores\.csv exists and cannot show that ircor wrote it"):
        write_sample(tmp_path)
    assert (tmp_path / "scores.csv").read_text() == "mine"
    assert not (tmp_path / "qrels.txt").exists()
    write_sample(tmp_path, force=True)
    assert (tmp_path / "scores.csv").read_text().startswith("system,map")
    assert (tmp_path / "qrels.txt").exists()


def test_the_sample_leaves_nothing_behind_if_a_file_cannot_be_written(tmp_path, monkeypatch):
    opened = []
    whole = _files.temporary_file

    def full(*arguments):
        opened.append(arguments)
        if len(opened) == 40:
            raise OSError(28, "No space left on device")
        return whole(*arguments)

    monkeypatch.setattr(_files, "temporary_file", full)
    with pytest.raises(OSError, match="No space left"):
        write_sample(tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
