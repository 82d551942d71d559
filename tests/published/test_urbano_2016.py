"""The figures of Urbano and Marrero (2016), which need a matrix that is not shipped."""

import os

import numpy as np
import pandas as pd
import pytest

from ircor import published
from ircor.published import _papers as _urbano_2016
from ircor.reliability import expected

# Where a copy of adhoc6.csv may be, at any depth; see CONTRIBUTING.md.
FILES = published.files_below(os.environ.get("IRCOR_DATA", ""))


@pytest.fixture
def adhoc(rng, tmp_path):
    """A table of the size of the ad hoc runs, without names of topics, as the authors have it."""
    AP = rng.random((50, 1)) * rng.uniform(0.3, 1, 74) * rng.uniform(0.5, 1, (50, 74))
    table = pd.DataFrame(AP.round(4), columns=[f"sys{k}" for k in range(1, 75)])
    table.to_csv(tmp_path / "adhoc6.csv", index=False)
    return tmp_path, table


def test_the_figures_are_those_of_expected(adhoc, monkeypatch):
    folder, table = adhoc
    found = published.figures_from(folder)
    assert [(figure.what, figure.printed) for figure in found] == [
        ("expected tau, MSQD", "0.8600266"),
        ("expected tauAP, MSQD", "0.816099"),
    ]
    assert [figure.verdict for figure in found] == ["DIFFERS", "DIFFERS"]
    values = {method: float(expected(table, method, "MSQD")) for method in ("tau", "tauAP")}
    assert [figure.computed for figure in found] == list(values.values())
    printed = {method: f"{value:.7g}" for method, value in values.items()}
    monkeypatch.setattr(_urbano_2016, "EXPECTED", printed)
    assert [figure.verdict for figure in published.figures_from(folder)] == ["agrees", "agrees"]
    assert len(published.report(folder).figures) == len(published.report().figures) + 2


def test_another_table_is_refused(adhoc):
    folder, table = adhoc
    table.iloc[1:].to_csv(folder / "adhoc6.csv", index=False)
    with pytest.raises(ValueError, match=r"adhoc6\.csv must have 50 topics and 74 systems, not 49 and 74"):
        published.figures_from(folder)


def test_a_folder_without_data_is_refused(tmp_path):
    wanted = r"none of the files that are looked for: .*adhoc6\.csv of julian-urbano/sigir2016-correlation \(CC BY-SA"
    with pytest.raises(FileNotFoundError, match=wanted):
        published.figures_from(tmp_path)


@pytest.mark.skipif("adhoc6.csv" not in FILES, reason="IRCOR_DATA has no adhoc6.csv")
def test_the_authors_figures():
    """The first two are printed by the authors with seven digits; the other two come from their code."""
    from ircor.trec import read_table

    table = read_table(FILES["adhoc6.csv"][0])
    figures = {("tau", "MSQD"): 0.8600266, ("tauAP", "MSQD"): 0.816099}
    figures |= {("tau", "ML"): 0.8560612, ("tauAP", "ML"): 0.8126929}
    for (method, estimator), figure in figures.items():
        np.testing.assert_allclose(float(expected(table, method, estimator)), figure, rtol=0, atol=6e-8)
