"""Rank-biased overlap of two rankings, with ties."""

from ._weights import p_for_weight, weight_for_p

__all__ = ["p_for_weight", "weight_for_p"]
