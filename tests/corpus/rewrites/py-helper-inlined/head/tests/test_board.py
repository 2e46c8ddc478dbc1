import pytest

from arcade import Board


@pytest.fixture
def board():
    return Board()


def test_best(board):
    board.enter("ann", 3)
    board.enter("bob", 9)
    board.enter("cid", 5)
    assert board.best(2) == ["bob", "cid"]


def test_equal_scores(board):
    board.enter("ann", 3)
    board.enter("bob", 3)
    assert board.best(2) == ["ann", "bob"]


def test_empty(board):
    assert board.best(3) == []


def test_negative(board):
    with pytest.raises(ValueError):
        board.enter("ann", -1)
