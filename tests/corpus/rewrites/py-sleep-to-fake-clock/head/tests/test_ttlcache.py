import time

import pytest

from ttlcache import TTLCache


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


def test_entry_is_there_before_its_time(clock):
    cache = TTLCache(20, clock)
    cache["a"] = 1
    clock.advance(19.9)
    assert cache["a"] == 1
    assert len(cache) == 1


def test_entry_expires(clock):
    cache = TTLCache(5, clock)
    cache["a"] = 1
    clock.advance(5)
    assert len(cache) == 0
    with pytest.raises(KeyError):
        cache["a"]


def test_writing_again_renews(clock):
    cache = TTLCache(20, clock)
    cache["a"] = 1
    clock.advance(12)
    cache["a"] = 2
    clock.advance(12)
    assert cache["a"] == 2


def test_the_clock_is_real_by_default():
    cache = TTLCache(0.01)
    cache["a"] = 1
    time.sleep(0.02)
    assert len(cache) == 0
