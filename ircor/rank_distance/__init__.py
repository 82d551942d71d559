"""The rank distance d_rank, its bootstrap test, and two statistics to compare it with (Carterette 2009).

Kendall's tau counts swapped pairs and gives every swap the same weight.  The rank distance measures how far the mean
scores of the systems have to move until the systems are in the other order.  The unit is their variation over topics: a
swap of two systems that hardly differ costs little, a swap of two systems that differ on every topic costs a lot, and
separating two systems that behave alike costs a lot too.  Its tests compare the distance with those of resamples of the
topics, as in the paper, or with those between two samples of topics.
"""

from ._distance import drank
from ._null import DrankNull, drank_test
from ._result import DrankResult
from ._significance import discriminative_power, tau_interval

__all__ = ["drank", "drank_test", "tau_interval", "discriminative_power", "DrankNull", "DrankResult"]
