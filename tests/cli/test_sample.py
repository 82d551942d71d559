"""`ircor sample`."""


def test_the_sample_as_files(run, folder):
    done = run("sample", "again")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "64 files in again: eval/, runs/, judges/, qrels.txt and scores.csv\n"
    assert (folder / "again/eval/A1.eval").read_text() == (folder / "eval/A1.eval").read_text()
    assert len(list((folder / "again/runs").iterdir())) == 30
