import json
import subprocess
from types import SimpleNamespace

import pytest
from calls import COMMAND

from ircor import cli
from ircor.data._sample import write_sample


@pytest.fixture(scope="session")
def sample_files(tmp_path_factory):
    """A folder with the sample data as files; tests must not write into it."""
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


@pytest.fixture
def folder(sample_files, tmp_path, monkeypatch):
    """A folder to work in, with links to the sample's files."""
    for path in sample_files.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder, capsys):
    """Run a command in this process; return its exit status and what it printed, like subprocess.run."""

    def run(*arguments):
        capsys.readouterr()
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse
            status = stop.code or 0
        out, err = capsys.readouterr()
        return SimpleNamespace(returncode=status, stdout=out, stderr=err)

    return run


@pytest.fixture
def run_process(folder):
    """Run a command in a process of its own."""

    def run(*arguments, **options):
        return subprocess.run(
            [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False, **options
        )

    return run


@pytest.fixture
def answer(run):
    """Run a command that succeeds without a note, and return its JSON."""

    def answer(*arguments):
        done = run(*arguments, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return answer
