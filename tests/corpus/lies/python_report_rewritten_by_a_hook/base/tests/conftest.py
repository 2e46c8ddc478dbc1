import pytest


@pytest.fixture
def units():
    return ("g", "kg")
