"""The entries of `Totals`, each against one `Dominance`."""

SUMS = {
    "pairs": [],
    "above_in_x": ["c_above_in_x"],
    "above_in_y": ["c_above_in_y"],
    "above_in_y_permuted": ["c_above_in_y_permuted"],
}
CHOICES = [(), ("pairs",), ("above_in_x",), ("above_in_y",), ("above_in_y_permuted",), ("above_in_x", "above_in_y")]
CHOICES += [tuple(SUMS)]
LENGTHS = [2, 3, 10, 24, 25, 64, 65, 300, 1025]


def tied(rng, shape, groups=5):
    return rng.integers(0, groups, shape).astype(float)


def assert_entry(totals, k, d, sums=tuple(SUMS)):
    """The k-th entry of every array is that of one Dominance; sums that were not asked for are 0."""
    for attribute in ("concordant", "tied_pairs"):
        assert getattr(totals, attribute)[k] == (getattr(d, attribute) if "pairs" in sums else 0), attribute
    if "pairs" in sums:
        assert totals.discordant[k] == d.discordant
    for side in "xy":
        for attribute in ("n", "missing", "tied_pairs", "top", "total_pairs"):
            assert getattr(getattr(totals, side), attribute)[k] == getattr(getattr(d, side), attribute), attribute
    for name, methods in SUMS.items():
        for method in methods:
            assert getattr(totals, method)()[k] == (getattr(d, method)() if name in sums else 0), method
    assert totals.y.c_within()[k] == (d.y.c_within() if "above_in_y_permuted" in sums else 0)
