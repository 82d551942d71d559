"""Scores for reports, with names that were made to break a page; and what a page says, read by Python's own parser."""

import copy
from dataclasses import replace
from html.parser import HTMLParser
from math import inf, nan
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pandas as pd

from ircor.judging import JudgesResult
from ircor.show.judges import COLUMNS, judge_table

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


class Judged(JudgesResult):
    """What `ircor.judges` returns, with any tables."""

    truth = "human"
    judges = ("gpt", "llama")
    measures = ("AP", "nDCG@10")
    methods = ("tau_b", "tauAP_b")
    verdicts = ("gpt passes & more.", "llama does <not>.")
    notes = NOTES
    findings = ("AP: gpt & so on.",)
    level, top, resamples, test_resamples, seed = 0.9, 2, 500, 100, 7
    target, test, alpha, depth = "expected", "t", 0.05, 10
    topics, has_topics = dict.fromkeys(measures, 30), True
    agreements = MappingProxyType({})

    def __init__(self, shown):
        vars(self)["shown"] = tuple(shown)

    @property
    def view(self):
        return self

    def tables(self):
        return list(self.shown)

    def details(self):
        return []

    def as_dict(self):
        return {table.key: table.records() for table in self.shown}

    def with_options(self, **options):
        other = copy.copy(self)
        vars(other).update(options)
        return other


# AC1 and AC2, and the ends of the intervals of ordinal alpha and of these.
GWET = (0.85, 0.86, 0.6, 0.65, 0.55, 0.57, 0.45, 0.47)


def judged():
    """Two judges and two measures, with numbers that are missing, undefined or infinite."""
    systems = {
        "gpt": [("a", 0.9, 0.5, 1, 2, -1), (SCRIPT, 0.8, 0.4, 2, 3, -1), ("c", 0.7, 0.6, 3, 1, 2)],
        "llama": [("a", 0.9, 0.5, 1, 1, 0), (SCRIPT, 0.8, 0.4, 2, 2, 0), ("c", 0.7, nan, 3, nan, None)],
    }
    rows = {
        "coefficients": [
            ("gpt", "AP", "AP", "AP", "tau_b", None, 0.5, 0.25, 0.75, ""),
            ("gpt", "AP", "AP", "AP", "tau_b", 2, 1.0, nan, nan, ""),
            ("gpt", "AP", "AP", "AP", "tauAP_b", None, -0.25, -0.5, 0.125, ""),
            ("llama", "AP", "AP", "AP", "tau_b", None, nan, nan, nan, "two systems\n& <more> have the same mean"),
        ],
        "tests": [
            ("gpt", "AP", "AP", "AP", inf, 0.01, "a", 1, "c", 2, 0.5, 2),
            ("llama", "AP", "AP", "AP", nan, None, None, 0, None, 0, nan, 2),
        ],
        "pairs": [("gpt", "AP", "AP", "AP", 3, 1, 1, 1, 1, 0, 0.9), ("llama", "AP", "AP", "AP", 3, 0, 3, 0, 2, 0, nan)],
        "differences": [
            ("gpt", "llama", "AP", "AP", "AP", "tau_b", None, 0.1, -0.1, 0.3, ""),
            ("gpt", "llama", "AP", "AP", "AP", "x", None, nan, nan, nan, "why"),
        ],
        "labels": [
            (
                "gpt",
                76,
                0.95,
                0.92,
                0.8,
                0.7,
                0.9,
                0.81,
                0.82,
                0.72,
                0.91,
                0.83,
                0.79,
                0.84,
                *GWET,
                4,
                5,
                0.94,
            ),
            ("llama", 0, 0.0, *[nan] * 19, 80, 3, 0.0),
        ],
        "favours": [("gpt", 0.2, 0.1, 0.3, 0.001, ["a"], [], 10, 20, 30), ("llama", *[nan] * 4, [], [], 10, 0, 30)],
        "systems": [(m, judge, *row) for m in ("AP", "nDCG@10") for judge, rows in systems.items() for row in rows],
        "places": [("AP", "gpt", SCRIPT, 2, "1-3", 1, 3, 3, "3", 3, 3, -2, 0, False)],
        "flips": [("AP", "gpt", "a", "c", True), ("AP", "gpt", SCRIPT, "c", np.False_)],
        "confusion": [("gpt", 2, 0, 1), ("gpt", 0, 0, 50), ("gpt", 0, 1, 5), ("gpt", 2, 2, 20)],
        "labels_by_topic": [("gpt", 301, 38, 0.9, 0.8, 0.81, 0.82, 0.79, 0.83, 0.84), ("gpt", 302, 0, *[nan] * 7)],
        "bias": [("gpt", "a", 30, 1.0, 1.2, 0.2, 0.1, 0.05, 0.15, -0.1, 0.001), ("llama", "a", 0, *[nan] * 8)],
    }
    return Judged([table_with(key, cells) for key, cells in rows.items()])


def table_with(key, rows):
    """The table of this name with any cells."""
    columns = [replace(column, of="") for column in COLUMNS[key]]
    named = [SimpleNamespace(**{column.key: cell for column, cell in zip(columns, row)}) for row in rows]
    return judge_table(key, named, columns)


VOID = {"meta", "br", "img", "link", "input"}


class Page(HTMLParser):
    """The elements, texts and tables of a page; an element that is not closed is an error."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.numbers, self.tables, self.open, self.boxes = [], [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if dict(attributes).get("class") == "box":
            self.boxes.append(dict(attributes)["aria-label"])
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

    def named_tables(self):
        """The tables with the names of their boxes."""
        assert len(self.boxes) == len(self.tables)
        return list(zip(self.boxes, self.tables))

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def numbers_in(data):
    """All numbers of a nested structure, as JSON has them."""
    if isinstance(data, dict):
        return {number for value in data.values() for number in numbers_in(value)}
    if isinstance(data, (list, tuple)):
        return {number for value in data for number in numbers_in(value)}
    return {float(data)} if isinstance(data, (int, float)) and not isinstance(data, bool) else set()
