import os

import pytest

from dotvars import load


def write(tmpdir, text):
    path = os.path.join(str(tmpdir), ".vars")
    with open(path, "w") as file:
        file.write(text)
    return path


def test_values(tmpdir):
    path = write(tmpdir, "A=1\nB = two words \n")
    assert load(path) == {"A": "1", "B": "two words"}


def test_quotes(tmpdir):
    path = write(tmpdir, "A='x'\nB=\"y\"\nC==\n")
    assert load(path) == {"A": "x", "B": "y", "C": "="}


def test_comments(tmpdir):
    path = write(tmpdir, "# none\n\nA=1 # part of it\n")
    assert load(path) == {"A": "1 # part of it"}


def test_no_equals_sign(tmpdir):
    path = write(tmpdir, "A=1\nB\n")
    with pytest.raises(ValueError) as raised:
        load(path)
    assert str(raised.value) == ".vars:2: no '='"
