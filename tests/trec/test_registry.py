"""The formats, the lines of docs/files.md about them, and their examples."""

import re
from pathlib import Path

import pytest

from ircor.trec import read_scores, sniff
from ircor.trec._formats import EXAMPLES, FORMATS

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")


def test_each_example_has_its_line_on_the_page():
    (table,) = re.findall(r"^\| Format \| From \| `sniff` \|\n[| -]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert table.splitlines() == [f"| {one.what} | {one.written_by} | `{one.name}` |" for one in EXAMPLES]


def test_each_format_with_scores_has_an_example():
    assert {one.name for one in FORMATS if one.has_scores} == {one.name for one in EXAMPLES}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.what)
def test_an_example_is_recognised_and_read(tmp_path, example):
    path = tmp_path / "bm25.any"
    path.write_bytes(example.data() if callable(example.data) else example.data)
    assert sniff(path) == example.name
    assert read_scores(path)["bm25"].to_dict() == {"401": 0.25, "402": 0.5}
