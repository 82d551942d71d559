"""Run the commands in the pages, and write what they print into the pages.

A block of the language `console` has commands after a dollar, and what each prints in a terminal of 80 columns.  A line
with three dots stands for lines that are left out, and three dots in a line for what differs from run to run.

    .venv-test/bin/python scripts/examples.py                       # all pages
    .venv-test/bin/python scripts/examples.py docs/comparing.md     # one of them
    .venv-test/bin/python scripts/examples.py --check               # change nothing, list what differs
"""

import argparse
import difflib
import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 80
# The ways to call the command: with the environment activated, without, and as a module.
PROGRAM = re.compile(r"(\.venv/bin/)?ircor |python -m ircor ")
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
# A long command goes on in the next line, after a backslash.
PROMPT = re.compile(r"^\$ ((?:.*\\\n)*.+)\n", re.MULTILINE)
LEFT_OUT = "..."
start = subprocess.Popen


def pages() -> list[Path]:
    """The pages with examples: all but the one that a command writes."""
    found = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
    return [page for page in found if page.name != "agreement.md"]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with the output that the block shows."""
    _, *parts = PROMPT.split(block)
    yield from zip(parts[::2], parts[1::2])


def run(command: str, folder: Path | str = ".") -> str:
    """What a command of ircor prints, with this Python wherever the page has it."""
    call = PROGRAM.match(command + " ")
    if not call:
        raise ValueError(f"not a command of ircor: {command}")
    # As a module the command has another name in its help.
    as_module = call[0].startswith("python")
    program = ["-m", "ircor"] if as_module else ["-c", "from ircor.cli import main; raise SystemExit(main())"]
    arguments = [sys.executable, *program, *shlex.split(command[call.end() :].replace("\\\n", " "))]
    status, text = in_terminal(arguments, folder)
    if status != 0:
        raise RuntimeError(f"{command} fails:\n{text}")
    return tidy(text)


def in_terminal(arguments: list[str], folder: Path | str) -> tuple[int, str]:
    """The exit status of a program, and what it prints in a terminal, standard error below standard output."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "dumb", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    pieces: list[bytes] = []

    def read() -> None:
        try:
            while piece := os.read(ours, 65536):
                pieces.append(piece)
        except OSError:  # so Linux says that the other end was closed
            pass

    reader = threading.Thread(target=read)
    with tempfile.TemporaryFile() as errors:
        # Standard error is no terminal, so that there is no progress bar.
        process = start(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=errors,
            cwd=folder,
            env=environment,
        )
        os.close(theirs)
        reader.start()
        status = process.wait(timeout=300)
        reader.join()
        os.close(ours)
        errors.seek(0)
        return status, b"".join([*pieces, errors.read()]).decode("utf-8")


def tidy(text: str) -> str:
    """Without colours and trailing blanks, at most one empty line in a row, long lines folded between words."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text).replace("\r\n", "\n")
    lines: list[str] = []
    for line in text.splitlines():
        lines += (
            textwrap.wrap(line.rstrip(), WIDTH, drop_whitespace=True, break_long_words=False, break_on_hyphens=False)
            if len(line.rstrip()) > WIDTH
            else [line.rstrip()]
        )
    kept = [line for k, line in enumerate(lines) if line or (k > 0 and lines[k - 1])]
    return "\n".join(kept).strip("\n") + "\n"


def matches(shown: str, printed: str) -> bool:
    """Whether the output is the one that the page shows, apart from blanks and where lines end."""
    return doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


def excerpt(shown: str, printed: str) -> str:
    """The output, with the lines left out that were left out before, and three dots where they were."""
    lines = printed.splitlines()
    first, *others = [part.splitlines() for part in re.split(r"^\.\.\.\n", tidy(shown), flags=re.MULTILINE)]
    if others:
        kept = lines[: place(first[-1], lines, len(first) - 1) + 1] if first else []
        for part in others:
            start = place(part[0], lines, len(lines) - len(part)) if part else len(lines)
            end = None if part is others[-1] else start + len(part)
            kept += [LEFT_OUT, *lines[start:end]]
    else:
        kept = lines
    patterns = [line for part in (first, *others) for line in part if LEFT_OUT in line]
    for k, line in enumerate(kept):
        kept[k] = next((pattern for pattern in patterns if matches(pattern + "\n", line + "\n")), line)
    return "".join(line + "\n" for line in kept)


def place(wanted: str, lines: list[str], otherwise: int) -> int:
    """The place of the line that is most like the one wanted, if one is like it at all."""

    def likeness(line: str) -> float:
        return difflib.SequenceMatcher(None, wanted.split(), line.split()).ratio()

    best = max(range(len(lines)), key=lambda k: likeness(lines[k]))
    return best if likeness(lines[best]) > 0.5 else max(otherwise, 0)


def rewritten(text: str) -> str:
    """The page with the output of today."""

    def block(found: re.Match[str]) -> str:
        runs = [(command, excerpt(shown, run(command, folder))) for command, shown in commands(found[1])]
        return "```console\n" + "".join(f"$ {command}\n{shown}" for command, shown in runs) + "```"

    with tempfile.TemporaryDirectory() as folder:
        return BLOCK.sub(block, text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write what the commands in the pages print into the pages.")
    parser.add_argument("pages", nargs="*", type=Path, help="the pages (default: the README and the guide)")
    parser.add_argument("--check", action="store_true", help="change nothing, list what differs")
    options = parser.parse_args()
    differ = 0
    for page in options.pages or pages():
        old = page.read_text(encoding="utf-8")
        new = rewritten(old)
        if old != new:
            differ += 1
            changes = difflib.unified_diff(old.splitlines(), new.splitlines(), str(page), str(page), n=0, lineterm="")
            print(*changes, sep="\n")
            if not options.check:
                page.write_text(new, encoding="utf-8")
    print(f"{differ} pages {'differ' if options.check else 'were rewritten'}")
    return int(options.check and differ > 0)


if __name__ == "__main__":
    raise SystemExit(main())
