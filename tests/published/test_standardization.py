"""The analysis of Urbano, Lima and Hanjalic (2019), on the files that they published and on made-up ones."""

import gzip
import os

import numpy as np
import pandas as pd
import pytest

from ircor import published, sample, tau_b, tauAP_b
from ircor.published import _standardization as analysis
from ircor.published._files import files_below
from ircor.rbase import RRandom, r_colmeans, r_ecdf

# Where the files of the authors may be, at any depth; see CONTRIBUTING.md.
FILES = files_below(os.environ.get("IRCOR_DATA", ""))
TRIALS = 4


@pytest.mark.skipif("within_robust2004_ap_tau.csv.gz" not in FILES, reason="IRCOR_DATA has no published values")
def test_all_published_values():
    files = analysis.urbano_2019(FILES, progress=False)
    assert sum(file.values for file in files) >= 400_000
    assert {file.file: file.values - file.agree for file in files} == dict.fromkeys([file.file for file in files], 0)


@pytest.mark.skipif("adhoc3.csv" not in FILES, reason="IRCOR_DATA has no adhoc3.csv")
def test_the_figures_of_gt4ireval():
    from ircor.published._papers import gt4ireval

    figures = list(gt4ireval(FILES))
    assert len(figures) == 11
    assert {figure.verdict for figure in figures} == {"agrees"}


@pytest.fixture
def folder(tmp_path):
    """The values of a collection of another name, computed step by step, in folders of their own."""
    X = sample("map").to_numpy()
    n, k = len(X), len(X) // 2
    E = np.array([r_ecdf(row)(row) for row in X])
    for design in ("within", "between"):
        for name, coefficient in (("tau", tau_b), ("tauAP", tauAP_b)):
            rows = []
            for seed in range(501, 501 + TRIALS):
                i = RRandom(seed).sample(n, min(n, 50) if design == "within" else 2 * k) - 1
                first, last = (X, E) if design == "within" else (E, E)
                if design == "within":
                    rows.append(coefficient(r_colmeans(first[i]), r_colmeans(last[i])))
                else:
                    rows.append(coefficient(r_colmeans(first[i[:k]]), r_colmeans(last[i[k:]])))
            table = pd.DataFrame({column: np.round(rows, 6) for column in ("raw", "N-std", "U-std", "z-std", "E-std")})
            (tmp_path / "output").mkdir(exist_ok=True)
            table.to_csv(tmp_path / "output" / f"{design}_my_track7_map_{name}.csv.gz", index=False)
    (tmp_path / "data").mkdir()
    pd.DataFrame(X).add_prefix("run").to_csv(tmp_path / "data/my_track7_map.csv", index=False)
    return tmp_path


def test_another_collection(folder):
    report = published.report(folder, progress=False)
    assert [file.file for file in report.files] == sorted(
        f"{design}_my_track7_map_{name}.csv.gz" for design in ("within", "between") for name in ("tau", "tauAP")
    )
    # Only these values are those of the column.
    assert [(file.values, file.columns["E-std"]) for file in report.files] == [(5 * TRIALS, TRIALS)] * 4
    assert report.differs
    assert "in 4 files" in report.sentences()[0]
    assert report.tables()[1].records()[0]["values"] == 5 * TRIALS
    steps = []
    published.report(folder, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(k, 2 * TRIALS) for k in range(1, 2 * TRIALS + 1)]


def test_a_value_that_differs_is_counted(folder):
    path = folder / "output/between_my_track7_map_tau.csv.gz"
    table = pd.read_csv(path)
    table.loc[2, "E-std"] += 1e-6
    table.to_csv(path, index=False)
    (file, *others) = published.report(folder, progress=False).files
    assert file.columns["E-std"] == TRIALS - 1
    assert {other.columns["E-std"] for other in others} == {TRIALS}


def test_files_that_are_missing_or_malformed(folder):
    path = folder / "output/between_my_track7_map_tau.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write("raw,N-std\n1,1\n")
    with pytest.raises(ValueError, match="must have the columns raw, z-std, N-std, U-std, E-std"):
        published.report(folder)
    path.unlink()
    (folder / "my_track7_map.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"there are several files of the name my_track7_map\.csv"):
        published.report(folder)
    for scores in folder.rglob("my_track7_map.csv"):
        scores.unlink()
    with pytest.raises(FileNotFoundError, match=r"there is no file my_track7_map\.csv or my_track7_map\.csv\.gz"):
        published.report(folder)


def test_the_same_file_twice_is_one(folder):
    (folder / "copy.csv").write_bytes((folder / "data/my_track7_map.csv").read_bytes())
    (folder / "copy.csv").rename(folder / "my_track7_map.csv")
    assert len(published.report(folder, progress=False).files) == 4
