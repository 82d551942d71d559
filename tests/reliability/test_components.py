"""Variance components against least squares, SciPy, Cronbach's alpha, and the example of Shrout and Fleiss (1979)."""

import json
from math import inf, isnan, nan

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ircor.reliability import generalizability
from ircor.reliability._components import MeanSquares, coefficient, jackknife_variance, topics_for
from ircor.show.tables import plain

# P. E. Shrout and J. L. Fleiss (1979). Intraclass Correlations: Uses in Assessing Rater Reliability. Psychological
# Bulletin 86, table 2: four judges by six targets, here four topics by six systems.
SHROUT_AND_FLEISS = np.array([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]])


def sums_left(X, columns):
    """The sum of squares that least squares leaves of the scores, given a constant and these columns."""
    design = np.column_stack([np.ones(X.size), *columns])
    fitted = design @ np.linalg.lstsq(design, X.ravel(), rcond=None)[0]
    return float(((X.ravel() - fitted) ** 2).sum())


def by_least_squares(X):
    """The mean squares of systems, topics and what is left, from models with and without each of the two."""
    n, m = X.shape
    topics, systems = np.repeat(np.eye(n), m, axis=0).T, np.tile(np.eye(m), (n, 1)).T
    both = sums_left(X, [*topics, *systems])
    return (
        (sums_left(X, topics) - both) / (m - 1),
        (sums_left(X, systems) - both) / (n - 1),
        both / ((n - 1) * (m - 1)),
    )


def alpha(X):
    """Cronbach's alpha: systems are the persons, topics the items of a test."""
    return len(X) / (len(X) - 1) * (1 - X.var(axis=1, ddof=1).sum() / X.sum(axis=0).var(ddof=1))


def components_of(X):
    """The components as written in textbooks, and the ratios that E rho^2 and Phi depend on."""
    systems, topics, interaction = by_least_squares(X)
    s, t = (systems - interaction) / len(X), (topics - interaction) / X.shape[1]
    return s, t, interaction, s / interaction, s / (t + interaction)


@pytest.fixture
def additive():
    """Scores that are a part of the system and one of the topic, without rounding."""
    return np.add.outer([0, 0.5, 0.25, 0.125], [0.25, 0, 0.125])


@pytest.mark.parametrize("shape", [(3, 2), (4, 6), (10, 3), (25, 12)])
def test_mean_squares_are_those_of_least_squares(scores, shape):
    X = scores(*shape)
    found = MeanSquares.of(X)
    np.testing.assert_allclose(found[:3], by_least_squares(X), rtol=1e-9)
    assert found[3:] == shape


def test_the_f_statistic_is_scipys_of_scores_without_the_means_of_topics(scores):
    X = scores(12, 5)
    known = stats.f_oneway(*(X - X.mean(axis=1, keepdims=True)).T).statistic
    # The one-way analysis does not know that the means of n topics were taken off.
    assert MeanSquares.of(X).f == pytest.approx(known * (5 - 1) / 5, rel=1e-10)


def test_mean_squares_without_each_topic(scores):
    for shape in ((3, 2), (4, 6), (20, 9)):
        X = scores(*shape)
        found = MeanSquares.without_each_topic(X)
        for t in range(len(X)):
            known = MeanSquares.of(np.delete(X, t, axis=0))
            assert [found.systems[t], found.topics[t], found.interaction[t]] == pytest.approx(known[:3], rel=1e-9)
            assert found[3:] == known[3:]


def test_the_example_of_shrout_and_fleiss():
    # Table 3 has the mean squares 11.24, 32.49 and 1.02.
    assert [round(float(one), 2) for one in MeanSquares.of(SHROUT_AND_FLEISS)[:3]] == [11.24, 32.49, 1.02]
    # Table 4: ICC(3,1), ICC(2,1), ICC(3,4) and ICC(2,4).
    one, four = generalizability(SHROUT_AND_FLEISS, 1), generalizability(SHROUT_AND_FLEISS)
    found = [round(value, 2) for value in (one.e_rho2.value, one.phi.value, four.e_rho2.value, four.phi.value)]
    assert found == [0.71, 0.29, 0.91, 0.62]


def test_components_and_coefficients(scores):
    for shape in ((5, 4), (12, 7), (40, 10)):
        X = scores(*shape)
        s, t, e, *_ = components_of(X)
        for k in (None, 1, 7, 1000):
            found = generalizability(X, k)
            assert found.components == pytest.approx((s, t, e), rel=1e-9)
            of = k or len(X)
            assert found.of == of
            assert found.e_rho2.value == pytest.approx(s / (s + e / of), rel=1e-9)
            assert found.phi.value == pytest.approx(s / (s + (t + e) / of), rel=1e-9)
        assert generalizability(X).e_rho2.value == pytest.approx(alpha(X), rel=1e-9)


def test_the_components_have_no_bias(rng):
    """The mean over many tables of effects with the variances 4, 9 and 1."""
    found = []
    for _ in range(4000):
        parts = rng.normal(0, 2, 5), rng.normal(0, 3, (6, 1)), rng.normal(0, 1, (6, 5))
        found.append(MeanSquares.of(sum(parts)).components())
    errors = np.std(found, axis=0) / np.sqrt(4000)
    assert np.all(np.abs(np.mean(found, axis=0) - [4, 9, 1]) < 4 * errors)


def test_the_jackknifes_variance_is_that_of_the_mean_of_pseudovalues(rng):
    values = rng.random(9)
    whole = np.log(values.mean())
    without = np.array([np.log(np.delete(values, k).mean()) for k in range(9)])
    pseudovalues = 9 * whole - 8 * without
    assert jackknife_variance(without) == pytest.approx(pseudovalues.var(ddof=1) / 9)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_intervals_are_the_jackknifes_over_topics(scores, level):
    X = scores(15, 6)
    n, m = X.shape
    found = generalizability(X, 20, goal=0.9, level=level)
    names = ("systems", "topics", "interaction")
    every = components_of(X)
    shifts = (every[2] / n, every[2] / m, 0, 1 / n, 1 / n)
    without = np.array([components_of(np.delete(X, t, axis=0)) for t in range(n)])
    ends = []
    for k, shift in enumerate(shifts):
        # The sum of squares, over n, times n - 1.
        variance = (n - 1) * np.log(without[:, k] + shift).var()
        step = stats.t.ppf((1 + level) / 2, n - 1) * np.sqrt(variance)
        ends.append([max(0, (every[k] + shift) * np.exp(sign * step) - shift) for sign in (-1, 1)])
    for name, known in zip(names, ends):
        assert getattr(found, name)[1:] == pytest.approx(known, rel=1e-7, abs=1e-12)
    for one, needed, (low, high) in (
        (found.e_rho2, found.e_rho2_topics, ends[3]),
        (found.phi, found.phi_topics, ends[4]),
    ):
        assert one[1:] == pytest.approx([20 * low / (1 + 20 * low), 20 * high / (1 + 20 * high)], rel=1e-7, abs=1e-12)
        assert needed[1:] == (np.ceil(9 / high), np.ceil(9 / low) if low else inf)


def test_intervals_contain_their_estimates_and_are_wider_at_a_higher_level(scores):
    for X in (scores(8, 5), scores(20, 6, apart=0), scores(30, 20), scores(3, 2)):
        found, wide = generalizability(X, level=0.5), generalizability(X, level=0.99)
        for name in ("systems", "topics", "interaction", "e_rho2", "phi", "e_rho2_topics", "phi_topics"):
            one, other = getattr(found, name), getattr(wide, name)
            if isnan(one.low):
                continue
            assert one.low <= one.value <= one.high
            assert other.low <= one.low
            assert one.high <= other.high
            assert one.value == other.value


def test_the_topics_needed_are_the_least_whole_number(scores):
    for target in (0.5, 0.8, 0.95, 0.999):
        found = generalizability(scores(10, 6), goal=target)
        s, t, e = found.components
        for needed, noise in ((found.e_rho2_topics, e), (found.phi_topics, t + e)):
            k = needed.value
            assert s / (s + noise / k) >= target
            assert k == 1 or s / (s + noise / (k - 1)) < target
            assert isinstance(k, int)


def test_a_whole_number_of_topics_is_not_rounded_up():
    # 0.95 / 0.05 / 0.1 is 190.00000000000003 in floating point.
    assert [topics_for(0.95, ratio) for ratio in (0.1, 0.19, 19, 1e9)] == [190, 100, 1, 1]
    assert topics_for(0.95, 0.18999) == 101
    assert topics_for(0.9, 0.0) == topics_for(0.9, 5e-324) == inf
    assert topics_for(0.9, inf) == 1
    assert isnan(topics_for(0.9, nan))


def test_coefficients_of_ratios_at_the_ends():
    assert coefficient(inf, 5) == 1
    assert coefficient(0, 5) == 0
    assert coefficient(0.25, 4) == 0.5
    assert isnan(coefficient(nan, 5))


def test_negative_components_become_0_with_a_note():
    # Latin squares: all systems, or all topics, have the same mean.
    same_systems = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]]) + np.array([[4], [2], [0]])
    found = generalizability(same_systems)
    assert (found.systems.value, found.e_rho2.value, found.phi.value) == (0, 0, 0)
    assert (found.e_rho2_topics.value, found.phi_topics.value) == (inf, inf)
    # The mean square of the interaction is 6 / 4, shared by three topics.
    assert found.interaction.value == pytest.approx(1.5)
    assert found.notes[0] == "the variance of systems is estimated as -0.5, and taken for 0"
    assert "none" in str(found)
    found = generalizability(same_systems.T)
    assert found.systems.value > 0 == found.topics.value
    assert "the variance of topics is estimated as -0.5, and taken for 0" in found.notes


def test_without_a_variance_of_topics_phi_is_e_rho2():
    X = np.array([[9, 5, 1], [8, 6, 1], [9, 4, 2], [7, 5, 3]])
    systems, topics, interaction = by_least_squares(X)
    assert topics < interaction < systems
    found = generalizability(X)
    assert found.components == pytest.approx(((systems - interaction) / 4, 0, interaction))
    assert found.phi.value == pytest.approx(found.e_rho2.value)
    assert found.phi_topics.value == found.e_rho2_topics.value
    assert found.phi.low <= found.phi.value <= found.phi.high


def test_without_an_interaction_nothing_is_left_to_chance(additive):
    # Rounding errors are no interaction.
    for X in (additive, additive * 0.3, additive + np.array([[0.1], [0.7], [1 / 3], [0]])):
        found = generalizability(X, 7)
        assert found.interaction.value == 0
        assert all(map(isnan, found.interaction[1:]))
        assert found.e_rho2.value == 1
        assert all(map(isnan, found.e_rho2[1:]))
        assert found.e_rho2_topics.value == 1
        assert found.notes == ("every score is the sum of a part of its system and one of its topic, so E rho^2 is 1",)
        s, t, _ = found.components
        assert s == pytest.approx(X.mean(axis=0).var(ddof=1))
        assert t == pytest.approx(X.mean(axis=1).var(ddof=1))
        assert found.phi.value == pytest.approx(7 * s / (7 * s + t))
        assert found.sentences()[0].startswith("E rho^2 with 7 topics is 1.000. Phi with 7 topics is ")


@pytest.mark.parametrize("factor", [1, 0.3, 0.1, 1 / 3, 1 / 7])
def test_without_an_interaction_but_on_one_topic(additive, factor):
    """The interaction is 0 without this topic, so its logarithm, and the interval, does not exist."""
    additive[2, 1] += 0.25
    found = generalizability(additive * factor)
    for one in (found.interaction, found.e_rho2):
        assert one.value > 0
        assert all(map(isnan, one[1:]))
    assert all(map(isnan, found.e_rho2_topics[1:]))
    assert found.notes == ("an interval is missing where its estimate is undefined, or would be without some topic",)


def test_scores_in_any_unit(scores):
    X = scores(9, 5, apart=2)
    known = generalizability(X)
    for power in (-30, 1, 40):
        found = generalizability(np.ldexp(X, power))
        assert found.e_rho2 == known.e_rho2
        assert found.phi_topics == known.phi_topics
        for name in ("systems", "topics", "interaction"):
            assert getattr(found, name) == tuple(np.ldexp(getattr(known, name), 2 * power))
    other = generalizability(X * 0.37)
    assert other.e_rho2 == pytest.approx(known.e_rho2, rel=1e-9)
    assert other.components == pytest.approx(np.array(known.components) * 0.37**2, rel=1e-9)
    # A constant for each topic changes the variance of the topics alone.
    moved = generalizability(X + np.arange(9)[:, None])
    assert moved.e_rho2 == pytest.approx(known.e_rho2, rel=1e-9)
    assert moved.components[::2] == pytest.approx(known.components[::2], rel=1e-9)
    assert moved.phi.value < known.phi.value


@pytest.mark.parametrize("power", [-600, 600])
def test_scores_of_any_size(scores, power):
    X = scores(9, 5)
    found = generalizability(np.ldexp(X, power))
    assert found.e_rho2 == generalizability(X).e_rho2
    assert "E rho^2" in str(found)


def test_neither_systems_nor_topics_have_an_order(scores, rng):
    X = scores(14, 7)
    known = generalizability(X)
    found = generalizability(X[rng.permutation(14)][:, rng.permutation(7)])
    for name in ("systems", "topics", "interaction", "e_rho2", "phi", "e_rho2_topics", "phi_topics"):
        assert getattr(found, name) == pytest.approx(getattr(known, name), rel=1e-9)


def test_all_forms_say_the_same(scores):
    X = pd.DataFrame(scores(10, 5))
    found = generalizability(X, 40, goal=0.9, level=0.8)
    components, coefficients = found.tables()
    assert [row.name for row in components.rows] == ["systems", "topics", "interaction"]
    assert [row.estimate for row in components.rows] == [found.systems, found.topics, found.interaction]
    shares = [row["share"] for row in components.records()]
    assert sum(shares) == pytest.approx(1)
    assert shares == pytest.approx(np.array(found.components) / sum(found.components))
    assert coefficients.records() == [
        {
            "coefficient": name,
            "of": 40,
            **dict(zip(("value", "low", "high"), one)),
            "goal": 0.9,
            **dict(zip(("topics_needed", "topics_low", "topics_high"), needed)),
        }
        for name, one, needed in (("E rho^2", found.e_rho2, found.e_rho2_topics), ("Phi", found.phi, found.phi_topics))
    ]
    data = json.loads(json.dumps(plain(found.as_dict())))
    assert data["components"][0]["variance"] == found.systems.value
    assert (data["level"], data["notes"]) == (0.8, [])
    assert data["generalizability"][1]["value"] == found.phi.value
    (said,) = found.sentences()
    assert said == (
        f"E rho^2 with 40 topics is {found.e_rho2.value:.3f} (80% interval {found.e_rho2.low:.3f} to "
        f"{found.e_rho2.high:.3f}). Phi with 40 topics is {found.phi.value:.3f} (80% interval {found.phi.low:.3f} to "
        f"{found.phi.high:.3f})."
    )
    assert said in str(found)
    assert repr(found) == (
        f"<Generalizability: E rho^2 {found.e_rho2.value:.4f}, Phi {found.phi.value:.4f}, 40 topics>"
    )


def test_what_is_not_a_number_is_null_in_json_and_words_on_the_screen(additive):
    found = generalizability(additive)
    row = json.loads(json.dumps(plain(found.as_dict()), allow_nan=False))["generalizability"][0]
    assert (row["value"], row["low"], row["topics_needed"], row["topics_high"]) == (1, None, 1, None)
    shown = found.tables()[1].shown()[0]
    assert (shown["low"], shown["topics needed"], shown["topics high"]) == ("undefined", "1", "undefined")
    assert "nan" not in str(found)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"topics": 0}, ValueError, "'topics' must be 1 or more, not 0"),
        ({"topics": 2.5}, TypeError, "'topics' must be a whole number, not 2.5"),
        ({"goal": 1}, ValueError, "'goal' must be between 0 and 1, not 1"),
        ({"goal": "high"}, TypeError, "'goal' must be a number, not 'high'"),
        ({"level": 95}, ValueError, "'level' must be between 0 and 1, not 95"),
    ],
)
def test_bad_options_are_refused(scores, options, kind, words):
    with pytest.raises(kind, match=f"^{words}$"):
        generalizability(scores(5, 4), **options)
