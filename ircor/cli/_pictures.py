"""--plot and the words in the picture."""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import Any

from .._extras import extra
from .._text import listed

WORDS = ("title", "x_label", "y_label")

KINDS = (".png", ".svg", ".pdf")
"""How the names of pictures end."""


class Once(Action):
    """An option that is refused if it is given again."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None) -> None:
        if getattr(namespace, self.dest) is not None:
            raise ArgumentError(self, "given twice")
        setattr(namespace, self.dest, values)


def add_picture(parser: ArgumentParser, content: str) -> None:
    """--plot, --title, --label, --x-label and --y-label."""
    parser.add_argument("--plot", metavar="FILE", help=f"draw {content} (png, svg or pdf)")
    parser.add_argument("--title", action=Once, metavar="TEXT", help="the title of the picture")
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="TEXT",
        help="what the picture calls the first of the things compared; given again, the second, and so on",
    )
    parser.add_argument(
        "--x-label", action=Once, metavar="TEXT", help="the label of the horizontal axis of the picture"
    )
    parser.add_argument(
        "--y-label",
        action="append",
        metavar="TEXT",
        help="the label of the vertical axis of the picture; given twice, of the left and of the right axis",
    )


def check_words(options: Namespace) -> None:
    """Refuse words for a picture that is not asked for; the title may be that of a report."""
    if getattr(options, "plot", None) is None:
        for word in ("label", *WORDS):
            if getattr(options, word, None) in (None, []) or (word == "title" and getattr(options, "html", None)):
                continue
            if word == "title" and hasattr(options, "html"):
                raise ValueError("--title is for the picture or the report: name its file with --plot or --html")
            raise ValueError(f"--{word.replace('_', '-')} is for the picture: name its file with --plot")


def labels_of(options: Namespace, names: Sequence[Any]) -> list[str]:
    """What the picture calls the things compared: the values of --label, if there are any, else their names."""
    given: list[str] = options.label
    if given and len(given) != len(names):
        raise ValueError(
            f"the picture has {len(names)} labels ({listed(names)}): give --label {len(names)} times, not {len(given)}"
        )
    return given or [str(name) for name in names]


def save_picture(draw: Callable[[], Any], options: Namespace) -> None:
    extra("matplotlib", "--plot").use("Agg")
    from .. import plots
    from ..plots._style import relabel

    ax = draw()
    words = {word: getattr(options, word, None) for word in WORDS}
    if any(word is not None for word in words.values()):
        relabel(ax, **words)
    plots.save(ax, options.plot, force=options.force)
    extra("matplotlib.pyplot", "--plot").close(ax.figure)
