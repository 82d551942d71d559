import dataclasses

import pytest
from pages import NASTY, NOTES, judged, tables

import ircor


@pytest.fixture(scope="session")
def nasty():
    """A comparison with names and notes that were made to break a page."""
    A, B = tables(NASTY, noise=0.3)
    found = ircor.compare(A, B, names=('<i>"human"</i>', "gpt & co"), resamples=200, seed=1)
    return dataclasses.replace(found, notes=NOTES)


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
