"""The figures of Carterette, and those that need other data."""

import numpy as np
import pandas as pd
import pytest

from ircor import published
from ircor.published import _papers as _carterette
from ircor.published._papers import carterette_2009
from ircor.rank_distance import drank


@pytest.fixture
def robust(rng, tmp_path):
    """Tables of the size of the Robust track; the one by P_10 has its columns in another order."""
    topics, systems = np.arange(301, 550), [f"s{k}" for k in range(110)]
    AP = rng.random((249, 1)) * rng.uniform(0.7, 1, 110) * rng.uniform(0.5, 1, (249, 110))
    AP[:, 1] = AP[:, 0]
    tables = {"map": pd.DataFrame(AP, topics, systems), "P_10": pd.DataFrame(AP.round(1), topics, systems)}
    tables["P_10"] = tables["P_10"][rng.permutation(systems)]
    for measure, table in tables.items():
        table.to_csv(tmp_path / f"robust04-{measure}.csv", index_label="topic")
    return tmp_path, tables


def test_figures_from_data_that_are_not_shipped(robust, monkeypatch):
    folder, tables = robust
    first, second = published.figures_from(folder)
    assert (first.what, first.where, first.printed) == ("d_rank from P_10 to map", "table 1(b)", "14.11")
    assert (second.what, second.where, second.printed) == ("d_rank from map to P_10", "table 1(b)", "25.44")
    assert first.computed == pytest.approx(drank(tables["P_10"], tables["map"]))
    assert second.computed == pytest.approx(drank(tables["map"], tables["P_10"]))
    # Only P_10 has ties that count.  The system that is there twice can be in either order.
    assert (first.verdict, second.verdict) == ("DIFFERS", "not reproduced")
    means, by_P10 = tables["map"].mean(), tables["P_10"].mean().round(9)
    opposite = drank(tables["map"], by_P10 - 1e-6 * means)
    assert opposite > second.computed
    assert second.reason.endswith(f"in the opposite order the distance is {opposite:.2f}")
    printed = {("map", "P_10"): f"{second.computed:.2f}"}
    monkeypatch.setattr(_carterette, "ROBUST_DISTANCES", printed)
    assert [figure.verdict for figure in published.figures_from(folder)] == ["agrees"]
    assert len(published.report(folder).figures) == len(published.report().figures) + 1


def test_data_that_are_not_those_of_the_paper_are_refused(robust):
    folder, tables = robust
    tables["P_10"].iloc[1:].to_csv(folder / "robust04-P_10.csv", index_label="topic")
    with pytest.raises(ValueError, match="robust04-P_10.csv must have 249 topics and 110 systems, not 248 and 110"):
        published.figures_from(folder)
    (folder / "robust04-P_10.csv").unlink()
    with pytest.raises(FileNotFoundError, match="robust04-P_10.csv"):
        published.report(folder)


def test_the_bootstrap_of_the_paper_is_a_share_of_the_resamples():
    """S / B, not (S + 1) / (B + 1)."""
    shares = [figure.computed for figure in carterette_2009() if figure.what.startswith("bootstrap P(")]
    assert len(shares) == 2
    assert sum(shares) == pytest.approx(1)
    assert [10_000 * share for share in shares] == pytest.approx([round(10_000 * share) for share in shares], abs=1e-8)
