"""Write the report of a release: what was compared with which oracle, in which versions, and what was not done.

    python scripts/release_report.py FOLDER NOT_DONE...

The folder has what scripts/release has left there: crosscheck*.json, reproduce.json, wheels and the sdist. Each other
argument is a sentence about a step that was left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

# What the tests compare with, beside R.
PYTHON_ORACLES = ("numpy", "scipy", "pandas", "scikit-learn", "polars", "pyarrow", "pytrec_eval-terrier", "bcubed")
R_ORACLES = ("testthat", "jsonlite", "quadprog", "pcaPP", "ircorref", "ircor")
R_VERSIONS = (
    "for (p in commandArgs(TRUE)) cat(p, if (nzchar(system.file(package = p))) format(packageVersion(p)), '\\n')"
)


def report(folder: Path, not_done: list[str]) -> str:
    """The text of the report."""
    lines = [f"ircor for Python {version('ircor')}", f"{platform.platform()}, Python {platform.python_version()}", ""]
    for path in sorted(folder.glob("crosscheck*.json")):
        lines += compared(json.loads(path.read_text(encoding="utf-8")))
    figures = json.loads((folder / "reproduce.json").read_text(encoding="utf-8"))
    verdicts = Counter(figure["verdict"] for figure in figures["figures"])
    lines.append("Figures of the papers: " + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))
    lines.append("The tests compare with " + ", ".join(f"{name} {version(name)}" for name in PYTHON_ORACLES))
    lines.append("and, in R, with " + ", ".join(r_packages()))
    lines += ["", *(f"NOT DONE: {text}" for text in not_done), "Files:"]
    lines += [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in built(folder)]
    return "\n".join(lines) + "\n"


def compared(found: dict[str, object]) -> list[str]:
    """The lines on one cross-check."""
    functions = found["functions"]
    assert isinstance(functions, dict)
    cases = sum(tally["cases"] for tally in functions.values())
    rpy2 = f", rpy2 {found['rpy2_version']}" if found["rpy2_version"] else ""
    seed = "" if found["seed"] is None else f", seed {found['seed']}"
    outcome = "agree" if found["agrees"] else "DISAGREE"
    notes = found["notes"]
    assert isinstance(notes, list)
    return [
        f"Cross-check with the {found['oracle']} {found['oracle_version']}, {found['r_version']}{rpy2}:",
        f"  {cases} answers of {len(functions)} functions {outcome}, "
        f"tolerance of the coefficients {found['tolerance']:g}{seed}",
        *(f"  {note}" for note in notes),
    ]


def r_packages() -> list[str]:
    """The R packages that are installed, each with its version."""
    command = ["Rscript", "--vanilla", "-e", R_VERSIONS, *R_ORACLES]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [" ".join(line.split()) for line in said.splitlines() if len(line.split()) == 2]


def built(folder: Path) -> list[Path]:
    """The wheels and the sdist."""
    return sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])


if __name__ == "__main__":
    target = Path(sys.argv[1])
    (target / ".REPORT.txt").write_text(report(target, sys.argv[2:]), encoding="utf-8")
    os.replace(target / ".REPORT.txt", target / "REPORT.txt")
