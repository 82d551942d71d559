"""A plain install, without pandas, matplotlib, rich, joblib and shtab: what works, and what the rest says."""

import subprocess
import sys

import pytest

from ircor._extras import EXTRAS, extra, install, install_in_place

BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pandas", "matplotlib", "rich", "joblib", "shtab", "polars", "pyarrow", "duckdb"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
"""
COMMAND = BLOCKED + "from ircor import cli; sys.exit(cli.main(sys.argv[1:]))"
IN_TERMINAL = BLOCKED + "sys.stdout.isatty = lambda: True; from ircor import cli; sys.exit(cli.main(sys.argv[1:]))"


def plain(code, *arguments, cwd=None):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def with_command(said):
    """The message with the command that installs the extra at its end."""
    what, name = said.split(": ")
    return f"{what}: {sys.executable} -m pip install 'ircor[{name}]'"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The sample data, written by a plain install."""
    folder = tmp_path_factory.mktemp("plain")
    done = plain(COMMAND, "sample", folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.mark.parametrize("code", [COMMAND, IN_TERMINAL])
@pytest.mark.parametrize(
    "arguments",
    [
        ["reproduce"],
        ["crosscheck", "--oracle", "record", "--functions", "tau_b"],
    ],
)
def test_commands_that_work(folder, code, arguments):
    done = plain(code, *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cor", "scores.csv", "--x", "map", "--y", "P_10"], "reading files needs pandas: cli"),
        (["compare", "sample:map", "sample:P_10"], "the sample data needs pandas: cli"),
        (["table", "scores.csv"], "reading files needs pandas: cli"),
        (["table", "eval"], "reading files needs pandas: cli"),
        (["drank", "eval", "eval", "--measure", "map"], "reading files needs pandas: cli"),
        (["reliability", "eval", "--measure", "map"], "reading files needs pandas: cli"),
        (["gmap", "eval", "--measure", "map"], "reading files needs pandas: cli"),
        (["rbo", "runs/A1.run", "runs/B1.run", "--p", "0.9"], "the overlap of runs needs pandas: cli"),
        (
            ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8", "--plot", "a.png"],
            "--plot needs matplotlib: cli",
        ),
        (["--print-completion", "bash"], "--print-completion needs shtab: completion"),
    ],
)
def test_commands_that_say_what_to_install(folder, arguments, said):
    done = plain(COMMAND, *arguments, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ircor: {with_command(said)}\n")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("ircor.sample('map')", "the sample data needs pandas: cli"),
        ("ircor.trec.read_eval('eval', 'map')", "reading files needs pandas: cli"),
        ("ircor.trec.read_table('map.csv')", "reading files needs pandas: cli"),
        ("ircor.trec.read_columns('scores.csv')", "reading files needs pandas: cli"),
        ("ircor.trec.read_run('runs/A1.run')", "reading files needs pandas: cli"),
        ("ircor.trec.read_qrels('qrels.txt')", "reading files needs pandas: cli"),
        ("ircor.cor_by([1, 1, 2, 2], [1, 2, 1, 2], [1, 2, 2, 1])", "cor_by needs pandas: cli"),
        (
            "ircor.comparison.tabulate({'a': [[1, 2], [3, 5]], 'b': [[1, 2], [2, 1]]})",
            "a table of measures needs pandas: cli",
        ),
        ("ircor.correlate([1, 2, 3], [1, 3, 2]).coefficients", "a DataFrame needs pandas: cli"),
        ("ircor.plots.slope([1, 2, 3], [1, 3, 2])", "a picture needs matplotlib: cli"),
        ("ircor.cor([[1, 2], [2, 1]], n_jobs=2)", "more than one job needs joblib: parallel"),
    ],
)
def test_functions_that_say_what_to_install(folder, call, said):
    (folder / "map.csv").write_text("topic,a,b\n1,0.1,0.2\n2,0.3,0.4\n")
    done = plain(f"{BLOCKED}import ircor\n{call}", cwd=folder)
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {with_command(said)}"


def test_functions_that_work():
    code = f"""{BLOCKED}
import ircor
X = [[0.1, 0.2, 0.4], [0.3, 0.1, 0.2], [0.2, 0.5, 0.3], [0.6, 0.2, 0.1]]
Y = [[0.2, 0.2, 0.1], [0.3, 0.4, 0.5], [0.1, 0.2, 0.3], [0.2, 0.6, 0.2]]
print(ircor.tau_b([1, 2, 3], [1, 3, 2]), ircor.cor(X).shape, ircor.permutation_test([1, 2, 3], [1, 3, 2]).pvalue)
print(ircor.bootstrap(X, Y, resamples=20, seed=1).statistic)
print(ircor.compare(X, Y, resamples=20, seed=1))
print(ircor.correlate([1, 2, 3], [1, 3, 2]))
"""
    done = plain(code)
    assert done.returncode == 0, done.stderr
    assert "tauAP_b" in done.stdout


@pytest.mark.parametrize(
    ("python", "shown"),
    [("/opt/bin/python3", "/opt/bin/python3"), ("/my files/bin/python", '"/my files/bin/python"'), ("", "python")],
)
def test_the_command_is_that_of_this_python(monkeypatch, python, shown):
    monkeypatch.setattr(sys, "executable", python)
    assert install("cli") == f"{shown} -m pip install 'ircor[cli]'"
    assert install_in_place("/my/checkout") == f"{shown} -m pip install -e /my/checkout"
    assert install_in_place("/my check/out") == f'{shown} -m pip install -e "/my check/out"'


def test_an_import_that_fails_for_another_reason_is_not_renamed(tmp_path, monkeypatch):
    (tmp_path / "joblib_like.py").write_text("import not_there_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(EXTRAS, "joblib_like", "parallel")
    with pytest.raises(ModuleNotFoundError, match="No module named 'not_there_at_all'"):
        extra("joblib_like", "this")


def test_the_extras_have_these_modules():
    tomllib = pytest.importorskip("tomllib")
    from pathlib import Path

    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for module, name in EXTRAS.items():
        assert any(line.startswith(f"{module}>=") for line in project["optional-dependencies"][name]), module
