import pytest


@pytest.fixture
def cells():
    return ["a", 1, "b"]
