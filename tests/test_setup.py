"""scripts/setup-python says in one line what is missing where it cannot install it; scripts/test runs checks beside."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = ["bash", "cat", "cut", "dirname", "grep", "head", "id", "paste", "sed"]
SETUP = ["bash", "-c", "set -euo pipefail; source scripts/setup-python; echo ready"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a script for bash")


@pytest.fixture
def machine(tmp_path):
    """A path with these programs, and a way to run the script with it."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in NEEDED:
        (programs / name).symlink_to(shutil.which(name))

    def run(command=SETUP, **scripts):
        for name, text in scripts.items():
            (programs / name.replace("_", "-")).write_text(f"#!{programs / 'bash'}\n{text}\n")
            (programs / name.replace("_", "-")).chmod(0o755)
        return subprocess.run(
            command, cwd=ROOT, env={"PATH": str(programs)}, capture_output=True, text=True, check=False
        )

    return run


PYTHON = f'exec "{sys.executable}" "$@"'
HEADERS = 'case "$*" in *Python.h*) exit 1 ;; esac\n' + PYTHON
VENV = 'case "$*" in *ensurepip*) exit 1 ;; esac\n' + PYTHON
OLD = 'case "$*" in *version_info*) exit 1 ;; --version) echo Python 3.9.2; exit ;; esac\n' + PYTHON


@pytest.mark.parametrize(
    ("python", "cc", "missing", "packages"),
    [
        (HEADERS, "exit 0", "Python's headers", "python3-dev"),
        (VENV, "exit 0", "Python's module venv", "python3-venv"),
        (PYTHON, "exit 1", "the headers of the C library", "libc6-dev"),
        (PYTHON, None, "a C compiler, the headers of the C library", "gcc libc6-dev"),
        (
            None,
            "exit 0",
            "Python 3.10 or newer, Python's module venv, Python's headers",
            "python3 python3-venv python3-dev",
        ),
    ],
)
def test_what_is_missing_is_said_in_one_line(machine, python, cc, missing, packages):
    done = machine(**{name: text for name, text in (("python3", python), ("cc", cc)) if text})
    assert done.returncode == 1
    assert done.stderr == (
        f"Missing: {missing}. This script cannot install it here; on Debian and Ubuntu: apt install {packages}\n"
    )
    assert "ready" not in done.stdout


def test_nothing_is_missing(machine):
    done = machine(python3=PYTHON, cc="exit 0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("ready\n")


def test_an_old_python(machine):
    done = machine(python3=OLD, cc="exit 0")
    assert done.returncode == 1
    assert done.stderr.startswith("Python 3.10 or newer is needed, and ")
    assert done.stderr.endswith(" is Python 3.9.2\n")


def test_debian_packages_are_installed(machine, tmp_path):
    """By apt-get, with sudo unless as root; only what is missing."""
    programs, log = tmp_path / "bin", tmp_path / "log"
    (programs / "id").unlink()
    (programs / "ln").symlink_to(shutil.which("ln"))
    scripts = {
        # Installing makes the compiler appear.
        "apt_get": f'echo "$@" >>{log}; case "$*" in *install*) ln -s true {programs / "cc"} ;; esac',
        "env": 'shift; exec "$@"',
        "sudo": 'exec "$@"',
        "id": "echo 1000",
        "true": "exit 0",
    }
    done = machine(python3=PYTHON, **scripts)
    assert (done.returncode, done.stderr) == (0, "")
    update, installed = log.read_text().splitlines()
    assert update == "update -qq"
    assert installed.endswith(" gcc libc6-dev")
    assert "installing a C compiler, the headers of the C library\n" in done.stdout


def test_packages_that_do_not_help(machine):
    """The Python on the path is not the one that the packages are for."""
    done = machine(python3=HEADERS, cc="exit 0", apt_get="exit 0", env="exit 0", sudo='exec "$@"')
    assert done.returncode == 1
    assert done.stderr.startswith("Missing: Python's headers, for ")
    assert done.stderr.endswith(", which is not the Python of this system\n")


INSTALLING = """
mkdir -p ircor env/bin
cat >env/bin/python <<'end'
#!/usr/bin/env bash
case "$*" in
    *"pip install"*) echo "$*" >>log; rm -f broken ;;
    *"import ircor"*) [ ! -e broken ] ;;
esac
end
chmod +x env/bin/python
installed() { install_in_place env "$@"; wc -l <log; }
touch pyproject.toml ircor/a.pyx
installed .[cli]; installed .[cli]                              # 1 1
echo x >ircor/a.pyx; installed .[cli]; installed .[cli]         # 2 2
echo x >pyproject.toml; installed .[cli]; installed .[cli]      # 3 3
touch broken; installed .[cli]; installed .[cli]                # 4 4
installed .[test] 'rpy2>=3.6'; installed .[test] 'rpy2>=3.6'    # 5 5
tail -n 1 log
"""


def test_the_package_is_compiled_again_only_after_a_change(tmp_path):
    """A change of a source, of the settings or of what is wanted, or a package that does not start."""
    command = f"set -euo pipefail; source {ROOT}/scripts/setup-python >/dev/null; {INSTALLING}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    *counts, last = done.stdout.splitlines()
    assert [int(count) for count in counts] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert last.endswith("-e .[test] rpy2>=3.6")


def test_the_guide_needs_a_browser(machine):
    done = machine(["bash", "scripts/docs"], python3=PYTHON, cc="exit 0", chromedriver="exit 0")
    assert done.returncode == 1
    assert done.stderr == (
        "Missing: the browser chromium and its driver. This script cannot install it here; "
        "on Debian and Ubuntu: apt install chromium chromium-driver\n"
    )


@pytest.mark.parametrize("status", [0, 3])
def test_the_checks_of_style_run_beside_the_setup_and_count(tmp_path, status):
    folder = tmp_path / "scripts"
    folder.mkdir()
    shutil.copy(ROOT / "scripts" / "test", folder)
    (folder / "setup-python").write_text('say() { echo "== $*"; }\n')
    (folder / "setup").write_text("until [ -e checked ]; do sleep 0.01; done\nPYTHON=true\nRscript() { echo R; }\n")
    (folder / "style").write_text(f"#!/usr/bin/env bash\ntouch checked\nsleep 0.2\necho result\nexit {status}\n")
    (folder / "style").chmod(0o755)
    done = subprocess.run(["bash", "scripts/test"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, "")
    rest = "== Tests of the R reference\nR\n== Tests\n" if status == 0 else ""
    assert done.stdout == "== Style and types\nresult\n" + rest
