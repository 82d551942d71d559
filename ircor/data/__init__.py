"""The data of a study: tables of scores, topics by systems, and the sample data."""

from ._sample import MEASURES, Collection, SampleFiles as SampleFiles, collection, sample, write_sample
from ._scores import (
    Leaderboard,
    Scores,
    ScoreSource,
    has_numbers,
    is_read,
    is_table,
    places_of,
    refuse_repeated,
)
from ._sources import scores_by_measure

__all__ = [
    "Collection",
    "collection",
    "has_numbers",
    "is_read",
    "is_table",
    "Leaderboard",
    "MEASURES",
    "places_of",
    "refuse_repeated",
    "sample",
    "scores_by_measure",
    "Scores",
    "ScoreSource",
    "write_sample",
]
