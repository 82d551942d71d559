"""Many runs against each other: each cell is what `rbo_runs` finds for the pair."""

import json
from itertools import product

import joblib
import numpy as np
import pandas as pd
import pytest

from ircor.data._sample import write_sample
from ircor.overlap import OverlapTable, _table as module, rbo_runs, rbo_table
from ircor.show.tables import plain

RUNS = ["A1", "A2", "B1", "G3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sample")
    write_sample(path)
    return path / "runs"


def small(seed, topics, decimals=1):
    """A run of random documents, with ties."""
    rng = np.random.default_rng(seed)
    return {
        str(topic): {
            f"d{k}": float(rng.random().__round__(decimals)) for k in rng.permutation(12)[: rng.integers(3, 9)]
        }
        for topic in topics
    }


@pytest.mark.parametrize("options", [{}, {"ties": "b", "depth": 5}, {"ties": "trec_eval", "score": "min"}])
def test_each_cell_is_that_of_the_pair(folder, options):
    found = rbo_table([folder / f"{name}.run" for name in RUNS], 0.9, **options)
    assert isinstance(found, OverlapTable)
    assert list(found.overlaps.index) == list(found.overlaps.columns) == RUNS
    for a, b in product(RUNS, RUNS):
        pair = rbo_runs(folder / f"{a}.run", folder / f"{b}.run", 0.9, **options)
        assert found.overlaps.loc[a, b] == pytest.approx(pair.mean, abs=1e-14)
        assert found.residuals.loc[a, b] == pytest.approx(pair.means["res"], abs=1e-14)
    assert (found.topics == 50).to_numpy().all()


@pytest.mark.parametrize("missing", ["drop", "zero"])
def test_missing_topics_are_handled_for_each_pair(missing):
    runs = {"a": small(1, "1234"), "b": small(2, "123"), "c": small(3, "345"), "d": small(4, "13")}
    found = rbo_table(runs, 0.8, missing=missing)
    for a, b in product(runs, runs):
        pair = rbo_runs(runs[a], runs[b], 0.8, missing=missing)
        assert found.overlaps.loc[a, b] == pytest.approx(pair.mean, abs=1e-14)
        assert found.residuals.loc[a, b] == pytest.approx(pair.means["res"], abs=1e-14)
        assert found.topics.loc[a, b] == len(pair.topics)
    assert "b has no documents for the topics 4, 5" in found.notes[0]
    assert ("Means over 1 to 4 topics." if missing == "drop" else "Means over 2 to 5 topics.") in str(found)
    with pytest.raises(ValueError, match=r'a has no documents for the topic 5; b has .*missing="drop" leaves out'):
        rbo_table(runs, 0.8)
    with pytest.raises(ValueError, match="b and c have no topic in common: b has '1', '2', '3' and c has '4'"):
        rbo_table({**runs, "c": small(3, "4")}, 0.8, missing=missing)


def test_the_same_from_a_folder_a_pattern_a_table_and_a_mapping(tmp_path):
    runs = {name: small(k, "123") for k, name in enumerate("abc")}
    rows = [(n, t, d, s) for n, run in runs.items() for t, docs in run.items() for d, s in docs.items()]
    for name in runs:
        lines = [f"{t} Q0 {d} 0 {s} {n}\n" for n, t, d, s in rows if n == name]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    expected = rbo_table(runs, 0.9).overlaps
    frame = pd.DataFrame(rows, columns=["run", "topic", "doc", "score"])
    paths = [tmp_path / f"{name}.run" for name in runs]
    for given in (tmp_path, str(tmp_path / "*.run"), paths, frame, dict(zip("abc", paths))):
        pd.testing.assert_frame_equal(rbo_table(given, 0.9).overlaps, expected)


def test_jobs_and_parts_change_nothing(monkeypatch):
    runs = {name: small(k, range(40), 2) for k, name in enumerate("abcde")}
    one = rbo_table(runs, 0.9, n_jobs=1)
    told = []
    two = rbo_table(runs, 0.9, n_jobs=2, progress=lambda done, total: told.append((done, total)))
    pd.testing.assert_frame_equal(one.overlaps, two.overlaps, check_exact=True)
    assert told[-1] == (1, 1)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        other = rbo_table(runs, 0.9)
    pd.testing.assert_frame_equal(one.overlaps, other.overlaps, check_exact=True)
    monkeypatch.setattr(module, "slices", lambda count, items: [slice(k, k + 7) for k in range(0, count, 7)])
    pd.testing.assert_frame_equal(rbo_table(runs, 0.9, n_jobs=2).overlaps, one.overlaps, rtol=1e-14)


def test_what_is_refused(tmp_path):
    run = small(1, "12")
    with pytest.raises(ValueError, match="there is one run only, and nothing to compare it with"):
        rbo_table({"a": run}, 0.9)
    with pytest.raises(ValueError, match="'runs' is one run"):
        rbo_table(run, 0.9)
    with pytest.raises(ValueError, match="the run of b has no documents"):
        rbo_table({"a": run, "b": {}}, 0.9)
    numbered = {int(topic): docs for topic, docs in run.items()}
    with pytest.raises(TypeError, match="no topic can be on both sides: 'the run of a' has ids of type str and"):
        rbo_table({"a": run, "b": numbered}, 0.9)
    with pytest.raises(ValueError, match="two runs have the name '1'"):
        rbo_table({"1": run, 1: run}, 0.9)
    (tmp_path / "a.run").write_text("1 Q0 d 1 1 x\n")
    (tmp_path / "notes.txt").write_text("about the runs\n")
    with pytest.raises(ValueError, match=r"notes.txt:1: .*if this is not a run, a pattern such as"):
        rbo_table(tmp_path, 0.9)


def test_the_result_as_text_and_json():
    runs = {name: small(k, "123") for k, name in enumerate("abc")}
    found = rbo_table(runs, 0.9, depth=4)
    lines = str(found).splitlines()
    assert lines[0].split() == ["RBO", "a", "b", "c"]
    assert lines[1].split() == ["a", *(f"{value:.4f}" for value in found.overlaps.loc["a"])]
    most = max(found.residuals.loc[a, b] for a, b in (("a", "b"), ("a", "c"), ("b", "c")))
    assert f"Means over 3 topics. Ranks below 4, or below the last known ones, leave a range of {most:.4f} open" in str(
        found
    )
    data = json.loads(json.dumps(plain(found.as_dict())))
    assert data["names"] == ["a", "b", "c"]
    assert data["table"] == found.overlaps.to_numpy().tolist()
    assert data["residuals"] == found.residuals.to_numpy().tolist()
    assert data["topics"] == [[3] * 3] * 3
    assert (data["p"], data["ties"], data["depth"], data["score"]) == (0.9, "a", 4, "ext")
    assert repr(found) == "<OverlapTable of a, b, c>"
    assert rbo_table(runs, 0.9, score="max").tables()[0].columns[0].key == "RBO max"


def test_the_heat_map():
    import matplotlib as mpl

    mpl.use("Agg")
    runs = {name: small(k, "123") for k, name in enumerate("abc")}
    found = rbo_table(runs, 0.9, "b")
    ax = found.plot(labels=["x", "y", "z"])
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["x", "y", "z"]
    assert "ranking taken as" not in ax.get_xlabel() + ax.get_ylabel()
    assert " ".join(ax.get_title().split()) == "Mean RBO of each pair of runs (p = 0.9)"
    low, high = ax.images[0].get_clim()
    assert 0 <= low < high <= 1
    # Runs without a document in common, with a diagonal of 1 and of less.
    apart = {"a": {"1": {"d1": 2, "d2": 1}}, "b": {"1": {"e1": 2, "e2": 1}}}
    assert rbo_table(apart, 0.9).plot().images[0].get_clim() == (0, 0.02)
    tied = {"a": {"1": {"d1": 1, "d2": 1}}, "b": {"1": {"e1": 1, "e2": 1}}}
    assert rbo_table(tied, 0.9, "a").plot().images[0].get_clim() == (0, 1)
    mpl.pyplot.close("all")


def test_less_than_one_with_itself():
    runs = {"a": {"1": {"d1": 1, "d2": 1}}, "b": {"1": {"d1": 2, "d2": 1}}}
    assert "A ranking with ties has less than 1 with itself" in str(rbo_table(runs, 0.9))
    assert "less than 1 with itself" not in str(rbo_table(runs, 0.9, "w"))
    with pytest.raises(ValueError, match="'runs' is empty"):
        rbo_table([], 0.9)
