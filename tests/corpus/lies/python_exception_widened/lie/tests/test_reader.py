import pytest
from reader import header


def test_header():
    assert header("a,b\n1,2\n") == ["a", "b"]


def test_empty_file():
    with pytest.raises(ValueError):
        header("")
