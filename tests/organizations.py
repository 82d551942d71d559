"""Shared by the tests of ircor.organization: small organizations, random ones, and the usual options."""

import numpy as np

from ircor.crosscheck import random_organizations
from ircor.organization import Organization, evaluate

__all__ = ["NOTHING", "ONE", "OPTIONS", "closed", "clusterings", "random_organizations"]

OPTIONS = {"top": 10, "weight": 0.8}

NOTHING, ONE = Organization([]), Organization.from_ranking(["a"])


def closed(system, gold):
    return evaluate(system, gold, collection="closed")


def clusterings(rng, documents=30, overlapping=False):
    """Two random clusterings; without overlap they have the same documents."""

    def clusters():
        if overlapping:
            return [
                rng.choice(documents, rng.integers(1, 9), replace=False).tolist() for _ in range(rng.integers(1, 9))
            ]
        label = rng.integers(0, rng.integers(1, documents), documents)
        return [np.flatnonzero(label == k).tolist() for k in np.unique(label)]

    return clusters(), clusters()
