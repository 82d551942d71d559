"""scripts/docs_check: links that lead nowhere and markup in the text, found without a browser.

What needs the browser is tested by the script itself, each time it runs: it looks at a bad page first.
"""

import pytest
from loaded import load_script


@pytest.fixture(scope="module")
def docs_check():
    return load_script("docs_check")


@pytest.fixture
def faults(docs_check, tmp_path):
    """The faults of a page with this text, beside another page and a picture."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "other.html").write_text(
        '<article><p id="a b">Text</p><a href="../page.html">back</a></article>'
    )
    (tmp_path / "picture.svg").write_text("<svg/>")

    def find(text):
        (tmp_path / "page.html").write_text(f'<title>T</title><article><h1 id="top">T</h1>{text}</article>')
        return list(docs_check.faults_in_files(tmp_path))

    return find


@pytest.mark.parametrize(
    "link",
    [
        "#top",
        "#",
        "folder/other.html",
        "folder/other.html#a%20b",
        "picture.svg",
        "https://example.org/no#where",
        "mailto:a@example.org",
    ],
)
def test_links_that_lead_somewhere(faults, link):
    assert faults(f'<a href="{link}">link</a>') == []


@pytest.mark.parametrize("link", ["#bottom", "other.html", "folder", "folder/other.html#c", "../page.html"])
def test_links_that_lead_nowhere(faults, link):
    (fault,) = faults(f'<a href="{link}">link</a>')
    assert fault.startswith(f"page.html: broken link: {link}")


def test_a_picture_that_is_missing(faults):
    assert faults('<img src="picture.svg"><img src="missing.svg">') == ["page.html: broken link: missing.svg"]


@pytest.mark.parametrize(
    "text",
    [
        "<p>**not bold**</p>",
        "<p>one `name</p>",
        "<p>a [link](page.md)</p>",
        "<p>a [link][there]</p>",
        "<p>2<strong>53 and 2</strong> + 1</p>",
        "<p>2 <strong>53 and 2</strong>53</p>",
        "<p>:func:tau</p>",
        "<p>\n## A heading</p>",
        "<p>| a | b |\n| --- | --- |</p>",
    ],
)
def test_markup_in_the_text(faults, text):
    (fault,) = faults(text)
    assert fault.startswith("page.html: markup in the text: ")


@pytest.mark.parametrize(
    "text",
    [
        "<p>2^53 * 2 is <strong>R*S</strong>, and <em>so</em> on<br><strong>Next</strong></p>",
        "<pre>2**53 `x` | --- |</pre><p><code>f(**names)[0](x)</code>s</p>",
        "<p>word</p><strong>bold</strong><p>word</p>",
        "<p>word\n<strong>bold</strong>\nword</p>",
    ],
)
def test_no_markup_in_the_text(faults, text):
    assert faults(text) == []


@pytest.mark.parametrize("kind", ["code", "a table", "the page", "broken link", "markup", "emphasis", "a picture"])
def test_the_bad_page_has_every_kind_of_fault(docs_check, kind):
    assert any(kind in fault for fault in docs_check.SEEN)
