"""Files are written whole or not at all, and a file that ircor did not write is not replaced."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from ircor._core import files as _files
from ircor._core.files import whole_file

OURS = '{\n "ircor": "old"}'
NEW = '{\n "ircor": "new"}'
POSIX = pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")
NOBODY = 65534


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "report.json"
    path.write_text(OURS)
    return path


def write(path, content=NEW, **options):
    with whole_file(path, "json", **options) as file:
        file.write(content)


def in_process(code, *arguments, **options):
    """Run Python in a process of its own, and wait for it."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


# Whole or not at all


def test_a_file_appears_under_its_name_on_success(tmp_path):
    path = tmp_path / "report.json"
    with whole_file(path, "json") as file:
        file.write("größer")
        assert file.encoding == "utf-8"
        assert not path.exists()
        (temporary,) = os.listdir(tmp_path)
        assert temporary.startswith(".ircor-")
    assert path.read_bytes() == "größer".encode()
    assert os.listdir(tmp_path) == ["report.json"]


def test_binary_files(tmp_path):
    with whole_file(tmp_path / "plot.png", "png", binary=True) as file:
        file.write(b"\x89PNG\r\n")
    assert (tmp_path / "plot.png").read_bytes() == b"\x89PNG\r\n"


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_an_error_leaves_the_old_file(error, target, tmp_path):
    def fail():
        with whole_file(target, "json") as file:
            file.write("half")
            raise error

    with pytest.raises(error):
        fail()
    assert target.read_text() == OURS
    assert os.listdir(tmp_path) == ["report.json"]


def test_an_error_at_the_end_leaves_the_old_file(target, tmp_path, monkeypatch):
    """A disk may be found full only when the file is closed."""

    def fail():
        with whole_file(target, "json") as file:
            file.write("new")
            os.close(file.fileno())

    with pytest.raises(OSError, match="Bad file descriptor") as failed:
        fail()
    assert failed.value.filename == str(target)
    assert target.read_text() == OURS
    assert os.listdir(tmp_path) == ["report.json"]

    def refuse(source, destination):
        raise PermissionError(destination)

    monkeypatch.setattr(_files.os, "replace", refuse)
    with pytest.raises(PermissionError):
        write(target)
    assert target.read_text() == OURS
    assert os.listdir(tmp_path) == ["report.json"]


def test_two_writers_do_not_mix(target):
    with whole_file(target, "json", force=True) as one, whole_file(target, "json", force=True) as other:
        one.write("one")
        other.write("other")
    assert target.read_text() == "one"


WRITING = """
import sys
from ircor._core.files import whole_file
for k in range(10**9):
    with whole_file(sys.argv[1], "json") as file:
        for _ in range(40):
            file.write('{\\n "ircor": "' + str(k % 10) * 50_000)
        file.write("}")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this machine")
def test_a_killed_writer_leaves_the_old_or_the_new_file_and_the_next_one_cleans_up(tmp_path):
    path = tmp_path / "big.json"
    left_behind = 0
    for k in range(12):
        writer = subprocess.Popen([sys.executable, "-c", WRITING, path])
        while not path.exists():
            time.sleep(0.005)
        time.sleep(0.05 + 0.007 * k)
        writer.kill()
        writer.wait()
        content = path.read_text()
        assert len(content) == 40 * (13 + 50_000) + 1
        assert len(set(content[13:50_013])) == 1
        assert content == content[:50_013] * 40 + "}"
        temporary = [name for name in os.listdir(tmp_path) if name != "big.json"]
        left_behind += len(temporary)
        assert len(temporary) <= 1
        if temporary:
            path.unlink()
            write(path)
            assert os.listdir(tmp_path) == ["big.json"]
        path.unlink()
    assert left_behind, "no writer was killed while it wrote"


def test_files_of_others_and_of_writers_at_work_are_not_cleaned_up(tmp_path):
    names = [".ircor-notes.tmp", ".ircor-0123456789abcdef.tmp.txt", "ircor-0123456789abcdef.tmp"]
    for name in names:
        (tmp_path / name).write_text("mine")
    (tmp_path / ".ircor-0123456789abcdef.tmp").mkdir()
    with whole_file(tmp_path / "a.json", "json") as file:
        file.write("a")
        write(tmp_path / "b.json")
        assert len(os.listdir(tmp_path)) == 6
    assert sorted(os.listdir(tmp_path)) == sorted([*names, ".ircor-0123456789abcdef.tmp", "a.json", "b.json"])
    assert (tmp_path / "a.json").read_text() == "a"


@pytest.mark.skipif(_files.fcntl is None, reason="no locks on this machine")
def test_a_file_removed_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    lock, calls = _files.fcntl.flock, []

    def late(descriptor, kind):
        calls.append(kind)
        if len(calls) == 1:
            (name,) = os.listdir(tmp_path)
            os.unlink(tmp_path / name)
        lock(descriptor, kind)

    monkeypatch.setattr(_files.fcntl, "flock", late)
    write(tmp_path / "a.json")
    assert (tmp_path / "a.json").read_text() == NEW
    assert os.listdir(tmp_path) == ["a.json"]


# What is there already


def test_a_file_of_somebody_else_is_replaced_only_by_force(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"ircor": 1}')
    with pytest.raises(FileExistsError, match=r"mine\.json exists and was not written by ircor; use force=True"):
        write(path)
    assert path.read_text() == '{"ircor": 1}'
    write(path, force=True)
    assert path.read_text() == NEW
    write(path, OURS)
    assert path.read_text() == OURS
    path.write_text("")
    write(path)
    assert path.read_text() == NEW


def test_a_file_that_appears_in_the_meantime_is_not_replaced(tmp_path):
    path = tmp_path / "mine.json"

    def fail():
        with whole_file(path, "json") as file:
            file.write(NEW)
            path.write_text("mine")

    with pytest.raises(FileExistsError):
        fail()
    assert path.read_text() == "mine"
    assert os.listdir(tmp_path) == ["mine.json"]


# Links, modes, names


def test_a_link_stays_a_link(target, tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(target)
    write(str(link))
    assert link.is_symlink()
    assert target.read_text() == NEW
    (tmp_path / "new.json").symlink_to("later.json")
    write(tmp_path / "new.json")
    assert (tmp_path / "later.json").read_text() == NEW
    (tmp_path / "round.json").symlink_to("round.json")
    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "round.json")
    assert sorted(os.listdir(tmp_path)) == ["later.json", "link.json", "new.json", "report.json", "round.json"]


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_the_mode_is_kept(target, mode):
    target.chmod(mode)
    with whole_file(target, "json") as file:
        (temporary,) = [path for path in target.parent.iterdir() if path != target]
        # From the beginning, so that nobody reads what is not for him.
        assert stat.S_IMODE(temporary.stat().st_mode) == mode
        file.write(NEW)
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert target.read_text() == NEW


def test_hard_links_are_kept(target, tmp_path):
    other = tmp_path / "other.json"
    os.link(target, other)
    for content in (NEW * 100, NEW):
        write(target, content)
        assert os.path.samefile(target, other)
        assert other.read_text() == content
    assert sorted(os.listdir(tmp_path)) == ["other.json", "report.json"]


def test_a_hard_link_has_its_old_content_if_the_copy_fails(target, tmp_path, monkeypatch):
    os.link(target, tmp_path / "other.json")
    rewrite, calls = _files.rewrite, []

    def fail(file, content):
        calls.append(content)
        rewrite(file, content[: len(content) // 2] if len(calls) == 1 else content)
        if len(calls) == 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(_files, "rewrite", fail)
    with pytest.raises(OSError, match="No space left") as failed:
        write(target, NEW * 100)
    assert failed.value.filename == str(target)
    assert target.read_text() == OURS
    assert sorted(os.listdir(tmp_path)) == ["other.json", "report.json"]


@POSIX
def test_the_owner_is_kept(target, monkeypatch):
    """Where a file cannot be given to its owner, it is written to and not renamed."""

    def refuse(*arguments):
        raise PermissionError

    before = target.stat().st_ino
    monkeypatch.setattr(_files, "takes_after", lambda temporary, there: False)
    write(target)
    assert target.stat().st_ino == before
    monkeypatch.undo()
    if os.geteuid() == 0:
        os.chown(target, NOBODY, NOBODY)
        write(target, OURS)
        assert (target.stat().st_uid, target.stat().st_gid) == (NOBODY, NOBODY)
        monkeypatch.setattr(_files.os, "chown", refuse)
        write(target)
        assert target.stat().st_uid == NOBODY
    assert target.read_text() == NEW


def test_names_of_the_greatest_length(tmp_path):
    name = "r" * 250 + ".json"
    write(tmp_path / name)
    assert os.listdir(tmp_path) == [name]
    with pytest.raises(OSError, match="too long") as failed:
        write(tmp_path / ("r" + name))
    assert failed.value.filename.endswith(name)


# What cannot be written


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this machine")
@pytest.mark.parametrize("binary", [False, True])
def test_a_path_that_is_no_regular_file_is_written_to_directly(binary, tmp_path):
    """A pipe stands for devices too: a test must not risk a real device, which root could replace."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(pipe, "json", binary=binary) as file:
        assert getattr(file, "encoding", None) == (None if binary else "utf-8")
        file.write("größer".encode() if binary else "größer")
    assert os.read(reader, 100) == "größer".encode()
    os.close(reader)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no such name on this machine")
def test_standard_output_that_goes_to_a_file_is_continued(tmp_path):
    code = (
        "import sys\nfrom ircor._core.files import whole_file\nprint('first', flush=True)\n"
        "with whole_file('/dev/stdout', 'json') as file:\n    file.write('second')\nprint('third')"
    )
    with open(tmp_path / "out", "w") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "first\nsecondthird\n"


def test_a_file_that_cannot_be_created_is_an_error_at_once(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder"), whole_file(tmp_path / "none" / "a.json", "json"):
        pytest.fail("it cannot be created")
    with pytest.raises(IsADirectoryError), whole_file(tmp_path, "json"):
        pytest.fail("it is a folder")


READ_ONLY = """
import os, sys
from ircor._core.files import whole_file
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    with whole_file(sys.argv[1], "json", force=True) as file:
        file.write("new")
except OSError as error:
    print(type(error).__name__, error.strerror, error.filename, sep=": ")
"""


@POSIX
def test_a_folder_or_a_file_that_is_read_only_is_called_so():
    # Not in the folder of the tests, which only its owner may enter.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        target = folder / "report.json"
        target.write_text(OURS)
        folder.chmod(0o555)
        done = in_process(READ_ONLY, folder / "new.json")
        assert done.stdout == f"PermissionError: the folder {folder} is read-only: {folder}/new.json\n"
        folder.chmod(0o777)
        target.chmod(0o444)
        done = in_process(READ_ONLY, target)
        assert done.stdout == f"PermissionError: the file is read-only: {target}\n"
        assert target.read_text() == OURS


FULL = """
import resource, sys
from ircor._core.files import whole_file
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with whole_file(sys.argv[1], "json") as file:
        file.write("x" * 100_000)
except OSError as error:
    print(error.strerror, error.filename)
"""


@POSIX
def test_a_disk_without_room_is_an_error_that_names_the_file(target, tmp_path):
    done = in_process(FULL, target)
    assert done.stdout == f"File too large {target}\n"
    assert target.read_text() == OURS
    assert os.listdir(tmp_path) == ["report.json"]
