"""Runs and judgments as PyTerrier, ranx, ir_measures and ir_datasets have them."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import pytrec_eval
from organizations import OPTIONS

from ircor.organization import evaluate_runs
from ircor.scoring._documents import by_topic, in_trec_eval_order

RUN = {"1": {"d1": 9.5, "d7": 8.0, "d2": 7.5}, "2": {"d5": 3.0, "d4": 3.0}}
QRELS = {"1": {"d1": 1, "d2": 2, "d7": 0}, "2": {"d5": 1, "d6": 2}, "3": {"d8": 1}}
RUN_ROWS = [(topic, doc, score) for topic, docs in RUN.items() for doc, score in docs.items()]
QRELS_ROWS = [(topic, doc, grade) for topic, docs in QRELS.items() for doc, grade in docs.items()]


def frames(run, qrels):
    return pd.DataFrame(RUN_ROWS, columns=run), pd.DataFrame(QRELS_ROWS, columns=qrels)


PAIRS = {
    "ircor.trec": frames(["topic", "doc", "score"], ["topic", "doc", "relevance"]),
    "ir_measures": frames(["query_id", "doc_id", "score"], ["query_id", "doc_id", "relevance"]),
    "PyTerrier": frames(["qid", "docno", "score"], ["qid", "docno", "label"]),
    "capitals": frames(["QID", "DocNo", "Score"], ["Query ID", "Doc ID", "Relevance"]),
}


@pytest.mark.parametrize("tool", PAIRS)
@pytest.mark.parametrize("make", [lambda frame: frame, pl.from_pandas, pa.Table.from_pandas])
def test_tables_by_the_names_of_their_columns(tool, make):
    run, qrels = map(make, PAIRS[tool])
    assert by_topic(run, "run") == RUN
    assert by_topic(qrels, "qrels") == QRELS
    assert evaluate_runs(run, qrels, **OPTIONS) == evaluate_runs(RUN, QRELS, **OPTIONS)


def test_result_frames_of_pyterrier():
    # The columns of a BatchRetrieve's results, with the internal numbers of documents and the text of the queries.
    run, qrels = PAIRS["PyTerrier"]
    run = run.assign(docid=range(len(run)), rank=0, query="the same text")
    assert by_topic(run, "run") == RUN
    assert by_topic(run.assign(name="BM25"), "run") == RUN
    assert evaluate_runs(run, qrels, **OPTIONS) == evaluate_runs(RUN, QRELS, **OPTIONS)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"topic": "5"}, "^the topics of 'run' may be in the column 'qid' or 'topic': keep one of them$"),
        ({"doc_id": "x"}, "^the documents of 'run' may be in the column 'docno' or 'doc_id': keep one of them$"),
        ({"sim": 1.0}, "^the scores of 'run' may be in the column 'score' or 'sim': keep one of them$"),
        ({"runid": list("aabbb")}, "^'run' has several runs in the column 'runid': 'a', 'b'$"),
        ({"name": list("abcde")}, "^'run' has several runs in the column 'name': 'a', 'b', 'c' and 2 more$"),
    ],
)
def test_two_readings_are_refused(more, words):
    with pytest.raises(ValueError, match=words):
        by_topic(PAIRS["PyTerrier"][0].assign(**more), "run")


def test_judgments_with_two_readings_are_refused():
    qrels = PAIRS["PyTerrier"][1]
    with pytest.raises(ValueError, match="^the relevance of 'qrels' may be in the column 'label' or 'relevance'"):
        by_topic(qrels.assign(relevance=1), "qrels")
    # The assessors of judgments are no runs.
    assert by_topic(qrels.assign(name=range(len(qrels))), "qrels") == QRELS


def test_a_table_without_its_columns_is_refused():
    run, qrels = PAIRS["PyTerrier"]
    with pytest.raises(ValueError, match="'run' has no column of scores: score; it has 'qid', 'docno', 'label'"):
        by_topic(qrels, "run")
    with pytest.raises(ValueError, match="'qrels' has no column of relevance: relevance or label"):
        by_topic(run, "qrels")
    with pytest.raises(ValueError, match="'run' has no column of documents: doc, docno or doc_id"):
        by_topic(run.drop(columns="docno"), "run")


def test_records_of_ir_measures():
    import ir_measures

    run = [ir_measures.ScoredDoc(*row) for row in RUN_ROWS]
    qrels = [ir_measures.Qrel(*row) for row in QRELS_ROWS]
    expected = evaluate_runs(RUN, QRELS, **OPTIONS)
    for make in (list, tuple, iter, lambda rows: (row for row in rows)):
        assert evaluate_runs(make(run), make(qrels), **OPTIONS) == expected
    assert by_topic([], "run") == {}
    with pytest.raises(ValueError, match="'run' has document 'd1' twice for topic '1'"):
        by_topic([*run, run[0]], "run")
    with pytest.raises(ValueError, match="'run' has no column of scores: score; it has 'query_id', 'doc_id', 'rel"):
        by_topic(qrels, "run")


def test_files_read_by_ir_measures(tmp_path):
    import ir_measures

    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("".join(f"{topic} Q0 {doc} 1 {score} me\n" for topic, doc, score in RUN_ROWS))
    qrels.write_text("".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in QRELS_ROWS))
    read = ir_measures.read_trec_run(str(run)), ir_measures.read_trec_qrels(str(qrels))
    assert evaluate_runs(*read, **OPTIONS) == evaluate_runs(run, qrels, **OPTIONS)


class Judged(NamedTuple):
    """As ir_datasets has judgments: other fields may follow."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


def test_named_tuples_of_several_types():
    class Other(NamedTuple):
        doc_id: str
        query_id: str
        relevance: int

    rows = [Judged("1", "d1", 2), Other("d2", "1", 1)]
    assert by_topic(rows, "qrels") == {"1": {"d1": 2, "d2": 1}}


@pytest.mark.parametrize("source", [[("1", "d1", 2.0)], [1, 2], ["1"], 3, None, b"run", {"1"}])
def test_what_is_no_run(source):
    with pytest.raises(TypeError, match="'run' must be a path, a mapping, a table or an iterable of named tuples"):
        by_topic(source, "run")


class RanxDouble:
    """What Run and Qrels of ranx 0.3.21 have: the numbers in an attribute, and as a dictionary of dictionaries."""

    def __init__(self, name, numbers):
        setattr(self, name, numbers)
        self.to_typed_list = None

    def to_dict(self):
        return vars(self).get("run") or vars(self).get("qrels")

    def keys(self):
        return self.to_dict().keys()


def ranx_objects():
    try:
        from ranx import Qrels, Run
    except ImportError:
        return RanxDouble("run", RUN), RanxDouble("qrels", QRELS)
    return Run(RUN), Qrels(QRELS)


def test_objects_of_ranx():
    run, qrels = ranx_objects()
    assert evaluate_runs(run, qrels, **OPTIONS) == evaluate_runs(RUN, QRELS, **OPTIONS)
    with pytest.raises(TypeError, match="'run' must be a Run of ranx, not a"):
        evaluate_runs(qrels, qrels, **OPTIONS)
    with pytest.raises(TypeError, match="'qrels' must be a Qrels of ranx, not a"):
        evaluate_runs(run, run, **OPTIONS)


def test_the_order_of_trec_eval():
    """The rank of each document, from the reciprocal rank if it alone is relevant; scores in single precision."""
    rng = np.random.default_rng(5)
    scores = 0.5 + rng.integers(0, 6, 30) * 10.0 ** rng.choice([-3, -8, -9], 30)
    run = {f"d{k}": float(score) for k, score in zip(rng.permutation(30), scores)}
    run |= {"huge": 1e300, "larger": 2e300, "tiny": 1e-300, "zero": 0.0, "below": -1e300}
    ranks = {}
    for doc in run:
        found = pytrec_eval.RelevanceEvaluator({"1": {doc: 1}}, {"recip_rank"}).evaluate({"1": run})
        ranks[doc] = round(1 / found["1"]["recip_rank"])
    assert in_trec_eval_order(run) == sorted(run, key=ranks.get)
    assert in_trec_eval_order({}) == []
