import pytest


@pytest.fixture
def units():
    """The units that people type."""
    return ("g", "kg")
