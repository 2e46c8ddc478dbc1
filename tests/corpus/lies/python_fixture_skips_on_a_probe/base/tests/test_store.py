from store import Store


def test_put(tmp_path):
    store = Store(tmp_path / "s.json")
    store.put("a", 1)
    assert store.rows == {"a": 1}


def test_survives(store, path):
    store.put("a", 1)
    assert Store(path).rows == {"a": 1}
