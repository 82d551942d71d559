"""The recipes for Spark in docs/engines.md, run as they are written there in a local session."""

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ircor

PAGE = Path(__file__).parents[2] / "docs" / "engines.md"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("java"), reason="Spark needs Java"),
    # Of releases of pandas and Python that Spark does not know yet.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="the extra 'spark' is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        # Where R runs, it has put its own libraries before those that a new Python needs.
        patch.delenv("LD_LIBRARY_PATH", raising=False)
        builder = sql.SparkSession.builder.master("local[2]")
        for key, value in {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "3",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
        }.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


def recipes():
    """The blocks of code of the section on Spark, by what they begin with."""
    section = PAGE.read_text(encoding="utf-8").split("\n## Spark\n")[1].split("\n## ")[0]
    return re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("kind", ["collect_list", "pandas_udf", "mapInPandas"])
def test_the_recipes_give_what_cor_by_gives(spark, kind, grouped):
    (recipe,) = [block for block in recipes() if kind in block]
    rows = grouped("tau_b")
    frame = pd.DataFrame({"query": [f"q{k:03}" for k in rows.g], "a": rows.x, "b": rows.y})
    frame.loc[frame["query"] == "q003", "a"] = 1.0  # all tied: not defined
    names = {"ircor": ircor, "scores": spark.createDataFrame(frame).repartition(5)}
    exec(recipe, names)
    found = names["result"].toPandas().sort_values("query")
    expected = ircor.cor_by("query", "a", "b", data=frame)
    assert found["query"].tolist() == expected.index.tolist()
    np.testing.assert_array_equal(found["tau_b"].to_numpy(dtype=float), expected.to_numpy())
    assert names["result"].filter("tau_b IS NULL").count() == expected.isna().sum() > 1


def test_missing_values_stay_in_their_places(spark):
    """Spark's collect_list of one column leaves out nulls, and the lists would not belong together."""
    (recipe,) = [block for block in recipes() if "collect_list" in block]
    rows = [("q", 1.0, 3.0), ("q", None, 2.0), ("q", 3.0, None), ("q", 2.0, 1.0)]
    names = {"ircor": ircor, "scores": spark.createDataFrame(rows, "query string, a double, b double").coalesce(1)}
    exec(recipe.replace('"tau_b")', '"tau_b", nan_policy="omit")'), names)
    ((_, found),) = names["result"].collect()
    assert found == -1


def test_a_refused_group_fails_the_query(spark):
    (recipe,) = [block for block in recipes() if "collect_list" in block]
    rows = [("q", 1.0, 3.0), ("q", None, 2.0)]
    names = {"ircor": ircor, "scores": spark.createDataFrame(rows, "query string, a double, b double").coalesce(1)}
    exec(recipe, names)
    with pytest.raises(
        Exception, match=r"'x' has a missing value in item 2 of .* with x = \[1.0, None\] and y = \[3.0"
    ):
        names["result"].collect()
