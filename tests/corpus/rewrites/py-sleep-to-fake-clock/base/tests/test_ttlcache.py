import time

import pytest

from ttlcache import TTLCache


def test_entry_is_there_before_its_time():
    cache = TTLCache(2)
    cache["a"] = 1
    time.sleep(0.05)
    assert cache["a"] == 1
    assert len(cache) == 1


def test_entry_expires():
    cache = TTLCache(0.05)
    cache["a"] = 1
    time.sleep(0.2)
    assert len(cache) == 0
    with pytest.raises(KeyError):
        cache["a"]


def test_writing_again_renews():
    cache = TTLCache(1)
    cache["a"] = 1
    time.sleep(0.6)
    cache["a"] = 2
    time.sleep(0.6)
    assert cache["a"] == 2
