"""The reliability of a collection: how close is the ranking of the systems by these topics to the true one?

- `expected`: the expected correlation with the true ranking (Urbano and Marrero, SIGIR 2016), with the chance that each
  pair of systems is in the wrong order.
- `topics_needed`: the same against the number of topics, with intervals, and the least number that reaches a goal.
  `expected_curve`: the curve alone.
- `generalizability`: variance components, E rho^2 and Phi, and the topics that they need.
- `places`: the places of each system that another sample of topics would leave.  `place_changes`: which systems surely
  change their place between two tables.
- `summary`: all of it.
"""

from ._components import COMPONENTS as COMPONENTS, Components, Estimate, Generalizability, generalizability
from ._curve import own_expected as own_expected
from ._expected import (
    ESTIMATORS as ESTIMATORS,
    METHODS as METHODS,
    Caveat as Caveat,
    Estimator as Estimator,
    Expected,
    Method as Method,
    expected,
    has_reliability as has_reliability,
)
from ._needed import CurvePoint as CurvePoint, Reliability, TopicsNeeded, expected_curve, summary, topics_needed
from ._places import (
    PlaceChange as PlaceChange,
    PlaceChanges,
    Places,
    changes_in_study as changes_in_study,
    place_changes,
    place_sets as place_sets,
    places,
)

__all__ = [
    "expected",
    "topics_needed",
    "expected_curve",
    "generalizability",
    "places",
    "place_changes",
    "summary",
    "Expected",
    "TopicsNeeded",
    "Generalizability",
    "Components",
    "Estimate",
    "Places",
    "PlaceChanges",
    "Reliability",
]
