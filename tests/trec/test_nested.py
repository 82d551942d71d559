"""JSON objects inside objects."""

import pytest

from ircor.trec import FormatError, read_scores


@pytest.mark.parametrize(
    "text",
    [
        '{"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}',
        '{"A1": {"401": 0.5, "402": 0.75}, "B2": {"401": 0.25, "402": 1}}',
        '{"A1": {"401": {"map": 0.5}, "402": {"map": 0.75}}, "B2": {"401": {"map": 0.25}, "402": {"map": 1}}}',
        '{"A1": {"map": {"401": 0.5, "402": 0.75}}, "B2": {"map": {"401": 0.25, "402": 1, "all": 0.625}}}',
        '{"401": {"A1": {"map": 0.5}, "B2": {"map": 0.25}}, "402": {"A1": {"map": 0.75}, "B2": {"map": 1}}}',
        '{"map": {"A1": {"401": 0.5, "402": 0.75}, "B2": {"401": 0.25, "402": 1}}}',
        '{"map": {"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}}',
        '{"foo": {"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}}',
    ],
)
def test_objects_inside_objects_in_any_order(write, text):
    scores = read_scores(write(text), "foo" if "foo" in text else None)
    assert scores.to_dict("index") == {"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{"a": {"x": 0.5}, "b": {"x": 0.25}}',
            "the keys 'a' and 'x' can be topics and systems, or systems and topics",
        ),
        (
            '{"401": {"1": 0.5}}',
            "the keys '401' and '1' can be topics and systems, or systems and topics: write a table",
        ),
        (
            '{"A1": {"401": 0.5, "x": 0.25}, "B2": {"401": 1, "x": 0}}',
            "the keys 'A1' and '401' can be topics and systems",
        ),
        ('{"bm25": {"map": 0.5}}', "the keys 'bm25' can be topics or systems: write a table"),
        ('{"a": {"401": {"foo": 0.5}}}', "it is not clear which keys are measures: write a table"),
        ('{"map": {"401": {"P_10": 0.5}}}', "it is not clear which keys are measures: write a table"),
        ('{"a": {"b": {"map": 0.5}}}', "the keys 'a' and 'b' can be topics and systems, or systems and topics"),
    ],
)
def test_objects_inside_objects_that_can_be_read_in_two_ways(write, text, words):
    with pytest.raises(FormatError, match=f"file:1: {words}"):
        read_scores(write(text))
