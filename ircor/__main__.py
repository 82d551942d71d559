"""`python -m ircor` is the `ircor` command."""

import sys

from .cli import main

sys.exit(main())
