"""Random numbers that R printed, after set.seed(42) and others.  The cross-check compares a million of each kind."""

import numpy as np
import pytest

from ircor.rbase import RRandom, r_rank


def test_one_call_after_another():
    # R 4.2.2: set.seed(42); runif(3); rnorm(3); sample(10); ..., printed with "%.17g"
    random = RRandom(42)
    assert random.runif(3).tolist() == [0.91480604349635541, 0.93707541329786181, 0.28613953478634357]
    assert random.rnorm(3).tolist() == [0.95593564863065084, 0.047884736094251722, -1.1045994406830582]
    assert random.sample(10).tolist() == [8, 7, 4, 1, 5, 10, 2, 6, 9, 3]
    assert random.sample(5, 8, True).tolist() == [1, 1, 3, 4, 5, 5, 5, 4]
    assert random.sample(6, 3, prob=[6, 5, 4, 3, 2, 1]).tolist() == [4, 2, 3]
    assert random.sample(3, 8, True, [1, 2, 3]).tolist() == [3, 2, 3, 3, 1, 2, 3, 3]
    assert r_rank([2, 1, 2, 1, 2], "random", seed=random).tolist() == [3, 2, 4, 1, 5]
    assert random.state[[0, 1, 2, 625]].tolist() == [10403, 47, -1577024373, -2093918214]
    assert random.state.dtype == np.int32


def test_the_kind_before_3_6():
    # R 4.2.2: set.seed(42, sample.kind = "Rounding"); sample(10); sample(5, 8, TRUE); sample(250, 6, TRUE, 250:1)
    random = RRandom(42, sample_kind="Rounding")
    assert random.sample(10).tolist() == [10, 9, 3, 6, 4, 8, 5, 1, 2, 7]
    assert random.sample(5, 8, True).tolist() == [3, 4, 5, 2, 3, 5, 5, 1]
    assert random.sample(250, 6, True, range(250, 0, -1)).tolist() == [119, 141, 227, 35, 4, 15]
    assert random.state[:3].tolist() == [403, 24, -1577024373]


def test_many_values():
    # R 4.2.2: set.seed(42); sample(250, 6, TRUE, prob = 250:1); sample(3e7, 4); sample(1e12, 3, TRUE); sample(letters)
    random = RRandom(42)
    assert random.sample(250, 6, True, range(250, 0, -1)).tolist() == [49, 65, 74, 146, 49, 47]
    assert random.sample(30_000_000, 4).tolist() == [21381476, 5828773, 7151124, 26840946]
    assert random.sample(10**12, 3, True).tolist() == [473042189609, 378311181220, 983142658669]
    assert random.sample(["a", "b", "c"]).tolist()[0] == "a"


def test_equal_weights_are_in_the_order_of_the_heap_sort_of_r():
    # R 4.2.2: set.seed(42); sample(8, 6, prob = c(1, 1, 2, 2, 1, 1, 2, 2)); and 9 with replacement
    random = RRandom(42)
    weights = [1, 1, 2, 2, 1, 1, 2, 2]
    assert random.sample(8, 6, prob=weights).tolist() == [2, 1, 3, 6, 8, 4]
    assert random.sample(8, 9, True, weights).tolist() == [6, 7, 8, 6, 4, 6, 1, 3, 4]


def test_the_range_of_seeds():
    # R 4.2.2: set.seed(-5); runif(1); set.seed(2147483647); runif(1)
    assert RRandom(-5).runif(1).item() == 0.73459476791322231
    assert RRandom(2147483647).runif(1).item() == 0.68966742674820125
    for seed in (2**31, -(2**31)):
        with pytest.raises(ValueError, match="'seed' must be"):
            RRandom(seed)


@pytest.mark.parametrize("kind", ["Rejection", "Rounding"])
def test_a_state_goes_on(kind):
    random = RRandom(7, sample_kind=kind)
    random.sample(1000)
    again = RRandom.from_state(random.state)
    for draw in (lambda r: r.sample(99, 50), lambda r: r.rnorm(700), lambda r: r.state):
        np.testing.assert_array_equal(draw(random), draw(again))
    assert RRandom.from_state(list(map(int, random.state))).runif(1) == random.runif(1)


def test_a_state_of_another_generator_is_refused():
    state = RRandom(1).state
    for bad in (state[:-1], np.r_[10402, state[1:]], np.r_[10403, 625, state[2:]]):
        with pytest.raises(ValueError, match=r"'state' must be R's \.Random\.seed of the Mersenne Twister"):
            RRandom.from_state(bad)
    with pytest.raises(ValueError, match="'kind' must be one of Mersenne-Twister, not 'Wichmann-Hill'"):
        RRandom(1, "Wichmann-Hill")


def test_numbers_between_bounds_that_are_one_are_not_drawn():
    random = RRandom(1)
    assert random.runif(2, 3, 3).tolist() == [3, 3]
    assert random.rnorm(2, 3, 0).tolist() == [3, 3]
    assert random.sample(5, 0).tolist() == []
    assert random.runif(1) == RRandom(1).runif(1)


def test_arguments_that_are_refused():
    random = RRandom(1)
    with pytest.raises(ValueError, match="'size' is 4, and x has 3"):
        random.sample(3, 4)
    with pytest.raises(ValueError, match="'x' must be an integer or a vector; one number in a vector is 1 to"):
        random.sample([5])
    for weights, message in (
        ([1, -1, 0], "numbers from 0 up"),
        ([1, 0, 0], "too few positive weights: 1"),
        ([1], "a weight for each of the 3"),
    ):
        with pytest.raises(ValueError, match=message):
            random.sample(3, 2, prob=weights)
    for bounds in ((2, 1), (0, np.inf)):
        with pytest.raises(ValueError, match="min and max must be finite, and min not above max"):
            random.runif(1, *bounds)
