"""The examples of the README and of the guide run, and every line of the compatibility table holds."""

import doctest
import inspect
import math
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS, REFUSING
from forks import start_command
from loaded import load_script

import ircor
from ircor import averages, crosscheck, rbase
from ircor.rbase import r_rank, r_round

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
FROM_R = ROOT / "docs" / "coming-from-r.md"

examples = load_script("examples")
examples.start = start_command


def text_of(page):
    return page.read_text(encoding="utf-8")


def section_of(page, title):
    return text_of(page).split(f"\n## {title}\n")[1].split("\n## ")[0]


def run_python(examples, names, where):
    test = doctest.DocTestParser().get_doctest(examples, names, where, where, 0)
    # The parser copies the names, and the next block needs what this one has made.
    test.globs = names
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test, clear_globs=False).failed == 0, f"an example in {where} fails"
    return len(test.examples)


@cache
def print_of(command):
    return examples.run(command)


def run_once(command):
    """What a command prints; one that neither reads nor writes files prints the same on every page."""
    return examples.run(command) if re.search(r"data|--plot|-- ", command) else print_of(command)


def run_commands(transcript):
    """Run the lines that begin with a dollar, and compare what follows them with what they print."""
    found = list(examples.commands(transcript))
    for command, shown in found if os.name != "nt" else []:  # which has no terminals to run them in
        printed = run_once(command)
        assert examples.matches(shown, printed), f"{command}\n{printed}\nand not\n{shown}"
    return len(found)


def pages():
    """All but the page that a command writes; its own test checks what is in it."""
    for page in examples.pages():
        needs_r = re.search(r"^\$ \S*ircor crosscheck", text_of(page), re.MULTILINE)
        yield pytest.param(page, id=str(page.relative_to(ROOT)), marks=[pytest.mark.r] if needs_r else [])


@pytest.mark.parametrize("page", list(pages()))
def test_the_examples_of_the_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    run = {"python": lambda block: run_python(block, names, page.name), "console": run_commands}
    blocks = re.findall(r"^```(python|console)\n(.*?)^```", text_of(page), re.DOTALL | re.MULTILINE)
    assert sum(run[language](block) for language, block in blocks) >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", re.sub(r"^```.*?^```", "", text_of(page), flags=re.S | re.M)):
        assert "://" in target or (page.parent / target).is_file(), target


def test_the_script_draws_the_pictures_of_the_pages(tmp_path):
    shown = {name for page in PAGES for name in re.findall(r"\]\((?:docs/|\.\./)?pictures/([^)]+)\)", text_of(page))}
    kept = {path.name: path.stat().st_size for path in (ROOT / "docs" / "pictures").iterdir()}
    subprocess.run([sys.executable, str(ROOT / "scripts" / "pictures.py"), str(tmp_path)], check=True, timeout=300)
    assert {path.name for path in tmp_path.iterdir()} == set(kept) == shown
    assert max(kept.values()) < 60_000


@pytest.mark.r
def test_the_ported_analysis_gives_the_same_in_both_languages(tmp_path, monkeypatch):
    import rpy2.robjects as ro

    crosscheck.find_oracle("reference")
    monkeypatch.chdir(tmp_path)
    ircor.sample("map").to_csv("map.csv")
    ro.r(f"setwd({str(tmp_path)!r}); suppressPackageStartupMessages(library(ircorref))")
    ro.r('RNGkind("default", "default", "default")')
    page = ROOT / "docs" / "port-an-r-analysis.md"
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", text_of(page), re.MULTILINE)
    assert len(rows) == 37
    names = {"np": np, "pd": pd, "tau_b": ircor.tau_b, "tauAP_b": ircor.tauAP_b, "standardize": averages.standardize}
    names |= {name: getattr(rbase, name) for name in rbase.__all__}
    for in_r, in_python in rows:
        if "<-" in in_r or in_r.startswith("set.seed"):
            ro.r(in_r)
            exec(in_python, names)
            name = in_r.partition(" ")[0]
            if "<-" in in_r and name not in "ij":
                np.testing.assert_allclose(names[name], np.squeeze(ro.r(name)), rtol=1e-14, err_msg=in_r)
        else:
            ours, theirs = eval(in_python, names), np.squeeze(ro.r(in_r))
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14, err_msg=in_r)


@pytest.mark.r
def test_the_lines_in_r_and_in_python_say_the_same():
    import rpy2.robjects as ro

    crosscheck.find_oracle("reference")
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", section_of(FROM_R, "Line by line"), re.MULTILINE)
    assert len(rows) > 10
    names = {"np": np, "r_round": r_round, "r_rank": r_rank}
    for in_r, in_python in rows:
        if in_r.startswith("library("):
            ro.r("suppressPackageStartupMessages(library(ircorref))")
            exec(in_python, names)
        elif "<-" in in_r:
            ro.r(in_r)
            exec(in_python, names)
        else:
            np.testing.assert_allclose(eval(in_python, names), np.squeeze(ro.r(in_r)), rtol=0, atol=1e-12, err_msg=in_r)
    x, y = ro.r("c(0.15, 0.25, 0.35, 0.45, 0.55, 0.65)"), ro.r("c(0.1, 0.3, 0.2, 0.4, 0.6, 0.5)")
    assert round(ro.r("function(x, y) tau_b(round(x, 1), y)")(x, y)[0], 7) == 0.7333333


def refuses(words, call, kind=ValueError):
    with pytest.raises(kind, match="^" + re.escape(words)):
        call()


def names_and_arguments():
    signatures = {name: str(inspect.signature(f)) for name, f in FUNCTIONS.items()}
    assert [s.count("decreasing: 'bool | np.bool_' = True") for s in signatures.values()] == [0, 0, 0, 1, 1, 1]
    assert all(type(f(x=[1, 2, 3], y=[1, 3, 2])) is float for f in FUNCTIONS.values())


def same_number():
    # tau_b(c(1,1+.Machine$double.eps,2,3), c(1,2,3,4)) is 1.0000000000000002 in R
    assert ircor.tau_b([1, 1 + 2**-52, 2, 3], [1, 2, 3, 4]) == 1


def undefined():
    assert math.isnan(ircor.tau_b([1, 2], [3, 3]))
    assert math.isnan(ircor.tauAP_b([3, 3], [1, 2]))


def same_refusal():
    for name, function in FUNCTIONS.items():
        refuses("'x' must be a numeric vector", lambda f=function: f("a", "b"), TypeError)
        refuses("'y' must be a numeric vector", lambda f=function: f([1, 1], "b"), TypeError)
        refuses("'x' and 'y' must be of the same length", lambda f=function: f([1, 1], [1, 1, 2]))
        for vector in REFUSING[name][:1]:
            refuses(f"'{vector}' contains ties.", lambda f=function: f([1, 1], [1, 1]))
    refuses("'y' contains ties.", lambda: ircor.tau([1, 2], [1, 1]))


def numeric_vector():
    for kind in (list, tuple, np.array, pd.Series):
        assert ircor.tau(kind([1, 2, 3]), kind([1, 3, 2])) == 1 / 3


def not_a_numeric_vector():
    for x in ([True, False], ["a", "b"], [1j, 2], None, 1, np.ones((2, 1)), pd.DataFrame({"a": [1, 2]})):
        refuses("'x' must be a numeric vector", lambda x=x: ircor.tau_b(x, [1, 2]), TypeError)


def pairing():
    with pytest.warns(ircor.PairingWarning):
        assert ircor.tau(pd.Series([1, 2], index=["a", "b"]), pd.Series([1, 2], index=["b", "a"])) == 1


def integers():
    assert ircor.tau([2**53, 2**53 + 1], [1, 2]) == 1


def ties_computed_with():
    assert ircor.tau_b([0.3, 0.1 + 0.2], [1, 2]) == 1
    assert math.isnan(ircor.tau_b([0.3, 0.3], [1, 2]))


def ties_refused():
    refuses("'x' contains ties.", lambda: ircor.tau([0.3, 0.1 + 0.2], [1, 2]))


def missing_are_ties():
    for function, vectors in (("tau", "xy"), ("tauAP", "xy"), ("tau_a", "x"), ("tauAP_a", "x")):
        for vector in vectors:
            other = "y" if vector == "x" else "x"
            call = {vector: [1, math.nan, 3], other: [1, 2, 3]}
            refuses(f"'{vector}' contains ties.", lambda f=function, call=call: FUNCTIONS[f](**call))


def missing_in_tau_a():
    assert math.isnan(ircor.tau_a([1, 2, 3], [1, math.nan, 3]))


def missing_in_tau_b():
    refuses("missing value where TRUE/FALSE needed", lambda: ircor.tau_b([1, 2, 3], [1, math.nan, 3]))


def missing_are_last():
    for decreasing, last in ((True, 0), (False, 9)):
        for call in (
            lambda y, d=decreasing: ircor.tauAP_a([1, 2, 3], y, d),
            lambda y, d=decreasing: ircor.tauAP_b([1, 2, 3], y, d),
            lambda y, d=decreasing: ircor.tauAP_b(y, [1, 2, 3], d),
        ):
            with pytest.warns(ircor.MissingValueWarning):
                assert call([2, math.nan, 1]) == call([2, last, 1])


def decreasing_flag():
    for flag in ("F", 0, np.False_):
        assert ircor.tauAP([1, 2, 3], [1, 3, 2], flag) == 0.5
    refuses("'decreasing' must be", lambda: ircor.tauAP([1, 2], [1, 2], [False]), TypeError)


def fewer_than_two():
    for function in FUNCTIONS.values():
        refuses("'x' and 'y' must have two items or more", lambda f=function: f([], []))
        refuses("'x' and 'y' must have two items or more", lambda f=function: f([1], [2]))


def infinities():
    assert ircor.tau_a([1, 2, 3], [math.inf, math.inf, 0]) == ircor.tau_a([1, 2, 3], [1, 1, 0])
    assert ircor.tau_b([1, 2, 3], [math.inf, math.inf, 0]) == ircor.tau_b([1, 2, 3], [1, 1, 0])


def large_integers():
    x = np.array([2147483647, -2147483647, 0], dtype=np.int32)
    assert ircor.tau(x, [3, 1, 2]) == 1


LINES = {
    "Names and arguments": names_and_arguments,
    "Same number": same_number,
    "Undefined": undefined,
    "Same refusal": same_refusal,
    "Numeric vector": numeric_vector,
    "Not a numeric vector": not_a_numeric_vector,
    "Pairing": pairing,
    "Integers": integers,
    "Ties in functions that allow them": ties_computed_with,
    "Ties in functions that refuse them": ties_refused,
    "Missing values, `tau`, `tauAP`, and x of `tau_a`, `tauAP_a`": missing_are_ties,
    "Missing values, y of `tau_a`": missing_in_tau_a,
    "Missing values, `tau_b`": missing_in_tau_b,
    "Missing values, `tauAP_b`, and y of `tauAP_a`": missing_are_last,
    "`decreasing`": decreasing_flag,
    "**Not R**: fewer than two items": fewer_than_two,
    "**Not R**: two infinities of one sign": infinities,
    "**Not R**: large integers": large_integers,
}


def test_the_compatibility_table_has_these_lines():
    rows = re.findall(r"^\| ([^|]+) \|", section_of(FROM_R, 'What "R-compatible" means'), re.MULTILINE)
    assert [row for row in rows if row != "---"] == list(LINES)


@pytest.mark.parametrize("line", LINES)
def test_the_compatibility_table(line):
    LINES[line]()


def test_import_is_light():
    # SciPy, pandas, matplotlib, rpy2 and the rest are loaded where they are first needed.
    code = "import sys, numpy; before = set(sys.modules); import ircor; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"scipy", "pandas", "matplotlib", "rpy2", "joblib", "rich", "polars", "importlib.metadata"}
    assert not heavy & {name.partition(".")[0] for name in loaded} | (heavy & set(loaded))
