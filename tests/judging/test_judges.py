"""Judges against the truth: each number by another way, and what is refused."""

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, rankdata, ttest_rel

import ircor
from ircor.data._sample import write_sample
from ircor.judging import judges
from ircor.rank_distance import drank_test
from ircor.show.tables import plain
from ircor.trec import score

MEASURES = ["nDCG@10", "AP"]
OPTIONS = {"resamples": 200, "seed": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


@pytest.fixture(scope="module")
def files(folder):
    return folder / "runs", folder / "qrels.txt", [folder / "judges/noisy.qrels", folder / "judges/partial.qrels"]


@pytest.fixture(scope="module")
def found(files):
    return judges(*files, MEASURES, top=10, test="t", **OPTIONS)


@pytest.fixture(scope="module")
def scores(files):
    runs, truth, others = files
    return {name: score(runs, path, MEASURES) for name, path in zip(("truth", "noisy", "partial"), (truth, *others))}


def each(scores):
    return [(judge, m, scores["truth"][m], scores[judge][m]) for judge in ("noisy", "partial") for m in MEASURES]


def test_coefficients_are_those_of_the_means(found, scores):
    table = found.coefficients.set_index(["judge", "measure", "coefficient"])
    assert len(table) == 16
    for judge, measure, truth, other in each(scores):
        whole, top = table[table["top"].isna()], table[table["top"] == 10]
        x, y = truth.mean(), other.mean()
        assert whole.loc[(judge, measure, "tau_b"), "value"] == pytest.approx(kendalltau(x, y)[0], abs=1e-12)
        assert whole.loc[(judge, measure, "tauAP_b"), "value"] == pytest.approx(ircor.tauAP_b(x, y), abs=1e-12)
        best = x.nlargest(10).index
        assert top.loc[(judge, measure, "tau_b"), "value"] == pytest.approx(kendalltau(x[best], y[best])[0], abs=1e-12)
    assert ((table["low"] < table["value"]) & (table["value"] < table["high"])).all()


def test_one_judge_has_the_interval_of_bootstrap(scores, files):
    runs, truth, (noisy, _) = files
    found = judges(runs, truth, noisy, "AP", methods=["tau_b"], **OPTIONS).coefficients.iloc[0]
    known = ircor.bootstrap(scores["truth"]["AP"], scores["noisy"]["AP"], "tau_b", resamples=200, seed=1)
    assert (found["low"], found["high"]) == (known.low, known.high)


def test_two_judges_have_the_intervals_of_bootstrap(found, scores):
    pair = scores["noisy"]["AP"], scores["partial"]["AP"]
    known = ircor.bootstrap(scores["truth"]["AP"], pair, "tau_b", resamples=200, seed=1)
    rows = judges(
        None,
        scores["truth"],
        {"noisy": scores["noisy"], "partial": scores["partial"]},
        "AP",
        methods="tau_b",
        **OPTIONS,
    )
    (row,) = rows.differences.to_dict("records")
    assert (row["judge"], row["other"]) == ("noisy", "partial")
    assert row["difference"] == pytest.approx(known.statistic, abs=1e-12)
    assert (row["low"], row["high"]) == pytest.approx((known.low, known.high), abs=1e-12)


def test_the_rank_distance_and_its_test(found, scores):
    rows = found.tests.set_index(["judge", "measure"])
    for judge, measure, truth, other in each(scores):
        known = drank_test(truth, other, null="two-sample", resamples=99, seed=1)
        row = rows.loc[(judge, measure)]
        assert (row["d_rank"], row["pvalue"]) == (known.statistic, known.pvalue)


def test_drops_moves_and_overlap(found, scores):
    rows = found.tests.set_index(["judge", "measure"])
    for judge, measure, truth, other in each(scores):
        x, y = truth.mean(), other.mean()
        gained = pd.Series(rankdata(-x) - rankdata(-y), index=x.index)
        row = rows.loc[(judge, measure)]
        assert row["drop"] == -gained.min()
        assert set(row["drop_system"].split(", ")) == set(gained.index[gained == gained.min()])
        assert abs(row["move"]) == gained.abs().max()
        assert set(row["move_system"].split(", ")) == set(gained.index[gained == row["move"]])
        assert row["overlap"] == len(set(x.nlargest(10).index) & set(y.nlargest(10).index)) / 10
    systems = found.systems
    assert len(systems) == 2 * 2 * 30
    one = systems[(systems["judge"] == "noisy") & (systems["measure"] == "AP")].set_index("system")
    assert one["mean_judge"].to_dict() == pytest.approx(scores["noisy"]["AP"].mean().to_dict(), abs=1e-12)
    assert list(one["rank_truth"]) == sorted(one["rank_truth"])


def holm_significant(table):
    """The sign of each significant difference, by SciPy's t test and Holm's steps written out."""
    pairs = list(combinations(table.columns, 2))
    one, other = (table[list(side)].to_numpy() for side in zip(*pairs))
    tests = dict(zip(pairs, zip(*ttest_rel(one, other))))
    order = sorted(pairs, key=lambda pair: tests[pair][1])
    signs = dict.fromkeys(pairs, 0)
    for k, pair in enumerate(order):
        statistic, p = tests[pair]
        if p > 0.05 / (len(order) - k):
            break
        signs[pair] = int(np.sign(statistic))
    return signs


def test_significant_pairs_are_those_of_scipy(found, scores):
    rows = found.pairs.set_index(["judge", "measure"])
    for judge, measure, truth, other in each(scores):
        one, two = holm_significant(truth), holm_significant(other)
        means = other.mean()
        true = {pair: sign for pair, sign in one.items() if sign}
        lost = [pair for pair in true if not two[pair]]
        row = rows.loc[(judge, measure)]
        assert row["significant"] == len(true)
        assert row["found"] == sum(two[pair] == sign for pair, sign in true.items())
        assert row["reversed"] == sum(two[pair] == -sign for pair, sign in true.items())
        assert row["missed"] == len(lost)
        opposite = [(a, b) for a, b in lost if np.sign(means[a] - means[b]) == -true[a, b]]
        assert row["missed_opposite"] == len(opposite)
        assert row["extra"] == sum(bool(two[pair]) and not sign for pair, sign in one.items())
        flips = found.flips[(found.flips["judge"] == judge) & (found.flips["measure"] == measure)]
        assert {frozenset(pair) for pair in zip(flips["better"], flips["worse"])} == set(map(frozenset, opposite))
        assert not flips["significant"].any()


def test_the_labels_and_the_favours_are_those_of_each_judge(found, files):
    runs, truth, others = files
    for name, path in zip(("noisy", "partial"), others):
        labels, favour = ircor.judging.agreement(truth, path), ircor.judging.bias(runs, truth, path)
        row = found.labels.set_index("judge").loc[name]
        assert (row["both"], row["kappa"]) == (10_000, labels.coefficients.kappa)
        assert row["kappa_quadratic"] == labels.coefficients.kappa_quadratic
        counts = found.confusion[found.confusion["judge"] == name]["count"]
        assert counts.to_numpy().reshape(3, 3).tolist() == labels.confusion.tolist()
        bias = found.bias[found.bias["judge"] == name].set_index("system")
        assert bias["favour"].to_dict() == {system: one.favour for system, one in favour.systems.items()}
        assert found.favours.set_index("judge").loc[name, "favoured"] == favour.favoured
    assert found.biases["noisy"].favoured == []
    assert sorted(found.biases["partial"].favoured) == ["E1", "E2", "E3"]
    assert len(found.labels_by_topic) == 100


def test_verdicts_follow_from_the_numbers(found):
    tests = found.tests
    for sentence, p in zip(found.findings, tests["pvalue"]):
        assert (" does not rank the systems differently from qrels by more" in sentence) == (p > 0.05)
        assert (" ranks the systems differently from qrels, by more" in sentence) == (p <= 0.05)
    assert found.findings[0].startswith("nDCG@10: noisy ")
    pairs = found.pairs.iloc[3]
    for words in (
        f"Of the {pairs['significant']} pairs of systems that differ significantly under qrels (paired t tests, Holm's",
        f"partial finds {pairs['found']}, misses {pairs['missed']} and reverses {pairs['reversed']}; ",
        f"it finds {pairs['extra']} that qrels does not.",
    ):
        assert words in found.findings[3]
    assert found.verdicts[0].startswith("By nDCG@10 (tau_b 0.903, ")
    assert found.verdicts[0].endswith(
        "), noisy does not rank the systems differently from qrels by more than another sample of 50 topics explains. "
        "noisy favours no system significantly (smallest adjusted p = 1.0000)."
    )
    assert " By AP (tau_b 0.784, " in found.verdicts[1]
    assert found.verdicts[1].endswith(
        "), partial ranks the systems differently from qrels, by more than another sample of 50 topics explains. Among "
        "documents with the same grade in qrels, partial favours E1, E2, E3."
    )


def test_all_of_it_is_in_json(found):
    data = json.loads(json.dumps(plain(found.as_dict()), allow_nan=False))
    for table in (*found.tables(), *found.view.details()):
        assert len(data[table.key]) == len(table.rows)
    assert (data["verdicts"], data["findings"]) == (list(found.verdicts), list(found.findings))
    assert (data["seed"], data["resamples"], data["top"], data["test"]) == (1, 200, 10, "t")
    assert repr(found) == "<JudgesResult: noisy, partial against qrels, by nDCG@10, AP>"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = found.nothing


def test_the_tables_are_those_of_the_data(found):
    data = [ranking for one in found.by_measure for ranking in one.rankings]
    assert [(one.measure, one.judge) for one in data] == [(m, judge) for m in MEASURES for judge in found.judges]
    by_judge = found.tests.set_index(["measure", "judge"])
    for one in data:
        row = by_judge.loc[(one.measure, one.judge)]
        assert (one.verdict.kind == "different") == (row["pvalue"] <= one.verdict.alpha)
        assert (row["drop"], row["overlap"], row["best"]) == (one.moves.drop, one.moves.overlap, found.overlap)
    assert [row.value for one in found.by_measure for row in one.differences] == found.differences[
        "difference"
    ].tolist()
    assert [row.undefined for one in data for row in one.coefficients] == [None] * 16


@pytest.mark.parametrize("test", ["maximum", "randomisation", "tukey"])
def test_other_tests_of_pairs(files, test):
    runs, truth, others = files
    found = judges(runs, truth, others[0], "AP", test=test, **OPTIONS)
    row = found.pairs.iloc[0]
    assert row["found"] + row["missed"] + row["reversed"] == row["significant"] > 100


def test_the_outcome_does_not_depend_on_jobs(files):
    runs, truth, others = files
    one, two = (judges(runs, truth, others, "AP", resamples=600, seed=5, n_jobs=jobs) for jobs in (1, 2))
    assert plain(one.as_dict()) == plain(two.as_dict())


# Judges that say nothing


def test_a_judge_without_distinctions_gets_no_number(files):
    runs, truth, (noisy, _) = files
    grades = {topic: dict.fromkeys(docs, 1) for topic, docs in score_qrels(truth).items()}
    found = judges(runs, truth, {"same": grades, "noisy": noisy}, "P@10", name="people", **OPTIONS)
    table = found.coefficients.set_index(["judge", "coefficient"])
    assert table.loc["same"]["value"].isna().all()
    assert table.loc[("same", "tau_b"), "note"] == "the judge gives all systems the same mean"
    assert found.findings[0] == (
        "P@10: same gives all systems the same score, which is no ranking. There is nothing to compare, and no "
        "coefficient."
    )
    assert found.tests.loc[0, ["d_rank", "drop", "move", "overlap"]].isna().all()
    assert found.pairs["judge"].tolist() == ["noisy"]
    assert found.systems.set_index("judge").loc["same", ["rank_judge", "move"]].isna().all(axis=None)
    alone = judges(runs, truth, {"noisy": noisy}, "P@10", name="people", **OPTIONS).coefficients
    assert table.loc["noisy"]["value"].tolist() == alone["value"].tolist()
    assert table.loc["noisy"]["low"].tolist() == alone["low"].tolist()
    assert found.differences["difference"].isna().all()


def test_a_truth_without_distinctions_gets_no_number(files):
    runs, truth, (noisy, _) = files
    grades = {topic: dict.fromkeys(docs, 1) for topic, docs in score_qrels(truth).items()}
    found = judges(runs, grades, {"noisy": noisy}, "P@10", name="same", **OPTIONS)
    assert found.coefficients["value"].isna().all()
    assert found.pairs.empty
    assert found.systems["move"].isna().all()
    assert "same gives all systems the same score" in found.findings[0]
    assert found.verdicts[0].startswith("By P@10, same gives all systems the same score, which is no ranking.")


def score_qrels(path):
    frame = ircor.trec.read_qrels(path)
    return {topic: dict(zip(part["doc"], part["relevance"])) for topic, part in frame.groupby("topic")}


def test_tau_refuses_ties_with_a_reason(files):
    found = judges(*files[:2], files[2][0], "P@10", methods=["tau", "tau_b"], **OPTIONS)
    tau, tau_b = found.coefficients.to_dict("records")
    assert np.isnan(tau["value"])
    assert tau["note"] == "the truth gives two systems the same mean, and tau is not defined for ties"
    assert "tau is undefined: the truth gives two systems the same mean" in found.findings[0]
    assert tau_b["value"] > 0.8


# Without runs

BOARD = {"a": 0.5, "b": 0.4, "c": 0.3, "d": 0.2}


def test_leaderboards(tmp_path):
    gpt = pd.Series({"d": 1.0, "c": 3.0, "b": 2.0, "a": 4.0, "e": 9.0}, name="GRADE")
    found = judges(None, BOARD, {"gpt": gpt}, top=2)
    assert found.coefficients["value"].tolist() == pytest.approx(
        [2 / 3, ircor.tauAP_b([4, 3, 2, 1], [4, 2, 3, 1]), 1, 1]
    )
    assert found.coefficients["low"].isna().all()
    assert found.pairs.empty
    assert found.labels.empty
    assert found.notes == (
        "truth does not name its measure: taken for GRADE, as in gpt",
        "gpt alone has 1 system: left out (e)",
    )
    assert found.verdicts == (
        "By GRADE, tau_b between truth and gpt is 0.667 over 4 systems. "
        "Without topics, there is no interval and no test.",
    )
    assert found.findings == ()
    row = found.tests.iloc[0]
    assert (row["drop_system"], row["drop"], row["move_system"], row["move"]) == ("b", 1, "c", 1)
    assert (row["overlap"], row["best"]) == (0.5, 2)
    (tmp_path / "people.csv").write_text("system,GRADE\na,0.5\nb,0.4\nc,0.3\nd,0.2\n")
    (tmp_path / "gpt.jsonl").write_text(
        "".join(
            json.dumps({"run_id": system, "topic_id": "all", "measure": "GRADE", "value": value}) + "\n"
            for system, value in gpt.items()
        )
    )
    (tmp_path / "gpt.tot").write_text("".join(f"{system} GRADE all {value}\n" for system, value in gpt.items()))
    for name in ("gpt.jsonl", "gpt.tot"):
        again = judges(None, tmp_path / "people.csv", tmp_path / name, "GRADE", top=2)
        assert again.coefficients["value"].tolist() == found.coefficients["value"].tolist()
        assert again.measures == ("GRADE",)


def test_ties_at_the_top_are_included():
    found = judges(None, BOARD, {"gpt": {"a": 3, "b": 2, "c": 2, "d": 1}}, top=2)
    assert found.tests.iloc[0]["overlap"] == 2 / 3
    tied = judges(None, {"a": 3, "b": 2, "c": 2, "d": 1}, {"gpt": BOARD}, top=2)
    assert tied.coefficients["top"].tolist()[2:] == [3, 3]


def test_scores_by_topic_without_runs(scores, folder, found):
    frames = {name: scores[name] for name in ("noisy", "partial")}
    again = judges(None, scores["truth"], frames, top=10, name="qrels", test="t", **OPTIONS)
    same = found.coefficients
    pd.testing.assert_frame_equal(again.coefficients, same)
    assert again.findings == found.findings[:4]
    one = judges(None, {"AP": scores["truth"]["AP"]}, {"noisy": {"AP": scores["noisy"]["AP"]}}, test="t", **OPTIONS)
    assert one.measures == ("AP",)
    scores["truth"]["AP"].to_csv(folder / "people.csv")
    scores["noisy"]["AP"].to_csv(folder / "model.csv")
    read = judges(None, folder / "people.csv", folder / "model.csv", test="t", **OPTIONS)
    assert read.judges == ("model",)
    assert read.coefficients["value"].tolist() == one.coefficients["value"].tolist()


def test_files_of_one_name_are_called_by_their_paths(tmp_path):
    paths = []
    for name in ("people", "model"):
        (tmp_path / name).mkdir()
        paths.append(tmp_path / name / "board.csv")
        paths[-1].write_text("system,x\na,1\nb,2\n")
    found = judges(None, *paths)
    assert (found.truth, found.judges) == (str(paths[0]), (str(paths[1]),))
    with pytest.raises(ValueError, match="must be different files"):
        judges(None, paths[0], paths[0])


def test_topics_and_systems_of_one_side(scores):
    truth, noisy = scores["truth"]["AP"], scores["noisy"]["AP"]
    with pytest.raises(ValueError, match=r"^'noisy' does not have the topics 401, 402 of 'truth'; missing=\"drop\""):
        judges(None, truth, {"noisy": noisy.iloc[2:]}, **OPTIONS)
    with pytest.raises(ValueError, match="^'noisy' does not have the systems A1 of 'truth'"):
        judges(None, truth, {"noisy": noisy.drop(columns="A1")}, **OPTIONS)
    less = {"noisy": noisy.iloc[2:].drop(columns="A1"), "other": noisy}
    found = judges(None, truth.drop(columns="B1"), less, missing="drop", **OPTIONS)
    assert found.notes == (
        "noisy does not have 2 topics: left out for all (401, 402)",
        "noisy does not have 1 system: left out for all (A1)",
        "noisy alone has 1 system: left out (B1)",
        "other alone has 1 system: left out (B1)",
    )
    assert [(note.kind, note.side, note.what, note.names) for note in found.input_notes] == [
        ("lacking", "noisy", "topics", ("401", "402")),
        ("lacking", "noisy", "systems", ("A1",)),
        ("more", "noisy", "systems", ("B1",)),
        ("more", "other", "systems", ("B1",)),
    ]
    kept = truth.iloc[2:].drop(columns=["A1", "B1"])
    assert found.topics == {"score": 48}
    assert found.coefficients["value"][0] == ircor.tau_b(kept.mean(), noisy.loc[kept.index, kept.columns].mean())


def test_topics_that_a_judge_did_not_judge(files):
    runs, truth, (noisy, _) = files
    some = {topic: grades for topic, grades in score_qrels(noisy).items() if topic > "410"}
    with pytest.raises(
        ValueError, match="'some' does not have the topics 401, 402, 403, 404, 405 and 5 more of 'qrels'"
    ):
        judges(runs, truth, {"some": some}, "AP", **OPTIONS)
    found = judges(runs, truth, {"some": some}, "AP", missing="drop", **OPTIONS)
    assert found.topics == {"AP": 40}
    assert found.notes[0].startswith("all runs have 10 topics that some lacks, not scored: 401, 402,")
    assert found.notes[1].startswith("some does not have 10 topics: left out for all (401, 402,")


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((None, BOARD, {"x": BOARD}), {"top": 5}, ValueError, "'top' must be at most the number of systems, 4, not 5"),
        ((None, BOARD, {"x": BOARD}), {"top": 1}, ValueError, "'top' must be 2 or more"),
        ((None, BOARD, {"x": BOARD}), {"methods": []}, ValueError, "'methods' must name a coefficient"),
        ((None, BOARD, {"x": BOARD}), {"methods": ["rho"]}, ValueError, "'methods' must be one of"),
        ((None, BOARD, {"x": BOARD}), {"test": "anova"}, ValueError, "'test' must be one of"),
        ((None, BOARD, {"x": BOARD}), {"missing": "x"}, ValueError, "'missing' must be one of"),
        ((None, BOARD, {"truth": BOARD}), {}, ValueError, "the truth and a judge are both called 'truth'"),
        ((None, BOARD, {}), {}, ValueError, "'judges' has no judges"),
        ((None, BOARD, 5), {}, TypeError, "'judges' must be a mapping of names to judges, or paths"),
        ((None, BOARD, {"x": {"a": 1, "z": 2}}), {"missing": "drop"}, ValueError, "have 1 system in common"),
        ((None, {"a": 1}, {"x": {"a": 1}}), {}, ValueError, "have 1 system in common, and two are needed"),
        ((None, BOARD, {"x": {**BOARD, "a": float("nan")}}), {}, ValueError, "'x' must have finite scores: nan"),
        (
            (None, BOARD, {"x": [[1, 2], [2, 1]]}),
            {},
            ValueError,
            "truth has one score for each system, and x has scores",
        ),
        ((None, BOARD, {"x": 3}), {}, TypeError, "'x' must be scores by topic or a leaderboard, not 3"),
        ((None, BOARD, {"x": BOARD}, "AP"), {}, ValueError, "no values of the measure 'AP' in truth"),
        (({"a": {"1": {"d": 1}}}, {"1": {"d": 1}}, {"x": {"1": {"d": 1}}}), {}, ValueError, "'measures' must name"),
    ],
)
def test_refusals(arguments, options, error, message):
    with pytest.raises(error, match=message):
        judges(*arguments, **options)
