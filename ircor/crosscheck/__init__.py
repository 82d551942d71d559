"""Compare Python with R on random rankings, on your own data, or on recorded answers.

`check` does the whole comparison.  Python is compared with one of three oracles: the original R package ircor, if R has
it; else ``ircorref``, the same functions written in plain R from the equations of the papers; else the record of the
answers of ircor 1.0, which needs no R.  R is called through rpy2.  `check_own` compares your own R code with your own
Python code.
"""

from ._agreement import Agreement, Agreements, Disagreement, Tally
from ._beyond import random_organizations as random_organizations, run_beyond
from ._cases import Answer, Case, random_cases, table_cases
from ._check import check, check_all, without_counterpart as without_counterpart
from ._comparison import DIFFERENCES as DIFFERENCES, FUNCTIONS, run
from ._oracles import ORACLES, Oracle, Record, RPackage, RUnavailableError, find_oracle, probe
from ._own import check_own

__all__ = [
    "check",
    "check_all",
    "check_own",
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
