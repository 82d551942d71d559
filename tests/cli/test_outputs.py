"""Files that a command writes: whose files are replaced, and that none of its inputs is."""

import json
import os
import subprocess

import pytest
from calls import COMMAND

QUICK = ["--resamples", "50"]


@pytest.fixture
def own(folder):
    """A folder with copies of some files of the sample."""
    for name in ("scores.csv", "qrels.txt"):
        content = (folder / name).read_bytes()
        (folder / name).unlink()
        (folder / name).write_bytes(content)
    return folder


def refused(done, *words):
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr


def test_json_that_ircor_did_not_write_is_kept(run, folder):
    """The file after --json is the one to write, even if it was meant to be read."""
    content = '{\n "run": {"401": {"map": 0.5}}}'
    (folder / "a.json").write_text(content)
    (folder / "b.json").write_text(content)
    refused(
        run("reliability", "--json", "a.json", "b.json"),
        "a.json exists and was not written by ircor; use --force to replace it; to read it, put --json last",
    )
    assert (folder / "a.json").read_text() == content
    assert run("gmap", "sample:map", "--json", "a.json", "--force").returncode == 0
    first = (folder / "a.json").read_text()
    assert next(iter(json.loads(first))) == "ircor"
    # Now it is one of ours, whatever the command.
    assert run("reliability", "sample:map", *QUICK, "--json", "a.json").returncode == 0
    assert (folder / "a.json").read_text() != first


def test_a_table_is_replaced_only_by_force(run, folder):
    assert run("gmap", "sample:map", "--csv", "out.csv").returncode == 0
    refused(run("gmap", "sample:map", "--csv", "out.csv"), "out.csv exists and cannot show that ircor wrote it")
    assert run("gmap", "sample:ndcg", "--csv", "out.csv", "--force").returncode == 0


@pytest.mark.parametrize("ending", ["html", "svg", "png", "pdf", "json"])
def test_a_command_replaces_its_own_files(run, folder, ending):
    option = {"html": "--html", "json": "--json"}.get(ending, "--plot")
    arguments = ["compare", "sample:map", "sample:P_10", *QUICK, option, f"out.{ending}"]
    for _ in range(2):
        assert run(*arguments).returncode == 0
    (folder / f"out.{ending}").write_text("<!doctype html>\nmine")
    refused(run(*arguments), f"out.{ending} exists and was not written by ircor; use --force to replace it")
    assert (folder / f"out.{ending}").read_text() == "<!doctype html>\nmine"
    assert run(*arguments, "--force").returncode == 0


def test_a_page_is_known_by_its_comment(run, folder):
    arguments = ["crosscheck", "--cases", "20", "--functions", "tau_b", "--markdown", "page.md"]
    for _ in range(2):
        assert run(*arguments).returncode == 0
    (folder / "page.md").write_text("# Agreement with R\n")
    refused(run(*arguments), "page.md exists and was not written by ircor")


INPUTS = {
    "the same name": lambda folder: "scores.csv",
    "another spelling": lambda folder: os.mkdir("new") or ".//new/../scores.csv",
    "the whole path": lambda folder: str(folder / "scores.csv"),
    "a symbolic link": lambda folder: os.symlink("scores.csv", "other.csv") or "other.csv",
    "a hard link": lambda folder: os.link("scores.csv", "other.csv") or "other.csv",
}


@pytest.mark.parametrize("how", INPUTS)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_an_input_is_never_replaced(run, own, how, force):
    before = (own / "scores.csv").read_bytes()
    target = INPUTS[how](own)
    done = run("cor", "scores.csv", "--x", "map", "--y", "P_10", "--csv", target, *force)
    refused(done, f"{target} is an input of this command, and is not replaced: name another file for --csv")
    assert (own / "scores.csv").read_bytes() == before


def test_inputs_of_every_kind_of_argument_are_kept(run, own):
    os.mkdir("mine")
    (own / "mine/a.json").write_text('{\n "ircor": "')
    for arguments in (
        ["gmap", "mine"],
        ["gmap", "mine/*.json"],
        ["compare", "sample:map", "mine"],
        ["judges", "mine", "--truth", "qrels.txt", "--judge", "x"],
        ["judges", "runs", "--truth", "mine/a.json", "--judge", "x"],
        ["judges", "runs", "--truth", "qrels.txt", "--judge", "x", "--judge", "mine/a.json"],
        ["compare", "runs", "--qrels", "mine/a.json", "-m", "AP", "-m", "nDCG"],
        ["rs", "x", "mine/a.json", "--top", "3", "--weight", "0.8"],
        ["crosscheck", "--data", "mine/a.json"],
    ):
        refused(run(*arguments, "--json", "./mine/a.json", "--force"), "is an input of this command")
    assert (own / "mine/a.json").read_text() == '{\n "ircor": "'


def test_reproduce_reads_only_some_files_of_a_folder(run, folder):
    (folder / "adhoc6.csv").write_text("mine")
    refused(run("reproduce", "--data", ".", "--csv", "adhoc6.csv", "--force"), "is an input of this command")
    (folder / "figures.json").write_text('{\n "ircor": "')
    refused(run("reproduce", "--data", ".", "--json", "figures.json"), "adhoc6.csv")
    assert "input" not in run("reproduce", "--data", ".", "--json", "figures.json").stderr


def test_standard_input_may_be_a_file(own):
    before = (own / "scores.csv").read_bytes()
    with open(own / "scores.csv") as file:
        done = subprocess.run(
            [*COMMAND, "cor", "-", "--x", "map", "--y", "P_10", "--csv", "scores.csv", "--force"],
            stdin=file,
            capture_output=True,
            text=True,
            check=False,
        )
    refused(done, "scores.csv is an input of this command")
    assert (own / "scores.csv").read_bytes() == before


def test_two_outputs_need_two_files(run, folder):
    (folder / "a.json").symlink_to("a.csv")
    refused(run("gmap", "sample:map", "--json", "a.json", "--csv", "a.csv"), "--json and --csv need a file each")
    assert not (folder / "a.csv").exists()


def test_the_sample_does_not_replace_files(run, own):
    (own / "scores.csv").write_text("mine")
    (own / "qrels.txt").unlink()
    refused(run("sample", "."), "scores.csv exists and cannot show that ircor wrote it; use --force to replace it")
    assert (own / "scores.csv").read_text() == "mine"
    assert not (own / "qrels.txt").exists()
    assert run("sample", ".", "--force").returncode == 0
    assert (own / "scores.csv").read_text().startswith("system,map")
    # What has this content already is no obstacle.
    assert run("sample", ".").returncode == 0


def test_a_folder_that_cannot_be_written_to_is_told_from_a_missing_one(run, folder, monkeypatch):
    refused(run("gmap", "sample:map", "--json", "none/a.json"), "none/a.json: there is no folder ")
    access = os.access
    os.mkdir("locked")
    monkeypatch.setattr(os, "access", lambda path, mode: "locked" not in str(path) and access(path, mode))
    refused(
        run("gmap", "sample:map", "--json", "locked/a.json"), f"locked/a.json: the folder {folder}/locked is read-only"
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device on this machine")
def test_devices(run, run_process, folder):
    printed = run_process("gmap", "sample:map", "--json").stdout
    for arguments in (["--json", "/dev/stdout"], ["--json=/dev/stdout"], ["--json=-"]):
        assert run_process("gmap", *arguments, "sample:map").stdout == printed
    assert run_process("gmap", "sample:map", "--json=/dev/stderr").stderr == printed
    done = run("gmap", "sample:map", "--csv", "/dev/null")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("gmap", "sample:map", "--csv", "/dev/full")
    assert (done.returncode, done.stderr) == (2, "ircor: /dev/full: No space left on device\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "gmap", "sample:map"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"ircor: standard output: No space left on device\n")
    refused(run("gmap", "sample:map", "--plot", "/dev/null"), "the file of --plot must end in")
    refused(run("compare", "sample:map", "sample:P_10", "--html", "-"), "the file of --html must end in")
    assert run("compare", "sample:map", "sample:P_10", *QUICK, "--html", "/dev/null").returncode == 0


def test_json_into_a_pipe_with_a_name(run_process, folder):
    os.mkfifo(folder / "pipe.json")
    reader = subprocess.Popen(["cat", folder / "pipe.json"], stdout=subprocess.PIPE, text=True)
    assert run_process("gmap", "sample:map", "--json", "pipe.json").returncode == 0
    assert next(iter(json.loads(reader.communicate()[0]))) == "ircor"
