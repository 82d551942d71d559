"""Completion in a shell: bash completes commands, options, choices and files from the script that is printed."""

import subprocess
import sys

import pytest
from calls import COMMAND

COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
function=$(complete -p ircor | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$function" ircor "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="session")
def script(tmp_path_factory):
    done = subprocess.run([*COMMAND, "--print-completion", "bash"], capture_output=True, text=True, check=True)
    path = tmp_path_factory.mktemp("completion") / "ircor.bash"
    path.write_text(done.stdout)
    return path


@pytest.mark.parametrize(
    ("words", "among"),
    [
        (["comp"], {"compare"}),
        (["compare", "--tar"], {"--target"}),
        (["compare", "--target", "s"], {"sample"}),
        (["table", "--method", "tauAP"], {"tauAP", "tauAP_a", "tauAP_b"}),
        (["table", "sc"], {"scores.csv"}),
        (["cor", "sc"], {"scores.csv"}),
        (["table", "scores.csv", "--plot", "sc"], {"scores.csv"}),
        (["rs", "q"], {"qrels.txt"}),
        (["rbo", "q"], {"qrels.txt"}),
        (["rbo", "--ties", "tr"], {"trec_eval"}),
    ],
)
def test_bash_completes(script, folder, words, among):
    bash = ["bash", "--noprofile", "--norc", "-c", COMPLETE, "bash", str(script), "ircor", *words]
    done = subprocess.run(bash, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert {line.strip() for line in done.stdout.splitlines() if line.strip()} == among


def test_all_shells_have_a_script(run):
    for shell in ("bash", "zsh", "tcsh"):
        done = run("--print-completion", shell)
        assert (done.returncode, done.stderr) == (0, "")
        assert "crosscheck" in done.stdout
    assert run("--print-completion", "fish").returncode == 2


def test_the_extra_is_asked_for(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    done = run("--print-completion", "bash")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == f"ircor: --print-completion needs shtab: {sys.executable} -m pip install 'ircor[completion]'\n"
    )
