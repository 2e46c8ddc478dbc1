import pytest

from lexer import tokens


def test_numbers():
    found = list(tokens("1 2.5"))
    assert len(found) == 2
    assert [token.kind for token in found] == ["number", "number"]
    assert [token.text for token in found] == ["1", "2.5"]


def test_assignment():
    found = list(tokens("x = 1"))
    assert len(found) == 3
    assert [token.kind for token in found] == ["name", "operator", "number"]
    assert [token.text for token in found] == ["x", "=", "1"]


def test_no_spaces():
    found = list(tokens("(a+b_2)"))
    assert len(found) == 5
    assert [token.kind for token in found] == ["operator", "name", "operator", "name", "operator"]
    assert [token.text for token in found] == ["(", "a", "+", "b_2", ")"]


def test_columns():
    assert [token.column for token in tokens("  a  b")] == [2, 5]


def test_unknown_character():
    with pytest.raises(SyntaxError, match="unexpected '%' in column 2"):
        list(tokens("a % b"))
