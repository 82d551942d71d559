"""A pytest plugin that measures coverage during the first moments of each test only.

Before Python 3.12, measuring coverage doubles the running time of Python code.  A test reaches nearly all of its lines
early, and a long test mostly repeats itself.  The total is therefore a lower bound, close to the exact one, which
`pytest --cov=ircor` gives without this plugin.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator

import pytest
from coverage import Coverage

if "PYTEST_XDIST_WORKER" in os.environ:
    # Imported before the measurement starts, because tracing these imports would take seconds in each process.
    import hypothesis  # noqa: F401
    import pandas  # noqa: F401
    import scipy.stats  # noqa: F401

SECONDS_OF_A_TEST = 0.05


class BriefCoverage:
    """Pauses the measurement between tests, and in a test when its time is up."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage
        # This timer counts processor time, so that a test does not lose its share while it waits.
        signal.signal(signal.SIGVTALRM, lambda *_: self.coverage.stop())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        self.coverage.start()
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_OF_A_TEST)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.coverage.stop()


def pytest_collection_finish(session: pytest.Session) -> None:
    # The modules were imported, and measured, during the collection.
    if coverage := Coverage.current():
        coverage.stop()
        session.config.pluginmanager.register(BriefCoverage(coverage))


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    # The main process of pytest-xdist only passes messages on.
    if session.config.pluginmanager.has_plugin("dsession") and (coverage := Coverage.current()):
        coverage.stop()
