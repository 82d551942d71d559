"""`ircor rs`."""

import json

from ircor.organization import evaluate_runs

ARGUMENTS = ["rs", "runs/A1.run", "qrels.txt", "--top", "30", "--weight", "0.8"]


def test_rs(run, folder):
    for more, options in (
        (["--binary"], {"graded": False}),
        (["--min-relevance", "2"], {"min_relevance": 2}),
        (["--ties", "trec_eval"], {"ties": "trec_eval"}),
        ([], {}),
    ):
        found = json.loads(run(*ARGUMENTS, *more, "--json").stdout)
        expected = evaluate_runs(folder / "runs/A1.run", folder / "qrels.txt", top=30, weight=0.8, **options)
        assert found["mean"] == expected.mean._asdict()
        assert found["topics"]["401"] == expected.topics["401"]._asdict()


def test_topics_that_are_left_out_are_noted(run, folder):
    lines = (folder / "runs/A1.run").read_text().splitlines(keepends=True)
    (folder / "part.run").write_text("".join(line.replace("450 Q0", "999 Q0") for line in lines))
    done = run("rs", "part.run", "qrels.txt", "--top", "30", "--weight", "0.8")
    assert done.returncode == 0
    first, second = done.stderr.splitlines()
    assert first.startswith("ircor: 1 topic")
    assert first.endswith(": 450")
    assert second.endswith(": 999")
    assert done.stdout.splitlines()[0] == "topic\treliability\tsensitivity\tf"
    assert done.stdout.splitlines()[-1].startswith("mean\t")
