"""Whether one judge of relevance can stand in for another: their labels, and what follows from them for systems.

- `agreement`: how far two judges give the same documents the same grades.
- `bias`: whether a judge is lenient, and whether it favours some systems.
"""

from ._bias import Bias, bias
from ._labels import Agreement, agreement

__all__ = [
    "Agreement",
    "Bias",
    "agreement",
    "bias",
]
