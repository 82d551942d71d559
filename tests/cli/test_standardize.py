"""--standardize of the commands that take scores."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.averages import standardize


@pytest.mark.parametrize("method", ["z", "E"])
def test_compare(run, method):
    done = run("compare", "sample:map", "sample:P_10", "--standardize", method, "--resamples", "100", "--json")
    A, B = (standardize(ircor.sample(name), method) for name in ("map", "P_10"))
    expected = ircor.compare(A, B, names=("sample:map", "sample:P_10"), resamples=100, seed=1)
    assert json.loads(done.stdout)["coefficients"] == json.loads(json.dumps(expected.as_dict()["coefficients"]))


def test_each_measure_by_itself(run):
    done = run("table", "sample", "--standardize", "U", "--csv")
    tables = {name: standardize(ircor.sample(name), "U") for name in ("map", "P_10", "ndcg", "recip_rank")}
    printed = pd.read_csv(io.StringIO(done.stdout), index_col=0)
    np.testing.assert_array_equal(printed, ircor.comparison.tabulate(tables).coefficients)


@pytest.mark.parametrize("command", ["drank sample:map sample:P_10", "reliability sample:map", "gmap sample:map"])
def test_other_commands_say_so(run, command):
    done = run(*command.split(), "--standardize", "E")
    assert done.returncode == 0
    assert "scores standardized by topic: E" in done.stderr


def test_a_table_of_items_has_no_topics(run, tmp_path):
    (tmp_path / "items.csv").write_text("system,a,b\nx,0.1,0.2\ny,0.3,0.4\n")
    done = run("table", str(tmp_path / "items.csv"), "--standardize", "z")
    assert done.returncode == 2
    assert "--standardize is for scores by topic, and" in done.stderr
