"""How Sphinx builds the guide and the reference; scripts/docs calls it."""

import re
from importlib.metadata import version as installed
from typing import Any

project = "ircor"
author = "The ircor for Python developers"
copyright = author
release = version = installed("ircor")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["pictures"]

html_theme = "furo"
html_title = "ircor for Python"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_copyright = False
# Without the sources, which nobody looks for there.
html_copy_source = False

myst_heading_anchors = 3

# The docstrings have one backtick for functions, which become links, and for arguments, which stay code.
default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
# A name that leads nowhere is a warning, and whoever builds takes warnings for errors.
nitpicky = True
# The types in docstrings are words for people, such as "numeric vector", and no names to look up.
nitpick_ignore_regex = [("py:class|py:obj", ".*")]


def as_meant(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """An asterisk between quotes is of a pattern and begins no emphasis; an author's initial begins no list."""
    for k, line in enumerate(lines):
        line = re.sub(r'(?<!`)("[^"`]*\*[^"`]*")(?!`)', r"``\1``", line)
        lines[k] = re.sub(r"^(\s*)([A-Z]\. )", r"\1\\\2", line)


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", as_meant)
