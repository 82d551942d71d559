import pytest


@pytest.fixture
def write(tmp_path):
    """Write text or bytes to a file and return its path."""

    def write(content):
        path = tmp_path / "file"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def refused(write):
    """Check that a reader refuses a file, and that the message begins with the file, the line and these words."""
    from ircor.trec import FormatError

    def refused(read, content, line, words):
        path = write(content)
        with pytest.raises(FormatError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}:{line}: {words}")

    return refused
