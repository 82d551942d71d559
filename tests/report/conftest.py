import dataclasses

import pytest
from pages import NASTY, NOTES, judged, tables

import ircor


@pytest.fixture(scope="session")
def nasty():
    """A comparison with names and notes that were made to break a page."""
    A, B = tables(NASTY, noise=0.3)
    found = ircor.compare(A, B, names=('<i>"human"</i>', "gpt & co"), resamples=200, seed=1)
    sides = (dataclasses.replace(side, note=note) for side, note in zip(found.sides, NOTES))
    return dataclasses.replace(found, sides=tuple(sides))


@pytest.fixture(scope="session")
def hundred():
    """A comparison of 100 systems."""
    A, B = tables([f"system {k}" for k in range(100)])
    return ircor.compare(A, B, names=("human", "gpt"), resamples=60, seed=1)


@pytest.fixture(scope="session")
def measures():
    """Two measures on the sample data, with tied systems."""
    names = ("map", "recip_rank")
    return ircor.compare(ircor.sample("map"), ircor.sample("recip_rank"), names=names, resamples=300, seed=1)


@pytest.fixture(scope="session")
def judges():
    """What a report about judges is made from."""
    return judged()


@pytest.fixture(scope="session")
def long_names():
    """Judges and 120 systems with names that differ in the middle."""
    kinds = ("dense-retrieval", "bm25", "WMMW-HYBRID", "\u540d\u524d")
    systems = [f"university-of-somewhere-{kind}-{k}-neural-submission" for k in range(30) for kind in kinds]
    truth, *scores = (table for seed in (1, 2) for table in tables(systems, seed=seed))
    others = {f"openai-gpt-4o-umbrela-prompt-{kind}": one for kind, one in zip(("basic", "chain-of-thought"), scores)}
    return ircor.judges(None, truth, others, resamples=60, seed=1, name="assessors-of-the-year-2023")
