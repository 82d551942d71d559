"""Whether one judge of relevance can replace another: how it ranks systems, and its labels.

- `judges`: judges against the truth, by how they rank systems and by their labels.
- `agreement`: how far two judges give the same documents the same grades.
- `preferences`: judges of pairs of answers against the truth, and whether the side of an answer matters.
- `segments`: judges of single answers against the truth, within items, within systems, and over all.
- `soft_pairwise_accuracy`: whether two tables of scores are as sure of the same differences between systems.
- `calibrate`: from which distance on two scores of a judge are different.
- `bias`: whether a judge is lenient, and whether it favours some systems.
"""

from ..statistics import soft_pairwise_accuracy
from ._bias import Bias, SystemBias as SystemBias, bias
from ._calibration import Calibration, calibrate
from ._inputs import InputNote as InputNote
from ._judges import judges
from ._labels import Agreement, Coefficients as Coefficients, agreement
from ._preferences import Preference as Preference, PreferencesResult, preferences
from ._result import Coefficient as Coefficient, JudgedRanking as JudgedRanking, JudgesResult
from ._segments import SegmentCoefficient as SegmentCoefficient, SegmentsResult, segments

__all__ = [
    "Agreement",
    "Bias",
    "Calibration",
    "JudgesResult",
    "PreferencesResult",
    "SegmentsResult",
    "agreement",
    "bias",
    "calibrate",
    "judges",
    "preferences",
    "segments",
    "soft_pairwise_accuracy",
]
