import pytest
from store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.json"


@pytest.fixture
def store(path):
    return Store(path)
