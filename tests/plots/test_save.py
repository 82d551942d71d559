"""Pictures as files: their fonts, their text, and that the same plot is the same file."""

import re
import zlib

import pytest
from matplotlib import pyplot as plt

from ircor import plots


def drawing():
    return plots.slope([3, 2, 1], [2, 3, 1], names=["uogTrBaseL17o", "réseau", "$x$"])


def fonts(path):
    """The types of the fonts of a PDF file, in its plain and in its compressed parts."""
    content = path.read_bytes()
    parts = [content]
    for start in re.finditer(rb"stream\r?\n", content):
        try:
            parts.append(zlib.decompressobj().decompress(content[start.end() :]))
        except zlib.error:
            continue
    return {name for part in parts for name in re.findall(rb"/Subtype\s*/(Type3|Type0|CIDFontType2|TrueType)", part)}


def test_pdf_has_fonts_of_type_42(tmp_path):
    """In PDF, a font of Type 42 is a TrueType font, which is of CIDFontType2."""
    path = tmp_path / "picture.PDF"
    plots.save(drawing(), path)
    assert fonts(path) == {b"Type0", b"CIDFontType2"}
    drawing().figure.savefig(path, format="pdf")
    assert b"Type3" in fonts(path)  # the test sees what it looks for


def test_text_in_svg_is_text(tmp_path):
    path = tmp_path / "picture.svg"
    plots.save(drawing(), path)
    content = path.read_text(encoding="utf-8")
    for text in ("uogTrBaseL17o  1", "réseau  2", "$x$  3", "dashed: largest moves"):
        assert f">{text}<" in content


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_plot_is_the_same_file(tmp_path, ending):
    for name in ("one", "other"):
        plots.save(drawing(), tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"other.{ending}").read_bytes()


def test_png_has_300_dots_per_inch(tmp_path):
    ax = plots.slope([1, 2], [1, 2])
    plots.save(ax, str(tmp_path / "picture.png"))
    height, width, _ = plt.imread(tmp_path / "picture.png").shape
    assert width == pytest.approx(300 * ax.figure.get_figwidth(), rel=0.1)
    assert height == pytest.approx(300 * ax.figure.get_figheight(), rel=0.1)


def test_the_whole_figure_is_saved(tmp_path):
    figure = plt.figure()
    parts = figure.subfigures(1, 2)
    ax = plots.slope([1, 2], [1, 2], ax=parts[0].subplots())
    plots.moves([1, 2], [1, 2], items="topics", ax=parts[1].subplots())
    for saved in (ax, figure):
        plots.save(saved, tmp_path / "picture.svg")
        assert ">topics by X, best at left<" in (tmp_path / "picture.svg").read_text(encoding="utf-8")


def test_bad_input_is_refused(tmp_path):
    with pytest.raises(TypeError, match="'ax' must be a matplotlib Axes or Figure, not a str"):
        plots.save("here", tmp_path / "picture.png")
    ax = drawing()
    for name in ("picture.jpg", "picture.eps", "picture"):
        with pytest.raises(ValueError, match="must end in one of .png, .svg, .pdf, and '.*' does not"):
            plots.save(ax, tmp_path / name)
    with pytest.raises(OSError, match="none"):
        plots.save(ax, tmp_path / "none" / "picture.png")
    assert list(tmp_path.iterdir()) == []
