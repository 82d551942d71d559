"""scripts/bench: all of it runs in small, turns are taken, targets and slowdowns are told, pages are of one run."""

import importlib
import json
import math
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "scripts"
MODULES = ("clock", "figures", "history", "memory", "page", "peers", "resampling")


@pytest.fixture(scope="module")
def scripts():
    sys.path.insert(0, str(SCRIPTS))
    try:
        found = {name: importlib.import_module(f"_bench.{name}") for name in MODULES}
        yield types.SimpleNamespace(bench=importlib.import_module("bench"), **found)
    finally:
        sys.path.remove(str(SCRIPTS))
        for name in [name for name in sys.modules if name.split(".")[0] in ("_bench", "bench")]:
            del sys.modules[name]


def test_all_of_it_runs(scripts, tmp_path, monkeypatch):
    # R in this process sets it, and another Python's library could be found there.
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    kept = tmp_path / "history.jsonl"
    command = [sys.executable, str(SCRIPTS / "bench.py"), "--quick", "--history", str(kept)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stdout + done.stderr
    (run,) = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
    assert run["quick"]
    assert not run["docs"]
    places = [m["name"] for path in scripts.bench.PAGES for m in scripts.page.tables_of(path.read_text(), str(path))]
    # A quick run does not measure the memory of resampling.
    assert set(places) - set(run["figures"]) == {"run", "memory of resampling, megabytes"}
    assert not [name for name in run["figures"] if "microseconds" in name]
    shown = re.findall(r"^\w+$", done.stdout, re.MULTILINE)
    assert (
        shown
        == re.findall(r'^    "(\w+)",$', (SCRIPTS / "bench.py").read_text().split("SUBJECTS")[1], re.MULTILINE)[:12]
    )


def clocked(scripts, name, seconds, calls, least=0.0):
    """Takes so many seconds a call, one after the other, and keeps the order."""
    left = iter(seconds)

    def run(times):
        calls.append((name, times))
        took = next(left) * times
        return scripts.clock.Time(took, 2 * took)

    return scripts.clock.Clocked(run, least)


def test_calls_take_turns_with_the_median_of_the_processor_and_the_least_on_the_wall(scripts):
    calls = []
    a = clocked(scripts, "a", [3, 0, 2], calls)  # a clock that stood still does not count
    b = clocked(scripts, "b", [5, 7, 4], calls)
    times = scripts.clock.turns({"a": a, "b": b}, rounds=3, budget=100)
    assert calls == [("a", 1), ("b", 1)] * 3
    assert (times["a"], times["b"]) == (scripts.clock.Time(2, 0), scripts.clock.Time(5, 8))


def test_one_that_has_used_up_its_budget_is_left_out(scripts):
    calls = []
    slow, quick = clocked(scripts, "slow", [9, 9], calls), clocked(scripts, "quick", [1] * 5, calls)
    scripts.clock.turns({"slow": slow, "quick": quick}, rounds=3, budget=10)
    assert calls == [("slow", 1), ("quick", 1), ("quick", 1), ("quick", 1)]


def test_a_short_call_is_repeated_within_its_turn(scripts):
    calls = []
    short = clocked(scripts, "short", [0.001] * 20, calls, least=0.1)
    time = scripts.clock.turns({"short": short}, rounds=2)["short"]
    assert math.isclose(time.cpu, 0.001)
    # The first one is a warm-up, and a turn is long enough: 50 times 0.002 seconds on the wall.
    assert [times for _, times in calls] == [1, 1, 50, 50]


def test_python_is_timed_as_the_processor_sees_it(scripts):
    import time

    busy, idle = (
        scripts.clock.in_python(call).run(1) for call in (lambda: sum(range(2_000_000)), lambda: time.sleep(0.05))
    )
    assert idle.cpu < 0.02 < 0.05 <= idle.wall
    assert busy.cpu > 0.005


def figure(scripts, value, better="more", limit=None, column="n = 50", absolute=False):
    kind = scripts.figures.MORE if better == "more" else scripts.figures.LESS
    return scripts.figures.Figure("pairs", "`scipy`", column, value, kind, limit, value, absolute)


def test_the_ratios_are_theirs_over_ours_or_ours_over_theirs(scripts):
    Time, table = scripts.clock.Time, scripts.figures.Table("t")
    one, four = Time(1, 10), Time(4, 20)
    assert [f.value for f in (table.faster("r", "c", one, four), table.longer("r", "c", one, four))] == [4, 0.25]
    assert [f.wall for f in (table.faster("r", "c", one, four), table.longer("r", "c", one, four))] == [2, 0.5]
    assert table.elapsed("r", "c", one, four).value == 2


@pytest.mark.parametrize(
    ("value", "better", "limit", "met"),
    [
        (80, "more", 80, True),
        (79.9, "more", 80, False),
        (2, "less", 2, True),
        (2.01, "less", 2, False),
        (math.nan, "less", 2, False),
        (math.nan, "more", 2, False),
        (1, "more", None, None),
    ],
)
def test_a_target_is_reached_or_missed(scripts, value, better, limit, met):
    assert figure(scripts, value, better, limit).met is met


def earlier(value, date="2026-01-01", column="n = 50", **different):
    """A run of the history with one figure."""
    run = {"date": date, "commit": "abc", "processor": "P", "cores": 2, "quick": False}
    return run | {"figures": {"pairs": {"`scipy`": {column: [value, value]}}}} | different


def named(scripts, figures, runs, factor=1.25):
    return list(scripts.history.slowdowns(figures, runs, earlier(0), factor))


@pytest.mark.parametrize(
    ("better", "before", "now", "worse"),
    [
        ("more", 100, 79, True),
        ("more", 100, 81, False),
        ("more", 100, 200, False),
        ("less", 2, 2.6, True),
        ("less", 2, 2.4, False),
        ("less", 2, 1, False),
        ("less", 2, math.nan, True),
        ("more", 2, 0, True),
    ],
)
def test_a_ratio_that_got_worse_is_named(scripts, better, before, now, worse):
    assert bool(named(scripts, [figure(scripts, now, better)], [earlier(before)])) is worse


def test_the_sentence_has_both_values_and_the_run(scripts):
    (said,) = named(scripts, [figure(scripts, 50)], [earlier(100, "2026-02-03")])
    assert said == "pairs: scipy, n = 50: 100 before and 50 now, 2.00 times worse than in the run of 2026-02-03 (abc)"


def test_the_factor_decides(scripts):
    assert named(scripts, [figure(scripts, 50)], [earlier(100)], factor=1.9)
    assert not named(scripts, [figure(scripts, 50)], [earlier(100)], factor=2.1)


def test_the_last_run_that_has_the_figure_counts(scripts):
    runs = [earlier(500, "first"), earlier(100, "second"), earlier(9999, "third", column="n = 10")]
    (said,) = named(scripts, [figure(scripts, 50)], runs)
    assert "run of second" in said
    assert not named(scripts, [figure(scripts, 90)], runs)


@pytest.mark.parametrize("different", [{"processor": "Q"}, {"cores": 4}, {"quick": True}])
def test_runs_on_another_kind_of_machine_do_not_count(scripts, different):
    assert not named(scripts, [figure(scripts, 50)], [earlier(100, **different)])
    assert named(scripts, [figure(scripts, 50)], [earlier(100), earlier(50, **different)])


def test_absolute_times_are_not_kept(scripts):
    both = [figure(scripts, 50), figure(scripts, 3, absolute=True, column="n = 10")]
    assert scripts.history.nested(both) == {"pairs": {"`scipy`": {"n = 50": [50.0, 50.0]}}}
    assert not named(scripts, [both[1]], [earlier(1, column="n = 10")])


def test_a_figure_that_is_measured_twice_is_an_error(scripts):
    with pytest.raises(ValueError, match="^measured twice: pairs: scipy, n = 50$"):
        scripts.history.nested([figure(scripts, 50), figure(scripts, 60)])


def test_runs_are_added_at_the_end_and_read_back(scripts, tmp_path):
    path = tmp_path / "history.jsonl"
    assert scripts.history.runs_of(path) == []
    runs = [earlier(1), earlier(2)]
    for run in runs:
        scripts.history.append(path, run)
    assert scripts.history.runs_of(path) == runs
    assert [file.name for file in tmp_path.iterdir()] == ["history.jsonl"]


def test_a_history_is_never_half_written(scripts, tmp_path):
    path = tmp_path / "history.jsonl"
    scripts.history.append(path, earlier(1))
    before = path.read_bytes()
    with pytest.raises(TypeError):
        scripts.history.append(path, earlier(object()))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["history.jsonl"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"date": ', "this is not JSON"),
        ("[1]", "it must be a JSON object"),
        ('{"date": "d", "figures": {}}', "it lacks commit, processor, cores, quick"),
    ],
)
def test_a_damaged_history_is_refused_with_its_line(scripts, tmp_path, monkeypatch, capsys, line, said):
    path = tmp_path / "history.jsonl"
    scripts.history.append(path, earlier(1))
    with path.open("a") as file:
        file.write(line + "\n")
    assert run_main(scripts, monkeypatch, [], "--history", str(path)) == 2
    assert re.search(re.escape(f"{path}:2: ") + ".*" + re.escape(said), capsys.readouterr().err)


def run_main(scripts, monkeypatch, figures, *arguments):
    """scripts/bench with one subject, which measures these."""

    def measure(run):
        for one in figures:
            if isinstance(one, BaseException):
                raise one
            yield one

    monkeypatch.setitem(sys.modules, "_bench.made", types.SimpleNamespace(measure=measure))
    monkeypatch.setattr(scripts.bench, "SUBJECTS", ("made",))
    monkeypatch.setattr(scripts.peers.shutil, "which", lambda name: None)
    for name in scripts.bench.THREADS:
        monkeypatch.setenv(name, "1")  # which main does too, and it is undone after the test
    monkeypatch.setattr(sys, "argv", ["bench", *arguments])
    return scripts.bench.main()


def test_the_exit_status_tells_of_missed_targets(scripts, monkeypatch, capsys):
    assert run_main(scripts, monkeypatch, [figure(scripts, 80, limit=80), figure(scripts, 1, column="n = 10")]) == 0
    assert "1 of 1 reached" in capsys.readouterr().out
    assert run_main(scripts, monkeypatch, [figure(scripts, 79, limit=80)]) == 1
    out = capsys.readouterr().out
    assert re.search(r"MISSED +79 +79 +at least 80 +pairs: scipy, n = 50\n0 of 1 reached", out)


def test_the_exit_status_tells_of_slowdowns(scripts, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(scripts.bench, "processor", lambda: "P")
    path = str(tmp_path / "history.jsonl")
    assert run_main(scripts, monkeypatch, [figure(scripts, 100)], "--history", path) == 0
    assert run_main(scripts, monkeypatch, [figure(scripts, 50)], "--history", path) == 1
    assert "100 before and 50 now" in capsys.readouterr().out
    assert run_main(scripts, monkeypatch, [figure(scripts, 50)], "--history", path) == 0
    assert run_main(scripts, monkeypatch, [figure(scripts, 40)], "--history", path, "--factor", "1.3") == 0
    assert len(scripts.history.runs_of(Path(path))) == 4


@pytest.mark.parametrize("stop", [RuntimeError("no"), KeyboardInterrupt()])
def test_a_subject_that_stops_keeps_what_was_measured(scripts, monkeypatch, capsys, tmp_path, stop):
    monkeypatch.setattr(scripts.bench.time, "sleep", lambda seconds: None)
    path = tmp_path / "history.jsonl"
    assert run_main(scripts, monkeypatch, [figure(scripts, 1), stop], "--history", str(path)) == 1
    assert "not whole: made" in capsys.readouterr().out
    (run,) = scripts.history.runs_of(path)
    assert run["figures"] == {"pairs": {"`scipy`": {"n = 50": [1, 1]}}}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--docs", "--quick"),
        ("--docs", "--only", "made"),
        ("--docs", "--history", "x"),
        ("--docs", "--page"),
        ("--factor", "1"),
        ("--only", "nothing"),
    ],
)
def test_arguments_that_contradict_each_other_are_refused(scripts, monkeypatch, capsys, arguments):
    with pytest.raises(SystemExit) as stopped:
        run_main(scripts, monkeypatch, [], *arguments)
    assert stopped.value.code == 2


PAGE = "before\n\n<!-- bench: pairs -->\n\nold\n\n<!-- end of bench -->\n\nafter\n"


@pytest.fixture
def pages(scripts, monkeypatch, tmp_path):
    """A page and a history in place of those of the repository."""
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    monkeypatch.setattr(scripts.bench, "PAGES", [page])
    monkeypatch.setattr(scripts.bench, "KEPT", tmp_path / "kept.jsonl")
    return page


def test_a_page_gets_its_tables_from_the_run(scripts, monkeypatch, pages):
    figures = [figure(scripts, 0.123), figure(scripts, 1234.5, column="n = 10")]
    assert run_main(scripts, monkeypatch, figures, "--docs") == 0
    table = "|  | n = 50 | n = 10 |\n| --- | --- | --- |\n| `scipy` | 0.12 | 1,200 |"
    written = PAGE.replace("old", table.replace("|  |", "| |"))
    assert pages.read_text() == written
    # Other runs do not count for the page.
    scripts.history.append(scripts.bench.KEPT, earlier(7))
    assert run_main(scripts, monkeypatch, [], "--page") == 0
    assert pages.read_text() == written


def test_a_page_is_not_written_from_a_run_that_is_not_whole(scripts, monkeypatch, pages, capsys):
    assert run_main(scripts, monkeypatch, [figure(scripts, 1), RuntimeError("no")], "--docs") == 1
    assert pages.read_text() == PAGE
    assert run_main(scripts, monkeypatch, [], "--page") == 2
    assert "no run with --docs is in it" in capsys.readouterr().err


def test_a_table_has_an_empty_cell_where_nothing_was_measured(scripts):
    rows = {"a": {"x": [1, 1], "y": [2, 2]}, "b": {"y": [30, None]}, "c": {"z": [None, None]}}
    assert scripts.page.table(rows).splitlines()[2:] == ["| a | 1 | 2 | |", "| b | | 30 | |", "| c | | | |"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0149, "0.015"), (1, "1"), (1.25, "1.2"), (99.4, "99"), (99.7, "100"), (104, "100"), (12345, "12,000")],
)
def test_figures_have_two_digits(scripts, value, shown):
    assert scripts.page.shown(value) == shown


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("no markers", "there are 0 markers"),
        (PAGE.replace("<!-- end of bench -->", ""), "1 markers <!-- bench: NAME --> and 0 markers"),
        (PAGE.replace("old", "<!-- bench: cor -->"), "2 markers <!-- bench: NAME --> and 1 markers"),
        (PAGE + PAGE.replace("pairs", "unknown"), "has no figures for: unknown"),
    ],
)
def test_a_page_that_cannot_be_written_is_refused(scripts, page, said):
    with pytest.raises(scripts.page.PageError, match=re.escape(said)):
        scripts.page.written(page, earlier(1), "page.md")


def test_all_pages_are_written_or_none(scripts, tmp_path):
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(PAGE)
    bad.write_text("nothing")
    with pytest.raises(scripts.page.PageError):
        scripts.page.write([good, bad], earlier(1))
    assert good.read_text() == PAGE


def test_the_pages_have_the_tables_of_the_last_run(scripts):
    kept = scripts.history.runs_of(scripts.bench.KEPT)
    for path in scripts.bench.PAGES:
        text = path.read_text(encoding="utf-8")
        assert scripts.page.tables_of(text, str(path))
        if kept:
            run = scripts.page.last_of(kept, str(scripts.bench.KEPT))
            assert scripts.page.written(text, run, str(path)) == text


def test_the_history_of_the_repository_has_no_absolute_times(scripts):
    for run in scripts.history.runs_of(scripts.bench.KEPT):
        assert not [name for name in run["figures"] if "second" in name]


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the system does not tell")
def test_memory_is_that_of_the_call_alone(scripts):
    # What was there before does not count, nor what was there and is gone, nor what this process has.
    here = np.ones(4_000_000)
    prepare = "kept = np.ones(1_000_000)\ngone = np.ones(5_000_000)\ndel gone"
    found = scripts.memory.beyond(prepare, "np.ones(int(sys.argv[1])).sum()", 2_000_000)
    assert 0.9 < found / 16e6 < 1.2
    assert here[0] == 1


def test_the_loop_over_nnls_is_the_rank_distance(scripts):
    from ircor.rank_distance import DrankNull

    X = scripts.resampling.scores(30, 6, np.random.default_rng(1))
    theirs = scripts.resampling.by_nnls(X, 300)
    ours = DrankNull(X, null="resample", resamples=1_000, seed=2, progress=False).distances
    theirs, ours = (np.quantile(distances, [0.3, 0.5, 0.9]) for distances in (theirs, ours))
    np.testing.assert_allclose(theirs, ours, rtol=0.15, atol=1e-9)


@pytest.mark.r
def test_r_gets_vectors_and_times_what_it_runs(scripts):
    with scripts.peers.r_process() as r:
        x = np.random.default_rng(1).random((5, 3))
        r.take({"x": x[:, 0], "X": x})
        assert math.isclose(float(r.ask("x[2] + sum(dim(X) * c(10, 1))")), x[1, 0] + 53, rel_tol=1e-7)
        assert math.isclose(float(r.ask("X[4, 3]")), x[3, 2], rel_tol=1e-7)
        time = r.clocked("Sys.sleep(0.03)").run(2)
        assert time.cpu < 0.05 < 0.06 <= time.wall + 0.002
        with pytest.raises(RuntimeError, match="nothing_of_this_name"):
            r.ask("nothing_of_this_name")
        assert r.ask("1 + 1") == "2"
