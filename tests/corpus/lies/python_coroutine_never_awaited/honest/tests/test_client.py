import asyncio

from client import fetch, is_last


def test_first_page():
    assert asyncio.run(fetch(1, 3)) == [0, 1, 2]


def test_last_page():
    last = asyncio.run(is_last(3, 25))
    assert last
    assert not asyncio.run(is_last(2, 25))
