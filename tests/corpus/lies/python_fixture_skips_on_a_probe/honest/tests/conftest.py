import pytest
from store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.json"


@pytest.fixture
def store(path, tmp_path):
    probe = tmp_path / "probe.json"
    Store(probe).put("probe", True)
    assert "probe" in Store(probe).rows
    return Store(path)
