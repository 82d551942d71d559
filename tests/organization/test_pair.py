"""Two organizations with a common numbering."""

import numpy as np
import pytest
from organizations import ONE, closed

from ircor.organization import Organization, bcubed


def test_sides_that_are_refused():
    with pytest.raises(TypeError, match="'gold' must be an Organization, not a list"):
        closed(ONE, ["a"])
    with pytest.raises(TypeError, match="'system' must be an Organization, not a dict"):
        bcubed({}, ONE)
    with pytest.raises(
        TypeError, match="no document can be on both sides: 'system' has ids of type str and 'gold' has ids"
    ):
        closed(ONE, Organization.from_ranking([1, 2]))
    # Equal ids of different types are the same document.
    assert closed(Organization.from_ranking([np.True_]), Organization.from_clusters([[1]])).clustering.f == 1
    # One number in common is enough, whatever its type.
    assert closed(Organization.from_ranking([1, np.int64(2)]), Organization.from_ranking([1.0, "2"])).priority.f == 0
