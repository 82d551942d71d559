"""The version of the package, and the versions of Python that it is for, are the same wherever they are written."""

import re
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML")
ROOT = Path(__file__).parents[1]


def read(*path):
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


@pytest.fixture
def settings():
    return tomllib.loads(read("pyproject.toml"))


@pytest.fixture
def pythons(settings):
    """The versions of Python among the classifiers, in order."""
    labels = [label.rpartition(" :: ")[2] for label in settings["project"]["classifiers"]]
    return [label for label in labels if re.fullmatch(r"3\.\d+", label)]


def in_workflow():
    """The versions of Python that the tests run on without R: with the GIL, and without."""
    with_gil, without = re.findall(r"^ +python: \[(.*)\]$", read(".github", "workflows", "tests.yml"), re.MULTILINE)
    return re.findall('"(.*?)"', with_gil), re.findall('"(.*?)"', without)


def with_wheels(settings):
    """The versions of Python that wheels are built for, as in the workflow."""
    return [re.sub(r"^cp3(\d+t?)-\*$", r"3.\1", identifier) for identifier in settings["tool"]["cibuildwheel"]["build"]]


def test_the_pythons_that_are_named_are_tested_and_have_wheels(settings, pythons):
    with_gil, without = in_workflow()
    assert with_gil == pythons
    assert with_wheels(settings) == pythons + without
    assert any("Free Threading" in label for label in settings["project"]["classifiers"]) == bool(without)


def test_the_oldest_python(settings, pythons):
    oldest = pythons[0]
    assert settings["project"]["requires-python"] == f">={oldest}"
    assert settings["tool"]["mypy"]["python_version"] == oldest
    assert settings["tool"]["ruff"]["target-version"] == "py" + oldest.replace(".", "")
    job = re.search(r"^  oldest:\n(.*?)(?=^  \w)", read(".github", "workflows", "tests.yml"), re.DOTALL | re.MULTILINE)
    assert f'python-version: "{oldest}"' in job[1]


def test_the_version(settings):
    version = settings["project"]["version"]
    assert re.search(r"^## \[(.*?)\] - ", read("CHANGELOG.md"), re.MULTILINE)[1] == version
    assert re.search(r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE)[1] == version


def test_the_oldest_dependencies(settings):
    """The constraints of the job are the lower bounds of what users bring, and of what those need."""
    project = settings["project"]
    listed = [*project["dependencies"], *(d for extra in project["optional-dependencies"].values() for d in extra)]
    bounds = dict(re.findall(r"^([\w-]+)>=([\d.]+)", "\n".join(listed), re.MULTILINE))
    constraints = dict(re.findall(r"^([\w-]+)==([\d.]+)$", read("scripts", "_test", "oldest.txt"), re.MULTILINE))
    assert constraints.pop("pyparsing")
    users = {"numpy", "scipy", "pandas", "matplotlib", "rich", "joblib", "polars", "pyarrow", "duckdb", "ir_measures"}
    assert users == set(constraints)
    for name, oldest in constraints.items():
        assert re.fullmatch(re.escape(bounds[name]) + r"(\.0)*", oldest), name
