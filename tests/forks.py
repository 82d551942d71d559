"""Commands in processes of their own that begin with everything imported.

Importing pandas and SciPy takes longer than most commands run.  A server imports them once, and each command is run by
a fork of it, with its own terminal, folder and environment.  Commands that are tested for what they import, or for how
they end, are started by `subprocess`.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from functools import cache

SERVER = """
import atexit, gc, importlib, io, json, os, pkgutil, runpy, socket, sys, traceback
import ircor

for module in pkgutil.walk_packages(ircor.__path__, "ircor."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
for name in ("joblib", "pandas", "scipy.stats", "scipy.optimize", "rich.console", "rich.table", "matplotlib.pyplot"):
    try:
        importlib.import_module(name)
    except ImportError:
        pass


def play(request, streams):
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.stdin = open(0)
    sys.stdout = io.TextIOWrapper(open(1, "wb"), "utf-8", line_buffering=os.isatty(1))
    sys.stderr = io.TextIOWrapper(open(2, "wb"), "utf-8", "backslashreplace", line_buffering=True)
    flag, what, *arguments = request["arguments"]
    sys.argv = [flag, *arguments]
    if flag == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(what, {"__name__": "__main__"})


gc.freeze()
ours = socket.socket(fileno=int(sys.argv[1]))
while True:
    data, streams, _, _ = socket.recv_fds(ours, 1 << 20, 3)
    if not data:
        break
    child = os.fork()
    if not child:
        ours.close()
        try:
            play(json.loads(data), streams)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            status = 1
        atexit._run_exitfuncs()
        sys.stdout.flush()
        # At once: to delete what the server has imported would take longer than most commands.
        os._exit(status)
    for stream in streams:
        os.close(stream)
    ours.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
"""


@cache
def server():
    """The server, which ends when this process does, and the socket to it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-W", "ignore", "-c", SERVER, str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()
    return process, ours


class Forked:
    """The part of `subprocess.Popen` that tests need, for ``python -m ircor ...`` and ``python -c ...``."""

    def __init__(self, command, *, stdin, stdout, stderr, cwd=None, env=None):
        request = {"arguments": command[1:], "cwd": os.path.abspath(cwd or "."), "env": env or dict(os.environ)}
        with contextlib.ExitStack() as stack:
            if stdin == subprocess.DEVNULL:
                stdin = stack.enter_context(open(os.devnull))
            streams = [one if isinstance(one, int) else one.fileno() for one in (stdin, stdout, stderr)]
            self.process, self.socket = server()
            socket.send_fds(self.socket, [json.dumps(request).encode()], streams)

    def wait(self, timeout=None):
        """The exit status of the command; one that takes too long ends the server too."""
        self.socket.settimeout(timeout)
        try:
            return int(self.socket.recv(100))
        except (TimeoutError, ValueError):
            self.process.kill()
            server.cache_clear()
            raise


# Elsewhere a process that has loaded libraries of the system may not be safe to fork.
start_command = Forked if sys.platform == "linux" else subprocess.Popen
