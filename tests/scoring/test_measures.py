"""Names of measures and topics."""

import ir_measures
import pytest
import pytrec_eval

from ircor._core.names import is_average, is_topic
from ircor.scoring._measures import is_measure, nearest_measures, no_such_measure


def test_measures_of_trec_eval_and_ir_measures_are_known():
    for name in [*pytrec_eval.supported_measures, *ir_measures.measures.registry]:
        assert is_measure(name) or name in ("P", "G", "R")
        assert is_measure(f"{name}@10")
        assert is_measure(f"{name}_10")
    for name in ("iprec_at_recall_0.10", "Rprec_mult_1.20", "set_F", "nDCG(dcg='exp-log2')@10", "RBP(rel=1,p=0.8)"):
        assert is_measure(name)
        assert not is_topic(name)


@pytest.mark.parametrize(
    "name", ["BM25", "bm25.tuned", "run1", "A1", "F1", "P", "R", "G", "401", "q7", "uogTrBaseL", "maps", "mapper_2", ""]
)
def test_names_of_systems_and_topics_are_not_measures(name):
    assert not is_measure(name)


def test_names_of_topics():
    for name in ("401", "0", "q7", "Q-7", "query_12", "topic7", "31_2", "31.2", "132-1_3"):
        assert is_topic(name)
    for name in ("", "bm25", "run1", "A1", "map", "P_10", "1a", "q", "401x", "T5"):
        assert not is_topic(name)


def test_names_of_averages():
    assert all(map(is_average, ("all", "ALL", "Mean:", "avg", "Grand Total", "macro_avg", "All topics", "Std.")))
    assert not any(map(is_average, ("allan", "401", "", "sum-bm25", "max")))


@pytest.mark.parametrize(
    ("name", "names", "nearest"),
    [
        ("ap", ["map", "P_10"], ["map"]),
        ("MAP", ["AP", "P@10"], ["AP"]),
        ("nDCG@10", ["ndcg", "ndcg_cut_10", "ndcg_cut_5"], ["ndcg_cut_10"]),
        ("ndcg_cut_10", ["nDCG@10", "nDCG@5"], ["nDCG@10"]),
        ("P@10", ["P_10", "P_100"], ["P_10"]),
        ("mrr", ["recip_rank", "map"], ["recip_rank"]),
        ("Recall@100", ["recall_100", "recall_10"], ["recall_100"]),
        ("recal_10", ["recall_10", "map"], ["recall_10"]),
        ("bpref", ["map", "P_10"], []),
    ],
)
def test_the_measure_that_was_meant(name, names, nearest):
    assert nearest_measures(name, names)[: len(nearest) or None] == nearest


def test_the_message_names_the_nearest_and_all():
    words = "there are no values of the measure 'ap' in a.csv; did you mean 'map'? The measures are map, P_10"
    assert str(no_such_measure("ap", ["map", "P_10"], "a.csv")) == words
    assert (
        str(no_such_measure("x", ["map", "P_10"]))
        == "there are no values of the measure 'x'. The measures are map, P_10"
    )
