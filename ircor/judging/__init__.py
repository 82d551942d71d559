"""Judges of relevance: whether one can replace another."""

__all__: list[str] = []
