"""Whether one judge of relevance can replace another: how it ranks systems, and its labels.

- `judges`: judges against the truth, by how they rank systems and by their labels.
- `agreement`: how far two judges give the same documents the same grades.
- `bias`: whether a judge is lenient, and whether it favours some systems.
"""

from ._bias import Bias, SystemBias as SystemBias, bias
from ._inputs import InputNote as InputNote
from ._judges import judges
from ._labels import Agreement, Coefficients as Coefficients, agreement
from ._result import Coefficient as Coefficient, JudgedRanking as JudgedRanking, JudgesResult

__all__ = ["Agreement", "Bias", "JudgesResult", "agreement", "bias", "judges"]
