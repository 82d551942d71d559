import browsers
import numpy as np
import pytest
from calls import FUNCTIONS, REFUSING
from hypothesis import settings

from ircor import crosscheck
from ircor._kernel import bits

settings.register_profile("ircor", deadline=None, derandomize=True)
settings.load_profile("ircor")


def pytest_addoption(parser):
    parser.addoption("--require-r", action="store_true", help="fail if R is missing, instead of skipping its tests")
    parser.addoption("--require-browser", action="store_true", help="fail if there is no browser, instead of skipping")


def pytest_collection_modifyitems(config, items):
    needs_browser = [item for item in items if item.get_closest_marker("browser")]
    if needs_browser and (missing := browsers.missing()):
        if config.getoption("--require-browser"):
            raise pytest.UsageError(f"the tests in a browser cannot run: {missing}")
        for item in needs_browser:
            item.add_marker(pytest.mark.skip(reason=f"not looked at in a browser: {missing}"))
    needs_r = [item for item in items if item.get_closest_marker("r")]
    if not needs_r:
        return
    try:
        crosscheck.probe()
    except crosscheck.RUnavailableError as error:
        if config.getoption("--require-r"):
            raise pytest.UsageError(f"the tests against R cannot run: {error}") from None
        for item in needs_r:
            item.add_marker(pytest.mark.skip(reason=f"not compared with R: {error}"))


@pytest.fixture(scope="session")
def browser():
    """A browser, headless and without a network."""
    with browsers.started() as found:
        yield found


@pytest.fixture
def rng(request):
    """A random generator whose seed is the name of the test."""
    return np.random.default_rng([ord(letter) for letter in request.node.name])


@pytest.fixture(params=bits.instructions())
def instructions(request):
    """Each set of instructions that this processor has kernels for, in use during the test."""
    before = bits.use_instructions(request.param)
    yield request.param
    bits.use_instructions(before)


@pytest.fixture(params=REFUSING)
def name(request):
    """The name of each of the six functions."""
    return request.param


@pytest.fixture
def function(name):
    """Each of the six functions."""
    return FUNCTIONS[name]


@pytest.fixture(scope="session")
def reference():
    """The reference package in R."""
    return crosscheck.find_oracle("reference")
