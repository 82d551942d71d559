"""What a terminal shows: commands run in a pseudo-terminal, and tables read back from their lines."""

import os
import re
import struct
import unicodedata

from calls import COMMAND
from forks import start_command


def screen_of(*arguments, width, cwd=None, by_variable=False, status=0):
    """The lines that a command shows in a terminal of this width, standard error included."""
    import fcntl
    import pty
    import termios

    leader, follower = pty.openpty()
    columns = {"COLUMNS": str(width)} if by_variable else {}
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 0 if by_variable else width, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"} | {"TERM": "xterm"} | columns
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), follower)
    process = start_command([*COMMAND, *map(str, arguments)], cwd=cwd, env=environment, **streams)
    os.close(follower)
    shown = b""
    try:
        while block := os.read(leader, 65536):
            shown += block
    except OSError:  # the terminal is closed
        pass
    os.close(leader)
    assert process.wait() == status, shown.decode()
    # Bars hide the cursor while they are shown, and leave nothing behind.
    without_bars = re.sub(r"\x1b\[\?25l.*?\x1b\[\?25h\r?", "", shown.decode(), flags=re.DOTALL)
    return re.sub(r"\x1b\[[0-9;]*m", "", without_bars).replace("\r\n", "\n").splitlines()


def cells_wide(text):
    """How many cells of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def cut(line, edges):
    """The parts of a line between the columns of the screen, by the cells that its characters take."""
    parts = [""] * len(edges)
    at = 0
    for character in unicodedata.normalize("NFC", line):
        for k, (start, end) in enumerate(edges):
            if start <= at < end:
                parts[k] += character
        at += cells_wide(character)
    return [part.strip() for part in parts]


def blocks_in(lines, dash="─"):
    """The blocks of the tables among the lines: for each its headings and its rows.

    Lines of a row that was broken between words are joined: its first column is empty.  A column without a heading has
    it as the title of its block.
    """
    found = []
    for k, line in enumerate(lines):
        if not line or set(line) - {dash, " "}:
            continue
        edges = [(match.start(), match.end()) for match in re.finditer(f"{dash}+", line)]
        start = k
        while start > 0 and lines[start - 1] and not lines[start - 1].startswith(dash):
            start -= 1
        above = [cut(heading, edges) for heading in lines[start:k]]
        rows = []
        for row in lines[k + 1 :]:
            if not row:
                break
            cells = cut(row, edges)
            if cells[0] or not rows:
                rows.append(cells)
            else:
                rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], cells)]
        headings = [" ".join(filter(None, parts)) for parts in zip(*above)]
        if len(edges) == 2 and not above[-1][1]:
            headings = [" ".join(filter(None, (line[0] for line in above[1:]))), lines[start]]
        found.append((headings, rows))
    return found
