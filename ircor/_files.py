"""Writing files whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any


@contextmanager
def whole_file(path: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing: a temporary file, renamed on success and removed on an error.

    A file that cannot be created is an error at once.  A path that exists and is no regular file, such as /dev/stdout,
    is written to directly.
    """
    target = os.path.realpath(path)
    encoding = None if binary else "utf-8"
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb" if binary else "w", encoding=encoding) as file:
            yield file
        return
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(8)}")
    file = open(temporary, "xb" if binary else "x", encoding=encoding)  # noqa: SIM115
    try:
        with file:
            yield file
        os.replace(temporary, target)
    except BaseException as error:
        os.unlink(temporary)
        if isinstance(error, OSError) and error.filename == temporary:
            error.filename = os.fspath(path)
        raise
