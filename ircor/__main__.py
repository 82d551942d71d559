"""`python -m ircor` is the `ircor` command."""

import os
import sys

from .cli import main

sys.exit(main(program=f"{os.path.splitext(os.path.basename(sys.executable))[0]} -m ircor"))
