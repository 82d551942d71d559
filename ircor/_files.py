"""Files that are whole or not there."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any


@contextmanager
def whole_file(path: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO[Any]]:
    """A file that appears under its name when it is whole, and at an error never.

    That it can be written is seen to at once.  What is there already and no regular file, such as /dev/stdout, is
    written to as it is.
    """
    target = os.path.realpath(path)
    encoding = None if binary else "utf-8"
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb" if binary else "w", encoding=encoding) as file:
            yield file
        return
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(8)}")
    with open(temporary, "xb" if binary else "x", encoding=encoding) as file:
        try:
            yield file
        except BaseException:
            os.unlink(temporary)
            raise
    os.replace(temporary, target)
