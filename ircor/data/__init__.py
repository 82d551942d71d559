"""The data of a study: tables of scores, topics by systems, and the sample data."""

from ._sample import MEASURES, Collection, SampleFiles as SampleFiles, collection, sample, write_sample
from ._scores import Leaderboard, Scores, ScoreTable, is_table, places_of, refuse_repeated

__all__ = [
    "Collection",
    "collection",
    "is_table",
    "Leaderboard",
    "MEASURES",
    "places_of",
    "refuse_repeated",
    "sample",
    "Scores",
    "ScoreTable",
    "write_sample",
]
