"""Shared by all floors of the package: numbers in, R's refusals, options, errors and results.  It knows no study."""
