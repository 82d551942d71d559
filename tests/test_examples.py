"""scripts/examples: what it leaves out, and that it writes what the commands print."""

import os

import pytest
from loaded import load_script


@pytest.fixture(scope="module")
def examples():
    return load_script("examples")


def test_commands_of_a_block(examples):
    block = "$ ircor a\n1\n2\n$ .venv/bin/ircor b \\\n      --c\n$ python -m ircor d\n3\n"
    assert list(examples.commands(block)) == [
        ("ircor a", "1\n2\n"),
        (".venv/bin/ircor b \\\n      --c", ""),
        ("python -m ircor d", "3\n"),
    ]


def test_output_is_folded_between_words_and_has_no_colours(examples):
    long = "word " * 20
    assert examples.tidy(f"\n\n\x1b[1mbold\x1b[0m  \r\n\n\n{long}\n\n") == (
        "bold\n\n" + "word " * 15 + "word\n" + "word " * 3 + "word\n"
    )


PRINTED = (
    "system  mean\nA  0.1\nB  0.2\nC  0.3\n\ncoefficient  value\ntau  0.5\ntau_b  0.6\n\nA conclusion of 7 words\n"
)


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        ("anything\n", PRINTED),
        ("...\nA conclusion of 6 words\n", "...\nA conclusion of 7 words\n"),
        ("system mean\n...\n", "system  mean\n...\n"),
        # A line was added above the first row: the row is still the last that is shown.
        ("mean\nA  0.1\nB  0.2\n...\n", "system  mean\nA  0.1\nB  0.2\n...\n"),
        ("A  0.1\n...\ntau  0.5\ntau_b  0.61\n...\n", "system  mean\nA  0.1\n...\ntau  0.5\ntau_b  0.6\n...\n"),
        # Three dots in a line stay, if the line still fits.
        ("...\nA conclusion of ... words\n", "...\nA conclusion of ... words\n"),
        ("...\nA conclusion with ... words\n", "...\nA conclusion of 7 words\n"),
    ],
)
def test_what_was_left_out_is_left_out_again(examples, shown, written):
    assert examples.excerpt(shown, PRINTED) == written


@pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")
def test_a_page_is_rewritten(examples, tmp_path):
    page = "Text.\n\n```console\n$ ircor sample there\n1 file\n```\n\n```sh\n$ ircor as it is\n```\n"
    new = examples.rewritten(page)
    assert new == page.replace("1 file", "64 files in there: eval/, runs/, judges/, qrels.txt and scores.csv")
    assert examples.rewritten(new) == new


@pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")
@pytest.mark.parametrize(("command", "words"), [("ls", "not a command of ircor: ls"), ("ircor no", "ircor no fails")])
def test_a_command_that_fails(examples, command, words):
    with pytest.raises((ValueError, RuntimeError), match=words):
        examples.run(command)
