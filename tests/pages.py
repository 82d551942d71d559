"""Scores for reports, with names that were made to break a page; and what a page says, read by Python's own parser."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd

# Names and notes that would be markup, leave an attribute, or make a table too wide.
SCRIPT = "<script>alert(1)</script>"
NASTY = [
    SCRIPT,
    '" onmouseover="alert(2)',
    "R&amp;D & co",
    "</title></svg><img src=x onerror=alert(3)>",
    "a-very-long-name-without-any-blank-" * 4,
    "two\nlines",
    "javascript:alert(4)",
    "\x00\x1b[31m\u202e",
]
NOTES = ('it\'s "quoted" & <b>bold</b>', "first line\nsecond line")


def tables(names, topics=30, seed=1, noise=0.05):
    """The scores of these systems under two judges."""
    rng = np.random.default_rng(seed)
    skill = np.linspace(0.8, 0.2, len(names))
    first = skill + rng.normal(0, 0.1, (topics, len(names)))
    second = skill + rng.normal(0, noise, len(names)) + rng.normal(0, 0.1, (topics, len(names)))
    return pd.DataFrame(first, columns=names), pd.DataFrame(second, columns=names)


VOID = {"meta", "br", "img", "link", "input"}


class Page(HTMLParser):
    """The elements, texts and tables of a page; an element that is not closed is an error."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.numbers, self.tables, self.open = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if "data-value" in dict(attributes):
            self.numbers.append(float(dict(attributes)["data-value"]))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.texts.append(text)
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += text

    @property
    def text(self):
        return "\n".join(self.texts)

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def numbers_in(data):
    """All numbers of a nested structure, as JSON has them."""
    if isinstance(data, dict):
        return {number for value in data.values() for number in numbers_in(value)}
    if isinstance(data, (list, tuple)):
        return {number for value in data for number in numbers_in(value)}
    return {float(data)} if isinstance(data, (int, float)) and not isinstance(data, bool) else set()
