"""The guide and the reference build without a warning, and no link is broken; scripts/docs looks at the pages too."""

import subprocess
import sys
from pathlib import Path

from loaded import load_script

ROOT = Path(__file__).parents[1]


def test_the_guide_builds_without_a_warning(tmp_path):
    pages = tmp_path / "pages"
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", tmp_path / "doctrees"]
    command = [sys.executable, "-m", "sphinx", *options, ROOT / "docs", pages]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), f"the guide does not build:\n{done.stderr}"
    assert list(load_script("docs_check").faults_in_files(pages)) == []
