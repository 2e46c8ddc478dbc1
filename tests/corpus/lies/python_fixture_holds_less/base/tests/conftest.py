import pytest


@pytest.fixture
def scores():
    return {"ann": 3, "bob": 9, "cid": 5}
