"""HTML and SVG from Python: the one place where text is escaped."""

from __future__ import annotations

import re
from html import escape

# HTML has no way to write these characters, and UTF-8 has none for the last range.
UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")


class Markup(str):
    """Text that is HTML already.  All other text is escaped where it becomes a part of an element."""

    __slots__ = ()


def as_markup(text: object) -> Markup:
    """The same text for readers; characters that HTML cannot show become U+FFFD."""
    if isinstance(text, Markup):
        return text
    lines = str(text).replace("\r\n", "\n").replace("\r", "\n")
    return Markup(escape(UNWRITABLE.sub("\ufffd", lines), quote=True))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """An element; an attribute that is None is left out, and `stroke_width` or `class_` is stroke-width or class."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{as_markup(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{given}>{joined(*children)}</{tag}>")


def joined(*children: object) -> Markup:
    """The children one after the other."""
    return Markup("".join(map(as_markup, children)))
