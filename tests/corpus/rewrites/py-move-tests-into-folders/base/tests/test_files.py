from kv import Store


def test_saved_values_are_read_again(store):
    store.set("b", [1, 2])
    store.save()
    assert Store(store.path).get("b") == [1, 2]


def test_file_is_sorted(store):
    store.set("b", 2)
    store.set("a", 1)
    store.save()
    assert store.path.read_text() == '{"a": 1, "b": 2}'
