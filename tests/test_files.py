"""Files are written whole or not at all."""

import os
import stat

import pytest

from ircor import _files
from ircor._files import whole_file


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")
    return path


def test_a_file_appears_under_its_name_on_success(tmp_path):
    path = tmp_path / "report.json"
    with whole_file(path) as file:
        file.write("größer")
        assert file.encoding == "utf-8"
        assert not path.exists()
        (temporary,) = os.listdir(tmp_path)
        assert temporary.startswith(".report.json.")
    assert path.read_bytes() == "größer".encode()
    assert os.listdir(tmp_path) == ["report.json"]


def test_binary_files(tmp_path):
    with whole_file(tmp_path / "plot.png", binary=True) as file:
        file.write(b"\x89PNG\r\n")
    assert (tmp_path / "plot.png").read_bytes() == b"\x89PNG\r\n"


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_an_error_leaves_the_old_file(error, target, tmp_path):
    def fail():
        with whole_file(target) as file:
            file.write("half")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.json"]


def test_an_error_at_the_end_leaves_the_old_file(target, tmp_path, monkeypatch):
    """A disk may be found full only when the file is closed."""

    def fail():
        with whole_file(target) as file:
            file.write("new")
            os.close(file.fileno())

    with pytest.raises(OSError, match="Bad file descriptor"):
        fail()
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.json"]

    def refuse(source, destination):
        raise PermissionError(destination)

    monkeypatch.setattr(_files.os, "replace", refuse)
    with pytest.raises(PermissionError), whole_file(target) as file:
        file.write("new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.json"]


def test_a_link_stays_a_link(target, tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(target)
    with whole_file(str(link)) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["link.json", "report.json"]


def test_two_writers_do_not_mix(target):
    with whole_file(target) as one, whole_file(target) as other:
        one.write("one")
        other.write("other")
    assert target.read_text() == "one"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this machine")
@pytest.mark.parametrize("binary", [False, True])
def test_a_path_that_is_no_regular_file_is_written_to_directly(binary, tmp_path):
    """A pipe stands for devices too: a test must not risk a real device, which root could replace."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(pipe, binary=binary) as file:
        assert getattr(file, "encoding", None) == (None if binary else "utf-8")
        file.write("größer".encode() if binary else "größer")
    assert os.read(reader, 100) == "größer".encode()
    os.close(reader)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_file_that_cannot_be_created_is_an_error_at_once(tmp_path):
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "none" / "report.json"):
        pytest.fail("it cannot be created")
    with pytest.raises(IsADirectoryError), whole_file(tmp_path):
        pytest.fail("it is a folder")
