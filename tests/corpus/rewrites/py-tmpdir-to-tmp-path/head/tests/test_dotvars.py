import pytest

from dotvars import load


@pytest.fixture
def path(tmp_path):
    return tmp_path / ".vars"


def test_values(path):
    path.write_text("A=1\nB = two words \n")
    assert load(path) == {"A": "1", "B": "two words"}


def test_quotes(path):
    path.write_text("A='x'\nB=\"y\"\nC==\n")
    assert load(path) == {"A": "x", "B": "y", "C": "="}


def test_comments(path):
    path.write_text("# none\n\nA=1 # part of it\n")
    assert load(path) == {"A": "1 # part of it"}


def test_utf8(path):
    path.write_bytes("NAME=Zoë\n".encode())
    assert load(path) == {"NAME": "Zoë"}


def test_no_equals_sign(path):
    path.write_text("A=1\nB\n")
    with pytest.raises(ValueError, match=r"^\.vars:2: no '='$"):
        load(path)
