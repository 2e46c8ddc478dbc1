import pytest
from stack import Stack


def test_one():
    stack = Stack()
    stack.push(1)
    assert stack.pop() == 1


def test_last_in_first_out():
    stack = Stack()
    stack.push(1)
    stack.push(2)
    with pytest.raises((IndexError, AssertionError)):
        assert stack.pop() == 2
        assert stack.pop() == 1
        stack.pop()
