"""Look at the built guide in a real browser, headless, at two widths.

    .venv-docs/bin/python scripts/docs_check.py build/docs

What is wrong is listed, a line each, and the exit status is 1:

- a link within the guide whose file or anchor is missing, and a picture that does not show;
- text that Markdown or reStructuredText was to turn into something else, such as two asterisks or a backtick;
- an error in the browser's console;
- a page that is wider than the window: it must never scroll sideways;
- code or a table that is wider than its box. In the wide window (1,200 pixels) all must fit. In the narrow one (400
  pixels, a telephone) it may scroll within its own box, but must not be cut off.

Before the guide, it looks at a page in which all of this is wrong, and fails if it does not see it.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

WIDE, NARROW = 1200, 400
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Elements whose text is shown as it was written; a signature is a dt.
AS_WRITTEN = {"pre", "code", "script", "style", "kbd", "title", "dt"}
EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
ACCIDENT = re.compile(r"\*\*|`|\]\(|\]\[|^\s*(?:#{1,6}|:::+) |\|\s*:?-{3}|:(?:func|class|mod|ref|doc|py:\w+):")


class Page(HTMLParser):
    """The anchors, links and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors = {""}
        self.links: list[str] = []
        self.accidents: list[str] = []
        self.open: list[str] = []
        self.before = ""
        self.closed = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        self.anchors |= {named[key] or "" for key in ("id", "name") if key in named}
        self.links += [named[key] or "" for key in ("href", "src") if key in named]
        # Emphasis that begins or ends within a word was meant as asterisks.
        if tag in ("strong", "em") and "article" in self.open and re.search(r"\w\Z", self.before):
            self.accidents.append(f"emphasis begins within a word, after: {self.before[-40:]}")
        self.before = self.closed = ""
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.before = self.closed = ""
        while self.open and tag in self.open:
            if self.open.pop() == tag:
                break
        self.closed = tag

    def handle_data(self, text: str) -> None:
        if "article" in self.open and not AS_WRITTEN & set(self.open):
            if self.closed in ("strong", "em") and re.match(r"\w", text):
                self.accidents.append(f"emphasis ends within a word, before: {text[:40]}")
            for line in text.splitlines():
                if ACCIDENT.search(line):
                    self.accidents.append(line.strip())
        self.before, self.closed = text, ""


def faults_in_files(folder: Path) -> Iterator[str]:
    """Links that lead nowhere and markup that was not understood, from the files."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in html_files(folder)}
    for path, page in pages.items():
        here = path.relative_to(folder.resolve())
        for text in page.accidents:
            yield f"{here}: markup in the text: {text}"
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{here}: broken link: {link}"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{here}: broken link: {link} (the page has no such anchor)"


def html_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]


# What is wider than its box. A line of code is wider if its letters are; a table, if it is wider than what holds it.
LOOK = """
const wide = arguments[0], found = [];
const root = document.scrollingElement;
if (root.scrollWidth > window.innerWidth)
    found.push(`the page is ${root.scrollWidth} pixels wide`);
const scrolls = element => {
    for (; element && element !== document.body; element = element.parentElement)
        if (["auto", "scroll"].includes(getComputedStyle(element).overflowX)) return true;
    return false;
};
const shorten = text => text.trim().replace(/\\s+/g, " ").slice(0, 90);
for (const box of document.querySelectorAll("pre")) {
    if (box.scrollWidth <= box.clientWidth + 1) continue;
    if (!wide && scrolls(box)) continue;
    const longest = Math.max(...box.textContent.split("\\n").map(line => line.length));
    const fit = longest * box.clientWidth / box.scrollWidth;
    for (const line of box.textContent.split("\\n"))
        if (line.length > fit) found.push(`code is cut off (${line.length} characters): ${shorten(line)}`);
}
for (const table of document.querySelectorAll("article table")) {
    const box = table.parentElement;
    if (Math.max(table.scrollWidth, table.offsetWidth) > box.clientWidth + 1 && (wide || !scrolls(box)))
        found.push(`a table is cut off: ${shorten(table.textContent)}`);
}
for (const element of document.querySelectorAll("article :is(:not(pre) > code, p, li, h1, h2, h3, img)")) {
    const box = element.getBoundingClientRect();
    if (box.width && box.right > window.innerWidth + 1 && !scrolls(element))
        found.push(`text is cut off: ${shorten(element.textContent)}`);
}
for (const picture of document.images)
    if (!picture.complete || !picture.naturalWidth)
        found.push(`a picture does not show: ${picture.getAttribute("src")}`);
return found;
"""


def start_browser(profile: str, *logs: str) -> Any:
    """A browser that shows pages from the disk and asks nobody for anything; further logs are kept for `get_log`."""
    from selenium import webdriver

    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        raise SystemExit("Missing: chromium and chromedriver; on Debian: apt install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", dict.fromkeys(("browser", *logs), "ALL"))
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def faults_in_browser(folder: Path, browser: Any) -> Iterator[str]:
    """What does not fit and what the console says, for every page and both widths."""
    for width in (WIDE, NARROW):
        # A window cannot be as narrow as a telephone, so the browser is told that it is one.
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        for path in html_files(folder):
            browser.get(path.resolve().as_uri())
            for fault in browser.execute_script(LOOK, width == WIDE):
                yield f"{path.relative_to(folder)}, {width} pixels: {fault}"
            for entry in browser.get_log("browser"):
                if entry["level"] == "SEVERE":
                    yield f"{path.relative_to(folder)}, {width} pixels: console: {entry['message']}"


def faults(folder: Path, browser: Any) -> list[str]:
    return [*faults_in_files(folder), *faults_in_browser(folder, browser)]


BAD_PAGE = f"""<!doctype html><meta name="viewport" content="width=device-width"><title>Bad</title><article>
<p>It is **not bold**, and 2<strong>53 and 2</strong>53.</p>
<p><a href="missing.html">one</a> <a href="#missing">two</a></p>
<pre style="overflow-x: auto">short\n{"wide " * 60}</pre>
<pre style="overflow-x: hidden; width: 350px">{"hidden " * 60}</pre>
<div style="overflow-x: auto"><table><tr><td style="min-width: 1300px">a table</td></tr></table></div>
<div style="width: 1250px">too wide</div><img src="missing.png" alt="">
<script>console.error("said by the script"); undefinedFunction();</script></article>"""
SEEN = (
    "markup in the text: It is **not bold**",
    "emphasis begins within a word",
    "emphasis ends within a word",
    "broken link: missing.html",
    "broken link: #missing",
    "1200 pixels: code is cut off (300 characters): wide",
    "400 pixels: code is cut off (420 characters): hidden",
    "1200 pixels: a table is cut off",
    "1200 pixels: the page is",
    "400 pixels: the page is",
    "a picture does not show",
    "undefinedFunction",
)


def not_seen(browser: Any) -> list[str]:
    """The faults of a bad page that are not found, and what is found although it is right."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "bad.html").write_text(BAD_PAGE, encoding="utf-8")
        found = "\n".join(faults(Path(name), browser))
    wrong = [
        fault for fault in ("): short", "400 pixels: a table", "400 pixels: code is cut off (300") if fault in found
    ]
    return [fault for fault in SEEN if fault not in found] + wrong


def number(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of the built guide")
    folder = parser.parse_args().folder
    if not (folder / "index.html").is_file():
        raise SystemExit(f"{folder} has no index.html: build the guide first, with scripts/docs")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = start_browser(profile)
        try:
            if blind := not_seen(browser):
                print("The check itself does not work; on a page with all faults it is wrong about:", *blind, sep="\n")
                return 1
            found = faults(folder, browser)
        finally:
            browser.quit()
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(html_files(folder))} pages at {WIDE} and {NARROW} pixels: {number(len(found), 'fault')}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
