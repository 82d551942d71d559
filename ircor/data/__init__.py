"""The data of a study: tables of scores, topics by systems, and the sample data."""

from ._sample import MEASURES, Collection, SampleFiles as SampleFiles, collection, sample, write_sample
from ._scores import EQUAL_MEANS, Leaderboard, Scores, ScoreTable, is_table, places_of, refuse_repeated, tie_means

__all__ = [
    "Collection",
    "collection",
    "EQUAL_MEANS",
    "is_table",
    "Leaderboard",
    "MEASURES",
    "places_of",
    "refuse_repeated",
    "sample",
    "Scores",
    "ScoreTable",
    "tie_means",
    "write_sample",
]
