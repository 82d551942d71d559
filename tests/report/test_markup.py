"""All text is escaped, once."""

import pytest
from hypothesis import given, strategies as st
from pages import Page

from ircor.report._page import Markup, as_markup, element


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_text_and_attributes_come_back_as_they_were(text):
    page = Page(element("p", text, title=text))
    assert "".join(page.texts) == text
    assert page.elements == [("p", {"title": text})]


@pytest.mark.parametrize("text", ["\x00", "\x1b", "\x85", "\ud800", "\uffff"])
def test_characters_that_html_cannot_write(text):
    assert as_markup(f"a{text}b") == "a\ufffdb"
    as_markup(text).encode("utf-8")


def test_lines_end_alike():
    assert as_markup("a\r\nb\rc\nd\te") == "a\nb\nc\nd\te"


def test_elements_are_not_escaped_again():
    inner = element("b", "<")
    assert isinstance(inner, Markup)
    assert element("p", inner, "<", 1) == "<p><b>&lt;</b>&lt;1</p>"


def test_attributes():
    assert (
        element("line", x1=0, stroke_width=2, class_="a", id=None) == '<line x1="0" stroke-width="2" class="a"></line>'
    )
