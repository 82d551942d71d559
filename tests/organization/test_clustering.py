"""Reliability over clustering relations: BCubed, overlap, and the paper's constraints on clusterings."""

from fractions import Fraction

import pytest
from organizations import closed, clusterings

from ircor.organization import Organization, bcubed, evaluate


def test_an_overlap_by_hand():
    """X has the cluster {a b} twice and G once: P is 1/2 for a ~ b, a ~ a and b ~ b, and 1 for c ~ c."""
    system, gold = [["a", "b"], ["a", "b"], ["c"]], [["a", "b"], ["c"]]
    result = closed(Organization.from_clusters(system), Organization.from_clusters(gold)).clustering
    assert result.reliability == pytest.approx((4 * Fraction(1, 2) + 1) / 5)
    assert result.sensitivity == 1
    scores = bcubed(Organization.from_clusters(system), Organization.from_clusters(gold))
    assert scores.precision == pytest.approx(Fraction(1, 3) * (Fraction(1, 2) + Fraction(1, 2) + 1))


def test_a_clustering_is_bcubed(rng):
    for _ in range(100):
        system, gold = (Organization.from_clusters(clusters) for clusters in clusterings(rng))
        assert closed(system, gold).clustering == pytest.approx(bcubed(system, gold), abs=1e-12)


def clusters_of(*clusters):
    """Clusters written as words: each letter is a document of that class; the documents of a class are numbered."""
    seen = {}
    named = []
    for cluster in clusters:
        named.append([])
        for letter in cluster:
            seen[letter] = seen.get(letter, 0) + 1
            named[-1].append(f"{letter}{seen[letter]}")
    return named


def classes(*clusters):
    documents = sorted(d for cluster in clusters_of(*clusters) for d in cluster)
    return [[d for d in documents if d[0] == letter] for letter in sorted({d[0] for d in documents})]


CLUSTERING_CONSTRAINTS = {
    "homogeneity": (("aaa", "bb"), ("aaabb",)),
    "completeness": (("aaaaa",), ("aaa", "aa")),
    "rag bag": (("aaaa", "bcde"), ("aaaab", "cde")),
    "size against quantity": (("aaaa", "a", "bb", "cc", "dd", "ee"), ("aaaaa", *"bbccddee")),
}


@pytest.mark.parametrize("constraint", CLUSTERING_CONSTRAINTS)
@pytest.mark.parametrize("options", [{"collection": "closed"}, {"top": 10, "weight": 0.8}])
@pytest.mark.parametrize("rest", [(), ("xx", "y"), ("xxy", "z")])
def test_clustering_constraints(constraint, options, rest):
    better, worse = CLUSTERING_CONSTRAINTS[constraint]
    gold = Organization.from_clusters(classes(*better, *rest))
    better, worse = (Organization.from_clusters(clusters_of(*clusters, *rest)) for clusters in (better, worse))
    assert evaluate(better, gold, **options).clustering.f > evaluate(worse, gold, **options).clustering.f


def test_size_against_quantity_with_overlap_where_bcubed_fails():
    """Section 4.2: b and c share four clusters; breaking all of them must cost more than one document out of five."""
    big, broken = [["a1", "a2", "a3", "a4", "a5"]], [["a1", "a2", "a3", "a4"], ["a5"]]
    pairs, singles = [["b", "c"]] * 4, [["b"], ["c"]] * 4
    gold = Organization.from_clusters(big + pairs)
    one_error, many_errors = Organization.from_clusters(broken + pairs), Organization.from_clusters(big + singles)
    assert closed(one_error, gold).clustering.f > closed(many_errors, gold).clustering.f
    assert bcubed(one_error, gold).f < bcubed(many_errors, gold).f
