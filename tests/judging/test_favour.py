"""The numbers behind `bias`, against SciPy and plain loops, and the error rate of its flags."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from scipy import stats

from ircor.judging._bias import Cells, favours, first_documents, mean_without_nan, t_interval
from ircor.statistics._significance import holm

SCRIPTS = Path(__file__).parents[2] / "scripts"


def random_cells(topics=12, systems=5, seed=1):
    gain = np.random.default_rng(seed).standard_normal((topics, systems))
    gain[:, 0] += 2
    return Cells(gain, gain, gain, -gain, 1, ({0, 1}, {0, 1}))


def test_documents_are_ranked_as_trec_eval_ranks_them():
    rng = np.random.default_rng(3)
    for _ in range(20):
        scores = {f"d{k}": float(rng.integers(0, 4)) for k in rng.permutation(12)}
        first = first_documents(scores, 5)
        # Precision at 5 is 1 for the first five documents, and for no others.
        qrels = {"1": {doc: int(doc in first) for doc in scores}}
        found = pytrec_eval.RelevanceEvaluator(qrels, {"P.5"}).evaluate({"1": scores})
        assert found["1"]["P_5"] == 1
        for k in range(1, 6):
            qrels = {"1": {doc: int(doc == first[k - 1]) for doc in scores}}
            found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate({"1": scores})
            assert found["1"]["recip_rank"] == pytest.approx(1 / k)
    assert first_documents({"a": 1.0, "b": 2.0}, 5) == ["b", "a"]


def test_favours_are_t_tests_of_what_each_system_gains_over_the_mean():
    cells = random_cells()
    centred = cells.gain - cells.gain.mean(axis=1, keepdims=True)
    expected = stats.ttest_1samp(centred, 0)
    limits = expected.confidence_interval(1 - 0.05 / 5)
    found = np.array(favours(cells, 0.95))
    np.testing.assert_allclose(found[:, 0], centred.mean(axis=0))
    np.testing.assert_allclose(found[:, 1], limits.low)
    np.testing.assert_allclose(found[:, 2], limits.high)
    np.testing.assert_allclose(found[:, 3], -found[:, 0])
    np.testing.assert_allclose(found[:, 4], holm(expected.pvalue))


def test_a_system_is_flagged_in_both_directions_or_not_at_all():
    cells = random_cells()
    reverse = -cells.gain + np.random.default_rng(2).standard_normal(cells.gain.shape)
    one, other = (stats.ttest_1samp(x - x.mean(axis=1, keepdims=True), 0) for x in (cells.gain, reverse))
    opposite = one.statistic * other.statistic < 0
    assert 0 < opposite.sum() < 5
    expected = holm(np.where(opposite, np.maximum(one.pvalue, other.pvalue), 1))
    found = favours(cells._replace(reverse=reverse), 0.95)
    np.testing.assert_allclose([row.pvalue for row in found], expected)
    alike = favours(cells._replace(reverse=cells.gain), 0.95)
    assert [row.pvalue for row in alike] == [1] * 5


def test_missing_topics_are_left_out_for_the_system():
    cells = random_cells()
    gain = cells.gain.copy()
    gain[2:, 1] = np.nan  # two topics
    gain[9:, 2] = np.nan
    gain[5, 1:] = np.nan  # a topic of one system
    found = favours(cells._replace(gain=gain, reverse=-gain), 0.95)
    used = np.delete(gain, 5, axis=0)
    centred = used - np.nanmean(used, axis=1, keepdims=True)
    assert np.isnan(found[1]).all()
    expected = stats.ttest_1samp(centred[:, 2][~np.isnan(centred[:, 2])], 0)
    low, high = expected.confidence_interval(1 - 0.05 / 4)  # four systems are tested
    assert found[2][:3] == pytest.approx((np.nanmean(centred[:, 2]), low, high))
    assert found[0][0] == pytest.approx(centred[:, 0].mean())


def test_three_topics_are_enough_and_two_are_not():
    assert not np.isnan(favours(random_cells(3), 0.95)).any()
    assert np.isnan(favours(random_cells(2), 0.95)).all()


def test_no_difference_at_all_is_p_1_and_a_constant_one_is_significant():
    gain = np.full((6, 2), 0.1)
    gain[:, 1] *= 1 + 1e-15
    cells = random_cells()._replace(gain=gain, reverse=gain)
    assert favours(cells, 0.95) == [(0, 0, 0, 0, 1)] * 2
    constant = np.array([[0.5, 0.1]] * 6)
    first, second = favours(cells._replace(gain=constant, reverse=-constant), 0.95)
    assert (first[0], second[0]) == (pytest.approx(0.2), pytest.approx(-0.2))
    assert first[1:] == (first[0], first[0], -first[0], 0)
    assert second[1:] == (second[0], second[0], -second[0], 0)


def test_a_judge_of_one_grade_favours_nobody_measurably():
    for grades in (({0, 1}, {2}), ({2}, {0, 1})):
        assert np.isnan(favours(random_cells()._replace(grades=grades), 0.95)).all()


def test_t_interval_as_in_scipy():
    x = np.random.default_rng(2).standard_normal(9)
    low, high = stats.ttest_1samp(x, 0).confidence_interval(0.9)
    assert t_interval(x, 0.9) == pytest.approx((x.mean(), low, high))
    assert np.isnan(t_interval(x[:2], 0.9)).tolist() == [False, True, True]
    assert np.isnan(t_interval(x[:0], 0.9)).all()


def test_means_of_what_is_there():
    x = np.array([[1, np.nan, 3], [np.nan, np.nan, np.nan]])
    np.testing.assert_array_equal(mean_without_nan(x, axis=1), [2, np.nan])


def test_cells_by_their_definition():
    rng = np.random.default_rng(5)
    topics, documents = range(4), range(12)
    truth, judge = ({t: {d: int(rng.integers(0, 3)) for d in documents} for t in topics} for _ in range(2))
    del truth[1][3], judge[2][7]
    runs = [{t: rng.permutation(12)[:5].tolist() for t in topics} for _ in range(3)]
    del runs[2][3]
    found = Cells.of(runs, truth, judge, list(topics))
    judged = 0
    for t in topics:
        kept = [[d for d in run.get(t, []) if d in truth[t] and d in judge[t]] for run in runs]
        union = set().union(*kept)
        judged += sum(map(len, kept))
        for s, docs in enumerate(kept):
            if not docs:
                assert np.isnan(found.truth[t, s])
                continue
            alike = [np.mean([judge[t][e] for e in union if truth[t][e] == truth[t][d]]) for d in docs]
            assert found.truth[t, s] == pytest.approx(np.mean([truth[t][d] for d in docs]))
            assert found.judge[t, s] == pytest.approx(np.mean([judge[t][d] for d in docs]))
            assert found.gain[t, s] == pytest.approx(np.mean([judge[t][d] for d in docs]) - np.mean(alike))
            alike = [np.mean([truth[t][e] for e in union if judge[t][e] == judge[t][d]]) for d in docs]
            assert found.reverse[t, s] == pytest.approx(np.mean([truth[t][d] for d in docs]) - np.mean(alike))
    assert found.judged == judged


# The error rate: a small part of scripts/judges_study.py


@pytest.fixture(scope="module")
def study():
    sys.path.insert(0, str(SCRIPTS))
    try:
        yield importlib.import_module("judges_study")
    finally:
        sys.path.remove(str(SCRIPTS))
        sys.modules.pop("judges_study", None)


def test_a_judge_that_errs_without_looking_at_systems_is_seldom_said_to_favour_one(study):
    samples = 40
    found = study.flags(study.Setting(25, 2, "random"), samples)
    # A band that a rate of 5 % leaves once in a thousand times.
    assert found["any"] * samples <= stats.binom.isf(0.001, samples, 0.05)
    # The plain differences of the mean grades would nearly always flag the best and the worst systems.
    assert found["any_by_difference"] > 0.5


def test_a_favoured_family_is_found_and_no_other(study):
    found = study.flags(study.Setting(50, 2, "random", 0.4), 6)
    assert found["family"] > 0.4
    assert found["other_favoured"] < 0.5
    assert found["size"] > 0.05


@pytest.mark.parametrize(("grades", "errors"), [(2, "finer"), (4, "people"), (2, "near the limit")])
def test_errors_and_grades_of_the_truth_are_no_favour(study, grades, errors):
    """Tested in one direction, good systems seem favoured."""
    found = study.flags(study.Setting(25, grades, errors), 20)
    assert found["any_one_way"] > 0.5
    assert found["any"] <= stats.binom.ppf(0.999, 20, 0.05) / 20


def test_the_intervals_of_kappa_hold(study):
    samples = 40
    found = study.kappa_coverage(study.Labels(25, 4, (30, 60), 0.3, 0.1), samples)
    least = stats.binom.ppf(0.001, samples, 0.95)
    assert min(found["kappa"], found["kappa_quadratic"]) * samples >= least


def test_the_tables_of_the_page_are_of_these_settings(study):
    for file, settings in (("judges-bias.csv", study.settings()), ("judges-kappa.csv", study.label_settings())):
        lines = (study.DOCS / file).read_text(encoding="utf-8").splitlines()
        assert len(lines) == 1 + len(list(settings))


def test_the_study_writes_its_tables(study, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(study, "settings", lambda: [study.Setting(3, 2, "look"), study.Setting(3, 2, "random", 0.4)])
    monkeypatch.setattr(study, "label_settings", lambda: [study.Labels(5, 2, (9, 9), 0.3, 0.1)])
    monkeypatch.setattr(sys, "argv", ["judges_study.py", "--samples", "4", "--folder", str(tmp_path)])
    study.main()
    assert capsys.readouterr().out.startswith("| topics | grades | errors | raised |")
    assert len((tmp_path / "judges-bias.csv").read_text().splitlines()) == 3
    assert len((tmp_path / "judges-kappa.csv").read_text().splitlines()) == 2
