"""Reports in a real browser, opened from the disk and without a network."""

import pytest
from pages import NASTY, NOTES, SCRIPT

from ircor import report

pytestmark = pytest.mark.browser

ALL = ["nasty", "hundred", "measures", "judges", "long_names"]


@pytest.fixture(scope="module")
def files(request, tmp_path_factory):
    """A report of each kind, as files."""
    folder = tmp_path_factory.mktemp("reports")
    for name in ALL:
        title = f"{SCRIPT} & 'title'" if name == "nasty" else None
        command = f"ircor compare a '{SCRIPT}'"
        report.save(request.getfixturevalue(name), folder / f"{name}.html", title=title, command=command)
    return {name: folder / f"{name}.html" for name in ALL}


# The text of the cells of a column, by the heading of the table's box and that of the column.
COLUMN = """
const [table, heading] = arguments;
const box = document.querySelector(`[aria-label="${table}"]`);
const head = [...box.querySelectorAll("th")].find(th => th.textContent === heading);
return [...box.querySelectorAll("tbody tr")].map(row => row.cells[head.cellIndex].textContent);
"""
BUTTON = """
const [table, heading] = arguments;
const box = document.querySelector(`[aria-label="${table}"]`);
return [...box.querySelectorAll("th button")].find(button => button.textContent === heading);
"""


@pytest.mark.parametrize("name", ALL)
def test_it_asks_nobody_for_anything_and_has_no_errors(browser, files, name):
    browser.open(files[name])
    assert browser.errors() == []
    assert browser.requests() == [files[name].as_uri()]


def test_names_and_notes_are_shown_as_text(browser, files):
    browser.open(files["nasty"])
    text = browser.run("return document.body.innerText")
    assert (
        browser.run("return document.querySelectorAll('main script, main img, main i, main b:not([class])').length")
        == 0
    )
    assert browser.run("return document.title") == f"{SCRIPT} & 'title'"
    systems = browser.run(COLUMN, 'Leaderboard of <i>\\"human\\"</i>', "system")
    assert set(NASTY[:-1]) == {system for system in systems if "\ufffd" not in system}
    for note in NOTES:
        assert note in text
    # A dialog would have stopped the scripts above.
    browser.run("document.querySelectorAll('main *').forEach(one => one.dispatchEvent(new MouseEvent('mouseover')))")
    assert browser.errors() == []


def test_the_page_lets_in_no_other_script(browser, files, tmp_path):
    text = files["nasty"].read_text(encoding="utf-8")
    broken = tmp_path / "broken.html"
    broken.write_text(text.replace("<main>", '<main><script>document.title = "let in"</script>', 1), encoding="utf-8")
    browser.open(broken)
    assert browser.run("return document.title") != "let in"
    assert "Content Security Policy" in "".join(browser.errors())


def test_a_column_of_numbers_is_sorted_by_number(browser, files):
    browser.open(files["hundred"])
    table = "Leaderboard of gpt"
    button = browser.run(BUTTON, table, "move")
    before = browser.run(COLUMN, table, "system")
    moves = dict(zip(before, map(int, browser.run(COLUMN, table, "move"))))
    for direction, order in (("ascending", 1), ("descending", -1)):
        button.click()
        after = browser.run(COLUMN, table, "system")
        # As Python's own sort, which is stable; the second one starts from the first.
        assert after == sorted(before, key=lambda system: order * moves[system])
        assert browser.run("return arguments[0].closest('th').getAttribute('aria-sort')", button) == direction
        before = after
    rank = browser.run(BUTTON, table, "rank")
    rank.send_keys("\ue007")
    ranks = [float(text) for text in browser.run(COLUMN, table, "rank")]
    assert ranks == sorted(ranks)
    rank.send_keys(" ")
    assert [float(text) for text in browser.run(COLUMN, table, "rank")] == sorted(ranks, reverse=True)
    assert browser.run("return document.querySelectorAll('[aria-sort]').length") == 1


def test_undefined_cells_come_last_both_ways_and_names_are_sorted_as_names(browser, files):
    browser.open(files["measures"])
    button = browser.run(BUTTON, "Coefficients", "value")
    shown = browser.run(COLUMN, "Coefficients", "value")
    browser.run(
        "const cell = document.querySelector('[aria-label=\"Coefficients\"] tbody').rows[1].cells[1];"
        "cell.classList.add('u'); delete cell.dataset.value; cell.textContent = 'undefined'"
    )
    rest = sorted(shown[:1] + shown[2:], key=float)
    button.click()
    assert browser.run(COLUMN, "Coefficients", "value") == [*rest, "undefined"]
    button.click()
    assert browser.run(COLUMN, "Coefficients", "value") == [*rest[::-1], "undefined"]
    browser.run(BUTTON, "Leaderboard of map", "system").click()
    systems = browser.run(COLUMN, "Leaderboard of map", "system")
    assert systems == sorted(systems)


@pytest.mark.parametrize("width", [400, 1200])
@pytest.mark.parametrize("name", ALL)
def test_only_boxes_scroll_sideways(browser, files, name, width):
    browser.open(files[name], width=width)
    assert browser.run("return document.scrollingElement.scrollWidth - document.documentElement.clientWidth") == 0
    outside = """
    const edge = document.documentElement.clientWidth + 0.5;
    return [...document.querySelectorAll("main *")].filter(one =>
        !one.closest(".box table, .tip, title") && one.getBoundingClientRect().right > edge).map(one => one.outerHTML);
    """
    assert browser.run(outside) == []


@pytest.mark.parametrize("width", [400, 730, 1050, 1200])
@pytest.mark.parametrize("name", ALL)
def test_charts_have_room_for_their_texts(browser, files, name, width):
    browser.open(files[name], width=width)
    cut = """
    return [...document.querySelectorAll("svg text:not(.tip)")].filter(one => {
        const text = one.getBoundingClientRect(), chart = one.closest("svg").getBoundingClientRect();
        return text.width > 0 && (text.left < chart.left - 2.5 || text.right > chart.right + 2.5);
    }).map(one => one.textContent);
    """
    assert browser.run(cut) == []
    overlapping = """
    return [...document.querySelectorAll(".intervals g")].filter(one => {
        const [name, number] = [...one.querySelectorAll("text")].map(text => text.getBoundingClientRect())
            .filter(box => box.width > 0);
        return name.right > number.left;
    }).map(one => one.textContent);
    """
    assert browser.run(overlapping) == []


# The least ratio of contrast between text and what is behind it, as WCAG 2 defines it, with the text.
CONTRAST = """
const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [[r, 0.2126], [g, 0.7152], [b, 0.0722]].reduce((sum, [c, weight]) =>
    sum + weight * (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4), 0);
const behind = one => {
    for (; one; one = one.parentElement) {
        const found = numbers(getComputedStyle(one).backgroundColor);
        if (found.length === 3 || found[3] > 0) return found;
    }
};
const ratios = [];
for (const one of document.querySelectorAll("body *")) {
    const said = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!said || one.matches("script, title, style") || !one.getClientRects().length) continue;
    const style = getComputedStyle(one);
    const ink = numbers(one.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(one))].sort((x, y) => y - x);
    ratios.push([(a + 0.05) / (b + 0.05), one.textContent.slice(0, 40)]);
}
return [ratios.length, ratios.sort((x, y) => x[0] - y[0])[0], numbers(getComputedStyle(document.body).backgroundColor)];
"""


@pytest.mark.parametrize(("scheme", "media"), [("light", ""), ("dark", ""), ("dark", "print")])
def test_text_stands_out_from_what_is_behind_it(browser, files, scheme, media):
    browser.open(files["measures"], scheme=scheme, media=media)
    count, least, paper = browser.run(CONTRAST)
    assert count > 200
    assert least[0] >= 4.5, least
    # Paper is white, whatever the screen is.
    assert (sum(paper[:3]) < 200) == (scheme == "dark" and media != "print")


@pytest.mark.parametrize("name", ["hundred", "nasty", "judges"])
def test_nothing_is_cut_off_on_paper(browser, files, name):
    # The width of A4 without its margins.
    browser.open(files[name], width=688, media="print")
    cut = """
    return [...document.querySelectorAll("main *")].filter(one => !one.closest("svg")).filter(one => {
        const style = getComputedStyle(one);
        const hidden = style.overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
        const beyond = one.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
        return hidden || beyond || (style.overflowY !== "visible" && one.scrollHeight > one.clientHeight + 1);
    }).map(one => one.tagName + " " + one.textContent.slice(0, 60));
    """
    assert browser.run(cut) == []
    printed = browser.pdf()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") >= 3


def test_every_line_has_its_name_under_the_pointer(browser, files):
    browser.open(files["hundred"])
    found = browser.run("""
    const items = [...document.querySelectorAll(".slope .item")];
    return items.map(item => {
        item.scrollIntoView({block: "center"});
        const box = item.querySelector("circle").getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2 + 1, box.y + box.height / 2];
        const met = document.elementFromPoint(x, y).closest(".item");
        return [item.querySelector("title").textContent, met && met.querySelector("title").textContent];
    });
    """)
    assert len(found) == 100
    assert [expected for expected, met in found if met != expected] == []


def test_the_line_under_the_pointer_is_highlighted(browser, files):
    browser.open(files["hundred"])
    place = """
    const item = [...document.querySelectorAll(".slope .item")].at(-1);
    item.scrollIntoView({block: "center"});
    const box = item.querySelector("circle").getBoundingClientRect();
    return [box.x + box.width / 2 + 1, box.y + box.height / 2];
    """
    look = """
    const items = [...document.querySelectorAll(".slope .item")];
    const shown = items.filter(item => getComputedStyle(item.querySelector(".tip")).visibility === "visible");
    return [shown.map(item => item.querySelector(".tip").textContent), getComputedStyle(items[0]).opacity];
    """
    assert browser.run(look) == [[], "1"]
    browser.move_pointer(*browser.run(place))
    (tip,), opacity = browser.run(look)
    assert tip.startswith("system ")
    assert opacity == "0.2"
    browser.move_pointer(1, 1)
