"""Compare Python with R on random rankings, on your own data, or on recorded answers.

`check` does the whole comparison.  Python is compared with one of three oracles: the original R package ircor, if R has
it; else ``ircorref``, the same functions written in plain R from the equations of the papers; else the record of the
answers of ircor 1.0, which needs no R.  R is called through rpy2.
"""

from ._beyond import compare_averages as compare_averages
from ._beyond import compare_base as compare_base
from ._beyond import compare_drank as compare_drank
from ._beyond import compare_measures as compare_measures
from ._beyond import compare_organization as compare_organization
from ._beyond import compare_overlap as compare_overlap
from ._beyond import compare_reliability as compare_reliability
from ._beyond import random_organizations as random_organizations
from ._beyond import random_problem as random_problem
from ._beyond import run_beyond
from ._bridge import RPackage, RUnavailableError, probe
from ._bridge import r_as_character as r_as_character
from ._cases import Answer, Case, random_cases, table_cases
from ._check import check
from ._comparison import FUNCTIONS, run
from ._oracles import ORACLES, Oracle, find_oracle
from ._page import Agreements, check_all
from ._record import Record
from ._report import Agreement, Disagreement, Tally

# The former name of Agreement.
Report = Agreement

__all__ = [
    "check",
    "check_all",
    "find_oracle",
    "random_cases",
    "table_cases",
    "run",
    "run_beyond",
    "probe",
    "Case",
    "Answer",
    "Agreement",
    "Agreements",
    "Tally",
    "Disagreement",
    "Oracle",
    "Record",
    "RPackage",
    "RUnavailableError",
    "FUNCTIONS",
    "ORACLES",
]
