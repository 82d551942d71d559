"""What the sentences about judges claim, against the numbers, and against simulations."""

import numpy as np
import pandas as pd

import ircor
from ircor.judging import judges
from ircor.show.tables import plain

OPTIONS = {"resamples": 200, "seed": 1}


def scores():
    """Scores by topic of the truth and of a noisy judge."""
    rng = np.random.default_rng(4)
    truth = rng.normal(0, 0.1, 20) + rng.normal(0, 0.2, (50, 1)) + rng.normal(0, 0.15, (50, 20))
    names = [f"s{k}" for k in range(20)]
    return [
        pd.DataFrame(values, columns=names, index=[f"{t}" for t in range(401, 451)])
        for values in (truth, truth + rng.normal(0, 0.1, truth.shape))
    ]


def test_a_ranking_that_is_the_same_is_said_to_be():
    truth, _ = scores()
    found = judges(None, truth, {"double": 2 * truth}, **OPTIONS)
    assert found.verdicts == (
        "By score (tau_b 1.000, 1.000 to 1.000), double ranks the systems exactly as truth does.",
    )


def test_two_topics_are_too_few_for_a_test():
    X = pd.DataFrame(np.random.default_rng(1).random((2, 10)), index=["1", "2"], columns=list("abcdefghij"))
    other = X.rename(columns={"a": "b", "b": "a"})
    found = judges(None, X, {"swapped": other}, **OPTIONS)
    assert found.tests["d_rank"].isna().all()
    assert "2 topics are too few to test the ranking of swapped" in found.verdicts[0]
    comparison = ircor.compare(X, other, resamples=100, seed=1)
    assert comparison.distance is None
    assert comparison.conclusion.startswith("2 topics are too few to test the ranking of B: the rank distance needs 3.")


def test_topics_that_cannot_tell_are_said_to():
    rng = np.random.default_rng(2)
    X = rng.normal(0, 0.01, 20) + rng.normal(0, 0.2, (10, 20))
    found = judges(None, X, {"reversed": -X}, **OPTIONS)
    assert found.coefficients["value"][0] == -1
    assert found.pairs["significant"][0] == 0
    assert (
        "No two systems differ significantly by score under truth itself, so these topics can tell little"
        in (found.verdicts[0])
    )


def test_labels_with_noise_can_fail_though_the_true_rankings_are_the_same():
    """The rank distance is tested against another sample of topics: it is no test of equal true rankings."""
    rng = np.random.default_rng(11)
    rejected = {0.1: 0, 0.5: 0}
    for seed in range(8):
        X = rng.normal(0, 0.08, 20) + rng.normal(0, 0.2, (50, 1)) + rng.normal(0, 0.15, (50, 20))
        for noise in rejected:
            found = judges(None, X, {"model": X + rng.normal(0, noise, X.shape)}, resamples=100, seed=seed)
            rejected[noise] += found.tests["pvalue"][0] <= 0.05
    assert rejected[0.1] == 0
    assert rejected[0.5] >= 4


def test_few_resamples_are_more():
    truth, noisy = scores()
    one, hundred = (judges(None, truth, {"noisy": noisy}, resamples=k, seed=1) for k in (1, 100))
    assert one.resamples == 100
    assert plain(one.as_dict()) == plain(hundred.as_dict())


def test_both_without_distinctions():
    found = judges(None, {"a": 1, "b": 1}, {"j": {"a": 2, "b": 2}}, name="people")
    assert found.verdicts == ("By score, people and j give all systems the same score, which is no ranking.",)


def test_leaderboards_take_the_truth_first_and_differences_have_their_sign():
    people = {"a": 6, "b": 4, "c": 3, "d": 2, "e": 1}
    good, bad = {"a": 6, "b": 3, "c": 2, "d": 4, "e": 1}, {"a": 1, "b": 4, "c": 4, "d": 2, "e": 5}
    found = judges(None, people, {"good": good, "bad": bad}, methods=["tauAP_a", "tau_b"])
    values = found.coefficients["value"].tolist()
    x, y, z = (list(side.values()) for side in (people, good, bad))
    known = [method(x, other) for other in (y, z) for method in (ircor.tauAP_a, ircor.tau_b)]
    assert values == known
    assert ircor.tauAP_a(x, z) != ircor.tau_b(x, z)
    assert found.differences["difference"].tolist() == [known[0] - known[2], known[1] - known[3]]
    other = judges(None, people, {"good": good}, methods=["tauAP"])
    assert other.coefficients["value"][0] == ircor.tauAP(x, y)
    assert abs(ircor.tauAP(x, y) - ircor.tauAP(y, x)) > 0.05


def test_a_judge_with_few_distinctions_is_said_to_tie_systems():
    rng = np.random.default_rng(3)
    truth = np.linspace(0.8, 0.2, 10) + rng.normal(0, 0.1, (30, 10))
    judge = np.full((30, 10), 0.5)
    judge[:, 0] = 0.6
    found = judges(None, truth, {"j": judge}, **OPTIONS)
    assert (
        ", j contradicts no order of truth, but 36 pairs of systems are tied in only one of them." in found.verdicts[0]
    )


def test_a_move_up_is_named_beside_a_drop_that_is_as_far():
    found = judges(None, {"a": 0.5, "b": 0.4, "c": 0.3}, {"j": {"a": 0.3, "b": 0.4, "c": 0.5}}).tests.iloc[0]
    assert (found["drop_system"], found["drop"], found["move_system"], found["move"]) == ("a", 2, "c", 2)
