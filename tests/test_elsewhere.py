"""What scripts/elsewhere reads from the output of the commands, and its table."""

from pathlib import Path

import pytest
from loaded import load_script

ROOT = Path(__file__).parents[1]


@pytest.fixture
def elsewhere(tmp_path):
    """The script as a module, with a table of its own."""
    module = load_script("elsewhere")
    module.TABLE = tmp_path / "page.md"
    module.TABLE.write_text(
        "before\n\n| system | tests |\n| --- | --- |\n| Debian 1 | old |\n| Debian 11 | kept |\n\nafter\n"
    )
    return module


@pytest.mark.parametrize(
    ("line", "figures"),
    [
        ("175 figures agree, 3 are known misprints, 5 are not reproduced, 0 DIFFER", "175"),
        ("174 figures agree, 3 are known misprints, 5 are not reproduced, 1 DIFFER", "failed"),
        ("Traceback", "failed"),
    ],
)
def test_the_figures(elsewhere, line, figures):
    assert elsewhere.found(elsewhere.FIGURES, ["1 figures\n", line + "\n", "more\n"]) == figures
    assert elsewhere.found(elsewhere.FIGURES, None) == "failed"


@pytest.mark.parametrize(
    ("line", "tests"),
    [
        ("=== 4280 passed, 2 skipped in 190.32s (0:03:10) ===", "4280 passed, 2 skipped"),
        ("=== 1 passed in 0.1s ===", "1 passed"),
        ("=== no tests ran in 0.1s ===", "failed"),
    ],
)
def test_the_tests(elsewhere, line, tests):
    assert elsewhere.found(elsewhere.PASSED, ["more\n", line + "\n"]) == tests


def test_the_row_of_a_system_is_replaced(elsewhere):
    elsewhere.record({"system": "Debian 1", "tests": "new"})
    elsewhere.record({"system": "Ubuntu 2", "tests": "first"})
    before, blank, _, _, *rows, end, after = elsewhere.TABLE.read_text().splitlines()
    assert (before, blank, end, after) == ("before", "", "", "after")
    assert [row.split(" | ")[0] for row in rows] == ["| Debian 11", "| Debian 1", "| Ubuntu 2"]
    assert "old" not in "".join(rows)
    assert len(rows[1].split(" | ")) == len(elsewhere.COLUMNS)
    assert list(elsewhere.TABLE.parent.iterdir()) == [elsewhere.TABLE]


def test_the_page_has_the_columns(elsewhere):
    page = (ROOT / "docs" / "verifying.md").read_text(encoding="utf-8")
    (head,) = (line for line in page.splitlines() if line.startswith("| system |"))
    assert [cell.strip().lower() for cell in head.strip("|").split("|")] == list(elsewhere.COLUMNS)


def test_a_row_needs_all_steps(elsewhere, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["elsewhere", "trixie", "--record", "--steps", "test"])
    with pytest.raises(SystemExit):
        elsewhere.main()
    assert "--record needs all steps" in capsys.readouterr().err
