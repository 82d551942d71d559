"""`ircor judges --segments`."""

import json

import pytest

from ircor.judging import segments

TABLE = "item,system,truth,one,two\n" + "".join(
    f"q{k},{s},{(k * j) % 3},{(k * j) % 3 + 0.1 * j},{(k + j) % 4}\n" for k in range(8) for j, s in enumerate("ABCD")
)


@pytest.fixture
def file(folder):
    (folder / "answers.csv").write_text(TABLE)
    return "answers.csv"


def test_segments_of_a_file(run, file):
    found = json.loads(run("judges", "--segments", file, "--json").stdout)
    expected = segments(file, seed=1).as_dict()
    assert found["coefficients"] == json.loads(json.dumps(expected["coefficients"]))
    assert found["differences"] == json.loads(json.dumps(expected["differences"]))
    chosen = ["--judge", "two", "--method", "tau_b", "--method", "acc_eq", "--epsilon", "0.5", "--level", "0.9"]
    found = json.loads(run("judges", "--segments", file, *chosen, "--json").stdout)
    assert {row["judge"] for row in found["coefficients"]} == {"two"}
    assert (found["epsilon"], found["level"]) == (0.5, 0.9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--segments", "answers.csv", "--top", "3"], "--segments goes without --top"),
        (["runs", "--segments", "answers.csv"], "--segments goes without runs"),
        (["--segments", "answers.csv", "--truth", "x"], "has no column 'x'"),
        (["--judge", "x"], "--truth is required"),
        (["--truth", "x"], "--judge is required"),
        (["--truth", "x", "--judge", "y", "--epsilon", "1"], "--epsilon is for --segments"),
    ],
)
def test_options_that_do_not_go_together(run, file, arguments, message):
    found = run("judges", *arguments)
    assert found.returncode == 2
    assert message in found.stderr
