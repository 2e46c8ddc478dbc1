import pytest


def test_get_returns_what_was_set(store):
    store.set("a", 1)
    assert store.get("a") == 1


def test_get_has_a_default(store):
    assert store.get("missing") is None
    assert store.get("missing", 7) == 7


def test_empty_keys_are_refused(store):
    with pytest.raises(KeyError):
        store.set("", 1)
