import pytest

from ircor._kernel import bits


@pytest.fixture(params=bits.instructions())
def instructions(request):
    """Each set of instructions that this processor has kernels for, in use during the test."""
    before = bits.use_instructions(request.param)
    yield request.param
    bits.use_instructions(before)
