"""The rank distance d_rank, its tests, and two statistics to compare it with (Carterette 2009).

Kendall's tau counts swapped pairs and gives every swap the same weight.  The rank distance measures how far the mean
scores of the systems have to move until the systems are in the other order.  The unit is their variation over topics: a
swap of two systems that hardly differ costs little, a swap of two systems that differ on every topic costs a lot, and
separating two systems that behave alike costs a lot too.  Its tests compare the distance with those between two samples
of topics or, as in the paper, with those of resamples of the same topics.
"""

from ._distance import drank
from ._test import DrankNull, DrankResult, drank_test
from ._verdict import (
    NamedDistance as NamedDistance,
    Verdict as Verdict,
    discriminative_power,
    ranking_tests as ranking_tests,
    tau_interval,
    test_resamples as test_resamples,
    tied_in_one as tied_in_one,
    verdict_between as verdict_between,
)

__all__ = ["drank", "drank_test", "tau_interval", "discriminative_power", "DrankNull", "DrankResult"]
