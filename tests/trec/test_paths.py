"""Folders, patterns and names of files."""

import os
from pathlib import Path

import pytest

from ircor._core.content import expand_paths, stem
from ircor.trec import read_eval


def test_sources_that_are_not_there(tmp_path):
    for paths, error, words in [
        (tmp_path / "none", FileNotFoundError, "none"),
        (tmp_path / "*.eval", ValueError, "^no file matches .*eval$"),
        (tmp_path, ValueError, "^the folder .* has no files$"),
        ([], ValueError, "^there are no files to read: the list of paths is empty$"),
    ]:
        with pytest.raises(error, match=words):
            read_eval(paths)


def test_folders_and_patterns_are_expanded(tmp_path):
    for name in ("b", "a", ".hidden", "[1]"):
        (tmp_path / name).touch()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c").touch()
    assert expand_paths(tmp_path) == [str(tmp_path / name) for name in ("[1]", "a", "b")]
    assert expand_paths(str(tmp_path / "*")) == [str(tmp_path / name) for name in ("[1]", "a", "b")]
    # A file that exists is not a pattern.
    assert expand_paths(tmp_path / "[1]") == [str(tmp_path / "[1]")]
    both = [tmp_path / "b", tmp_path / "inner"]
    assert expand_paths(iter(both)) == [str(tmp_path / "b"), str(tmp_path / "inner" / "c")]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="the folder .*empty has no files"):
        expand_paths([tmp_path, tmp_path / "empty"])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("bm25.tuned.eval", "bm25.tuned"),
        (os.path.join("runs", "A1.eval.gz"), "A1"),
        (Path("A1.gz"), "A1"),
        ("A1", "A1"),
        (".eval", ".eval"),
    ],
)
def test_the_name_of_a_file_without_its_extension(path, name):
    assert stem(path) == name
