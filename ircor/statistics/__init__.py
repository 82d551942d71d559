"""The statistics that studies share: models, simulation, intervals, permutation tests and significance."""

from ._bootstrap import BootstrapResult as BootstrapResult, bootstrap as bootstrap
from ._intervals import (
    LEAST_SAMPLES as LEAST_SAMPLES,
    CoverageCaveat as CoverageCaveat,
    Interval as Interval,
    MeanCaveat as MeanCaveat,
    coverage_caveat as coverage_caveat,
    intervals as intervals,
    jackknife_error as jackknife_error,
    mean_caveats as mean_caveats,
    mean_interval as mean_interval,
)
from ._maximum import (
    Draws as Draws,
    decided_signs as decided_signs,
    drawn_weights as drawn_weights,
    joint_critical as joint_critical,
    own_criticals as own_criticals,
    padded as padded,
)
from ._model import (
    correlation_shrinkage as correlation_shrinkage,
    deviations_of as deviations_of,
    same_systems as same_systems,
)
from ._permutation import (
    EQUAL_COEFFICIENTS as EQUAL_COEFFICIENTS,
    PermutationResult as PermutationResult,
    Swap as Swap,
    costly_swaps as costly_swaps,
    permutation_test as permutation_test,
    placed as placed,
    swaps_of as swaps_of,
)
from ._significance import (
    PairCounts as PairCounts,
    Significance as Significance,
    compare_pairs as compare_pairs,
    holm as holm,
    significant_pairs as significant_pairs,
)
from ._simulation import Statistic as Statistic, Term as Term, best_systems as best_systems
from ._soft import (
    soft_accuracy as soft_accuracy,
    soft_accuracy_of as soft_accuracy_of,
    soft_pairwise_accuracy as soft_pairwise_accuracy,
)
