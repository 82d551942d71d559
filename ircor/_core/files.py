"""Files that are written: whole or not at all, and never in the place of a file that ircor did not write.

docs/files.md states the rule, and how ircor knows the files that it wrote.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EISDIR, ELOOP, ENOENT
from typing import IO, Any, TypeAlias

from .errors import FileKeptError, Setting

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FilePath: TypeAlias = str | os.PathLike[str]

MAKER = "ircor"
"""The name in pictures of the program that made them."""

GENERATOR = '<meta name="generator" content="ircor'
COMMENT = "<!-- Written by ircor -->"
LATEX_COMMENT = "% Written by ircor"

STREAMS = {"/dev/stdout": 1, "/dev/fd/1": 1, "/dev/stderr": 2, "/dev/fd/2": 2}
"""Names of the streams of this process, and their descriptors."""

TEMPORARY = re.compile(r"\.ircor-[0-9a-f]{16}\.tmp")


def begins(*beginnings: bytes) -> Callable[[IO[bytes]], bool]:
    """The mark of files that begin with one of these."""
    return lambda file: file.read(max(map(len, beginnings))).startswith(beginnings)


def near_the_beginning(beginning: bytes, mark: bytes) -> Callable[[IO[bytes]], bool]:
    def marked(file: IO[bytes]) -> bool:
        head = file.read(4096)
        return head.startswith(beginning) and mark in head

    return marked


def in_pdf(file: IO[bytes]) -> bool:
    """Whether ircor is the creator by the document's own information.

    That of a picture in a paper may be in the file too, so the trailer decides which one counts.
    """
    content = file.read()
    number = re.search(rb"/Info (\d+) 0 R", content[content.rfind(b"\ntrailer") :])
    if not content.startswith(b"%PDF") or not number:
        return False
    about = re.search(rb"\n%b 0 obj\s*<<(.*?)\bendobj" % number[1], content, re.DOTALL)
    return about is not None and f"/Creator ({MAKER})".encode() in about[1]


MARKS: dict[str, Callable[[IO[bytes]], bool]] = {
    "json": begins(b'{\n "ircor": "'),
    "html": near_the_beginning(b"<!doctype html>", GENERATOR.encode()),
    "markdown": begins(COMMENT.encode()),
    "latex": begins(LATEX_COMMENT.encode()),
    "png": near_the_beginning(b"\x89PNG", f"tEXtSoftware\0{MAKER}".encode()),
    "svg": near_the_beginning(b"<?xml", f"<dc:title>{MAKER}</dc:title>".encode()),
    "pdf": in_pdf,
    # A zip archive whose first member has this name.
    "npz": lambda file: (head := file.read(44)).startswith(b"PK\3\4") and head.endswith(b"drank_null.npy"),
}
"""How a file that ircor wrote is recognised.  Other formats cannot carry a mark."""


def is_special(path: FilePath) -> bool:
    """Whether it is a device, a pipe, or a stream of this process, which are written to directly."""
    return os.fspath(path) in STREAMS or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


def check_output(path: FilePath, form: str, *, force: bool = False) -> None:
    """Raise if a file cannot be written, or if it exists without the mark of ircor in this format, unless by `force`.

    An empty file may be replaced, since nothing is lost.  FileExistsError says that the file must not be replaced, and
    another OSError that there is no folder for it, or that the folder or the file is read-only.
    """
    if is_special(path):
        return
    name, target = os.fspath(path), os.path.realpath(path)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(ENOENT, f"there is no folder {folder} to write to", name)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(EACCES, f"the folder {folder} is read-only", name)
    try:
        # The name may be too long, which is better said now.
        os.lstat(target)
    except FileNotFoundError:
        return
    if os.path.isdir(target):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), name)
    if os.path.islink(target):
        raise OSError(ELOOP, os.strerror(ELOOP), name)
    if not os.access(target, os.W_OK):
        raise PermissionError(EACCES, "the file is read-only", name)
    if not force and os.path.getsize(target) and not has_mark(target, form):
        why = "was not written by ircor" if form in MARKS else "cannot show that ircor wrote it"
        raise FileKeptError(None, (f"{name} exists and {why}; use ", Setting("force", True), " to replace it"))


def has_mark(path: FilePath, form: str) -> bool:
    """Whether ircor wrote the file, in this format."""
    if form not in MARKS:
        return False
    with open(path, "rb") as file:
        return MARKS[form](file)


@contextmanager
def whole_file(path: FilePath, form: str, *, binary: bool = False, force: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing: a temporary file, renamed on success and removed on an error; see `check_output`.

    The file keeps its mode, its owner and its other names: where a rename would lose one of them, the complete content
    is copied into the file.
    """
    check_output(path, form, force=force)
    target = os.path.realpath(path)
    kind, encoding = ("b", None) if binary else ("", "utf-8")
    if is_special(path):
        # A stream that goes to a regular file continues there, which opening it by its name would not do.
        stream = STREAMS.get(os.fspath(path))
        if stream == 1:
            sys.stdout.flush()
        with naming_file(path), open(path if stream is None else os.dup(stream), f"w{kind}", encoding=encoding) as file:
            yield file
        return
    folder = os.path.dirname(target)
    remove_abandoned(folder)
    temporary, file, lock = temporary_file(folder, path, kind, encoding)
    try:
        with naming_file(path, temporary):
            renamed = not os.path.exists(target) or takes_after(temporary, os.stat(target))
            with file:
                yield file
            # Another process may have written there in the meantime.
            check_output(path, form, force=force)
            if renamed:
                os.replace(temporary, target)
            else:
                copy_into(temporary, target)
                os.unlink(temporary)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    finally:
        if lock is not None:
            os.close(lock)


@contextmanager
def naming_file(path: FilePath, *others: str) -> Iterator[None]:
    """Errors of the system name this file, if they name none or one of the others."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename in (None, *others):
            error.filename, error.filename2 = os.fspath(path), None
        raise


def temporary_file(folder: str, path: FilePath, kind: str, encoding: str | None) -> tuple[str, IO[Any], int | None]:
    """A new file in the folder, its name, and the descriptor that locks it until it is closed.

    The lock says that its writer is alive.  Its name does not grow with that of the file to be written.
    """
    while True:
        temporary = os.path.join(folder, f".ircor-{secrets.token_hex(8)}.tmp")
        with naming_file(path, temporary):
            file = open(temporary, f"x{kind}", encoding=encoding)  # noqa: SIM115
        if fcntl is None:
            return temporary, file, None
        lock = os.dup(file.fileno())
        with suppress(OSError):  # a file system without locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        if os.fstat(lock).st_nlink:
            return temporary, file, lock
        # Another process took it for abandoned before it was locked.
        file.close()
        os.close(lock)


def remove_abandoned(folder: str) -> None:
    """Remove the temporary files of writers that were killed; what cannot be removed stays."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    remove_if_abandoned(entry.path)


def remove_if_abandoned(temporary: str) -> None:
    if fcntl is None:
        # Windows refuses to remove a file that is open.
        os.unlink(temporary)
        return
    with open(temporary, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(temporary)


def takes_after(temporary: str, there: os.stat_result) -> bool:
    """Give the temporary file the mode and the owner of another one; whether a rename keeps all but the content."""
    own = os.stat(temporary)
    try:
        if (own.st_uid, own.st_gid) != (there.st_uid, there.st_gid):
            os.chown(temporary, there.st_uid, there.st_gid)
    except PermissionError:
        return False
    os.chmod(temporary, there.st_mode & 0o7777)
    return there.st_nlink == 1


def copy_into(source: str, target: str) -> None:
    """Copy the content of a file into another one, whose old content comes back if that fails."""
    with open(source, "rb") as file:
        new = file.read()
    with open(target, "r+b", buffering=0) as file:
        old = file.read()
        try:
            rewrite(file, new)
        except BaseException:
            rewrite(file, old)
            raise


def rewrite(file: IO[bytes], content: bytes) -> None:
    file.seek(0)
    left = memoryview(content)
    while left:
        left = left[file.write(left) :]
    file.truncate()
