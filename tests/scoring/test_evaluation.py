"""Judgments that end the process of trec_eval's code, and the process that it has for itself."""

import os
import random
import subprocess
import sys
from math import log2

import ir_measures
import pytest
import pytrec_eval
from ir_measures import AP, nDCG

from ircor.cli import main
from ircor.scoring import _evaluation as evaluation
from ircor.scoring._evaluation import Worker, stop_idle
from ircor.trec import CrashError, score

RUN = {"401": {"b": 4.0, "a": 3.0, "c": 2.0, "e": 1.0}}
QRELS = {"401": {"a": -2, "b": 1, "c": 0, "e": 2, "z": 0}}
SPAM = {"402": {"a": -2, "b": -2, "c": -3}}
MEASURES = [
    *(
        "AP",
        "nDCG",
        "nDCG@5",
        "P@5",
        "RR",
        "Rprec",
        "R@5",
        "Bpref",
        "infAP",
        "Success@5",
        "SetP",
        "SetR",
        "SetF",
        "SetAP",
    ),
    *("IPrec@0.5", "NumRet", "NumRelRet", "NumRel", "NumQ", "SetRelP", "AP(judged_only=True)", "P(judged_only=True)@5"),
    *("nDCG(judged_only=True)", "SetP(judged_only=True)", "AP(rel=2)", "Bpref(rel=3)", "infAP(rel=2)", "RR(rel=2)"),
]


@pytest.fixture(autouse=True)
def new_process():
    """Each test starts without a process from another one."""
    stop_idle()
    yield
    stop_idle()


# What trec_eval means by negative grades


@pytest.mark.parametrize("in_process", [False, True])
def test_judgments_that_end_the_process_of_trec_eval(tmp_path, in_process):
    """All documents of a topic are spam: the highest grade is below -1."""
    qrels = tmp_path / "qrels.txt"
    judged = {**SPAM, **QRELS}
    qrels.write_text(
        "".join(f"{topic} 0 {doc} {grade}\n" for topic, docs in judged.items() for doc, grade in docs.items())
    )
    run = tmp_path / "one.run"
    run.write_text("".join(f"{t} Q0 {doc} 0 {x} one\n" for t in ("401", "402") for doc, x in RUN["401"].items()))
    found = score(run, qrels, MEASURES, in_process=in_process)
    assert found.attrs["notes"][0] == "1 topic of qrels without a relevant document: 402"
    by_hand = {
        "AP": (1 + 2 / 4) / 2,
        "AP(judged_only=True)": (1 + 2 / 3) / 2,
        "nDCG": (1 + 2 / log2(5)) / (2 + 1 / log2(3)),
        "nDCG(judged_only=True)": (1 + 2 / log2(4)) / (2 + 1 / log2(3)),
        "P@5": 2 / 5,
        "Bpref": (1 + 1 / 2) / 2,  # of the two documents judged as not relevant, c comes before e
        # At e, the three documents above are of the pool; of the two that were judged, one is relevant.
        "infAP": (1 + 1 / 4 + 3 / 4 * 1 / 2) / 2,
        "SetP": 2 / 4,
        "SetP(judged_only=True)": 2 / 3,
        "AP(rel=2)": 1 / 4,
        "Bpref(rel=3)": 0,
        "NumRet": 4,
        "NumRel": 2,
    }
    for name, value in by_hand.items():
        assert found.loc["401", (name, "one")] == pytest.approx(value, abs=1e-4), name
    for name in MEASURES:
        assert found.loc["402", (name, "one")] == {"NumRet": 4, "NumQ": 1}.get(name, 0), name


def test_other_code_than_that_of_trec_eval():
    found = score(
        {"one": {**RUN, "402": RUN["401"]}}, {**QRELS, **SPAM}, ["RR@10", "Judged@3", "Judged@4", "Compat(p=0.8)"]
    )
    assert found.loc["402"].tolist() == [0, 1, 0.75, 0]
    assert found.loc["401"].tolist()[:3] == [1, 1, 1]


@pytest.mark.parametrize("seed", range(4))
def test_odd_grades_have_the_scores_of_trec_eval(seed):
    """Topics with a grade of 0 or more are scored as pytrec_eval scores them, each alone; all others as 0."""
    rng = random.Random(seed)
    docs = [f"d{k}" for k in range(12)]
    grades = [(-2,), (-1,), (-1000, -2), (0,), (-2, 0), (-2, 0, 1, 3), (-1, 1000), (0, 1), (1,)]
    qrels = {
        str(k): {doc: rng.choice(some) for doc in rng.sample(docs, rng.randint(1, 12))}
        for k, some in enumerate(rng.choices(grades, k=40))
    }
    run = {topic: {doc: float(rng.randint(0, 9)) for doc in rng.sample(docs, rng.randint(1, 12))} for topic in qrels}
    names = {"AP": "map", "nDCG": "ndcg", "nDCG@5": "ndcg_cut_5", "P@5": "P_5", "Bpref": "bpref", "infAP": "infAP"}
    found = score({"one": run}, qrels, [*names, "Bpref(rel=2)"])
    for topic, judged in qrels.items():
        wanted = dict.fromkeys([*names.values(), "bpref2"], 0)
        if max(judged.values()) >= 0:
            for level, some in ((1, names.values()), (2, ["bpref"])):
                if max(judged.values()) >= level - 1:
                    evaluator = pytrec_eval.RelevanceEvaluator({"1": judged}, set(some), relevance_level=level)
                    values = evaluator.evaluate({"1": run[topic]})["1"]
                    wanted |= values if level == 1 else {"bpref2": values["bpref"]}
        for name, other in {**names, "Bpref(rel=2)": "bpref2"}.items():
            assert found.loc[topic, (name, "one")] == pytest.approx(wanted[other], abs=1e-12), (topic, name)


def test_gains():
    spam = nDCG(gains={0: -2, 1: -2, 2: -2, -2: -5})
    found = score({"one": RUN}, QRELS, [spam, nDCG(gains={1: 5, -2: 1}), "nDCG"])
    assert found.iloc[0, 0] == 0
    # a, which is spam, has a gain of 1, and b one of 5.
    wanted = (5 + 1 / log2(3) + 2 / log2(5)) / (5 + 2 / log2(3) + 1 / log2(4))
    assert found.iloc[0, 1] == pytest.approx(wanted)
    assert found.iloc[0, 2] == pytest.approx(score({"one": RUN}, QRELS, "nDCG").iloc[0, 0])


def test_measures_do_not_change_each_other():
    """In one call, ir_measures counts judged documents only for NumRet, and gives nDCG the gains of another measure."""
    run = {"one": {"401": {**RUN["401"], "x": 9.0}}}
    names = [
        "AP(judged_only=True)",
        "NumRet",
        "nDCG(gains={1: 5})@5",
        "nDCG@5",
        "P@5",
        "NumQ",
        "AP(rel=2)",
        "Bpref(rel=2)",
    ]
    together = score(run, QRELS, names)
    for name in names:
        assert together[name].equals(score(run, QRELS, name)), name
    assert together["NumRet"].iloc[0, 0] == 5


# Ids


@pytest.mark.parametrize(
    ("doc", "message"),
    [("a\0b", "has a document id with a NUL character for topic '401'"), ("\ud800", "no valid text for topic '401'")],
)
@pytest.mark.parametrize("in_process", [False, True])
def test_ids_that_code_in_c_cannot_take(doc, message, in_process):
    with pytest.raises(ValueError, match=f"^the run of one .*{message}"):
        score({"one": {"401": {doc: 1.0, "b": 2}}}, QRELS, "AP", in_process=in_process)
    with pytest.raises(ValueError, match=f"^'qrels' .*{message}"):
        score({"one": RUN}, {"401": {"b": 1, doc: 1}}, "AP", in_process=in_process)


@pytest.mark.parametrize("topic", ["no query", "no_query", "", "a\0b", "a b"])
def test_names_of_topics_are_not_passed_on(topic):
    assert score({"one": {topic: RUN["401"]}}, {topic: QRELS["401"]}, "AP").iloc[0, 0] == 0.75


def test_a_topic_that_is_no_text():
    with pytest.raises(ValueError, match="^'qrels' has a topic that is no valid text"):
        score({"one": {"\ud800": RUN["401"]}}, {"\ud800": QRELS["401"]}, "AP")


@pytest.mark.parametrize("other", [("a 1", "b 2"), ("a x", "b y"), ("", "b"), ("a\nb", "d0"), ("u0", "d0")])
def test_ids_do_not_matter_to_other_code_than_that_of_trec_eval(other):
    """gdeval reads lines of fields with blanks between them."""
    names = ["nDCG(dcg='exp-log2')@10", "ERR@5", "Judged@2", "RR@2", "Compat"]
    wanted, found = (
        score({"one": {"1": {one: 1.0, two: 2.0, "x": 0.5}}}, {"1": {two: 0, one: 2}}, names)
        for one, two in (("a", "b"), other)
    )
    assert found.equals(wanted)


def test_odd_ids():
    for doc in ("", " ", "a b", "\n", "\u00e9", "\U0001f600", "d" * 100_000):
        assert score({"one": {"401": {doc: 1.0}}}, {"401": {doc: 1}}, "AP").iloc[0, 0] == 1
    with pytest.raises(ValueError, match="^the score of document 'a' for topic '401' in 'run of one' is not finite"):
        score({"one": {"401": {"a": 10**400}}}, QRELS, "AP")


# The process


@pytest.fixture
def crash(tmp_path, monkeypatch):
    """A function that replaces pytrec_eval in the other process, with a body for its `evaluate`."""

    def replace(body):
        (tmp_path / "pytrec_eval.py").write_text(
            "import os, sys\n__version__ = '1'\nclass RelevanceEvaluator:\n    def __init__(self, *a, **k): pass\n"
            f"    def evaluate(self, run):\n        {body}\n"
        )
        monkeypatch.syspath_prepend(tmp_path)
        stop_idle()

    return replace


def test_a_crash_of_a_library_is_an_error(crash):
    crash("os.abort()")
    with pytest.raises(CrashError, match=r"that computes AP, nDCG ended its process with .*6.* for the run of one$"):
        score({"one": RUN, "two": RUN}, QRELS, ["AP", "nDCG"])
    # The next call has a new process.
    crash("print('it is full', file=sys.stderr); os._exit(3)")
    with pytest.raises(CrashError, match=r"ended its process with status 3 for the run of one: it is full$"):
        score({"one": RUN}, QRELS, "AP")
    crash("return {topic: {'map': 0.25} for topic in run}")
    assert score({"one": RUN}, QRELS, "AP").iloc[0, 0] == 0.25


def test_the_run_at_which_the_library_crashed_is_named(crash):
    crash("return {t: {'map': 1.0} for t in run} if len(run['1']) == 4 else os.abort()")
    with pytest.raises(CrashError, match=r"for the run of three"):
        score({"one": RUN, "two": RUN, "three": {"401": {"a": 1}}, "four": RUN}, QRELS, "AP")


def test_a_crash_in_a_command(crash, tmp_path, capsys):
    for name in ("one", "two"):
        (tmp_path / f"{name}.run").write_text(f"401 Q0 a 1 1.0 {name}\n402 Q0 a 1 1.0 {name}\n")
    (tmp_path / "qrels.txt").write_text("401 0 a 1\n402 0 a 1\n")
    crash("os.abort()")
    assert main(["table", str(tmp_path / "*.run"), "--qrels", str(tmp_path / "qrels.txt"), "-m", "AP", "-m", "RR"]) == 2
    assert "ended its process" in capsys.readouterr().err


def test_what_a_library_prints_is_no_answer(crash, capsys):
    crash("print('hello'); os.write(1, b'there'); return {topic: {'map': 0.5} for topic in run}")
    assert score({"one": RUN}, QRELS, "AP").iloc[0, 0] == 0.5
    assert "there" in capsys.readouterr().err


def test_the_process_is_kept_and_left_alone_after_an_error(crash):
    assert score({"one": RUN}, QRELS, "AP").iloc[0, 0] == 0.75
    (first,) = Worker.idle
    score({"one": RUN}, QRELS, "RR")
    assert Worker.idle == [first]
    with pytest.raises(ValueError, match="no topic of the run of two"):
        score({"one": RUN, "two": {"9": {"a": 1.0}}}, QRELS, "AP")
    assert not Worker.idle
    assert first.process.poll() is not None
    score({"one": RUN}, QRELS, "RR")
    Worker.idle[0].process.kill()
    Worker.idle[0].process.wait()
    assert score({"one": RUN}, QRELS, "RR").iloc[0, 0] == 1


def test_an_interrupt_ends_the_process(monkeypatch):
    started = []
    make = Worker.__init__

    def note(self):
        make(self)
        started.append(self)

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(Worker, "__init__", note)
    monkeypatch.setattr(Worker, "receive", interrupt)
    with pytest.raises(KeyboardInterrupt):
        score({"one": RUN, "two": RUN}, QRELS, "AP")
    assert started[0].process.poll() is not None


def test_many_scores_do_not_block_the_pipes():
    """Answers that are larger than a pipe holds, while the next run is larger too."""
    topics = [str(k) for k in range(1500)]
    qrels = {topic: {f"d{k}": k % 2 for k in range(5)} for topic in topics}
    runs = {
        name: {topic: {f"{'d' * 9}{k}": float(k) for k in range(20)} | {"d1": 0.5} for topic in topics}
        for name in ("one", "two", "three")
    }
    names = ["AP", *(f"P@{k}" for k in range(1, 9))]
    assert score(runs, qrels, names).equals(score(runs, qrels, names, in_process=True))


def test_where_no_process_can_be_started(monkeypatch):
    wanted = score({"one": RUN}, QRELS, MEASURES)

    def no_process(*arguments, **options):
        raise OSError("no processes here")

    stop_idle()
    monkeypatch.setattr(evaluation.subprocess, "Popen", no_process)
    assert score({"one": RUN}, QRELS, MEASURES).equals(wanted)
    monkeypatch.setattr(sys, "executable", None)
    assert score({"one": RUN}, QRELS, MEASURES).equals(wanted)


def test_a_measure_of_ones_own():
    ranked = ir_measures.define_byquery(lambda qrels, run: float(len(run)), name="Length", support_cutoff=False)
    found = score({"one": RUN}, QRELS, [ranked, "AP", "Judged@4"])
    assert found.iloc[0].tolist() == [4, 0.75, 1]
    assert list(found.columns.unique("measure")) == ["Length", "AP", "Judged@4"]


def test_a_measure_of_ones_own_that_fails():
    def fail(qrels, run):
        raise RuntimeError("no score")

    own = ir_measures.define_byquery(fail, name="Own", support_cutoff=False)
    with pytest.raises(ValueError, match="^ir_measures failed to compute Own for the run of one: no score"):
        score({"one": RUN}, QRELS, [own, "AP"])
    assert not Worker.idle


@pytest.mark.parametrize("in_process", [False, True])
def test_errors_are_the_same_in_both_processes(in_process):
    with pytest.raises(ValueError, match="^ir_measures cannot compute ERR with the packages"):
        score({"one": RUN}, QRELS, ["AP", "ERR"], in_process=in_process)
    with pytest.raises(ValueError, match="^ir_measures failed to compute NERR8|cannot compute NERR8"):
        score({"one": RUN}, QRELS, ["AP", "NERR8(max_rel=3)@10"], in_process=in_process)


def test_the_process_ends_with_the_one_that_started_it():
    code = (
        "from ircor.trec import score; from ircor.scoring._evaluation import Worker\n"
        "score({'one': {'1': {'a': 1}}}, {'1': {'a': 1}}, 'AP'); print(Worker.idle[0].process.pid)"
    )
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert not ended.stderr
    if os.name == "posix":
        with pytest.raises(ProcessLookupError):
            os.kill(int(ended.stdout), 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_a_process_of_its_own():
    code = (
        "import os, sys; from ircor.trec import score; from ircor.scoring._evaluation import Worker\n"
        "value = lambda: score({'one': {'1': {'a': 1}}}, {'1': {'a': 1}}, 'AP').iloc[0, 0]\n"
        "value(); first = Worker.idle[0].process.pid\n"
        "if (child := os.fork()) == 0:\n"
        "    sys.exit(0 if value() == 1 and Worker.idle[0].process.pid != first else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert value() == 1 and Worker.idle[0].process.pid == first\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_measures_of_ir_measures_in_both_processes():
    names = [AP, nDCG(gains={1: 3}) @ 10, nDCG(dcg="exp-log2") @ 10, "RR@3", "Compat"]
    runs = {"one": RUN, "two": {"401": {"e": 2.0, "q": 1.0}}}
    assert score(runs, QRELS, names).equals(score(runs, QRELS, names, in_process=True))


def test_the_least_relevant_grade_of_bpref_is_relevant():
    """By hand: one relevant document; a document judged as not relevant is before it, or not; one is not judged."""
    qrels = {"1": {"good": 2, "bad": 0, "fair": 1, "unknown": -1}}
    first, second, last = ["good", "bad", "fair"], ["unknown", "good", "bad"], ["fair", "unknown", "good"]
    runs = {
        name: {"1": {doc: 3.0 - rank for rank, doc in enumerate(order)}}
        for name, order in (("first", first), ("second", second), ("last", last))
    }
    assert score(runs, qrels, "Bpref(rel=2)").loc["1"].to_dict() == {"first": 1, "second": 1, "last": 0}
    library = pytrec_eval.RelevanceEvaluator(qrels, {"bpref"}, relevance_level=2)
    assert {name: library.evaluate(run)["1"]["bpref"] for name, run in runs.items()} == {
        "first": 1,
        "second": 1,
        "last": 0,
    }
