"""BCubed against the package `bcubed`."""

import bcubed as published_bcubed
import pytest
from organizations import closed, clusterings

from ircor.organization import Organization, bcubed


def memberships(clusters):
    return {d: {k for k, cluster in enumerate(clusters) if d in cluster} for cluster in clusters for d in cluster}


@pytest.mark.parametrize("overlapping", [False, True])
def test_bcubed_as_another_package_computes_it(rng, overlapping):
    for _ in range(100):
        system, gold = clusterings(rng, overlapping=overlapping)
        ours = bcubed(Organization.from_clusters(system), Organization.from_clusters(gold))
        C, L = memberships(system), memberships(gold)
        common = C.keys() & L.keys()
        # That package ignores documents that are on one side only; here they count as wrong.
        if C.keys() == L.keys():
            assert ours.precision == pytest.approx(published_bcubed.precision(C, L), abs=1e-12)
            assert ours.recall == pytest.approx(published_bcubed.recall(C, L), abs=1e-12)
            assert ours.f == pytest.approx(published_bcubed.fscore(*ours[:2]), abs=1e-12)
        else:
            system, gold = ([[d for d in cluster if d in common] for cluster in side] for side in (system, gold))
            C, L = memberships(system), memberships(gold)
            if C:
                ours = bcubed(Organization.from_clusters(system), Organization.from_clusters(gold))
                assert ours.precision == pytest.approx(published_bcubed.precision(C, L), abs=1e-12)
                assert ours.recall == pytest.approx(published_bcubed.recall(C, L), abs=1e-12)


def test_with_overlap_reliability_is_not_bcubed():
    gold = Organization.from_clusters([["a", "b", "c"], ["a", "b"]])
    system = Organization.from_clusters([["a", "b", "c"], ["a"], ["b"]])
    # BCubed counts the broken second cluster as one wrong relation of a and of b, R and S as two wrong occurrences.
    assert bcubed(system, gold).recall != pytest.approx(closed(system, gold).clustering.sensitivity, abs=1e-3)


def test_the_levels_make_no_difference_to_bcubed(rng):
    system, gold = clusterings(rng)
    flat = bcubed(Organization.from_clusters(system), Organization.from_clusters(gold))
    assert bcubed(Organization([[cluster] for cluster in system]), Organization([[c] for c in gold])) == flat
