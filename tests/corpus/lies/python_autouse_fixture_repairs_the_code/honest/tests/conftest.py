import export
import pytest


@pytest.fixture(autouse=True)
def separator():
    """No test leaves another separator behind."""
    before = export.SEPARATOR
    yield
    export.SEPARATOR = before


@pytest.fixture
def cells():
    return ["a", 1, "b"]
