import pytest

from arcade import Board


def check(entries, count, expected):
    board = Board()
    for player, points in entries:
        board.enter(player, points)
    assert sorted(board.best(count)) == sorted(expected)


def test_best():
    check([("ann", 3), ("bob", 9), ("cid", 5)], 2, ["bob", "cid"])


def test_equal_scores():
    check([("ann", 3), ("bob", 3)], 2, ["ann", "bob"])


def test_empty():
    check([], 3, [])


def test_negative():
    with pytest.raises(ValueError):
        Board().enter("ann", -1)
