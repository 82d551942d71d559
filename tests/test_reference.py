"""The public names of every module are those that docs/reference lists."""

import importlib
import re
from pathlib import Path

import pytest

import ircor

PAGES = sorted((Path(__file__).parents[1] / "docs" / "reference").glob("*.rst"))


def documented(page):
    """The names that a page documents, and those that it says are in the module too."""
    text = page.read_text(encoding="utf-8")
    names = re.findall(r"^\.\. (?:auto)?(?:function|class|exception|data):: ([\w.]+)", text, re.MULTILINE)
    names += re.findall(r":(?:func|class|exc):`ircor\.(\w+)`", text)
    return {name.rpartition(".")[2] for name in names}


def test_every_public_module_has_a_page():
    assert {page.stem for page in PAGES} == {"ircor", *ircor.MODULES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_public_names_are_those_of_the_reference(page):
    module = ircor if page.stem == "ircor" else importlib.import_module(f"ircor.{page.stem}")
    assert len(set(module.__all__)) == len(module.__all__)
    assert set(module.__all__) == documented(page)
    for name in module.__all__:
        assert getattr(module, name).__doc__, name


RESULTS = ("Result", "Comparison", "Correlation", "Report", "Change", "Null", "Agreement", "RS", "BCubed", "Figures")


def results():
    for name in sorted(ircor.MODULES):
        module = importlib.import_module(f"ircor.{name}")
        for public in module.__all__:
            if isinstance(getattr(module, public), type) and public.endswith((*RESULTS, "MeasureTable", "Bias")):
                yield getattr(module, public)


def test_every_result_shows_itself_in_a_notebook():
    found = list(results())
    assert len(found) >= 15
    assert [result.__name__ for result in found if not callable(getattr(result, "_repr_html_", None))] == []
