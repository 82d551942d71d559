"""The choice of an oracle."""

import pandas as pd
import pytest

from ircor.crosscheck import ORACLES, Record, RUnavailableError, _oracles, find_oracle


@pytest.mark.parametrize("kind", ["cran", "Record", None, 1, pd.Series(["record"])])
def test_an_oracle_that_does_not_exist(kind):
    with pytest.raises(ValueError, match="'oracle' must be one of auto, original, reference, record"):
        find_oracle(kind)


@pytest.fixture
def r_with(monkeypatch):
    """An R that has these packages, without starting R."""

    def has(*packages):
        monkeypatch.setattr(_oracles, "r_version_of", lambda package: "1.0" if package in packages else "")
        monkeypatch.setattr(_oracles, "reference_package", lambda: "ircorref")
        monkeypatch.setattr(_oracles, "RPackage", lambda kind, package: (kind, package))
        monkeypatch.setattr(_oracles, "not_the_original", lambda oracle: "")

    return has


@pytest.fixture
def without_r(monkeypatch):
    def missing(*arguments):
        raise RUnavailableError("R is not installed")

    monkeypatch.setattr(_oracles, "r_version_of", missing)
    monkeypatch.setattr(_oracles, "reference_package", missing)


def test_the_original_is_preferred(r_with):
    r_with("ircor", "ircorref")
    assert find_oracle() == find_oracle("auto") == find_oracle("original") == ("original", "ircor")
    assert find_oracle("reference") == ("reference", "ircorref")
    assert isinstance(find_oracle("record"), Record)


def test_without_the_original_the_reference_is_taken(r_with):
    r_with("ircorref")
    assert find_oracle("auto") == ("reference", "ircorref")
    with pytest.raises(RUnavailableError, match=r"R has no package ircor: .*install.packages\('ircor'\)"):
        find_oracle("original")


def test_without_r_the_record_is_taken_and_says_why(without_r):
    found = find_oracle("auto")
    assert isinstance(found, Record)
    assert found.note == "R is not installed; compared with the record only"
    assert find_oracle("record").note == ""
    for kind in ("original", "reference"):
        with pytest.raises(RUnavailableError, match="^R is not installed$"):
            find_oracle(kind)


def test_a_reference_that_cannot_be_installed_leaves_the_record(r_with, monkeypatch):
    r_with()

    def fails():
        raise RUnavailableError("no permission")

    monkeypatch.setattr(_oracles, "reference_package", fails)
    assert find_oracle("auto").note == "no permission; compared with the record only"


@pytest.mark.r
def test_the_oracles_that_r_has(reference):
    assert reference.kind == "reference"
    assert find_oracle("auto").kind in ORACLES[1:3]
