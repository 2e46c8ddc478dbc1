import pytest


@pytest.fixture
def scores():
    return {"bob": 9}
